import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hardy.exceptions import InputError
from hardy.panel import EstimatorOpinion

WORDS = np.array(["x", "y", "z"], dtype=object)


def test_equals_scikit_learns_out_of_fold_probabilities(make_data, blobs):
    X, codes = blobs
    data = make_data(X, codes)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    expected = cross_val_predict(model, X, WORDS[codes], cv=data.folds, method="predict_proba")
    opinion = EstimatorOpinion(model, WORDS).opinion(data, 0)
    np.testing.assert_allclose(opinion, expected)
    assert not hasattr(model, "classes_")


def test_columns_follow_the_classes_and_not_their_order(make_data, blobs):
    X, codes = blobs
    data = make_data(X, codes)
    backwards = EstimatorOpinion(LogisticRegression(), WORDS[::-1].copy()).opinion(data, 0)
    np.testing.assert_allclose(
        backwards, EstimatorOpinion(LogisticRegression(), WORDS).opinion(data, 0), atol=1e-4
    )


def test_it_sees_the_users_own_rows_and_labels(make_data, blobs):
    X, codes = blobs
    seen = []

    class Spy(LogisticRegression):
        def fit(self, X, y):
            seen.append((type(X), list(X.columns), set(y)))
            return super().fit(X, y)

    data = make_data(pd.DataFrame(X, columns=["a", "b", "c"]), codes)
    EstimatorOpinion(Spy(), WORDS).opinion(data, 0)
    assert seen == [(pd.DataFrame, ["a", "b", "c"], {"x", "y", "z"})] * 4


def test_what_is_drawn_is_drawn_by_the_panel(make_data, blobs):
    data = make_data(*blobs)
    nested = make_pipeline(StandardScaler(), RandomForestClassifier(5))
    first = EstimatorOpinion(nested, WORDS).opinion(data, 1)
    np.testing.assert_array_equal(first, EstimatorOpinion(nested, WORDS).opinion(data, 1))
    assert (first != EstimatorOpinion(nested, WORDS).opinion(data, 2)).any()
    assert nested[-1].random_state is None


def test_a_state_of_the_users_own_is_kept(make_data, blobs):
    data = make_data(*blobs)
    own = RandomForestClassifier(5, random_state=7)
    np.testing.assert_array_equal(
        EstimatorOpinion(own, WORDS).opinion(data, 1), EstimatorOpinion(own, WORDS).opinion(data, 2)
    )


def test_an_estimator_without_probabilities_is_refused():
    with pytest.raises(InputError, match=r"Perceptron has no predict_proba.*Calibrated"):
        EstimatorOpinion(Perceptron(), WORDS)


@pytest.mark.parametrize("classes", [[3, 4, 5], [False, True], ["x", "y"]])
def test_labels_that_stood_beside_a_missing_one(make_data, blobs, classes):
    X, codes = blobs
    codes = codes % len(classes)
    opinions = [
        EstimatorOpinion(LogisticRegression(), np.array(classes, dtype=kind)).opinion(
            make_data(X, codes), 0
        )
        for kind in (None, object)
    ]
    np.testing.assert_array_equal(*opinions)
