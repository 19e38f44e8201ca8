import warnings
from datetime import date

import joblib
import numpy as np
import pandas as pd
import polars
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, load_wine
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from hardy.exceptions import InputError
from hardy.noise import flip_labels
from hardy.studies import compare_under_noise
from hardy.studies.reproduction import make_seed
from hardy.studies.scores import SCORES
from hardy.tabular import TableEncoder

WINE = load_wine(return_X_y=True)
SEEN = []


class Memory(ClassifierMixin, BaseEstimator):
    """Keeps what it is fitted on, and says the first class."""

    def __init__(self, note="", random_state=None):
        self.note = note
        self.random_state = random_state

    def fit(self, X, y):
        SEEN.append((self.note, np.asarray(X), np.asarray(y), self.random_state))
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


class Failing(Memory):
    def fit(self, X, y):
        raise ArithmeticError("it is\ntoo hard\udcff")


class FailingLater(Memory):
    """Fits, and then gives what its note says."""

    def predict(self, X):
        if self.note == "nothing":
            return np.full(len(X), None)
        if self.note == "probabilities":
            return super().predict(X)
        raise ArithmeticError("too late")

    def predict_proba(self, X):
        raise ArithmeticError("no idea")


@pytest.fixture
def seen():
    SEEN.clear()
    return SEEN


def test_methods_see_the_same_rows_and_flips_and_true_test_labels(seen):
    X, y = WINE
    names = np.array(["a", "b", "c"])[y]
    results = compare_under_noise(
        {"one": Memory("one"), "other": Memory("other")}, {"wine": (X, names)}, [0, 0.3], cv=3,
    )  # fmt: skip
    assert len(results) == 12
    folds = list(StratifiedKFold(3, shuffle=True, random_state=make_seed(0, "wine", 0)).split(X, y))
    for rate, repeat in ((0.0, slice(0, 6)), (0.3, slice(6, 12))):
        some = results[results["noise_rate"] == rate]
        for fold, (train, test) in enumerate(folds):
            both = [entry for entry in seen[repeat] if len(entry[1]) == len(train)
                    and (entry[1] == X[train]).all()]  # fmt: skip
            assert [note for note, *_ in both] == ["one", "other"]
            for _, _, labels, seed in both:
                assert ((labels != names[train]).mean() > 0.1) == (rate > 0)
                np.testing.assert_array_equal(labels, both[0][2])
                assert seed == both[0][3]
            expected = (names[test] == "a").mean()
            assert (some.loc[some["fold"] == fold, "accuracy"] == expected).all()


@pytest.mark.parametrize("kind", ["uniform", "class_conditional", "feature_dependent"])
def test_the_noise_is_that_of_flip_labels(seen, kind):
    X, y = WINE
    compare_under_noise([Memory()], {"wine": WINE}, [0.2], kind=kind, cv=2, random_state=5)
    folds = StratifiedKFold(2, shuffle=True, random_state=make_seed(5, "wine", 0)).split(X, y)
    for fold, (train, _) in enumerate(folds):
        noisy, _ = flip_labels(
            y[train], 0.2, kind=kind, X=X[train] if kind == "feature_dependent" else None,
            random_state=make_seed(5, "wine", kind, 0.2, 0, fold),
        )  # fmt: skip
        np.testing.assert_array_equal(seen[fold][2], noisy)


def test_a_run_that_was_cut_goes_on(seen, tmp_path):
    path = tmp_path / "results.csv"
    options = {"noise_rates": [0, 0.2], "cv": 3, "n_repeats": 2}
    methods = {"memory": Memory(), "bayes": GaussianNB()}
    whole = compare_under_noise(methods, {"wine": WINE}, **options)
    calls = []

    def stop(what, done, total):
        calls.append((done, total))
        if done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compare_under_noise(methods, {"wine": WINE}, store=path, progress=stop, **options)
    assert len(pd.read_csv(path)) == 7
    seen.clear()
    done = compare_under_noise(methods, {"wine": WINE}, store=path, progress=stop, **options)
    assert calls[-1] == (24, 24)
    assert len(seen) == 12 - sum(pd.read_csv(path)["method"][:7] == "memory")
    same = ["dataset", "noise_rate", "repeat", "fold", "method", *SCORES]
    pd.testing.assert_frame_equal(done[same], whole[same])
    again = compare_under_noise(methods, {"wine": WINE}, store=path, **options)
    pd.testing.assert_frame_equal(again, done)
    # Other seeds and folds are other cells.
    compare_under_noise(methods, {"wine": WINE}, store=path, random_state=1, **options)
    assert len(pd.read_csv(path)) == 48


