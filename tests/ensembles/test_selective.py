import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags

from hardy.ensembles import AdaBoostClassifier
from hardy.ensembles._error_correction import CleanNeighbors, correction_helps
from hardy.ensembles.selective import SelectiveBoostClassifier
from hardy.exceptions import InputError
from hardy.learners.decision_stump import DecisionStumpClassifier
from hardy.noise import flip_labels
from hardy.weighting import TrainingSet
from hardy.weighting.selective import noise_degrees

BOTH_WAYS = [
    {},
    {"accumulation": "margin"},
    {"accumulation": "printed", "mitigate": "all", "noise_degree": "plain"},
]


@pytest.fixture
def clusters():
    """Well separated groups in a row, of alternating classes: neighbours know, stumps don't."""

    def make(n_groups=5, n_each=20, n_classes=2):
        rng = np.random.default_rng(0)
        group = np.arange(n_groups * n_each) % n_groups
        X = np.c_[10.0 * group + rng.uniform(size=len(group)), 1.0 * group]
        return X, group % n_classes

    return make


@pytest.mark.parametrize("settings", BOTH_WAYS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_without_noisy_rows_it_is_adaboost(clusters, n_classes, settings):
    X, y = clusters(n_classes=n_classes)
    stump = DecisionStumpClassifier()
    model = SelectiveBoostClassifier(n_estimators=12, **settings).fit(X, y)
    assert_array_equal(model.noise_degrees_, 0)
    adaboost = AdaBoostClassifier(stump, n_estimators=12).fit(X, y)
    assert len(adaboost.estimators_) == 12
    assert_array_equal(model.decision_function(X), adaboost.decision_function(X))


def test_defaults():
    model = SelectiveBoostClassifier()
    assert model.get_params() == {
        "accumulation": "weight",
        "error_correction": False,
        "estimator": None,
        "learning_rate": 1.0,
        "mitigate": "mistakes",
        "n_estimators": 100,
        "n_neighbors": 5,
        "noise_degree": "class_relative",
        "random_state": None,
        "sampling": "reweight",
    }
    X, y = np.arange(6.0)[:, None], [0, 1, 0, 1, 1, 0]
    assert isinstance(
        model.set_params(n_estimators=1).fit(X, y).estimator_, DecisionStumpClassifier
    )


@pytest.mark.parametrize("kind", ["class_relative", "plain"])
def test_noise_degrees_are_those_of_the_rows_of_positive_weight(blobs, kind):
    X, y = blobs(3)
    weights = np.ones(len(y))
    weights[::4] = 0
    model = SelectiveBoostClassifier(n_estimators=3, n_neighbors=7, noise_degree=kind)
    model.fit(X, np.array(["a", "b", "c"])[y], weights)
    rows = np.flatnonzero(weights)
    training = TrainingSet(X[rows], y[rows], 3, np.ones(len(rows)), rows, None)
    assert_array_equal(model.noise_degrees_[rows], noise_degrees(training, 7, kind))
    assert np.isnan(model.noise_degrees_[::4]).all()


def test_settings_reach_the_rule(blobs):
    X, y = blobs()
    fitted = [
        SelectiveBoostClassifier(n_estimators=10, **settings).fit(X, y).decision_function(X)
        for settings in (
            *BOTH_WAYS,
            {"mitigate": "all"},
            {"noise_degree": "plain"},
            {"n_neighbors": 2},
            {"learning_rate": 0.5},
        )
    ]
    for i, one in enumerate(fitted):
        for other in fitted[:i]:
            assert abs(one - other).max() > 1e-6


def test_flipped_rows_hurt_less_than_in_adaboost(twonorm):
    X_test, y_test = twonorm(1000, seed=99)
    scores = []
    for seed in range(3):
        X, y = twonorm(200, seed)
        y, _ = flip_labels(y, 0.2, exact=True, random_state=seed)
        tree = DecisionTreeClassifier(max_depth=3, random_state=0)
        selective = SelectiveBoostClassifier(tree, n_estimators=30, n_neighbors=15, random_state=0)
        plain = AdaBoostClassifier(tree, n_estimators=30, random_state=0)
        scores.append([m.fit(X, y).score(X_test, y_test) for m in (selective, plain)])
    selective, plain = np.mean(scores, axis=0)
    assert selective > plain + 0.02


def test_sparse_rows_are_as_dense_ones(blobs):
    X, y = blobs()
    X[np.random.default_rng(0).random(X.shape) < 0.5] = 0
    dense = SelectiveBoostClassifier(n_estimators=10).fit(X, y)
    thin = SelectiveBoostClassifier(n_estimators=10).fit(sparse.csr_array(X), y)
    assert_allclose(thin.noise_degrees_, dense.noise_degrees_, atol=1e-12)
    assert_allclose(thin.decision_function(sparse.csr_array(X)), dense.decision_function(X))


def test_a_missing_value_is_named(blobs):
    X, y = blobs()
    X[3, 2] = np.nan
    with pytest.raises(InputError, match="column 2, row 3"):
        SelectiveBoostClassifier().fit(X, y)
    assert not get_tags(SelectiveBoostClassifier()).input_tags.allow_nan
    assert get_tags(DecisionStumpClassifier()).input_tags.allow_nan


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("correct", [False, True])
@pytest.mark.parametrize("settings", BOTH_WAYS)
def test_odd_tables_do_no_harm(settings, correct):
    rng = np.random.default_rng(0)
    ramp = np.arange(12.0)[:, None]
    tables = {
        "few rows": (ramp[:3], [0, 1, 1]),
        "two rows": (ramp[:2], [0, 1]),
        "a class of one row": (ramp, [0] * 6 + [1] + [0] * 5),
        "duplicates": (np.repeat(ramp[:2], 6, axis=0), [0, 0, 1, 1, 0, 1] * 2),
        "constant columns": (np.zeros((12, 2)), [0, 1, 1] * 4),
        "one constant column": (np.c_[ramp, np.ones(12)], rng.integers(0, 3, 12)),
    }
    for name, (X, y) in tables.items():
        model = SelectiveBoostClassifier(
            n_estimators=5, error_correction=correct, random_state=0, **settings
        ).fit(X, y)
        assert np.isfinite(model.predict_proba(X)).all(), name
        assert np.isfinite(model.noise_degrees_).all(), name


def test_a_lone_row_of_its_class_is_protected():
    X, y = np.arange(12.0)[:, None], np.array([0] * 6 + [1] + [0] * 5)
    model = SelectiveBoostClassifier(n_estimators=8).fit(X, y)
    assert model.noise_degrees_[6] == 0
    assert SelectiveBoostClassifier(noise_degree="plain").fit(X, y).noise_degrees_[6] == 1
    assert model.predict(X)[6] == 1


def test_a_perfect_first_member_stands_alone():
    X, y = np.arange(10.0)[:, None], np.repeat(["no", "yes"], 5)
    with pytest.warns(ConvergenceWarning, match="1 of 100 .* round 1: no training row was wrong"):
        model = SelectiveBoostClassifier().fit(X, y)
    assert_array_equal(model.predict(X), y)
    assert_allclose(model.predict_proba(X).max(axis=1), 0.95)


def test_a_useless_first_member_gives_the_classes_shares(by_rule):
    X, y = np.zeros((10, 1)), np.repeat([3, 8], [4, 6])
    wrong = by_rule(lambda X: np.full(len(X), 3))
    with pytest.warns(ConvergenceWarning, match="0 of 100"):
        model = SelectiveBoostClassifier(wrong).fit(X, y)
    assert_allclose(model.predict_proba(X), [[0.4, 0.6]] * 10)


class TestErrorCorrection:
    def test_it_is_off_by_default(self, clusters):
        X, y = clusters()
        model = SelectiveBoostClassifier(n_estimators=1).fit(X, y)
        assert model.corrects_errors_ is False
        assert not hasattr(model, "correction_points_")
        assert model.score(X, y) < 1

    @pytest.mark.parametrize("n_classes", [2, 3])
    def test_it_overrules_an_ensemble_that_is_plainly_wrong(self, clusters, n_classes):
        X, y = clusters(n_groups=7, n_classes=n_classes)
        y = np.array(["a", "b", "c"])[y]
        settings = {"n_estimators": 3, "random_state": 0}
        model = SelectiveBoostClassifier(error_correction=True, **settings).fit(X, y)
        plain = SelectiveBoostClassifier(**settings).fit(X, y)
        assert model.corrects_errors_ is True
        assert_array_equal(model.predict(X), y)

        before, after = plain.decision_function(X), model.decision_function(X)
        wrong = plain.predict(X) != y
        assert 10 < wrong.sum() < len(y)
        assert_array_equal(after[~wrong], before[~wrong])
        # Five clean votes for one class, and one vote that all classes share.
        votes = 5 + 1 / n_classes
        assert_allclose(model.predict_proba(X)[wrong].max(axis=1), votes / 6)

    def test_all_outputs_agree_at_every_stage(self, clusters):
        X, y = clusters(n_classes=3)
        model = SelectiveBoostClassifier(n_estimators=4, error_correction=True).fit(X, y)
        assert model.corrects_errors_
        stages = zip(
            model.staged_decision_function(X),
            model.staged_predict_proba(X),
            model.staged_predict(X),
            strict=True,
        )
        for scores, probabilities, predicted in stages:
            assert_array_equal(predicted, model.classes_[scores.argmax(axis=1)])
            assert_array_equal(predicted, model.classes_[probabilities.argmax(axis=1)])
        assert_array_equal(scores, model.decision_function(X))
        assert_array_equal(predicted, y)

    def test_a_row_alone_is_as_among_others(self, clusters):
        X, y = clusters()
        model = SelectiveBoostClassifier(n_estimators=2, error_correction=True).fit(X, y)
        alone = np.concatenate([model.decision_function(row[None]) for row in X])
        assert_array_equal(alone, model.decision_function(X))

    def test_sparse_rows_are_corrected_as_dense_ones(self, clusters):
        X, y = clusters()
        X = sparse.csr_array(X)
        settings = {"n_estimators": 2, "error_correction": True}
        model = SelectiveBoostClassifier(**settings).fit(X, y)
        assert sparse.issparse(model.correction_points_)
        dense = SelectiveBoostClassifier(**settings).fit(X.toarray(), y)
        assert_allclose(model.decision_function(X), dense.decision_function(X.toarray()))

    def test_it_is_not_done_where_it_does_not_help(self):
        # The class hangs on one of many columns: a neighbour is of little use.
        rng = np.random.default_rng(0)
        X = rng.normal(size=(150, 10))
        y = (X[:, 0] + rng.normal(size=150) * 0.2 > 0).astype(int)
        settings = {"n_estimators": 10, "n_neighbors": 1, "random_state": 0}
        model = SelectiveBoostClassifier(error_correction=True, **settings).fit(X, y)
        plain = SelectiveBoostClassifier(**settings).fit(X, y)
        assert model.corrects_errors_ is False
        assert_array_equal(model.decision_function(X), plain.decision_function(X))
        # It would have changed new rows for the worse.
        training = TrainingSet(X, y, 2, np.ones(150), np.arange(150), None)
        neighbors = CleanNeighbors.of(training, plain.noise_degrees_)
        new = rng.normal(size=(500, 10))
        scores, true = plain.decision_function(new), new[:, 0] > 0
        corrected = neighbors.correct(scores, neighbors.ask(new, 1))
        assert (corrected != scores).sum() > 20
        assert np.mean((corrected > 0) == true) < np.mean((scores > 0) == true)

    def test_the_members_are_the_same_with_and_without(self, clusters):
        X, y = clusters()
        settings = {"sampling": "resample", "n_estimators": 4, "random_state": 3}
        model = SelectiveBoostClassifier(error_correction=True, **settings).fit(X, y)
        plain = SelectiveBoostClassifier(**settings).fit(X, y)
        assert_array_equal(model.estimators_samples_, plain.estimators_samples_)

    def test_rows_are_counted_by_cleanliness_and_weight(self):
        X = np.array([[0.0], [1.0], [2.0], [10.0]])
        training = TrainingSet(X, np.array([0, 0, 1, 1]), 2, np.array([1.0, 2, 1, 1]), None, None)
        neighbors = CleanNeighbors.of(training, np.array([0.0, 0.25, 1.0, 0.0]))
        votes, masses = neighbors.ask(np.array([[0.9]]), 3)
        assert_allclose(votes, [[1 + 2 * 0.75, 0]])
        assert_allclose(masses, [4])

    def test_a_vote_is_decisive_from_four_fifths_on(self):
        X, y = np.zeros((2, 1)), np.array([0, 1])
        neighbors = CleanNeighbors.of(TrainingSet(X, y, 2, np.ones(2), y, None), np.zeros(2))
        votes = np.array([[4.0, 1.0], [3.9, 1.0], [0.0, 4.0], [1.0, 4.0]])
        scores = np.array([0.7, 0.7, 0.7, -0.7])
        expected = [np.log(4.5 / 1.5) / -2, 0.7, 0.7, np.log(4.5 / 1.5) / 2]
        assert_allclose(neighbors.correct(scores, (votes, np.full(4, 5.0))), expected)

    def test_classes_too_small_for_folds_are_not_corrected(self):
        y = np.array([0] * 6 + [1])
        training = TrainingSet(np.arange(7.0)[:, None], y, 2, np.ones(7), np.arange(7), None)
        assert not correction_helps(None, training, 0)


def test_votes_of_neighbors_at_small_integers_dont_depend_on_the_precision():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 5, (300, 6)).astype(np.float64), rng.integers(0, 2, 300)

    def ask(rows):
        training = TrainingSet(rows, y, 2, np.ones(300), np.arange(300), None)
        return CleanNeighbors.of(training, np.zeros(300)).ask(rows, 5)[0]

    assert_array_equal(ask(X.astype(np.float32)), ask(X))
