"""What holds for every measure, and the table of all of them."""

from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import MinMaxScaler

from hardness.tables import labelled_tables, table_without_ties
from hardy import hardness
from hardy.exceptions import InputError
from hardy.hardness import MEASURES, instance_hardness
from hardy.hardness.measures import LABELS_ONLY
from hardy.noise import flip_labels
from matrices import EXTREME, ORDINARY, examples, matrices

# Their folds depend on the order of rows.
PRUNED = {"dcp", "td_p"}
DENSE = {"cl", "cld", "f1", "f2", "f3", "f4"}
SIZES = set(LABELS_ONLY)
TREES = {"ds", "dcp", "td_u", "td_p"}
# Those that break ties by position, or leave them to scikit-learn's trees.
BREAKS_TIES = {"kdn", "n1", "harmfulness"} | TREES
every_measure = pytest.mark.parametrize("name", MEASURES)


def measure(name, X, y):
    return MEASURES[name](X, y, random_state=0)


def test_every_name_is_there():
    assert set(MEASURES) == {
        *("kdn", "ds", "dcp", "td_u", "td_p", "cl", "cld", "mv", "cb", "n1", "n2", "lsc", "lsr"),
        *("usefulness", "harmfulness", "f1", "f2", "f3", "f4"),
    }


@pytest.mark.parametrize(
    ("name", "function", "settings"),
    [
        ("kdn", "k_disagreeing_neighbors", {}),
        ("ds", "disjunct_size", {"random_state": 0}),
        ("dcp", "disjunct_class_percentage", {"random_state": 0}),
        ("td_u", "tree_depth", {"random_state": 0}),
        ("td_p", "tree_depth", {"pruned": True, "random_state": 0}),
        ("cl", "class_likelihood", {}),
        ("cld", "class_likelihood_difference", {}),
        ("mv", "minority_value", {}),
        ("cb", "class_balance", {}),
        ("n1", "mst_disagreement", {}),
        ("n2", "nearest_enemy_ratio", {}),
        ("lsc", "local_set_cardinality", {}),
        ("lsr", "local_set_radius", {}),
        ("usefulness", "usefulness", {}),
        ("harmfulness", "harmfulness", {}),
        ("f1", "feature_overlap", {}),
        ("f2", "feature_overlap", {"statistic": "minimum"}),
        ("f3", "feature_overlap", {"statistic": "mean"}),
        ("f4", "feature_overlap", {"statistic": "maximum"}),
    ],
)
def test_a_name_stands_for_its_function(name, function, settings):
    X, y = table_without_ties()
    expected = getattr(hardness, function)(X, y, **settings)
    np.testing.assert_array_equal(measure(name, X, y), expected)
    np.testing.assert_array_equal(instance_hardness(X, y, [name], random_state=0)[name], expected)


@settings(deadline=None, max_examples=40)
@given(table=labelled_tables(max_rows=12))
@example(table=(np.zeros((2, 2)), np.array([0, 1])))
@example(table=(np.zeros((5, 1)), np.array([0, 0, 0, 0, 0])))
@example(table=(np.arange(5.0).reshape(-1, 1), np.arange(5)))
@example(table=(np.array([[-1.7e308, 0], [1.7e308, 5e-324], [0, 1e-300]]), np.array([0, 1, 1])))
def test_all_lie_in_0_to_1_whatever_the_table(table):
    X, y = table
    frame = instance_hardness(X, y, random_state=0)
    assert frame.shape == (len(y), len(MEASURES))
    assert frame.notna().all(axis=None)
    assert ((frame >= 0) & (frame <= 1)).all(axis=None)


@every_measure
def test_one_class_has_no_hard_rows(name):
    X, _ = table_without_ties()
    expected = 0.5 if name == "cb" else 0.0
    assert set(measure(name, X, ["only"] * len(X))) == {expected}


@every_measure
@pytest.mark.parametrize(
    "labels", [[-1, 1, 5], ["a", "b", "c"], pd.Categorical(["x", "y", "z"]), [0.5, 1.5, 2.5]]
)
def test_labels_of_any_kind(name, labels):
    X, y = table_without_ties(n_classes=2)
    given = pd.Series(labels).take(y).reset_index(drop=True)
    np.testing.assert_array_equal(measure(name, X, given), measure(name, X, y))


