import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardy.learners._kernels import parallel_perceptron as kernels
from learners._kernels.rows import as_rows


def run_batch(
    X, own, weights, units, margins, rates, *, n_passes=1, decay=0.9, is_sparse=False, **rule
):
    """Run the kernel on stacked units (sub-problems, H, features + 1)."""
    flat = units.reshape(-1, units.shape[2]).astype(X.dtype)
    W = np.array(flat[:, :-1], order="F" if is_sparse else "C")
    b = flat[:, -1].copy()
    margins, rates = np.array(margins, dtype=float), np.array(rates, dtype=float)
    tally = kernels.train_batch(
        *as_rows(X, is_sparse), own, np.asarray(weights, dtype=float), n_passes, W, b, margins,
        rates, np.full(len(margins), np.inf), decay, rule.get("mean_margin", True),
        rule.get("p_delta", False),
    )  # fmt: skip
    return np.column_stack([W, b]).reshape(units.shape), margins, rates, tally


def run_online(
    X, own, weights, units, margins, rates, *, order=None, n_passes=1, is_sparse=False, **rule
):
    flat = units.reshape(-1, units.shape[2]).astype(np.float64)
    W = np.array(flat[:, :-1], order="F" if is_sparse else "C")
    b = flat[:, -1].copy()
    margins, rates = np.array(margins, dtype=float), np.array(rates, dtype=float)
    last_wrong = np.full(len(margins), np.inf)
    order = np.arange(len(X)) if order is None else order
    for _ in range(n_passes):
        tally = kernels.train_online(
            *as_rows(X, is_sparse), own, np.asarray(weights, dtype=float), order, W, b, margins,
            rates, last_wrong, 0.9, rule.get("mean_margin", True), rule.get("p_delta", False),
        )  # fmt: skip
    return np.column_stack([W, b]).reshape(units.shape), margins, rates, tally


