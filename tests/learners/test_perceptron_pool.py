import tracemalloc

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Perceptron

from hardy.exceptions import InputError
from hardy.learners import _perceptron_pool as perceptron_pool
from hardy.learners._kernels.perceptron_pool import LANES
from hardy.learners._perceptron_pool import count_votes, train_pool


def integers(n_rows=60, n_features=5, n_classes=2, n_members=7, seed=0, dtype=np.float64):
    """Rows of small integers, on which no sum is rounded."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, (n_rows, n_features)).astype(dtype)
    codes = rng.integers(0, n_classes, n_rows)
    return X, codes, n_classes, rng.poisson(1, (n_rows, n_members)).astype(np.uint8)


@pytest.fixture
def seen(monkeypatch):
    """Give a function that lists the visits of each member, once for each sub-problem."""
    crews, alone = {}, []
    train_crew, train_alone = (perceptron_pool.kernels.train_crew,
                               perceptron_pool.kernels.train_alone)  # fmt: skip

    def note_crew(dense, csr, signs, counts, stream, is_active, scale, weights, bias):
        members = crews.setdefault((tuple(signs), id(counts)), [[] for _ in is_active])
        for visits, active in zip(members, is_active, strict=True):
            assert active in (0, 1)
            visits.extend(stream if active else [])
        train_crew(dense, csr, signs, counts, stream, is_active, scale, weights, bias)

    def note_alone(dense, csr, signs, visits, *rest):
        alone.append(visits)
        train_alone(dense, csr, signs, visits, *rest)

    monkeypatch.setattr(perceptron_pool.kernels, "train_crew", note_crew)
    monkeypatch.setattr(perceptron_pool.kernels, "train_alone", note_alone)
    return crews, alone


def scikit_learns(X, positive, visits):
    """Let scikit-learn's perceptron go through the visits once, in their order."""
    model = Perceptron(max_iter=1, tol=None, shuffle=False).fit(X[visits], positive[visits])
    return model.coef_[0], model.intercept_[0]


def subproblems(codes, n_classes):
    return [codes == k for k in ([1] if n_classes == 2 else range(n_classes))]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_independent_members_are_scikit_learns(seen, n_classes, dtype):
    X, codes, _, counts = integers(n_classes=n_classes, dtype=dtype)
    coef, intercept = train_pool(
        X, codes, n_classes, counts, n_epochs=3, order="independent", random_state=0
    )
    visits = iter(seen[1])
    orders = set()
    for member, bag in enumerate(counts.T):
        for k, positive in enumerate(subproblems(codes, n_classes)):
            epochs = [next(visits) for _ in range(3)]
            for epoch in epochs:
                np.testing.assert_array_equal(np.sort(epoch), np.repeat(np.arange(60), bag))
            orders.update(map(tuple, epochs))
            weights, bias = scikit_learns(X, positive, np.concatenate(epochs))
            np.testing.assert_array_equal(coef[member, k], weights)
            assert intercept[member, k] == bias
    assert len(orders) == 3 * coef.shape[0] * coef.shape[1]
    assert coef.dtype == intercept.dtype == dtype


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("n_members", [1, 7, LANES + 3])
def test_a_shared_order_is_scikit_learns_perceptron_where_no_row_comes_twice(
    seen, n_members, n_classes, dtype
):
    X, codes, _, counts = integers(n_classes=n_classes, n_members=n_members, dtype=dtype)
    counts = np.minimum(counts, 1)
    coef, intercept = train_pool(X, codes, n_classes, counts, n_epochs=3, random_state=0)
    assert coef.dtype == intercept.dtype == dtype
    for k, positive in enumerate(subproblems(codes, n_classes)):
        signs = tuple(np.where(positive, 1, -1))
        crews = [crew for (own, _), crew in seen[0].items() if own == signs]
        visits = [member for crew in crews for member in crew if member]
        assert len(visits) == n_members
        for member, (own, bag) in enumerate(zip(visits, counts.T, strict=True)):
            own = np.array(own)
            weights, bias = scikit_learns(X, positive, own[bag[own] > 0])
            np.testing.assert_array_equal(coef[member, k], weights)
            assert intercept[member, k] == bias