@examples(25)
@given(table=labelled_tables(), order=st.permutations(range(4)))
def test_the_order_of_the_classes_does_not_matter(table, order):
    X, y = table
    renamed = np.array(order)[y]
    # Of equally good splits, a tree takes one by chance, whatever the classes' order.
    for name in set(MEASURES) - PRUNED:
        np.testing.assert_allclose(
            measure(name, X, renamed), measure(name, X, y), atol=1e-9, err_msg=name
        )


@pytest.mark.parametrize("name", sorted(PRUNED))
def test_the_order_of_the_classes_does_not_matter_to_pruned_trees(name):
    X, y = table_without_ties()
    np.testing.assert_allclose(measure(name, X, -y), measure(name, X, y), atol=1e-12)


@pytest.mark.parametrize("name", sorted(set(MEASURES) - PRUNED))
def test_the_order_of_the_rows_does_not_matter(name):
    X, y = table_without_ties()
    order = np.random.RandomState(1).permutation(len(y))
    np.testing.assert_allclose(
        measure(name, X[order], y[order]), measure(name, X, y)[order], atol=1e-12
    )


@settings(deadline=None, max_examples=40)
@given(table=labelled_tables())
def test_the_order_of_the_rows_does_not_matter_among_ties(table):
    X, y = table
    order = np.random.RandomState(1).permutation(len(y))
    for name in set(MEASURES) - BREAKS_TIES:
        np.testing.assert_allclose(
            measure(name, X[order], y[order]), measure(name, X, y)[order], atol=1e-6, err_msg=name
        )


# Where few rows are left to an unpruned tree, many splits are equally good, and chance decides.
@pytest.mark.parametrize("name", sorted(set(MEASURES) - {"ds", "td_u"}))
def test_the_order_of_the_columns_does_not_matter(name):
    X, y = table_without_ties()
    expected = measure(name, X, y)
    for order in ([3, 2, 1, 0], [1, 3, 0, 2]):
        np.testing.assert_allclose(measure(name, X[:, order], y), expected, atol=1e-12)


@settings(deadline=None, max_examples=25)
@given(table=labelled_tables(min_columns=2))
def test_the_order_of_the_columns_does_not_matter_among_ties(table):
    X, y = table
    # Which of two equally good columns is split, a tree leaves to chance.
    for name in set(MEASURES) - TREES:
        np.testing.assert_allclose(
            measure(name, X[:, ::-1], y), measure(name, X, y), atol=1e-9, err_msg=name
        )


@settings(deadline=None, max_examples=25)
@given(table=labelled_tables())
def test_rows_that_are_all_there_twice_are_as_hard_as_once(table):
    X, y = table
    # The others count neighbours or victims, of which a twin is one, or rows in a leaf.
    for name in SIZES | DENSE | {"td_u", "lsc", "lsr", "usefulness"}:
        twice = measure(name, np.repeat(X, 2, axis=0), np.repeat(y, 2))
        expected = np.repeat(measure(name, X, y), 2)
        np.testing.assert_allclose(twice, expected, atol=1e-6, err_msg=name)


@every_measure
@pytest.mark.parametrize("dtype", [np.float32, np.int8, bool])
def test_numbers_of_any_type_are_measured_alike(name, dtype):
    X = np.random.RandomState(0).randint(0, 2 if dtype is bool else 90, (40, 3))
    y = np.arange(40) % 3
    expected = measure(name, X.astype(float), y)
    np.testing.assert_allclose(measure(name, X.astype(dtype), y), expected, atol=1e-12)


@pytest.mark.filterwarnings("error")
@examples(40)
@given(
    X=st.one_of(
        matrices([*ORDINARY, *EXTREME], [np.float64, np.float32, np.int64, np.int8]),
        hnp.arrays(
            np.float64,
            st.tuples(st.integers(2, 8), st.integers(1, 12)),
            elements=st.floats(allow_nan=False, allow_infinity=False),
        ),
    ),
    n_classes=st.integers(1, 4),
)
def test_all_lie_in_0_to_1_whatever_the_numbers_and_the_shape(X, n_classes):
    frame = instance_hardness(X, np.arange(len(X)) % n_classes, random_state=0)
    assert ((frame >= 0) & (frame <= 1)).all(axis=None)


