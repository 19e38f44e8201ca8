"""``hardy fit``: train a classifier on a table and save it."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from hardy.cli._console import printable, working
from hardy.cli._estimators import estimator_names, find_estimator
from hardy.cli._options import Drop, Encoding, File, Keep, RandomState, Target, Text
from hardy.cli._outputs import check_output
from hardy.exceptions import InputError


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
) -> None:
    """Train a classifier on a table and save it for `hardy predict`.

    Columns of numbers, categories, text and dates become numbers as the model file remembers.
    Rows without a label are left out. The file holds no pickle: reading it runs no code from it.
    """
    check_output(output, [file])
    from hardy._labels import as_label_array
    from hardy.cli._cells import report_unread_cells
    from hardy.saving import save_model
    from hardy.tabular import make_table_classifier, read_labelled_table

    factory = find_estimator(estimator)
    with working(f"Reading {file}"):
        given = read_labelled_table(
            file, target, drop=drop or (), keep=keep or (), text=text or (), encoding=encoding
        )
    facts, labelled = given.facts, ~given.facts.is_missing
    classifier = factory()
    if "random_state" in classifier.get_params():
        classifier.set_params(random_state=random_state)
    model = make_table_classifier(classifier, keep=given.keep, text=given.text)
    with working(f"Fitting {factory.__name__} to {labelled.sum()} rows"):
        try:
            model.fit(given.features[labelled], as_label_array(given.labels[labelled]))
        except ValueError as error:
            raise InputError(f"{factory.__name__} can't learn from {file}: {error}") from error
    table = given.table
    learnt_from = replace(table, frame=given.features[labelled], lines=table.lines[labelled])
    report_unread_cells(learnt_from, model["encoder"].columns_)
    save_model(model, output, target=target, dropped=given.drop)

    print(f"Wrote {output}: {factory.__name__} for {target!r} from {labelled.sum()} rows.")
    for label, count in zip(facts.classes, facts.counts, strict=True):
        print(f"  class {printable(str(label))}: {count} rows")
    if facts.n_missing:
        print(f"  {facts.n_missing} rows without a label were left out.")
    for column in model["encoder"].columns_:
        if column.set_aside:
            print(f"  Column {column.name!r} was set aside: {column.set_aside}.")
