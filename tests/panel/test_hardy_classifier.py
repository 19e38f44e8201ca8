import re
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.utils._param_validation import InvalidParameterError

from hardy import HardyClassifier
from hardy.exceptions import InputError
from hardy.noise import flip_labels
from hardy.panel import BoostedTreesOpinion
from hardy.panel.recipe import learners_for
from hardy.panel.trees import TreesOpinion
from hardy.saving import load_model, save_model


@pytest.fixture(scope="module")
def noisy():
    """Two classes beside a bent line, and labels of which 30 % are wrong."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(900, 6))
    y = np.where(X[:, 0] ** 2 + X[:, 1] > 0.8, "in", "out")
    given, is_flipped = flip_labels(y[:500], 0.3, random_state=0)
    return X, y, given, is_flipped


@pytest.fixture(scope="module")
def fitted(noisy):
    X, _, given, _ = noisy
    return HardyClassifier(n_estimators=60, random_state=0).fit(X[:500], given)


def test_it_is_better_than_a_forest_where_labels_are_wrong(noisy, fitted):
    X, y, given, _ = noisy
    forest = RandomForestClassifier(200, random_state=0).fit(X[:500], given)
    assert fitted.score(X[500:], y[500:]) > forest.score(X[500:], y[500:]) + 0.03


def test_the_noise_is_estimated_and_the_flipped_rows_are_least_believed(noisy, fitted):
    *_, is_flipped = noisy
    report = fitted.report_
    assert report.noise_rate == fitted.noise_correction_.noise_rate
    assert 0.2 < report.noise_rate < 0.4
    assert is_flipped[report.least_believed["row"]].mean() > 0.85
    assert report.transition_matrix.loc["in", "out"] == pytest.approx(report.noise_rate)
    assert "of the labels are wrong" in str(report)


def test_the_report_adds_up(fitted):
    learners = fitted.report_.learners
    assert learners["weight"].sum() == pytest.approx(1)
    best = learners["brier_score"].idxmin()
    assert learners["weight"].idxmax() == best
    assert learners["kind"].is_unique
    assert {"random forest, leaf 1", "random forest, leaf 4"} <= set(learners["kind"])


def test_probabilities_are_those_of_the_learners_mixed_and_corrected(noisy, fitted):
    X = noisy[0][500:520]
    mixed = sum(
        weight * learner.predict_proba(fitted._views.transform(X, view))
        for weight, learner, view in zip(
            fitted.learner_weights_, fitted.learners_, fitted._learner_views, strict=True
        )
    )
    expected = fitted.noise_correction_.apply(mixed)
    np.testing.assert_allclose(fitted.predict_proba(X), expected, atol=1e-10)


def test_the_result_is_the_same_whatever_n_jobs(noisy):
    X, _, given, _ = noisy
    one, two = (
        HardyClassifier(n_estimators=10, n_jobs=n_jobs, random_state=0).fit(X[:200], given[:200])
        for n_jobs in (1, 2)
    )
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))


def test_no_time_leaves_one_learner(noisy):
    X, _, given, _ = noisy
    model = HardyClassifier(n_estimators=4, max_time=1e-9, random_state=0).fit(X[:100], given[:100])
    assert len(model.learners_) == 1
    assert model.learner_weights_.tolist() == [1.0]


def test_it_tells_how_far_it_is(noisy, capsys):
    X, _, given, _ = noisy
    HardyClassifier(n_estimators=4, verbose=True, random_state=0).fit(X[:60], given[:60])
    said = capsys.readouterr()
    assert not said.out
    assert "0 of 8 learners done, now extra trees" in said.err.splitlines()[0]


def test_a_table_with_columns_of_any_kind_and_holes():
    rng = np.random.default_rng(0)
    y = np.arange(300) % 2
    words = np.array(["late again and very rude", "quick and friendly people there"])
    table = pd.DataFrame(
        {
            "size": np.where(rng.random(300) < 0.2, np.nan, rng.normal(y)),
            "colour": np.where(rng.random(300) < 0.7, np.where(y, "red", "blue"), "green"),
            "note": [f"{words[k]} on day {rng.integers(999)}" for k in y],
        }
    )
    model = HardyClassifier(n_estimators=4, random_state=0).fit(table, y)
    assert {"words", "extra trees, leaf 1"} <= set(model.learner_kinds_)
    assert model.score(table, y) > 0.95


def test_sparse_documents_have_learners_of_their_own():
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    counts = rng.poisson(0.02, size=(200, 1500)) + np.eye(2, 1500)[y] * rng.integers(0, 3, (200, 1))
    model = HardyClassifier(random_state=0).fit(sparse.csr_array(counts), y)
    assert not any(kind.startswith("extra trees") for kind in model.learner_kinds_)
    assert model.score(sparse.csr_array(counts), y) > 0.75


def test_costs_change_what_is_predicted_but_no_probability(noisy):
    X, _, given, _ = noisy
    usual, careful = (
        HardyClassifier(n_estimators=4, optimize=aim, random_state=0).fit(X[:200], given[:200])
        for aim in ("accuracy", [[0, 9], [1, 0]])
    )
    np.testing.assert_array_equal(usual.predict_proba(X), careful.predict_proba(X))
    assert np.mean(careful.predict(X) == "in") > np.mean(usual.predict(X) == "in") + 0.1


def test_rows_of_weight_0_have_no_trust(noisy):
    X, _, given, _ = noisy
    weights = np.ones(100)
    weights[7] = 0
    model = HardyClassifier(n_estimators=4, random_state=0).fit(X[:100], given[:100], weights)
    assert np.flatnonzero(np.isnan(model.row_trust_)).tolist() == [7]
    assert 7 not in model.report_.least_believed["row"].tolist()


def test_what_cannot_be_learned_is_said(noisy):
    X, _, given, _ = noisy
    model = HardyClassifier(n_estimators=4)
    with pytest.raises(InputError, match="None of the 20 classes has two rows"):
        model.fit(X[:20], np.arange(20))
    with pytest.raises(InputError, match="class_weight is 0 for the label 'in'"):
        model.set_params(class_weight={"in": 0}).fit(X[:20], given[:20])


def test_more_rows_mean_other_learners(make_data):
    rng = np.random.default_rng(0)
    kinds = {}
    for n_rows in (100, 2_500, 25_000):
        data = make_data(rng.normal(size=(n_rows, 2)), np.arange(n_rows) % 2)
        kinds[n_rows] = {learner.kind for learner in learners_for(data, 200)}
    assert "support vectors" in kinds[100]
    assert BoostedTreesOpinion.kind not in kinds[100]
    assert BoostedTreesOpinion.kind in kinds[2_500] & kinds[25_000]
    assert "kernel ridge" not in kinds[25_000]


@pytest.fixture
def table():
    rng = np.random.default_rng(1)
    y = np.arange(40) % 2
    return pd.DataFrame(rng.normal(size=(40, 2)) + 2 * y[:, None], columns=["wide", "high"]), y


def test_a_fit_that_fails_leaves_what_was_fitted_before(table, monkeypatch):
    X, y = table
    model = HardyClassifier(n_estimators=4, random_state=0)

    def fail(self, data, seed):
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(TreesOpinion, "learn", fail)
        with pytest.raises(MemoryError):
            model.fit(X, y)
        assert set(vars(model)) == set(model.get_params())
        with pytest.raises(NotFittedError):
            model.predict(X)
    expected = model.fit(X, y).predict_proba(X)
    with monkeypatch.context() as patch:
        patch.setattr(TreesOpinion, "learn", fail)
        with pytest.raises(MemoryError):
            model.fit(X.rename(columns=str.upper), np.repeat(["a", "b", "c", "d"], 10))
    np.testing.assert_array_equal(model.predict_proba(X), expected)
    assert model.feature_names_in_.tolist() == ["wide", "high"]


def test_names_are_forgotten_where_a_refit_has_none(table):
    X, y = table
    model = HardyClassifier(n_estimators=4, random_state=0).fit(X, y).fit(X.to_numpy(), y)
    assert not hasattr(model, "feature_names_in_")


def test_costs_are_checked_before_any_learner_is_asked(table, monkeypatch):
    def learn(self, data, seed):
        raise AssertionError("asked")

    monkeypatch.setattr(TreesOpinion, "learn", learn)
    for costs in (
        [[0, 1, 2], [1, 0, 2]],
        [[0, np.nan], [1, 0]],
        [[0, -1], [1, 0]],
        np.zeros((2, 2)),
    ):
        with pytest.raises(InputError, match="optimize"):
            HardyClassifier(n_estimators=4, optimize=costs).fit(*table)


def test_a_model_whose_costs_are_a_frame_is_saved(table, tmp_path):
    X, y = table
    costs = pd.DataFrame([[0, 1], [5, 0]])
    model = HardyClassifier(n_estimators=4, optimize=costs, random_state=0).fit(X, y)
    save_model(model, tmp_path / "model.hardy")
    again = load_model(tmp_path / "model.hardy").model
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert np.asarray(again.optimize).tolist() == [[0, 1], [5, 0]]
    assert model.optimize is costs


def test_a_cell_that_is_too_large_to_predict_is_named(table):
    X, y = table
    model = HardyClassifier(n_estimators=4, random_state=0).fit(X, y)
    X.loc[7, "high"] = -1e39
    with pytest.raises(InputError, match=r"Column 'high' has -1e\+39 in row 7"):
        model.predict(X)
    bare = HardyClassifier(n_estimators=4, random_state=0).fit(X[:7].to_numpy(), y[:7])
    with pytest.raises(InputError, match=r"Column 'x1' has -1e\+39 in row 7"):
        bare.predict(X.to_numpy())


def test_names_weights_and_tables_that_cannot_be_used_are_said(table):
    X, y = table
    model = HardyClassifier(n_estimators=4)
    with pytest.raises(InputError, match="Two columns are named 'wide'"):
        model.fit(X.set_axis(["wide", "wide"], axis=1), y)
    with pytest.raises(InputError, match="The column 1 is named by the type int"):
        model.fit(X.set_axis(["wide", 1], axis=1), y)
    with pytest.raises(InputError, match="There are no rows"):
        model.fit(X[:0], y[:0])
    with pytest.raises(InputError, match="sample_weight must be a number for each row"):
        model.fit(X, y, ["much"] * 40)
    with pytest.raises(InputError, match="class_weight is 'much' for the label 1"):
        model.set_params(class_weight={1: "much"}).fit(X, y)
    with pytest.raises(InputError, match=r"class_weight names 7, which is none of .*\[0, 1\]"):
        model.set_params(class_weight={7: 2.0}).fit(X, y)


def test_at_the_highest_rate_the_report_says_at_least():
    """Labels that have nothing to do with the columns: half are wrong, .9 × .6 / 2 is the most."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 2)), rng.integers(0, 2, 200)
    model = HardyClassifier(n_estimators=10, random_state=0).fit(X, y)
    assert model.noise_rate_ == pytest.approx(0.27)
    assert model.report_.is_at_limit
    assert str(model.report_).startswith("At least 27.0% of the labels are wrong.")