@examples(8)
@given(table=labelled_tables(), exponent=st.integers(-900, 900))
def test_the_unit_of_all_features_does_not_matter(table, exponent):
    X, y = table
    for name in MEASURES:
        np.testing.assert_array_equal(
            measure(name, X * 2.0**exponent, y), measure(name, X, y), err_msg=name
        )


@pytest.mark.parametrize("name", sorted(TREES | DENSE | SIZES))
def test_the_unit_of_each_feature_does_not_matter(name):
    X, y = table_without_ties()
    changed = X * [1e-12, 3.0, 5.0, 1e12] + [0.0, 10.0, -5.0, 0.0]
    np.testing.assert_allclose(measure(name, changed, y), measure(name, X, y), atol=1e-9)


@pytest.mark.parametrize("name", sorted(set(MEASURES) - TREES - DENSE - SIZES))
def test_the_unit_of_each_feature_matters_to_distances(name):
    X, y = table_without_ties()
    assert not np.allclose(measure(name, X * [1, 100, 1, 1], y), measure(name, X, y))


@pytest.mark.parametrize("name", sorted(set(MEASURES) - DENSE))
def test_sparse_equals_dense(name):
    X, y = table_without_ties()
    X[:, 2] = 0
    X[np.random.RandomState(0).rand(*X.shape) < 0.5] = 0
    expected = measure(name, X, y)
    for form in (sparse.csr_matrix, sparse.csc_array, sparse.coo_array):
        np.testing.assert_allclose(measure(name, form(X), y), expected, atol=1e-12)


def test_a_cell_that_is_written_twice_counts_as_the_sum():
    y = [0, 0, 1, 1]
    cells = ([1.0, 1.0, 3.0, 5.0, 9.0], ([0, 0, 1, 2, 3], [0, 0, 0, 0, 0]))
    twice = sparse.coo_matrix(cells, shape=(4, 1))
    for name in sorted(set(MEASURES) - DENSE):
        np.testing.assert_array_equal(
            measure(name, twice, y), measure(name, [[2.0], [3.0], [5.0], [9.0]], y)
        )


@pytest.mark.parametrize("name", sorted(set(MEASURES) - SIZES))
def test_a_missing_or_infinite_cell_is_named(name):
    X = pd.DataFrame({"size": [1.0, 2.0, 3.0], "weight": [1.0, 2.0, np.nan]})
    with pytest.raises(InputError, match=r"NaN: column 'weight', row 2 \(1 cell in all"):
        measure(name, X, [0, 1, 1])
    with pytest.raises(InputError, match=r"infinity: column 1, row 2.*finite values"):
        measure(name, X.fillna(np.inf).to_numpy(), [0, 1, 1])


@every_measure
def test_a_missing_label_is_named(name):
    with pytest.raises(InputError, match="Row 1 has no label"):
        measure(name, [[0.0], [1.0], [2.0]], ["a", None, "b"])


@every_measure
def test_those_of_labels_only_see_no_cells(name):
    X, y = table_without_ties()
    missing = np.full_like(X, np.nan)
    if name in LABELS_ONLY:
        np.testing.assert_array_equal(measure(name, missing, y), measure(name, X, y))
    else:
        with pytest.raises(InputError, match="contains NaN"):
            measure(name, missing, y)


@every_measure
def test_a_table_without_rows_is_refused(name):
    with pytest.raises(ValueError, match=r"no rows|0 sample"):
        measure(name, np.empty((0, 2)), [])


@every_measure
def test_input_is_left_as_it_is(name):
    X, y = table_without_ties()
    kept = X.copy()
    X.flags.writeable = y.flags.writeable = False
    measure(name, X, y)
    np.testing.assert_array_equal(X, kept)


