"""The audit of labels in memory: what it finds, what it takes, and what it refuses."""

import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import hardy
from hardy.exceptions import InputError, LittleInformationWarning, NotAssessableWarning
from hardy.noise import flip_labels


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True, as_frame=True)
    y_noisy, is_flipped = flip_labels(y, 0.1, exact=True, random_state=0)
    return X, y_noisy, is_flipped


@pytest.fixture(scope="module")
def audit(wine):
    X, y, _ = wine
    return hardy.audit_labels(X, y, random_state=0)


def test_flipped_labels_are_found(wine, audit):
    _, _, is_flipped = wine
    assert average_precision_score(is_flipped, audit.doubt) > 0.9
    assert audit.noise_rate == pytest.approx(0.1, abs=0.05)
    assert is_flipped[audit.is_suspect].mean() > 0.7


def test_better_than_a_forest_on_breast_cancer():
    X, y = load_breast_cancer(return_X_y=True)
    y_noisy, is_flipped = flip_labels(y, 0.2, exact=True, random_state=1)
    forest = RandomForestClassifier(100, min_samples_leaf=2, random_state=0)
    proba = cross_val_predict(forest, X, y_noisy, method="predict_proba")
    rival = average_precision_score(is_flipped, 1 - proba[np.arange(len(y)), y_noisy])
    doubt = hardy.audit_labels(X, y_noisy, random_state=0).doubt
    assert average_precision_score(is_flipped, doubt) > rival


@pytest.mark.parametrize(("load", "floor"), [(load_iris, 0.85), (load_breast_cancer, 0.85)])
def test_flipped_labels_come_first(load, floor):
    X, true = load(return_X_y=True)
    y_noisy, is_flipped = flip_labels(true, 0.1, exact=True, random_state=1)
    audit = hardy.audit_labels(X, y_noisy, cv=5, random_state=1)
    assert average_precision_score(is_flipped, audit.doubt) > floor
    assert audit.noise_rate == pytest.approx(0.1, abs=0.06)
    assert (audit.suggested_labels == true)[audit.is_suspect & is_flipped].mean() > 0.9


def test_a_process_of_its_own_finds_the_same(wine, audit, tmp_path):
    X, y, _ = wine
    np.savez(tmp_path / "data.npz", X=X, y=y)
    code = (
        "import sys, numpy as np, hardy; data = np.load(sys.argv[1]); "
        "audit = hardy.audit_labels(data['X'], data['y'], random_state=0, n_jobs=2); "
        "np.save(sys.argv[2], audit.doubt)"
    )
    paths = [str(tmp_path / name) for name in ("data.npz", "doubt.npy")]
    subprocess.run([sys.executable, "-c", code, *paths], check=True)
    np.testing.assert_array_equal(np.load(paths[1]), audit.doubt)


def test_what_an_audit_promises(audit):
    assert audit.doubt.min() >= 0
    assert audit.doubt.max() <= 1
    changed = audit.suggested_labels != audit.given_labels
    np.testing.assert_array_equal(changed, audit.is_suspect)
    np.testing.assert_allclose(audit.pred_proba.sum(axis=1), 1)
    np.testing.assert_allclose(audit.transition_matrix.sum(axis=1), 1)
    np.testing.assert_allclose(audit.detector_weights.sum(), 1)
    assert set(audit.opinions) == set(audit.detector_weights.index)
    doubts = audit.doubt[audit.suspects]
    assert (np.diff(doubts) <= 0).all()
    for row in audit.suspects:
        assert len(audit.explain(int(row))) == 4


def test_read_only_memory_and_n_jobs_change_nothing(wine, audit, tmp_path):
    X, y, _ = wine
    np.save(tmp_path / "X.npy", X.to_numpy())
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    other = hardy.audit_labels(mapped, y, random_state=0, n_jobs=2)
    np.testing.assert_allclose(other.doubt, audit.doubt, atol=1e-12)


