import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.preprocessing import quantile_transform, scale

from hardy.exceptions import InputError
from hardy.hardness import nearest_neighbors
from hardy.panel import views as module
from hardy.panel.views import Views
from hardy.tabular import TableEncoder

RNG = np.random.RandomState(0)
X = np.column_stack([RNG.normal(size=50), RNG.exponential(size=50), RNG.randint(0, 3, 50)])
FRAME = pd.DataFrame({"a": X[:, 0], "b": np.where(X[:, 1] > 2, np.nan, X[:, 1]), "c": X[:, 2] > 1})
NAMES = ["original", "plain", "standard", "normal"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("table", "encoder"),
    [
        (X, None),
        (X.astype(np.float32), None),
        (1e300 * X, None),
        (sparse.csr_array(X), None),
        (sparse.csr_array(1e-200 * X), None),
        (FRAME, TableEncoder()),
    ],
    ids=["dense", "single", "huge", "sparse", "tiny sparse", "frame"],
)
def test_the_same_rows_look_the_same(table, encoder, name):
    views = Views(table, encoder)
    training, again = views.training(name), views.transform(table, name)
    if name != "original" and sparse.issparse(training):
        assert sparse.issparse(again)
        training, again = training.toarray(), again.toarray()
    if name == "original":
        assert again is table
        return
    np.testing.assert_array_equal(training, again)
    part = views.transform(table[:7], name)
    part = part.toarray() if sparse.issparse(part) else part
    np.testing.assert_allclose(part, training[:7], rtol=1e-12)


def test_plain_is_what_was_given():
    assert Views(X).plain is X
    matrix = sparse.csr_array(X)
    assert Views(matrix).plain is matrix


def test_standard_is_standardised():
    np.testing.assert_allclose(Views(X).standard, scale(X), atol=1e-12)


def test_normal_is_quantile_normalised_clipped_and_standardised():
    quantiles = quantile_transform(X, n_quantiles=50, output_distribution="normal")
    assert np.abs(quantiles).max() > 3
    np.testing.assert_allclose(Views(X).normal, scale(np.clip(quantiles, -3, 3)), atol=1e-12)


def test_normal_does_not_see_a_monotone_change():
    continuous = X[:, :2]
    np.testing.assert_allclose(Views(continuous).normal, Views(np.exp(continuous)).normal)


@pytest.mark.parametrize("name", ["standard", "normal"])
def test_sparse_stays_sparse_and_is_divided_by_the_largest(name):
    view = Views(sparse.csr_array(X)).training(name)
    assert sparse.issparse(view)
    np.testing.assert_allclose(view.toarray(), X / np.abs(X).max(axis=0))


@pytest.mark.parametrize("factor", [1e300, 1e-300, -1e200])
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_extreme_columns_are_brought_within_single_precision(container, factor):
    extreme = X * [factor, 1, 1]
    plain = Views(container(extreme)).plain
    plain = plain.toarray() if sparse.issparse(plain) else plain
    assert 2**25 <= np.abs(plain[:, 0]).max() < 2**26
    size = extreme[0, 0] / plain[0, 0]
    assert np.frexp(size)[0] == 0.5  # a power of two
    np.testing.assert_array_equal(plain[:, 0], extreme[:, 0] / size)
    np.testing.assert_array_equal(plain[:, 1:], X[:, 1:])


@pytest.mark.parametrize("name", ["standard", "normal"])
@pytest.mark.parametrize("exponent", [-1000, -40, -30, 30, 40, 1000])
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_the_unit_of_a_column_changes_nothing(container, exponent, name):
    """Not even where its numbers are nearer to each other than scikit-learn can tell apart."""
    rows = np.round(X, 1)
    expected = Views(container(rows)).training(name)
    given = Views(container(rows * [2.0**exponent, 1, 1])).training(name)
    for form in (expected, given):
        assert len(np.unique(form.toarray() if sparse.issparse(form) else form, axis=0)) > 40
    difference = given - expected
    np.testing.assert_array_equal(abs(difference).max(), 0)


def test_the_components_of_text_keep_their_common_unit(monkeypatch):
    monkeypatch.setattr(module, "_SMALLEST", 2.0)
    texts = [f"{words} {number}" for number, words in enumerate(["red wine", "white wine"] * 25)]
    views = Views(pd.DataFrame({"size": X[:, 0] / 64, "text": texts}), TableEncoder())
    ratios = np.nanmedian(views.plain / views.encoder.transform(views.original), axis=0)
    assert views.columns[1].kind == "text"
    assert ratios[0] > ratios[1] > 1
    assert len(set(ratios[1:])) == 1