@pytest.fixture(params=["threading", "loky", "dask"])
def backend(request):
    """Where joblib runs the fits."""
    if request.param != "dask":
        yield request.param
        return
    # A folder of these tests is called distributed as well.
    pytest.importorskip("dask", reason="Dask isn't installed: pip install 'hardy[distributed]'")
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster),
    ):
        yield "dask"


def test_where_fits_run_changes_no_score(backend, tmp_path):
    methods = [DecisionTreeClassifier(), GaussianNB(), Failing()]
    data = {"wine": WINE, "iris": load_iris(return_X_y=True, as_frame=True)}
    alone = compare_under_noise(methods, data, [0.2], cv=3, store=tmp_path / "alone.csv")
    filters = list(warnings.filters)
    with joblib.parallel_config(backend=backend, n_jobs=2):
        together = compare_under_noise(methods, data, [0.2], cv=3, store=tmp_path / "together.csv")
    assert warnings.filters == filters
    same = ["dataset", "fold", "method", "error", *SCORES]
    pd.testing.assert_frame_equal(alone[same], together[same])
    assert (together.loc[together["method"] != "Failing", "fit_seconds"] > 0).all()


def test_a_method_that_fails_is_recorded_and_the_run_goes_on():
    results = compare_under_noise(
        {"bad": Failing(), "good": GaussianNB(), "plain": Perceptron()}, {"wine": WINE}, [0], cv=2
    )
    bad, good, plain = (results[results["method"] == name] for name in ("bad", "good", "plain"))
    assert bad["error"].tolist() == ["ArithmeticError: it is too hard\\udcff"] * 2
    assert bad[list(SCORES)].isna().all(axis=None)
    assert good["error"].isna().all()
    assert (good["accuracy"] > 0.9).all()
    assert good["auc"].notna().all()
    assert plain["auc"].isna().all()
    assert (good["fit_seconds"] > 0).all()
    assert good["versions"].str.contains("scikit-learn=").all()


@pytest.mark.parametrize(
    ("note", "message"),
    [
        ("", "ArithmeticError: too late"),
        ("probabilities", "ArithmeticError: no idea"),
        ("nothing", "InputError: It predicts no label for 89 of 89 rows."),
    ],
)
def test_a_method_that_fails_in_its_predictions_keeps_what_is_known_of_its_fit(note, message):
    results = compare_under_noise([FailingLater(note)], {"wine": WINE}, [0], cv=2)
    assert results["error"].tolist() == [message] * 2
    assert results[list(SCORES)].isna().all(axis=None)
    assert results[["fit_seconds", "peak_megabytes"]].notna().all(axis=None)
    assert results["predict_seconds"].notna().all() == bool(note)


def test_noise_that_depends_on_words_and_holes(seen):
    """The flips are those of the table in numbers."""
    X, y = load_iris(return_X_y=True, as_frame=True)
    table = X.assign(width=pd.cut(X.iloc[:, 3], 5, labels=list("abcde")).astype(object))
    table.iloc[::7, 0] = None
    options = {"kind": "feature_dependent", "cv": 2}
    compare_under_noise([Memory()], {"d": (table, y)}, [0.2], **options)
    numbers = TableEncoder().fit_transform(table)
    folds = StratifiedKFold(2, shuffle=True, random_state=make_seed(0, "d", 0)).split(X, y)
    for fold, (train, _) in enumerate(folds):
        noisy, flipped = flip_labels(
            y[train], 0.2, kind="feature_dependent", X=numbers[train],
            random_state=make_seed(0, "d", "feature_dependent", 0.2, 0, fold),
        )  # fmt: skip
        assert flipped.any()
        np.testing.assert_array_equal(seen[fold][2], noisy)


