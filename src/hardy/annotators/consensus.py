"""What several annotators say together, and how good each of them is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.stats import binomtest

from hardy._labels import as_label_array, encode_labels
from hardy._quoting import counted
from hardy._warnings import warn_user
from hardy.annotators.agreement import krippendorff_alpha, pairwise_kappa
from hardy.annotators.dawid_skene import fit_as_far_as_told, fit_dawid_skene
from hardy.exceptions import InputError, NotAssessableWarning

_METHODS = ("dawid_skene", "majority")
SETTLED = 0.95


@dataclass(frozen=True, eq=False, repr=False)
class Consensus:
    """The result of :func:`find_consensus`.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        The distinct labels, sorted.
    codes : ndarray of shape (n_samples, n_annotators)
        What each annotator said, as class indices; −1 for nothing.
    proba : ndarray of shape (n_samples, n_classes)
        Probabilities of the true label.
    confusion : mapping of str to DataFrame of shape (n_classes, n_classes)
        P(given | true) of each annotator: true classes down, given classes across.
    annotators : DataFrame
        A line for each annotator: `n_rows` labelled, `n_shared` that another one labelled too,
        and from these `accuracy` with `low` and `high`, an interval of 95 % for it, and
        `agreement`, the share of the others' labels that were the same. NaN
        where no row is shared.
    index : Index of shape (n_samples,)
        The names of the rows.
    method : str
        How the probabilities were made.

    Examples
    --------
    >>> from hardy.annotators import find_consensus
    >>> consensus = find_consensus({"ann": list("aabb"), "bob": list("aabb"), "eve": list("abba")})
    >>> consensus
    Consensus(4 rows, 3 annotators, alpha 0.389, 2 rows to ask again)
    """

    classes: NDArray[Any]
    codes: NDArray[np.intp]
    proba: NDArray[np.float64]
    confusion: Mapping[str, pd.DataFrame]
    annotators: pd.DataFrame
    index: "pd.Index[Any]"
    method: str

    def __repr__(self) -> str:
        return (
            f"Consensus({counted(len(self.codes), 'row')}, "
            f"{counted(self.codes.shape[1], 'annotator')}, alpha {self.alpha:.3f}, "
            f"{counted(len(self.ask_again), 'row')} to ask again)"
        )

    @property
    def n_labels(self) -> NDArray[np.intp]:
        """How many annotators labelled each row; shape (n_samples,)."""
        n_labels: NDArray[np.intp] = (self.codes >= 0).sum(axis=1)
        return n_labels

    @property
    def labels(self) -> NDArray[Any]:
        """The likeliest label of each row, None where nobody gave one; shape (n_samples,)."""
        likeliest: NDArray[Any] = self.classes[self.proba.argmax(axis=1)]
        if (self.n_labels > 0).all():
            return likeliest
        return as_label_array(pd.Series(likeliest, dtype=object).where(self.n_labels > 0, None))

    @property
    def is_disputed(self) -> NDArray[np.bool_]:
        """The rows to which somebody gave another label than the consensus; shape (n_samples,)."""
        return np.asarray(((self.codes >= 0) & ~self._is_agreed).any(axis=1))

    @property
    def ask_again(self) -> NDArray[np.intp]:
        """The rows whose label isn't settled, the least sure first.

        These are rows with a label whose consensus has a probability below .95, or was given by
        nobody; of two annotators, all disputed rows, since nothing tells which of them is right.
        There are none where no row was labelled twice.
        """
        if not self.annotators["n_shared"].any():
            return np.empty(0, dtype=np.intp)
        sure = self.proba.max(axis=1)
        is_open = (sure < SETTLED) | ~self._is_agreed.any(axis=1)
        if self.codes.shape[1] == 2:
            is_open |= self.is_disputed
        rows = np.flatnonzero((self.n_labels > 0) & is_open)
        return rows[np.lexsort([rows, self.n_labels[rows], sure[rows]])]

    @property
    def _is_agreed(self) -> NDArray[np.bool_]:
        """Which given labels are those of the consensus; shape (n_samples, n_annotators)."""
        agreed: NDArray[np.bool_] = self.codes == self.proba.argmax(axis=1)[:, None]
        return agreed

    @cached_property
    def alpha(self) -> float:
        """Krippendorff's alpha: 1 where all agree, 0 as by chance; NaN where nothing is shared."""
        return krippendorff_alpha(self.codes, len(self.classes))

    def kappas(self) -> pd.DataFrame:
        """Give Cohen's kappa of each two annotators.

        Returns
        -------
        DataFrame
            `first`, `second`, `n_rows` (that both labelled) and `kappa`.
        """
        return pairwise_kappa(self.codes, [str(name) for name in self.annotators.index])

    def to_frame(self) -> pd.DataFrame:
        """Give the findings for every row as a table.

        Returns
        -------
        DataFrame of shape (n_samples, 5)
            `consensus`, its `probability`, `n_labels`, `is_disputed`, and `ask_again`: the place
            among the rows to ask again, counted from 1, missing for others.
        """
        place = pd.Series(pd.NA, index=range(len(self.codes)), dtype="Int64")
        place.iloc[self.ask_again] = np.arange(1, len(self.ask_again) + 1)
        return pd.DataFrame(
            {
                "consensus": self.labels,
                "probability": np.where(self.n_labels > 0, self.proba.max(axis=1), np.nan),
                "n_labels": self.n_labels,
                "is_disputed": self.is_disputed,
                "ask_again": place.to_numpy(),
            },
            index=self.index,
        )


