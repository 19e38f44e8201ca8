"""What a person sees of a row beside its labels: values, texts, nearest rows."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from hardy.audit.cleaned import read_source, target_column
from hardy.audit.report import shown
from hardy.audit.result import LabelAudit
from hardy.exceptions import InputError
from hardy.review.pictures import Column, Picture
from hardy.review.words import Piece, TextColumn
from hardy.tabular import describe_columns, read_labelled_table

N_NEAREST = 5
_MOST_COLUMNS = 400
_MOST_IN_NEAREST = 6


class Text(NamedTuple):
    """A column of texts, and the row's text in pieces."""

    name: str
    pieces: list[Piece]


class Neighbor(NamedTuple):
    """A near row: its position, its label, its values."""

    row: int
    label: str
    is_suggested: bool
    is_given: bool
    values: list[str]


class Evidence:
    """The values of all rows where the file is there, else of those that the audit has kept.

    Parameters
    ----------
    audit : LabelAudit
        The audit.
    file : path-like, optional
        The audited file, where it was moved.

    Attributes
    ----------
    values : DataFrame
        The values, by the position of the row.
    is_whole : bool
        Whether the file is there.

    Raises
    ------
    InputError
        Where the file is there but was changed.
    """

    def __init__(self, audit: LabelAudit, file: Any = None) -> None:
        self.is_whole = True
        try:
            path, _ = read_source(audit, file)
        except InputError as error:
            if file is not None or "checksum" in str(error):
                raise
            self.is_whole, frame = False, audit.values
        else:
            frame = _read_again(audit, path)
        frame = frame.iloc[:, :_MOST_COLUMNS]
        self._audit = audit
        self.values = frame
        self._place = {int(row): at for at, row in enumerate(frame.index)}
        codes = audit.judged_codes[frame.index.to_numpy(dtype=np.intp)].copy()
        # Suspects would blur what their classes look like.
        codes[audit.is_suspect[frame.index.to_numpy(dtype=np.intp)]] = -1
        n_classes = len(audit.classes)
        aside = audit.source.get("set_aside", {})
        described = describe_columns(frame, text=_known(audit.source.get("text", ()), frame))
        self._columns, self._texts, self._other = [], [], []
        for column in described:
            values = frame[column.name]
            if column.name in aside:
                self._other.append(column.name)
            elif column.kind == "text":
                self._texts.append(TextColumn(column.name, values, codes, n_classes))
            else:
                self._columns.append(Column(column, values, codes, n_classes))

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
        return [Text(column.name, column.read(at, given, suggested)) for column in self._texts]

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


def _read_again(audit: LabelAudit, path: Any) -> pd.DataFrame:
    source = audit.source
    known = read_labelled_table(
        path,
        target_column(source),
        annotators=source.get("annotators", ()),
        text=source.get("text", ()),
        encoding=source["reading"]["encoding"],
    )
    named = [source.get(use) for use in ("group", "split", "order")]
    named += source.get("dropped", ())
    if source["id"] not in source["set_aside"]:
        named.append(source["id"])
    return known.features.drop(columns=[n for n in named if n in known.features])


def _known(names: Any, frame: pd.DataFrame) -> list[str]:
    return [name for name in names if name in frame]
