"""What learners must add to what they share."""

import pytest

from hardy.learners._one_vs_rest import OneVsRestLearner
from hardy.learners._stump import BaseDecisionStump


@pytest.mark.parametrize(
    ("base", "missing"),
    [
        (BaseDecisionStump, {"_weigh"}),
        (OneVsRestLearner, {"_start", "_train", "decision_function"}),
    ],
)
def test_a_learner_that_lacks_a_part_cannot_be_made(base, missing):
    assert base.__abstractmethods__ == missing
    with pytest.raises(TypeError, match="abstract"):
        type("Unfinished", (base,), {})()
