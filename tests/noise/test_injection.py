import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse, stats
from sklearn.datasets import make_blobs

from hardy._labels import as_label_array
from hardy.exceptions import InputError
from hardy.noise import flip_labels

N = 4000
CODES = np.repeat([0, 1, 2], [2000, 1500, 500])


def is_likely(count, n, rate):
    """Whether a count is one that a binomial gives in all but one of a million draws."""
    low, high = stats.binom.interval(1 - 1e-6, n, rate)
    return low <= count <= high


def two_dimensional(n=600):
    return make_blobs(n, centers=[[-2, 0], [2, 0]], cluster_std=1.0, random_state=0)


class TestUniform:
    @pytest.mark.parametrize("rate", [0.05, 0.2, 0.5])
    def test_rate_is_met_on_average(self, rate):
        _, is_flipped = flip_labels(CODES, rate, random_state=0)
        assert is_likely(is_flipped.sum(), N, rate)
        for label in range(3):
            of_class = label == CODES
            assert is_likely(is_flipped[of_class].sum(), of_class.sum(), rate)

    def test_other_classes_are_equally_likely(self):
        noisy, is_flipped = flip_labels(CODES, 0.5, random_state=1)
        for label in range(3):
            new = noisy[is_flipped & (label == CODES)]
            assert label not in new
            for other in {0, 1, 2} - {label}:
                assert is_likely((new == other).sum(), len(new), 0.5)

    @settings(deadline=None)
    @given(rate=st.floats(0, 1), n=st.integers(2, 60), seed=st.integers(0, 99), k=st.integers(2, 4))
    def test_exact_flips_that_many(self, rate, n, seed, k):
        y = np.arange(n) % k
        noisy, is_flipped = flip_labels(y, rate, exact=True, random_state=seed)
        assert is_flipped.sum() == round(rate * n)
        np.testing.assert_array_equal(noisy != y, is_flipped)
        assert set(noisy) <= set(y)

    def test_two_classes_swap_at_rate_1(self):
        noisy, is_flipped = flip_labels(["a", "b", "a"], 1, random_state=0)
        assert noisy.tolist() == ["b", "a", "b"]
        assert is_flipped.all()

    def test_every_row_is_as_likely(self):
        total = sum(
            flip_labels([0, 1] * 5, 0.3, exact=True, random_state=seed)[1].astype(int)
            for seed in range(500)
        )
        assert all(is_likely(count, 500, 0.3) for count in total)


class TestClassConditional:
    T = np.array([[0.8, 0.2, 0.0], [0.0, 1.0, 0.0], [0.1, 0.3, 0.6]])

    def test_transition_is_met(self):
        noisy, _ = flip_labels(CODES, kind="class_conditional", transition=self.T, random_state=0)
        for true in range(3):
            n = (true == CODES).sum()
            for label in range(3):
                count = (noisy[true == CODES] == label).sum()
                assert is_likely(count, n, self.T[true, label])

    def test_a_frame_is_read_by_its_labels(self):
        words = np.array(["x", "y", "z"])
        frame = pd.DataFrame(self.T, index=words, columns=words).loc[
            ["z", "x", "y"], ["y", "z", "x"]
        ]
        by_frame = flip_labels(
            words[CODES], kind="class_conditional", transition=frame, random_state=3
        )
        by_array = flip_labels(CODES, kind="class_conditional", transition=self.T, random_state=3)
        np.testing.assert_array_equal(by_frame[0], words[by_array[0]])

    def test_a_rate_alone_moves_rows_to_the_largest_class(self):
        y = np.repeat(["a", "big", "c"], [300, 900, 600])
        noisy, is_flipped = flip_labels(y, 0.25, kind="class_conditional", random_state=0)
        assert set(noisy[is_flipped]) == {"big"}
        assert not is_flipped[y == "big"].any()
        assert is_likely(is_flipped[y == "a"].sum(), 300, 0.25)
        assert is_likely(is_flipped[y == "c"].sum(), 600, 0.25)

    def test_extremes(self):
        y = np.array([0, 1, 1, 2])
        swap = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
        noisy, _ = flip_labels(y, kind="class_conditional", transition=swap)
        assert noisy.tolist() == [1, 2, 2, 0]
        assert flip_labels(y, 1, kind="class_conditional")[0].tolist() == [1, 1, 1, 1]
        assert not flip_labels(y, 0, kind="class_conditional")[1].any()


