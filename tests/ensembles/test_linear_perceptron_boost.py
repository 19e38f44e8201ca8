import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import normalize

from hardy.ensembles._base import BaseBoostClassifier
from hardy.ensembles.linear_perceptron_boost import LinearPerceptronBoostClassifier
from hardy.exceptions import InputError
from hardy.learners.linear_perceptron import LinearPerceptronClassifier
from hardy.noise import flip_labels

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore:.* left out of the training:UserWarning"),
]


def stories(n_classes=2, n=200, seed=0):
    """Sparse rows of length 1 and an overlap of the classes, like short texts."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = (rng.random((n, 150)) < 0.05).astype(float)
    for code in range(n_classes):
        own = slice(10 * code, 10 * code + 10)
        X[:, own] += (rng.random((n, 10)) < 0.25) * (y == code)[:, None]
    X[:, 149] += 0.1 + 0.01 * np.arange(n) / n  # No two rows are equal.
    return normalize(X), y


def contradicting():
    """Ten rows of the second class are copies of rows of the first."""
    X, y = stories()
    copies, originals = np.arange(1, 200, 20), np.arange(0, 200, 20)
    X[copies] = X[originals]
    return X, y, np.sort([*copies, *originals])


def test_contradictions_end_the_rounds_early_and_dropping_them_mends_it():
    X, y, contradictory = contradicting()
    keep = LinearPerceptronBoostClassifier(40, contradictions="keep", random_state=0)
    with pytest.warns(ConvergenceWarning, match=r"of 40 members were kept.*not below 0.5"):
        keep.fit(X, y)
    drop = LinearPerceptronBoostClassifier(40, random_state=0)
    with pytest.warns(UserWarning, match="^20 of 200 rows were left out.*contradictions='keep'"):
        drop.fit(X, y)
    assert len(keep.estimators_) < 40
    assert len(drop.estimators_) == 40
    for model in (keep, drop):
        assert_array_equal(model.contradictory_rows_, contradictory)
    assert not np.isin(np.concatenate(drop.estimators_samples_), contradictory).any()
    assert np.isin(np.concatenate(keep.estimators_samples_), contradictory).any()


def test_dropping_is_weight_zero():
    X, y, contradictory = contradicting()
    weights = np.ones(len(y))
    weights[contradictory] = 0
    drop = LinearPerceptronBoostClassifier(5, random_state=0).fit(X, y)
    absent = LinearPerceptronBoostClassifier(5, random_state=0).fit(X, y, weights)
    assert_array_equal(drop.decision_function(X), absent.decision_function(X))
    assert not absent.contradictory_rows_.size


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_matrix, sparse.csr_array])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_contradictory_rows_by_hand(make, dtype):
    rows = [[1, 0], [0, 1], [1, 0], [0.6, 0.8], [-0.0, 1], [0.6, 0.8], [1, 0], [0.8, 0.6], [0, 0]]
    y = list("aabbaabbb")
    X = make(np.array(rows, dtype=dtype))
    # Rows 0, 2 and 6 are equal, and 3 and 5; rows 1 and 4 are equal with the same label.
    model = LinearPerceptronBoostClassifier(2, random_state=0).fit(X, y)
    assert_array_equal(model.contradictory_rows_, [0, 2, 3, 5, 6])


def test_rows_of_weight_zero_contradict_nobody():
    X, y, contradictory = contradicting()
    weights = np.ones(len(y))
    weights[contradictory[:2]] = 0
    model = LinearPerceptronBoostClassifier(2, random_state=0).fit(X, y, weights)
    assert_array_equal(model.contradictory_rows_, contradictory[2:])


def test_nothing_but_contradictions_is_kept():
    X = np.repeat(np.eye(2), 4, axis=0)
    y = np.tile(["no", "yes"], 4)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = LinearPerceptronBoostClassifier(5, random_state=0).fit(X, y)
    assert_array_equal(model.contradictory_rows_, np.arange(8))
    assert np.isfinite(model.predict_proba(X)).all()


def test_a_class_that_would_vanish_keeps_its_rows():
    X = np.array([[1, 0], [1, 0], [0, 1], [0.6, 0.8]])
    y = ["a", "b", "a", "a"]
    with pytest.warns(UserWarning, match="1 of 4 rows were left out"):
        model = LinearPerceptronBoostClassifier(3, random_state=0).fit(X, y)
    assert_array_equal(model.contradictory_rows_, [0, 1])
    assert list(model.classes_) == ["a", "b"]
    assert 0 not in np.concatenate(model.estimators_samples_)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_hard_and_soft_votes_by_the_members_decisions(n_classes):
    X, y = stories(n_classes)
    new, _ = stories(n_classes, seed=1)
    hard = LinearPerceptronBoostClassifier(8, voting="hard", random_state=0).fit(X, y)
    soft = LinearPerceptronBoostClassifier(8, voting="soft", random_state=0).fit(X, y)
    assert_array_equal(hard.estimator_weights_, soft.estimator_weights_)
    alpha = soft.estimator_weights_
    assert len(alpha) == 8
    decisions = np.array([member.decision_function(new) for member in soft.estimators_])
    if n_classes == 2:
        votes = np.where(decisions > 0, 1.0, -1.0)
    else:
        votes = np.eye(3)[decisions.argmax(axis=2)]
    assert_allclose(soft.decision_function(new), np.tensordot(alpha, decisions, 1), atol=1e-9)
    assert_allclose(hard.decision_function(new), np.tensordot(alpha, votes, 1), atol=1e-9)
    assert not np.array_equal(hard.predict_proba(new), soft.predict_proba(new))


def test_coefficients_and_errors_are_adaboosts():
    X, y = stories()
    model = LinearPerceptronBoostClassifier(6, random_state=0).fit(X, y)
    distribution = np.full(len(y), 1 / len(y))
    for member, alpha, error in zip(
        model.estimators_, model.estimator_weights_, model.estimator_errors_, strict=True
    ):
        wrong = member.predict(X) != y
        assert error == pytest.approx(distribution[wrong].sum())
        assert alpha == pytest.approx(0.5 * np.log((1 - error) / error))
        distribution *= np.exp(np.where(wrong, alpha, -alpha))
        distribution /= distribution.sum()


def test_settings_reach_the_members():
    X, y = stories()
    settings = {
        "learning_rate": 0.1,
        "momentum": 0.25,
        "max_iter": 3,
        "tol": 0.0,
        "bias_scale": 0.01,
    }
    model = LinearPerceptronBoostClassifier(2, random_state=0, **settings).fit(X, y)
    for member in model.estimators_:
        assert isinstance(member, LinearPerceptronClassifier)
        assert {name: member.get_params()[name] for name in settings} == settings
    assert model.n_iter_ == 3


@pytest.mark.parametrize("sampling", ["resample", "reweight"])
def test_how_members_see_the_distribution(sampling):
    X, y = stories()
    model = LinearPerceptronBoostClassifier(3, sampling=sampling, random_state=0).fit(X, y)
    n_distinct = [len(np.unique(rows)) for rows in model.estimators_samples_]
    assert all((n == len(y)) == (sampling == "reweight") for n in n_distinct)
    assert LinearPerceptronBoostClassifier().sampling == "resample"


def test_sparse_rows_are_dense_ones():
    X, y = stories()
    dense = LinearPerceptronBoostClassifier(5, random_state=0).fit(X, y)
    other = LinearPerceptronBoostClassifier(5, random_state=0).fit(sparse.csr_matrix(X), y)
    assert_allclose(other.decision_function(sparse.csr_matrix(X)), dense.decision_function(X))


def flipped(seed=0):
    """A rare class of which a third is labelled as the other."""
    rng = np.random.default_rng(seed)
    X, y = stories(n=600, seed=seed)
    rows = np.concatenate([np.flatnonzero(y == 0), np.flatnonzero(y == 1)[:90]])
    X, y = X[rows], y[rows]
    hidden = rng.choice(np.flatnonzero(y == 1), 30, replace=False)
    y_noisy = y.copy()
    y_noisy[hidden] = 0
    return X, y, y_noisy, hidden


def test_relabelling_recovers_most_of_the_flipped_positives_and_helps():
    X, _, y_noisy, hidden = flipped()
    settings = {"n_estimators": 20, "random_state": 0}
    plain = LinearPerceptronBoostClassifier(**settings).fit(X, y_noisy)
    model = LinearPerceptronBoostClassifier(relabel_positives=True, **settings).fit(X, y_noisy)
    found = model.relabelled_rows_
    assert np.isin(hidden, found).sum() >= 18
    assert np.isin(found, hidden).mean() > 0.7
    assert (model.predict(X) == 1)[hidden].sum() > (plain.predict(X) == 1)[hidden].sum() + 10
    assert not plain.relabelled_rows_.size


def test_relabelling_is_training_on_the_relabelled():
    X, _, y_noisy, _ = flipped()
    settings = {"n_estimators": 3, "sampling": "reweight"}
    rng = np.random.RandomState(0)
    model = LinearPerceptronBoostClassifier(relabel_positives=True, random_state=rng, **settings)
    model.fit(X, y_noisy)
    relabelled = y_noisy.copy()
    relabelled[model.relabelled_rows_] = 1
    rng = np.random.RandomState(0)
    rng.set_state(_after_the_folds(X, y_noisy))
    again = LinearPerceptronBoostClassifier(random_state=rng, **settings).fit(X, relabelled)
    assert_array_equal(again.decision_function(X), model.decision_function(X))


def _after_the_folds(X, y):
    rng = np.random.RandomState(0)
    list(StratifiedKFold(5, shuffle=True, random_state=rng).split(X, y))
    return rng.get_state()


def test_the_positive_class_is_the_rarest_unless_named():
    X, _, y_noisy, _ = flipped()
    labels = np.array(["rest", "topic"])[y_noisy]
    by_default = LinearPerceptronBoostClassifier(1, relabel_positives=True, random_state=0)
    found = by_default.fit(X, labels).relabelled_rows_
    assert set(labels[found]) == {"rest"}
    named = LinearPerceptronBoostClassifier(
        1, relabel_positives=True, pos_label="rest", random_state=0
    )
    assert set(labels[named.fit(X, labels).relabelled_rows_]) == {"topic"}
    # By weight, the other class is the rare one.
    weights = np.where(labels == "topic", 100.0, 1.0)
    assert set(labels[by_default.fit(X, labels, weights).relabelled_rows_]) == {"topic"}


def test_an_unknown_positive_class_is_refused():
    X, y = stories()
    model = LinearPerceptronBoostClassifier(1, relabel_positives=True, pos_label="oil")
    with pytest.raises(InputError, match=r"pos_label='oil' is none of the labels \[0, 1\]"):
        model.fit(X, y)


@pytest.mark.parametrize("n_positive", [1, 2, 3])
def test_relabelling_with_hardly_any_positives(n_positive):
    X, y = stories()
    y = np.where(np.arange(len(y)) < 2 * n_positive, y, 0)
    model = LinearPerceptronBoostClassifier(3, relabel_positives=True, random_state=0).fit(X, y)
    assert_array_equal(model.classes_, [0, 1])
    assert n_positive > 1 or not model.relabelled_rows_.size


def test_relabelling_never_empties_a_class():
    # Nothing tells the classes apart, so that every row reaches the positives' mean.
    X = np.ones((12, 2))
    y = np.repeat([0, 1, 2], 4)
    model = LinearPerceptronBoostClassifier(3, relabel_positives=True, random_state=0).fit(X, y)
    assert_array_equal(model.classes_, [0, 1, 2])
    assert np.isfinite(model.predict_proba(X)).all()


def test_rows_are_numbered_among_those_given():
    X, y, y_noisy, hidden = flipped()
    weights = np.ones(len(y))
    weights[:50] = 0
    model = LinearPerceptronBoostClassifier(1, relabel_positives=True, random_state=0)
    found = model.fit(X, y_noisy, weights).relabelled_rows_
    assert found.min() >= 50
    assert np.isin(found, hidden).mean() > 0.7


def test_long_rows_are_warned_of_once():
    X, y = stories()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = LinearPerceptronBoostClassifier(n_estimators=4, random_state=0).fit(3 * X, y)
    told = [str(w.message) for w in caught if "learning rate" in str(w.message)]
    assert len(told) == 1
    lowest = min(member.learning_rate_ for member in model.estimators_)
    assert f"to as little as {lowest:.2g}" in told[0]
    assert not any("learning_rate_)" in str(w.message) for w in caught)


@pytest.mark.parametrize("voting", ["hard", "soft"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("make", [np.asarray, sparse.csr_matrix])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_members_asked_together_say_what_each_says(monkeypatch, make, n_classes, voting):
    X = np.random.default_rng(0).normal(size=(600, 30))
    y = np.digitize(X[:, 0] + X[:, 1], np.arange(n_classes - 1))
    y, _ = flip_labels(y, 0.05, random_state=0)
    X = make(normalize(X))
    model = LinearPerceptronBoostClassifier(25, voting=voting, random_state=0).fit(X, y)
    assert len(model.estimators_) > 3
    each = list(BaseBoostClassifier._terms(model, X))
    together = list(model._terms(X))
    assert_allclose(together, each, atol=1e-11)
    # Few rows at a time, and few members at a time, change nothing.
    monkeypatch.setattr("hardy.ensembles._linear_perceptrons._BLOCK", 100)
    assert_array_equal(list(model._terms(X)), together)
    assert_array_equal([term[0] for term in model._terms(X[:1])], [t[0, ...] for t in together])


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_prediction_calls_no_member(blobs, monkeypatch):
    X, y = blobs(3)
    model = LinearPerceptronBoostClassifier(10, random_state=0).fit(normalize(X), y)
    monkeypatch.delattr("hardy.learners.LinearPerceptronClassifier.decision_function")
    assert len(model.predict(X)) == len(X)
