"""Boosted stumps give F all at once: each has two answers, whatever the rule makes of them."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy._labels import encode_labels
from hardy.ensembles._ensemble import Scores
from hardy.ensembles._members import labels_of_round
from hardy.exceptions import InputError
from hardy.learners import DecisionStumpClassifier, DecisionStumpRegressor
from hardy.learners._kernels.decision_stump import add_answers
from hardy.weighting import MemberKind, WeightingRule

# Answers that are held at once.
_BLOCK = 2**20


def are_stumps(members: Sequence[Any]) -> bool:
    """Whether `sum_stumps` takes these members."""
    stumps = (DecisionStumpClassifier, DecisionStumpRegressor)
    return all(type(member) in stumps for member in members)


def are_rounds_of_stumps(rounds: Sequence[Any]) -> bool:
    """Whether `sum_rounds_of_stumps` takes these members, of which a round has several."""
    return all(isinstance(members, list) and are_stumps(members) for members in rounds)


def what_sums(estimators: Sequence[Any]) -> Callable[..., Scores] | None:
    """Give what makes F of all members at once; None where they aren't stumps."""
    if are_stumps(estimators):
        return sum_stumps
    return sum_rounds_of_stumps if are_rounds_of_stumps(estimators) else None


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
    add_answers(X, *_questions(stumps, X.shape[1]), terms, scores)
    return scores[:, 0] if len(classes) == 2 else scores


def sum_rounds_of_stumps(
    rounds: Sequence[Sequence[Any]],
    coefficients: NDArray[np.float64],
    rule: WeightingRule,
    classes: NDArray[Any],
    baseline: Any,
    X: NDArray[Any],
) -> Scores:
    """Give F of dense rows where a round has a stump for each class, all asked at once."""
    n_members = len(rounds[0])
    stumps = [stump for members in rounds for stump in members]
    answers = _answers(stumps, rule.member_kind, labels_of_round(classes, n_members))
    features, thresholds, missing_left = _questions(stumps, X.shape[1])
    scores = np.empty((len(X), len(classes)))
    step = max(1, _BLOCK // len(stumps))
    for start in range(0, len(X), step):
        values = X[start : start + step, features].astype(np.float64)
        is_right = np.where(np.isnan(values), ~missing_left, values > thresholds) & (features >= 0)
        said = answers[np.arange(len(stumps))[:, np.newaxis], is_right.T.astype(np.intp)]
        outputs = [said[k::n_members] for k in range(n_members)]
        terms = rule.scores([o.reshape(-1, *o.shape[2:]) for o in outputs], len(classes))
        total = np.broadcast_to(baseline, (len(values), len(classes)))
        # A round has one coefficient, or one for each class.
        by_round = zip(coefficients, np.split(terms, len(rounds)), strict=True)
        for coefficient, of_round in by_round:
            total = total + coefficient * of_round
        scores[start : start + step] = total
    return scores


def _questions(
    stumps: Sequence[Any], n_features: int
) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.bool_]]:
    """Give the stumps' features, thresholds, and whether rows without a value go left."""
    features = np.array([stump.feature_ for stump in stumps])
    if features.max() >= n_features:
        raise InputError(f"This ensemble is damaged: a member asks for feature {features.max()}.")
    return (
        features,
        np.array([stump.threshold_ for stump in stumps]),
        np.array([stump.missing_go_left_ for stump in stumps]),
    )


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
