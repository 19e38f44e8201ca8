"""What holds for every boosted classifier: scikit-learn's contract, and what users ran into."""

import warnings

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from hardy.ensembles import AdaBoostClassifier, NoiseReducingBoostClassifier
from hardy.exceptions import InputError
from hardy.learners import ParallelPerceptronClassifier

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

CLASSES = [AdaBoostClassifier, NoiseReducingBoostClassifier]
SAMPLINGS = ["reweight", "resample"]
every_class = pytest.mark.parametrize("make", CLASSES, ids=lambda make: make.__name__)
every_sampling = pytest.mark.parametrize("sampling", SAMPLINGS)


def _only_statistical(estimator):
    if getattr(estimator, "sampling", None) != "resample":
        return {}
    reason = "other rows are drawn when the rows come in another order"
    return {
        f"check_sample_weight_equivalence_on_{kind}_data": reason for kind in ("dense", "sparse")
    }


@parametrize_with_checks(
    [
        AdaBoostClassifier(),
        AdaBoostClassifier(GaussianNB(), n_estimators=5),
        NoiseReducingBoostClassifier(),
        NoiseReducingBoostClassifier(two_stage=True),
        AdaBoostClassifier(sampling="resample", n_estimators=10),
        NoiseReducingBoostClassifier(sampling="resample"),
    ],
    expected_failed_checks=_only_statistical,
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


LABELS = {
    "zero_one": [0, 1],
    "one_two": [1, 2],
    "signs": [-1, 1],
    "zero_five": [0, 5],
    "floats": [0.0, 1.0],
    "strings": ["ham", "spam"],
    "bool": [False, True],
}


@every_class
@every_sampling
def test_labels_of_any_kind_give_the_same_model(make, sampling, blobs):
    X, y = blobs()
    model = make(n_estimators=4, sampling=sampling, random_state=0)
    reference = clone(model).fit(X, y)
    columns = {name: np.array(pair)[y] for name, pair in LABELS.items()}
    columns |= {
        "list": columns["strings"].tolist(),
        "object": columns["strings"].astype(object),
        "category": pd.Series(columns["strings"], dtype="category"),
        "string": pd.Series(columns["strings"], dtype="string"),
        "Int64": pd.Series(columns["one_two"], dtype="Int64"),
        "boolean": pd.Series(columns["bool"], dtype="boolean"),
        "polars": pl.Series(columns["strings"].tolist()),
    }
    for name, labels in columns.items():
        fitted = clone(model).fit(X, labels)
        assert_array_equal(fitted.decision_function(X), reference.decision_function(X), name)
        expected = np.asarray(labels)[[0, 1]]
        assert_array_equal(fitted.predict(X), expected[reference.predict(X)], name)
        assert_array_equal(fitted.classes_, expected, name)
        for mine, other in zip(
            fitted.estimators_samples_, reference.estimators_samples_, strict=True
        ):
            assert_array_equal(mine, other, name)


@every_class
@every_sampling
def test_a_class_of_one_or_two_rows(make, sampling, blobs):
    X, _ = blobs()
    y = np.array(["a"] * 117 + ["b"] * 2 + ["c"])
    model = make(sampling=sampling, random_state=0).fit(X, y)
    assert model.predict_proba(X).shape == (120, 3)
    assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


@every_class
@pytest.mark.parametrize(
    ("y", "message"),
    [
        (["only"] * 6, "one class"),
        (["a", "b", None, "a", "b", "a"], "Row 2 has no label"),
        ([0.0, 1.0, np.nan, np.nan, 1.0, 1.0], r"Row 2 has no label \(2 rows"),
    ],
)
def test_labels_that_are_no_use(make, y, message):
    with pytest.raises(InputError, match=message):
        make().fit(np.arange(12.0).reshape(6, 2), y)


@every_class
def test_weights_that_are_no_use(make):
    X, y = np.arange(6.0).reshape(3, 2), [0, 0, 1]
    with pytest.raises(ValueError, match=r"zero|weight 0"):
        make().fit(X, y, [0, 0, 0])
    with pytest.raises(InputError, match="only one class among the rows of positive weight"):
        make().fit(X, y, [1, 1, 0])
    with pytest.raises(ValueError, match=r"[Nn]egative"):
        make().fit(X, y, [1, 1, -1])


@pytest.mark.parametrize(
    "model",
    [
        AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=5),
        AdaBoostClassifier(LogisticRegression(), n_estimators=5),
        NoiseReducingBoostClassifier(ParallelPerceptronClassifier(), n_estimators=5),
    ],
)
@every_sampling
def test_class_weights_by_the_users_labels(model, sampling, blobs):
    X, y = blobs()
    names = np.array(["ham", "spam"])[y]
    model = clone(model).set_params(sampling=sampling, random_state=0)
    shares = []
    for class_weight in ({"ham": 1, "spam": 20}, None, {"ham": 20, "spam": 1}):
        fitted = model.set_params(estimator__class_weight=class_weight).fit(X, names)
        shares.append(np.mean([np.mean(m.predict(X) == "spam") for m in fitted.estimators_[:1]]))
    assert shares[0] > shares[1] > shares[2]