def test_below_the_highest_rate_the_report_says_about(table):
    report = HardyClassifier(n_estimators=10, random_state=0).fit(*table).report_
    assert not report.is_at_limit
    assert str(report).startswith("About ")


def test_more_trees_than_can_be_grown_are_refused():
    with pytest.raises(ValueError, match="'n_estimators' parameter"):
        HardyClassifier(n_estimators=10**12).fit([[0.0], [1.0]], [0, 1])


def test_what_is_wrong_with_a_table_names_the_classifier_and_once(table):
    X, y = table
    model = HardyClassifier(n_estimators=4, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match=r"X has 1 features, but HardyClassifier is expecting"):
        model.predict(X.to_numpy()[:, :1])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.predict(X.to_numpy())
    assert [str(one.message) for one in caught] == [
        "X does not have valid feature names, but HardyClassifier was fitted with feature names"
    ]
    with pytest.raises(InputError, match="HardyClassifier takes finite values only"):
        model.fit(np.full((len(y), 2), np.inf), y)


def test_moments_that_cannot_be_read_are_missing_with_one_warning(table):
    X, y = table
    X = X.assign(seen=pd.date_range("2024-01-30", periods=len(y)).astype(str))
    model = HardyClassifier(n_estimators=4, random_state=0).fit(X, y)
    without = X.copy()
    without.loc[without.index[:2], "seen"] = None
    garbage = without.copy()
    garbage.loc[garbage.index[:2], "seen"] = "soon"
    with pytest.warns(UserWarning, match=re.escape("'seen' holds moments, but has 'soon'")) as told:
        found = model.predict_proba(garbage)
    assert len(told) == 1
    np.testing.assert_array_equal(found, model.predict_proba(without))


