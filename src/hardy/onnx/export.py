"""Writing a fitted model as an ONNX graph."""

import os
import re
import warnings
from typing import Any

from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from hardy._extras import import_extra
from hardy._files import as_path, atomic_write, writing
from hardy.exceptions import InputError

# What every onnxruntime since 2022 runs.
_OPSETS = {"": 17, "ai.onnx.ml": 3}


def to_onnx(model: Any, path: str | os.PathLike[str] | None = None) -> Any:
    """Write a fitted model as an ONNX graph, which runs without Hardy and without Python.

    The learners, the boosted and the bagged classifiers and the pruned perceptron can be written,
    and pipelines that end in one of them, if skl2onnx has converters of the steps before and of
    members of other libraries.

    Parameters
    ----------
    model : estimator
        A fitted classifier or regressor, or a pipeline that ends in one.
    path : path-like, optional
        A file to write the graph to as well; one that exists is replaced.

    Returns
    -------
    onnx.ModelProto
        The graph. Its input is ``X``, float32 of shape (n_rows, n_features). A classifier's outputs
        are ``label`` (text or int64), of shape (n_rows,), and ``probabilities`` (float32), of shape
        (n_rows, n_classes); a regressor's is ``variable`` (float32), of shape (n_rows, 1).

    Raises
    ------
    InputError
        Where the model, a step or a member can't be written, or labels are neither text nor whole
        numbers, or the file can't be written.
    MissingExtraError
        Where skl2onnx isn't installed.
    NotFittedError
        Where the model isn't fitted.

    See Also
    --------
    hardy.saving.save_model : Files that Hardy itself reads again.

    Notes
    -----
    Hardy's own part of the graph is worked out in double precision. Its probabilities equal those
    of ``predict_proba`` on the same float32 rows to 1e-5, but where a value, or a vote, lies
    within rounding of a threshold. Rows in double precision are rounded to float32 first, which
    may put a value on the other side of a threshold.

    Examples
    --------
    >>> from hardy import AdaBoostClassifier
    >>> from hardy.onnx import to_onnx
    >>> model = AdaBoostClassifier().fit([[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"])
    >>> graph = to_onnx(model)
    >>> graph.graph.input[0].name
    'X'
    """
    import_extra("skl2onnx", extra="onnx", purpose="Writing ONNX")
    from skl2onnx import to_onnx as convert
    from skl2onnx.common.data_types import FloatTensorType
    from skl2onnx.common.exceptions import MissingConverter, MissingShapeCalculator

    from hardy.onnx._converters import register

    check_is_fitted(model)
    register()
    final = model.steps[-1][1] if hasattr(model, "steps") else model
    try:
        with warnings.catch_warnings():
            # Of its own doings, which users can't change.
            warnings.filterwarnings("ignore", module="skl2onnx")
            graph = convert(
                model,
                initial_types=[("X", FloatTensorType([None, model.n_features_in_]))],
                target_opset=_OPSETS,
                options={id(final): {"zipmap": False}} if is_classifier(final) else None,
            )
    except (MissingConverter, MissingShapeCalculator) as error:
        unknown = re.search(r"(\w+)'>", str(error))
        raise InputError(
            f"{type(model).__name__} can't be written as ONNX: there is no converter of "
            f"{unknown[1] if unknown else error}."
        ) from error
    if path is not None:
        with writing(as_path(path), "Name another file."), atomic_write(path, "wb") as file:
            file.write(graph.SerializeToString())
    return graph
