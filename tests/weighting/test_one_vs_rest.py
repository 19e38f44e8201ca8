import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from hardy.weighting import AdaBoost, OneVsRest, Opinion, TrainingSet


def _started(rule, y):
    y = np.array(y)
    rule.start(TrainingSet(None, y, y.max() + 1, np.ones(len(y)), np.arange(len(y)), None))
    return rule


def test_two_classes_are_the_rules_own():
    y, output = [0, 0, 1, 1, 1], np.array([0, 1, 1, 1, 1])
    plain, wrapped = _started(AdaBoost(), y), _started(OneVsRest(AdaBoost), y)
    assert wrapped.update([Opinion(output)]) == plain.update([Opinion(output)])
    assert_array_equal(wrapped.requests()[0].weights, plain.requests()[0].weights)
    assert_array_equal(wrapped.scores([output], 2), plain.scores([output], 2))


def test_each_class_goes_its_own_way():
    y = np.array([0, 1, 2, 2])
    rule = _started(OneVsRest(AdaBoost), y)
    # Class 0: one of four rows wrong. Class 1: two of four, a guess. Class 2: none.
    said = [np.array([1, 1, 0, 0]), np.array([1, 0, 0, 0]), np.array([0, 0, 1, 1])]
    step = rule.update([Opinion(output) for output in said])
    perfect = 0.5 * np.log(7)  # As if wrong on half a row of four.
    assert_allclose(step.coefficient, [0.5 * np.log(3), 0, perfect])
    assert_allclose(step.error, [0.25, 0.5, 0])
    assert (step.keep, step.stop, step.reason) == (True, False, "")

    requests = rule.requests()
    assert_array_equal([request.targets for request in requests], [y == 0, y == 1, y == 2])
    assert_allclose(requests[0].weights, [1 / 6, 1 / 2, 1 / 6, 1 / 6])
    assert_allclose(requests[1].weights, 0.25)  # Its rounds are over: the same again.

    step = rule.update([Opinion(np.array([0, 1, 1, 1]))] * 3)
    assert_allclose(step.error[1:], np.nan)
    assert (step.keep, step.stop) == (False, True)
    assert "that of a guess" in step.reason


def test_scores_stand_side_by_side():
    outputs = [np.array([1, 0]), np.array([0, 0]), np.array([1, 1])]
    assert_array_equal(OneVsRest(AdaBoost).scores(outputs, 3), [[1, -1, 1], [-1, -1, 1]])


def test_each_copy_is_made_for_the_share_of_its_class():
    made = []

    def make_for_share(share):
        made.append(share)
        return AdaBoost(learning_rate=share)

    y = np.array([0, 1, 2, 2])
    rule = OneVsRest(AdaBoost, make_for_share)
    rule.start(TrainingSet(None, y, 3, np.array([3.0, 1.0, 2.0, 2.0]), np.arange(4), None))
    assert_allclose(made, [3 / 8, 1 / 8, 1 / 2])
    assert [request.targets.dtype.kind for request in rule.requests()] == ["i"] * 3
    # Each class is right of all rows but one of weight 1, α = share · ½ ln 7.
    said = [np.array([1, 1, 0, 0]), np.array([0, 0, 0, 0]), np.array([0, 1, 1, 1])]
    step = rule.update([Opinion(output) for output in said])
    assert_allclose(step.error, 1 / 8)
    assert_allclose(step.coefficient, np.array(made) * np.log(7) / 2)


def test_the_reason_to_stop_names_each_once():
    y = np.array([0, 1, 2])
    rule = _started(OneVsRest(AdaBoost), y)
    # The first two get nothing wrong, the third everything: it is dropped.
    step = rule.update([Opinion((y == 0) * 1), Opinion((y == 1) * 1), Opinion((y != 2) * 1)])
    assert (step.keep, step.stop) == (True, True)
    assert step.reason == (
        "no training row was wrong, so that the next round would repeat it, or its weighted error "
        "was not below 0.5, that of a guess"
    )
    assert_allclose(step.coefficient, [np.log(5) / 2, np.log(5) / 2, 0])
