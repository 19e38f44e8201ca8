"""Boosted stumps give F all at once: each has two answers, whatever the rule makes of them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy._labels import encode_labels
from hardy.ensembles._ensemble import Scores
from hardy.exceptions import InputError
from hardy.learners import DecisionStumpClassifier, DecisionStumpRegressor
from hardy.learners._kernels.decision_stump import add_answers
from hardy.weighting import MemberKind, WeightingRule


def are_stumps(members: Sequence[Any]) -> bool:
    """Whether `sum_stumps` takes these members."""
    stumps = (DecisionStumpClassifier, DecisionStumpRegressor)
    return all(type(member) in stumps for member in members)


def stump_terms(
    stumps: Sequence[Any],
    coefficients: NDArray[np.float64],
    rule: WeightingRule,
    classes: NDArray[Any],
) -> NDArray[np.float64]:
    """Give what F gains by each stump on its left and right; (n_stumps, 2, 1 or n_classes)."""
    answers = _answers(stumps, rule.member_kind, classes)
    terms = rule.scores([answers.reshape(-1, *answers.shape[2:])], len(classes))
    scaled = terms.reshape(len(stumps), 2, -1) * coefficients[:, np.newaxis, np.newaxis]
    return np.asarray(scaled)


def sum_stumps(
    stumps: Sequence[Any],
    coefficients: NDArray[np.float64],
    rule: WeightingRule,
    classes: NDArray[Any],
    baseline: Any,
    X: NDArray[Any],
) -> Scores:
    """Give F of dense rows, in the order in which the loop adds its terms."""
    terms = stump_terms(stumps, coefficients, rule, classes)
    scores = np.empty((len(X), terms.shape[2]))
    scores[:] = baseline
    features = np.array([stump.feature_ for stump in stumps])
    if features.max() >= X.shape[1]:
        raise InputError(f"This ensemble is damaged: a member asks for feature {features.max()}.")
    add_answers(
        X,
        features,
        np.array([stump.threshold_ for stump in stumps]),
        np.array([stump.missing_go_left_ for stump in stumps]),
        terms,
        scores,
    )
    return scores[:, 0] if len(classes) == 2 else scores


def _answers(stumps: Sequence[Any], kind: MemberKind, classes: NDArray[Any]) -> NDArray[Any]:
    """Give what each stump's left and right side say, as `member_output` would."""
    if kind is MemberKind.REGRESSOR:
        return np.stack([stump.leaf_values_ for stump in stumps])
    probabilities = np.zeros((len(stumps), 2, len(classes)))
    for stump, own in zip(stumps, probabilities, strict=True):
        known: Any = slice(None)
        if len(stump.classes_) < len(classes):
            known = encode_labels(stump.classes_, classes).codes
        own[:, known] = stump.leaf_probabilities_
    return probabilities if kind is MemberKind.PROBABILITIES else probabilities.argmax(axis=2)
