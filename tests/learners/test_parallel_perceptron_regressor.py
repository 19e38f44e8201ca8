import pickle

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_friedman1
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from hardy.exceptions import InputError
from hardy.learners.parallel_perceptron_regressor import ParallelPerceptronRegressor

MODES = ["online", "batch"]
UPDATES = ["sum", "mean"]


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
        ParallelPerceptronRegressor(),
        ParallelPerceptronRegressor(41, margin_update="mean"),
        ParallelPerceptronRegressor(mode="batch"),
        ParallelPerceptronRegressor(mode="batch", margin_update="mean", margin_weight=2.0),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def waves():
    """300 rows of a sum of waves, in standardised features."""
    X = StandardScaler().fit_transform(np.random.default_rng(0).uniform(-2, 2, (300, 3)))
    return X, 5 + 3 * np.sin(2 * X[:, 0]) + X[:, 1]


def assert_same_model(one, other, **tolerance):
    for name in ("coef_", "intercept_", "margin_", "target_range_", "loss_curve_"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), **tolerance)


# What it learns


@pytest.mark.parametrize("mode", MODES)
def test_a_sine(mode):
    """A line explains 61 % of the variance of sin x over (−3, 3)."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-3, 3, (600, 1))
    y = np.sin(X[:, 0]) + 0.05 * rng.standard_normal(600)
    model = make_pipeline(StandardScaler(), ParallelPerceptronRegressor(40, 20, mode=mode))
    model.set_params(parallelperceptronregressor__random_state=0).fit(X[:400], y[:400])
    assert model.score(X[400:], y[400:]) > 0.93
    assert LinearRegression().fit(X[:400], y[:400]).score(X[400:], y[400:]) < 0.75


def test_a_product_that_no_line_explains():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1.7, 1.7, (900, 2))
    y = np.sin(1.7 * X[:, 0]) * np.cos(1.7 * X[:, 1])
    model = ParallelPerceptronRegressor(
        60, 30, learning_rate=0.01, margin_weight=4.0, max_iter=100, random_state=0
    )
    assert model.fit(X[:600], y[:600]).score(X[600:], y[600:]) > 0.65
    assert LinearRegression().fit(X[:600], y[:600]).score(X[600:], y[600:]) < 0.1


def test_friedman():
    """Friedman's function of five features out of ten, of which a line explains 73 %."""
    X, y = make_friedman1(3000, random_state=0)
    X = StandardScaler().fit_transform(X)
    model = ParallelPerceptronRegressor(
        50, learning_rate=0.01, margin_weight=4.0, max_iter=60, random_state=0
    )
    assert model.fit(X[:2000], y[:2000]).score(X[2000:], y[2000:]) > 0.81
    assert LinearRegression().fit(X[:2000], y[:2000]).score(X[2000:], y[2000:]) < 0.77


@pytest.mark.parametrize("mode", MODES)
def test_the_error_falls(waves, mode):
    model = ParallelPerceptronRegressor(mode=mode, random_state=0).fit(*waves)
    assert model.loss_curve_.shape == (model.n_iter_,) == (250,)
    assert model.loss_curve_[-1] < 0.6 * model.loss_curve_[0]