def test_flipped_labels_are_hard():
    X, y = load_breast_cancer(return_X_y=True)
    y, is_flipped = flip_labels(y, 0.1, random_state=0)
    frame = instance_hardness(MinMaxScaler().fit_transform(X), y, random_state=0)
    flipped, others = frame[is_flipped].mean(), frame[~is_flipped].mean()
    for name in ("kdn", "dcp", "cl", "cld", "n1"):
        assert flipped[name] > others[name] + 0.5
    assert flipped["ds"] > others["ds"] + 0.2
    assert flipped["n2"] > others["n2"] + 0.05
    # Nearly all local sets are small in a table with wrong labels; what is left is smaller still.
    for name in ("lsc", "lsr", "usefulness"):
        assert 1 - flipped[name] < 0.7 * (1 - others[name])
    assert flipped["harmfulness"] > 10 * others["harmfulness"]


def test_the_table_holds_all_measures_on_the_rows_of_a_frame():
    X, y = table_without_ties()
    X = pd.DataFrame(X, index=[f"row {i}" for i in range(len(X))], columns=list("abcd"))
    frame = instance_hardness(X, y, random_state=0)
    assert frame.columns.tolist() == list(MEASURES)
    assert frame.index.equals(X.index)
    for name in MEASURES:
        np.testing.assert_array_equal(frame[name], measure(name, X, y))


def test_the_table_of_other_containers_is_numbered():
    X, y = table_without_ties()
    expected = instance_hardness(X, y, ["n1", "ds"], random_state=0)
    assert expected.index.tolist() == list(range(len(y)))
    given = instance_hardness(pl.DataFrame(X), pl.Series(y), ("n1", "ds"), random_state=0)
    pd.testing.assert_frame_equal(given, expected)


def test_measures_can_be_functions():
    def certainty(X, y):
        return np.linspace(0, 1, len(y))

    X, y = table_without_ties()
    frame = instance_hardness(X, y, [certainty, "mv"])
    assert frame.columns.tolist() == ["certainty", "mv"]
    assert frame["certainty"].iloc[[0, -1]].tolist() == [0, 1]
    assert instance_hardness(X, y, certainty).columns.tolist() == ["certainty"]
    assert instance_hardness(X, y, "n2").columns.tolist() == ["n2"]
    assert instance_hardness(X, y, []).shape == (len(y), 0)


def test_measures_come_in_any_iterable():
    X, y = table_without_ties()
    expected = instance_hardness(X, y, ["n1", "mv"])
    for measures in (
        ("n1", "mv"),
        np.array(["n1", "mv"]),
        iter(["n1", "mv"]),
        {"n1": 0, "mv": 0}.keys(),
    ):
        pd.testing.assert_frame_equal(instance_hardness(X, y, measures), expected)


def test_a_mapping_names_the_columns():
    X, y = table_without_ties()
    of_three, of_nine = (partial(hardness.k_disagreeing_neighbors, n_neighbors=k) for k in (3, 9))
    frame = instance_hardness(X, y, {"kDN of 9": of_nine, "N1": "n1", "kDN of 3": of_three})
    assert frame.columns.tolist() == ["kDN of 9", "N1", "kDN of 3"]
    np.testing.assert_array_equal(frame["kDN of 9"], of_nine(X, y))
    np.testing.assert_array_equal(frame["kDN of 3"], of_three(X, y))
    np.testing.assert_array_equal(frame["N1"], measure("n1", X, y))
    pd.testing.assert_frame_equal(
        instance_hardness(X, y, MEASURES, random_state=0), instance_hardness(X, y, random_state=0)
    )
    with pytest.raises(InputError, match=r"'k_disagreeing_neighbors' is .* twice.*A mapping gives"):
        instance_hardness(X, y, [of_three, of_nine])