class TestFeatureDependent:
    @pytest.mark.parametrize("rate", [0.1, 0.3])
    def test_mean_rate_is_met(self, rate):
        X, y = two_dimensional(2000)
        _, is_flipped = flip_labels(y, rate, kind="feature_dependent", X=X, random_state=0)
        # The probabilities differ, so that the count varies less than a binomial one.
        assert is_likely(is_flipped.sum(), len(y), rate)

    def test_rows_near_the_boundary_flip_more(self):
        X, y = two_dimensional(2000)
        _, is_flipped = flip_labels(y, 0.1, kind="feature_dependent", X=X, random_state=0)
        distance = np.abs(X[:, 0])
        near = distance < np.median(distance)
        assert is_flipped[near].mean() > 5 * is_flipped[~near].mean()

    def test_a_label_goes_to_the_likeliest_other_class(self):
        X, y = make_blobs(900, centers=[[0, 0], [3, 0], [30, 0]], random_state=0)
        noisy, is_flipped = flip_labels(y, 0.05, kind="feature_dependent", X=X, random_state=0)
        assert is_flipped.sum() > 20
        assert set(noisy[is_flipped & (y == 0)]) == {1}
        assert set(noisy[is_flipped & (y == 1)]) == {0}

    def test_rate_0_and_1(self):
        X, y = two_dimensional(100)
        assert not flip_labels(y, 0, kind="feature_dependent", X=X)[1].any()
        assert flip_labels(y, 1, kind="feature_dependent", X=X)[1].all()

    def test_rows_without_a_label_are_left_out(self):
        X, y = two_dimensional(200)
        given = [None if row % 4 == 0 else int(label) for row, label in enumerate(y)]
        noisy, is_flipped = flip_labels(given, 0.5, kind="feature_dependent", X=X, random_state=0)
        assert not is_flipped[::4].any()
        assert is_flipped.sum() > 30
        assert all(label is None for label in noisy[::4])


KINDS = {
    "integers": [1, 2],
    "signs": [-1, 1],
    "0 and 5": [0, 5],
    "words": ["no", "yes"],
    "booleans": [False, True],
    "floats": [0.5, 1.5],
}
NOISE = [
    {"rate": 0.3},
    {"rate": 0.3, "exact": True},
    {"rate": 0.3, "kind": "class_conditional"},
    {"kind": "class_conditional", "transition": [[0.5, 0.5], [0.1, 0.9]]},
    {"rate": 0.3, "kind": "feature_dependent"},
]


@pytest.mark.parametrize("noise", NOISE)
@pytest.mark.parametrize("name", KINDS)
def test_the_same_rows_whatever_the_labels_are(noise, name):
    X, codes = two_dimensional(120)
    if noise.get("kind") == "feature_dependent":
        noise = {**noise, "X": X}
    labels = np.array(KINDS[name])
    expected, flipped = flip_labels(codes, **noise, random_state=7)
    assert flipped.any()
    for y in (labels[codes], labels[codes].tolist(), pd.Series(labels[codes], dtype="category")):
        noisy, is_flipped = flip_labels(y, **noise, random_state=7)
        np.testing.assert_array_equal(is_flipped, flipped)
        assert as_label_array(noisy).tolist() == labels[expected].tolist()


