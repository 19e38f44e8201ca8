"""The graph that a model becomes, which is worked out in double precision."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto
from skl2onnx._supported_operators import sklearn_operator_name_map
from skl2onnx.common.data_types import DoubleTensorType, Int64TensorType
from sklearn.base import is_classifier

from hardy.exceptions import InputError

_TYPES = {
    "f": (TensorProto.DOUBLE, np.float64),
    "i": (TensorProto.INT64, np.int64),
    "b": (TensorProto.BOOL, np.bool_),
}


class Rows(NamedTuple):
    """Some columns of the rows in double: for converters of skl2onnx's, and by the node's name."""

    variable: Any
    values: str


class Graph:
    """Adds nodes to the graph that skl2onnx is making of a model.

    What a node gives goes by its name. All of it has two axes, the first of which is that of the
    rows, unless said otherwise.
    """

    def __init__(self, scope: Any, container: Any) -> None:
        self._scope = scope
        self._container = container

    def add(self, kind: str, *inputs: Any, domain: str = "", **attributes: Any) -> str:
        """Add a node, whose inputs are names, or numbers and arrays that never change."""
        return self.add_many(kind, *inputs, domain=domain, n_outputs=1, **attributes)[0]

    def add_many(
        self, kind: str, *inputs: Any, n_outputs: int, domain: str = "", **attributes: Any
    ) -> list[str]:
        """Add a node with several outputs."""
        outputs = [self._scope.get_unique_variable_name(kind) for _ in range(n_outputs)]
        names = [i if isinstance(i, str) else self._constant(i) for i in inputs]
        self._container.add_node(
            kind,
            names,
            outputs,
            op_domain=domain,
            name=self._scope.get_unique_operator_name(kind),
            **attributes,
        )
        return outputs

    def rows(self, given: Any) -> Rows:
        """Take the rows, a variable of skl2onnx's."""
        return self._as_rows(self.cast(given.onnx_name, TensorProto.DOUBLE))

    def columns(self, rows: Rows, wanted: NDArray[np.intp] | None) -> Rows:
        """Give some of the columns, in this order; all where none are named."""
        if wanted is None:
            return rows
        return self._as_rows(self.add("Gather", rows.values, wanted, axis=1))

    def _as_rows(self, values: str) -> Rows:
        variable = self._scope.declare_local_variable("values", DoubleTensorType())
        self.give(values, variable)
        return Rows(variable, values)

    def ask(self, model: Any, rows: Rows) -> list[str]:
        """Add a model of another library: labels and probabilities, or numbers."""
        if type(model) not in sklearn_operator_name_map:
            raise InputError(
                f"{type(model).__name__} can't be written as ONNX: there is no converter of it."
            )
        operator = self._scope.declare_local_operator(sklearn_operator_name_map[type(model)], model)
        operator.inputs.append(rows.variable)
        if is_classifier(model):
            label = self._scope.declare_local_variable("label", Int64TensorType())
            operator.outputs.append(label)
        said = self._scope.declare_local_variable("said", DoubleTensorType())
        operator.outputs.append(said)
        return [variable.onnx_name for variable in operator.outputs]

    def linear(self, rows: Rows, coef: NDArray[Any], intercept: NDArray[Any]) -> str:
        """Give w · x + b for each row of `coef`."""
        products = self.add("MatMul", rows.values, coef.T)
        return self.add("Add", products, intercept[np.newaxis])

    def highest(self, columns: str) -> str:
        """Give the index of each row's highest column, the first of equals; (n_rows,)."""
        return self.add("ArgMax", columns, axis=1, keepdims=0)

    def place(self, labels: str, classes: NDArray[Any]) -> str:
        """Give the place of labels among the classes; both of shape (n_rows,)."""
        are_text = classes.dtype.kind in "OU"
        keys = [str(label).encode() if are_text else int(label) for label in classes]
        return self.add(
            "LabelEncoder",
            labels,
            domain="ai.onnx.ml",
            values_int64s=list(range(len(keys))),
            **{"keys_strings" if are_text else "keys_int64s": keys},
        )

    def cast(self, name: str, to: int) -> str:
        """Change the type of what a node gives."""
        return self.add("Cast", name, to=to)

    def give(self, name: str, output: Any, to: int | None = None) -> None:
        """Make what a node gives an output of the model, of another type where told."""
        kind, attributes = ("Identity", {}) if to is None else ("Cast", {"to": to})
        self._container.add_node(
            kind,
            [name],
            [output.full_name],
            name=self._scope.get_unique_operator_name(kind),
            **attributes,
        )

    def _constant(self, value: Any) -> str:
        name: str = self._scope.get_unique_variable_name("constant")
        array = np.asarray(value)
        if array.dtype.kind in "OU":
            content: list[Any] = [str(text).encode() for text in array.ravel()]
            self._container.add_initializer(name, TensorProto.STRING, array.shape, content)
        else:
            kind, dtype = _TYPES[array.dtype.kind]
            content = array.astype(dtype).ravel().tolist()
            self._container.add_initializer(name, kind, array.shape, content)
        return name
