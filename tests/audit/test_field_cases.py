"""What people run into elsewhere, and nasty input, on the audit in memory."""

import re
import warnings

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Perceptron

import hardy
from hardy.exceptions import InputError, LittleInformationWarning, NotAssessableWarning
from hardy.panel import LinearOpinion, NeighborsOpinion, NoiseVotesOpinion, TreesOpinion

N = 48
RNG = np.random.RandomState(0)
CODES = np.arange(N) % 2
X = RNG.normal(size=(N, 3)) + 2.5 * CODES[:, None] * [1, 1, 0]
WRONG = [4, 9, 30]
GIVEN = CODES.copy()
GIVEN[WRONG] = 1 - GIVEN[WRONG]
FRAME = pd.DataFrame(X, columns=["a", "b", "c"])


def audit_quietly(table, labels, **options):
    """Audit, with every warning an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # These tables are nasty, not telling.
        warnings.simplefilter("ignore", LittleInformationWarning)
        return hardy.audit_labels(table, labels, **{"random_state": 0, "cv": 3, **options})


def check_promises(audit, n):
    """What holds of every audit, whatever went in."""
    k = len(audit.classes)
    assert audit.doubt.shape == audit.is_suspect.shape == audit.suggested_labels.shape == (n,)
    assert ((audit.doubt >= 0) & (audit.doubt <= 1)).all()
    assert audit.pred_proba.shape == (n, k)
    assert np.isfinite(audit.pred_proba).all()
    assert np.isfinite(audit.coordinates).all()
    assert (audit.given_codes[audit.is_suspect] >= 0).all()
    suggested = pd.Index(audit.classes).get_indexer(audit.suggested_labels)
    assert (suggested != audit.given_codes)[audit.is_suspect].all()
    assert audit.is_assessable[audit.is_suspect].all()
    assert not audit.doubt[~audit.is_assessable].any()
    np.testing.assert_allclose(audit.transition_matrix.sum(axis=1), 1)
    assert np.isnan(audit.noise_rate) or 0 <= audit.noise_rate <= 1
    frame = audit.to_frame()
    assert len(frame) == n
    assert (frame["reasons"] != "").tolist() == audit.is_suspect.tolist()


@pytest.fixture(autouse=True, scope="module")
def quick_panel():
    """Ask the same kinds of learners as always, but smaller ones."""

    def members(n_rows=0):
        return [
            TreesOpinion(1, 40),
            LinearOpinion(0.03),
            NeighborsOpinion((5, 10)),
            NoiseVotesOpinion(3, 20),
        ]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hardy.panel.panel.default_members", members)
        yield


@pytest.fixture(scope="module")
def base(quick_panel):
    audit = audit_quietly(X, GIVEN)
    assert audit.suspects.size
    assert set(WRONG) <= set(np.argsort(-audit.doubt)[:6])
    return audit


KINDS = {
    "words": ["no", "yes"],
    "booleans": [False, True],
    "from 1": [1, 2],
    "signs": [-1, 1],
    "0 and 5": [0, 5],
    "floats": [0.5, 1.5],
    "bytes": [b"a", b"b"],
}
COLUMNS = {
    "list": lambda y: y.tolist(),
    "objects": lambda y: y.astype(object),
    "column": lambda y: y[:, None],
    "category": lambda y: pd.Series(y, dtype="category"),
    "strange index": lambda y: pd.Series(y, index=[3] * N),
    "polars": lambda y: pl.Series(y.tolist()),
}


class TestLabelsOfEveryKind:
    @pytest.mark.parametrize("kind", KINDS)
    def test_kind(self, base, kind):
        self.check(base, np.array(KINDS[kind]), np.array(KINDS[kind])[GIVEN])

    @pytest.mark.parametrize("name", COLUMNS)
    def test_column(self, base, name):
        classes = np.array(["no", "yes"])
        self.check(base, classes, COLUMNS[name](classes[GIVEN]))

    @pytest.mark.parametrize(
        ("classes", "dtype"),
        [([1, 2], "Int64"), ([False, True], "boolean"), (["n", "y"], "string")],
    )
    def test_nullable(self, base, classes, dtype):
        self.check(base, np.array(classes), pd.Series(np.array(classes)[GIVEN], dtype=dtype))

    @staticmethod
    def check(base, classes, labels):
        audit = audit_quietly(X, labels)
        np.testing.assert_array_equal(audit.doubt, base.doubt)
        np.testing.assert_array_equal(audit.is_suspect, base.is_suspect)
        assert audit.classes.tolist() == classes.tolist()
        assert audit.suggested_labels.tolist() == classes[base.suggested_labels].tolist()
        assert audit.given_labels.tolist() == classes[GIVEN].tolist()
        assert audit.transition_matrix.index.tolist() == classes.tolist()
        for row in audit.suspects:
            assert f"`{classes[base.suggested_labels[row]]}`" in audit.explain(row)[0]


class TestSmallClasses:
    def test_one_warning_lists_them_all(self):
        labels = np.where(GIVEN == 1, "big", "other").astype(object)
        labels[[0, 1]], labels[2] = "two", "one"
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            audit = hardy.audit_labels(X, labels, random_state=0, cv=5)
        assert [warning.category for warning in caught] == [NotAssessableWarning]
        assert str(caught[0].message).endswith("can't be assessed: one, two.")
        assert caught[0].filename == __file__
        assert np.flatnonzero(~audit.is_assessable).tolist() == [0, 1, 2]
        check_promises(audit, N)

    def test_very_many_are_not_all_named(self):
        labels = [f"{label} kg" for label in [*GIVEN[:6], *range(100, 142)]]
        with pytest.warns(NotAssessableWarning, match=r"117 kg, 118 kg and 23 more\.$"):
            audit = hardy.audit_labels(X, labels, random_state=0, cv=2)
        check_promises(audit, N)

    def test_a_class_without_rows(self):
        with pytest.warns(NotAssessableWarning, match="assessed: 7"):
            audit = hardy.audit_labels(X, GIVEN, classes=[1, 7, 0], random_state=0, cv=3)
        assert audit.classes.tolist() == [1, 7, 0]
        assert audit.pred_proba.shape == (N, 3)
        assert 7 not in audit.suggested_labels
        check_promises(audit, N)


class TestNothingToCompare:
    @pytest.mark.parametrize(
        ("labels", "reason"),
        [
            (["same"] * N, "Every label is same"),
            ([None] * N, "No row has a label"),
            (["same"] * (N - 5) + [None] * 5, "Every label is same"),
            (["same"] * (N - 2) + ["rare"] * 2, "Fewer than two classes have 3 rows"),
            ([f"{row} kg" for row in range(N)], "Fewer than two classes have 3 rows"),
        ],
    )
    def test_the_finding_is_empty_and_says_why(self, labels, reason):
        with pytest.warns(NotAssessableWarning, match="can't be assessed|can be assessed"):
            audit = hardy.audit_labels(X, labels, random_state=0)
        assert reason in audit.note
        assert not audit.is_suspect.any()
        assert not audit.is_assessable.any()
        assert np.isnan(audit.noise_rate)
        assert audit.explain(0) == [audit.note]
        check_promises(audit, N)
        kept, _ = audit.clean(X, labels)
        assert len(kept) == N - audit.is_unlabelled.sum()

    @pytest.mark.parametrize("n", [0, 1, 2])
    @pytest.mark.filterwarnings("ignore::hardy.exceptions.NotAssessableWarning")
    def test_hardly_any_rows(self, n):
        audit = hardy.audit_labels(X[:n], GIVEN[:n].tolist())
        assert audit.note
        check_promises(audit, n)


class TestContainers:
    @pytest.mark.parametrize(
        "convert",
        [
            np.ndarray.tolist,
            lambda table: tuple(map(tuple, table)),
            np.asfortranarray,
            lambda table: table.astype(object),
            pd.DataFrame,
            lambda table: pd.DataFrame(table, columns=["a", "b", "c"]),
            lambda table: FRAME.set_axis(np.zeros(N, dtype=int)),
            lambda table: FRAME.set_axis(pd.MultiIndex.from_product([range(24), ["x", "y"]])),
            lambda table: FRAME.astype("Float64"),
            lambda table: FRAME.convert_dtypes(dtype_backend="pyarrow"),
            lambda table: pl.DataFrame(table, schema=["a", "b", "c"]),
        ],
    )
    def test_the_same_numbers_give_the_same_finding(self, base, convert):
        table = convert(X)
        audit = audit_quietly(table, GIVEN)
        np.testing.assert_array_equal(audit.doubt, base.doubt)
        np.testing.assert_array_equal(audit.nearest_rows, base.nearest_rows)
        if isinstance(table, pd.DataFrame):
            assert audit.to_frame().index.equals(table.index)
            assert audit.values.columns.equals(table.columns)

    @pytest.mark.parametrize("kind", ["csr", "csc", "coo", "lil"])
    def test_sparse_matrices_of_every_kind(self, kind):
        expected = audit_quietly(sparse.csr_array(X), GIVEN)
        audit = audit_quietly(sparse.csr_matrix(X).asformat(kind), GIVEN)
        np.testing.assert_array_equal(audit.doubt, expected.doubt)
        check_promises(audit, N)

    def test_a_memory_map_that_can_only_be_read(self, base, tmp_path):
        joblib.dump(X, tmp_path / "X")
        mapped = joblib.load(tmp_path / "X", mmap_mode="r")
        assert not mapped.flags.writeable
        given = GIVEN.copy()
        given.flags.writeable = False
        audit = audit_quietly(mapped, given, n_jobs=2)
        np.testing.assert_array_equal(audit.doubt, base.doubt)

    def test_nothing_that_was_given_changes(self):
        table, labels = FRAME.copy(), pd.Series(GIVEN)
        proba = np.full((N, 2), 0.5)
        hardy.audit_labels(table, labels, pred_proba=proba, random_state=0, cv=2)
        pd.testing.assert_frame_equal(table, FRAME)
        assert labels.tolist() == GIVEN.tolist()
        assert (proba == 0.5).all()


class TestRepeatability:
    @pytest.mark.parametrize("n_jobs", [2, -1])
    def test_threads(self, base, n_jobs):
        audit = audit_quietly(X, GIVEN, n_jobs=n_jobs)
        np.testing.assert_array_equal(audit.pred_proba, base.pred_proba)

    def test_threads_with_groups_and_unlabelled_rows(self):
        labels = [None if row % 10 == 0 else int(code) for row, code in enumerate(GIVEN)]
        options = {"groups": np.arange(N) // 2}
        first, second = (audit_quietly(X, labels, n_jobs=n, **options) for n in (1, 2))
        np.testing.assert_array_equal(first.pred_proba, second.pred_proba)

    @pytest.mark.parametrize("backend", ["threading", "loky"])
    def test_backends_of_joblib(self, base, backend):
        with joblib.parallel_backend(backend, n_jobs=2):
            audit = audit_quietly(X, GIVEN, n_jobs=2)
        np.testing.assert_array_equal(audit.doubt, base.doubt)

    def test_the_random_state(self, base):
        again = audit_quietly(X, GIVEN, random_state=np.random.RandomState(0))
        np.testing.assert_array_equal(again.doubt, base.doubt)
        assert (audit_quietly(X, GIVEN, random_state=1).doubt != base.doubt).any()

    def test_the_order_of_rows_hardly_matters(self, base):
        order = np.random.RandomState(1).permutation(N)
        audit = audit_quietly(X[order], GIVEN[order])
        assert np.corrcoef(audit.doubt, base.doubt[order])[0, 1] > 0.9
        # The map holds no chance and no labels, so that only rounding differs.
        np.testing.assert_allclose(
            np.abs(audit.coordinates), np.abs(base.coordinates[order]), atol=1e-6
        )

    def test_probabilities_alone_do_not_depend_on_the_order_of_rows(self):
        proba = np.random.RandomState(2).dirichlet([1, 1], N)
        order = np.random.RandomState(1).permutation(N)
        one = hardy.audit_labels(None, GIVEN, pred_proba=proba)
        other = hardy.audit_labels(None, GIVEN[order], pred_proba=proba[order])
        np.testing.assert_allclose(other.doubt, one.doubt[order])
        np.testing.assert_array_equal(other.is_suspect, one.is_suspect[order])
        assert other.noise_rate == pytest.approx(one.noise_rate)


class TestMissingValues:
    def test_they_pass_where_they_can_be_taken(self):
        table = pd.DataFrame(
            {
                "number": np.where(np.arange(N) % 5 == 0, np.nan, X[:, 0]),
                "word": [None if row % 5 == 2 else "xy"[code] for row, code in enumerate(CODES)],
                "empty": [None] * N,
            }
        )
        audit = audit_quietly(table, GIVEN)
        check_promises(audit, N)
        assert set(WRONG) <= set(np.argsort(-audit.doubt)[:6])

    def test_the_users_estimator_says_itself_that_it_cannot(self):
        table = np.where(np.arange(N)[:, None] == 3, np.nan, X)
        with pytest.raises(ValueError, match="NaN"):
            hardy.audit_labels(table, GIVEN, estimator=LogisticRegression(), random_state=0)


class TestOwnDetectors:
    def test_only_the_detector_is_asked_and_none_is_trained(self):
        class Detector(RandomForestClassifier):
            seen = 0

            def fit(self, X, y):
                Detector.seen += 1
                return super().fit(X, y)

        own = Detector(5)
        audit = audit_quietly(X, GIVEN, estimator=own, use_panel=False, cv=4)
        assert Detector.seen == 4
        assert not hasattr(own, "estimators_")
        assert list(audit.opinions) == ["Detector"]

    def test_several_detectors(self):
        own = [LogisticRegression(), DummyClassifier(strategy="prior")]
        audit = audit_quietly(X, GIVEN, estimator=own, use_panel=False)
        assert list(audit.detector_weights.index) == ["LogisticRegression", "DummyClassifier"]
        assert audit.detector_weights.iloc[0] > 0.8
        assert audit.explain(int(audit.suspects[0]))[1].endswith("of 2 detectors disagree")

    def test_a_detector_without_a_seed_is_repeatable(self):
        own = {"estimator": RandomForestClassifier(5), "use_panel": False}
        first, second = audit_quietly(X, GIVEN, **own), audit_quietly(X, GIVEN, **own)
        np.testing.assert_array_equal(first.doubt, second.doubt)

    @pytest.mark.parametrize("container", [pd.DataFrame, pl.DataFrame])
    def test_named_probabilities_may_come_in_any_order(self, container):
        p = np.where(CODES == 1, 0.9, 0.1)
        labels = np.array(["n", "y"])[GIVEN]
        audit = hardy.audit_labels(None, labels, pred_proba=container({"y": p, "n": 1 - p}))
        assert np.flatnonzero(audit.is_suspect).tolist() == WRONG
        positional = hardy.audit_labels(
            None, labels, pred_proba=np.c_[p, 1 - p], classes=["y", "n"]
        )
        np.testing.assert_allclose(positional.doubt, audit.doubt)

    def test_probabilities_of_rows_without_a_label_suggest_one(self):
        p = np.where(CODES == 1, 0.9, 0.1)
        labels = [None, *GIVEN[1:].tolist()]
        audit = hardy.audit_labels(None, labels, pred_proba=np.c_[1 - p, p])
        assert audit.suggested_labels[0] == CODES[0]
        assert audit.explain(0) == ["the panel gives `0` 90 %"]
        check_promises(audit, N)


class TestReasons:
    def test_every_suspect_has_its_row_its_class_and_the_reason(self, base):
        for row in base.suspects.tolist():
            given, other = GIVEN[row], base.suggested_labels[row]
            near = base.nearest_rows[row]
            against = sum(int(opinion[row].argmax() != given) for opinion in base.opinions.values())
            share = np.round(100 * base.pred_proba[row]).astype(int)
            assert base.explain(row) == [
                f"{(GIVEN[near] == other).sum()} of its 10 nearest rows are `{other}`",
                f"{against} of 4 detectors disagree",
                f"the panel gives `{other}` {share[other]} % and `{given}` {share[given]} %",
                f"nearest row: {near[0]} (`{GIVEN[near[0]]}`)",
            ]

    def test_values_hold_the_suspects_and_their_nearest_rows(self, base):
        shown = np.union1d(base.suspects, base.nearest_rows[base.suspects, :5])
        assert base.values.index.tolist() == shown.tolist()
        np.testing.assert_array_equal(base.values, X[shown])


class TestGroups:
    def test_copies_do_not_vouch_for_a_wrong_label(self):
        doubled, labels = np.repeat(X, 2, axis=0), np.repeat(GIVEN, 2)
        groups = np.repeat([f"patient {row}" for row in range(N)], 2)
        doubt = [
            audit_quietly(doubled, labels, groups=own).doubt[np.repeat(np.isin(range(N), WRONG), 2)]
            for own in (groups, None)
        ]
        assert doubt[0].mean() > doubt[1].mean()

    @pytest.mark.parametrize("n_groups", [2, 3])
    def test_few_groups(self, n_groups):
        check_promises(audit_quietly(X, GIVEN, groups=np.arange(N) % n_groups), N)

    def test_more_groups_than_rows_of_a_class(self):
        labels = np.r_[GIVEN[:8], np.full(3, 2)]
        audit = audit_quietly(X[:11], labels, groups=np.arange(11), cv=10)
        check_promises(audit, 11)

    @pytest.mark.parametrize(
        ("groups", "message"),
        [
            (["g"] * N, "groups has one value only, 'g'"),
            (np.arange(N - 1), f"groups has {N - 1} rows, but y has {N} labels"),
            ([None, *range(N - 1)], "groups has no value in row 0"),
        ],
    )
    def test_bad_groups_are_named(self, groups, message):
        with pytest.raises(InputError, match=message):
            hardy.audit_labels(X, GIVEN, groups=groups)


NASTY = {
    "one column": X[:, :1],
    "more columns than rows": np.random.RandomState(0).normal(size=(N, 120)),
    "a constant column": np.c_[X, np.ones(N)],
    "an empty column": np.c_[X, np.full(N, np.nan)],
    "huge": X * 1e300,
    "tiny": X * 1e-300,
    "huge beside tiny": X * [1e300, 1e-300, 1],
    "codes of the largest numbers": np.r_[[[1.79e308, 1, 1], [-1.79e308, 1, 1]], X[2:]],
    "huge single precision": (X * 1e37).astype(np.float32),
    "half precision": X.astype(np.float16),
    "integers": (10 * X).astype(int),
    "bytes": (10 * X).astype(np.int8),
    "large unsigned integers": np.abs(X * 1e18).astype(np.uint64),
    "booleans": X > 1,
    "objects": X.astype(object),
    "words": np.array(list("abc"))[np.digitize(X, [0, 2])],
    "mixed list": [[row, "xy"[code], None] for row, code in zip(X[:, 0], CODES, strict=True)],
    "masked": np.ma.array(X, mask=X > 3),
    "moments": np.arange(2 * N).reshape(N, 2).astype("M8[D]") + np.arange(N)[:, None] ** 2,
    "duplicates": np.repeat(X[::2], 2, axis=0),
    "two distinct rows": X[CODES],
    "huge sparse": sparse.csr_array(X * 1e300),
    "sparse integers": sparse.csr_array((10 * X).astype(int)),
    "sparse booleans": sparse.csr_array(X > 1),
    "numbers as names": pd.DataFrame(X, columns=[3, 1, 2]),
    "levels of names": pd.DataFrame(X, columns=pd.MultiIndex.from_product([["a"], range(3)])),
    "columns of every kind": pd.DataFrame(
        {
            "when": pd.date_range("2026", periods=N, tz="UTC"),
            "span": pd.to_timedelta(np.arange(N) ** 2, unit="s"),
            "bin": pd.cut(X[:, 0], 4),
            "kind": pd.Categorical(np.arange(N) % 5),
            "flag": pd.array(X[:, 1] > 0, dtype="boolean"),
        }
    ),
}


@pytest.mark.parametrize("name", NASTY)
def test_nasty_tables(name):
    audit = audit_quietly(NASTY[name], GIVEN, cv=2)
    check_promises(audit, N)
    assert audit.explain(0)


@pytest.mark.parametrize("factor", [1e300, 1e-300])
def test_the_unit_of_measure_does_not_matter(base, factor):
    np.testing.assert_allclose(audit_quietly(X * factor, GIVEN).doubt, base.doubt, atol=0.02)


@pytest.mark.parametrize(
    ("table", "labels"),
    [
        (X[:6], [0, 0, 0, 1, 1, 1]),
        (X, np.r_[[0] * 3, [1] * (N - 3)]),
        (X, np.arange(N) // 3),
        (X, np.where(GIVEN == 1, np.inf, 0.0)),
        (X, [*GIVEN[:8].tolist(), *[None] * (N - 8)]),
        (np.random.RandomState(0).normal(size=(300, 4)), np.arange(300) % 50),
    ],
    ids=["six rows", "a rare class", "many classes", "infinity", "few labels", "fifty classes"],
)
def test_nasty_labels(table, labels):
    check_promises(audit_quietly(table, labels, cv=2), len(labels))


PROBA = np.full((N, 2), 0.5)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((X, GIVEN[:5]), {}, f"X has {N} rows, but y has 5"),
        ((X, np.c_[GIVEN, GIVEN]), {}, r"shape \(48, 2\)"),
        ((X, ["a", 1] * (N // 2)), {}, "mix types"),
        ((X, GIVEN), {"classes": [0, 2]}, "Row 1 has the label 1"),
        ((X, GIVEN), {"classes": [0, 1, 1]}, "names 1 twice"),
        ((X, GIVEN), {"pred_proba": PROBA[:5]}, r"shape \(5, 2\)"),
        ((X, GIVEN), {"pred_proba": np.full((N, 3), 1 / 3)}, r"shape \(48, 3\)"),
        ((X, GIVEN), {"cv": 1}, "cv=1 must be"),
        ((X, GIVEN), {"cv": 2.5}, "cv=2.5 must be"),
        ((X, GIVEN), {"estimator": Perceptron()}, "Perceptron has no predict_proba"),
        ((None, GIVEN), {"estimator": LogisticRegression()}, "estimator needs X"),
        ((None, GIVEN), {}, "give X, or pred_proba"),
        ((X, GIVEN), {"use_panel": False}, "needs an estimator or pred_proba"),
        ((np.ones((N, 2)), GIVEN), {}, "No column is left to learn from"),
        ((FRAME.assign(d=[[1]] * N), GIVEN), {}, "Column 'd' holds a list in row 0"),
    ],
)
def test_bad_input_gets_one_clear_line(arguments, options, message):
    with pytest.raises(InputError, match=message) as caught:
        hardy.audit_labels(*arguments, random_state=0, **options)
    assert "\n" not in str(caught.value)
    assert not re.search(r"np\.\w+\(", str(caught.value))


def test_an_infinite_value_is_named_by_its_row_in_the_table():
    labels = [None, None, *GIVEN[2:].tolist()]
    for row in (1, 5):
        table = FRAME.copy()
        table.loc[row, "b"] = -np.inf
        with pytest.raises(InputError, match=f"Column 'b' has an infinite value in row {row} "):
            hardy.audit_labels(table, labels)


def test_columns_that_would_be_set_aside_can_be_kept():
    # The codes count the rows, class by class, so that they alone tell the classes apart.
    order = np.argsort(CODES, kind="stable")
    table = pd.DataFrame({"id": np.arange(N)[np.argsort(order)], "noise": X[::-1, 2]})
    kept = audit_quietly(table, GIVEN, keep=["id"])
    assert set(WRONG) <= set(np.argsort(-kept.doubt)[:6])
    set_aside = audit_quietly(table, GIVEN)
    assert not set(WRONG) <= set(np.argsort(-set_aside.doubt)[:6])


def test_progress_is_told_step_by_step():
    steps = []
    audit_quietly(X, GIVEN, progress=lambda *step: steps.append(step))
    assert [done for _, done, _ in steps] == list(range(len(steps)))
    assert {total for *_, total in steps} == {len(steps) - 1}


def test_clean_labels_have_hardly_a_suspect():
    rng = np.random.RandomState(0)
    labels = np.repeat(["a", "b", "c"], 40)
    table = rng.normal(size=(120, 3)) + 8 * np.eye(3)[np.repeat([0, 1, 2], 40)]
    audit = audit_quietly(table, labels)
    assert audit.is_suspect.sum() == 0
    assert audit.noise_rate == pytest.approx(0, abs=1e-9)
