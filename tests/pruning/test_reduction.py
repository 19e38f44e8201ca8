"""The loop, by a learner whose activations are given, and by a twin written from the paper."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin

from hardy.learners import ParallelPerceptronClassifier
from hardy.learners.row_category import categorize_activations
from hardy.pruning._reduction import reduce_training_set


class Scripted(ClassifierMixin, BaseEstimator):
    """Its activations are those of a script: column 0 of X says the row, one page a training."""

    def __init__(self, script=(), margin=0.5, warm_start=False):
        self.script = script
        self.margin = margin
        self.warm_start = warm_start

    def fit(self, X, y, sample_weight=None):
        self.n_trainings_ = getattr(self, "n_trainings_", 0) + 1
        self.seen_ = [*getattr(self, "seen_", []), X[:, 0].astype(int).tolist()]
        self.classes_ = np.array([0, 1])
        return self

    def activations(self, X):
        page = np.array(self.script[self.n_trainings_ - 1], dtype=float)
        return page[X[:, 0].astype(int)][:, None, :]

    def categorize(self, X, y, rule):
        return categorize_activations(self.activations(X), np.array([self.margin]), y, rule)

    def predict(self, X):
        return (np.median(self.activations(X)[:, 0], axis=1) > 0).astype(int)


#          redundant      noisy           right, near    wrong, near    right        wrong, far+near
NEGATIVE = [[-1, -1, -1], [1, 1, 1], [-1, -0.1, -1], [0.1, 1, 0.2], [-0.1, 0.2, -1], [1, 0.2, 1]]
POSITIVE = [[1, 1, 2], [0.4, 0.2, 1], [-0.1, -0.2, -0.3]]


def _run(script, n_negative=6, n_positive=3, **options):
    X = np.arange(float(n_negative + n_positive))[:, None]
    is_positive = np.arange(len(X)) >= n_negative
    settings = {"weights": np.ones(len(X)), "drop_noisy_borderline": True, **options}
    return reduce_training_set(Scripted(script), X, is_positive, **settings)


@pytest.mark.parametrize(
    ("drop_noisy_borderline", "left"),
    [
        # Rows 3 and 5 are negative, borderline and wrong for all three units.
        (True, [2, 4, 7, 8]),
        (False, [2, 3, 4, 5, 7, 8]),
    ],
)
def test_what_is_removed_by_hand(drop_noisy_borderline, left):
    page = NEGATIVE + POSITIVE
    reduction = _run([page, page, page], drop_noisy_borderline=drop_noisy_borderline)
    assert reduction.learner.seen_ == [list(range(9)), left]
    assert_array_equal(np.flatnonzero(reduction.kept), left)
    # Of six negatives rows 0, 2, 4 are right, of three positives rows 6 and 7.
    first = reduction.rounds[0]
    assert (first.negative_accuracy, first.positive_accuracy) == (0.5, pytest.approx(2 / 3))
    assert first.geometric_mean == pytest.approx(np.sqrt(1 / 3))


def test_a_reduction_that_makes_it_worse_is_not_accepted():
    good = NEGATIVE + POSITIVE
    worse = NEGATIVE[:4] + [[1, 1, 1]] * 2 + POSITIVE  # One more negative wrong.
    reduction = _run([good, worse])
    assert len(reduction.rounds) == 1
    assert reduction.kept.all()
    assert reduction.learner.n_trainings_ == 1
    fewer_found = NEGATIVE[:1] * 6 + [[1, 1, 1]] + [[-1, -1, -1]] * 2  # g rises, a⁺ falls.
    assert len(_run([good, fewer_found]).rounds) == 1


def test_it_ends_where_one_class_would_be_left():
    page = [[-1, -1, -1]] * 6 + POSITIVE
    reduction = _run([page])
    assert reduction.kept.all()
    assert len(reduction.rounds) == 1


def test_weights_count_in_the_accuracies():
    page = NEGATIVE + POSITIVE
    weights = np.array([1, 1, 1, 1, 1, 1, 2, 1, 1.0])
    first = _run([page, page, page], weights=weights).rounds[0]
    assert first.positive_accuracy == 0.75


def _paper(X, is_positive, learner):
    """The pseudocode, with accuracies on the original training set."""
    y = is_positive.astype(int)
    rows = np.arange(len(y))
    learner.set_params(warm_start=True).fit(X, y)
    best = None
    while True:
        predicted = learner.predict(X)
        a_plus = np.mean(predicted[is_positive] == 1)
        g = np.sqrt(a_plus * np.mean(predicted[~is_positive] == 0))
        if best is not None and (g < best[0] or a_plus < best[1]):
            return best
        weights = learner.coef_.copy()
        kept = []
        signs = np.where(is_positive, 1, -1)
        for row in rows:
            units = learner.coef_[0] @ X[row] + learner.intercept_[0]
            signed = signs[row] * units
            redundant = (signed > learner.margin_[0]).all()
            noisy = (signed < -learner.margin_[0]).all()
            wrong_negative = not is_positive[row] and (signed <= 0).all()
            if not (redundant or noisy or wrong_negative):
                kept.append(row)
        best = g, a_plus, rows, weights
        kept = np.array(kept, dtype=int)
        if len(kept) == len(rows) or len(set(y[kept])) < 2:
            return best
        rows = kept
        learner.fit(X[rows], y[rows])


@pytest.mark.parametrize("seed", range(8))
def test_it_is_the_papers_loop(seed):
    rng = np.random.default_rng(seed)
    is_positive = np.arange(200) % 8 == 0
    X = rng.normal(size=(200, 3)) + 1.2 * is_positive[:, None]
    learner = ParallelPerceptronClassifier(learning_rate=0.01, max_iter=60, random_state=seed)
    reduction = reduce_training_set(learner, X, is_positive, np.ones(200), True)
    g, a_plus, rows, weights = _paper(X, is_positive, learner)
    assert_array_equal(np.flatnonzero(reduction.kept), rows)
    assert_array_equal(reduction.learner.coef_, weights)
    last = reduction.rounds[-1]
    assert (last.geometric_mean, last.positive_accuracy) == pytest.approx((g, a_plus))
    assert (last.n_positive, last.n_negative) == (
        is_positive[rows].sum(),
        (~is_positive[rows]).sum(),
    )
