import numpy as np
import pytest
from scipy import sparse
from sklearn.kernel_ridge import KernelRidge as Reference
from sklearn.metrics.pairwise import laplacian_kernel, rbf_kernel

from hardy.panel import KernelRidgeOpinion
from hardy.panel.kernel_ridge import _to_simplex


def reference(kernel, solved, X, codes, X_new):
    """What scikit-learn says with the same kernel and penalty."""
    width = solved.fitted.width
    gamma, make = (
        (1 / width, laplacian_kernel) if kernel == "laplace" else (0.5 / width**2, rbf_kernel)
    )
    targets = np.eye(3)[codes]
    mean = targets.mean(axis=0)
    model = Reference(alpha=solved.penalty, kernel="precomputed")
    model.fit(make(X, X, gamma), targets - mean)
    return _to_simplex(mean + model.predict(make(X_new, X, gamma)))


@pytest.mark.parametrize("kernel", ["laplace", "gauss"])
def test_equals_scikit_learns(blobs, kernel):
    X, codes = blobs
    member = KernelRidgeOpinion(kernel)
    solved = member._solve(X, codes, np.arange(3), 0, None)
    X_new = X[::3] + 0.1
    expected = reference(kernel, solved, X, codes, X_new)
    np.testing.assert_allclose(solved.fitted.predict_proba(X_new), expected, atol=1e-6)


def test_a_fold_that_is_left_out_has_no_say_in_its_opinion(make_data, relabel, blobs):
    """Only the mean and the penalty are of all rows, and they are hardly moved by one label."""
    data = make_data(*blobs)
    member = KernelRidgeOpinion("laplace")
    before, after = member.learn(data, 0).opinion, member.learn(relabel(data, 5), 0).opinion
    assert np.abs(before[5] - after[5]).max() < 0.05
    assert np.abs(before - after).max() > 0.05


def test_weights_are_repetition(blobs):
    X, codes = blobs
    weights = 1.0 + np.arange(len(codes)) % 3
    member = KernelRidgeOpinion("gauss")
    weighted = member._solve(X, codes, np.arange(3), 0, weights)
    times = weights.astype(int)
    rows = np.repeat(np.arange(len(codes)), times)
    width, penalty = weighted.fitted.width, weighted.penalty
    gram = rbf_kernel(X, X, 0.5 / width**2)
    mean = np.eye(3)[codes[rows]].mean(axis=0)
    model = Reference(alpha=penalty, kernel="precomputed")
    model.fit(gram[np.ix_(rows, rows)], np.eye(3)[codes[rows]] - mean)
    expected = _to_simplex(mean + model.predict(gram[:, rows]))
    np.testing.assert_allclose(weighted.fitted.predict_proba(X), expected, atol=1e-6)


def test_some_landmarks_say_nearly_the_same(blobs):
    X, codes = blobs
    few, all_rows = (KernelRidgeOpinion("gauss", n).fit(X, codes, 0) for n in (45, 1000))
    assert few.landmarks.shape[0] < 60
    said = few.predict_proba(X).argmax(axis=1) == all_rows.predict_proba(X).argmax(axis=1)
    assert said.mean() > 0.9


def test_sparse_rows(blobs):
    X, codes = blobs
    dense = KernelRidgeOpinion("laplace").fit(X, codes, 0).predict_proba(X)
    rows = sparse.csr_array(X)
    assert np.allclose(KernelRidgeOpinion("laplace").fit(rows, codes, 0).predict_proba(rows), dense)


def test_rows_that_are_all_the_same_get_the_shares():
    X, codes = np.ones((20, 2)), np.repeat([0, 1], [15, 5])
    proba = KernelRidgeOpinion().fit(X, codes, 0).predict_proba(X)
    np.testing.assert_allclose(proba, [[0.75, 0.25]] * 20, atol=1e-6)


def test_the_nearest_probabilities():
    said = _to_simplex(np.array([[1.2, 0.1], [0.5, 0.5], [0.2, 0.2], [2.0, -1.0]]))
    np.testing.assert_allclose(said, [[1, 0], [0.5, 0.5], [0.5, 0.5], [1, 0]], atol=0.06)
    np.testing.assert_allclose(said.sum(axis=1), 1)