def test_files_frames_and_missing_labels(tmp_path):
    X, y = load_iris(return_X_y=True, as_frame=True)
    table = X.assign(kind=y.map({0: "a", 1: "b", 2: "c"}))
    table.to_csv(tmp_path / "iris.csv", index=False)
    labels = table["kind"].astype(object)
    labels[3] = None
    results = compare_under_noise(
        [GaussianNB()],
        {
            "file": (tmp_path / "iris.csv", "kind"),
            "frame": (X, labels),
            "polars": (polars.DataFrame(X.to_dict("list")), polars.Series(labels.tolist())),
            "lists": (X.to_numpy().tolist(), labels.tolist()),
        },
        [0],
    )
    means = results.groupby("dataset")["accuracy"].mean()
    assert (means > 0.9).all()


def test_known_sets_and_their_names(monkeypatch):
    asked = []

    def fetch(name, **options):
        asked.append((name, options))
        return WINE

    monkeypatch.setattr("hardy.studies._datasets.fetch_uci", fetch)
    for names in ("glass", ["glass"], ("glass",)):
        results = compare_under_noise([GaussianNB()], names, [0], cv=2)
        assert results["dataset"].tolist() == ["glass"] * 2
    assert asked == [("glass", {"return_X_y": True})] * 3
    with pytest.raises(InputError, match="'glass' is named twice"):
        compare_under_noise([GaussianNB()], ["glass", "glass"], [0], cv=2)


X4, Y4 = np.zeros((8, 1)), [0, 1] * 4


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([Memory(), Memory()], {"a": (X4, Y4)}), {}, "Two estimators are Memory"),
        (({}, {"a": (X4, Y4)}), {}, "no estimator to compare"),
        (([3], {"a": (X4, Y4)}), {}, "'int': 3 is no name with an estimator"),
        (({"": Memory()}, {"a": (X4, Y4)}), {}, "'': .* is no name with an estimator"),
        ((Memory(), {"a": (X4, Y4)}), {}, "estimators is a Memory; give a list"),
        (("memory", {"a": (X4, Y4)}), {}, "estimators is a str; give a list"),
        (([Memory()], {}), {}, "no data set to compare on"),
        (([Memory()], {1: (X4, Y4)}), {}, "must be a word, not 1"),
        (([Memory()], [(X4, Y4)]), {}, "must be a mapping of names to data"),
        (([Memory()], X4), {}, "must be a mapping of names to data"),
        (([Memory()], pd.DataFrame(X4)), {}, "must be a mapping of names to data"),
        (([Memory()], None), {}, "must be a mapping of names to data"),
        (([Memory()], {"\udcff": (X4, Y4)}), {}, "must be a word, not"),
        (([Memory], {"a": (X4, Y4)}), {}, "Memory is a class; give an estimator"),
        (([Memory()], {"a": (None, Y4)}), {}, "'a': X is of the type NoneType; give a table"),
        (([Memory()], {"a": (X4, [0, "a"] * 4)}), {}, "'a': The labels mix types"),
        (([Memory()], {"a": (X4, [date(2024, 1, 1), date(2024, 1, 2)] * 4)}), {}, "type date"),
        (([Memory()], {"a": (X4[:5], Y4)}), {}, "'a': There are 5 rows, but 8 labels"),
        (([Memory()], {"a": (X4, Y4)}), {}, "'a': It has 4 rows of the class 0, fewer than cv=5"),
        (([Memory()], {"a": (X4, [*"xxxxxxxy"])}), {}, "It has 1 row of the class 'y'"),
        (([Memory()], {"a": (X4, [0] * 8)}), {}, "'a': It has fewer than two classes"),
        (([Memory()], {"a": (X4, np.arange(8) / 7)}), {"cv": 2}, "row of the class 0.0"),
        (([Memory()], {"a": ("none.csv", "y")}), {}, "no file none.csv"),
        (([Memory()], {"a": X4}), {}, r"'a' must be \(X, y\)"),
        (([Memory()], ["pirma"]), {}, "no data set 'pirma'; did you mean 'pima'"),
        (([Memory()], {"a": (X4, Y4)}), {"noise_rates": [0, 2]}, "numbers from 0 to 1"),
        (([Memory()], {"a": (X4, Y4)}), {"noise_rates": [0.1, 0.1]}, "each once"),
        (([Memory()], {"a": (X4, Y4)}), {"noise_rates": "x"}, "numbers from 0 to 1"),
        (([Memory()], {"a": (X4, Y4)}), {"noise_rates": 0.1}, "numbers from 0 to 1"),
        (([Memory()], {"a": (X4, Y4)}), {"noise_rates": []}, "at least one"),
        (([Memory()], {"a": (X4, Y4)}), {"noise_rates": [np.nan]}, "numbers from 0 to 1"),
        (([Memory()], {"a": (X4, Y4)}), {"n_jobs": 0}, "n_jobs=0 has no meaning"),
        (([Memory()], {"a": (X4, Y4)}), {"n_jobs": "x"}, "n_jobs='x' has no meaning"),
        (([Memory()], {"a": (X4, Y4)}), {"cv": 1}, "cv=1 must be"),
        (([Memory()], {"a": (X4, Y4)}), {"n_repeats": 0}, "n_repeats=0"),
        (([Memory()], {"a": (X4, Y4)}), {"random_state": None}, "random_state=None"),
        (
            ([Memory()], {"a": (X4, Y4)}),
            {"kind": "odd", "cv": 2},
            "kind='odd' is not a noise",
        ),
        (
            ([Memory()], {"a": (sparse.csr_matrix(X4), Y4)}),
            {"kind": "feature_dependent", "cv": 2},
            "'a': feature_dependent noise needs a dense table",
        ),
        (
            ([Memory()], {"a": (["some words"] * 8, Y4)}),
            {"kind": "feature_dependent", "cv": 2},
            "'a': feature_dependent noise needs a table: Expected 2D array",
        ),
        (
            ([Memory()], {"a": (np.c_[X4, np.arange(8)], [0, 0, 1, 1, 1, 1, 1, 1])}),
            {"kind": "feature_dependent", "cv": 2, "noise_rates": [0.1]},
            "'a': kind=\"feature_dependent\" needs at least 2 rows of each class",
        ),
    ],
)
def test_what_makes_no_sense(arguments, options, message):
    with pytest.raises(InputError, match=message):
        compare_under_noise(*arguments, **options)