def test_missing_labels_get_a_suggestion(wine):
    X, y, _ = wine
    given = y.astype(object)
    given.iloc[[3, 100]] = None
    audit = hardy.audit_labels(X, given, cv=3, random_state=0)
    assert audit.is_unlabelled.sum() == 2
    assert audit.doubt[[3, 100]].tolist() == [0, 0]
    assert not audit.is_suspect[[3, 100]].any()
    assert audit.suggested_labels[[3, 100]].tolist() == [0, 1]
    assert not set(audit.nearest_rows.ravel()) & {3, 100}
    X_clean, y_clean = audit.clean(X, given)
    assert len(X_clean) == len(y_clean) == 176 - audit.is_suspect.sum()


@pytest.mark.filterwarnings("ignore::hardy.exceptions.NotAssessableWarning")
def test_tiny_classes_are_not_assessable():
    X, y = load_wine(return_X_y=True)
    keep = np.r_[0:59, 59:61, 130:160]
    labels = np.array(["a", "tiny", "b"])[y[keep]]
    with pytest.warns(NotAssessableWarning, match=r"fewer than 3 rows .* tiny"):
        audit = hardy.audit_labels(X[keep], labels, cv=3, random_state=0)
    assert audit.pred_proba.shape == (91, 3)
    assert not audit.is_assessable[labels == "tiny"].any()
    assert not audit.is_suspect[labels == "tiny"].any()


@pytest.mark.filterwarnings("ignore::hardy.exceptions.LittleInformationWarning")
def test_a_class_in_one_group_is_not_assessable():
    X, y = load_wine(return_X_y=True)
    groups = np.where(y == 0, "alone", [f"site {row % 7}" for row in range(len(y))])
    with pytest.warns(NotAssessableWarning, match="all in one group can't be assessed.*: 0"):
        audit = hardy.audit_labels(X, y, groups=groups, cv=3, random_state=0)
    assert audit.is_assessable.tolist() == (y > 0).tolist()
    assert not audit.is_suspect[y == 0].any()
    with pytest.warns(NotAssessableWarning, match=": 0, 1, 2"):
        audit = hardy.audit_labels(X, y, groups=y, random_state=0)
    assert not audit.is_suspect.any()
    assert audit.note == "Fewer than two classes have rows in more than one group."
    # Probabilities from elsewhere know classes that no other group has.
    proba = np.eye(3)[y]
    proba[3] = 0, 1, 0
    audit = hardy.audit_labels(None, y, pred_proba=proba, groups=groups, random_state=0)
    assert np.flatnonzero(audit.is_suspect).tolist() == [3]


def test_mixed_columns_with_missing_values():
    rng = np.random.RandomState(0)
    y = np.repeat(["x", "y"], 60)
    table = pd.DataFrame(
        {
            "colour": np.where(y == "x", "red", "blue"),
            "size": rng.normal(size=120) + (y == "x"),
            "day": pd.date_range("2026-01-01", periods=120).astype(str),
        }
    )
    table.loc[::7, "size"] = np.nan
    given = y.copy()
    given[5] = "y"
    assert hardy.audit_labels(table, given, random_state=0).suspects[:1].tolist() == [5]


def test_sparse_rows():
    X, y = load_breast_cancer(return_X_y=True)
    y_noisy, is_flipped = flip_labels(y, 0.1, exact=True, random_state=0)
    audit = hardy.audit_labels(sparse.csr_matrix(X), y_noisy, random_state=0)
    assert average_precision_score(is_flipped, audit.doubt) > 0.7
    X_clean, y_clean = audit.clean(sparse.csr_matrix(X), y_noisy)
    assert X_clean.shape[0] == len(y_clean) == 569 - audit.is_suspect.sum()


