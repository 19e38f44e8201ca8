"""Written models say in onnxruntime what they say here."""

import sys

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import is_classifier, is_regressor
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import hardy
from contract.registry import CASES, Case
from hardy import (
    AdaBoostClassifier,
    DecisionStumpClassifier,
    HardnessBaggingClassifier,
    LinearPerceptronBoostClassifier,
    LinearPerceptronClassifier,
    LogitBoostClassifier,
    NoiseReducingBoostClassifier,
    ParallelPerceptronClassifier,
    RandomSubspaceClassifier,
    RealAdaBoostClassifier,
    SelectiveBoostClassifier,
    SoftMarginBoostClassifier,
)
from hardy.exceptions import InputError, MissingExtraError
from hardy.onnx import to_onnx
from hardy.tabular import TableEncoder
from hardy.weighting import AdaBoost

pytest.importorskip("skl2onnx", reason="needs the extra onnx")
runtime = pytest.importorskip("onnxruntime", reason="needs the extra onnx")

# A panel of learners over encoded columns, some of which have no converter.
NOT_WRITTEN = {"HardyClassifier"}
PREDICTORS = [
    case
    for case in CASES
    if case.takes_numbers
    and (is_classifier(case.make()) or is_regressor(case.make()))
    and not case.is_sampler
    and case.make.__name__ not in NOT_WRITTEN
]


def run(model, X):
    """Give a model's outputs in onnxruntime, by their names."""
    session = runtime.InferenceSession(
        to_onnx(model).SerializeToString(), providers=["CPUExecutionProvider"]
    )
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, {"X": X}), strict=True))


def assert_same(model, X):
    """See that a model says the same in onnxruntime, and that it has something to say."""
    outputs = run(model, X)
    if is_regressor(model):
        expected = model.predict(X)
        np.testing.assert_allclose(outputs["variable"][:, 0], expected, rtol=1e-5, atol=1e-5)
        assert len(np.unique(expected)) > 1
        return
    expected = model.predict(X)
    np.testing.assert_allclose(outputs["probabilities"], model.predict_proba(X), rtol=0, atol=1e-5)
    assert outputs["label"].tolist() == expected.tolist()
    assert len(np.unique(expected)) > 1


def labelled_rows(case: Case, n_classes: int):
    X, codes = case.data(n_classes)
    names = np.array(["pear", "apple", "élan"])
    return X.astype(np.float32), names[codes] if is_classifier(case.make()) else codes * 3.7


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("case", PREDICTORS, ids=lambda case: case.make.__name__)
def test_every_class_says_the_same(case, n_classes):
    X, y = labelled_rows(case, n_classes)
    fresh = np.random.default_rng(1).normal(size=(200, X.shape[1])).astype(np.float32) * 2
    for settings in case.settings():
        model = case(**settings).fit(X, y)
        if getattr(model, "corrects_errors_", False):
            continue
        assert_same(model, np.vstack([X, fresh]))


def test_every_public_predictor_is_among_them():
    public = {
        name
        for name in hardy.__all__
        if isinstance(getattr(hardy, name), type)
        and hasattr(getattr(hardy, name), "predict")
        and not hasattr(getattr(hardy, name), "fit_resample")
    }
    assert public - NOT_WRITTEN == {case.make.__name__ for case in PREDICTORS}


