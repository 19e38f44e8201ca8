"""What each kind of model says of rows, as nodes of a graph."""

from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from hardy._labels import encode_labels
from hardy.ensembles import BaseBagClassifier, BaseBoostClassifier
from hardy.ensembles._base import DECIMALS
from hardy.ensembles._members import labels_of_round
from hardy.ensembles._stumps import are_stumps, stump_terms
from hardy.exceptions import InputError
from hardy.learners import (
    DecisionStumpClassifier,
    DecisionStumpRegressor,
    LinearPerceptronClassifier,
    ParallelPerceptronRegressor,
)
from hardy.learners._one_vs_rest import OneVsRestLearner
from hardy.learners._voting_classifier import VotingClassifier
from hardy.onnx._graph import Graph, Rows
from hardy.onnx._terms import term_of_round
from hardy.onnx._trees import leaves
from hardy.pruning import PrunedParallelPerceptronClassifier
from hardy.weighting import MemberKind


@singledispatch
def probabilities(model: Any, graph: Graph, rows: Rows) -> str:
    """Give the probability of each of the model's own classes."""
    return graph.cast(graph.ask(model, rows)[1], TensorProto.DOUBLE)


@singledispatch
def numbers(model: Any, graph: Graph, rows: Rows) -> str:
    """Give what a regressor predicts, of shape (n_rows, 1)."""
    return graph.cast(graph.ask(model, rows)[0], TensorProto.DOUBLE)


@singledispatch
def decisions(model: Any, graph: Graph, rows: Rows) -> str:
    """Give the decision of two classes, of shape (n_rows, 1), or that of each of several."""
    raise InputError(f"Decisions of {type(model).__name__} can't be written as ONNX.")


def choice(model: Any, graph: Graph, rows: Rows, classes: NDArray[Any]) -> str:
    """Give 1 for the class that a model predicts and 0 for the others, among `classes`."""
    known = encode_labels(model.classes_, classes).codes
    if probabilities.dispatch(type(model)) is probabilities.dispatch(object):
        # A classifier of another library may have no probabilities.
        place = graph.place(graph.ask(model, rows)[0], model.classes_)
    else:
        place = graph.highest(probabilities(model, graph, rows))
    return graph.add("Gather", np.eye(len(classes))[known], place, axis=0)


def output(member: Any, kind: MemberKind, graph: Graph, rows: Rows, classes: NDArray[Any]) -> str:
    """Give what a rule asks a member for, as `hardy.ensembles._members.member_output` does."""
    if kind is MemberKind.REGRESSOR:
        return numbers(member, graph, rows)
    if kind is MemberKind.PROBABILITIES:
        said = probabilities(member, graph, rows)
        return (
            said if len(member.classes_) == len(classes) else _spread(said, member, graph, classes)
        )
    if kind is MemberKind.DECISIONS:
        return _all_decisions(member, graph, rows, classes)
    return choice(member, graph, rows, classes)


def _spread(columns: str, member: Any, graph: Graph, classes: NDArray[Any]) -> str:
    """Put the columns of a member's own classes in their places among all, with 0 in the others."""
    known = encode_labels(member.classes_, classes).codes
    return graph.add("MatMul", columns, np.eye(len(classes))[known])


def _all_decisions(member: Any, graph: Graph, rows: Rows, classes: NDArray[Any]) -> str:
    said = decisions(member, graph, rows)
    if len(member.classes_) == len(classes):
        return said
    if len(member.classes_) == 2:
        said = graph.add("MatMul", said, np.array([[-1.0, 1.0]]))
    lowest = graph.add("ReduceMin", said, axes=[1])
    is_known = np.isin(classes, member.classes_)[np.newaxis]
    return graph.add("Where", is_known, _spread(said, member, graph, classes), lowest)


@probabilities.register(DecisionTreeClassifier)
@numbers.register(DecisionTreeRegressor)
def _(model: Any, graph: Graph, rows: Rows) -> str:
    # skl2onnx's own nodes give them in single precision, the logarithms of which are too far off.
    return graph.add("Gather", model.tree_.value[:, 0], leaves(model.tree_, graph, rows), axis=0)


@decisions.register
def _(model: LinearPerceptronClassifier, graph: Graph, rows: Rows) -> str:
    return graph.linear(rows, model.coef_, model.intercept_)