@pytest.mark.parametrize("n_jobs", [0, True])
def test_no_number_of_jobs(table, n_jobs):
    with pytest.raises(InvalidParameterError, match="The 'n_jobs' parameter of HardyClassifier"):
        HardyClassifier(n_jobs=n_jobs).fit(*table)


def test_what_is_no_such_table_is_said_before_it_is_read(table):
    X, y = table
    X = X.assign(
        said=[f"row {i} says {i**2} words at length, and then again" for i in range(len(y))]
    )
    model = HardyClassifier(n_estimators=4, random_state=0).fit(X, y)
    assert "text" in [column.kind for column in model.encoder_.columns_]
    twice = pd.concat([X, X.iloc[:, :1]], axis=1)
    for rows, message in (
        (X[:0], "The table has 0 rows"),
        (X.iloc[:, 0], "Expected 2D array"),
        (None, "Expected 2D array"),
        (twice, "Two columns are named"),
        (sparse.csr_array(np.ones(X.shape)), "HardyClassifier was fitted on a dense table"),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with pytest.raises(ValueError, match=message):
                model.predict(rows)


def test_the_line_that_tells_how_to_keep_a_column_names_what_can_keep_it():
    constant = pd.DataFrame({"same": [1] * 20})
    with pytest.raises(InputError, match="keep of TableEncoder or make_table_classifier"):
        HardyClassifier().fit(constant, [0, 1] * 10)