# Passes


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("margin_update", UPDATES)
@pytest.mark.parametrize("mode", MODES)
def test_passes_equal_the_twin(waves, regressor_twin, mode, margin_update, is_sparse):
    """The rate falls by 0.8 after each pass with a larger error than the one before.

    Few passes, because on-line passes at a high rate make differences by rounding grow.
    """
    X, y = waves
    weights = np.random.default_rng(1).uniform(0.5, 2, 300)
    model = ParallelPerceptronRegressor(
        6, 4.0, epsilon=0.2, learning_rate=0.05, learning_rate_decay=0.8, margin=0.1,
        margin_update=margin_update, margin_weight=0.7, max_iter=3, mode=mode, keep_best=False,
        random_state=0,
    )  # fmt: skip
    rng = np.random.RandomState(0)
    units = rng.standard_normal((6, 4))
    slow = regressor_twin(
        units / np.linalg.norm(units, axis=1, keepdims=True), 0.1, 0.05, rho=4.0, epsilon=0.2,
        mu=0.7, by_sum=margin_update == "sum", online=mode == "online",
    )  # fmt: skip
    targets = 2 * (y - y.min()) / (y.max() - y.min()) - 1
    losses = []
    for _ in range(3):
        order = rng.permutation(300) if mode == "online" else np.arange(300)
        losses.append(slow.see(X[order], targets[order], weights[order]) / weights.sum())
        if len(losses) > 1 and losses[-1] > losses[-2]:
            slow.rate *= 0.8
    assert slow.rate < 0.05
    model.fit(sparse.csr_array(X) if is_sparse else X, y, weights)
    np.testing.assert_allclose(model.coef_, slow.units[:, :-1], rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(model.intercept_, slow.units[:, -1], rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(model.loss_curve_, losses, rtol=1e-6)
    assert model.margin_ == pytest.approx(slow.margin, rel=1e-6)


def test_online_order_is_random_but_repeatable(waves):
    one, same, other = (
        ParallelPerceptronRegressor(max_iter=3, random_state=seed).fit(*waves) for seed in (0, 0, 1)
    )
    assert_same_model(one, same, rtol=0)
    assert not np.allclose(one.coef_, other.coef_)


# Predictions


@pytest.mark.parametrize(
    ("rho", "outputs"), [(None, [-1, -1 / 3, 1 / 3, 1]), (2, [-1, -0.5, 0.5, 1])]
)
def test_predictions_by_hand(rho, outputs):
    """Three units whose boundaries are at 0, 1 and 2; the boundary itself is on the upper side."""
    model = ParallelPerceptronRegressor(3, rho, max_iter=1).fit([[0.0], [1.0]], [10.0, 30.0])
    assert model.target_range_ == (10.0, 30.0)
    model.coef_, model.intercept_ = np.ones((3, 1)), np.array([0.0, -1.0, -2.0])
    found = model.predict([[-1.0], [0.0], [1.0], [2.0], [9.0]])
    np.testing.assert_allclose(found, 20 + 10 * np.array([*outputs, outputs[-1]]))
    np.testing.assert_array_equal(model.activations([[5.0]]), [[5.0, 4.0, 3.0]])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_predictions_count_votes(waves, dtype):
    X, y = waves[0].astype(dtype), waves[1]
    model = ParallelPerceptronRegressor(max_iter=3, random_state=0).fit(X, y)
    votes = np.sign(model.activations(X)).sum(axis=1)
    lowest, highest = model.target_range_
    expected = lowest + (highest - lowest) * (votes / 20 + 1) / 2
    together = model.predict(X)
    np.testing.assert_allclose(together, expected)
    alone = np.concatenate([model.predict(X[i : i + 1]) for i in range(40)])
    np.testing.assert_array_equal(together[:40], alone)


@pytest.mark.parametrize("mode", MODES)
def test_shapes_and_types(waves, mode):
    X, y = waves
    for dtype in (np.float32, np.float64):
        model = ParallelPerceptronRegressor(7, mode=mode, max_iter=5).fit(X.astype(dtype), y)
        assert model.coef_.shape == (7, 3)
        assert model.intercept_.shape == (7,)
        assert model.coef_.dtype == model.intercept_.dtype == dtype
        assert model.activations(X.astype(dtype)).dtype == dtype
        lengths = (model.coef_**2).sum(axis=1) + model.intercept_**2
        np.testing.assert_allclose(lengths, 1, rtol=1e-5 if dtype == np.float32 else 1e-12)
        predicted = model.predict(X.astype(dtype))
        assert predicted.dtype == np.float64
        assert y.min() <= predicted.min() <= predicted.max() <= y.max()


@pytest.mark.parametrize("factor", [1e-200, -3.0, 1e250])
def test_targets_of_any_size(waves, factor):
    """The targets are scaled to [−1, 1] first, so that their unit makes no difference."""
    X, y = waves
    model = ParallelPerceptronRegressor(mode="batch", max_iter=20, random_state=0)
    expected = clone(model).fit(X, factor / abs(factor) * y).predict(X)
    found = clone(model).fit(X, factor * y).predict(X)
    np.testing.assert_allclose(found / abs(factor), expected)


def test_targets_at_the_ends_of_the_floats():
    X = np.array([[-1.0], [1.0]] * 50)
    y = np.where(X[:, 0] > 0, 1.7e308, -1.7e308)
    model = ParallelPerceptronRegressor(2, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), y)


def test_targets_that_are_all_the_same(waves):
    X, _ = waves
    model = ParallelPerceptronRegressor(max_iter=3).fit(X, np.full(300, 7.5))
    np.testing.assert_array_equal(model.predict(X), np.full(300, 7.5))


def test_targets_of_any_kind(waves):
    X, _ = waves
    y = np.arange(300) % 7
    expected = ParallelPerceptronRegressor(max_iter=3, random_state=0).fit(X, y).predict(X)
    kinds = [y.astype(np.float32), y.tolist(), pd.Series(y), pd.Series(y, dtype="Int64"),
             pl.Series(y), y.astype(object)]  # fmt: skip
    for kind in kinds:
        model = ParallelPerceptronRegressor(max_iter=3, random_state=0).fit(X, kind)
        np.testing.assert_array_equal(model.predict(X), expected)


# Weights


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("margin_update", UPDATES)
def test_a_weight_is_a_repetition(waves, margin_update, dtype):
    X, y = waves
    X = X.astype(dtype)
    weights = np.random.default_rng(1).integers(0, 4, len(y))
    rows = np.random.default_rng(2).permutation(np.repeat(np.arange(len(y)), weights))
    model = ParallelPerceptronRegressor(mode="batch", margin_update=margin_update, random_state=0)
    weighted = clone(model).fit(X, y, sample_weight=weights)
    assert_same_model(weighted, clone(model).fit(X[rows], y[rows]), rtol=1e-5)


@pytest.mark.parametrize("mode", MODES)
def test_a_weight_of_zero_is_absence(waves, mode):
    X, y = waves
    y = y.copy()
    y[:7] = 1e6
    weights = np.ones(len(y))
    weights[:50] = 0
    model = ParallelPerceptronRegressor(mode=mode, max_iter=20, random_state=0)
    absent = clone(model).fit(X[50:], y[50:])
    assert_same_model(clone(model).fit(X, y, weights), absent, rtol=0)


# Rows


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_sparse_rows_do_what_dense_rows_do(waves, index, mode):
    X, y = waves
    X = np.where(np.abs(X) < 0.7, 0, X)
    rows = sparse.csr_array(X)
    rows.indices, rows.indptr = rows.indices.astype(index), rows.indptr.astype(index)
    model = ParallelPerceptronRegressor(mode=mode, max_iter=20, random_state=0)
    dense, spare = clone(model).fit(X, y), clone(model).fit(rows, y)
    assert_same_model(dense, spare, rtol=1e-6)
    np.testing.assert_array_equal(dense.predict(X), spare.predict(rows))


@pytest.mark.parametrize("mode", MODES)
def test_sparse_stays_sparse(mode):
    """The dense matrix would take 80 GB."""
    rows = sparse.random_array(
        (1000, 10_000_000), density=1e-7, format="csr", random_state=np.random.default_rng(0)
    )
    model = ParallelPerceptronRegressor(1, mode=mode, max_iter=1).fit(rows, np.arange(1000))
    assert model.predict(rows).shape == (1000,)


def test_read_only_memory_maps(waves, tmp_path):
    X, y = waves
    model = ParallelPerceptronRegressor(max_iter=5, random_state=0)
    for rows in (X, sparse.csr_array(X)):
        joblib.dump(rows, tmp_path / "rows")
        mapped = joblib.load(tmp_path / "rows", mmap_mode="r")
        assert_same_model(clone(model).fit(mapped, y), clone(model).fit(rows, y), rtol=1e-9)


# Going on


@pytest.mark.parametrize("margin_update", UPDATES)
def test_a_warm_start_goes_on(waves, margin_update):
    X, y = waves
    settings = {"mode": "batch", "learning_rate_decay": 1.0, "margin_update": margin_update}
    whole = ParallelPerceptronRegressor(max_iter=20, random_state=0, **settings).fit(X, y)
    halves = ParallelPerceptronRegressor(max_iter=10, warm_start=True, random_state=0, **settings)
    halves.fit(X, y)
    assert not np.array_equal(halves.coef_, whole.coef_)
    halves.fit(X, y)
    np.testing.assert_allclose(halves.coef_, whole.coef_, rtol=1e-12)
    assert halves.margin_ == pytest.approx(whole.margin_)
    assert halves.n_iter_ == 10


def test_a_warm_start_keeps_the_range_of_targets(waves):
    """Targets beyond it count as its ends."""
    X, y = waves
    model = ParallelPerceptronRegressor(warm_start=True, max_iter=3, random_state=0).fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    low, high = model.target_range_
    wide = 2 * y - 5
    model.fit(X, wide)
    assert model.target_range_ == (low, high)
    assert_same_model(model, copy.fit(X, np.clip(wide, low, high)), rtol=0)


def test_a_warm_start_that_does_not_fit(waves):
    model = ParallelPerceptronRegressor(warm_start=True, max_iter=2).fit(*waves)
    with pytest.raises(InputError, match="n_perceptrons of the fit before, 20, not 30"):
        model.set_params(n_perceptrons=30).fit(*waves)


# Errors


def test_more_votes_than_perceptrons(waves):
    with pytest.raises(InputError, match=r"rho is 21.*n_perceptrons=20"):
        ParallelPerceptronRegressor(rho=21).fit(*waves)


@pytest.mark.parametrize(("bad", "what"), [(np.nan, "NaN"), (np.inf, "infinity")])
def test_targets_that_are_not_finite(waves, bad, what):
    X, y = waves
    y = y.copy()
    y[[3, 8]] = bad
    with pytest.raises(InputError, match=rf"y contains {what}, first in row 3 \(2 rows in all\)"):
        ParallelPerceptronRegressor().fit(X, y)


def test_targets_that_are_no_numbers(waves):
    X, _ = waves
    with pytest.raises(ValueError, match="could not convert"):
        ParallelPerceptronRegressor().fit(X, ["a"] * 300)


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("mode", MODES)
def test_values_too_large(mode, container):
    X = container(np.array([[1e200], [-1e200], [1e200]]))
    with pytest.raises(InputError, match="scale them"):
        ParallelPerceptronRegressor(mode=mode).fit(X, [0, 1, 1])


@pytest.mark.parametrize("mode", MODES)
def test_values_nearly_too_large(mode):
    for dtype, size in ((np.float64, 1e150), (np.float32, 1e38)):
        X = np.array([[size], [-size], [size / 2]], dtype)
        model = ParallelPerceptronRegressor(mode=mode, random_state=0).fit(X, [0, 1, 1])
        assert np.isfinite(model.coef_).all()
        assert np.isfinite(model.predict(X)).all()


# Composition


def test_every_parameter_can_be_searched(waves):
    grids = [
        {"parallelperceptronregressor__" + name: values}
        for name, values in {
            "n_perceptrons": [5, 6],
            "rho": [None, 2.5],
            "epsilon": [0, 0.3],
            "learning_rate": [0.01, 0.1],
            "learning_rate_decay": [0.5, 1.0],
            "margin": [0.0, 0.2],
            "margin_update": UPDATES,
            "margin_weight": [0.0, 2],
            "max_iter": [2, 4],
            "mode": MODES,
            "keep_best": [True, False],
            "warm_start": [False, True],
            "random_state": [0, 1],
        }.items()
    ]
    covered = {name.split("__")[1] for grid in grids for name in grid}
    assert covered == set(ParallelPerceptronRegressor().get_params())
    model = make_pipeline(StandardScaler(), ParallelPerceptronRegressor(max_iter=3))
    search = GridSearchCV(model, grids, cv=2, error_score="raise").fit(*waves)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_it_survives_pickling(waves):
    X, y = waves
    model = ParallelPerceptronRegressor(max_iter=3, random_state=0).fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict(X), model.predict(X))


