"""``hardy clean``: the audited table with the decisions applied, and a change log."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from hardy.cli._console import say
from hardy.cli._options import Folder, Moved, check_share
from hardy.cli._outputs import check_output
from hardy.exceptions import InputError


class Action(StrEnum):
    """What is done with rows; older versions of typer take choices from an enumeration only."""

    DROP = "drop"
    RELABEL = "relabel"
    WEIGHT = "weight"


def clean(
    folder: Folder,
    output: Annotated[
        Path,
        typer.Option(help="The table to write; a name ending in .gz is gzipped.", metavar="FILE"),
    ],
    auto: Annotated[
        bool,
        typer.Option(
            "--auto", help="Change suspects that nobody has decided on, too; skipped ones stay."
        ),
    ] = False,
    min_precision: Annotated[
        float | None,
        typer.Option(
            help="With --auto: change only so many suspects, the likeliest errors first, that "
            "this share of the changes is expected to be right: `careful` in audit.json.",
            metavar="P",
        ),
    ] = None,
    action: Annotated[
        Action | None,
        typer.Option(
            help="What --auto does: leave suspects out (the default), or give them the suggested "
            "label. 'weight' needs no --auto, and adds a column of weights.",
            metavar="drop|relabel|weight",
        ),
    ] = None,
    file: Moved = None,
) -> None:
    """Write the audited table with the decisions applied.

    All that isn't changed stays as it was, byte for byte. A change log is written beside the table;
    the audited file itself is never changed.
    """
    if action in (Action.DROP, Action.RELABEL) and not auto:
        raise InputError(f"--action {action} changes what nobody has decided on: add --auto.")
    check_share(min_precision, "--min-precision")
    if min_precision is not None and (not auto or action is Action.WEIGHT):
        raise InputError("--min-precision belongs to --auto, with dropping or relabelling.")
    check_output(output, [] if file is None else [file])
    from hardy.audit.cleaned import clean_file

    cleaned = clean_file(
        folder,
        output,
        file=file,
        action=action.value if action else "drop" if auto else None,
        min_precision=min_precision,
    )
    left = cleaned.n_rows - cleaned.n_dropped
    automatic = f", {cleaned.n_automatic:,} of them automatic" if auto else ""
    say(
        f"Wrote {output}: {left:,} of {cleaned.n_rows:,} rows; {cleaned.n_relabelled:,} relabelled"
        f", {cleaned.n_dropped:,} dropped{automatic}."
    )
    if cleaned.precision is not None:
        say(
            f"Of the automatic changes about {100 * cleaned.precision:.0f} % should be right, by "
            "the careful reading."
        )
    if auto and cleaned.n_skipped:
        plural = "s stay as they are" if cleaned.n_skipped > 1 else " stays as it is"
        say(f"{cleaned.n_skipped:,} skipped row{plural}.")
    say(f"Changes: {cleaned.log}")
    if cleaned.lost:
        say(cleaned.lost)