class TestOwnOpinions:
    def test_probabilities_alone_need_no_features(self, wine):
        X, y, is_flipped = wine
        model = make_pipeline(StandardScaler(), LogisticRegression())
        proba = cross_val_predict(model, X, y, method="predict_proba")
        audit = hardy.audit_labels(None, y, pred_proba=proba)
        np.testing.assert_allclose(audit.doubt, 1 - proba[np.arange(178), y])
        assert average_precision_score(is_flipped, audit.doubt) > 0.9
        assert audit.nearest_rows.shape == (178, 0)

    def test_an_estimator_joins_the_panel_or_replaces_it(self, wine):
        X, y, _ = wine
        model = make_pipeline(StandardScaler(), LogisticRegression())
        joined = hardy.audit_labels(X, y, estimator=model, cv=3, random_state=0)
        assert len(joined.detector_weights) == 5
        alone = hardy.audit_labels(X, y, estimator=model, use_panel=False, random_state=0)
        assert alone.detector_weights.to_dict() == {"Pipeline": 1.0}

    def test_an_estimator_gets_the_users_own_columns_and_labels(self):
        table = pd.DataFrame({"word": ["up", "down"] * 20, "size": np.arange(40) % 7})
        y = np.array(["yes", "no"] * 20)
        model = make_pipeline(
            make_column_transformer((OneHotEncoder(), ["word"]), remainder="passthrough"),
            LogisticRegression(class_weight={"yes": 1, "no": 3}),
        )
        audit = hardy.audit_labels(table, y, estimator=model, use_panel=False, random_state=0)
        assert audit.doubt.max() < 0.5

    def test_rounded_probabilities_are_mended_and_wrong_ones_refused(self, wine):
        _, y, _ = wine
        proba = np.full((178, 3), 1 / 3)
        proba[0, 0] += 1e-7
        hardy.audit_labels(None, y, pred_proba=proba)
        proba[4, 0] += 0.1
        with pytest.raises(InputError, match=r"row 4 sums to 1\.1"):
            hardy.audit_labels(None, y, pred_proba=proba)


@pytest.mark.parametrize("kind", ["pandas", "numpy", "polars"])
def test_clean(wine, audit, kind):
    X, y, _ = wine
    if kind == "numpy":
        X, y = X.to_numpy(), y.to_numpy()
    elif kind == "polars":
        X, y = pl.DataFrame(X), pl.Series("y", y.to_numpy())
    n_suspects = int(audit.is_suspect.sum())
    X_kept, y_kept = audit.clean(X, y)
    assert type(X_kept) is type(X)
    assert type(y_kept) is type(y)
    assert len(X_kept) == len(y_kept) == 178 - n_suspects
    X_same, y_new = audit.clean(X, y, "relabel")
    assert len(X_same) == 178
    np.testing.assert_array_equal(np.asarray(y_new), audit.suggested_labels)
    np.testing.assert_array_equal(np.asarray(y), audit.given_labels)
    *_, weight = audit.clean(X, y, "weight")
    np.testing.assert_allclose(weight, 1 - audit.doubt)


def test_other_labels_than_the_audited_are_not_cleaned(wine, audit):
    X, y, _ = wine
    with pytest.raises(InputError, match=r"other labels .*: 2 in row 0, not 0"):
        audit.clean(X[::-1], y[::-1])
    words = np.array(["barolo", "grignolino", "barbera"])[y]
    assert len(audit.clean(X, words)[0]) == 178 - audit.is_suspect.sum()
    with pytest.raises(InputError, match=r"Row 0 has the label 'barolo', which is not among"):
        audit.clean(X, words, "relabel")


def test_measurements_are_no_labels_unless_they_are_said_to_be():
    X, y = np.arange(60.0)[:, None], np.arange(60) / 7
    with pytest.raises(InputError, match="y holds numbers with 60 distinct values in 60 rows"):
        hardy.audit_labels(X, y)
    with pytest.warns(NotAssessableWarning):
        assert hardy.audit_labels(X, y, classes=y).note


def test_groups_keep_copies_from_vouching_for_each_other(wine):
    X, y, is_flipped = wine
    doubled, labels = pd.concat([X, X], ignore_index=True), pd.concat([y, y], ignore_index=True)
    groups = np.tile(np.arange(178), 2)
    audit = hardy.audit_labels(doubled, labels, groups=groups, cv=3, random_state=0)
    assert average_precision_score(np.tile(is_flipped, 2), audit.doubt) > 0.8