@every_class
@every_sampling
@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_stage_agrees_with_itself(make, sampling, blobs, n_classes):
    X, y = blobs(n_classes)
    names = np.array(["x", "y", "z"])[y]
    model = make(n_estimators=8, sampling=sampling, random_state=0).fit(X, names)
    X_new = np.vstack([X, np.random.default_rng(0).normal(size=(200, 4)) * 3])
    stages = list(
        zip(
            model.staged_predict(X_new),
            model.staged_predict_proba(X_new),
            model.staged_decision_function(X_new),
            strict=True,
        )
    )
    assert len(stages) == len(model.estimators_)
    for labels, probabilities, scores in stages:
        assert_array_equal(labels, model.classes_[probabilities.argmax(axis=1)])
        best = scores.argmax(axis=1) if n_classes == 3 else (scores > 0).astype(int)
        assert_array_equal(labels, model.classes_[best])
        assert_allclose(probabilities.sum(axis=1), 1.0)
    labels, probabilities, scores = stages[-1]
    assert_array_equal(model.predict(X_new), labels)
    assert_array_equal(model.predict_proba(X_new), probabilities)
    assert_array_equal(model.decision_function(X_new), scores)


def test_votes_that_cancel_to_within_rounding_are_a_tie(blobs):
    model = AdaBoostClassifier(n_estimators=3).fit(*blobs())
    first, second = model.estimators_[:2]
    X = np.random.default_rng(0).normal(size=(500, 4)) * 2
    split = first.predict(X) != second.predict(X)
    assert split.any()
    model.estimators_ = [first, second, second]
    model.estimator_weights_ = np.array([0.3, 0.1, 0.2])  # .1 + .2 is not .3
    assert_array_equal(model.decision_function(X)[split], 0.0)
    assert_array_equal(model.predict_proba(X)[split], 0.5)
    assert_array_equal(model.predict(X)[split], model.classes_[0])


@every_class
@every_sampling
@pytest.mark.parametrize("n_classes", [2, 3])
def test_labels_that_are_pure_noise(make, sampling, n_classes):
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(150, 3)), rng.integers(0, n_classes, 150)
    probabilities = make(sampling=sampling, random_state=0).fit(X, y).predict_proba(X)
    assert np.isfinite(probabilities).all()


@every_class
def test_fewer_members_than_asked_for_is_said(make, by_rule):
    class Useless(by_rule):
        def categorize(self, X, y):
            return np.zeros(X.shape[0], dtype=np.int8)

    X, y = np.zeros((8, 2)), np.repeat([0, 1], 4)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        with pytest.raises(ConvergenceWarning, match=r"^0 of 6 .* rounds? 1.*not below 0.5"):
            make(Useless(lambda X: np.zeros(len(X), int)), n_estimators=6).fit(X, y)