@pytest.mark.parametrize("n", [100, 3000])
@pytest.mark.parametrize(
    "make",
    [
        lambda x: np.r_[[1.79e308, -1.79e308], x[2:]],
        lambda x: np.r_[[1e303, -1e303], 1e-6 * x[2:]],
        lambda x: np.r_[1e-310 * x[: len(x) // 2], x[len(x) // 2 :]],
    ],
    ids=["codes for missing", "one too large", "p values"],
)
@pytest.mark.filterwarnings("error")
def test_numbers_beside_far_larger_ones_are_finite_in_every_form(n, make):
    drawn = np.random.default_rng(0).normal(size=(n, 2))
    table = np.column_stack([make(drawn[:, 0]), drawn[:, 1]])
    views = Views(table)
    for name in NAMES[1:]:
        assert np.isfinite(views.training(name)).all()
        np.testing.assert_array_equal(views.transform(table, name), views.training(name))


def test_the_encoder_is_fitted_once():
    class Counting(TableEncoder):
        fits = 0

        def fit(self, X, y=None):
            Counting.fits += 1
            return super().fit(X, y)

    views = Views(FRAME, Counting())
    for name in NAMES:
        views.training(name)
        views.transform(FRAME, name)
    assert Counting.fits == 1
    assert views.original is FRAME


def test_nearest_is_searched_once_for_the_largest_number(monkeypatch):
    views = Views(X)
    far, _ = views.nearest(20)
    np.testing.assert_array_equal(far, nearest_neighbors(views.normal, 20)[0])
    monkeypatch.setattr("hardy.panel.views.nearest_neighbors", None)
    near, distances = views.nearest(5)
    np.testing.assert_array_equal(near, far[:, :5])
    assert distances.shape == (50, 5)


@pytest.mark.parametrize(("table", "encoder"), [(X, None), (FRAME, TableEncoder())])
def test_a_sample_of_too_many_rows_says_how_forms_are_made(monkeypatch, table, encoder):
    monkeypatch.setattr(module, "MOST_ROWS", 20)
    monkeypatch.setattr(module, "BLOCK_ROWS", 15)
    views = Views(table, encoder, seed=3)
    assert views.n_rows == 50
    assert views.sample.n_rows == 20
    alone = Views(views.sample.original, TableEncoder() if encoder else None, seed=3)
    positions = np.array([49, 3, 3, 20])
    for name in NAMES[1:]:
        rows = table.iloc[positions] if encoder else table[positions]
        np.testing.assert_array_equal(views.rows(name, positions), alone.transform(rows, name))
        np.testing.assert_array_equal(views.training(name), alone.transform(table, name))
    assert [len(block) for block in views.blocks(np.arange(50))] == [15, 15, 15, 5]


def test_few_rows_are_taken_whole():
    views = Views(X)
    assert views.sample is views
    assert [len(block) for block in views.blocks(np.arange(50))] == [50]
    np.testing.assert_array_equal(views.rows("normal", np.arange(4, 9)), views.normal[4:9])


@pytest.mark.parametrize("kind", ["dense", "sparse", "frame"])
def test_numbers_too_large_for_single_precision_are_named_in_rows_to_predict(kind):
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    bad = frame[:9].copy()
    bad.loc[4, "b"] = 1e39
    given, name = {
        "dense": ((X, bad.to_numpy()), "1"),
        "sparse": ((sparse.csr_array(X), sparse.csr_array(bad.to_numpy())), "1"),
        "frame": ((frame, bad), "'b'"),
    }[kind]
    views = Views(given[0], TableEncoder() if kind == "frame" else None)
    for form in ("plain", "standard"):
        with pytest.raises(InputError, match=rf"Column {name} has 1e\+39 in row 4 "):
            views.transform(given[1], form)
        with pytest.raises(InputError, match="in row 104 "):
            views.transform(given[1], form, np.arange(100, 109))
    if kind != "sparse":
        assert np.isfinite(views.transform(given[1], "normal")).all()


def test_rows_beyond_the_sample_are_numbered_as_in_the_table(monkeypatch):
    monkeypatch.setattr(module, "MOST_ROWS", 20)
    views = Views(X, seed=0)
    last = np.flatnonzero(~np.isin(X[:, 0], views.sample.original[:, 0]))[-1]
    views.original = np.where(np.arange(50)[:, None] == last, 1e39, X)
    with pytest.raises(InputError, match=f"in row {last} "):
        views.rows("plain", np.arange(last - 5, 50))
