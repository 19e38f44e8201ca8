import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.tree import DecisionTreeClassifier

import hardy
from hardy import distributed
from hardy.distributed import AdaBoostClassifier
from hardy.exceptions import InputError
from hardy.saving import load_model, save_model


def in_memory(model):
    return hardy.AdaBoostClassifier(**model.get_params(deep=False))


def assert_same_fit(model, other):
    assert model.classes_.tolist() == other.classes_.tolist()
    assert len(model.estimators_) == len(other.estimators_)
    for ours, theirs in zip(model.estimators_, other.estimators_, strict=True):
        assert type(ours) is type(theirs)
        assert ours.classes_.tolist() == theirs.classes_.tolist()
    for name in ("estimator_weights_", "estimator_errors_", "baseline_"):
        np.testing.assert_allclose(
            getattr(model, name), getattr(other, name), rtol=1e-9, atol=1e-12
        )


@pytest.fixture
def rows():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(203, 4))
    y = np.array(["red", "green", "blue"])[np.digitize(X[:, 0] + X[:, 1], [-1, 0])]
    X[rng.random(X.shape) < 0.05] = np.nan
    return X, y


@pytest.mark.parametrize("n_blocks", [1, 2, 7])
@pytest.mark.parametrize("weighted", [False, True])
def test_it_is_the_ensemble_in_memory(n_blocks, weighted, rows, in_blocks):
    X, y = rows
    weight = [np.arange(len(y)) % 3 / 300] if weighted else []
    for labels in (y, y == "red"):
        model = AdaBoostClassifier(n_estimators=6, learning_rate=0.8)
        model.fit(*in_blocks(n_blocks, X, labels, *weight))
        other = in_memory(model).fit(X, labels, *weight)
        assert_same_fit(model, other)
        np.testing.assert_allclose(
            model.decision_function(X), other.decision_function(X), rtol=1e-9, atol=1e-12
        )


@pytest.mark.parametrize(
    "learner", [hardy.ParallelPerceptronClassifier, distributed.ParallelPerceptronClassifier]
)
def test_parallel_perceptrons_are_members_too(learner, in_blocks, whole_numbers):
    X, y = whole_numbers(3)
    model = AdaBoostClassifier(
        learner(max_iter=5, class_weight={"red": 2.0}), n_estimators=2, random_state=0
    ).fit(*in_blocks(2, X, y))
    member = hardy.ParallelPerceptronClassifier(max_iter=5, class_weight={"red": 2.0})
    other = in_memory(model).set_params(estimator=member).fit(X, y)
    assert_same_fit(model, other)
    np.testing.assert_allclose(model.estimators_[1].coef_, other.estimators_[1].coef_, rtol=1e-9)


def test_stages_are_lazy_and_those_in_memory(rows, in_blocks):
    X, y = rows
    blocks, labels = in_blocks(3, X, y)
    model = AdaBoostClassifier(n_estimators=3).fit(blocks, labels)
    for name in ("predict", "predict_proba", "decision_function"):
        stages = list(getattr(model, f"staged_{name}")(blocks))
        there = list(getattr(model, f"staged_{name}")(X))
        assert len(stages) == len(there) == 3
        for lazy, answer in zip(stages, there, strict=True):
            assert (lazy.compute() == answer).all()
        assert (getattr(model, name)(blocks).compute() == there[-1]).all()


def test_frames_keep_their_names(rows):
    import dask.dataframe as dd
    import pandas as pd

    names = ["p", "q", "r", "s"]
    frame = pd.DataFrame(rows[0], columns=names).assign(label=rows[1])
    table = dd.from_pandas(frame, npartitions=3)
    model = AdaBoostClassifier(n_estimators=3).fit(table[names], table["label"])
    assert_same_fit(model, in_memory(model).fit(frame[names], frame["label"]))
    assert model.feature_names_in_.tolist() == names
    predicted = model.predict(table[names]).compute()
    assert predicted.tolist() == model.predict(frame[names]).tolist()


def test_a_perfect_member_and_a_useless_one_end_the_rounds(in_blocks):
    X, y = np.arange(8.0)[:, None], np.repeat([0, 1], 4)
    for labels in (y, np.tile([0, 1], 4)):
        table = X if labels is y else X // 2
        model = AdaBoostClassifier(n_estimators=3)
        with pytest.warns(ConvergenceWarning) as ours:
            model.fit(*in_blocks(2, table, labels))
        with pytest.warns(ConvergenceWarning) as theirs:
            other = in_memory(model).fit(table, labels)
        assert str(ours[0].message) == str(theirs[0].message)
        assert_same_fit(model, other)


def test_it_is_saved_like_others(tmp_path, rows, in_blocks):
    X, y = rows
    model = AdaBoostClassifier(n_estimators=3).fit(*in_blocks(2, X, y))
    save_model(model, tmp_path / "model.hardy")
    loaded = load_model(tmp_path / "model.hardy").model
    assert (loaded.decision_function(X) == model.decision_function(X)).all()


def test_what_cant_be_done_is_refused(rows, in_blocks):
    blocks = in_blocks(2, *rows)
    with pytest.raises(InputError, match="sampling='reweight'"):
        AdaBoostClassifier(sampling="resample").fit(*blocks)
    with pytest.raises(InputError, match="DecisionTreeClassifier can't be trained on blocks"):
        AdaBoostClassifier(DecisionTreeClassifier()).fit(*blocks)
    with pytest.raises(InputError, match="only one class, 'red'"):
        AdaBoostClassifier().fit(*in_blocks(2, rows[0], np.repeat("red", 203)))
    with pytest.raises(InputError, match="must lie between"):
        AdaBoostClassifier().fit(*blocks, *in_blocks(2, np.full(203, 1e200)))
