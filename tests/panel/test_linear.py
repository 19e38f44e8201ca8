import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

from hardy.panel import LinearOpinion


def test_equals_scikit_learns_out_of_fold_probabilities(make_data, blobs):
    data = make_data(*blobs)
    expected = cross_val_predict(
        LogisticRegression(C=0.05, max_iter=1000),
        data.views.normal,
        data.codes,
        cv=data.folds,
        method="predict_proba",
    )
    np.testing.assert_allclose(LinearOpinion(0.05).opinion(data, 0), expected)
