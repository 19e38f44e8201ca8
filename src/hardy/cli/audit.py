"""``hardy audit``: find the labels of a table that are probably wrong."""

import json
import math
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hardy.cli._console import literal, note, output_console, printable, showing_progress
from hardy.cli._options import (
    COLUMN,
    Drop,
    Encoding,
    File,
    Jobs,
    Keep,
    MemoryLimit,
    RandomState,
    Text,
    check_share,
)
from hardy.cli._outputs import check_folder_name

if TYPE_CHECKING:
    from hardy.audit.result import LabelAudit

_MOST_SHOWN = 10
_MOST_ROWS_NAMED = 5


def audit(
    file: File,
    target: Annotated[
        str | None,
        typer.Option(
            help="The column of labels; needed where there are no annotators.", metavar=COLUMN
        ),
    ] = None,
    drop: Drop = None,
    id: Annotated[
        str | None,
        typer.Option(help="The column that names the rows; it isn't learnt from.", metavar=COLUMN),
    ] = None,
    keep: Keep = None,
    text: Text = None,
    embeddings: Annotated[
        Path | None,
        typer.Option(
            help="A .npy file with numbers that a model of yours gives for each row.",
            metavar="FILE.npy",
        ),
    ] = None,
    group: Annotated[
        str | None,
        typer.Option(
            help="The column that says which rows belong together, such as those of one patient; "
            "it isn't learnt from.",
            metavar=COLUMN,
        ),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(
            help="The column that says in which part of a split a row is, such as train and "
            "test; it isn't learnt from.",
            metavar=COLUMN,
        ),
    ] = None,
    order: Annotated[
        str | None,
        typer.Option(
            help="The column of numbers or moments, or of words in alphabetical order, in whose "
            "order the labels may drift; it isn't learnt from.",
            metavar=COLUMN,
        ),
    ] = None,
    annotators: Annotated[
        list[str] | None,
        typer.Option(
            help="A column of labels by one of several annotators; to be repeated. Without a "
            "target, their consensus is audited.",
            metavar=COLUMN,
        ),
    ] = None,
    annotations: Annotated[
        Path | None,
        typer.Option(
            help="A table with a line for each label by one of several annotators, instead of "
            "columns. It names rows as the column of --id does, or counts them from 1.",
            metavar="FILE",
        ),
    ] = None,
    annotation_columns: Annotated[
        tuple[str, str, str],
        typer.Option(
            help="Its columns of the row, the annotator and the label.",
            metavar="ROW ANNOTATOR LABEL",
        ),
    ] = ("row", "annotator", "label"),
    encoding: Encoding = None,
    output: Annotated[
        Path | None,
        typer.Option(
            help="The folder to write; by default FILE's name and .audit, here.", metavar="FOLDER"
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the numbers as JSON instead of a table.")
    ] = False,
    fail_over: Annotated[
        float | None,
        typer.Option(
            help="End with status 1 where the estimated noise rate is above this share.",
            metavar="RATE",
        ),
    ] = None,
    random_state: RandomState = 0,
    n_jobs: Jobs = None,
    memory_limit: MemoryLimit = None,
) -> None:
    """Find the labels of a table that are probably wrong.

    A panel of learners of different kinds judges each row, none of which has learnt from that row's
    label. The ten most doubtful labels are printed. The folder gets a page (report.html), all
    suspects with the reasons (suspects.csv), what else is odd (findings.csv), the consensus of
    annotators where there are some (consensus.csv) and the figures (audit.json). With a memory
    limit, a run that was cut off goes on when it is called again. An older audit of the same file
    in that folder is renewed, and decisions that were made about it are kept.
    """
    from hardy.audit.files import audit_file, default_folder
    from hardy.audit.summary import summarise

    if target is None and not annotators and annotations is None:
        raise typer.BadParameter("Missing option '--target'.")
    check_share(fail_over, "--fail-over")
    folder = default_folder(file) if output is None else output
    check_folder_name(folder)
    with showing_progress(in_lines=memory_limit is not None) as progress:
        found = audit_file(
            file,
            target,
            drop=drop or (),
            id=id,
            keep=keep or (),
            text=text or (),
            embeddings=embeddings,
            group=group,
            split=split,
            order=order,
            annotators=annotators or (),
            annotations=annotations,
            annotation_columns=annotation_columns,
            encoding=encoding,
            output=folder,
            random_state=random_state,
            n_jobs=n_jobs,
            progress=progress,
            command=printable(shlex.join(["hardy", *sys.argv[1:]])),
            memory_limit=memory_limit,
        )
    if as_json:
        print(json.dumps(summarise(found), indent=1))
    else:
        _print_findings(found, folder)
    if fail_over is not None and found.noise_rate > fail_over:
        note(
            f"hardy: the estimated noise rate {found.noise_rate:.4f} is above "
            f"--fail-over {fail_over:g}"
        )
        raise typer.Exit(1)


def _print_findings(found: "LabelAudit", folder: Path) -> None:
    """Print the most doubtful suspects, what was set aside, and where the report is."""
    from rich import box
    from rich.table import Table

    from hardy._quoting import shown
    from hardy.audit._plain import has_ids
    from hardy.audit.report import percent
    from hardy.audit.summary import expect_of_suspects, list_findings
    from hardy.tabular.aside import tell_set_aside

    console = output_console()
    n_suspects, n_unlabelled = len(found.suspects), int(found.is_unlabelled.sum())
    n_labelled = len(found.doubt) - n_unlabelled
    if found.note:
        console.print(f"[bold]No label could be assessed.[/bold] {literal(found.note)}")
    else:
        look = "looks" if n_suspects == 1 else "look"
        console.print(
            f"[bold]{n_suspects:,} of {n_labelled:,} labels {look} wrong[/bold]; "
            f"estimated noise rate {percent(found.noise_rate, 1)}"
        )
    if n_suspects:
        console.print(literal(expect_of_suspects(found)), soft_wrap=True)
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("row", justify="right")
        if found.lines is not None:
            table.add_column("line", justify="right")
        if has_ids(found.index):
            table.add_column(literal(str(found.index.name)), overflow="fold")
        table.add_column("given", overflow="fold")
        table.add_column("suggested", overflow="fold")
        table.add_column("doubt", justify="right")
        table.add_column("why", overflow="fold")
        for finding in list_findings(found, found.suspects[:_MOST_SHOWN]):
            cells = [str(finding["row"])]
            cells += [] if found.lines is None else [str(finding["line"])]
            cells += [shown(finding["id"], 40)] if has_ids(found.index) else []
            cells += [shown(finding["given_label"], 40), shown(finding["suggested_label"], 40)]
            cells += [f"{finding['doubt']:.2f}", finding["reasons"][0]]
            table.add_row(*(literal(cell) for cell in cells))
        console.print(table)
    if n_suspects > _MOST_SHOWN:
        console.print(
            f"{n_suspects - _MOST_SHOWN:,} more, and all reasons, are in "
            f"{literal(str(folder / 'suspects.csv'))}.",
            soft_wrap=True,
        )
    if n_unlabelled:
        rows = "row has" if n_unlabelled == 1 else "rows have"
        console.print(f"{n_unlabelled:,} {rows} no label; the report suggests one for each.")
    _print_annotators(found, folder)
    _print_other_findings(found, folder)
    for sentence in tell_set_aside(found.source["set_aside"]):
        console.print(literal(sentence), soft_wrap=True)
    console.print(f"Report: {literal(str(folder / 'report.html'))}", soft_wrap=True)
    if n_suspects or n_unlabelled:
        command = shlex.join(["hardy", "review", str(folder)])
        console.print(f"Decide one by one: {literal(command)}", soft_wrap=True)


def _print_annotators(found: "LabelAudit", folder: Path) -> None:
    """Print how good each annotator is, and how far they agree."""
    if found.consensus is None:
        return
    from rich import box
    from rich.table import Table

    from hardy._quoting import shown
    from hardy.audit.report import percent
    from hardy.audit.summary import spellings_of_annotators

    console = output_console()
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("annotator", overflow="fold")
    for heading in ("labels", "shared", "right", "95 % interval"):
        table.add_column(heading, justify="right")
    spellings = spellings_of_annotators(found)
    if spellings:
        table.add_column("counted as wrong", overflow="fold")
    for name, line in found.consensus.annotators.iterrows():
        table.add_row(
            literal(shown(name, 40)),
            f"{line['n_rows']:,.0f}",
            f"{line['n_shared']:,.0f}",
            percent(line["accuracy"]),
            f"{percent(line['low'])} – {percent(line['high'])}",
            *([literal(spellings.get(str(name), ""))] if spellings else []),
        )
    console.print(table)
    alpha = found.consensus.alpha
    if not math.isnan(alpha):
        console.print(f"The annotators agree with Krippendorff's alpha {alpha:.2f}.")
    console.print(
        f"Their consensus on every row is in {literal(str(folder / 'consensus.csv'))}.",
        soft_wrap=True,
    )


def _print_other_findings(found: "LabelAudit", folder: Path) -> None:
    """Print what is wrong beside single labels, each in its sentence and with its first rows."""
    console = output_console()
    for finding in found.findings[:_MOST_SHOWN]:
        rows = ", ".join(str(row + found.first_row) for row in finding.rows[:_MOST_ROWS_NAMED])
        more = ", …" if len(finding.rows) > _MOST_ROWS_NAMED else ""
        title = finding.kind.replace("_", " ").capitalize()
        named = f" Rows: {rows}{more}" if rows else ""
        console.print(f"[bold]{title}.[/bold] {literal(finding.sentence + named)}", soft_wrap=True)
    n_more = len(found.findings) - _MOST_SHOWN
    if n_more > 0:
        console.print(
            f"{n_more:,} more finding{'s' * (n_more > 1)} in "
            f"{literal(str(folder / 'findings.csv'))}.",
            soft_wrap=True,
        )
