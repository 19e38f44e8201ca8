"""What is said of cells that hold something else than their column."""

from collections.abc import Sequence

from hardy._quoting import quote
from hardy.cli._console import note
from hardy.exceptions import InputError
from hardy.tabular import Table
from hardy.tabular.unread import UnreadCells

_NOT_READ = {
    "boolean": "read as yes or no",
    "date": "read as moments in the form of the others",
}


def report_unread_cells(table: Table, unread: Sequence[UnreadCells]) -> None:
    """Say on standard error which cells count as missing because they can't be read.

    Parameters
    ----------
    table : Table
        The rows.
    unread : sequence of UnreadCells
        Its cells that can't be read as what their columns were found to hold.

    Raises
    ------
    InputError
        Where a numeric column has a cell that is no finite number.
    """
    for cells in unread:
        if cells.column.kind == "numeric":
            n = cells.rows.size - 1
            more = f" (and {n} more cell{'s' * (n > 1)} like it)" if n else ""
            raise InputError(
                f"{table.source.path}, {table.place(cells.rows[0])}: column "
                f"{quote(cells.column.name)} holds numbers, but this is {quote(cells.first)}"
                f"{more}; mend it or leave it empty."
            )
    for cells in unread:
        n = cells.rows.size
        counted = "1 cell can't be" if n == 1 else f"{n:,} cells can't be"
        first = "it is" if n == 1 else "the first is"
        note(
            f"hardy: column {quote(cells.column.name)}: {counted} "
            f"{_NOT_READ[cells.column.kind]} and count{'s' * (n == 1)} as missing; "
            f"{first} {quote(cells.first)} in {table.place(cells.rows[0])}."
        )
