import numpy as np
import pytest

from hardy.exceptions import InputError
from hardy.metrics import expected_calibration_error


def two_classes(sure):
    return np.column_stack([sure, 1 - np.asarray(sure)])


def test_worked_by_hand():
    # Bins of two rows: .95 against 1, .85 against .5, .65 against .5.
    y_true = [0, 0, 0, 1, 0, 1]
    y_proba = two_classes([0.96, 0.94, 0.86, 0.84, 0.66, 0.64])
    found = expected_calibration_error(y_true, y_proba, n_bins=3)
    assert found == pytest.approx((0.05 + 0.35 + 0.15) / 3)


def test_probabilities_that_are_right_have_next_to_none():
    rng = np.random.default_rng(0)
    says_one = rng.uniform(size=100_000)
    y_true = (rng.uniform(size=len(says_one)) < says_one).astype(int)
    proba = two_classes(1 - says_one)
    assert expected_calibration_error(y_true, proba) < 0.01
    squeezed = two_classes(1 - np.clip(2 * says_one - 0.5, 0, 1))
    assert expected_calibration_error(y_true, squeezed) > 0.05


def test_the_order_of_the_rows_does_not_matter():
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, 3, 200)
    proba = np.eye(3)[rng.integers(0, 3, 200)] * 0.4 + 0.2
    order = rng.permutation(200)
    found = expected_calibration_error(y_true, proba)
    assert found == pytest.approx(expected_calibration_error(y_true[order], proba[order]))


def test_labels_of_any_kind_and_named_columns():
    y_proba = [[0.9, 0.1], [0.3, 0.7]]
    assert expected_calibration_error(["no", "yes"], y_proba) == pytest.approx(0.2)
    assert expected_calibration_error(
        ["no", "yes"], y_proba, classes=["yes", "no"]
    ) == pytest.approx(0.8)


def test_what_is_refused():
    with pytest.raises(InputError, match="n_bins=0"):
        expected_calibration_error([0, 1], [[1, 0], [0, 1]], n_bins=0)
    with pytest.raises(InputError, match="no label in row 1"):
        expected_calibration_error([0, None, 1], [[1, 0], [0, 1], [0, 1]])
