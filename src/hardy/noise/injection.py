"""Inject label noise of a known kind into labels that are believed to be right."""

from numbers import Real
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, StandardScaler

from hardy._labels import encode_labels, replace_labels
from hardy._quoting import counted, quote, quote_all
from hardy._validation import make_random_state, validate_rows
from hardy.exceptions import InputError

NoiseKind = Literal["uniform", "class_conditional", "feature_dependent"]
_KINDS = get_args(NoiseKind)


def flip_labels(
    y: ArrayLike,
    rate: float | None = None,
    *,
    kind: NoiseKind = "uniform",
    transition: ArrayLike | pd.DataFrame | None = None,
    X: ArrayLike | None = None,
    exact: bool = False,
    random_state: int | np.random.RandomState | None = None,
) -> tuple[Any, NDArray[np.bool_]]:
    """Flip labels by one of three noise models.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        The labels, of any kind. Missing labels are never flipped.
    rate : float in [0, 1], optional
        The share of labels to flip, missing ones aside; what it is a share of, `kind` says. May be
        left out only where `transition` is given.
    kind : {"uniform", "class_conditional", "feature_dependent"}, default="uniform"
        The noise model:

        - ``"uniform"`` (completely at random): each label changes with probability `rate` to one
          of the other classes, each as likely as the other.
        - ``"class_conditional"``: by `transition`, or with `rate` only: every class but the
          largest loses that share of its rows to the largest, on average. The largest loses none,
          so that of all labels fewer than `rate` are flipped.
        - ``"feature_dependent"``: a label changes with a probability proportional to the row's
          closeness to the boundary (1 − the margin between the two likeliest classes in the
          out-of-fold opinion of a logistic model), `rate` on average; it changes to the
          likeliest other class.
    transition : array-like or DataFrame of shape (n_classes, n_classes), optional
        P(given | true), for ``kind="class_conditional"``: rows are true classes, columns are
        given ones, each row sums to 1. A DataFrame is read by its labels, an array in the sorted
        order of the classes. It decides alone, so `rate` is to be left out.
    X : array-like of shape (n_samples, n_features), optional
        The numeric features, needed for ``kind="feature_dependent"``.
    exact : bool, default=False
        With ``kind="uniform"``: flip exactly ``round(rate * n)`` of the n labels that aren't
        missing, rather than that many on average.
    random_state : int, RandomState instance or None, default=None
        Draws the rows and their new labels; an int makes the result repeatable. Where the same int
        made the data, take another one: the same numbers would be drawn.

    Returns
    -------
    y_noisy : array or Series of shape (n_samples,)
        The labels after the flips, in the container of `y` (pandas and polars columns stay what
        they are, anything else comes as an array).
    is_flipped : ndarray of shape (n_samples,), dtype bool
        Where a label changed.

    Raises
    ------
    InputError
        Where `rate`, `transition` or `X` is missing or doesn't fit `y` and `kind`.

    See Also
    --------
    hardy.noise.estimate_noise : The way back, from predictions to a transition matrix.

    Notes
    -----
    The three kinds are those of Frénay and Verleysen [1]_: NCAR, NAR and NNAR.

    References
    ----------
    .. [1] B. Frénay and M. Verleysen, "Classification in the presence of label noise: a survey",
       IEEE Transactions on Neural Networks and Learning Systems 25(5), 2014.

    Examples
    --------
    >>> from hardy.noise import flip_labels
    >>> y_noisy, is_flipped = flip_labels(["ham"] * 6 + ["spam"] * 4, 0.2, exact=True,
    ...                                   random_state=0)
    >>> int(is_flipped.sum())
    2
    """
    if kind not in _KINDS:
        raise InputError(f"kind={kind!r} is not a noise model; choose one of {', '.join(_KINDS)}.")
    if exact and kind != "uniform":
        raise InputError(f'exact=True needs kind="uniform", not {kind!r}.')
    if rate is None and not (kind == "class_conditional" and transition is not None):
        raise InputError(f"kind={kind!r} needs a rate: the share of labels to flip.")
    if rate is not None and not (isinstance(rate, Real) and 0 <= rate <= 1):
        raise InputError(f"rate={rate!r} is not a share: give a number from 0 to 1.")
    if transition is not None and kind != "class_conditional":
        raise InputError(f'transition needs kind="class_conditional", not {kind!r}.')
    if transition is not None and rate is not None:
        raise InputError(f"Give rate={rate!r} or transition, not both: each says how many flip.")

    classes, codes = encode_labels(y)
    rng = make_random_state(random_state)
    labelled = np.flatnonzero(codes >= 0)
    if rate and len(classes) < 2:
        raise InputError("Labels of fewer than two classes have no other class to flip to.")

    flipped = codes.copy()
    if kind == "uniform":
        assert rate is not None
        flipped[labelled] = _flip_uniform(codes[labelled], len(classes), rate, exact, rng)
    elif kind == "class_conditional":
        matrix = (
            _to_largest_class(codes[labelled], len(classes), rate)
            if transition is None
            else _check_transition(transition, classes)
        )
        flipped[labelled] = _draw_by_row(matrix[codes[labelled]], rng)
    else:
        assert rate is not None
        if X is None:
            raise InputError('kind="feature_dependent" needs X: closeness is taken from it.')
        features = _check_features(X)
        if len(features) != len(codes):
            raise InputError(
                f"X has the shape {features.shape}, but y has {counted(len(codes), 'row')}: "
                "X needs one row for each label."
            )
        flipped[labelled] = _flip_near_boundary(
            features[labelled], codes[labelled], len(classes), rate, rng
        )
    is_flipped = flipped != codes
    return replace_labels(y, is_flipped, classes[flipped[is_flipped]]), is_flipped


