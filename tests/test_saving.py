import io
import json
import os
import pickle
import sys
import tracemalloc
import zipfile

import imblearn.pipeline
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    IsolationForest,
    RandomForestClassifier,
)
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MultiLabelBinarizer, OneHotEncoder
from sklearn.svm import SVC, SVR, OneClassSVM
from sklearn.tree._tree import Tree
from skops import io as skops_io

import hardy
from hardy.exceptions import InputError, MissingExtraError
from hardy.panel.support_vectors import SupportVectors
from hardy.saving import load_model, save_model
from hardy.tabular import make_table_classifier
from hardy.weighting import linear_weights, softmax_weights


class Intruder(LogisticRegression):
    """An estimator that isn't Hardy's; it leaves a trace wherever it is built from a file."""

    built = False

    def __setstate__(self, state):
        type(self).built = True
        super().__setstate__(state)


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    n = 60
    frame = pd.DataFrame(
        {
            "size": rng.normal(size=n),
            "colour": rng.choice(["red", "green"], n),
            "seen": pd.date_range("2024-01-30", periods=n).astype(str),
            "remark": [f"{'very ' * (i % 7)}sweet number {i * i}" for i in range(n)],
        }
    )
    frame.loc[[0, 1], "size"] = np.nan
    return frame, np.where(frame["size"] > 0, "ripe", "raw")


@pytest.fixture
def saved(table, tmp_path):
    """A model file, and the fitted model."""
    model = make_table_classifier(RandomForestClassifier(5, random_state=0)).fit(*table)
    path = tmp_path / "model.hardy"
    save_model(model, path, target="state", dropped=["a", "b"])
    return path, model