@pytest.mark.parametrize("mode", MODES)
def test_the_best_pass_is_kept(waves, mode):
    X, y = waves
    X = np.column_stack([X, X @ np.ones((3, 2))])
    rate = 0.01 if mode == "online" else 0.1
    options = {"mode": mode, "learning_rate": rate, "random_state": 0}
    model = ParallelPerceptronRegressor(max_iter=40, **options).fit(X, y)
    losses = model.loss_curve_.copy()
    if mode == "batch":
        losses[0] = np.inf
    n_passes = int(losses.argmin()) + (mode == "online")
    assert 0 < n_passes < 40
    assert model.n_iter_ == 40
    until = ParallelPerceptronRegressor(max_iter=n_passes, keep_best=False, **options).fit(X, y)
    np.testing.assert_array_equal(model.coef_, until.coef_)
    assert model.margin_ == until.margin_
    if mode == "batch":
        half = (y.max() - y.min()) / 2
        error = np.mean(((y - model.predict(X)) / half) ** 2)
        assert error == pytest.approx(losses.min(), rel=1e-6)


def test_a_single_batch_pass_is_learned_from(waves):
    model = ParallelPerceptronRegressor(mode="batch", max_iter=1, random_state=0).fit(*waves)
    plain = ParallelPerceptronRegressor(mode="batch", max_iter=1, keep_best=False, random_state=0)
    np.testing.assert_array_equal(model.coef_, plain.fit(*waves).coef_)