CONTAINERS = {
    "list": (list("abcab"), np.ndarray),
    "numpy": (np.array(list("abcab")), np.ndarray),
    "column": (np.array(list("abcab"))[:, None], np.ndarray),
    "series": (pd.Series(list("abcab"), index=[3, 3, 1, 0, 9], name="y"), pd.Series),
    "category": (pd.Series(list("abcab"), dtype="category"), pd.Series),
    "string": (pd.Series(["a", "b", None, "a", "b"], dtype="string"), pd.Series),
    "Int64": (pd.Series([1, 2, None, 1, 2], dtype="Int64"), pd.Series),
    "boolean": (pd.Series([True, False, None, True, False], dtype="boolean"), pd.Series),
    "frame": (pd.DataFrame({"y": list("abcab")}), pd.DataFrame),
    "polars": (pl.Series("y", list("abcab")), pl.Series),
    "polars with null": (pl.Series("y", [1, 2, None, 1, 2]), pl.Series),
    "polars category": (pl.Series("y", list("abcab"), dtype=pl.Categorical), pl.Series),
    "polars frame": (pl.DataFrame({"y": list("abcab")}), pl.DataFrame),
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_containers_stay_what_they_are(name):
    y, kind = CONTAINERS[name]
    before = as_label_array(y).tolist()
    noisy, is_flipped = flip_labels(y, 0.6, exact=True, random_state=0)
    assert type(noisy) is kind
    assert type(is_flipped) is np.ndarray
    assert is_flipped.dtype == bool
    after = as_label_array(noisy).tolist()
    assert [a != b for a, b in zip(before, after, strict=True)] == is_flipped.tolist()
    assert is_flipped.any()
    assert as_label_array(y).tolist() == before
    if kind in (pd.Series, pl.Series):
        assert noisy.dtype == y.dtype
        assert noisy.name == y.name
    if kind is pd.Series:
        assert noisy.index.equals(y.index)


@pytest.mark.parametrize("noise", NOISE[:4])
def test_missing_labels_are_never_flipped(noise):
    y = ["a", None, "b", float("nan"), "b"] * 40
    noisy, is_flipped = flip_labels(y, **noise, random_state=0)
    missing = pd.isna(np.array(y, dtype=object))
    assert is_flipped[~missing].any()
    assert not is_flipped[missing].any()
    assert pd.isna(noisy[missing]).all()


@pytest.mark.filterwarnings("error")
def test_closeness_is_measured_among_the_largest_numbers_too():
    X, y = np.array([[1.7e308], [-1.7e308]] * 10), [1, 0] * 10
    small = flip_labels(y, 0.3, kind="feature_dependent", X=np.sign(X), random_state=0)
    large = flip_labels(y, 0.3, kind="feature_dependent", X=X, random_state=0)
    np.testing.assert_array_equal(large, small)


@pytest.mark.parametrize("kind", ["uniform", "class_conditional", "feature_dependent"])
def test_all_labels_missing(kind):
    noisy, is_flipped = flip_labels([None, None], 0, kind=kind, X=[[0.0], [1.0]])
    assert noisy.tolist() == [None, None]
    assert not is_flipped.any()


@pytest.mark.parametrize("noise", NOISE)
def test_random_state(noise):
    X, y = two_dimensional(100)
    noise = {**noise, "X": X} if noise.get("kind") == "feature_dependent" else noise
    first = flip_labels(y, **noise, random_state=5)[1]
    np.testing.assert_array_equal(first, flip_labels(y, **noise, random_state=5)[1])
    np.testing.assert_array_equal(
        first, flip_labels(y, **noise, random_state=np.random.RandomState(5))[1]
    )
    assert (first != flip_labels(y, **noise, random_state=6)[1]).any()


def test_numpys_own_generator_is_left_alone():
    np.random.seed(3)
    expected = np.random.RandomState(3).uniform()
    flip_labels([0, 1] * 20, 0.5, random_state=0)
    assert np.random.uniform() == expected


Y = [0, 0, 1, 1]
X4 = [[0.0], [1.0], [2.0], [3.0]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"kind": "blue"}, "kind='blue'.*uniform, class_conditional, feature_dependent"),
        ({}, "kind='uniform' needs a rate"),
        ({"kind": "class_conditional"}, "needs a rate"),
        ({"kind": "feature_dependent", "X": X4}, "needs a rate"),
        ({"rate": 1.1}, "rate=1.1 is not a share"),
        ({"rate": -0.1}, "rate=-0.1"),
        ({"rate": float("nan")}, "rate=nan"),
        ({"rate": 0.1, "transition": np.eye(2)}, 'transition needs kind="class_conditional"'),
        ({"rate": 0.1, "exact": True, "kind": "class_conditional"}, "exact=True needs"),
        ({"rate": 0.1, "kind": "feature_dependent"}, "needs X"),
        ({"rate": 0.1, "kind": "feature_dependent", "X": X4[:3]}, r"\(3, 1\), but y has 4"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(InputError, match=message):
        flip_labels(Y, **arguments)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([[0.0], [1.0], [np.nan], [3.0]], "NaN"),
        ([0.0, 1.0, 2.0, 3.0], "2D array"),
    ],
)
def test_bad_features_are_named(X, message):
    with pytest.raises(ValueError, match=message):
        flip_labels(Y, 0.1, kind="feature_dependent", X=X)


def test_sparse_features_are_refused():
    with pytest.raises(InputError, match="dense"):
        flip_labels(Y, 0.1, kind="feature_dependent", X=sparse.csr_array(X4))


