import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardy.learners._kernels import voting_rows as kernels
from learners._kernels.rows import as_rows


def split(units, is_sparse):
    """Split units (H, features + 1) as the kernel takes them for such rows."""
    units = np.asarray(units, dtype=np.float64)
    return np.array(units[:, :-1], order="F" if is_sparse else "C"), units[:, -1].copy()


def run_committee(X, own, weights, units, rate, *, order=None, online=True, is_sparse=False):
    """Run the kernel on stacked units (sub-problems, H, features + 1)."""
    W, b = split(units.reshape(-1, units.shape[2]), is_sparse)
    sums = (W, b) if online else (np.zeros_like(W), np.zeros_like(b))
    order = np.arange(len(X)) if order is None else order
    mistakes, squares = kernels.committee_pass(
        *as_rows(X, is_sparse), own, np.asarray(weights, dtype=float), order, rate, len(units),
        W, b, *sums,
    )  # fmt: skip
    moved = np.column_stack([W, b] if online else [W + sums[0], b + sums[1]])
    return moved.reshape(units.shape), mistakes, squares


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_hand_worked_pass_of_a_committee(slow_committee_pass, dtype, is_sparse):
    """Five perceptrons, the units of the five numbers of a row (the last is the bias), rate 1/2.

    row                label  activations            votes  what moves by half the row
    (−1, −2, −3, 4)    +      −1, −2, −3, 4, 1       2 : 3  one: u1, at −1
    (2, −1, 1, 3)      −      7, −1, 1, 3, 1         1 : 4  two: u3 and u5, at 1
    (1, 1, 1, 0)       +      −3/2, 1, −1/2, 0, −1/2 1 : 4  two: u4, at 0, and u3 before u5
    (0, −1, 0, −1)     −      −1/2, −1, 1/2, −1, 3/2 3 : 2  none

    u1 = (1, 0, 0, 0, 0) + (−1, −2, −3, 4, 1)/2
    u3 = (0, 0, 1, 0, 0) − (2, −1, 1, 3, 1)/2 + (1, 1, 1, 0, 1)/2
    u4 = (0, 0, 0, 1, 0) + (1, 1, 1, 0, 1)/2
    u5 = (0, 0, 0, 0, 1) − (2, −1, 1, 3, 1)/2
    """
    X = np.array([[-1, -2, -3, 4], [2, -1, 1, 3], [1, 1, 1, 0], [0, -1, 0, -1]], dtype)
    y = np.array([1, -1, 1, -1])
    expected = [
        [0.5, -1, -1.5, 2, 0.5],
        [0, 1, 0, 0, 0],
        [-0.5, 1, 1, -1.5, 0],
        [0.5, 0.5, 0.5, 1, 0.5],
        [-1, 0.5, -0.5, -1.5, 0.5],
    ]
    slow = slow_committee_pass(np.eye(5), X, y, np.ones(4), 0.5)
    found = run_committee(X, np.where(y > 0, 0, -1), np.ones(4), np.eye(5)[None], 0.5,
                          is_sparse=is_sparse)  # fmt: skip
    for units, mistakes, squares in (slow, (found[0][0], *found[1:])):
        np.testing.assert_array_equal(units, expected)
        assert mistakes == 3
        assert squares == 31 + 61 + 3.75 + 4.75


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("online", [True, False])
@pytest.mark.parametrize(
    ("n_rows", "n_features", "n_subproblems", "size"),
    [(1, 1, 1, 1), (2, 3, 1, 3), (60, 5, 1, 7), (90, 12, 4, 5)],
)
def test_a_committee_equals_its_twin(
    slow_committee_pass, n_rows, n_features, n_subproblems, size, online, dtype, is_sparse
):
    """Small integers: sums are exact, so that kernel and twin can't differ by rounding."""
    rng = np.random.default_rng(n_rows)
    X = rng.integers(-3, 4, (n_rows, n_features)).astype(dtype)
    own = rng.integers(-1 if n_subproblems == 1 else 0, n_subproblems, n_rows)
    weights = rng.integers(1, 4, n_rows)
    order = rng.permutation(n_rows)
    units = rng.integers(-3, 4, (n_subproblems, size, n_features + 1)).astype(float)
    found, mistakes, squares = run_committee(
        X, own, weights, units, 0.25, order=order, online=online, is_sparse=is_sparse
    )
    slow = [
        slow_committee_pass(
            units[k], X[order], np.where(own == k, 1, -1)[order], weights[order], 0.25, online
        )
        for k in range(n_subproblems)
    ]
    np.testing.assert_array_equal(found, [s[0] for s in slow])
    assert mistakes == sum(s[1] for s in slow)
    assert squares == sum(s[2] for s in slow)


