"""One-sided noise is told by the surest rows; noise that is alike everywhere changes nothing."""

import numpy as np
import pytest

from hardy.noise.asymmetry import asymmetry


def flat_classes(flipped_0: int, flipped_1: int) -> tuple[np.ndarray, np.ndarray]:
    """Give 200 rows of each class, some labelled as the other, and sure opinions on them."""
    codes = np.repeat([0, 1, 1, 0], [200 - flipped_0, flipped_0, 200 - flipped_1, flipped_1])
    shares = np.array([1 - flipped_0 / 200, flipped_1 / 200])
    first = np.repeat(shares, 200)
    return codes, np.column_stack([first, 1 - first])


@pytest.mark.parametrize("flipped", [0, 20, 60])
def test_noise_that_is_alike_everywhere_changes_nothing(flipped):
    np.testing.assert_array_equal(asymmetry(*flat_classes(flipped, flipped)), np.ones((2, 2)))


def test_positives_filed_as_negatives():
    ratio = asymmetry(*flat_classes(0, 60))
    assert ratio[1, 0] > 1.5
    assert ratio[0, 1] < 0.5


def test_classes_may_come_in_any_order():
    codes, proba = flat_classes(0, 60)
    swapped = asymmetry(1 - codes, proba[:, ::-1])
    np.testing.assert_allclose(swapped, asymmetry(codes, proba)[::-1, ::-1])


def test_the_order_of_rows_changes_nothing():
    codes, proba = flat_classes(5, 60)
    order = np.random.RandomState(0).permutation(len(codes))
    np.testing.assert_allclose(asymmetry(codes[order], proba[order]), asymmetry(codes, proba))


def test_overlap_is_no_noise():
    # Nobody disagrees on the surest rows, and many do on the others: the classes overlap.
    codes, proba = flat_classes(0, 60)
    proba[:20] = [1.0, 0.0]
    proba[200:220] = [0.0, 1.0]
    np.testing.assert_array_equal(asymmetry(codes, proba), np.ones((2, 2)))


def test_a_few_rows_tell_nothing():
    codes = np.array([0] * 10 + [0] * 5 + [1] * 5)
    proba = np.repeat([[0.9, 0.1], [0.2, 0.8]], 10, axis=0)
    np.testing.assert_array_equal(asymmetry(codes, proba), np.ones((2, 2)))