BAD = {
    "lengths": (([[0.0], [1.0]], [0, 1, 0]), {}, "X has 2 rows, but y has 3"),
    "one dimension": (([0.0, 1.0], [0, 1]), {}, "rows and columns"),
    "nothing to judge by": ((None, [0, 1]), {}, "give X, or pred_proba"),
    "no panel": (([[0.0], [1.0]], [0, 1]), {"use_panel": False}, "needs an estimator"),
    "groups": (
        (np.arange(8.0)[:, None], [0, 1] * 4),
        {"groups": [1] * 8},
        "groups has one value only",
    ),
    "infinite": ((np.array([[np.inf]] + [[1.0]] * 7), [0, 1] * 4), {}, "infin"),
}


@pytest.mark.parametrize(("arguments", "options", "message"), BAD.values(), ids=BAD)
def test_bad_input_is_named(arguments, options, message):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotAssessableWarning)
        with pytest.raises(ValueError, match=message):
            hardy.audit_labels(*arguments, **options)


def test_columns_that_say_nothing_are_warned_of():
    X = np.random.default_rng(1).normal(size=(40, 3))
    with pytest.warns(LittleInformationWarning, match="say little about the label"):
        hardy.audit_labels(X, np.arange(40) % 2, random_state=0)


@pytest.mark.parametrize("option", [{"n_jobs": 0}, {"random_state": 2**32}, {"random_state": -1}])
def test_options_without_meaning_are_named(option):
    with pytest.raises(InputError, match=next(iter(option))):
        hardy.audit_labels(np.arange(8.0)[:, None], [0, 1] * 4, **option)


def test_columns_that_were_set_aside_are_listed():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    table = pd.DataFrame({"size": y + rng.normal(0, 0.3, 60), "unit": "cm", "row": np.arange(60)})
    audit = hardy.audit_labels(table, y, random_state=0)
    assert set(audit.source["set_aside"]) == {"unit", "row"}
    assert list(audit.values.columns) == ["size"]


def test_columns_of_an_array_that_were_set_aside_are_listed_by_position():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = np.column_stack([np.ones(60), y + rng.normal(0, 0.3, 60), np.full(60, np.nan)])
    for rows in (X, X.tolist()):
        audit = hardy.audit_labels(rows, y, random_state=0)
        assert audit.source["set_aside"] == {
            "x0": "every value is 1",
            "x2": "every value is missing",
        }
        assert list(audit.values.columns) == ["x1"]


@pytest.mark.parametrize("option", ["keep", "text"])
def test_columns_that_do_not_exist_are_named(option):
    table = pd.DataFrame({"size": np.arange(8.0), "colour": list("ab") * 4})
    with pytest.raises(InputError, match="no column 'color'; did you mean 'colour'"):
        hardy.audit_labels(table, [0, 1] * 4, **{option: ["color"]})


def test_estimators_of_one_type_are_detectors_of_their_own():
    X, y = load_iris(return_X_y=True)
    models = [LogisticRegression(C=0.01), GaussianNB(), LogisticRegression(C=0.1)]
    y[0] = 2
    audit = hardy.audit_labels(X, y, estimator=models, use_panel=False, cv=3, random_state=0)
    names = ["GaussianNB", "LogisticRegression 1", "LogisticRegression 2"]
    assert sorted(audit.opinions) == sorted(audit.detector_weights.index) == names
    assert audit.explain(0)[1] == "3 of 3 detectors disagree"


def test_numbers_with_a_missing_one_can_be_learnt_by_an_own_estimator():
    X, y = load_iris(return_X_y=True)
    labels = [None, *y[1:].tolist()]
    audit = hardy.audit_labels(
        X, labels, estimator=GaussianNB(), use_panel=False, cv=3, random_state=0
    )
    assert audit.suggested_labels[0] == 0
    assert audit.is_assessable.sum() == 149


def test_groups_that_are_no_column_are_named():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(InputError, match="groups can't be used"):
        hardy.audit_labels(X, y, groups=X)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"estimator": LogisticRegression}, "is the class LogisticRegression; give an instance"),
        ({"n_jobs": "2"}, "n_jobs='2' has no meaning"),
        ({"n_jobs": 1.5}, "n_jobs=1.5 has no meaning"),
    ],
)
def test_options_that_are_no_use(options, message):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(InputError, match=message):
        hardy.audit_labels(X, y, **options)
