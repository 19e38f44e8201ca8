"""What a person sees of a row beside its labels: values, texts, nearest rows."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from hardy._quoting import shown
from hardy.audit.result import LabelAudit
from hardy.review.pictures import Column, Picture
from hardy.review.words import Piece, TextColumn, cut_into_stretches
from hardy.tabular import describe_columns

N_NEAREST = 5
_MOST_COLUMNS = 400
_MOST_IN_NEAREST = 6


class Text(NamedTuple):
    """A column of texts, and the row's text: pieces, by the stretches in which it is shown."""

    name: str
    stretches: list[list[Piece]]


class Neighbor(NamedTuple):
    """A near row: its position, its label, its values."""

    row: int
    label: str
    is_suggested: bool
    is_given: bool
    values: list[str]


class Evidence:
    """What is seen of some rows, or of all.

    Parameters
    ----------
    audit : LabelAudit
        The audit.
    values : DataFrame
        The values of the rows, by their position.
    missing : str, default=""
        Why these aren't all rows; the empty string where they are.

    Attributes
    ----------
    values : DataFrame
        The values.
    missing : str
        As given.
    """

    def __init__(self, audit: LabelAudit, values: pd.DataFrame, missing: str = "") -> None:
        frame = values.iloc[:, :_MOST_COLUMNS]
        self._audit = audit
        self.values, self.missing = frame, missing
        self._place = {int(row): at for at, row in enumerate(frame.index)}
        codes = audit.judged_codes[frame.index.to_numpy(dtype=np.intp)].copy()
        # Suspects would blur what their classes look like.
        codes[audit.is_suspect[frame.index.to_numpy(dtype=np.intp)]] = -1
        n_classes = len(audit.classes)
        aside = audit.source.get("set_aside", {})
        described = describe_columns(frame, text=_known(audit.source.get("text", ()), frame))
        self._columns, self._texts, self._other = [], [], []
        for column in described:
            column_values = frame[column.name]
            if column.name in aside:
                self._other.append(column.name)
            elif column.kind == "text":
                self._texts.append(TextColumn(column.name, column_values, codes, n_classes))
            else:
                self._columns.append(Column(column, column_values, codes, n_classes))

    def pictures(self, row: int, given: int, suggested: int) -> list[Picture]:
        """Draw the row's values, those first that speak the most clearly for one class."""
        if row not in self._place:
            return []
        at = self._place[row]
        drawn = [column.draw(at, given, suggested) for column in self._columns]
        return sorted(drawn, key=lambda picture: -abs(picture.speaks_for))

    def texts(self, row: int, given: int, suggested: int) -> list[Text]:
        """Give the row's texts, with the words that speak for each class."""
        if row not in self._place:
            return []
        at = self._place[row]
        return [
            Text(column.name, cut_into_stretches(column.read(at, given, suggested)))
            for column in self._texts
        ]

    def others(self, row: int) -> list[tuple[str, str]]:
        """Give the row's values in columns that weren't used."""
        if row not in self._place:
            return []
        return [(n, shown(self.values[n].iloc[self._place[row]])) for n in self._other]

    def nearest(
        self, row: int, names: list[str], given: int, suggested: int
    ) -> tuple[list[str], list[Neighbor]]:
        """Give the nearest rows, with their values in the first of some columns."""
        names = [*names, *(text.name for text in self._texts)][:_MOST_IN_NEAREST]
        found = []
        for near in self._audit.nearest_rows[row][:N_NEAREST].tolist():
            code = int(self._audit.judged_codes[near])
            label = "–" if code < 0 else shown(self._audit.classes[code], 60)
            at = self._place.get(near)
            values = ["" if at is None else shown(self.values[n].iloc[at], 80) for n in names]
            found.append(Neighbor(near, label, code == suggested, code == given, values))
        return names, found


def _known(names: Any, frame: pd.DataFrame) -> list[str]:
    return [name for name in names if name in frame]