@given(seed=st.integers(0, 2**32 - 1), size=st.sampled_from([1, 3, 5, 9]))
@settings(max_examples=50, deadline=None)
def test_a_large_step_turns_the_vote_and_no_more(seed, size):
    """Afterwards the row is right by one vote, and only wrong units have moved."""
    rng = np.random.default_rng(seed)
    X, units = rng.standard_normal((1, 4)), rng.standard_normal((1, size, 5))
    x = np.append(X, 1.0)
    before = units[0] @ x
    moved, mistakes, _ = run_committee(X, np.array([0]), [1], units, 1e3)
    after = moved[0] @ x
    if mistakes:
        assert (after > 0).sum() - (after <= 0).sum() == 1
        assert (after > 0)[before > 0].all()
    else:
        np.testing.assert_array_equal(moved, units)


# The regressor


def run_regressor(
    X, targets, weights, units, margin, rate, *, rho, epsilon, mu=1.0, by_sum=True, online=True,
    order=None, is_sparse=False,
):  # fmt: skip
    W, b = split(units, is_sparse)
    sums = (W, b) if online else (np.zeros_like(W), np.zeros_like(b))
    squares = (X.astype(np.float64) ** 2).sum(axis=1) + 1
    order = np.arange(len(X)) if order is None else order
    margin, steps, missed = kernels.regressor_pass(
        *as_rows(X, is_sparse), squares, np.asarray(targets, float), np.asarray(weights, float),
        order, rate, epsilon, rho, mu, margin, rate if by_sum and online else 0.0, online,
        W, b, *sums,
    )  # fmt: skip
    return np.column_stack([*sums]), margin, steps, missed


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_hand_worked_pass_of_the_regressor(regressor_twin, dtype, is_sparse):
    """Four units of the four numbers of a row, the last is the bias; rate and margin 1/2.

    The output is the lead of votes over ρ = 4, the tolerance 1/4, the importance of the margin 2.

    row             activations       output  target  pushes          inside
    (2, 3, −1/4)    2, 3, −1/4, 1     1/2     1/2     0, 0, −2, 0     1
    (−1, 1/4, 3)    −1, 1/4, 3, 1     1/2     −1/2    0, −1, −1, −1   0
    (0, −1/4, −2)   0, −1/4, −2, 1    0       3/4     2, 1, 1, 0      1
    (−3, −1, −1/4)  −3, −1, −1/4, 1   −1/2    −1      0, 0, −2, −1    1

    Sums: u1 2·(0, −1/4, −2, 1); u2 −(−1, 1/4, 3, 1) + (0, −1/4, −2, 1); u3 −2·(2, 3, −1/4, 1) −
    (−1, 1/4, 3, 1) + (0, −1/4, −2, 1) − 2·(−3, −1, −1/4, 1); u4 −(−1, 1/4, 3, 1) −
    (−3, −1, −1/4, 1).
    Steps of the margin, with ε ρ = 1 and at most 4: 0, 1, 0, 0. Squared misses 0, 1, 9/16, 1/4.
    """
    X = np.array([[2, 3, -0.25], [-1, 0.25, 3], [0, -0.25, -2], [-3, -1, -0.25]], dtype)
    targets = [0.5, -0.5, 0.75, -1]
    rule = {"rho": 4.0, "epsilon": 0.25, "mu": 2.0, "online": False}
    sums = np.array([[0, -0.5, -4, 2], [1, -0.5, -5, 0], [3, -4.5, -4, -4], [4, 0.75, -2.75, -2]])
    found, margin, steps, missed = run_regressor(
        X, targets, np.ones(4), np.eye(4), 0.5, 0.5, is_sparse=is_sparse, **rule
    )
    np.testing.assert_array_equal(found, sums / 2)
    assert (margin, steps, missed) == (0.5, 1, 1.8125)
    moved = np.eye(4) + sums / 2
    expected = moved / np.sqrt((moved**2).sum(axis=1))[:, None]
    for by_sum, margin_after in ((True, 0.5 + 0.5 * 1), (False, 0.5 + 0.5 * 1 / 4)):
        slow = regressor_twin(np.eye(4), 0.5, 0.5, by_sum=by_sum, **rule)
        assert slow.see(X, targets, np.ones(4)) == 1.8125
        np.testing.assert_allclose(slow.units, expected, rtol=1e-15)
        assert slow.margin == margin_after


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("by_sum", [True, False])
@pytest.mark.parametrize("rate", [0.01, 1.0, 1e5])
@pytest.mark.parametrize(("size", "rho"), [(1, 1.0), (8, 8.0), (8, 3.5)])
def test_online_passes_equal_the_twin(regressor_twin, size, rho, rate, by_sum, is_sparse):
    """At the high rate a unit's length would overflow within a pass were it not brought back."""
    rng = np.random.default_rng(size)
    X, targets = rng.standard_normal((80, 5)), rng.uniform(-1, 1, 80)
    weights, order = rng.uniform(0.5, 2, 80), rng.permutation(80)
    units = rng.standard_normal((size, 6))
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    rule = {"rho": rho, "epsilon": 0.1, "mu": 0.7, "by_sum": by_sum}
    slow = regressor_twin(units, 0.3, rate, **rule)
    slow_missed = slow.see(X[order], targets[order], weights[order])
    found, margin, steps, missed = run_regressor(
        X, targets, weights, units, 0.3, rate, order=order, is_sparse=is_sparse, **rule
    )
    np.testing.assert_allclose(found, slow.units, rtol=1e-7, atol=1e-9)
    assert missed == pytest.approx(slow_missed)
    if by_sum:
        assert margin == pytest.approx(slow.margin)
    else:
        assert margin == 0.3
        assert max(0, 0.3 + rate * steps / weights.sum()) == pytest.approx(slow.margin)


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_batch_pass_equals_the_twin(regressor_twin, dtype, is_sparse):
    rng = np.random.default_rng(3)
    X, targets = rng.integers(-3, 4, (150, 6)).astype(dtype), rng.integers(-4, 5, 150) / 4
    weights = rng.integers(1, 4, 150)
    units = rng.integers(-2, 3, (9, 7)).astype(float)
    rule = {"rho": 4.0, "epsilon": 0.25, "mu": 0.5, "online": False}
    slow = regressor_twin(units, 4.0, 0.125, **rule)
    slow_missed = slow.see(X, targets, weights)
    found, _, steps, missed = run_regressor(
        X, targets, weights, units, 4.0, 0.125, is_sparse=is_sparse, **rule
    )
    moved = units + found
    np.testing.assert_array_equal(moved / np.linalg.norm(moved, axis=1, keepdims=True), slow.units)
    assert (max(0, 4.0 + 0.125 * steps), missed) == (slow.margin, slow_missed)


def test_a_unit_is_not_moved_onto_zero():
    """Too high an output takes √½ (1, 1), the row with its bias, off the unit √½ (1, 1)."""
    unit = np.full((1, 2), np.sqrt(0.5))
    found, *_ = run_regressor(
        np.array([[1.0]]), [-1.0], [1], unit, 0.0, np.sqrt(0.5), rho=1.0, epsilon=0.5
    )
    np.testing.assert_allclose(found, unit)


def test_numbers_too_small_or_too_large_do_not_break_a_pass():
    rng = np.random.default_rng(5)
    X, units = rng.standard_normal((50, 3)), rng.standard_normal((4, 4))
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    for size in (1e-150, 1e100):
        found, *_ = run_regressor(
            size * X, rng.uniform(-1, 1, 50), np.ones(50), units, 0.1, 0.1, rho=4.0, epsilon=0.1
        )
        np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1)