@pytest.mark.parametrize(
    ("transition", "message"),
    [
        (np.eye(3), r"shape \(3, 3\), but there are 2 classes: \[0, 1\]"),
        ([[0.5, 0.4], [0, 1]], r"true class 0 is \[0.5, 0.4\]"),
        ([[1, 0], [-0.5, 1.5]], r"true class 1 is \[-0.5, 1.5\]"),
        ([[np.nan, 1], [0, 1]], "true class 0"),
        (pd.DataFrame(np.eye(2), index=[0, 2], columns=[0, 1]), "no row for the class 1"),
        (pd.DataFrame(np.eye(3)), "a row for 2, which is no label in y"),
        (pd.DataFrame(np.eye(2), index=[0, 1], columns=["0", "1"]), "no column for the class 0"),
    ],
)
def test_bad_transitions_are_named(transition, message):
    with pytest.raises(InputError, match=message):
        flip_labels(Y, kind="class_conditional", transition=transition)


def test_only_one_thing_says_how_many_labels_flip():
    with pytest.raises(InputError, match=r"rate=0.2 or transition, not both"):
        flip_labels(Y, 0.2, kind="class_conditional", transition=np.eye(2))


def test_what_has_no_other_class_is_refused():
    with pytest.raises(InputError, match="fewer than two classes"):
        flip_labels(["a", "a"], 0.5)
    assert not flip_labels(["a", "a"], 0)[1].any()
    assert not flip_labels(["a", "a"], 0, kind="feature_dependent", X=[[0.0], [1.0]])[1].any()


def test_a_class_of_one_row_has_no_closeness():
    with pytest.raises(InputError, match="at least 2 rows of each class"):
        flip_labels([0, 0, 0, 1], 0.5, kind="feature_dependent", X=X4)


WITH_A_HOLE = pd.DataFrame({"weight": range(6), "size": [1, 2, 3, None, 5, 6]})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rate": "a"}, "rate='a' is not a share"),
        ({"rate": np.nan}, "rate=nan is not a share"),
        ({"rate": np.inf}, "rate=inf is not a share"),
        ({"rate": -0.1}, "rate=-0.1 is not a share: give a number from 0 to 1"),
        ({"rate": [0.1]}, r"rate=\[0.1\] is not a share"),
        ({"rate": 0.2, "random_state": "x"}, "random_state='x' can't be used"),
        ({"rate": 0.2, "random_state": -1}, "random_state=-1 can't be used: Seed must be"),
        (
            {"rate": 0.2, "kind": "feature_dependent", "X": WITH_A_HOLE},
            "finite numbers as X: Input X contains NaN: column 'size', row 3",
        ),
        (
            {"rate": 0.2, "kind": "feature_dependent", "X": [[0.0], [-np.inf]] * 3},
            "contains infinity: column 0, row 1",
        ),
        ({"rate": 0.2, "kind": "feature_dependent", "X": [["a", "b"]] * 6}, "finite numbers as X"),
        ({"rate": 0.2, "kind": "feature_dependent", "X": object()}, "finite numbers as X"),
        ({"rate": 0.2, "kind": "feature_dependent", "X": np.eye(6)[:0]}, "finite numbers as X"),
        ({"rate": 0.2, "kind": "feature_dependent", "X": np.eye(5)}, r"\(5, 5\), but y has 6"),
        ({"kind": "class_conditional", "transition": "abc"}, "transition must hold numbers"),
        (
            {"kind": "class_conditional", "transition": [[1, 0], [0]]},
            "transition must hold numbers",
        ),
        ({"kind": "class_conditional", "transition": [0.5, 0.5]}, r"the shape \(2,\)"),
        ({"kind": "class_conditional", "transition": np.full((2, 2), np.nan)}, "sum to 1"),
        ({"kind": "class_conditional", "transition": [[1, 0], [np.inf, 0]]}, "sum to 1"),
    ],
)
def test_values_that_are_no_use_are_told_in_words(options, message):
    with pytest.raises(InputError, match=message):
        flip_labels(list("aabbab"), **options)


def test_the_size_of_numbers_does_not_matter():
    X, y = two_dimensional(200)
    noise = {"rate": 0.2, "kind": "feature_dependent", "random_state": 0}
    expected = flip_labels(y, **noise, X=X)[1]
    assert expected.any()
    # Powers of two, so that nothing is rounded.
    for scale in (2.0**-20, 2.0**1000):
        np.testing.assert_array_equal(flip_labels(y, **noise, X=X * scale)[1], expected)