def rewrite(path, change, compression=zipfile.ZIP_STORED):
    """Change the schema of a model file."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    text = members["schema.json"].decode()
    changed = change(text)
    assert changed != text
    members["schema.json"] = changed.encode()
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def test_a_classifier_of_tables_and_its_header_come_back(saved, table):
    path, model = saved
    loaded = load_model(path)
    assert (loaded.target, loaded.dropped) == ("state", ("a", "b"))
    assert loaded.hardy_version == hardy.__version__
    np.testing.assert_array_equal(loaded.model.predict(table[0]), model.predict(table[0]))
    assert loaded.model["encoder"].columns_ == model["encoder"].columns_


def test_the_file_holds_no_pickle(saved):
    with zipfile.ZipFile(saved[0]) as archive:
        for name in archive.namelist():
            assert name.endswith((".json", ".npy", ".npz"))
            if name.endswith(".npy"):
                with archive.open(name) as file:
                    np.load(file, allow_pickle=False)


@pytest.mark.parametrize("labels", [["a", "b"], [0, 5], [False, True], [-1.0, 2.0]])
def test_labels_keep_their_type(labels, tmp_path):
    model = LogisticRegression().fit([[0.0], [1.0]], labels)
    save_model(model, tmp_path / "m")
    predicted = load_model(tmp_path / "m").model.predict([[0.0], [1.0]])
    assert predicted.tolist() == labels
    assert predicted.dtype == np.asarray(labels).dtype


@pytest.mark.parametrize(
    "model",
    [hardy.HardyClassifier(), LogisticRegression(), make_table_classifier(LogisticRegression())],
)
def test_what_is_not_fitted_is_not_saved(model, tmp_path):
    with pytest.raises(InputError, match=f"This {type(model).__name__} is not fitted"):
        save_model(model, tmp_path / "model.hardy")
    assert not list(tmp_path.iterdir())


def test_foreign_estimators_are_not_saved(tmp_path):
    model = make_pipeline(Intruder().fit([[0.0], [1.0]], [0, 1]))
    with pytest.raises(InputError, match=r"can't be saved, because it holds .*Intruder"):
        save_model(model, tmp_path / "m")
    assert list(tmp_path.iterdir()) == []


def test_foreign_types_are_named_and_never_built(tmp_path):
    model = Intruder().fit([[0.0], [1.0]], [0, 1])
    content = {"format": "hardy model 1", "model": model}
    (tmp_path / "m").write_bytes(skops_io.dumps(content))
    with pytest.raises(InputError, match=r"was not loaded, because .*Intruder"):
        load_model(tmp_path / "m")
    assert not Intruder.built


@pytest.mark.parametrize("loader", ["TypeNode", "FunctionNode", "ObjectNode"])
def test_a_function_smuggled_into_the_file_is_never_run(saved, loader, tmp_path):
    path, _ = saved
    trace = tmp_path / "trace"

    def smuggle(text):
        schema = json.loads(text)
        schema["content"]["target"] = {
            "__class__": "system",
            "__module__": "os",
            "__loader__": loader,
            "content": {"function": "system", "module_path": "os", "args": f"touch {trace}"},
        }
        return json.dumps(schema)

    rewrite(path, smuggle)
    with pytest.raises(InputError):
        load_model(path)
    assert not trace.exists()


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[: len(text) // 2],
        lambda text: text.replace('"__loader__": "ObjectNode"', '"__loader__": "NoNode"'),
        lambda text: text.replace("hardy model 1", "hardy model 0"),
        lambda text: text.replace('"__class__": "TableEncoder"', '"__class__": "NoEncoder"'),
        lambda text: "[]",
        lambda text: "{}",
    ],
)
def test_damaged_schemas_are_one_clear_error(saved, change):
    rewrite(saved[0], change)
    with pytest.raises(InputError) as raised:
        load_model(saved[0])
    assert "\n" not in str(raised.value)


def test_bytes_changed_anywhere_never_raise_anything_else(saved, table, tmp_path):
    data = bytearray(saved[0].read_bytes())
    rng = np.random.default_rng(0)
    for place in rng.integers(0, len(data), 40):
        changed = data.copy()
        changed[place] ^= 0xFF
        (tmp_path / "changed").write_bytes(changed)
        try:
            loaded = load_model(tmp_path / "changed")
        except InputError:
            continue
        assert loaded.model.predict(table[0]).shape == (60,)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (pickle.dumps({"a": 1}), "is no model file of Hardy's"),
        (b"", "is no model file of Hardy's"),
        (skops_io.dumps(LogisticRegression()), "is no model file of Hardy's"),
        (skops_io.dumps({"format": "hardy model 1", "model": 5}), "is damaged"),
    ],
)
def test_other_files_are_refused(content, message, tmp_path):
    (tmp_path / "m").write_bytes(content)
    with pytest.raises(InputError, match=message):
        load_model(tmp_path / "m")


def test_a_pipeline_of_a_library_that_is_not_there(tmp_path, monkeypatch):
    X = np.random.default_rng(0).normal(size=(40, 3))
    pruned = imblearn.pipeline.make_pipeline(hardy.MarginPruner(), LogisticRegression())
    save_model(pruned.fit(X, X[:, 0] > 0), tmp_path / "m")
    for name in [name for name in sys.modules if name.partition(".")[0] == "imblearn"]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtraError, match=r"The model in .*/m needs imblearn: pip install"):
        load_model(tmp_path / "m")


def test_missing_files_and_folders(tmp_path):
    with pytest.raises(InputError, match="There is no model file"):
        load_model(tmp_path / "none")
    with pytest.raises(InputError, match="is a folder"):
        load_model(tmp_path)


def spoil(name, value):
    """Change one node of a fitted forest's first tree."""

    def change(forest):
        tree = forest.estimators_[0].tree_
        state = tree.__getstate__()
        state["nodes"] = state["nodes"].copy()
        state["nodes"][name][0] = value
        tree.__setstate__(state)

    return change


@pytest.mark.parametrize(
    "change",
    [
        spoil("left_child", 10**6),
        spoil("right_child", 0),
        spoil("right_child", -1),
        spoil("left_child", -7),
        spoil("feature", 10**6),
        spoil("feature", -2),
    ],
)
def test_trees_that_lead_nowhere_are_refused(change, tmp_path):
    X = np.random.default_rng(0).normal(size=(40, 3))
    forest = RandomForestClassifier(2, random_state=0).fit(X, X[:, 0] > 0)
    save_model(make_pipeline(forest), tmp_path / "m")
    load_model(tmp_path / "m")
    change(forest)
    save_model(make_pipeline(forest), tmp_path / "m")
    with pytest.raises(InputError, match="is damaged"):
        load_model(tmp_path / "m")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("left", 10**6),
        ("right", 0),
        ("feature_idx", 10**6),
        ("feature_idx", -2),
        ("is_categorical", 1),
    ],
)
def test_boosted_trees_that_lead_nowhere_are_refused(name, value, tmp_path):
    X = np.random.default_rng(0).normal(size=(60, 3))
    model = HistGradientBoostingClassifier(max_iter=2, random_state=0).fit(X, X[:, 0] > 0)
    save_model(make_pipeline(model), tmp_path / "m")
    loaded = load_model(tmp_path / "m").model
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    model._predictors[1][0].nodes[name][0] = value
    save_model(make_pipeline(model), tmp_path / "m")
    with pytest.raises(InputError, match="is damaged"):
        load_model(tmp_path / "m")


