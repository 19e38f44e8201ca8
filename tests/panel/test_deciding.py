import numpy as np
import pytest
from sklearn.metrics import f1_score

from hardy.exceptions import InputError
from hardy.panel.deciding import check_aim, gains_for


def decide(proba, gains):
    return (proba @ gains).argmax(axis=1)


@pytest.fixture
def calibrated():
    """Probabilities, and labels drawn by them: a fifth is positive."""
    rng = np.random.default_rng(0)
    positive = rng.beta(0.6, 2.4, 4000)
    return np.column_stack([1 - positive, positive]), (rng.random(4000) < positive).astype(int)


def g_mean(y, predicted):
    return np.sqrt(np.prod([np.mean(predicted[y == code] == code) for code in (0, 1)]))


@pytest.mark.parametrize(("aim", "score"), [("g_mean", g_mean), ("f1", f1_score)])
def test_no_other_threshold_is_much_better(calibrated, aim, score):
    proba, y = calibrated
    found = score(y, decide(proba, gains_for(aim, proba)))
    others = [score(y, (proba[:, 1] > t).astype(int)) for t in np.linspace(0.05, 0.95, 91)]
    assert found > max(others) - 0.02
    assert found > score(y, proba.argmax(axis=1)) + 0.02


def test_costs_are_minimised(calibrated):
    proba, y = calibrated
    costs = np.array([[0.0, 1.0], [4.0, 0.0]])
    said = decide(proba, gains_for(costs, proba))
    np.testing.assert_array_equal(said, proba[:, 1] > 0.2)
    assert costs[y, said].mean() < costs[y, proba.argmax(axis=1)].mean()


def test_rare_classes_among_several_are_called_for_the_g_mean():
    proba = np.array([[0.7, 0.2, 0.1]] * 80 + [[0.5, 0.2, 0.3]] * 10 + [[0.5, 0.4, 0.1]] * 10)
    assert (proba.argmax(axis=1) == 0).all()
    said = decide(proba, gains_for("g_mean", proba))
    assert said[80:].tolist() == [2] * 10 + [1] * 10


def test_accuracy_takes_the_likeliest(calibrated):
    proba, _ = calibrated
    np.testing.assert_array_equal(gains_for("accuracy", proba), np.eye(2))


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ([[0, 1]], "shape"),
        ([[0, 1], [np.nan, 0]], "finite"),
        ([["a", 1], [1, 0]], "must be numbers"),
        ([[0, 1], [-2, 0]], "negative: -2 in row 1, column 0"),
        ([[0, 0], [0, 0]], "the same whichever label"),
        ([[1, 1], [1, 1]], "the same whichever label"),
        ([[1, 1], [5, 5]], "the same whichever label"),
    ],
)
def test_costs_that_are_none(costs, message):
    with pytest.raises(InputError, match=message):
        gains_for(costs, np.full((4, 2), 0.5))
    with pytest.raises(InputError, match=message):
        check_aim(costs, 2)
