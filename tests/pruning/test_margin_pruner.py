import numpy as np
import pytest
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
    with pytest.raises(InputError, match=r"pos_label=array\(\[0, 1\]\) is none of the labels"):
        MarginPruner(pos_label=np.array([0, 1])).fit_resample(X, y)


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


def test_a_learner_without_margins_is_refused(rare):
    with pytest.raises(InputError, match=r"MarginPruner needs .* LogisticRegression lacks categ"):
        MarginPruner(LogisticRegression()).fit_resample(*rare)
    learner = ParallelPerceptronClassifier(max_iter=20, random_state=0)
    MarginPruner(learner).fit_resample(*rare)
    assert not hasattr(learner, "coef_")
    assert clone(learner).get_params()["warm_start"] is False


@pytest.mark.parametrize("seed", range(5))
def test_every_class_keeps_rows_beside_a_named_one(seed):
    X, y = make_classification(
        300, 8, n_informative=5, n_classes=4, weights=[0.6, 0.2, 0.1], flip_y=0.1,
        random_state=seed,
    )  # fmt: skip
    sampler = MarginPruner(pos_label=1, random_state=seed)
    _, y_kept = sampler.fit_resample(StandardScaler().fit_transform(X), y)
    assert set(y_kept) == {0, 1, 2, 3}
    assert len(y_kept) < 300 or len(sampler.rounds_) == 1
