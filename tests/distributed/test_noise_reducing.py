import numpy as np
import pytest

import hardy
from hardy.distributed import NoiseReducingBoostClassifier
from hardy.exceptions import InputError
from hardy.learners import DecisionStumpClassifier, ParallelPerceptronClassifier, RowCategory
from hardy.saving import load_model, save_model


def in_memory(model):
    return hardy.NoiseReducingBoostClassifier(**model.get_params(deep=False))


def make(**settings):
    member = ParallelPerceptronClassifier(max_iter=10, learning_rate=0.01)
    return NoiseReducingBoostClassifier(member, n_estimators=3, random_state=0, **settings)


@pytest.mark.parametrize("n_blocks", [1, 2, 7])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("two_stage", [False, True])
def test_it_is_the_ensemble_in_memory(n_blocks, n_classes, two_stage, in_blocks, whole_numbers):
    X, y = whole_numbers(n_classes)
    weight = np.arange(len(y)) % 3.0
    blocks, *given = in_blocks(n_blocks, X, y, weight)
    model = make(two_stage=two_stage).fit(blocks, *given)
    other = in_memory(model).fit(X, y, weight)
    for ours, theirs in zip(model.estimators_, other.estimators_, strict=True):
        assert type(ours) is ParallelPerceptronClassifier
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9)
    np.testing.assert_allclose(model.estimator_weights_, other.estimator_weights_, rtol=1e-9)
    np.testing.assert_allclose(model.estimator_errors_, other.estimator_errors_, atol=1e-12)
    categories = model.categorize_rounds(blocks, given[0])
    assert categories.shape == other.row_categories_.shape
    assert (categories.compute() == other.row_categories_).all()
    votes = (categories == RowCategory.NOISY).mean(axis=0).compute()
    np.testing.assert_allclose(votes, other.noise_votes_)
    assert not hasattr(model, "noise_votes_")


def test_the_second_stage_leaves_rows_out(in_blocks, whole_numbers):
    X, y = whole_numbers(2)
    y[X[:, 0] + X[:, 1] > 3] = "green"
    y[:4] = "red"
    one, two = (make(two_stage=t).fit(*in_blocks(7, X, y)) for t in (False, True))
    assert in_memory(one).fit(X, y).noise_votes_.max() >= 0.5
    assert (one.estimators_[0].coef_ != two.estimators_[0].coef_).any()


def test_it_is_saved_like_others(tmp_path, in_blocks, whole_numbers):
    X, y = whole_numbers(2)
    model = make().fit(*in_blocks(2, X, y))
    save_model(model, tmp_path / "model.hardy")
    loaded = load_model(tmp_path / "model.hardy").model
    assert (loaded.predict_proba(X) == model.predict_proba(X)).all()


def test_members_need_margins(in_blocks, whole_numbers):
    with pytest.raises(InputError, match="needs members that are classifiers with margins"):
        NoiseReducingBoostClassifier(DecisionStumpClassifier()).fit(
            *in_blocks(2, *whole_numbers(2))
        )
