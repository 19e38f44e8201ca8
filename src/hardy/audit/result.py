"""What an audit found."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import _num_samples

from hardy._files import as_path, writing
from hardy._labels import as_label_array, encode_labels, replace_labels
from hardy._quoting import counted, quote
from hardy.annotators import Consensus
from hardy.audit._features import as_array
from hardy.audit.decisions import read_latest
from hardy.audit.error_probability import error_probability
from hardy.audit.expectation import expect_precision, rows_to_find
from hardy.audit.findings.base import Finding
from hardy.audit.reasons import explain_row
from hardy.exceptions import InputError


@dataclass(frozen=True, eq=False, repr=False)
class LabelAudit:
    """The result of :func:`hardy.audit_labels`.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        The distinct labels, sorted.
    given_labels : ndarray of shape (n_samples,)
        The labels as given; None where one is missing.
    doubt : ndarray of shape (n_samples,)
        How likely the given label is wrong, in [0, 1]; 0 for rows that can't be assessed.
    is_suspect : ndarray of shape (n_samples,), dtype bool
        The rows flagged as probably mislabelled.
    suggested_labels : ndarray of shape (n_samples,)
        The likeliest other label of a suspect, the likeliest label of a row without one, and the
        given label everywhere else.
    is_assessable : ndarray of shape (n_samples,), dtype bool
        False for rows of classes too small to be judged and for rows without a label.
    noise_rate : float
        The estimated share of wrong labels among those that can be assessed.
    transition_matrix : DataFrame of shape (n_classes, n_classes)
        P(given | true): true classes down, given classes across. cleanlab's ``noise_matrix`` is
        the transpose.
    pred_proba : ndarray of shape (n_samples, n_classes)
        The panel's out-of-sample probabilities of the classes.
    opinions : mapping of str to ndarray of shape (n_samples, n_classes)
        The out-of-sample probabilities of each detector of the panel.
    detector_weights : Series of shape (n_detectors,)
        The weight of each detector in the mixture; they sum to 1.
    nearest_rows : ndarray of shape (n_samples, n_neighbors)
        The positions of each row's nearest other rows that have a label, nearest first. Where
        more than 10,000 rows have a label, −1 for all rows but those that a report shows.
    coordinates : ndarray of shape (n_samples, 2)
        A two-dimensional picture of the rows.
    values : DataFrame
        The values of the rows that a report shows (suspects, rows without a label and their
        nearest rows), by row position.
    index : Index of shape (n_samples,)
        The index of the rows in the data that were audited.
    first_row : int
        The number by which reasons, tables and reports call the first row: 0 as in Python for
        data in memory, 1 for files.
    lines : ndarray of shape (n_samples,) or None
        The line of the file on which each row starts, counted from 1; None for data in memory.
    source : mapping
        Where the data came from and how the audit was made: file, command, versions. For data in
        memory it holds only ``set_aside``, the columns that weren't used, each with the reason.
    note : str
        Why nothing could be judged; the empty string where rows were judged.
    findings : tuple of Finding
        Other faults that make labels wrong: duplicates, spellings, drift and more.
    consensus : Consensus or None
        What several annotators say together; None where there were none.
    judged_labels : ndarray of shape (n_samples,) or None
        The labels that were learnt from, where people had settled some before: theirs in place of
        the given ones, and None for rows that they dropped. Where nobody had, it is None itself.

    Examples
    --------
    >>> import hardy
    >>> from sklearn.datasets import load_iris
    >>> from hardy.noise import flip_labels
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> y_noisy, is_flipped = flip_labels(y, 0.1, exact=True, random_state=0)
    >>> audit = hardy.audit_labels(X, y_noisy, random_state=0)
    >>> bool(audit.doubt[is_flipped].mean() > audit.doubt[~is_flipped].mean())
    True
    """

    classes: NDArray[Any]
    given_labels: NDArray[Any]
    doubt: NDArray[np.float64]
    is_suspect: NDArray[np.bool_]
    suggested_labels: NDArray[Any]
    is_assessable: NDArray[np.bool_]
    noise_rate: float
    transition_matrix: pd.DataFrame
    pred_proba: NDArray[np.float64]
    opinions: Mapping[str, NDArray[np.float64]]
    detector_weights: "pd.Series[float]"
    nearest_rows: NDArray[np.integer[Any]]
    coordinates: NDArray[np.float64]
    values: pd.DataFrame
    index: "pd.Index[Any]"
    first_row: int = 0
    lines: NDArray[np.intp] | None = None
    source: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    findings: tuple[Finding, ...] = ()
    consensus: Consensus | None = None
    judged_labels: NDArray[Any] | None = None

    def __repr__(self) -> str:
        return (
            f"LabelAudit({counted(len(self.doubt), 'row')}, "
            f"{counted(int(self.is_suspect.sum()), 'suspect')}, "
            f"estimated noise rate {self.noise_rate:.3f})"
        )

    @cached_property
    def given_codes(self) -> NDArray[np.intp]:
        """The given labels as class indices, −1 where one is missing; shape (n_samples,)."""
        return encode_labels(self.given_labels, self.classes).codes

    @cached_property
    def judged_codes(self) -> NDArray[np.intp]:
        """The labels that were learnt from as class indices, −1 where none was."""
        if self.judged_labels is None:
            return self.given_codes
        return encode_labels(self.judged_labels, self.classes).codes

    @property
    def is_unlabelled(self) -> NDArray[np.bool_]:
        """The rows without a label; shape (n_samples,)."""
        return self.given_codes < 0

    @property
    def suspects(self) -> NDArray[np.intp]:
        """The positions of the suspects, the most doubtful first; shape (n_suspects,)."""
        rows = np.flatnonzero(self.is_suspect)
        return rows[np.argsort(-self.doubt[rows], kind="stable")]

    @cached_property
    def error_probability(self) -> NDArray[np.float64]:
        """How likely each given label is wrong where overlap of classes is set aside.

        Made of doubt and of what other tables have taught. It can be above the doubt of rows that
        are surely wrong; :meth:`clean` and the careful reading of expected precisions take the
        less of the two.
        In [0, 1], in the order of the doubt; 0 for rows that can't be assessed and for those that
        people have settled. Shape (n_samples,). See :doc:`/guide/audit`.
        """
        is_judged = self.is_assessable & (self.judged_codes >= 0)
        # Where there is nothing to select, nothing is copied.
        rows: Any = slice(None) if is_judged.all() else is_judged
        probability = np.zeros(len(self.doubt))
        probability[rows] = error_probability(
            self.doubt[rows], self.judged_codes[rows], self.pred_proba[rows]
        )
        return probability

    @cached_property
    def expected_precision(self) -> pd.DataFrame:
        """What share of the most doubtful rows is expected to be wrong, for several cut-offs.

        The index is the number of rows, the columns are `expected`, `low`, `high` and `careful`.
        The interval is meant to hold four times in five; the careful reading, which sets overlap
        of classes aside, is what `min_precision` of :meth:`clean` asks of. See :doc:`/guide/audit`.
        """
        judged = self.is_assessable
        return expect_precision(self.error_probability[judged], self.doubt[judged])

    def rows_to_find(self, share: float = 0.8) -> int | None:
        """Tell how many rows, the most doubtful first, hold a share of the wrong labels.

        Parameters
        ----------
        share : float, default=0.8
            The share of the estimated number of wrong labels that is to be found.

        Returns
        -------
        int or None
            The number of rows to look at; None where there is nothing to find.
        """
        if not 0 < share <= 1:
            raise InputError(f"share={share!r} must be above 0 and at most 1.")
        n_wrong = self.noise_rate * int(self.is_assessable.sum())
        return rows_to_find(self.doubt[self.is_assessable], n_wrong, share)

    def explain(self, row: int) -> list[str]:
        """Say in words why a row is in doubt.

        Parameters
        ----------
        row : int
            The row's position, counted from 0.

        Returns
        -------
        list of str
            The reasons, each complete in itself.
        """
        return explain_row(self, row)

    def to_frame(self) -> pd.DataFrame:
        """Give the findings for every row as a table.

        Returns
        -------
        DataFrame of shape (n_samples, 6)
            `given_label`, `suggested_label`, `doubt`, `is_suspect`, `is_assessable` and
            `reasons` (the empty string for rows that are no suspects), on the index of the
            audited data.
        """
        return pd.DataFrame(
            {
                "given_label": self.given_labels,
                "suggested_label": self.suggested_labels,
                "doubt": self.doubt,
                "is_suspect": self.is_suspect,
                "is_assessable": self.is_assessable,
                "reasons": [
                    "; ".join(self.explain(row)) if suspect else ""
                    for row, suspect in enumerate(self.is_suspect)
                ],
            },
            index=self.index,
        )

    def clean(
        self,
        X: Any,
        y: ArrayLike,
        action: Literal["drop", "relabel", "weight"] | None = "drop",
        *,
        min_precision: float | None = None,
        decisions: str | os.PathLike[str] | None = None,
    ) -> tuple[Any, ...]:
        """Apply the findings, and what people decided, to the data that was audited.

        Rows without a label are dropped, or take the suggested label with ``"relabel"``.

        Parameters
        ----------
        X : array-like, sparse matrix or DataFrame of shape (n_samples, n_features)
            The audited data.
        y : array-like of shape (n_samples,)
            Its labels.
        action : {"drop", "relabel", "weight"} or None, default="drop"
            Leave the suspects out, give them the suggested label, or keep every row and return
            1 − doubt as its weight. With None only `decisions` are followed, and rows without
            a label stay.
        min_precision : float, optional
            Drop or relabel only so many suspects, the likeliest errors first, that this share of
            them is expected to be wrong (of the suggested labels to be right), by the careful
            reading in `expected_precision`.
        decisions : path-like, optional
            The folder of this audit, in which people decided on rows with ``hardy review``. Their
            decisions come first: what they kept is no suspect, what they dropped is dropped, and
            what they relabelled has their label, each with the weight 1. Suspects that they
            skipped are neither dropped nor given the suggested label.

        Returns
        -------
        X, y : same types as given
            The cleaned data.
        sample_weight : ndarray of shape (n_kept,)
            Only with ``action="weight"``.

        Raises
        ------
        InputError
            Where the data has another number of rows than the audit or other labels, `action`
            is unknown, or `decisions` is no folder, or holds none of this audit.
        """
        # What is done with an audit is made of audits, and so is imported where it is called: here,
        # in `report` and in `save`, and nowhere else.
        from hardy.audit.cleaning import plan_cleaning

        plan = plan_cleaning(
            self,
            None if decisions is None else read_latest(decisions, self),
            action=action,
            min_precision=min_precision,
            with_unlabelled=action is not None,
        )
        n_samples = len(self.doubt)
        for name, n_given in (("X", _num_samples(X)), ("y", _num_samples(y))):
            if n_given != n_samples:
                raise InputError(
                    f"{name} has {counted(n_given, 'row')}, but the audit was made of {n_samples}."
                )
        self._refuse_other_labels(y)
        changed = ~plan.drop & (plan.codes != self.given_codes)
        if changed.any() or action == "relabel":
            encode_labels(y, self.classes)
            y = replace_labels(y, changed, self.classes[plan.codes[changed]])
        if plan.drop.any() or action != "relabel":
            X, y = _take(X, ~plan.drop), _take(y, ~plan.drop)
        return (X, y, plan.weight[~plan.drop]) if action == "weight" else (X, y)

    def _refuse_other_labels(self, y: ArrayLike) -> None:
        """Refuse rows of other data, or in another order; the same classes may be written anew."""
        labels, audited = as_label_array(y), self.given_labels
        if (pd.factorize(labels)[0] != pd.factorize(audited)[0]).any():
            pairs = enumerate(zip(labels.tolist(), audited.tolist(), strict=True))
            row, (label, expected) = next(pair for pair in pairs if pair[1][0] != pair[1][1])
            raise InputError(
                f"y has other labels than the audit was made of: {quote(label)} in row {row}, not "
                f"{expected!r}. Give the audited data in its order."
            )

    def report(self, path: str | os.PathLike[str]) -> None:
        """Write the findings as one self-contained HTML page.

        Parameters
        ----------
        path : path-like
            Where the page is written, whole or not at all, in a folder that exists.

        Raises
        ------
        InputError
            Where its folder doesn't exist, or the page can't be written there.
        """
        from hardy.audit.report import write_report

        with writing(as_path(path), "Name a file in a folder that exists and can be written."):
            write_report(self, path)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Save the audit, to be opened again with :func:`hardy.audit.load_audit`.

        Parameters
        ----------
        folder : path-like
            A new or empty folder, or one that holds an audit already. A new one is made in a
            folder that exists.

        Raises
        ------
        InputError
            Where the folder holds something else or can't be written, or the labels are neither
            words, numbers, booleans nor moments without a time zone.
        """
        from hardy.audit.storage import save_audit

        save_audit(self, folder)


def _take(data: Any, keep: NDArray[np.bool_]) -> Any:
    if isinstance(data, pd.DataFrame | pd.Series):
        return data[keep]
    if hasattr(data, "filter") and hasattr(data, "to_pandas"):
        return data.filter(keep.tolist())
    if hasattr(data, "tocsr"):
        return data.tocsr()[keep]
    return (data if isinstance(data, np.ndarray) else as_array(data))[keep]