@decisions.register
def _(model: VotingClassifier, graph: Graph, rows: Rows) -> str:
    n_units = model.intercept_.shape[1]
    by_unit = graph.add("Reshape", _activations(model, graph, rows), np.array([0, -1, n_units]))
    upper_half = np.array([n_units // 2 + 1])
    highest_first, _ = graph.add_many("TopK", by_unit, upper_half, n_outputs=2, axis=2)
    return graph.add("Gather", highest_first, n_units // 2, axis=2)


def _activations(model: Any, graph: Graph, rows: Rows) -> str:
    return graph.linear(
        rows, model.coef_.reshape(-1, model.coef_.shape[-1]), model.intercept_.ravel()
    )


@decisions.register
def _(model: PrunedParallelPerceptronClassifier, graph: Graph, rows: Rows) -> str:
    scaled = [
        graph.add(
            "Div", decisions(learner, graph, rows), getattr(learner, "activation_scale_", 1.0)
        )
        for learner in model.estimators_
    ]
    if len(scaled) > 1:
        return graph.add("Concat", *scaled, axis=1)
    is_second = model.positive_classes_[0] == model.classes_[1]
    return scaled[0] if is_second else graph.add("Neg", scaled[0])


@decisions.register
def _(model: BaseBoostClassifier, graph: Graph, rows: Rows) -> str:
    if getattr(model, "corrects_errors_", False):
        raise InputError(
            f"{type(model).__name__} can't be written as ONNX where it corrects errors, because "
            "that asks the training rows; set error_correction=False."
        )
    # A power of ten is exact, and numpy rounds in the same three steps.
    grid = 10.0**DECIMALS
    scores = graph.add("Add", _sum_of_terms(model, graph, rows), np.atleast_2d(model.baseline_))
    return graph.add("Div", graph.add("Round", graph.add("Mul", scores, grid)), grid)


def _sum_of_terms(model: BaseBoostClassifier, graph: Graph, rows: Rows) -> str:
    rule, classes = model._make_rule(), model.classes_
    if are_stumps(model.estimators_):
        terms = stump_terms(model.estimators_, model.estimator_weights_, rule, classes)
        return _answers_of_stumps(model.estimators_, graph, rows, terms)
    scaled = []
    for entry, coefficient in zip(model.estimators_, model.estimator_weights_, strict=True):
        members = entry if isinstance(entry, list) else [entry]
        labels = labels_of_round(classes, len(members))
        outputs = [output(m, rule.member_kind, graph, rows, labels) for m in members]
        term = term_of_round(rule, graph, outputs, len(classes))
        scaled.append(graph.add("Mul", term, np.atleast_2d(coefficient)))
    return graph.add("Sum", *scaled)


def _answers_of_stumps(stumps: Any, graph: Graph, rows: Rows, answers: NDArray[np.float64]) -> str:
    """Give the sum of what stumps answer; the answers are (n_stumps, 2 sides, n_columns)."""
    # A stump that asks nothing has an infinite threshold.
    asked = np.maximum([stump.feature_ for stump in stumps], 0)
    values = graph.add("Gather", rows.values, asked, axis=1)
    is_above = graph.add("Greater", values, np.array([[stump.threshold_ for stump in stumps]]))
    missing_go_right = np.array([[not stump.missing_go_left_ for stump in stumps]])
    goes_as_missing = graph.add("And", graph.add("IsNaN", values), missing_go_right)
    right = graph.cast(graph.add("Or", is_above, goes_as_missing), TensorProto.DOUBLE)
    gained = graph.add("MatMul", right, answers[:, 1] - answers[:, 0])
    return graph.add("Add", gained, answers[:, 0].sum(axis=0, keepdims=True))


@probabilities.register(BaseBoostClassifier)
@probabilities.register(OneVsRestLearner)
@probabilities.register(PrunedParallelPerceptronClassifier)
def _(model: Any, graph: Graph, rows: Rows) -> str:
    said = decisions(model, graph, rows)
    if len(model.classes_) == 2 or not isinstance(model, BaseBoostClassifier):
        scale = model._decision_scale() if isinstance(model, OneVsRestLearner) else 1.0
        said = graph.add("Mul", said, 2.0 / scale)
    if len(model.classes_) > 2:
        return graph.add("Softmax", said, axis=1)
    both = graph.add("MatMul", said, np.array([[-1.0, 1.0]]))
    return graph.add("Sigmoid", both)


@probabilities.register
def _(model: DecisionStumpClassifier, graph: Graph, rows: Rows) -> str:
    return _answers_of_stumps([model], graph, rows, model.leaf_probabilities_[np.newaxis])


@probabilities.register
def _(model: BaseBagClassifier, graph: Graph, rows: Rows) -> str:
    pool = model._pool()
    if pool is not None:
        votes = _votes_of_perceptrons(*pool, graph, rows)
    else:
        kind = MemberKind.PROBABILITIES if model.voting == "soft" else MemberKind.CLASSIFIER
        votes = graph.add(
            "Sum",
            *(
                output(member, kind, graph, graph.columns(rows, features), model.classes_)
                for member, features in zip(
                    model.estimators_, model.estimators_features_, strict=True
                )
            ),
        )
    return graph.add("Div", votes, float(len(model.estimators_)))


def _votes_of_perceptrons(
    coef: NDArray[Any], intercept: NDArray[Any], graph: Graph, rows: Rows
) -> str:
    """Count the votes of perceptrons; (n_members, 1 or n_classes, n_features) and their biases."""
    n_members, n_outputs, n_features = coef.shape
    said = graph.linear(rows, coef.reshape(-1, n_features), intercept.ravel())
    if n_outputs == 1:
        above = graph.cast(graph.add("Greater", said, 0.0), TensorProto.DOUBLE)
        ones = graph.add("MatMul", above, np.ones((n_members, 1)))
        return graph.add("Concat", graph.add("Sub", float(n_members), ones), ones, axis=1)
    by_member = graph.add("Reshape", said, np.array([0, n_members, n_outputs]))
    chosen = graph.add("ArgMax", by_member, axis=2, keepdims=0)
    votes = graph.add("Gather", np.eye(n_outputs), chosen, axis=0)
    return graph.add("ReduceSum", votes, np.array([1]), keepdims=0)


@numbers.register
def _(model: DecisionStumpRegressor, graph: Graph, rows: Rows) -> str:
    return _answers_of_stumps([model], graph, rows, model.leaf_values_[np.newaxis, :, np.newaxis])


@numbers.register
def _(model: ParallelPerceptronRegressor, graph: Graph, rows: Rows) -> str:
    is_upper = graph.add("GreaterOrEqual", _activations(model, graph, rows), 0.0)
    n_upper = graph.add("ReduceSum", graph.cast(is_upper, TensorProto.INT64), np.array([1]))
    return graph.add("Gather", model._outputs(), n_upper, axis=0)
