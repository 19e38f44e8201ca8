"""An audit that trusts what people have settled: learnt from, and never suspect again."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hardy._labels import as_label_array
from hardy.audit.decisions import Decision
from hardy.audit.result import LabelAudit


def settle_labels(labels: "pd.Series[Any]", settled: Mapping[int, Decision]) -> "pd.Series[Any]":
    """Put the settled labels in place of the given ones.

    Parameters
    ----------
    labels : Series of shape (n_samples,)
        The given labels.
    settled : mapping of int to Decision
        The decisions that settle their row, by position.

    Returns
    -------
    Series of shape (n_samples,)
        The labels to learn from: none for rows that are to be dropped.

    Examples
    --------
    >>> settled = {0: Decision(1, 0, "relabel", "b"), 2: Decision(2, 2, "drop")}
    >>> settle_labels(pd.Series(["a", "b", "a"]), settled).tolist()
    ['b', 'b', None]
    """
    if not settled:
        return labels
    # As objects, since a missing label would make floats of integers.
    values = labels.astype(object).to_numpy(copy=True)
    for row, decision in settled.items():
        if decision.verdict != "keep":
            values[row] = decision.label
    return pd.Series(values, index=labels.index, name=labels.name, dtype=object)


def restore_given(
    audit: LabelAudit, labels: "pd.Series[Any]", settled: Mapping[int, Decision]
) -> LabelAudit:
    """Make an audit of settled labels one of the given labels, in which settled rows are trusted.

    Parameters
    ----------
    audit : LabelAudit
        The audit of what :func:`settle_labels` gave.
    labels : Series of shape (n_samples,)
        The given labels.
    settled : mapping of int to Decision
        The decisions that settle their row, by position.

    Returns
    -------
    LabelAudit
        Settled rows have doubt 0, are no suspects, and have the settled label as the suggested
        one. The noise rate counts those that had a label and were relabelled or dropped.
    """
    if not settled:
        return audit
    given, rows = as_label_array(labels), list(settled)
    doubt, is_suspect = audit.doubt.copy(), audit.is_suspect.copy()
    doubt[rows], is_suspect[rows] = 0, False
    suggested = np.where(np.isin(np.arange(len(doubt)), rows), given, audit.suggested_labels)
    for row, decision in settled.items():
        if decision.verdict == "relabel":
            suggested[row] = decision.label
    wrong = [row for row in rows if settled[row].verdict != "keep" and not pd.isna(given[row])]
    is_counted = audit.is_assessable.copy()
    is_counted[wrong] = True
    n_wrong = audit.noise_rate * audit.is_assessable.sum() + len(wrong)
    return replace(
        audit,
        given_labels=given,
        judged_labels=audit.given_labels,
        doubt=doubt,
        is_suspect=is_suspect,
        suggested_labels=_like(audit.classes, suggested),
        noise_rate=float(min(n_wrong / max(is_counted.sum(), 1), 1)),
    )


def _like(classes: NDArray[Any], labels: NDArray[Any]) -> NDArray[Any]:
    return labels if pd.isna(labels).any() else labels.astype(classes.dtype)
