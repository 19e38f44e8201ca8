"""Columns that give the label away."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from hardy._quoting import counted, cut
from hardy.audit.findings.base import Evidence, Finding
from hardy.panel.base import Floats
from hardy.tabular._frames import as_words, parse_numbers

Codes = NDArray[np.intp]

_MOST_ROWS = 5000
_SCREENED_ROWS = 500
_SCREENED = 0.9
_ALL_BUT_SURE = 0.99
# Where the columns in the middle tell as much as this, labels are easy and none stands out.
_EASY = 0.9
_FEWEST_ROWS = 10
# No leaf is made for a few wrong labels.
_SMALLEST_LEAF = 5
_N_FOLDS = 3


def find_giveaways(evidence: Evidence) -> Iterator[Finding]:
    """Find columns from each of which alone nearly all labels follow, where most tell little.

    A small tree on a column of numbers, or the commonest label of each word, is asked out of
    fold, and must get .99 of the rows of each class right on average.

    Parameters
    ----------
    evidence : Evidence
        What is known of the rows.

    Yields
    ------
    Finding
        ``"giveaway_column"``, with the rows whose label doesn't follow from the column.
    """
    codes, n_classes = evidence.codes, len(evidence.classes)
    n_rows = np.bincount(codes[evidence.labelled], minlength=n_classes)
    rows = evidence.labelled[n_rows[codes[evidence.labelled]] >= _FEWEST_ROWS]
    if len(evidence.columns) < 2 or len(np.unique(codes[rows])) < 2:
        return
    sample = np.random.default_rng(evidence.seed).permutation(rows)[:_MOST_ROWS]
    few = sample[:_SCREENED_ROWS]
    told = [
        _share_right(column.kind, _as_numbers(column.kind, column.some(few)), codes[few])
        for column in evidence.columns
    ]
    if np.median(told) >= _EASY:
        return
    for column, screened in zip(evidence.columns, told, strict=True):
        if screened < _SCREENED:
            continue
        kind = column.kind
        values = _as_numbers(kind, column.values())
        share = _share_right(kind, values[sample], codes[sample])
        if share < _ALL_BUT_SURE:
            continue
        expected = _follow(kind, values[sample], codes[sample], values[rows])
        is_odd = expected != codes[rows]
        name = evidence.name(column)
        but = f", but not of {counted(int(is_odd.sum()), 'row')}" if is_odd.any() else ""
        yield Finding(
            "giveaway_column",
            f"The column `{name}` alone tells nearly all labels{but}. If it is filled in once the "
            "label is known, leave it out: models would learn nothing else.",
            rows[is_odd],
            tuple(f"`{cut(evidence.classes[code])}` by `{name}`" for code in expected[is_odd]),
            {"column": name, "balanced_accuracy": round(share, 4)},
        )


def _as_numbers(kind: str, column: "pd.Series[Any]") -> Floats:
    """Give numbers in a size that trees can hold, and the places of words in a list."""
    if kind != "numeric":
        return pd.factorize(as_words(column))[0].astype(np.float64)
    numbers = parse_numbers(column)
    size = np.fmax.reduce(np.abs(numbers))
    return numbers / size if size > 0 else numbers


def _share_right(kind: str, values: Floats, codes: Codes) -> float:
    """Give the share of right answers out of fold, averaged over the classes."""
    is_common = np.bincount(codes)[codes] >= _N_FOLDS
    values, codes = values[is_common], codes[is_common]
    if len(np.unique(codes)) < 2:
        return 0.0
    told = np.empty_like(codes)
    for train, test in StratifiedKFold(_N_FOLDS).split(values, codes):
        told[test] = _follow(kind, values[train], codes[train], values[test])
    n_rows = np.bincount(codes)
    right = np.bincount(codes[told == codes], minlength=len(n_rows))
    return float((right[n_rows > 0] / n_rows[n_rows > 0]).mean())


def _follow(kind: str, values: Floats, codes: Codes, asked: Floats) -> Codes:
    """Tell the labels of rows by those of others with such a value."""
    if kind == "numeric":
        tree = DecisionTreeClassifier(
            max_leaf_nodes=2 * len(np.unique(codes)),
            min_samples_leaf=_SMALLEST_LEAF,
            random_state=0,
        )
        told: Codes = tree.fit(values[:, None], codes).predict(asked[:, None])
        return told
    known = pd.crosstab(values, codes).idxmax(axis=1)
    commonest = known.reindex(asked).fillna(np.bincount(codes).argmax())
    return commonest.to_numpy().astype(np.intp)
