import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

from hardy.datasets import (
    make_boxes,
    make_noisy_xor,
    make_ringnorm,
    make_threenorm,
    make_twonorm,
)
from hardy.exceptions import InputError

A = 2 / np.sqrt(20)
NORMS = [make_twonorm, make_threenorm, make_ringnorm]


@pytest.mark.parametrize("make", NORMS)
def test_sizes_and_seeds(make):
    for n_samples in (2, 3, 300):
        X, y = make(n_samples, random_state=0)
        assert X.shape == (n_samples, 20)
        assert np.bincount(y, minlength=2).tolist() == [(n_samples + 1) // 2, n_samples // 2]
        again = make(n_samples, random_state=0)
        np.testing.assert_array_equal(X, again[0])
        np.testing.assert_array_equal(y, again[1])
    assert (make(300, random_state=1)[0] != X).all()


def near(found, expected, n, spread=1.0):
    np.testing.assert_allclose(found, expected, atol=5 * spread / np.sqrt(n))


def test_twonorm():
    X, y = make_twonorm(40_000, random_state=0)
    near(X[y == 1].mean(axis=0), A, 20_000)
    near(X[y == 0].mean(axis=0), -A, 20_000)
    near(np.cov(X[y == 1].T), np.eye(20), 20_000, np.sqrt(2))
    # Breiman: the error of the best boundary is 2.3 %.
    error = 1 - LinearDiscriminantAnalysis().fit(X, y).score(X, y)
    assert error == pytest.approx(0.023, abs=0.004)


def test_threenorm():
    X, y = make_threenorm(40_000, random_state=0)
    signs = np.where(np.arange(20) % 2, -1, 1)
    near(X[y == 0].mean(axis=0), A * signs, 20_000)
    upper = X[y == 1].sum(axis=1) > 0
    assert upper.mean() == pytest.approx(0.5, abs=0.02)
    near(np.cov(X[y == 0].T), np.eye(20), 20_000, np.sqrt(2))
    # Half of the rows at +a and half at −a: a mean of 0, and a² between all features.
    near(X[y == 1].mean(axis=0), 0, 20_000, np.sqrt(1 + A**2))
    near(np.cov(X[y == 1].T), np.eye(20) + A**2, 20_000, 2)


def test_ringnorm():
    X, y = make_ringnorm(40_000, random_state=0)
    near(X[y == 1].mean(axis=0), 0, 20_000, 2)
    near(X[y == 0].mean(axis=0), 1 / np.sqrt(20), 20_000)
    near(np.cov(X[y == 1].T), 4 * np.eye(20), 20_000, 4 * np.sqrt(2))
    near(np.cov(X[y == 0].T), np.eye(20), 20_000, np.sqrt(2))
    # Breiman: the error of the best boundary is 1.3 %.
    error = 1 - QuadraticDiscriminantAnalysis().fit(X, y).score(X, y)
    assert error == pytest.approx(0.013, abs=0.003)


def test_noisy_xor():
    X, y, is_flipped = make_noisy_xor(500, 0.1, random_state=0)
    assert is_flipped.sum() == 50
    assert (np.abs(X) < 1).all()
    np.testing.assert_array_equal(y != (X[:, 0] * X[:, 1] > 0), is_flipped)


def test_boxes():
    X, y, is_flipped = make_boxes(301, n_outliers=7, flip_rate=0.2, random_state=0)
    true = np.where(is_flipped, 1 - y, y)
    assert is_flipped.sum() == 60
    assert np.bincount(true).tolist() == [151, 150]
    in_first = ((X > 0) & (X < 1)).all(axis=1)
    in_second = ((X > [1.5, -0.5]) & (X < [2.5, 0.5])).all(axis=1)
    assert (in_first ^ in_second).all()
    assert in_second[true == 1].all()
    assert (in_second & (true == 0)).sum() == 7


@pytest.mark.parametrize(
    ("make", "options", "message"),
    [
        *[(make, {"n_samples": 1}, "n_samples=1 must be") for make in NORMS],
        (make_noisy_xor, {"n_samples": 10.5}, "n_samples=10.5"),
        (make_noisy_xor, {"flip_rate": 1.5}, "flip_rate=1.5"),
        (make_boxes, {"flip_rate": -1}, "flip_rate=-1"),
        (make_noisy_xor, {"flip_rate": "a"}, "flip_rate='a'"),
        (make_boxes, {"flip_rate": None}, "flip_rate=None"),
        (make_boxes, {"n_outliers": 101}, "n_outliers=101 must be a whole number from 0 to 100"),
        (make_twonorm, {"random_state": "x"}, "random_state='x'"),
    ],
)
def test_parameters_out_of_range(make, options, message):
    with pytest.raises(InputError, match=message):
        make(**options)
