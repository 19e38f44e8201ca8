import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags

from hardy.ensembles import AdaBoostClassifier
from hardy.ensembles.hardness_boost import HardnessBoostClassifier
from hardy.exceptions import InputError
from hardy.hardness import MEASURES, k_disagreeing_neighbors
from hardy.learners.decision_stump import DecisionStumpClassifier
from hardy.noise import flip_labels


@pytest.mark.parametrize("n_classes", [2, 3])
def test_without_hardness_it_is_adaboost(blobs, n_classes):
    X, y = blobs(n_classes)
    model = HardnessBoostClassifier(n_estimators=15, hardness=np.zeros(len(y))).fit(X, y)
    adaboost = AdaBoostClassifier(DecisionStumpClassifier(), n_estimators=15).fit(X, y)
    assert_array_equal(model.decision_function(X), adaboost.decision_function(X))


def test_the_exponent_is_scaled(recorder, blobs):
    X, y = blobs()
    hardness = np.random.default_rng(0).random(len(y))
    model = HardnessBoostClassifier(recorder, n_estimators=3, hardness=hardness).fit(X, y)
    expected = np.full(len(y), 1 / len(y))
    for member, alpha in zip(model.estimators_, model.estimator_weights_, strict=True):
        assert_allclose(member.seen_[2] / len(y), expected, rtol=1e-6)
        agreement = np.where(member.predict(X) == y, 1, -1)
        expected = expected * np.exp(-alpha * (1 - hardness) * agreement)
        expected /= expected.sum()


def test_hardness_is_kdn_of_standardised_columns_by_default(blobs):
    X, y = blobs(3)
    X = X * [1, 100, 0.01, 1]
    weights = np.ones(len(y))
    weights[:10] = 0
    model = HardnessBoostClassifier(n_estimators=2, n_neighbors=4).fit(X, y, weights)
    expected = k_disagreeing_neighbors(StandardScaler().fit_transform(X[10:]), y[10:], 4)
    assert_array_equal(model.hardness_, np.r_[np.full(10, np.nan), expected])


def test_hard_flipped_rows_hurt_less_than_in_adaboost(twonorm):
    X_test, y_test = twonorm(1000, seed=99)
    scores = []
    for seed in range(3):
        X, y = twonorm(200, seed)
        y, _ = flip_labels(y, 0.2, exact=True, random_state=seed)
        tree = DecisionTreeClassifier(max_depth=3, random_state=0)
        models = (
            HardnessBoostClassifier(tree, n_neighbors=15, mitigate="mistakes"),
            AdaBoostClassifier(tree),
        )
        scores.append(
            [m.set_params(random_state=0).fit(X, y).score(X_test, y_test) for m in models]
        )
    hardness, plain = np.mean(scores, axis=0)
    assert hardness > plain + 0.02


def test_given_hardness_is_checked(blobs):
    X, y = blobs(n_samples=20)
    with pytest.raises(InputError, match=r"shape \(19,\), but X has 20 rows"):
        HardnessBoostClassifier(hardness=np.zeros(19)).fit(X, y)
    values = np.zeros(20)
    for bad in (1.5, -0.1, np.nan):
        values[7] = bad
        with pytest.raises(InputError, match=f"{bad} for row 7; it must be in"):
            HardnessBoostClassifier(hardness=values).fit(X, y)


def test_missing_values_pass_where_hardness_is_given(blobs):
    X, y = blobs(n_samples=40)
    X[3, 2] = np.nan
    with pytest.raises(
        ValueError, match=r"NaN: column 2, row 3.* measure of hardness 'kdn' takes no"
    ):
        HardnessBoostClassifier().fit(X, y)
    given = HardnessBoostClassifier(n_estimators=3, hardness=[0.5] * 40)
    assert get_tags(given).input_tags.allow_nan
    assert np.isfinite(given.fit(X, y).predict_proba(X)).all()


@pytest.mark.parametrize("measure", ["mv", "cb"])
def test_missing_values_pass_where_a_measure_looks_at_labels_only(blobs, measure):
    X, y = blobs(n_samples=40)
    X[::9, 2], X[:, 1] = np.nan, np.nan
    model = HardnessBoostClassifier(n_estimators=3, hardness=measure)
    assert get_tags(model).input_tags.allow_nan
    assert_allclose(model.fit(X, y).hardness_, MEASURES[measure](X, y))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_rows_that_are_all_hard_keep_their_weights(blobs):
    X, y = blobs(n_samples=40)
    model = HardnessBoostClassifier(n_estimators=3, hardness=np.ones(40)).fit(X, y)
    assert len({(m.feature_, m.threshold_) for m in model.estimators_}) == 1
    assert np.ptp(model.estimator_errors_) < 1e-9
