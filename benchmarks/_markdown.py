"""Tables of pages."""

import pandas as pd


def in_markdown(
    table: pd.DataFrame, form: str, is_best: pd.DataFrame | None = None, first: str = ""
) -> str:
    """Write a table.

    Parameters
    ----------
    table : DataFrame
        Its figures; a missing one is left blank.
    form : str
        How a figure is written, as of `str.format`.
    is_best : DataFrame of bool, optional
        Which figures are in bold type; by default none.
    first : str, default=""
        The heading of the first column, which has the names of the rows.
    """
    lines = [f"| {first} | {' | '.join(table.columns)} |", "|---" * (table.shape[1] + 1) + "|"]
    cells = table.map(lambda value: "" if pd.isna(value) else form.format(value))
    if is_best is not None:
        cells = cells.mask(is_best, "**" + cells + "**")
    for name, row in cells.iterrows():
        names = ", ".join(map(str, name)) if isinstance(name, tuple) else name
        lines.append(f"| {names} | {' | '.join(row)} |")
    return "\n".join(lines)