def fitted(model):
    return model.fit([[0.0], [1.0]], [False, True])


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        (None, {}, "None is no estimator"),
        (hardy.AdaBoostClassifier, {}, "is no estimator with predict"),
        (fitted(LogisticRegression()), {"target": 3}, "target=3 is no name"),
        (fitted(LogisticRegression()), {"dropped": "abc"}, "dropped='abc' is no list"),
        (fitted(LogisticRegression(class_weight={True: 2.0, False: 1.0})), {}, "True and False"),
    ],
)
def test_what_would_not_come_back_is_refused(model, options, message, tmp_path):
    with pytest.raises(InputError, match=message):
        save_model(model, tmp_path / "m", **options)
    assert not list(tmp_path.iterdir())


def cut(values):
    return values[..., :-1]


@pytest.mark.parametrize(
    ("model", "name", "change"),
    [
        (hardy.ParallelPerceptronClassifier(max_iter=3), "intercept_", cut),
        (hardy.ParallelPerceptronClassifier(max_iter=3), "coef_", cut),
        (hardy.ParallelPerceptronClassifier(max_iter=3), "coef_", np.transpose),
        (hardy.ParallelPerceptronRegressor(max_iter=3), "coef_", cut),
        (hardy.ParallelPerceptronRegressor(max_iter=3), "intercept_", cut),
        (hardy.CommitteeMachineClassifier(max_iter=3), "coef_", cut),
        (hardy.LinearPerceptronClassifier(max_iter=3), "intercept_", cut),
        (hardy.LinearPerceptronClassifier(max_iter=3), "coef_", np.transpose),
        (hardy.ParallelPerceptronClassifier(max_iter=3, warm_start=True), "margin_", cut),
    ],
)
def test_arrays_of_other_shapes_are_never_read_beyond_their_ends(model, name, change, tmp_path):
    X = np.random.default_rng(0).normal(size=(40, 5))
    y = np.arange(40) % 3
    model = clone(model).fit(X, y)
    setattr(model, name, np.ascontiguousarray(change(getattr(model, name))))
    save_model(model, tmp_path / "m")
    loaded = load_model(tmp_path / "m").model
    use = loaded.fit if name == "margin_" else lambda X, y: loaded.predict(X)
    with pytest.raises(InputError, match=r"is damaged: .* has the shape"):
        use(X, y)


def test_units_of_which_there_are_none_are_never_read(tmp_path):
    X = np.random.default_rng(0).normal(size=(40, 5))
    model = hardy.ParallelPerceptronClassifier(max_iter=3).fit(X, np.arange(40) % 2)
    model.coef_, model.intercept_ = np.zeros((1, 0, 5)), np.zeros((1, 0))
    save_model(model, tmp_path / "m")
    with pytest.raises(InputError, match=r"is damaged: coef_ has the shape \(1, 0, 5\), which is"):
        load_model(tmp_path / "m").model.predict(X)


def test_a_stump_that_asks_for_a_feature_that_is_not_there(tmp_path):
    X = np.random.default_rng(0).normal(size=(40, 5))
    model = hardy.AdaBoostClassifier(n_estimators=3).fit(X, np.arange(40) % 2)
    model.estimators_[1].feature_ = 10**6
    save_model(model, tmp_path / "m")
    with pytest.raises(InputError, match="is damaged: a member asks for feature 1000000"):
        load_model(tmp_path / "m").model.predict(X)


