import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from hardy.ensembles import AdaBoostClassifier
from hardy.ensembles.edited import EditedBoostClassifier
from hardy.exceptions import InputError
from hardy.learners.decision_stump import DecisionStumpClassifier
from hardy.noise import flip_labels
from hardy.weighting import TrainingSet
from hardy.weighting.edited import find_contradicted


@pytest.mark.parametrize("n_classes", [2, 3])
def test_without_contradiction_it_is_adaboost(n_classes):
    rng = np.random.default_rng(0)
    group = np.arange(100) % 5
    X, y = np.c_[10.0 * group + rng.uniform(size=100), 0.01 * group], group % n_classes
    model = EditedBoostClassifier(n_estimators=12).fit(X, y)
    assert model.edited_rows_.size == 0
    adaboost = AdaBoostClassifier(DecisionStumpClassifier(), n_estimators=12).fit(X, y)
    assert len(adaboost.estimators_) == 12
    assert_array_equal(model.decision_function(X), adaboost.decision_function(X))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_it_is_adaboost_of_the_rows_that_are_left(blobs, n_classes):
    X, y = blobs(n_classes)
    labels, weights = np.array(["a", "b", "c"])[y], np.ones(len(y))
    weights[::7] = 0
    rows = np.flatnonzero(weights)
    out = find_contradicted(StandardScaler().fit_transform(X[rows]), y[rows], np.ones(len(rows)), 3)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    settings = {"n_estimators": 10, "random_state": 0}
    model = EditedBoostClassifier(tree, n_neighbors=3, **settings).fit(X, labels, weights)
    assert_array_equal(model.edited_rows_, rows[out])
    assert 5 < out.sum() < len(rows) / 2
    kept = rows[~out]
    adaboost = AdaBoostClassifier(tree, **settings).fit(X[kept], labels[kept])
    assert_allclose(model.decision_function(X), adaboost.decision_function(X), atol=1e-9)
    for samples in model.estimators_samples_:
        assert_array_equal(samples, kept)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_distance_of_votes_is_that_of_the_members_that_differ(blobs, n_classes):
    X, y = blobs(n_classes)
    settings = {"n_estimators": 8, "random_state": 0}
    model = EditedBoostClassifier(space="votes", **settings).fit(X, y)
    first = AdaBoostClassifier(DecisionStumpClassifier(), **settings).fit(X, y)
    said = np.array([member.predict(X) for member in first.estimators_])
    differ = said[:, :, None] != said[:, None, :]
    expected = np.sqrt(np.tensordot(first.estimator_weights_, differ, axes=1))
    rows = np.arange(len(y))
    points = model._votes(TrainingSet(X, y, n_classes, np.ones(len(y)), rows, None))
    assert_allclose(cdist(points, points), expected, atol=1e-9)
    assert_array_equal(
        model.edited_rows_, np.flatnonzero(find_contradicted(points, y, np.ones(len(y)), 5))
    )
    assert model.edited_rows_.size > 5


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_rows_that_all_members_place_alike_are_judged_by_each_other():
    training_rows = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] * 6)
    y = np.array([0, 0, 1, 1] * 5 + [0, 1, 0, 1])
    model = EditedBoostClassifier(n_estimators=3, space="votes").fit(training_rows, y)
    # Five of six rows of each cell are of one mind; the odd ones are those of the last four.
    assert_array_equal(model.edited_rows_, [21, 22])


def test_flipped_rows_hurt_less_than_in_adaboost(twonorm):
    X_test, y_test = twonorm(1000, seed=99)
    scores = []
    for seed in range(3):
        X, y = twonorm(200, seed)
        y, is_flipped = flip_labels(y, 0.2, exact=True, random_state=seed)
        tree = DecisionTreeClassifier(max_depth=3, random_state=0)
        models = EditedBoostClassifier(tree), AdaBoostClassifier(tree)
        scores.append(
            [m.set_params(random_state=0).fit(X, y).score(X_test, y_test) for m in models]
        )
        assert is_flipped[models[0].edited_rows_].mean() > 2 * 0.2
    edited, plain = np.mean(scores, axis=0)
    assert edited > plain + 0.05


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("space", ["columns", "votes"])
def test_a_class_never_loses_all_its_rows(space):
    X, y = np.arange(12.0)[:, None], np.array([0] * 6 + [1] + [0] * 5)
    model = EditedBoostClassifier(n_estimators=5, space=space).fit(X, y)
    assert 6 not in model.edited_rows_
    assert_array_equal(model.classes_, [0, 1])


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("space", ["columns", "votes"])
def test_odd_tables_do_no_harm(space):
    ramp = np.arange(12.0)[:, None]
    tables = {
        "few rows": (ramp[:3], [0, 1, 1]),
        "two rows": (ramp[:2], [0, 1]),
        "duplicates": (np.repeat(ramp[:2], 6, axis=0), [0, 0, 1, 1, 0, 1] * 2),
        "constant columns": (np.zeros((12, 2)), [0, 1, 1] * 4),
        "pure noise": (ramp, np.random.default_rng(0).integers(0, 3, 12)),
    }
    for name, (X, y) in tables.items():
        model = EditedBoostClassifier(n_estimators=5, space=space).fit(X, y)
        assert np.isfinite(model.predict_proba(X)).all(), name
        assert set(np.delete(y, model.edited_rows_)) == set(y), name


def test_sparse_rows_are_as_dense_ones(blobs):
    X, y = blobs()
    X[np.random.default_rng(0).random(X.shape) < 0.5] = 0
    dense = EditedBoostClassifier(n_estimators=10).fit(X, y)
    thin = EditedBoostClassifier(n_estimators=10).fit(sparse.csr_array(X), y)
    assert_array_equal(thin.edited_rows_, dense.edited_rows_)
    assert_allclose(thin.decision_function(sparse.csr_array(X)), dense.decision_function(X))


def test_a_useless_first_member_gives_the_classes_shares(by_rule):
    X, y = np.zeros((10, 1)), np.repeat([3, 8], [4, 6])
    with pytest.warns(ConvergenceWarning, match="0 of 50"):
        model = EditedBoostClassifier(by_rule(lambda X: np.full(len(X), 3))).fit(X, y)
    assert_allclose(model.predict_proba(X), [[0.4, 0.6]] * 10)


def test_a_missing_value_is_named(blobs):
    X, y = blobs()
    X[3, 2] = np.nan
    with pytest.raises(InputError, match="column 2, row 3"):
        EditedBoostClassifier().fit(X, y)


@pytest.mark.parametrize("weight", [0.3, 1 / 120, 1.0])
def test_equal_weights_below_1_are_no_weights(blobs, weight):
    X, y = blobs()
    y, _ = flip_labels(y, 0.2, random_state=0)
    plain = EditedBoostClassifier(n_estimators=5).fit(X, y)
    weighted = EditedBoostClassifier(n_estimators=5).fit(X, y, np.full(120, weight))
    assert len(plain.edited_rows_) > 5
    assert_array_equal(weighted.edited_rows_, plain.edited_rows_)


def test_edited_rows_of_small_integers_dont_depend_on_the_precision():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 5, (300, 6)).astype(np.float64), rng.integers(0, 2, 300)
    double, single = (
        EditedBoostClassifier(n_estimators=2).fit(rows, y).edited_rows_
        for rows in (X, X.astype(np.float32))
    )
    assert_array_equal(single, double)
