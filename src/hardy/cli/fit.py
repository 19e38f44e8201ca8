"""``hardy fit``: train a classifier on a table and save it."""

from pathlib import Path
from typing import Annotated

import typer

from hardy.cli._console import say, showing_progress
from hardy.cli._estimators import estimator_names, find_estimator
from hardy.cli._options import Drop, Encoding, File, Keep, MemoryLimit, RandomState, Target, Text
from hardy.cli._outputs import check_output


def fit(
    file: File,
    target: Target,
    output: Annotated[Path, typer.Option(help="The model file to write.", metavar="FILE")],
    drop: Drop = None,
    keep: Keep = None,
    text: Text = None,
    encoding: Encoding = None,
    estimator: Annotated[
        str,
        typer.Option(
            help="The classifier, one of those below.",
            metavar="NAME",
            autocompletion=estimator_names,
        ),
    ] = "noise-reducing-boost",
    random_state: RandomState = 0,
    memory_limit: MemoryLimit = None,
) -> None:
    """Train a classifier on a table and save it for `hardy predict`.

    Columns of numbers, categories, text and dates become numbers as the model file remembers.
    Rows without a label are left out. The file holds no pickle: reading it runs no code from it.
    With a memory limit, a run that was cut off goes on when it is called again.
    """
    check_output(output, [file])
    from hardy._quoting import counted
    from hardy.cli._cells import report_unread_cells
    from hardy.fitting import fit_file
    from hardy.tabular.aside import tell_set_aside

    factory = find_estimator(estimator)
    classifier = factory()
    if "random_state" in classifier.get_params():
        classifier.set_params(random_state=random_state)
    with showing_progress(in_lines=memory_limit is not None) as progress:
        fitted = fit_file(
            file,
            target,
            classifier,
            output=output,
            drop=drop or (),
            keep=keep or (),
            text=text or (),
            encoding=encoding,
            memory_limit=memory_limit,
            progress=progress,
        )
    report_unread_cells(fitted.learnt_from, fitted.unread)

    facts, n_rows = fitted.given.facts, len(fitted.learnt_from.lines)
    say(f"Wrote {output}: {factory.__name__} for {target!r} from {counted(n_rows, 'row')}.")
    for label, count in zip(facts.classes, facts.counts, strict=True):
        say(f"  class {label}: {counted(count, 'row')}")
    if facts.n_missing:
        say(f"  {counted(facts.n_missing, 'row')} without a label were left out.")
    columns = fitted.model["encoder"].columns_
    for sentence in tell_set_aside({c.name: c.set_aside for c in columns if c.set_aside}):
        say(f"  {sentence}")
