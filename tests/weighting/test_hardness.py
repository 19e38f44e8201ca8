import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from hardy.exceptions import InputError
from hardy.hardness import MEASURES, k_disagreeing_neighbors
from hardy.hardness.measures import LABELS_ONLY
from hardy.weighting import AdaBoost, Opinion, TrainingSet
from hardy.weighting.hardness import (
    HardnessFactor,
    Neighborhood,
    check_hardness,
    fit_scaler,
    measure_hardness,
    neighbor_disagreement,
)


def weights(rule):
    (request,) = rule.requests()
    return request.weights


def table(X, y, weights=None):
    weights = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=float)
    return TrainingSet(X, np.asarray(y), max(y) + 1, weights, np.arange(len(y)), None)


def test_two_rounds_worked_by_hand(training):
    rule = HardnessFactor(lambda training: np.array([0.0, 0.0, 0.5, 0.0, 1.0]))
    rule.start(training([0, 0, 0, 1, 1]))

    # Row 4 is wrong: ε = 1/5, e^α = 2. Right rows × 1/2, the half-hard one × 1/√2, row 4 × 1.
    step = rule.update([Opinion(np.array([0, 0, 0, 1, 0]))])
    assert step.error == pytest.approx(1 / 5)
    assert step.coefficient == pytest.approx(np.log(2))
    after = np.array([1, 1, np.sqrt(2), 1, 2])
    assert_allclose(weights(rule), after / after.sum())

    # Row 2 is wrong: ε = √2/(5 + √2), and its exponent is halved again.
    step = rule.update([Opinion(np.array([0, 0, 1, 1, 1]))])
    odds = 5 / np.sqrt(2)
    assert step.coefficient == pytest.approx(np.log(odds) / 2)
    factor = np.sqrt(odds)
    after *= [1 / factor, 1 / factor, np.sqrt(factor), 1 / factor, 1]
    assert_allclose(weights(rule), after / after.sum())


def test_only_mistakes_may_be_mitigated(training):
    rule = HardnessFactor(lambda training: np.array([0, 0, 0.5, 0, 0.5]), mitigate="mistakes")
    rule.start(training([0, 0, 0, 1, 1]))
    # e^α = 2: right rows × 1/2, hard or not, and the wrong one × √2.
    rule.update([Opinion(np.array([0, 0, 0, 1, 0]))])
    after = np.array([1, 1, 1, 1, 2 * np.sqrt(2)])
    assert_allclose(weights(rule), after / after.sum())


def test_a_round_of_three_classes_worked_by_hand(training):
    rule = HardnessFactor(lambda training: np.array([0.0, 0.0, 0.0, 1.0, 0.5]))
    rule.start(training([0, 1, 2, 0, 1]))
    # ε = 1/5, α = ln 8: right rows × 8^(−2/3) = 1/4, the hard one × 1, the wrong one × 8^(1/6).
    rule.update([Opinion(np.array([0, 1, 2, 0, 2]))])
    after = np.array([1 / 4, 1 / 4, 1 / 4, 1, np.sqrt(2)])
    assert_allclose(weights(rule), after / after.sum())


@pytest.mark.parametrize("mitigate", ["mistakes", "all"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_without_hardness_it_is_adaboost(training, n_classes, mitigate):
    rng = np.random.default_rng(1)
    y = np.arange(40) % n_classes
    rule, adaboost = HardnessFactor(lambda training: np.zeros(40), mitigate), AdaBoost()
    rule.start(training(y))
    adaboost.start(training(y))
    for _ in range(6):
        opinion = Opinion(np.where(rng.random(40) < 0.3, (y + 1) % n_classes, y))
        assert rule.update([opinion]) == adaboost.update([opinion])
        assert_array_equal(weights(rule), weights(adaboost))


def test_disagreement_is_kdn_of_standardised_columns():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)) * [1, 100, 0.01] + 5
    y = rng.integers(0, 3, 60)
    expected = k_disagreeing_neighbors((X - X.mean(axis=0)) / X.std(axis=0), y, 7)
    assert_array_equal(neighbor_disagreement(table(X, y), 7), expected)


def test_sparse_rows_have_the_neighbours_of_dense_ones():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4)) * (rng.random((60, 4)) < 0.6)
    y = rng.integers(0, 2, 60)
    assert_array_equal(
        neighbor_disagreement(table(sparse.csr_array(X), y), 5),
        neighbor_disagreement(table(X, y), 5),
    )
    kept = fit_scaler(table(sparse.csr_array(X), y)).transform(sparse.csr_array(X))
    assert kept.nnz == np.count_nonzero(X)


@given(
    rows=st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 2), st.integers(1, 4)), min_size=2, max_size=12
    ),
    k=st.integers(1, 6),
)
def test_a_weight_is_as_many_equal_rows(rows, k):
    """A twin that repeats the rows; there are many ties and duplicates among these."""
    values, y, counts = map(np.array, zip(*rows, strict=True))
    points = values[:, None].astype(float)

    def disagreeing(points, y, weights):
        near = Neighborhood.of(points, weights, k)
        return (near.masses * (y[near.rows] != y[:, None])).sum(axis=1)

    weighted = disagreeing(points, y, counts.astype(float))
    repeated = np.repeat(points, counts, axis=0), np.repeat(y, counts)
    assert_allclose(
        np.repeat(weighted, counts), disagreeing(*repeated, np.ones(counts.sum())), atol=1e-12
    )