def test_given_seeds_stay(seen):
    compare_under_noise([Memory(random_state=7)], {"wine": WINE}, [0], cv=2)
    assert [seed for *_, seed in seen] == [7, 7]
    compare_under_noise([LogisticRegression(max_iter=5)], {"wine": WINE}, [0], cv=2)


def test_names_like_numbers_and_sparse_rows(tmp_path):
    X, y = WINE
    results = compare_under_noise(
        {"1": GaussianNB(), "True": DecisionTreeClassifier()}, {"1": (X, y)}, [0], cv=2,
        store=tmp_path / "s.csv",
    )  # fmt: skip
    assert results["accuracy"].notna().all()
    rows = sparse.coo_matrix(X)
    results = compare_under_noise([DecisionTreeClassifier()], {"wine": (rows, y)}, [0], cv=2)
    assert results["error"].isna().all()


@pytest.mark.parametrize(
    ("method", "data", "what"),
    [
        (GaussianNB(), load_iris(return_X_y=True), "other data"),
        (GaussianNB(var_smoothing=0.1), WINE, "other settings"),
        (DecisionTreeClassifier(), WINE, "other settings"),
    ],
)
def test_a_store_of_something_else_is_refused(tmp_path, method, data, what):
    path = tmp_path / "s.csv"
    compare_under_noise({"m": GaussianNB()}, {"d": WINE}, [0], cv=2, store=path)
    with pytest.raises(InputError, match=f"holds 'm' on 'd' with {what}"):
        compare_under_noise({"m": method}, {"d": data}, [0], cv=2, store=path)
    compare_under_noise({"m": GaussianNB()}, {"d": WINE}, [0], cv=2, store=path)


def test_f1_is_of_the_same_class_in_every_fold():
    """51 rows of class 0 and 49 of class 1: always to say 1 has an F1 in every fold."""
    y = np.repeat([0, 1], [51, 49])
    results = compare_under_noise(
        {"one": DummyClassifier(strategy="constant", constant=1)}, {"d": (np.zeros((100, 1)), y)},
        [0],
    )  # fmt: skip
    assert (results["f1"] > 0.6).all()