@every_class
@pytest.mark.parametrize("n_classes", [2, 3])
def test_weights_are_repetition(make, blobs, n_classes):
    X, y = blobs(n_classes)
    weights = np.random.default_rng(0).integers(0, 4, 120)
    model = make(random_state=0, n_estimators=6)
    weighted = clone(model).fit(X, y, weights)
    repeated = clone(model).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert_allclose(weighted.decision_function(X), repeated.decision_function(X), atol=1e-7)


@every_class
def test_weights_are_repetition_on_average_where_rows_are_drawn(make, blobs):
    X, y = blobs()
    weights = np.where(y == 1, 3, 1)
    model = make(sampling="resample", n_estimators=4)

    def mean_probability(*data):
        fits = [clone(model).set_params(random_state=seed).fit(*data) for seed in range(25)]
        return np.array([fit.predict_proba(X)[:, 1].mean() for fit in fits])

    weighted = mean_probability(X, y, weights)
    repeated = mean_probability(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    error = np.hypot(weighted.std(), repeated.std()) / 5
    assert abs(weighted.mean() - repeated.mean()) < 4 * error
    assert abs(weighted.mean() - mean_probability(X, y).mean()) > 4 * error


@every_class
@every_sampling
def test_weight_0_is_absence(make, sampling, blobs):
    X, y = blobs(n_classes=3)
    weights = (y < 2).astype(float)
    model = make(sampling=sampling, random_state=0, n_estimators=5)
    weighted = clone(model).fit(X, y, weights)
    absent = clone(model).fit(X[y < 2], y[y < 2])
    assert_array_equal(weighted.classes_, [0, 1])
    assert_array_equal(weighted.decision_function(X), absent.decision_function(X))


@every_class
@every_sampling
def test_the_seed_settles_everything(make, sampling, blobs):
    X, y = blobs()
    model = make(sampling=sampling, random_state=4, n_estimators=5)
    first, second = (clone(model).fit(X, y) for _ in range(2))
    assert_array_equal(first.decision_function(X), second.decision_function(X))
    other = clone(model).set_params(sampling="resample", random_state=5).fit(X, y)
    assert abs(other.decision_function(X) - first.decision_function(X)).max() > 0


@every_class
def test_a_frame_keeps_its_names(make, blobs):
    X, y = blobs()
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = make(n_estimators=3, random_state=0).fit(frame, y)
    assert_array_equal(model.feature_names_in_, list("abcd"))
    assert model.n_features_in_ == 4
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        from_frame = model.decision_function(frame)
    assert_array_equal(
        from_frame, make(n_estimators=3, random_state=0).fit(X, y).decision_function(X)
    )
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[list("badc")])


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int16])
def test_members_see_floats_as_given(recorder, blobs, dtype):
    X, y = blobs()
    model = AdaBoostClassifier(recorder, n_estimators=1).fit(np.asfortranarray(X, dtype), y)
    seen = model.estimators_[0].seen_[0]
    assert seen.dtype == (np.float32 if dtype == np.float32 else np.float64)
    assert seen.flags.c_contiguous


@every_class
def test_polars_frames(make, blobs):
    X, y = blobs()
    frame = pl.DataFrame(X, schema=list("abcd"))
    model = make(n_estimators=3, random_state=0).fit(frame, pl.Series(y))
    # Whether polars names are known is up to scikit-learn's version.
    known = getattr(StandardScaler().fit(frame), "feature_names_in_", None)
    assert_array_equal(getattr(model, "feature_names_in_", None), known)
    expected = make(n_estimators=3, random_state=0).fit(X, y)
    assert_array_equal(model.decision_function(frame), expected.decision_function(X))


@every_class
@every_sampling
def test_sparse_rows_stay_sparse(make, sampling, blobs, monkeypatch):
    X, y = blobs()
    X = np.where(abs(X) > 0.7, X, 0.0)
    model = make(n_estimators=3, sampling=sampling, random_state=0)
    dense = clone(model).fit(X, y, np.arange(120) % 3)
    for container in (sparse.csr_array, sparse.csr_matrix):
        rows = container(X)

        def no(*_, **__):
            raise AssertionError("made dense")

        with monkeypatch.context() as patch:
            patch.setattr(container, "toarray", no)
            patch.setattr(container, "todense", no)
            fitted = clone(model).fit(rows, y, np.arange(120) % 3)
            scores = fitted.decision_function(rows)
        assert_allclose(scores, dense.decision_function(X), atol=1e-6)


