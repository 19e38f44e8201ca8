"""``hardy fit``: train a classifier on a table and save it."""

from pathlib import Path
from typing import Annotated

import typer

from hardy.cli._console import working
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
    from hardy.saving import save_model
    from hardy.tabular import check_target, make_table_classifier, read_table, resolve_column

    factory = find_estimator(estimator)
    with working(f"Reading {file}"):
        frame = read_table(file, target=target, unchecked=drop or ()).frame
    dropped = [resolve_column(name, frame.columns) for name in drop or []]
    kept = [resolve_column(name, frame.columns) for name in keep or []]
    if target in dropped:
        raise InputError(f"The target {target!r} can't be dropped.")
    if both := {target, *dropped}.intersection(kept):
        raise InputError(f"{', '.join(map(repr, sorted(both)))} can't be kept as well.")
    facts = check_target(frame[target], target)
    features = frame.drop(columns=[target, *dropped])
    if not features.shape[1]:
        raise InputError(f"{file} has no column left to learn from.")
    labelled = ~facts.is_missing
    model = make_table_classifier(factory(random_state=random_state), keep=kept)
    with working(f"Fitting {factory.__name__} to {labelled.sum()} rows"):
        try:
            model.fit(features[labelled], as_label_array(frame.loc[labelled, target]))
        except ValueError as error:
            raise InputError(f"{factory.__name__} can't learn from {file}: {error}") from error
    save_model(model, output, target=target, dropped=dropped)

    print(f"Wrote {output}: {factory.__name__} for {target!r} from {labelled.sum()} rows.")
    for label, count in zip(facts.classes, facts.counts, strict=True):
        print(f"  class {label}: {count} rows")
    if facts.n_missing:
        print(f"  {facts.n_missing} rows without a label were left out.")
    for column in model["encoder"].columns_:
        if column.set_aside:
            print(f"  Column {column.name!r} was set aside: {column.set_aside}.")