def find_consensus(
    labels: Any,
    *,
    classes: ArrayLike | None = None,
    method: Literal["dawid_skene", "majority"] = "dawid_skene",
) -> Consensus:
    """Find what several annotators say together, how good each is, and what to ask again.

    Parameters
    ----------
    labels : DataFrame, mapping or array-like of shape (n_samples, n_annotators)
        A column of labels for each annotator, of any kind, missing where one gave none.
        :func:`widen_labels` makes it of lines of (row, annotator, label).
    classes : array-like of shape (n_classes,), optional
        The labels to expect; by default those that were given.
    method : {"dawid_skene", "majority"}, default="dawid_skene"
        The model of Dawid and Skene, in which an annotator counts as much as the rows shared with
        others show, or the shares of the votes. Two annotators always have the shares: nothing
        tells which of them is right.

    Returns
    -------
    Consensus
        Labels, probabilities, quality of each annotator, agreement, rows to ask again.

    Raises
    ------
    InputError
        Where there are fewer than two annotators, no labels, labels that can't be used, or an
        unknown method.

    Warns
    -----
    NotAssessableWarning
        Where annotators share no row with others: their quality can't be told.

    References
    ----------
    A. P. Dawid and A. M. Skene, "Maximum likelihood estimation of observer error-rates using the
    EM algorithm", Applied Statistics 28(1), 1979.

    Examples
    --------
    >>> import pandas as pd
    >>> from hardy.annotators import find_consensus
    >>> consensus = find_consensus(pd.DataFrame({"ann": ["a", "b", "a", None, "b", "a"],
    ...                                          "bob": ["a", "b", "a", "b", "b", "a"],
    ...                                          "eve": ["a", "b", "b", "a", None, "b"]}))
    >>> list(consensus.labels)
    ['a', 'b', 'a', 'b', 'b', 'a']
    >>> consensus.annotators["n_shared"].tolist()
    [5, 6, 5]
    """
    if method not in _METHODS:
        raise InputError(f"method={method!r} is unknown; choose one of {', '.join(_METHODS)}.")
    names, columns, index = _take_columns(labels)
    known, codes = _encode(names, columns, classes)
    consensus = conclude(names, known, codes, index, method)
    alone = consensus.annotators.index[consensus.annotators["n_shared"] == 0]
    if len(alone):
        warn_user(
            "No row was labelled by two annotators: their quality and the consensus can't be told."
            if len(alone) == len(names)
            else f"{', '.join(map(str, alone[:10]))} labelled no row that another annotator did: "
            "their quality can't be told.",
            NotAssessableWarning,
        )
    return consensus


def conclude(
    names: Sequence[str],
    classes: NDArray[Any],
    codes: NDArray[np.intp],
    index: "pd.Index[Any]",
    method: str,
) -> Consensus:
    """Make the consensus of labels that are class indices already.

    Parameters
    ----------
    names : sequence of str
        The annotators.
    classes : ndarray of shape (n_classes,)
        The distinct labels.
    codes : ndarray of shape (n_samples, n_annotators)
        Class indices, −1 where an annotator gave no label.
    index : Index of shape (n_samples,)
        The names of the rows.
    method : {"dawid_skene", "majority"}
        As in :func:`find_consensus`.

    Returns
    -------
    Consensus
        The same for the same labels.
    """
    # Before its first step, the model has the shares of the votes. Of two annotators who differ
    # nothing tells which is right, so that it would find what it is started from, or worse.
    model = (
        fit_as_far_as_told(codes, len(classes))
        if method == "dawid_skene" and len(names) > 2
        else fit_dawid_skene(codes, len(classes), max_iter=0)
    )
    annotators = _measure(names, codes, model.proba)
    confusion = {
        name: pd.DataFrame(
            table,
            index=pd.Index(classes, name="true"),
            columns=pd.Index(classes, name="given"),
        )
        for name, table in zip(names, model.confusion, strict=True)
    }
    return Consensus(classes, codes, model.proba, confusion, annotators, index, method)