@pytest.mark.parametrize("name", ["x" * 300, "loop"])
def test_places_that_cannot_be_read_are_named(name, tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(InputError, match=f"{name}"):
        load_model(tmp_path / name)


@pytest.mark.parametrize("weighting", [linear_weights, softmax_weights])
def test_hardys_own_weightings_can_be_saved(weighting, tmp_path):
    X = np.random.default_rng(0).normal(size=(40, 3))
    model = hardy.HardnessBaggingClassifier(weighting=weighting, n_estimators=2).fit(X, X[:, 0] > 0)
    save_model(model, tmp_path / "m")
    loaded = load_model(tmp_path / "m").model
    assert loaded.weighting is weighting
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))


def test_an_array_that_promises_more_than_it_has_is_never_made(tmp_path):
    path = tmp_path / "model"
    save_model(LogisticRegression().fit([[0.0], [1.0]], ["a", "b"]), path)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = next(name for name in parts if name.endswith(".npy"))
    header = io.BytesIO()
    facts = {"descr": "<f8", "fortran_order": False, "shape": (10**13,)}
    np.lib.format.write_array_header_1_0(header, facts)
    with zipfile.ZipFile(path, "w") as archive:
        for part, data in {**parts, name: header.getvalue()}.items():
            archive.writestr(part, data)
    with pytest.raises(InputError, match=r"an array says .* 80,000,000,000,000 bytes, but has 0"):
        load_model(path)