def integer_problem(seed, n_rows, n_features, n_subproblems, dtype):
    """Small integers: sums are exact, so that kernel and twin can't differ by rounding."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, (n_rows, n_features)).astype(dtype)
    own = rng.integers(-1 if n_subproblems == 1 else 0, n_subproblems, n_rows)
    weights = rng.integers(1, 4, n_rows)
    units = rng.integers(-2, 3, (n_subproblems, 3, n_features + 1)).astype(float)
    units[..., 0] += 7
    return X, own, weights, units


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_hand_worked_pass(hand_worked, twin, dtype, is_sparse):
    h = hand_worked
    slow = twin(h.units, h.margin, h.rate).batch_pass(h.X, h.y, np.ones(5))
    units, margins, rates, tally = run_batch(
        h.X.astype(dtype), np.where(h.y > 0, 0, -1), np.ones(5), h.units[None], [h.margin],
        [h.rate], is_sparse=is_sparse,
    )  # fmt: skip
    np.testing.assert_allclose(slow.units, h.units_after, rtol=1e-15)
    np.testing.assert_allclose(units[0], h.units_after, rtol=np.finfo(dtype).eps)
    assert slow.margin == margins[0] == pytest.approx(h.mean_margin_after, rel=1e-15)
    assert slow.rate == rates[0] == h.rate
    assert slow.last_wrong == tally[0, kernels.WRONG] == h.wrong
    assert tally[0, kernels.RIGHT] == h.right
    assert tally[0, kernels.MARGIN_STEP] == h.step
    # 4 + 9 + 1, 1/16 + 1 + 1, 1 + 4 + 1, 9 + 1 + 1, 1 + 1/16 + 1
    assert tally[0, kernels.SQUARES] == 14 + 2.0625 + 6 + 11 + 2.0625


@pytest.mark.parametrize("parts", [1, 2, 7])
def test_sums_of_parts_make_the_pass_of_all(parts):
    X, own, weights, units = integer_problem(0, 200, 4, 3, np.float64)
    weights = weights.astype(float)
    flat = units.reshape(-1, 5)
    W, b = flat[:, :-1].copy(), flat[:, -1].copy()
    margins, rates, last_wrong = np.full(3, 0.5), np.full(3, 0.1), np.full(3, np.inf)
    sums = [
        kernels.sum_pass(X[part], None, own[part], weights[part], W, b, margins, False)
        for part in np.array_split(np.arange(200), parts)
    ]
    total = [sum(terms) for terms in zip(*sums, strict=True)]
    kernels.take_step(*total, W, b, margins, rates, last_wrong, 0.9, True)
    expected, there, _, tally = run_batch(X, own, weights, units, [0.5] * 3, [0.1] * 3)
    np.testing.assert_array_equal(np.column_stack([W, b]).reshape(units.shape), expected)
    np.testing.assert_array_equal(margins, there)
    np.testing.assert_array_equal(last_wrong, tally[:, kernels.WRONG])


def test_the_margin_moves_by_the_sum(hand_worked, twin):
    h = hand_worked
    slow = twin(h.units, h.margin, h.rate, mean_margin=False).batch_pass(h.X, h.y, np.ones(5))
    _, margins, _, _ = run_batch(
        h.X, np.where(h.y > 0, 0, -1), np.ones(5), h.units[None], [h.margin], [h.rate],
        mean_margin=False,
    )  # fmt: skip
    assert slow.margin == margins[0] == h.sum_margin_after


def test_the_rate_decays_when_the_error_rises(hand_worked, twin):
    h = hand_worked
    slow = twin(h.units, h.margin, h.rate)
    slow.batch_pass(h.X, h.y, np.ones(5)).batch_pass(h.X, h.y, np.ones(5))
    _, _, rates, tally = run_batch(
        h.X, np.where(h.y > 0, 0, -1), np.ones(5), h.units[None], [h.margin], [h.rate], n_passes=2
    )
    assert slow.last_wrong == tally[0, kernels.WRONG] == 3
    assert slow.rate == rates[0] == pytest.approx(0.45, rel=1e-15)


def test_p_delta_clears_both_sides_by_hand(hand_worked, twin):
    """Two more pushes: u2 by the wrong row 5, and u1 back by the right row (−1/4, 2) of label +.

    u1: (−1.75, −0.75, 1) − (−1/4, 2, 1), halved and added: (1/4, −11/8, 0).
    u2: (−1, −2, 1) − (1, −1/4, 1), halved and added: (−1, 1/8, 0). u3 as before.
    """
    h = hand_worked
    X, y = np.vstack([h.X, [[-0.25, 2]]]), np.append(h.y, 1)
    expected = [
        np.array([2, -11, 0]) / np.sqrt(125),
        np.array([-8, 1, 0]) / np.sqrt(65),
        h.units_after[2],
    ]
    slow = twin(h.units, h.margin, h.rate, p_delta=True).batch_pass(X, y, np.ones(6))
    units, *_ = run_batch(
        X, np.where(y > 0, 0, -1), np.ones(6), h.units[None], [h.margin], [h.rate], p_delta=True
    )
    np.testing.assert_allclose(slow.units, expected, rtol=1e-15)
    np.testing.assert_allclose(units[0], expected, rtol=1e-15)


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(("mean_margin", "p_delta"), [(True, False), (False, False), (True, True)])
@pytest.mark.parametrize(
    ("n_rows", "n_features", "n_subproblems"),
    [(1, 1, 1), (2, 3, 1), (127, 5, 1), (128, 17, 3), (261, 40, 4)],
)
def test_one_pass_equals_the_twin_exactly(
    twin, n_rows, n_features, n_subproblems, mean_margin, p_delta, dtype, is_sparse
):
    X, own, weights, start = integer_problem(0, n_rows, n_features, n_subproblems, dtype)
    rule = {"mean_margin": mean_margin, "p_delta": p_delta}
    units, margins, _, tally = run_batch(
        X, own, weights, start, [8.0] * n_subproblems, [0.25] * n_subproblems,
        is_sparse=is_sparse, **rule,
    )  # fmt: skip
    for k in range(n_subproblems):
        slow = twin(start[k], 8.0, 0.25, **rule)
        slow.batch_pass(X, np.where(own == k, 1, -1), weights)
        np.testing.assert_array_equal(units[k], slow.units)
        assert margins[k] == slow.margin
        assert tally[k, kernels.WRONG] == slow.last_wrong


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("p_delta", [False, True])
def test_passes_on_random_rows_equal_the_twin(twin, p_delta, is_sparse):
    rng = np.random.default_rng(1)
    X = rng.standard_normal((150, 6))
    own = rng.integers(0, 3, 150)
    weights = rng.uniform(0.5, 2, 150)
    start = rng.standard_normal((3, 3, 7))
    start /= np.linalg.norm(start, axis=2, keepdims=True)
    units, margins, rates, _ = run_batch(
        X, own, weights, start, [0.3] * 3, [0.01] * 3, n_passes=6, p_delta=p_delta,
        is_sparse=is_sparse,
    )  # fmt: skip
    for k in range(3):
        slow = twin(start[k], 0.3, 0.01, p_delta=p_delta)
        for _ in range(6):
            slow.batch_pass(X, np.where(own == k, 1, -1), weights)
        np.testing.assert_allclose(units[k], slow.units, rtol=1e-9, atol=1e-12)
        assert margins[k] == pytest.approx(slow.margin, rel=1e-9)
        assert rates[k] == pytest.approx(slow.rate, rel=1e-12)


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize(("mean_margin", "p_delta"), [(True, False), (False, False), (True, True)])
@pytest.mark.parametrize("rate", [0.01, 1e5])
def test_online_passes_equal_the_twin(twin, mean_margin, p_delta, rate, is_sparse):
    """At the high rate a unit's length would overflow within a pass were it not brought back."""
    rng = np.random.default_rng(2)
    X = rng.standard_normal((80, 5))
    own = rng.integers(0, 3, 80)
    weights = rng.uniform(0.5, 2, 80)
    order = rng.permutation(80)
    start = rng.standard_normal((3, 3, 6))
    start /= np.linalg.norm(start, axis=2, keepdims=True)
    rule = {"mean_margin": mean_margin, "p_delta": p_delta}
    units, margins, rates, _ = run_online(
        X, own, weights, start, [0.3] * 3, [rate] * 3, order=order, n_passes=3,
        is_sparse=is_sparse, **rule,
    )  # fmt: skip
    for k in range(3):
        slow = twin(start[k], 0.3, rate, **rule)
        for _ in range(3):
            slow.online_pass(X[order], np.where(own == k, 1, -1)[order], weights[order])
        np.testing.assert_allclose(units[k], slow.units, rtol=1e-7, atol=1e-9)
        assert margins[k] == pytest.approx(slow.margin, rel=1e-7)
        assert rates[k] == pytest.approx(slow.rate, rel=1e-12)


def test_a_unit_moved_onto_zero_stays_where_it_was():
    X = np.array([[1.0], [0.0]])
    units, *_ = run_batch(X, np.array([-1, 0]), [1, 1], np.array([[[1.0, 0.0]]]), [0.0], [1.0])
    # Both rows are wrong, the second with an activation of 0: (1, 0) − (1, 1) + (0, 1) = 0.
    np.testing.assert_array_equal(units, [[[1.0, 0.0]]])


@given(seed=st.integers(0, 2**32 - 1), n_rows=st.integers(2, 300))
@settings(max_examples=25, deadline=None)
def test_a_weight_of_two_is_the_row_twice(seed, n_rows):
    X, own, weights, start = integer_problem(seed, n_rows, 4, 1, np.float64)
    rng = np.random.default_rng(seed)
    repeated = rng.permutation(np.repeat(np.arange(n_rows), weights))
    options = {"margins": [8.0], "rates": [0.25], "units": start}
    weighted = run_batch(X, own, weights, **options)
    unweighted = run_batch(X[repeated], own[repeated], np.ones(len(repeated)), **options)
    for one, other in zip(weighted, unweighted, strict=True):
        np.testing.assert_array_equal(one, other)
