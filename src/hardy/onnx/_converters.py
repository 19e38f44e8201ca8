"""How skl2onnx, which writes everything else, is told of Hardy's models."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto
from skl2onnx import update_registered_converter
from skl2onnx.common.data_types import FloatTensorType, Int64TensorType, StringTensorType

from hardy.ensembles import BaseBagClassifier, BaseBoostClassifier
from hardy.exceptions import InputError
from hardy.learners import (
    DecisionStumpClassifier,
    DecisionStumpRegressor,
    ParallelPerceptronRegressor,
)
from hardy.learners._one_vs_rest import OneVsRestLearner
from hardy.onnx._answers import numbers, probabilities
from hardy.onnx._graph import Graph
from hardy.pruning import PrunedParallelPerceptronClassifier

_FAMILIES: tuple[type, ...] = (
    BaseBagClassifier,
    BaseBoostClassifier,
    DecisionStumpClassifier,
    DecisionStumpRegressor,
    OneVsRestLearner,
    ParallelPerceptronRegressor,
    PrunedParallelPerceptronClassifier,
)


def register() -> None:
    """Tell skl2onnx of all models that there are by now, the user's own among them."""
    for family in _FAMILIES:
        for model in _with_subclasses(family):
            if issubclass(model, DecisionStumpRegressor | ParallelPerceptronRegressor):
                update_registered_converter(
                    model, "HardyNumbers", _shape_numbers, _convert_regressor
                )
            else:
                update_registered_converter(
                    model,
                    "HardyLabels",
                    _shape_labels,
                    _convert_classifier,
                    options={"zipmap": [True, False, "columns"]},
                )


def _with_subclasses(model: type) -> Iterator[type]:
    yield model
    subclasses: list[type] = model.__subclasses__()
    for subclass in subclasses:
        yield from _with_subclasses(subclass)


def _shape_labels(operator: Any) -> None:
    classes = _onnx_labels(operator.raw_operator)
    kind = StringTensorType if classes.dtype.kind == "U" else Int64TensorType
    operator.outputs[0].type = kind([None])
    operator.outputs[1].type = FloatTensorType([None, len(classes)])


def _shape_numbers(operator: Any) -> None:
    operator.outputs[0].type = FloatTensorType([None, 1])


def _convert_classifier(scope: Any, operator: Any, container: Any) -> None:
    graph = Graph(scope, container)
    model = operator.raw_operator
    said = probabilities(model, graph, graph.rows(operator.inputs[0]))
    labels = graph.add("Gather", _onnx_labels(model), graph.highest(said), axis=0)
    graph.give(labels, operator.outputs[0])
    graph.give(said, operator.outputs[1], to=TensorProto.FLOAT)


def _convert_regressor(scope: Any, operator: Any, container: Any) -> None:
    graph = Graph(scope, container)
    said = numbers(operator.raw_operator, graph, graph.rows(operator.inputs[0]))
    graph.give(said, operator.outputs[0], to=TensorProto.FLOAT)


def _onnx_labels(model: Any) -> NDArray[Any]:
    """Give the labels as text or whole numbers, which are all that ONNX has."""
    labels = model.classes_.tolist()
    if all(isinstance(label, str) for label in labels):
        return np.array(labels)
    if all(isinstance(label, int) for label in labels):
        return np.array(labels, dtype=np.int64)
    raise InputError(
        f"ONNX has labels that are text or whole numbers, but those of {type(model).__name__} are "
        f"{labels!r}; fit it on such."
    )