def test_a_file_that_swells_is_neither_read_nor_written(tmp_path, monkeypatch):
    monkeypatch.setattr("hardy._archives._HARMLESS", 10_000)
    model = LogisticRegression().fit(np.eye(2), ["a", "b"])
    save_model(model, tmp_path / "small")
    model.coef_ = np.zeros((1, 10**6))
    with pytest.raises(InputError, match="may swell so much: unpacked, its"):
        save_model(model, tmp_path / "large")
    with zipfile.ZipFile(tmp_path / "small", "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("more", bytes(10**6))
    with pytest.raises(InputError, match="is damaged or no model file of Hardy's: unpacked, its"):
        load_model(tmp_path / "small")


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX devices")
def test_a_device_without_an_end_is_refused_at_once():
    with pytest.raises(InputError, match="is a pipe or a device"):
        load_model("/dev/zero")


@pytest.mark.parametrize(
    "model",
    [
        GradientBoostingClassifier(n_estimators=3),
        RandomForestClassifier(n_estimators=3),
        make_pipeline(ExtraTreesClassifier(n_estimators=3)),
    ],
)
def test_members_that_claim_more_columns_than_their_ensemble_are_refused(model, tmp_path):
    X = np.random.default_rng(0).normal(size=(50, 3))
    model.fit(X, X[:, 0] > 0)
    ensemble = model[-1] if hasattr(model, "steps") else model
    np.asarray(ensemble.estimators_, dtype=object).flat[-1].n_features_in_ = 10**9
    save_model(model, tmp_path / "m")
    with pytest.raises(InputError, match="is damaged"):
        load_model(tmp_path / "m")


def test_boosted_trees_for_more_classes_than_there_are_are_refused(tmp_path):
    X = np.random.default_rng(0).normal(size=(50, 3))
    model = GradientBoostingClassifier(n_estimators=3).fit(X, X[:, 0] > 0)
    model.estimators_ = np.repeat(model.estimators_, 2, axis=1)
    save_model(model, tmp_path / "m")
    with pytest.raises(InputError, match="is damaged"):
        load_model(tmp_path / "m")


def of_classes(n_classes, n_outputs=1, n_features=3):
    """Rebuild a tree for other numbers than its own."""

    def change(tree):
        state = tree.__getstate__()
        values = np.zeros((tree.node_count, n_outputs, max(n_classes)))
        forged = Tree(n_features, np.array(n_classes), n_outputs)
        forged.__setstate__({**state, "values": values})
        return forged

    return change


@pytest.mark.parametrize(
    "change",
    [of_classes([0]), of_classes([1], 0), of_classes([1, 1], 2), of_classes([1], n_features=1)],
)
def test_trees_whose_values_are_not_there_are_refused(change, tmp_path):
    X = np.random.default_rng(0).normal(size=(50, 3))
    model = GradientBoostingClassifier(n_estimators=3).fit(X, X[:, 0] > 0)
    save_model(model, tmp_path / "m")
    load_model(tmp_path / "m")
    tree = model.estimators_[1, 0]
    tree.tree_ = change(tree.tree_)
    save_model(model, tmp_path / "m")
    with pytest.raises(InputError, match="is damaged"):
        load_model(tmp_path / "m")


ROWS = np.random.default_rng(0).normal(size=(40, 5))
KINDS = np.arange(40) % 3


class Held:
    """Give a fitted estimator a part in which another one is held."""

    def __init__(self, model):
        self.model = model

    def fit(self, X, y):
        outer = LogisticRegression().fit(X, y)
        outer.part_ = SupportVectors(self.model.fit(X, y))
        return outer


def changed(name, change):
    """Change an attribute, by the path to it."""

    def apply(model):
        *path, last = name.split(".")
        for step in path:
            model = model[int(step)] if step.isdigit() else getattr(model, step)
        setattr(model, last, change(getattr(model, last)))

    return apply


def beyond(matrix):
    matrix = sparse.csr_matrix(matrix)
    matrix.indices[0] = 10**6
    return matrix


def at_place(place):
    def move(_):
        stream = np.random.RandomState(0)
        state = stream.get_state(legacy=False)
        stream.set_state({**state, "state": {**state["state"], "pos": place}})
        return stream

    return move


def first_of(codes):
    return {name: 10**6 if code == 0 else code for name, code in codes.items()}


@pytest.mark.parametrize(
    ("model", "data", "spoil"),
    [
        (SVC(), (ROWS, KINDS), changed("_dual_coef_", cut)),
        (SVC(), (ROWS, KINDS), changed("_intercept_", cut)),
        (SVC(), (ROWS, KINDS), changed("support_", cut)),
        (SVC(), (ROWS, KINDS), changed("support_vectors_", cut)),
        (SVC(), (ROWS, KINDS), changed("_n_support", lambda n: n[::-1] * 2)),
        (SVC(), (ROWS, KINDS), changed("_probA", lambda _: np.zeros(1))),
        (SVC(), (sparse.csr_matrix(ROWS), KINDS), changed("_dual_coef_", lambda a: a[:1])),
        (SVC(), (sparse.csr_matrix(ROWS), KINDS), changed("support_vectors_", beyond)),
        (SVC(kernel="precomputed"), (ROWS @ ROWS.T, KINDS), changed("support_", lambda a: a + 40)),
        (SVR(), (ROWS, KINDS), changed("_dual_coef_", cut)),
        (OneClassSVM(), (ROWS,), changed("_dual_coef_", cut)),
        (Held(SVC()), (ROWS, KINDS), changed("part_.model._dual_coef_", cut)),
        (KMeans(3, n_init=1), (ROWS,), changed("cluster_centers_", cut)),
        (KNeighborsClassifier(algorithm="brute"), (ROWS, KINDS), changed("_fit_X", cut)),
        (KNeighborsClassifier(algorithm="brute"), (ROWS, KINDS), changed("_y", cut)),
        (TfidfVectorizer(), (["one word", "two words"],), changed("vocabulary_", first_of)),
        (DictVectorizer(), ([{"a": 1, "b": 2}],), changed("vocabulary_", first_of)),
        (MultiLabelBinarizer(), ([["a"], ["b"]],), changed("_cached_dict", lambda _: {"a": 7})),
        (OneHotEncoder(), ([["a"], ["b"]],), changed("_n_features_outs", lambda n: [1])),
        (
            OneHotEncoder(drop="first"),
            ([["a"], ["b"]],),
            changed("_drop_idx_after_grouping", lambda _: np.array([-5], dtype=object)),
        ),
        (
            OneHotEncoder(max_categories=2),
            ([["a"], ["b"], ["c"], ["c"]],),
            changed("_default_to_infrequent_mappings", lambda maps: [maps[0] + 9]),
        ),
        (LogisticRegression(), (ROWS, KINDS), changed("coef_", beyond)),
        (LogisticRegression(random_state=0), (ROWS, KINDS), changed("random_state", at_place(999))),
        (
            IsolationForest(n_estimators=2, random_state=0),
            (ROWS,),
            changed(
                "estimators_", lambda _: IsolationForest(n_estimators=2).fit(np.eye(9)).estimators_
            ),
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_what_leads_compiled_code_beyond_its_arrays_is_refused(model, data, spoil, tmp_path):
    if isinstance(model, MultiLabelBinarizer):
        model.fit(*data).transform(*data)
    else:
        model = model.fit(*data)
    save_model(model, tmp_path / "m")
    load_model(tmp_path / "m")
    spoil(model)
    content = {"format": "hardy model 1", "hardy_version": "1", "target": None, "dropped": []}
    skops_io.dump({**content, "model": model}, tmp_path / "m")
    with pytest.raises(InputError, match="is damaged"):
        load_model(tmp_path / "m")


def test_a_sparse_matrix_of_another_form_than_it_says_is_refused(tmp_path):
    model = LogisticRegression().fit(ROWS, KINDS)
    model.coef_ = sparse.dia_matrix(model.coef_)
    content = {"format": "hardy model 1", "hardy_version": "1", "target": None, "dropped": []}
    skops_io.dump({**content, "model": model}, tmp_path / "m")
    rewrite(
        tmp_path / "m",
        lambda text: text.replace("scipy.sparse._dia", "scipy.sparse._csr").replace("dia_", "csr_"),
    )
    with pytest.raises(InputError, match="is damaged: its content"):
        load_model(tmp_path / "m")


def test_parts_that_only_name_others_are_refused(saved):
    """Nested, thirty lists of two would be looked at a thousand million times."""
    path, _ = saved

    def nest(text):
        schema = json.loads(text)
        lists = {"__class__": "list", "__module__": "builtins", "__loader__": "ListNode"}
        part = {**lists, "content": [], "__id__": 1}
        for number in range(2, 32):
            part = {**lists, "content": [part, {"__id__": number - 1}], "__id__": number}
        schema["content"]["dropped"] = part
        return json.dumps(schema)

    rewrite(path, nest)
    with pytest.raises(InputError, match="is damaged"):
        load_model(path)


def test_a_schema_of_far_too_many_parts_is_never_read(saved):
    path, _ = saved
    junk = '"more": [' + '"ab",' * 2_000_000 + "1], "
    rewrite(path, lambda text: "{" + junk + text[1:], zipfile.ZIP_DEFLATED)
    assert path.stat().st_size < len(junk) / 50
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=r"is damaged or no model file of Hardy's"):
            load_model(path)
        # The words alone would be ten times the text.
        assert tracemalloc.get_traced_memory()[1] < 5 * len(junk)
    finally:
        tracemalloc.stop()


def test_one_array_is_never_read_for_many_parts(saved):
    path, _ = saved

    def repeat(text):
        schema = json.loads(text)
        array = next(part for part in parts_of(schema) if part.get("type") == "numpy")
        schema["content"]["dropped"] = {
            "__class__": "list",
            "__module__": "builtins",
            "__loader__": "ListNode",
            "content": [{**array, "__id__": number} for number in range(1, 9)],
            "__id__": 9,
        }
        return json.dumps(schema)

    rewrite(path, repeat)
    with pytest.raises(InputError, match=r"is damaged or no model file of Hardy's \(ValueError\)"):
        load_model(path)


def parts_of(schema):
    if isinstance(schema, dict):
        yield schema
        schema = [*schema.values()]
    if isinstance(schema, list):
        for part in schema:
            yield from parts_of(part)


def test_a_tree_whose_nodes_are_no_list_is_never_made(saved):
    """scikit-learn asks for their number before it looks at them, and the interpreter ends."""
    path, _ = saved
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    for name, data in members.items():
        if name.endswith(".npy"):
            array = np.load(io.BytesIO(data))
            if array.dtype.names:
                buffer = io.BytesIO()
                np.save(buffer, array[:1].reshape(()))
                members[name] = buffer.getvalue()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    with pytest.raises(InputError, match="is damaged"):
        load_model(path)


def test_a_seed_of_another_pool_is_never_made(tmp_path):
    """Filling a pool takes the square of its size: a million would take hours."""
    model = LogisticRegression().fit(ROWS, KINDS)
    save_model(model.set_params(random_state=np.random.default_rng(0)), tmp_path / "m")
    load_model(tmp_path / "m")
    model.set_params(random_state=np.random.default_rng(np.random.SeedSequence(0, pool_size=5)))
    content = {"format": "hardy model 1", "hardy_version": "1", "target": None, "dropped": []}
    skops_io.dump({**content, "model": model}, tmp_path / "m")
    with pytest.raises(InputError, match="is damaged"):
        load_model(tmp_path / "m")
