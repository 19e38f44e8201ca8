"""What a boosting rule makes of its members' outputs, as nodes of a graph."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hardy.exceptions import InputError
from hardy.onnx._graph import Graph
from hardy.weighting import LogitBoost, OneVsRest, RealAdaBoost, SoftVote, WeightingRule
from hardy.weighting.real_adaboost import LEAST_PROBABILITY


def term_of_round(rule: WeightingRule, graph: Graph, outputs: Sequence[str], n_classes: int) -> str:
    """Give a round's term of F, before its coefficient, as `rule.scores` does.

    The outputs are those that the rule's kind of member has; the choice of a classifier is 1 for
    the class that it chooses and 0 for the others.
    """
    scores = type(rule).scores
    if scores not in _TERMS:
        raise InputError(
            f"The rule {rule.name} can't be written as ONNX, because it has its own way to make "
            "scores of what its members say."
        )
    return _TERMS[scores](rule, graph, outputs, n_classes)


def _votes(rule: WeightingRule, graph: Graph, outputs: Sequence[str], n_classes: int) -> str:
    if n_classes > 2 and len(outputs) == 1:
        return outputs[0]
    signs = [graph.add("MatMul", choice, np.array([[-1.0], [1.0]])) for choice in outputs]
    return _side_by_side(graph, signs)


def _regressions(rule: WeightingRule, graph: Graph, outputs: Sequence[str], n_classes: int) -> str:
    if n_classes == 2:
        return graph.add("Mul", outputs[0], 0.5)
    centring = np.eye(n_classes) - 1.0 / n_classes
    steps = _side_by_side(graph, outputs)
    return graph.add("MatMul", steps, (n_classes - 1) / n_classes * centring)


def _log_ratios(rule: WeightingRule, graph: Graph, outputs: Sequence[str], n_classes: int) -> str:
    logs = graph.add("Log", graph.add("Max", outputs[0], LEAST_PROBABILITY))
    if n_classes == 2:
        return graph.add("MatMul", logs, np.array([[-0.5], [0.5]]))
    return graph.add("MatMul", logs, np.eye(n_classes) - 1.0 / n_classes)


def _decisions(rule: WeightingRule, graph: Graph, outputs: Sequence[str], n_classes: int) -> str:
    return outputs[0]


def _one_vs_rest(rule: WeightingRule, graph: Graph, outputs: Sequence[str], n_classes: int) -> str:
    assert isinstance(rule, OneVsRest)
    single = rule.make_rule()
    return _side_by_side(graph, [term_of_round(single, graph, [o], 2) for o in outputs])


def _side_by_side(graph: Graph, columns: Sequence[str]) -> str:
    return columns[0] if len(columns) == 1 else graph.add("Concat", *columns, axis=1)


# By the method, so that a rule that inherits it is known too, and one with its own isn't.
_TERMS: dict[Any, Callable[[Any, Graph, Sequence[str], int], str]] = {
    WeightingRule.scores: _votes,
    LogitBoost.scores: _regressions,
    RealAdaBoost.scores: _log_ratios,
    SoftVote.scores: _decisions,
    OneVsRest.scores: _one_vs_rest,
}