@every_class
def test_missing_values_pass_where_members_take_them(make, blobs):
    X, y = blobs()
    X[::7, 1] = np.nan
    if make is AdaBoostClassifier:
        assert make(n_estimators=3).fit(X, y).score(X, y) > 0.6
    with pytest.raises(ValueError, match="NaN"):
        make(ParallelPerceptronClassifier()).fit(X, y)


@every_class
def test_memory_mapped_rows_in_two_processes(make, blobs, tmp_path):
    X, y = blobs()
    joblib.dump(X, tmp_path / "X")
    mapped = joblib.load(tmp_path / "X", mmap_mode="r")
    model = make(n_estimators=3, random_state=0)
    scores = cross_val_score(model, mapped, y, cv=3, n_jobs=2)
    assert_array_equal(scores, cross_val_score(model, X, y, cv=3))


GRIDS = {
    AdaBoostClassifier: {
        "estimator": [DecisionTreeClassifier()],
        "estimator__max_depth": [1, 2],
        "n_estimators": [2],
        "learning_rate": [0.5],
        "sampling": SAMPLINGS,
        "random_state": [0],
    },
    NoiseReducingBoostClassifier: {
        "estimator": [ParallelPerceptronClassifier(max_iter=20)],
        "estimator__margin": [0.01, 0.1],
        "n_estimators": [2],
        "sampling": SAMPLINGS,
        "two_stage": [False, True],
        "random_state": [0],
    },
}


@every_class
def test_a_grid_over_every_parameter(make, blobs):
    grid = GRIDS[make]
    assert {name for name in grid if "__" not in name} == set(make().get_params(deep=False))
    X, y = blobs()
    search = GridSearchCV(make(), grid, cv=2, scoring="roc_auc", error_score="raise").fit(X, y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


@every_class
@pytest.mark.parametrize(
    "scoring", ["accuracy", "balanced_accuracy", "roc_auc", "neg_log_loss", "f1", "neg_brier_score"]
)
def test_scorers_in_a_pipeline(make, scoring, blobs):
    pipeline = make_pipeline(StandardScaler(), make(n_estimators=3, random_state=0))
    scores = cross_val_score(pipeline, *blobs(), cv=3, scoring=scoring, error_score="raise")
    assert np.isfinite(scores).all()


@every_class
def test_weights_are_routed_through_a_pipeline(make, blobs):
    X, y = blobs()
    weights = np.random.default_rng(0).uniform(0.2, 3, 120)
    model = make(n_estimators=3, random_state=0)
    with sklearn.config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(StandardScaler(), clone(model).set_fit_request(sample_weight=True))
        pipeline[0].set_fit_request(sample_weight=False)
        pipeline.fit(X, y, sample_weight=weights)
    expected = model.fit(StandardScaler().fit_transform(X), y, weights)
    assert_array_equal(
        pipeline.decision_function(X), expected.decision_function(StandardScaler().fit_transform(X))
    )


def test_a_member_without_weights_is_drawn_for(blobs):
    """A pipeline takes no sample_weight, nor does a plain nearest-mean classifier."""

    class NearestMean(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.classes_ = np.unique(y)
            self.means_ = np.array([X[y == label].mean(axis=0) for label in self.classes_])
            return self

        def predict(self, X):
            distances = np.linalg.norm(X[:, None] - self.means_, axis=2)
            return self.classes_[distances.argmin(axis=1)]

    X, y = blobs()
    for member in (NearestMean(), make_pipeline(StandardScaler(), LogisticRegression())):
        model = AdaBoostClassifier(member, n_estimators=5, random_state=0).fit(X, y)
        assert len(np.unique(model.estimators_samples_[0])) < 120
        assert model.score(X, y) > 0.75
