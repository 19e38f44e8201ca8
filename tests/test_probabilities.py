import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from hardy._probabilities import check_pred_proba
from hardy.exceptions import InputError

PROBA = np.array([[0.2, 0.3, 0.5], [0.7, 0.2, 0.1]])
CLASSES = ["a", "b", "c"]


def check(pred_proba, n_samples=2, classes=CLASSES):
    return check_pred_proba(pred_proba, n_samples=n_samples, classes=classes)


@pytest.mark.parametrize("container", [np.asarray, np.ndarray.tolist, pd.DataFrame, pl.DataFrame])
def test_probabilities_of_any_container(container):
    checked = check(container(PROBA))
    assert checked.dtype == np.float64
    np.testing.assert_allclose(checked, PROBA, rtol=1e-15)


@pytest.mark.parametrize("offset", [1e-7, -1e-7, 5e-4, -5e-4])
def test_a_rounded_sum_is_mended(offset):
    given = PROBA + [[0, offset, 0], [0, 0, 0]]
    checked = check(given)
    np.testing.assert_allclose(checked.sum(axis=1), 1, rtol=1e-15)
    np.testing.assert_allclose(checked[0], given[0] / (1 + offset), rtol=1e-14)
    np.testing.assert_allclose(checked[1], PROBA[1], rtol=1e-14)


def test_single_precision_and_a_tiny_negative_pass():
    assert check(PROBA.astype(np.float32)).dtype == np.float64
    checked = check([[-1e-9, 0.5, 0.5], [1 + 1e-9, 0, -1e-9]])
    assert checked.min() == 0
    assert checked.max() == 1


def test_what_was_given_stays_as_it_was():
    given = PROBA * (1 + 1e-5)
    given.flags.writeable = False
    before = given.copy()
    check(given)
    np.testing.assert_array_equal(given, before)


@pytest.mark.parametrize("container", [pd.DataFrame, pl.DataFrame])
def test_columns_named_like_the_classes_are_read_by_name(container):
    frame = container({"c": PROBA[:, 2], "a": PROBA[:, 0], "b": PROBA[:, 1]})
    np.testing.assert_allclose(check(frame), PROBA, rtol=1e-15)
    other = container({"p": PROBA[:, 0], "q": PROBA[:, 1], "r": PROBA[:, 2]})
    np.testing.assert_allclose(check(other), PROBA, rtol=1e-15)


def test_columns_that_are_only_counted_stay_in_their_order():
    np.testing.assert_allclose(check(pd.DataFrame(PROBA), classes=[2, 1, 0]), PROBA, rtol=1e-15)
    named = pd.DataFrame(PROBA, columns=[10, 30, 20])
    np.testing.assert_allclose(check(named, classes=[10, 20, 30]), PROBA[:, [0, 2, 1]])


@pytest.mark.parametrize(
    ("pred_proba", "message"),
    [
        (PROBA + [[0, 0, 0], [0, 0, 0.1]], "row 1 sums to 1.1, not to 1"),
        (PROBA - [[0.1, 0, 0], [0, 0, 0]], "row 0 sums to 0.9, not to 1"),
        ([[0.2, 0.3, 0.5], [1.5, -0.6, 0.1]], r"row 1 is \[1.5, -0.6, 0.1\]"),
        ([[0.2, 0.3, 0.5], [np.nan, 0.5, 0.5]], r"row 1 is \[nan, 0.5, 0.5\]"),
        ([[np.inf, 0, 0], [1, 0, 0]], "row 0 is"),
        (np.zeros((2, 3)), "row 0 sums to 0"),
        (PROBA[:1], r"shape \(1, 3\), but \(2, 3\)"),
        (PROBA[:, :2], r"shape \(2, 2\), but \(2, 3\).*\['a', 'b', 'c'\]"),
        (PROBA[:, 0], r"shape \(2,\)"),
        ([["x", "y", "z"]] * 2, "must be a table of numbers"),
        ([[0.5], [0.2, 0.8]], "must be a table of numbers"),
        (sparse.csr_array(PROBA), "must be a table of numbers"),
    ],
)
def test_bad_probabilities_are_named(pred_proba, message):
    with pytest.raises(InputError, match=message):
        check(pred_proba)