def test_the_columns_of_weighted_rows_are_standardised_as_those_of_repeated_ones():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)) * [1, 50, 0.1], rng.integers(0, 2, 40)
    counts = rng.integers(1, 4, 40)
    repeated = neighbor_disagreement(table(np.repeat(X, counts, axis=0), np.repeat(y, counts)), 5)
    assert_allclose(np.repeat(neighbor_disagreement(table(X, y, counts), 5), counts), repeated)


def test_a_constant_column_changes_nothing():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 2)), rng.integers(0, 2, 30)
    assert_array_equal(
        neighbor_disagreement(table(np.c_[X, np.full(30, 7.0)], y), 5),
        neighbor_disagreement(table(X, y), 5),
    )


def test_all_others_are_neighbours_where_there_are_few():
    near = Neighborhood.of(np.array([[0.0], [1.0], [5.0]]), np.ones(3), 10)
    assert_array_equal(near.rows, [[0, 1, 2], [1, 0, 2], [2, 1, 0]])
    assert_array_equal(near.distances, [[0, 1, 5], [0, 1, 4], [0, 4, 5]])
    assert_array_equal(near.masses, [[0, 1, 1]] * 3)


@pytest.mark.parametrize("name", ["n1", "ds", "mv", "usefulness"])
def test_every_measure_takes_a_weight_as_repetition(name):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 2)), np.arange(20) % 2
    counts = rng.integers(1, 4, 20)
    owner = np.repeat(np.arange(20), counts)
    scaler = StandardScaler().fit(X[owner])

    def measure(training):
        training = training._replace(random_state=np.random.RandomState(0))
        return measure_hardness(training, name, 5, scaler)

    expected = np.bincount(owner, measure(table(X[owner], y[owner]))) / counts
    assert_allclose(measure(table(X, y, counts)), expected)


def test_values_whose_squares_overflow_are_named():
    X = np.array([[0.0, 1.0], [1.0, 1e300], [2.0, 3.0]])
    with pytest.raises(InputError, match="column 1 of X are so large"):
        fit_scaler(table(X, [0, 1, 1]))


@pytest.mark.parametrize(
    ("hardness", "message"),
    [
        (["a", "b"], "hardness must be numbers"),
        ([None, {}], "hardness must be numbers"),
        ([0.5], r"hardness has the shape \(1,\), but X has 2 rows"),
        ([0.5, 1.5], r"hardness is 1\.5 for row 1"),
    ],
)
def test_hardness_that_is_no_use(hardness, message):
    with pytest.raises(InputError, match=message):
        check_hardness(hardness, 2)


@pytest.mark.parametrize("name", ["mv", "cb"])
def test_measures_of_labels_only_take_missing_values(name):
    X, y = np.full((4, 2), np.nan), np.array([0, 0, 0, 1])
    training = TrainingSet(X, y, 2, np.array([1.0, 2.0, 1.0, 1.0]), np.arange(4), None)
    training = training._replace(random_state=np.random.RandomState(0))
    hardness = measure_hardness(training, name, 5, None)
    assert_allclose(hardness, MEASURES[name](np.zeros((5, 1)), y[[0, 1, 1, 2, 3]])[[0, 1, 3, 4]])


def test_kdn_is_measured_where_the_scaler_puts_the_rows():
    X, y = np.array([[0.0, 5.0], [1.0, 0.0], [9.0, 5.1], [9.5, 0.1]]), np.array([0, 0, 1, 1])
    second = FunctionTransformer(lambda rows: rows[:, 1:])
    assert measure_hardness(table(X, y), "kdn", 1, second).tolist() == [1, 1, 1, 1]
    first = FunctionTransformer(lambda rows: rows[:, :1])
    assert measure_hardness(table(X, y), "kdn", 1, first).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("name", ["kdn", *sorted(set(MEASURES) - LABELS_ONLY - {"kdn"})])
def test_hardness_of_small_integers_doesnt_depend_on_the_precision(name):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 5, (200, 6)).astype(np.float64), rng.integers(0, 2, 200)

    def measure(rows):
        training = table(rows, y)._replace(random_state=np.random.RandomState(0))
        return measure_hardness(training, name, 5, fit_scaler(training))

    assert_array_equal(measure(X.astype(np.float32)), measure(X))


def test_fractions_of_weights_scale_alike_in_both_precisions():
    X, y = np.array([[0.0], [1.0], [3.0], [7.0]]), [0, 0, 1, 1]
    weights = [0.1, 0.3, 0.7, 1.1]
    single = fit_scaler(table(X.astype(np.float32), y, weights))
    assert_array_equal(single.var_, fit_scaler(table(X, y, weights)).var_)