MEMBERS = {
    "tree": AdaBoostClassifier(DecisionTreeClassifier(max_depth=3, random_state=0), n_estimators=5),
    "perceptron": AdaBoostClassifier(Perceptron(random_state=0), n_estimators=3),
    "logistic": RealAdaBoostClassifier(LogisticRegression(), n_estimators=3),
    "tree with probabilities": RealAdaBoostClassifier(
        DecisionTreeClassifier(max_depth=2, random_state=0), n_estimators=4
    ),
    "regression tree": LogitBoostClassifier(
        DecisionTreeRegressor(max_depth=2, random_state=0), n_estimators=4
    ),
    "one against the rest": SoftMarginBoostClassifier(
        DecisionTreeClassifier(max_depth=2, random_state=0), n_estimators=4
    ),
    "pipeline": AdaBoostClassifier(
        make_pipeline(StandardScaler(), LogisticRegression()), sampling="resample", n_estimators=3
    ),
    "soft votes": HardnessBaggingClassifier(GaussianNB(), voting="soft", n_estimators=3),
    "hard votes of a forest": HardnessBaggingClassifier(
        RandomForestClassifier(3, random_state=0), n_estimators=3
    ),
    "some of the columns": RandomSubspaceClassifier(
        DecisionTreeClassifier(random_state=0), n_estimators=5, random_state=0
    ),
    "boosting in bags": HardnessBaggingClassifier(
        NoiseReducingBoostClassifier(n_estimators=3), n_estimators=3, voting="soft"
    ),
    "stumps in bags": HardnessBaggingClassifier(DecisionStumpClassifier(), n_estimators=4),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", MEMBERS)
def test_members_of_other_kinds(name, n_classes):
    X, y = labelled_rows(next(c for c in CASES if c.make is AdaBoostClassifier), n_classes)
    assert_same(MEMBERS[name].set_params(random_state=0).fit(X, y), X)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("member", "voting"),
    [
        # It has no probabilities.
        (Perceptron(max_iter=5, tol=None), "hard"),
        (DecisionTreeClassifier(), "hard"),
        (DecisionTreeClassifier(), "soft"),
        (DecisionStumpClassifier(), "hard"),
        (DecisionStumpClassifier(), "soft"),
    ],
)
def test_members_that_never_saw_one_of_the_classes(member, voting):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)).astype(np.float32)
    y = np.where(X[:, 0] > 0, "b", "c")
    y[:2] = "a"
    model = HardnessBaggingClassifier(
        member, voting=voting, hardness=None, max_samples=12, n_estimators=9, random_state=0
    ).fit(X, y)
    assert len({len(one.classes_) for one in model.estimators_}) > 1
    assert_same(model, X)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("voting", ["hard", "soft"])
def test_boosted_members_that_never_saw_one_of_the_classes(voting):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)).astype(np.float32)
    y = np.digitize(X[:, 0], [0])
    y[0] = 2
    model = LinearPerceptronBoostClassifier(
        n_estimators=30, voting=voting, random_state=0, learning_rate=0.01
    ).fit(X, y)
    assert len({len(one.classes_) for one in model.estimators_}) > 1
    assert_same(model, X)


def test_missing_values_go_the_same_way():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3)).astype(np.float32)
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    X[rng.random(X.shape) < 0.2] = np.nan
    assert_same(AdaBoostClassifier(n_estimators=20).fit(X, y), X)
    trees = DecisionTreeClassifier(max_depth=4, random_state=0)
    assert_same(RealAdaBoostClassifier(trees, n_estimators=5).fit(X, y), X)


def test_a_value_on_the_threshold_goes_left_in_both():
    # No single-precision number lies between these two: their mean is rounded to the upper one.
    low = np.float32(4.0)
    high = np.nextafter(low, np.float32(8))
    X = np.array([[low], [high], [low], [high]], dtype=np.float32)
    y = ["a", "b", "a", "b"]
    for member in (DecisionTreeClassifier(), DecisionStumpClassifier()):
        assert_same(HardnessBaggingClassifier(member, hardness=None, random_state=0).fit(X, y), X)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "labels", [np.array([7, -3]), np.array([False, True]), np.array(["no", "yes"], dtype=object)]
)
def test_kinds_of_labels(labels):
    X = np.array([[0.0], [1.0], [2.0], [3.0]], dtype=np.float32)
    y = labels[[0, 0, 1, 1]]
    for model in (DecisionStumpClassifier(), AdaBoostClassifier(DecisionTreeClassifier())):
        assert_same(model.fit(X, y), X)


def test_labels_that_onnx_lacks_are_named():
    model = DecisionStumpClassifier().fit([[0.0], [1.0]], [1.0, 2.0])
    with pytest.raises(InputError, match=r"text or whole numbers.*\[1\.0, 2\.0\]"):
        to_onnx(model)


def test_a_tie_goes_to_the_first_class_in_both():
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], dtype=np.float32)
    y = ["a", "b", "b", "b"]
    model = HardnessBaggingClassifier(
        DecisionStumpClassifier(), hardness=None, n_estimators=2, random_state=3
    ).fit(X, y)
    model.estimators_ = [DecisionStumpClassifier().fit(X[:, [j]], y) for j in (0, 1)]
    model.estimators_features_ = [np.array([0]), np.array([1])]
    model.estimators_[1].leaf_probabilities_ = np.array([[0.1, 0.9], [0.9, 0.1]])
    assert (model.predict_proba(X) == 0.5).any()
    assert run(model, X)["label"].tolist() == model.predict(X).tolist()