def test_functions_may_measure_other_tables_on_their_way():
    def first(X, y):
        return hardness.local_set_cardinality(X[:, [0]], y)

    def second(X, y):
        return hardness.local_set_cardinality(X[:, [1]], y)

    def mean(X, y):
        buffer = np.empty((len(X), 1))
        values = []
        for column in X.T:
            buffer[:, 0] = column
            values.append(hardness.local_set_cardinality(buffer, y))
        return np.mean(values, axis=0)

    X, y = table_without_ties()
    frame = instance_hardness(X, y, [first, "lsc", second, mean])
    assert frame.columns.tolist() == ["first", "lsc", "second", "mean"]
    for function in (first, second, mean):
        np.testing.assert_array_equal(frame[function.__name__], function(X, y))
    np.testing.assert_array_equal(frame["lsc"], measure("lsc", X, y))


def test_a_function_that_writes_to_its_rows_spoils_no_named_measure():
    def careless(X, y):
        X[:] = 0
        return np.zeros(len(X))

    X, y = table_without_ties()
    expected = instance_hardness(X, y, ["n2", "lsc"])
    given = instance_hardness(X, y, [careless, "n2", "lsc"])
    pd.testing.assert_frame_equal(given[["n2", "lsc"]], expected)


def test_what_is_no_measure_is_named():
    X, y = table_without_ties()
    with pytest.raises(InputError, match=r"no measure 'harmfullness'; did you mean 'harmfulness'"):
        instance_hardness(X, y, ["harmfullness"])
    with pytest.raises(InputError, match=r"no measure 'KDN'; did you mean 'kdn'"):
        instance_hardness(X, y, "KDN")
    with pytest.raises(InputError, match=r"no measure None; there are kdn, ds"):
        instance_hardness(X, y, [None])
    with pytest.raises(InputError, match=r"no measure \['kdn'\]"):
        instance_hardness(X, y, [["kdn"]])
    with pytest.raises(InputError, match="no measure 1"):
        instance_hardness(X, y, {"kdn": 1})
    with pytest.raises(InputError, match="'n1' is among the measures twice"):
        instance_hardness(X, y, ["n1", "n2", "n1"])

    def half(X, y):
        return y[:30] / 10

    def far(X, y):
        return np.where(np.arange(len(y)) == 4, 1.5, 0.5)

    def words(X, y):
        return ["easy"] * len(y)

    with pytest.raises(InputError, match=r"hardness that words gives must be numbers \(.*'easy'"):
        instance_hardness(X, y, [words])
    with pytest.raises(InputError, match=r"half gives the shape \(30,\), but X has 60 rows"):
        instance_hardness(X, y, [half])
    with pytest.raises(InputError, match=r"far gives 1\.5 for row 4"):
        instance_hardness(X, y, [far])


def test_the_seed_decides_and_is_the_same_for_all_measures():
    X, y = table_without_ties()
    # Of two equal columns, either may be split: only the seed tells which.
    X = np.random.RandomState(0).randint(0, 3, (60, 5)).astype(float)
    seeded = [instance_hardness(X, y, ["ds", "td_u", "dcp"], random_state=3) for _ in range(2)]
    pd.testing.assert_frame_equal(*seeded)
    drawn = [
        instance_hardness(X, y, ["ds", "td_p"], random_state=np.random.RandomState(seed))
        for seed in (5, 5)
    ]
    pd.testing.assert_frame_equal(*drawn)
    assert any(
        not seeded[0]["ds"].equals(instance_hardness(X, y, "ds", random_state=seed)["ds"])
        for seed in range(5)
    )


def test_what_measures_have_in_common_is_computed_once(monkeypatch):
    calls = []
    from hardy.hardness import local_sets

    kernel = local_sets.compare_with_all
    monkeypatch.setattr(
        local_sets, "compare_with_all", lambda *args: (calls.append(1), kernel(*args))
    )
    X, y = table_without_ties()
    instance_hardness(X, y, ["n2", "lsc", "lsr", "usefulness", "harmfulness"])
    assert len(calls) == 1
    # Nothing is remembered beyond the call: the same array may hold something else then.
    X[:, 0] = 0
    assert instance_hardness(X, y, "n2")["n2"].tolist() == measure("n2", X, y).tolist()


def test_what_is_no_measure():
    with pytest.raises(InputError, match="measures=3 must be a name, a function, or a list"):
        instance_hardness([[0.0], [1.0]], [0, 1], 3)
