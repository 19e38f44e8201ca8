"""Fitted models as files without pickle, whose loading runs no code from the file."""

import io
import os
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted
from skops import io as skops_io

import hardy
from hardy._archives import check_archive
from hardy._extras import import_extra
from hardy._files import as_path, atomic_write, naming, reading, writing
from hardy._schema import check_schema
from hardy._soundness import is_sound
from hardy.exceptions import InputError
from hardy.tabular._decoding import refuse_stream

_FORMAT = "hardy model 1"
_USES = ("predict", "transform", "fit_resample")
_BEYOND_THE_PUBLIC_NAMES = (
    "hardy.distributed.adaboost.AdaBoostClassifier",
    "hardy.distributed.decision_stump.DecisionStumpClassifier",
    "hardy.distributed.hardness_bagging.HardnessBaggingClassifier",
    "hardy.distributed.linear_perceptron.LinearPerceptronClassifier",
    "hardy.distributed.noise_reducing.NoiseReducingBoostClassifier",
    "hardy.distributed.parallel_perceptron.ParallelPerceptronClassifier",
    "hardy.noise.correction.NoiseCorrection",
    "hardy.panel.kernel_ridge.KernelRidge",
    "hardy.panel.neighbors.FittedNeighbors",
    "hardy.panel.support_vectors.SupportVectors",
    "hardy.panel.text.MeanOfModels",
    "hardy.panel.views.Views",
    "hardy.panel.views._clip",
    "hardy.panel.words.WordEncoder",
    "hardy.pruning._reduction.Round",
    "hardy.tabular._blocks.CategoryBlock",
    "hardy.tabular._blocks.MedianImputer",
    "hardy.tabular._blocks.NumberBlock",
    "hardy.tabular._blocks.TextBlock",
    "hardy.tabular.columns.ColumnDescription",
    "hardy.tabular.encoding.TableEncoder",
    "hardy.text.stems.StemCounter",
    "imblearn.pipeline.Pipeline",
    "scipy.sparse._csr.csr_array",
    "scipy.sparse._csr.csr_matrix",
    "hardy.text.tfidf.UnsmoothedTfidfTransformer",
    # Older versions of skops don't know these parts of scikit-learn's boosted trees of two classes.
    "sklearn._loss.link.Interval",
    "sklearn._loss.link.LogitLink",
    "sklearn._loss.loss.HalfBinomialLoss",
    "sklearn.ensemble._hist_gradient_boosting.binning._BinMapper",
    # Their node indices are checked after loading, because scikit-learn follows them blindly.
    "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
    "sklearn.tree._tree.Tree",
    "skrub._datetime_encoder.DatetimeEncoder",
    "skrub._string_encoder.StringEncoder",
    "skrub._to_str.ToStr",
    "hardy.weighting.hardness_bagging.linear_weights",
    "hardy.weighting.hardness_bagging.softmax_weights",
)


@dataclass(frozen=True)
class SavedModel:
    """What a model file holds.

    Attributes
    ----------
    model : estimator
        The fitted model.
    target : str or None
        The name of the column whose labels it predicts.
    dropped : tuple of str
        The columns of the training table that it was told to leave out.
    hardy_version : str
        The version of Hardy that wrote the file.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from hardy import DecisionStumpClassifier
    >>> from hardy.saving import load_model, save_model
    >>> model = DecisionStumpClassifier().fit([[1.0], [2.0]], ["plum", "apple"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "fruit.hardy")
    ...     save_model(model, path, target="fruit")
    ...     saved = load_model(path)
    >>> saved.target, saved.dropped
    ('fruit', ())
    """

    model: Any
    target: str | None
    dropped: tuple[str, ...]
    hardy_version: str


def save_model(
    model: Any,
    path: str | os.PathLike[str],
    *,
    target: str | None = None,
    dropped: Sequence[str] = (),
) -> None:
    """Write a fitted model to a file, whole or not at all.

    Parameters
    ----------
    model : estimator
        A fitted estimator, sampler or transformer of Hardy's or scikit-learn's, or a pipeline of
        such, also imbalanced-learn's.
    path : path-like
        The file; one that exists is replaced.
    target : str, optional
        The name of the column whose labels it predicts.
    dropped : sequence of str, default=()
        The columns of the training table that it was told to leave out.

    Raises
    ------
    InputError
        Where the model is no estimator or isn't fitted, or holds objects that a model file can't
        hold, or the file can't be written.

    See Also
    --------
    load_model : Read it again.

    Examples
    --------
    >>> import tempfile
    >>> from sklearn.linear_model import LogisticRegression
    >>> model = LogisticRegression().fit([[0.0], [1.0]], ["no", "yes"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(model, Path(folder, "model.hardy"), target="answer")
    ...     saved = load_model(Path(folder, "model.hardy"))
    >>> saved.target, saved.model.predict([[2.0]])
    ('answer', array(['yes'], dtype='<U3'))
    """
    _check_model(model, target, dropped)
    content = {
        "format": _FORMAT,
        "hardy_version": hardy.__version__,
        "target": target,
        "dropped": list(dropped),
        "model": model,
    }
    try:
        data = skops_io.dumps(content, compression=zipfile.ZIP_DEFLATED)
    except TypeError as error:
        raise InputError(f"The model can't be saved: {error}") from None
    foreign = set(skops_io.get_untrusted_types(data=data)) - set(trusted_types())
    if foreign:
        callbacks = any(name.startswith("sklearn.callback.") for name in foreign)
        raise InputError(
            f"The model can't be saved, because it holds {', '.join(sorted(foreign))}, which a "
            f"model file may not hold{'; set_callbacks() takes callbacks off' * callbacks}."
        )
    with naming("The model can't be saved, as no model file may swell so much"):
        check_archive(io.BytesIO(data))
    with writing(as_path(path), "Name another file."), atomic_write(path, "wb") as file:
        file.write(data)