@pytest.mark.filterwarnings("ignore")
def test_pipelines():
    X, y = labelled_rows(next(c for c in CASES if c.make is AdaBoostClassifier), 3)
    model = make_pipeline(
        StandardScaler(), MinMaxScaler(), HardnessBaggingClassifier(random_state=0)
    )
    assert_same(model.fit(X, y), X)


@pytest.mark.filterwarnings("ignore")
def test_a_learner_on_sparse_rows_is_written_for_dense_ones():
    X, y = labelled_rows(next(c for c in CASES if c.make is LinearPerceptronClassifier), 2)
    model = LinearPerceptronClassifier(random_state=0).fit(sparse.csr_matrix(X), y)
    assert_same(model, X)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["AdaBoostClassifier", "ParallelPerceptronClassifier"])
def test_what_dask_has_fitted(name):
    array = pytest.importorskip("dask.array")
    X, y = labelled_rows(next(c for c in CASES if c.make.__name__ == name), 2)
    model = getattr(hardy.distributed, name)(random_state=0)
    model.fit(array.from_array(X, chunks=(50, -1)), array.from_array(y, chunks=50))
    said = model.predict_proba(array.from_array(X, chunks=(50, -1)))
    np.testing.assert_allclose(run(model, X)["probabilities"], np.asarray(said), rtol=0, atol=1e-5)


class OwnRule(AdaBoost):
    """A rule that only weighs otherwise."""


class OwnScores(AdaBoost):
    """A rule with scores of its own."""

    def scores(self, outputs, n_classes):
        return np.tanh(super().scores(outputs, n_classes))


class OwnBayes(GaussianNB):
    """A member that no converter knows."""


class OwnBoost(AdaBoostClassifier):
    """A user's own boosted classifier."""

    rule = OwnRule

    def _make_rule(self):
        return self.rule()


def test_rules_of_ones_own(monkeypatch):
    X, y = labelled_rows(next(c for c in CASES if c.make is AdaBoostClassifier), 2)
    model = OwnBoost(DecisionTreeClassifier(max_depth=2, random_state=0)).fit(X, y)
    assert_same(model, X)
    monkeypatch.setattr(OwnBoost, "rule", OwnScores)
    with pytest.raises(InputError, match="OwnScores can't be written as ONNX"):
        to_onnx(model.fit(X, y))
    # What stumps say is worked out beforehand, whatever the rule.
    assert_same(OwnBoost().fit(X, y), X)


@pytest.mark.filterwarnings("ignore")
def test_what_cannot_be_written_is_named():
    X, y = labelled_rows(next(c for c in CASES if c.make is AdaBoostClassifier), 2)
    correcting = SelectiveBoostClassifier(random_state=0).fit(X, y)
    correcting.corrects_errors_ = True
    with pytest.raises(InputError, match="error_correction=False"):
        to_onnx(correcting)
    with pytest.raises(
        InputError, match=r"Pipeline can't be written.*no converter of TableEncoder\."
    ):
        to_onnx(make_pipeline(TableEncoder(), DecisionStumpClassifier()).fit(X, y))

    with pytest.raises(InputError, match="OwnBayes can't be written"):
        to_onnx(AdaBoostClassifier(OwnBayes(), n_estimators=2).fit(X, y))
    with pytest.raises(NotFittedError):
        to_onnx(ParallelPerceptronClassifier())


def test_the_file_is_the_graph(tmp_path):
    X = np.array([[0.0], [1.0]], dtype=np.float32)
    model = DecisionStumpClassifier().fit(X, ["a", "b"])
    graph = to_onnx(model, tmp_path / "stump.onnx")
    assert (tmp_path / "stump.onnx").read_bytes() == graph.SerializeToString()
    session = runtime.InferenceSession(tmp_path / "stump.onnx")
    assert session.run(["label"], {"X": X})[0].tolist() == ["a", "b"]
    with pytest.raises(InputError, match="is no folder"):
        to_onnx(model, tmp_path / "nowhere" / "stump.onnx")


def test_the_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "skl2onnx", None)
    with pytest.raises(MissingExtraError, match=r"Writing ONNX needs skl2onnx.*hardy\[onnx\]"):
        to_onnx(DecisionStumpClassifier().fit([[0.0], [1.0]], ["a", "b"]))
