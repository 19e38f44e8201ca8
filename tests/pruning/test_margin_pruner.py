import numpy as np
import pandas as pd
import polars as pl
import pytest
from imblearn.pipeline import make_pipeline
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from hardy.exceptions import InputError
from hardy.learners import ParallelPerceptronClassifier
from hardy.pruning import MarginPruner


@pytest.fixture(scope="module")
def rare():
    """A rare class beside a common one, with some overlap."""
    rng = np.random.default_rng(0)
    y = (np.arange(300) % 10 == 0).astype(int)
    return rng.normal(size=(300, 4)) + 1.5 * y[:, None], y


def test_labels_of_any_kind_choose_the_same_rows(rare):
    X, y = rare
    expected = MarginPruner(random_state=0)
    expected.fit_resample(X, y)
    assert 10 < len(expected.sample_indices_) < 250
    pairs = ([1, 2], [-1, 1], [0, 5], [0.0, 1.0], ["a", "b"], [False, True])
    columns = [np.array(pair)[y] for pair in pairs]
    columns += [pd.Series(columns[4], dtype="category"), pd.Series(y, dtype="Int64")]
    columns += [columns[4].tolist(), pl.Series(columns[4].tolist())]
    for labels in columns:
        sampler = MarginPruner(random_state=0)
        X_kept, y_kept = sampler.fit_resample(X, labels)
        assert_array_equal(sampler.sample_indices_, expected.sample_indices_)
        assert type(y_kept) is type(labels)
        assert_array_equal(np.asarray(y_kept), np.asarray(labels)[sampler.sample_indices_])
        assert_array_equal(X_kept, X[sampler.sample_indices_])


def test_frames_keep_their_index_and_types(rare):
    X, y = rare
    frame = pd.DataFrame(X.astype(np.float32), columns=list("abcd"), index=range(1000, 1300))
    sampler = MarginPruner(random_state=0)
    X_kept, y_kept = sampler.fit_resample(frame, pd.Series(y, index=frame.index))
    assert_array_equal(X_kept.index, 1000 + sampler.sample_indices_)
    assert_array_equal(y_kept.index, X_kept.index)
    assert (X_kept.dtypes == np.float32).all()
    assert_array_equal(sampler.get_feature_names_out(), list("abcd"))
    matrix = sparse.csr_array(X)
    kept, _ = MarginPruner(random_state=0).fit_resample(matrix, y)
    assert sparse.issparse(kept)


def test_the_positive_class_can_be_named(rare):
    X, y = rare
    named = MarginPruner(pos_label="common", random_state=0)
    names = np.array(["common", "rare"])[y]
    named.fit_resample(X, names)
    assert named.rounds_[0].n_positive == 270
    by_default = MarginPruner(random_state=0)
    by_default.fit_resample(X, names)
    assert by_default.rounds_[0].n_positive == 30
    with pytest.raises(InputError, match=r"pos_label='raer' is none of the labels \['common'"):
        MarginPruner(pos_label="raer").fit_resample(X, names)


def test_several_classes_take_turns_from_the_rarest_on():
    rng = np.random.default_rng(0)
    y = np.repeat(["l", "s", "m"], [150, 30, 60])
    X = rng.normal(size=(240, 3)) + 3 * np.repeat(np.eye(3), [150, 30, 60], axis=0)
    sampler = MarginPruner(random_state=0)
    _, y_kept = sampler.fit_resample(X, y)
    first = sampler.rounds_[0]
    assert (first.n_positive, first.n_negative) == (30, 210)
    totals = [round_.n_positive + round_.n_negative for round_ in sampler.rounds_]
    # Each turn begins with the rows that the one before has left.
    assert totals == sorted(totals, reverse=True)
    assert len(set(totals)) == len(totals) - 1
    assert set(y_kept) == {"l", "s", "m"}
    assert len(y_kept) < 150


def test_in_a_pipeline_rows_are_left_out_in_training_only(rare):
    X, y = rare
    pipeline = make_pipeline(StandardScaler(), MarginPruner(random_state=0), LogisticRegression())
    pipeline.fit(X, y)
    scaled = StandardScaler().fit_transform(X)
    X_kept, y_kept = MarginPruner(random_state=0).fit_resample(scaled, y)
    expected = LogisticRegression().fit(X_kept, y_kept)
    assert_array_equal(pipeline.predict_proba(X), expected.predict_proba(scaled))
    assert len(pipeline.predict(X)) == 300


def test_the_input_stays_as_it_is(rare):
    X, y = (values.copy() for values in rare)
    X.flags.writeable = y.flags.writeable = False
    MarginPruner(random_state=0).fit_resample(X, y)
    assert_array_equal(X, rare[0])


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (["only"] * 6, "one class, 'only'"),
        (["a", None, "b", "a", "b", "b"], "Row 1 has no label"),
        (np.ones((6, 3), dtype=int), "Multilabel"),
    ],
)
def test_labels_that_are_no_use(y, message):
    with pytest.raises(ValueError, match=message):
        MarginPruner().fit_resample(np.arange(12.0).reshape(6, 2), y)


def test_a_learner_without_margins_is_refused(rare):
    with pytest.raises(InputError, match=r"MarginPruner needs .* LogisticRegression lacks categ"):
        MarginPruner(LogisticRegression()).fit_resample(*rare)
    learner = ParallelPerceptronClassifier(max_iter=20, random_state=0)
    MarginPruner(learner).fit_resample(*rare)
    assert not hasattr(learner, "coef_")
    assert clone(learner).get_params()["warm_start"] is False


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("pos_label", [None, 1])
def test_every_class_keeps_rows(seed, pos_label):
    X, y = make_classification(
        300, 8, n_informative=5, n_classes=4, weights=[0.6, 0.2, 0.1], flip_y=0.1,
        random_state=seed,
    )  # fmt: skip
    sampler = MarginPruner(pos_label=pos_label, random_state=seed)
    _, y_kept = sampler.fit_resample(StandardScaler().fit_transform(X), y)
    assert set(y_kept) == {0, 1, 2, 3}
    assert len(y_kept) < 300 or len(sampler.rounds_) == (3 if pos_label is None else 1)
