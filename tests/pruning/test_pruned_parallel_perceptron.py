import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hardy import MarginPruner, PrunedParallelPerceptronClassifier
from hardy.exceptions import InputError


@pytest.fixture(scope="module")
def rare():
    rng = np.random.default_rng(0)
    y = np.array(["common", "rare"])[(np.arange(300) % 10 == 0).astype(int)]
    return rng.normal(size=(300, 4)) + 1.5 * (y == "rare")[:, None], y


def test_it_keeps_the_rows_that_the_sampler_keeps(rare):
    X, y = rare
    model = PrunedParallelPerceptronClassifier(random_state=0).fit(X, y)
    sampler = MarginPruner(random_state=0)
    sampler.fit_resample(X, y)
    assert_array_equal(model.sample_indices_[0], sampler.sample_indices_)
    assert model.rounds_[0] == sampler.rounds_
    assert_array_equal(model.positive_classes_, ["rare"])
    # The accuracy on the positive class is the one that the rounds end with.
    found = np.mean(model.predict(X[y == "rare"]) == "rare")
    assert found == pytest.approx(model.rounds_[0][-1].positive_accuracy)


@pytest.mark.parametrize("pos_label", ["common", "rare"])
def test_the_decision_is_positive_for_the_second_class(rare, pos_label):
    X, y = rare
    model = PrunedParallelPerceptronClassifier(pos_label=pos_label, random_state=0).fit(X, y)
    assert_array_equal(model.predict(X) == "rare", model.decision_function(X) > 0)
    assert_array_equal(model.estimators_[0].predict(X) == 1, model.predict(X) == pos_label)


def test_several_classes_are_as_many_of_two():
    rng = np.random.default_rng(0)
    y = np.repeat([3, 5, 9], [150, 30, 60])
    X = rng.normal(size=(240, 3)) + 3 * np.repeat(np.eye(3), [150, 30, 60], axis=0)
    model = PrunedParallelPerceptronClassifier(random_state=0).fit(X, y)
    for place, label in enumerate([3, 5, 9]):
        alone = PrunedParallelPerceptronClassifier(pos_label=True, random_state=0)
        alone.fit(X, y == label)
        assert_array_equal(alone.sample_indices_[0], model.sample_indices_[place])
        assert_allclose(alone.decision_function(X), model.decision_function(X)[:, place])
    assert model.score(X, y) > 0.85
    with pytest.raises(InputError, match="y has 3 classes, each of which is positive in turn"):
        PrunedParallelPerceptronClassifier(pos_label=3).fit(X, y)


def test_positions_are_those_of_the_user(rare):
    X, y = rare
    weights = (np.arange(300) >= 50).astype(float)
    with_zeros = PrunedParallelPerceptronClassifier(random_state=0).fit(X, y, weights)
    without = PrunedParallelPerceptronClassifier(random_state=0).fit(X[50:], y[50:])
    assert_array_equal(with_zeros.sample_indices_[0], without.sample_indices_[0] + 50)
