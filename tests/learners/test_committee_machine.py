import pickle

import joblib
import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from hardy.exceptions import InputError
from hardy.learners import committee_machine
from hardy.learners.committee_machine import CommitteeMachineClassifier

MODES = ["online", "batch"]


def expected_failures(estimator):
    """On-line passes take the rows in a random order, in which a repeated row comes twice."""
    if estimator.mode == "batch":
        return {}
    reason = "a row of weight 2 moves the units once, two rows do so at two places of the order"
    return {
        "check_sample_weight_equivalence_on_dense_data": reason,
        "check_sample_weight_equivalence_on_sparse_data": reason,
    }


@parametrize_with_checks(
    [
        CommitteeMachineClassifier(),
        CommitteeMachineClassifier(1),
        CommitteeMachineClassifier(mode="batch"),
        CommitteeMachineClassifier(class_weight="balanced"),
        CommitteeMachineClassifier(mode="batch", class_weight="balanced"),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def two_classes():
    X, y = make_classification(
        300, 8, n_informative=5, flip_y=0.1, class_sep=1.2, weights=[0.3], random_state=0
    )
    return StandardScaler().fit_transform(X), y


@pytest.fixture(scope="module")
def three_classes():
    X, y = load_iris(return_X_y=True)
    return StandardScaler().fit_transform(X), y


def assert_same_model(one, other, **tolerance):
    for name in ("coef_", "intercept_", "activation_scale_", "n_iter_"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), **tolerance)


# What it learns


@pytest.mark.parametrize("mode", MODES)
def test_several_perceptrons_learn_what_one_cannot(mode):
    """Exclusive or: no line has more than three of the four corners on the right side."""
    X = np.random.default_rng(0).uniform(-1, 1, (600, 2))
    y = X[:, 0] * X[:, 1] > 0
    one, many = (
        np.mean([
            CommitteeMachineClassifier(size, mode=mode, random_state=seed).fit(X, y).score(X, y)
            for seed in range(6)
        ])
        for size in (1, 15)
    )  # fmt: skip
    assert one < 0.7
    assert many > 0.85


@pytest.mark.parametrize("mode", MODES)
def test_real_data(mode):
    """The published accuracies of linear classifiers are about 0.97."""
    model = make_pipeline(StandardScaler(), CommitteeMachineClassifier(mode=mode, random_state=0))
    assert cross_val_score(model, *load_breast_cancer(return_X_y=True), cv=5).mean() > 0.93


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("size", [1, 5])
def test_it_stops_after_a_pass_without_a_mistake(mode, size):
    """Separable rows: the perceptron theorem promises an end, and the last pass moves nothing."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 3))
    X[:, 0] += np.where(X[:, 0] > 0, 0.5, -0.5)
    y = X[:, 0] > 0
    model = CommitteeMachineClassifier(size, mode=mode, max_iter=1000, random_state=0).fit(X, y)
    assert 1 < model.n_iter_ < 1000
    assert model.score(X, y) == 1
    before = clone(model).set_params(max_iter=model.n_iter_ - 1).fit(X, y)
    np.testing.assert_array_equal(before.coef_, model.coef_)
    assert clone(model).set_params(max_iter=model.n_iter_ + 5).fit(X, y).n_iter_ == model.n_iter_


def test_it_goes_on_while_one_class_has_mistakes(three_classes):
    """One class of iris is separable from the others, the others are not from each other."""
    model = CommitteeMachineClassifier(1, max_iter=40, random_state=0).fit(*three_classes)
    assert model.n_iter_ == 40


@pytest.mark.parametrize("mode", MODES)
def test_a_balanced_rare_class_is_found_more_often(mode):
    rng = np.random.default_rng(0)
    y = (rng.random(1000) < 0.1).astype(int)
    X = rng.standard_normal((1000, 4)) + y[:, None]
    recalls = [
        np.mean([
            CommitteeMachineClassifier(1, mode=mode, class_weight=weight, random_state=seed)
            .fit(X, y).predict(X)[y == 1].mean()
            for seed in range(5)
        ])
        for weight in (None, "balanced")
    ]  # fmt: skip
    assert recalls[1] > recalls[0] + 0.1


# Passes


def start_of(X, classes, **settings):
    """Give the units (sub-problems, H, features + 1) that a model starts with."""
    model = CommitteeMachineClassifier(learning_rate=1e-300, max_iter=1, **settings)
    model.fit(X[: len(classes)], classes)
    return np.concatenate([model.coef_, model.intercept_[..., None]], axis=2)


@pytest.mark.parametrize("is_sparse", [False, True])
def test_batch_passes_equal_the_twin(three_classes, slow_committee_pass, is_sparse):
    X, y = three_classes
    slow = start_of(X, [0, 1, 2], random_state=0)
    for _ in range(4):
        for k in range(3):
            slow[k], *_ = slow_committee_pass(
                slow[k], X, np.where(y == k, 1, -1), np.ones(150), 0.1, online=False
            )
    model = CommitteeMachineClassifier(mode="batch", max_iter=4, random_state=0)
    model.fit(sparse.csr_array(X) if is_sparse else X, y)
    np.testing.assert_allclose(model.coef_, slow[..., :-1], rtol=1e-9)
    np.testing.assert_allclose(model.intercept_, slow[..., -1], rtol=1e-9)


def test_partial_fit_takes_the_rows_in_their_order(three_classes, slow_committee_pass):
    X, y = three_classes
    slow = start_of(X, [0, 1, 2], random_state=0)
    model = CommitteeMachineClassifier(learning_rate=0.3, random_state=0)
    model.partial_fit(X[40:60], y[40:60], classes=[0, 1, 2])
    model.partial_fit(X[60:110], y[60:110], sample_weight=np.full(50, 2.0))
    squares = 0
    for k in range(3):
        sign = np.where(y == k, 1, -1)
        slow[k], _, first = slow_committee_pass(slow[k], X[40:60], sign[40:60], np.ones(20), 0.3)
        slow[k], _, second = slow_committee_pass(
            slow[k], X[60:110], sign[60:110], np.full(50, 2.0), 0.3
        )
        squares += first + second
    np.testing.assert_allclose(model.coef_, slow[..., :-1], rtol=1e-9)
    np.testing.assert_allclose(model.intercept_, slow[..., -1], rtol=1e-9)
    # 20 rows of weight 1 and 50 of weight 2, each with 15 activations.
    assert model.activation_scale_ == pytest.approx(np.sqrt(squares / (120 * 15)))
    assert model.n_iter_ == 2


def test_several_classes_are_one_against_the_rest(three_classes):
    """The sub-problem of each class is what a binary model from the same start learns."""
    X, y = three_classes
    settings = {"mode": "batch", "max_iter": 10, "random_state": 0}
    model = CommitteeMachineClassifier(**settings).fit(X, y)
    start = start_of(X, [0, 1, 2], random_state=0)
    for k in range(3):
        binary = CommitteeMachineClassifier(warm_start=True, **settings)
        binary.set_params(learning_rate=1e-300, max_iter=1).fit(X, y == k)
        binary.coef_, binary.intercept_ = start[[k], :, :-1], start[[k], :, -1]
        binary.set_params(learning_rate=0.1, max_iter=10).fit(X, y == k)
        np.testing.assert_allclose(binary.coef_[0], model.coef_[k], rtol=1e-9)


def test_online_order_is_random_but_repeatable(two_classes):
    one, same, other = (
        CommitteeMachineClassifier(max_iter=3, random_state=seed).fit(*two_classes)
        for seed in (0, 0, 1)
    )
    assert_same_model(one, same, rtol=0)
    assert not np.allclose(one.coef_, other.coef_)


# Predictions


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_predictions_agree(two_classes, three_classes, dtype, mode):
    for X, y in (two_classes, three_classes):
        model = CommitteeMachineClassifier(mode=mode, max_iter=20, random_state=0)
        X = X.astype(dtype)
        model.fit(X, y)
        predicted, decision = model.predict(3 * X), model.decision_function(3 * X)
        probabilities = model.predict_proba(3 * X)
        np.testing.assert_array_equal(predicted, model.classes_[probabilities.argmax(axis=1)])
        np.testing.assert_allclose(probabilities.sum(axis=1), 1)
        best = decision > 0 if decision.ndim == 1 else decision.argmax(axis=1)
        np.testing.assert_array_equal(predicted, best)
        assert model.coef_.dtype == model.intercept_.dtype == model.activations(X).dtype == dtype
        assert model.score(X, y) > 0.7


def test_two_classes_are_decided_by_the_majority(two_classes):
    X, y = two_classes
    model = CommitteeMachineClassifier(random_state=0).fit(X, y)
    assert model.coef_.shape == (1, 5, 8)
    assert model.intercept_.shape == (1, 5)
    activations = X @ model.coef_[0].T + model.intercept_[0]
    np.testing.assert_allclose(model.activations(X)[:, 0], activations, atol=1e-12)
    np.testing.assert_array_equal(model.predict(X), (activations > 0).sum(axis=1) >= 3)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_row_is_judged_alone(three_classes, dtype):
    X, y = three_classes[0].astype(dtype), three_classes[1]
    model = CommitteeMachineClassifier(random_state=0).fit(X, y)
    together = model.decision_function(X)
    np.testing.assert_array_equal(together, np.median(model.activations(X), axis=2))
    alone = np.vstack([model.decision_function(X[i : i + 1]) for i in range(40)])
    np.testing.assert_array_equal(together[:40], alone)


# Weights


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_a_weight_is_a_repetition(two_classes, three_classes, class_weight, dtype):
    for X, y in (two_classes, three_classes):
        X = X.astype(dtype)
        weights = np.random.default_rng(1).integers(0, 4, len(y))
        rows = np.random.default_rng(2).permutation(np.repeat(np.arange(len(y)), weights))
        model = CommitteeMachineClassifier(
            mode="batch", max_iter=20, class_weight=class_weight, random_state=0
        )
        weighted = clone(model).fit(X, y, sample_weight=weights)
        assert_same_model(weighted, clone(model).fit(X[rows], y[rows]), rtol=1e-5)


@pytest.mark.parametrize("mode", MODES)
def test_a_weight_of_zero_is_absence(two_classes, mode):
    X, y = two_classes
    y = y.copy()
    y[:7] = 9
    weights = np.ones(len(y))
    weights[:50] = 0
    model = CommitteeMachineClassifier(mode=mode, max_iter=20, random_state=0)
    weighted = clone(model).fit(X, y, weights)
    assert_same_model(weighted, clone(model).fit(X[50:], y[50:]), rtol=0)
    assert weighted.classes_.tolist() == [0, 1]


@pytest.mark.parametrize("mode", MODES)
def test_class_weight_with_string_labels(two_classes, mode):
    X, codes = two_classes
    y = np.array(["ham", "spam"])[codes]
    settings = {"mode": mode, "max_iter": 20, "random_state": 0}
    weighted = CommitteeMachineClassifier(class_weight={"ham": 0.5, "spam": 3}, **settings)
    by_rows = CommitteeMachineClassifier(**settings)
    weighted.fit(X, y)
    by_rows.fit(X, y, sample_weight=np.array([0.5, 3])[codes])
    assert_same_model(weighted, by_rows, rtol=0)


# Rows


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_sparse_rows_do_what_dense_rows_do(three_classes, index, mode):
    X, y = three_classes
    X = np.where(np.abs(X) < 0.7, 0, X)
    rows = sparse.csr_array(X)
    rows.indices, rows.indptr = rows.indices.astype(index), rows.indptr.astype(index)
    model = CommitteeMachineClassifier(mode=mode, max_iter=10, random_state=0)
    dense, spare = clone(model).fit(X, y), clone(model).fit(rows, y)
    assert_same_model(dense, spare, rtol=1e-9)
    np.testing.assert_array_equal(dense.predict(X), spare.predict(rows))


@pytest.mark.parametrize("mode", MODES)
def test_sparse_stays_sparse(mode):
    """The dense matrix would take 80 GB."""
    rows = sparse.random_array(
        (1000, 10_000_000), density=1e-7, format="csr", random_state=np.random.default_rng(0)
    )
    model = CommitteeMachineClassifier(1, mode=mode, max_iter=1).fit(rows, np.arange(1000) % 2)
    assert model.predict(rows).shape == (1000,)


def test_read_only_memory_maps(two_classes, tmp_path):
    X, y = two_classes
    model = CommitteeMachineClassifier(max_iter=5, random_state=0)
    for rows in (X, sparse.csr_array(X)):
        joblib.dump(rows, tmp_path / "rows")
        mapped = joblib.load(tmp_path / "rows", mmap_mode="r")
        assert_same_model(clone(model).fit(mapped, y), clone(model).fit(rows, y), rtol=1e-9)


# Going on


def test_a_warm_start_goes_on(two_classes):
    X, y = two_classes
    settings = {"mode": "batch", "random_state": 0}
    whole = CommitteeMachineClassifier(max_iter=20, **settings).fit(X, y)
    halves = CommitteeMachineClassifier(max_iter=10, warm_start=True, **settings).fit(X, y)
    assert not np.array_equal(halves.coef_, whole.coef_)
    np.testing.assert_array_equal(halves.fit(X, y).coef_, whole.coef_)
    assert halves.n_iter_ == 10


def test_a_warm_start_that_does_not_fit(two_classes):
    X, y = two_classes
    model = CommitteeMachineClassifier(warm_start=True, max_iter=2).fit(X, y)
    with pytest.raises(InputError, match=r"classes of the fit before, \[0, 1\].*\[0, 2\]"):
        model.fit(X, 2 * y)
    with pytest.raises(InputError, match="n_perceptrons of the fit before, 5, not 3"):
        model.set_params(n_perceptrons=3).fit(X, y)


def test_partial_fit_says_what_it_needs(two_classes):
    X, y = two_classes
    for settings in ({"mode": "batch"}, {"class_weight": "balanced"}):
        model = CommitteeMachineClassifier(**settings)
        assert not hasattr(model, "partial_fit")
        with pytest.raises(AttributeError) as caught:
            model.partial_fit(X, y)
        assert next(iter(settings)) in str(caught.value.__cause__)
    with pytest.raises(InputError, match="first call of partial_fit needs classes"):
        CommitteeMachineClassifier().partial_fit(X, y)


# Errors


def test_an_even_number_of_perceptrons(two_classes):
    with pytest.raises(InputError, match="n_perceptrons is 4"):
        CommitteeMachineClassifier(4).fit(*two_classes)


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_sums_of_a_batch_that_overflow_are_refused(monkeypatch):
    def overflowing_pass(*arguments):
        arguments[-2][:] = np.finfo(np.float64).max
        return 1, 1.0

    monkeypatch.setattr(committee_machine, "committee_pass", overflowing_pass)
    model = CommitteeMachineClassifier(mode="batch", max_iter=2, random_state=0)
    with pytest.raises(InputError, match="weights overflow: scale them"):
        model.fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("n_passes", [1, 2, 5])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("dtype", "size"), [(np.float64, 1e200), (np.float32, 1e38)])
def test_values_too_large(dtype, size, mode, n_passes):
    X = np.array([[size], [-size], [size]], dtype)
    for seed in range(5):
        model = CommitteeMachineClassifier(mode=mode, max_iter=n_passes, random_state=seed)
        with pytest.raises(InputError, match="scale them"):
            model.set_params(learning_rate=1e3).fit(X, [0, 1, 1]).fit(X, [0, 1, 1])


# Composition


def test_every_parameter_can_be_searched(two_classes):
    grids = [
        {"committeemachineclassifier__" + name: values}
        for name, values in {
            "n_perceptrons": [1, 5],
            "learning_rate": [0.01, 1.0],
            "max_iter": [2, 4],
            "mode": MODES,
            "class_weight": [None, "balanced"],
            "warm_start": [False, True],
            "random_state": [0, 1],
        }.items()
    ]
    covered = {name.split("__")[1] for grid in grids for name in grid}
    assert covered == set(CommitteeMachineClassifier().get_params())
    model = make_pipeline(StandardScaler(), CommitteeMachineClassifier(max_iter=3))
    search = GridSearchCV(model, grids, cv=2, error_score="raise", scoring="roc_auc")
    assert np.isfinite(search.fit(*two_classes).cv_results_["mean_test_score"]).all()


def test_it_survives_pickling(two_classes):
    X, y = two_classes
    model = CommitteeMachineClassifier(max_iter=3, random_state=0).fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict_proba(X), model.predict_proba(X))
