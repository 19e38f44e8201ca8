"""``hardy fit``: train a classifier on a table and save it."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from hardy.cli._console import printable, working
from hardy.cli._estimators import estimator_names, find_estimator
from hardy.cli._outputs import check_output
from hardy.exceptions import InputError


def fit(
    file: Annotated[Path, typer.Argument(help="The table: CSV, TSV, Parquet; gzipped or not.")],
    target: Annotated[str, typer.Option(help="The column of labels.")],
    output: Annotated[Path, typer.Option(help="The model file to write.")],
    drop: Annotated[
        list[str] | None, typer.Option(help="A column to leave out; may be repeated.")
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(help="A column to use though it would be set aside; may be repeated."),
    ] = None,
    text: Annotated[
        list[str] | None,
        typer.Option(help="A column to use as text whatever it looks like; may be repeated."),
    ] = None,
    encoding: Annotated[
        str | None, typer.Option(help="The file's encoding; by default it is found out.")
    ] = None,
    estimator: Annotated[
        str, typer.Option(help=f"One of {', '.join(estimator_names())}.")
    ] = "noise-reducing-boost",
    random_state: Annotated[
        int, typer.Option(help="The seed of all random choices.", min=0, max=2**32 - 1)
    ] = 0,
) -> None:
    """Train a classifier on a table and save it for `hardy predict`."""
    check_output(output, [file])
    from hardy._labels import as_label_array
    from hardy.cli._cells import report_unread_cells
    from hardy.saving import save_model
    from hardy.tabular import check_target, make_table_classifier, read_table, resolve_column
    from hardy.tabular.targets import refuse_other_labels

    factory = find_estimator(estimator)
    with working(f"Reading {file}"):
        table = read_table(
            file, target=target, text=text or (), unchecked=drop or (), encoding=encoding
        )
    frame = table.frame
    dropped, kept, worded = (
        [resolve_column(name, frame.columns) for name in names or []]
        for names in (drop, keep, text)
    )
    if target in dropped:
        raise InputError(f"The target {target!r} can't be dropped.")
    for used, purpose in ((kept, "kept"), (worded, "text")):
        if both := {target, *dropped}.intersection(used):
            named = ", ".join(map(repr, sorted(both)))
            raise InputError(f"{named} can't be both {purpose} and the target or dropped.")
    facts = check_target(frame[target], target)
    refuse_other_labels(facts.classes, f"The target {target!r}")
    features = frame.drop(columns=[target, *dropped])
    if not features.shape[1]:
        raise InputError(f"{file} has no column left to learn from.")
    labelled = ~facts.is_missing
    classifier = factory()
    if "random_state" in classifier.get_params():
        classifier.set_params(random_state=random_state)
    model = make_table_classifier(classifier, keep=kept, text=worded)
    with working(f"Fitting {factory.__name__} to {labelled.sum()} rows"):
        try:
            model.fit(features[labelled], as_label_array(frame.loc[labelled, target]))
        except ValueError as error:
            raise InputError(f"{factory.__name__} can't learn from {file}: {error}") from error
    learnt_from = replace(table, frame=features[labelled], lines=table.lines[labelled])
    report_unread_cells(learnt_from, model["encoder"].columns_)
    save_model(model, output, target=target, dropped=dropped)

    print(f"Wrote {output}: {factory.__name__} for {target!r} from {labelled.sum()} rows.")
    for label, count in zip(facts.classes, facts.counts, strict=True):
        print(f"  class {printable(str(label))}: {count} rows")
    if facts.n_missing:
        print(f"  {facts.n_missing} rows without a label were left out.")
    for column in model["encoder"].columns_:
        if column.set_aside:
            print(f"  Column {column.name!r} was set aside: {column.set_aside}.")
