import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning
from sklearn.tree import DecisionTreeClassifier

from hardy.ensembles import AdaBoostClassifier
from hardy.ensembles.noise_detecting import NoiseDetectingBoostClassifier
from hardy.exceptions import InputError
from hardy.hardness import k_disagreeing_neighbors
from hardy.learners.decision_stump import DecisionStumpClassifier
from hardy.noise import flip_labels


@pytest.mark.parametrize("flip", ["mistakes", "all"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_without_noisy_rows_it_is_adaboost(flip, n_classes):
    rng = np.random.default_rng(0)
    group = np.arange(100) % 5
    X, y = np.c_[10.0 * group + rng.uniform(size=100), 1.0 * group], group % n_classes
    model = NoiseDetectingBoostClassifier(n_estimators=12, flip=flip).fit(X, y)
    assert_array_equal(model.noise_votes_, 0)
    adaboost = AdaBoostClassifier(DecisionStumpClassifier(), n_estimators=12).fit(X, y)
    assert len(adaboost.estimators_) == 12
    assert_array_equal(model.decision_function(X), adaboost.decision_function(X))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("n_classes", [2, 3])
def test_rounds_and_votes_by_brute_force(recorder, blobs, n_classes):
    X, y = blobs(n_classes)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    noisy = k_disagreeing_neighbors(X, y, 5) > 0.5
    model = NoiseDetectingBoostClassifier(recorder, n_estimators=5).fit(X, y)
    distribution, votes = np.full(len(y), 1 / len(y)), []
    for number, member in enumerate(model.estimators_):
        seen = member.seen_[2]
        assert_allclose(seen / seen.sum(), distribution, rtol=1e-5)
        wrong = member.predict(X) != y
        votes.append(wrong & noisy)
        error = distribution[wrong & ~noisy].sum()
        assert_allclose(model.estimator_errors_[number], error, rtol=1e-5)
        # In the other form: mistakes times (1 − ε)/ε, for K classes times K − 1 as well.
        grow = (1 - error) / error * (n_classes - 1)
        distribution = distribution * np.where(wrong & ~noisy, grow, 1)
        distribution /= distribution.sum()
    assert_allclose(model.noise_votes_, np.mean(votes, axis=0))
    assert 0 < model.noise_votes_[noisy].mean() <= 1


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_with_all_flipped_every_noisy_row_has_all_votes(blobs):
    X, y = blobs()
    weights = np.ones(len(y))
    weights[:20] = 0
    model = NoiseDetectingBoostClassifier(n_estimators=5, flip="all").fit(X, y, weights)
    assert np.isnan(model.noise_votes_[:20]).all()
    assert np.isnan(model.hardness_[:20]).all()
    assert_array_equal(model.noise_votes_[20:], model.hardness_[20:] > 0.5)


def test_a_label_that_only_absent_rows_have_is_no_trouble(blobs):
    X, y = blobs()
    labels = np.array(["a", "b"], dtype=object)[y]
    labels[:5] = "z"
    weights = np.ones(len(y))
    weights[:5] = 0
    model = NoiseDetectingBoostClassifier(n_estimators=3).fit(X, labels, weights)
    assert_array_equal(model.classes_, ["a", "b"])
    assert np.isnan(model.noise_votes_[:5]).all()


def test_flipped_rows_hurt_less_than_in_adaboost(twonorm):
    X_test, y_test = twonorm(1000, seed=99)
    scores, found = [], []
    for seed in range(3):
        X, y = twonorm(200, seed)
        y, is_flipped = flip_labels(y, 0.2, exact=True, random_state=seed)
        tree = DecisionTreeClassifier(max_depth=3, random_state=0)
        models = NoiseDetectingBoostClassifier(tree), AdaBoostClassifier(tree)
        scores.append(
            [m.set_params(random_state=0).fit(X, y).score(X_test, y_test) for m in models]
        )
        votes = models[0].noise_votes_
        found.append([votes[is_flipped].mean(), votes[~is_flipped].mean()])
    detecting, plain = np.mean(scores, axis=0)
    assert detecting > plain + 0.05
    flipped, right = np.mean(found, axis=0)
    assert flipped > 5 * right


def test_a_useless_member_with_noisy_mistakes_only_is_dropped(by_rule):
    # All rows are equal, so that the first ones are everybody's neighbours.
    X, y = np.zeros((8, 2)), np.repeat([0, 1], 4)
    with pytest.warns(ConvergenceWarning, match="0 of 50 .* round 1: its weighted error"):
        model = NoiseDetectingBoostClassifier(by_rule(lambda X: np.zeros(len(X), int))).fit(X, y)
    assert (model.hardness_[4:] > 0.5).all()
    assert_allclose(model.predict_proba(X), 0.5)


def test_a_perfect_first_member_stands_alone():
    X, y = np.arange(10.0)[:, None], np.repeat(["no", "yes"], 5)
    with pytest.warns(ConvergenceWarning, match="1 of 50 .* round 1: no training row was wrong"):
        model = NoiseDetectingBoostClassifier().fit(X, y)
    assert_array_equal(model.predict(X), y)
    assert_array_equal(model.noise_votes_, 0)


def test_a_missing_value_is_named(blobs):
    X, y = blobs()
    X[3, 2] = np.nan
    with pytest.raises(InputError, match="column 2, row 3"):
        NoiseDetectingBoostClassifier().fit(X, y)


def test_the_reason_to_stop_is_true():
    """All mistakes are on rows whose neighbours are of the other class."""
    X, y = np.ones((40, 2)), np.repeat([0, 1], [30, 10])
    with pytest.warns(ConvergenceWarning, match="wrong but those whose label counts as flipped"):
        NoiseDetectingBoostClassifier().fit(X, y)
