import numpy as np
from sklearn.svm import SVC

from hardy.panel import SupportVectorsOpinion


def test_two_classes_have_the_logistic_of_four_decisions(blobs):
    X, codes = blobs
    two = codes < 2
    fitted = SupportVectorsOpinion(0.5).fit(X[two], codes[two], 0)
    decision = SVC(C=0.5).fit(X[two], codes[two]).decision_function(X)
    expected = 1 / (1 + np.exp(-4 * decision))
    np.testing.assert_allclose(fitted.predict_proba(X)[:, 1], expected)


def test_several_classes_have_a_softmax_in_the_order_of_the_decisions(blobs):
    X, codes = blobs
    proba = SupportVectorsOpinion().fit(X, codes, 0).predict_proba(X)
    np.testing.assert_array_equal(proba.argmax(axis=1), SVC().fit(X, codes).predict(X))
    np.testing.assert_allclose(proba.sum(axis=1), 1)