@pytest.mark.parametrize("n_rows", [4, 60])
def test_windows_are_staggered(seen, n_rows):
    """Each member sees all rows in each of its epochs, and ends on rows of its own."""
    X, codes, _, counts = integers(n_rows=n_rows, n_members=10)
    train_pool(X, codes, 2, counts, n_epochs=4, random_state=0)
    (visits,) = seen[0].values()
    first = visits[0]
    assert len(first) == 4 * n_rows
    for start in range(0, 4 * n_rows, n_rows):
        assert sorted(first[start : start + n_rows]) == list(range(n_rows))
    stream = first + first[:n_rows]
    assert not any(visits[10:])
    for member, own in enumerate(visits[:10]):
        start = member * n_rows // 10
        assert own == stream[start : start + 4 * n_rows]
        np.testing.assert_array_equal(np.bincount(own), 4)


def test_each_subproblem_and_crew_has_its_own_stream(seen):
    X, codes, _, counts = integers(n_classes=3, n_members=LANES + 1)
    train_pool(X, codes, 3, counts, random_state=0)
    assert len(seen[0]) == 6
    assert len({tuple(crew[0]) for crew in seen[0].values()}) == 6


@pytest.mark.parametrize("order", ["shared", "independent"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_sparse_rows_give_the_same(order, n_classes):
    X, codes, _, counts = integers(n_classes=n_classes, n_features=9)
    X[np.random.default_rng(1).random(X.shape) < 0.6] = 0
    options = {"order": order, "random_state": 0}
    dense = train_pool(X, codes, n_classes, counts, **options)
    twice = sparse.csr_array(
        (
            np.repeat(X[X != 0], 2) / 2,
            np.repeat(sparse.csr_array(X).indices, 2),
            sparse.csr_array(X).indptr * 2,
        ),
        shape=X.shape,
    )
    for rows in (sparse.csr_array(X), sparse.csr_matrix(X), twice):
        for one, other in zip(
            train_pool(rows, codes, n_classes, counts, **options), dense, strict=True
        ):
            np.testing.assert_array_equal(one, other)
        np.testing.assert_array_equal(count_votes(*dense, rows), count_votes(*dense, X))
    assert len(twice.data) == 2 * np.count_nonzero(X)


def test_the_scale_of_the_bias_is_scikit_learns_on_sparse_rows(seen):
    X, codes, _, counts = integers()
    X = sparse.csr_array(X)
    coef, intercept = train_pool(
        X, codes, 2, counts, n_epochs=1, bias_scale=0.01, order="independent", random_state=0
    )
    for member, visits in enumerate(seen[1]):
        weights, bias = scikit_learns(X, codes == 1, visits)
        np.testing.assert_allclose(coef[member, 0], weights, rtol=1e-12)
        assert intercept[member, 0] == pytest.approx(bias, rel=1e-12)


@pytest.mark.parametrize("order", ["shared", "independent"])
def test_the_learning_rate_scales_the_weights(order):
    problem = integers()
    one = train_pool(*problem, order=order, random_state=0)
    half = train_pool(*problem, order=order, learning_rate=0.5, random_state=0)
    for whole, part in zip(one, half, strict=True):
        assert whole.any()
        np.testing.assert_array_equal(part, whole / 2)


@pytest.mark.parametrize("order", ["shared", "independent"])
def test_rows_outside_the_bag_are_absent(order):
    """What they hold is of no matter to the member, but it is to the others."""
    X, codes, n_classes, counts = integers()
    counts[:10, 0], counts[:10, 1] = 0, 1
    before = train_pool(X, codes, n_classes, counts, order=order, random_state=0)
    X[:10], codes[:10] = 50, 1 - codes[:10]
    after = train_pool(X, codes, n_classes, counts, order=order, random_state=0)
    for one, other in zip(before, after, strict=True):
        np.testing.assert_array_equal(one[0], other[0])
        assert (one[1] != other[1]).any()


@pytest.mark.parametrize("order", ["shared", "independent"])
def test_an_empty_bag_leaves_zeros(order):
    X, codes, n_classes, counts = integers()
    counts[:, 2] = 0
    coef, intercept = train_pool(X, codes, n_classes, counts, order=order, random_state=0)
    assert not coef[2].any()
    assert not intercept[2].any()
    assert all(coef[member].any() for member in (0, 1, 3, 4, 5, 6))


@pytest.mark.parametrize("order", ["shared", "independent"])
def test_threads_and_layouts_change_nothing(order):
    X, codes, n_classes, counts = integers(n_classes=3, n_members=LANES + 9)
    one = train_pool(X, codes, n_classes, counts, order=order, random_state=0)
    options = {"order": order, "random_state": 0}
    for other in (
        train_pool(X, codes, n_classes, counts, n_jobs=2, **options),
        train_pool(X, codes, n_classes, np.asfortranarray(counts), **options),
        train_pool(np.asfortranarray(X), codes, n_classes, counts, **options),
        train_pool(X, codes, n_classes, counts.astype(np.uint16), **options),
    ):
        for part, same in zip(one, other, strict=True):
            np.testing.assert_array_equal(part, same)
    others = train_pool(X, codes, n_classes, counts, order=order, random_state=1)
    assert (one[0] != others[0]).any()


def test_rows_and_counts_must_fit():
    X, codes, n_classes, counts = integers()
    with pytest.raises(InputError, match=r"60 rows, .* 59 codes and 60 rows of counts"):
        train_pool(X, codes[:-1], n_classes, counts)
    with pytest.raises(InputError, match=r"would never end: 1180591620717411303424\. Set a lower"):
        train_pool(X, codes, n_classes, counts, n_epochs=2**70)


def test_overflow_is_told():
    X, codes, n_classes, counts = integers(dtype=np.float32)
    with pytest.raises(InputError, match="scale them"):
        train_pool(X * np.float32(1e38), codes, n_classes, counts, random_state=0)


@pytest.mark.parametrize("container", [np.array, sparse.csr_array])
def test_rows_whose_activations_overflow_are_refused(container):
    """What the sum would be depends on its order, and so on the rows beside them."""
    coef, intercept = np.array([[[2.0, -2.0]]]), np.zeros((1, 1))
    rows = container([[1.0, 0.0], [1e308, 1e308]])
    with pytest.raises(InputError, match="activations overflow: scale them"):
        count_votes(coef, intercept, rows)
    votes = count_votes(coef / 4, intercept, rows)
    np.testing.assert_array_equal(votes, [[0, 1], [1, 0]])


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("n_classes", [2, 5])
def test_predictions_and_votes_are_scikit_learns(n_classes, dtype, monkeypatch):
    monkeypatch.setattr(perceptron_pool, "_PREDICTIONS_AT_ONCE", 200)
    X, codes, _, counts = integers(n_classes=n_classes, n_rows=90, dtype=dtype)
    coef, intercept = train_pool(X, codes, n_classes, counts, random_state=0)
    model = Perceptron(max_iter=1, tol=None).fit(X, codes)
    expected = np.zeros((90, n_classes))
    for member in range(7):
        model.coef_, model.intercept_ = coef[member], intercept[member]
        expected += np.eye(n_classes)[model.predict(X)]
    np.testing.assert_array_equal(count_votes(coef, intercept, X), expected)


def test_equal_activations():
    """Two classes: only above 0 is the second; several: the first of the highest."""
    zeros = np.zeros((3, 2))
    below = count_votes(np.zeros((1, 1, 2)), np.zeros((1, 1)), zeros)
    np.testing.assert_array_equal(below, [[1, 0]] * 3)
    tied = count_votes(np.zeros((1, 4, 2)), np.array([[0.0, 2.0, 1.0, 2.0]]), zeros)
    np.testing.assert_array_equal(tied, [[0, 1, 0, 0]] * 3)


def test_more_than_255_members_can_be_counted():
    votes = count_votes(np.ones((300, 1, 1)), np.zeros((300, 1)), np.array([[1.0], [-1.0]]))
    np.testing.assert_array_equal(votes, [[0, 300], [300, 0]])


def test_no_rows():
    coef, intercept = np.ones((3, 4, 2)), np.zeros((3, 4))
    assert count_votes(coef, intercept, np.empty((0, 2))).shape == (0, 4)


def test_the_visits_of_one_epoch_are_held_at_once():
    X, codes = np.random.default_rng(0).normal(size=(1000, 2)), np.arange(1000) % 2
    counts = np.ones((1000, 3), dtype=np.uint8)
    train_pool(X, codes, 2, counts, n_epochs=1, random_state=0)
    tracemalloc.start()
    train_pool(X, codes, 2, counts, n_epochs=500, random_state=0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100 * counts.nbytes < 500 * X[:, 0].nbytes
