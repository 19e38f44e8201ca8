import numpy as np
import pandas as pd
import pytest
from imblearn.pipeline import make_pipeline
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.preprocessing import StandardScaler

import hardy
from hardy.audit.cleaner import LabelErrorCleaner
from hardy.exceptions import InputError
from hardy.noise import flip_labels

X, y = load_wine(return_X_y=True)
Y_NOISY, IS_FLIPPED = flip_labels(y, 0.1, exact=True, random_state=0)
QUICK = {
    "estimator": make_pipeline(StandardScaler(), LogisticRegression()),
    "use_panel": False,
    "random_state": 0,
}


def test_it_does_what_the_audit_says():
    audit = hardy.audit_labels(X, Y_NOISY, **QUICK)
    cleaner = LabelErrorCleaner(**QUICK)
    X_kept, y_kept = cleaner.fit_resample(X, Y_NOISY)
    np.testing.assert_array_equal(cleaner.sample_indices_, np.flatnonzero(~audit.is_suspect))
    np.testing.assert_array_equal(X_kept, X[~audit.is_suspect])
    np.testing.assert_array_equal(y_kept, Y_NOISY[~audit.is_suspect])
    np.testing.assert_array_equal(cleaner.doubt_, audit.doubt)
    X_all, y_new = LabelErrorCleaner("relabel", **QUICK).fit_resample(X, Y_NOISY)
    np.testing.assert_array_equal(X_all, X)
    np.testing.assert_array_equal(y_new, audit.suggested_labels)


@pytest.mark.parametrize("kind", [np.asarray, list, lambda labels: np.eye(3, dtype=int)[labels]])
def test_relabelled_labels_stay_what_they_were(kind):
    cleaner = LabelErrorCleaner("relabel", **QUICK)
    _, y_new = cleaner.fit_resample(X, kind(Y_NOISY))
    assert type(y_new) is type(kind(Y_NOISY))
    codes = np.argmax(y_new, axis=1) if np.ndim(y_new) == 2 else np.asarray(y_new)
    assert (codes != Y_NOISY).sum() == cleaner.is_changed_.sum() > 0


def test_a_stated_precision_changes_fewer():
    every = LabelErrorCleaner(**QUICK)
    sure = LabelErrorCleaner(min_precision=0.97, **QUICK)
    every.fit_resample(X, Y_NOISY)
    sure.fit_resample(X, Y_NOISY)
    assert 0 < sure.is_changed_.sum() < every.is_changed_.sum()
    audit = hardy.audit_labels(X, Y_NOISY, **QUICK)
    assert audit.error_probability[sure.is_changed_].mean() >= 0.97


def test_in_a_pipeline_only_training_rows_are_cleaned():
    seen = []

    class Watched(LabelErrorCleaner):
        def fit_resample(self, X, y):
            seen.append(len(X))
            return super().fit_resample(X, y)

    model = make_pipeline(StandardScaler(), Watched(**QUICK), LogisticRegression())
    scores = cross_val_score(model, X, Y_NOISY, cv=3)
    assert sum(seen) == 2 * len(X)
    assert len(scores) == 3


def test_folds_are_those_of_the_audit(monkeypatch):
    asked = []

    def watch(*args, **options):
        asked.append(options["cv"])
        return hardy.audit_labels(*args, **options)

    monkeypatch.setattr("hardy.audit.cleaner.audit_labels", watch)
    LabelErrorCleaner(**QUICK).fit_resample(X, Y_NOISY)
    LabelErrorCleaner(cv=3, **QUICK).fit_resample(X, Y_NOISY)
    assert asked == [None, 3]


@pytest.mark.parametrize(
    ("estimator", "message"), [([], "names no classifier"), ([3], "int has no predict_proba")]
)
def test_what_is_no_estimator_is_named(estimator, message):
    with pytest.raises(InputError, match=message):
        LabelErrorCleaner(estimator=estimator).fit_resample(X, Y_NOISY)


def test_a_column_of_text_is_named():
    table = pd.DataFrame({"size": X[:, 0], "place": ["north"] * len(X)})
    with pytest.raises(InputError, match=r"'north': column 'place', row 0.*numbers only"):
        LabelErrorCleaner(**QUICK).fit_resample(table, Y_NOISY)