def _check_features(X: ArrayLike) -> NDArray[np.float64]:
    try:
        features: NDArray[np.float64] = validate_rows(LogisticRegression(), X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        reason = str(error).partition("\n")[0].rstrip(".")
        raise InputError(
            f'kind="feature_dependent" needs a table of finite numbers as X: {reason}.'
        ) from None
    return features


def _flip_uniform(
    codes: NDArray[np.intp],
    n_classes: int,
    rate: float,
    exact: bool,
    rng: np.random.RandomState,
) -> NDArray[np.intp]:
    n = len(codes)
    if exact:
        chosen = rng.permutation(n)[: round(rate * n)]
    else:
        chosen = np.flatnonzero(rng.uniform(size=n) < rate)
    flipped = codes.copy()
    if chosen.size:
        flipped[chosen] = (codes[chosen] + rng.randint(1, n_classes, size=len(chosen))) % n_classes
    return flipped


def _to_largest_class(
    codes: NDArray[np.intp], n_classes: int, rate: float | None
) -> NDArray[np.float64]:
    assert rate is not None
    matrix = np.eye(n_classes) * (1 - rate)
    if rate:
        matrix[:, np.bincount(codes, minlength=n_classes).argmax()] += rate
    return matrix


def _check_transition(
    transition: ArrayLike | pd.DataFrame, classes: NDArray[Any]
) -> NDArray[np.float64]:
    if isinstance(transition, pd.DataFrame):
        for axis, labels in (("row", transition.index), ("column", transition.columns)):
            missing = [label for label in classes.tolist() if label not in labels]
            if missing:
                raise InputError(f"transition has no {axis} for the class {quote(missing[0])}.")
            if other := [label for label in labels if label not in classes.tolist()]:
                raise InputError(
                    f"transition has a {axis} for {quote(other[0])}, which is no label in y: "
                    f"{quote_all(classes)}."
                )
        transition = transition.loc[list(classes), list(classes)]
    try:
        matrix = np.asarray(transition, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("transition must hold numbers, one row for each true class.") from None
    if matrix.shape != (len(classes), len(classes)):
        raise InputError(
            f"transition has the shape {matrix.shape}, but there are {len(classes)} classes: "
            f"{quote_all(classes)}."
        )
    for label, row in zip(classes.tolist(), matrix, strict=True):
        if (row < 0).any() or not np.isclose(row.sum(), 1):
            raise InputError(
                f"transition's row for the true class {quote(label)} is {row.tolist()}: "
                "it must hold probabilities that sum to 1."
            )
    return matrix


def _draw_by_row(
    probabilities: NDArray[np.float64], rng: np.random.RandomState
) -> NDArray[np.intp]:
    cumulated = probabilities.cumsum(axis=1)
    cumulated /= cumulated[:, -1:]
    return np.asarray((rng.uniform(size=(len(cumulated), 1)) >= cumulated).sum(axis=1), np.intp)


def _flip_near_boundary(
    X: NDArray[np.float64],
    codes: NDArray[np.intp],
    n_classes: int,
    rate: float,
    rng: np.random.RandomState,
) -> NDArray[np.intp]:
    if not rate:
        return codes
    smallest = np.bincount(codes, minlength=n_classes).min()
    if smallest < 2:
        raise InputError(
            'kind="feature_dependent" needs at least 2 rows of each class to measure closeness.'
        )
    # The squares of very large numbers would not be finite.
    model = make_pipeline(MaxAbsScaler(), StandardScaler(), LogisticRegression(max_iter=1000))
    folds = StratifiedKFold(min(5, smallest), shuffle=True, random_state=rng.randint(2**31 - 1))
    with np.errstate(over="ignore", invalid="ignore"):
        proba = cross_val_predict(model, X, codes, cv=folds, method="predict_proba")
    ordered = np.sort(proba, axis=1)
    closeness = 1 - (ordered[:, -1] - ordered[:, -2])
    chosen = rng.uniform(size=len(codes)) < _scale_to_mean(closeness, rate)
    proba[np.arange(len(codes)), codes] = -1
    return np.where(chosen, proba.argmax(axis=1), codes)


def _scale_to_mean(scores: NDArray[np.float64], mean: float) -> NDArray[np.float64]:
    """Probabilities proportional to the scores, capped at 1, with the wanted mean."""
    scores = scores + 1e-12
    capped = np.zeros(len(scores), dtype=bool)
    wanted = mean * len(scores)
    while True:
        factor = (wanted - capped.sum()) / max(scores[~capped].sum(), 1e-300)
        probabilities = np.where(capped, 1.0, factor * scores)
        over = (probabilities > 1) & ~capped
        if not over.any():
            return probabilities
        capped |= over