def load_model(path: str | os.PathLike[str]) -> SavedModel:
    """Read a model file; nothing in the file decides which code runs.

    Parameters
    ----------
    path : path-like
        A file that :func:`save_model` wrote.

    Returns
    -------
    SavedModel
        The model and what was saved with it.

    Raises
    ------
    InputError
        Where the file is missing, damaged, none of Hardy's, or holds objects of types that a
        model file may not hold.
    MissingExtraError
        Where it holds a pipeline of imbalanced-learn's, which isn't installed.

    See Also
    --------
    save_model : Write it.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from hardy import DecisionStumpClassifier
    >>> from hardy.saving import load_model, save_model
    >>> model = DecisionStumpClassifier().fit([[1.0], [2.0]], ["plum", "apple"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "fruit.hardy")
    ...     save_model(model, path, target="fruit")
    ...     saved = load_model(path)
    >>> saved.model.predict([[3.0]]).tolist()
    ['apple']
    """
    path = as_path(path)
    with reading(path):
        if path.is_dir():
            raise InputError(f"{path} is a folder; name a model file.")
        if not path.exists():
            raise InputError(f"There is no model file {path}.")
        refuse_stream(path)
        data = path.read_bytes()
    if not _is_archive(data):
        raise InputError(f"{path} is no model file of Hardy's.")
    with naming(f"{path} is damaged or no model file of Hardy's"):
        check_archive(io.BytesIO(data))
    trusted = trusted_types()
    try:
        check_schema(io.BytesIO(data))
        foreign = set(skops_io.get_untrusted_types(data=data)) - set(trusted)
        content = None if foreign else skops_io.loads(data, trusted=trusted)
    except Exception as error:  # A damaged file can fail anywhere in the reader.
        if isinstance(error, ModuleNotFoundError):
            import_extra("imblearn", extra="imbalance", purpose=f"The model in {path}")
        raise InputError(
            f"{path} is damaged or no model file of Hardy's ({type(error).__name__})."
        ) from error
    if foreign:
        raise InputError(
            f"{path} was not loaded, because it holds types that a model of Hardy's doesn't: "
            f"{', '.join(sorted(foreign))}."
        )
    return _check_content(content, path)


def _is_archive(data: bytes) -> bool:
    try:
        return zipfile.is_zipfile(io.BytesIO(data))
    # Parts of an archive on several disks are asked about in vain.
    except zipfile.BadZipFile:
        return False


def trusted_types() -> list[str]:
    """Give the types that a model file may hold beside those that skops itself trusts.

    For other programs that keep models by skops and ask which types to trust, such as MLflow.
    `load_model` looks at more than types: at what a file that was tampered with could make of them.

    Returns
    -------
    list of str
        Their full names.

    Examples
    --------
    >>> from hardy.saving import trusted_types
    >>> "hardy.learners.decision_stump.DecisionStumpClassifier" in trusted_types()
    True
    """
    public = [getattr(hardy, name) for name in hardy.__all__]
    own = [c for c in public if isinstance(c, type) and issubclass(c, BaseEstimator)]
    return [*(f"{c.__module__}.{c.__qualname__}" for c in own), *_BEYOND_THE_PUBLIC_NAMES]


def _check_model(model: Any, target: Any, dropped: Any) -> None:
    """Refuse what `load_model` wouldn't take, or would take for something else."""
    if isinstance(model, type) or not _is_of_use(model):
        raise InputError(
            f"{model!r} is no estimator with {', '.join(_USES[:-1])} or {_USES[-1]}; give a fitted "
            "model."
        )
    if isinstance(model, BaseEstimator):
        try:
            check_is_fitted(model)
        except NotFittedError:
            raise InputError(
                f"This {type(model).__name__} is not fitted: fit it before it is saved."
            ) from None
    if not (target is None or isinstance(target, str)):
        raise InputError(f"target={target!r} is no name of a column.")
    if isinstance(dropped, str) or not all(isinstance(name, str) for name in dropped):
        raise InputError(f"dropped={dropped!r} is no list of names of columns.")
    for name, value in getattr(model, "get_params", dict)().items():
        if isinstance(value, dict) and any(isinstance(key, bool | np.bool_) for key in value):
            raise InputError(
                f"The model can't be saved: {name}={value!r} would lose its keys True and False; "
                "write them as 1 and 0, which are equal to them."
            )


def _is_of_use(model: Any) -> bool:
    return any(callable(getattr(model, use, None)) for use in _USES)


def _check_content(content: Any, path: Path) -> SavedModel:
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        raise InputError(f"{path} is no model file of Hardy's, or one of another version.")
    try:
        match content:
            case {
                "model": BaseEstimator() as model,
                "target": str() | None as target,
                "dropped": list() as dropped,
                "hardy_version": str() as version,
            } if (
                _is_of_use(model)
                and all(isinstance(name, str) for name in dropped)
                and is_sound(model)
            ):
                return SavedModel(model, target, tuple(dropped), version)
    except Exception as error:  # Whatever it asks for may be something else, or missing.
        raise InputError(f"{path} is damaged ({type(error).__name__}).") from error
    raise InputError(f"{path} is damaged: its content isn't what Hardy writes.")