def _take_columns(labels: Any) -> "tuple[list[str], list[Any], pd.Index[Any]]":
    index = labels.index if isinstance(labels, pd.DataFrame) else None
    if isinstance(labels, Mapping) or hasattr(labels, "columns"):
        keys = list(labels) if isinstance(labels, Mapping) else list(labels.columns)
        columns = [labels[key] for key in keys]
    else:
        table = np.asarray(labels, dtype=object)
        if table.ndim != 2:
            raise InputError(
                f"The annotators' labels have the shape {table.shape}; a column for each is needed."
            )
        keys = list(range(table.shape[1]))
        columns = [table[:, key] for key in keys]
    names = [str(key) for key in keys]
    if len(set(names)) < len(names):
        raise InputError(f"Two annotators have the same name among {names}; give each its own.")
    if len(names) < 2:
        raise InputError(f"{len(names)} annotator{'s' * (len(names) != 1)} can't be compared; give "
                         "the columns of two or more.")  # fmt: skip
    lengths = {len(column) for column in columns}
    if len(lengths) > 1:
        raise InputError(f"The annotators' columns differ in length: {sorted(lengths)}.")
    return names, columns, pd.RangeIndex(lengths.pop()) if index is None else index


def _encode(
    names: list[str], columns: list[Any], classes: ArrayLike | None
) -> tuple[NDArray[Any], NDArray[np.intp]]:
    arrays = []
    for name, column in zip(names, columns, strict=True):
        try:
            arrays.append(as_label_array(column))
        except InputError as error:
            raise InputError(
                f"The labels of the annotator {name!r} can't be used. {error}"
            ) from None
    given = [array[~pd.isna(array)] for array in arrays]
    if not sum(map(len, given)):
        raise InputError("No annotator gave a label.")
    # Of one type where they agree, such as whole numbers beside holes.
    together = pd.Series(np.concatenate([part.astype(object) for part in given]), dtype=object)
    together = together.map(_whole).infer_objects()
    try:
        known, _ = encode_labels(together, classes)
    except InputError as error:
        raise InputError(
            f"{error} Where each line holds a row, an annotator and a label, make columns of them "
            "with widen_labels first."
        ) from None
    codes = [
        encode_labels(pd.Series(array, dtype=object).map(_whole), known).codes for array in arrays
    ]
    return known, np.column_stack(codes)


def _whole(label: Any) -> Any:
    """Give a whole number as an integer: beside a missing one, numbers come as floats."""
    return int(label) if isinstance(label, float | np.floating) and label.is_integer() else label


def _measure(
    names: Sequence[str], codes: NDArray[np.intp], proba: NDArray[np.float64]
) -> pd.DataFrame:
    is_given = codes >= 0
    n_labels = is_given.sum(axis=1)
    lines = []
    for at in range(len(names)):
        shared = np.flatnonzero(is_given[:, at] & (n_labels > 1))
        line: dict[str, Any] = {"n_rows": int(is_given[:, at].sum()), "n_shared": len(shared)}
        if shared.size:
            own = codes[shared, at]
            accuracy, low, high = _estimate_accuracy(proba[shared, own])
            line |= {"accuracy": accuracy, "low": low, "high": high}
            others = n_labels[shared] - 1
            same = (codes[shared] == own[:, None]).sum(axis=1) - 1
            line["agreement"] = float((same / others).mean())
        lines.append(line)
    columns = ["n_rows", "n_shared", "accuracy", "low", "high", "agreement"]
    return pd.DataFrame(lines, index=pd.Index(names, name="annotator"), columns=columns)


def _estimate_accuracy(is_right: NDArray[np.float64]) -> tuple[float, float, float]:
    """Estimate a share, and its interval, from the probabilities that labels are right.

    A label of which it isn't known whether it is right says less of the annotator: Louis' missing
    information is taken from the number of labels on which Wilson's interval stands. What is known
    is told by a share a little away from 0 and 1: at these it would be nothing.
    """
    n, share = len(is_right), float(is_right.mean())
    inner = (is_right.sum() + 1) / (n + 2)
    known = n * inner * (1 - inner)
    unknown = float((is_right * (1 - is_right)).sum())
    n_known = max(1, round(n * (1 - unknown / known)))
    interval = binomtest(round(share * n_known), n_known).proportion_ci(method="wilson")
    return share, float(min(interval.low, share)), float(max(interval.high, share))
