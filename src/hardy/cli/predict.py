"""``hardy predict``: a saved model's labels for the rows of a table."""

import re
import warnings
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Annotated

import typer

from hardy.cli._console import say, working
from hardy.cli._options import Encoding
from hardy.cli._outputs import check_output
from hardy.exceptions import InputError


def predict(
    model: Annotated[
        Path, typer.Argument(help="A model file that `hardy fit` wrote.", metavar="MODEL")
    ],
    file: Annotated[
        Path,
        typer.Argument(
            help="The table, with the columns that the model learnt from.", metavar="FILE"
        ),
    ],
    output: Annotated[Path, typer.Option(help="The CSV file to write.", metavar="FILE")],
    proba: Annotated[
        bool, typer.Option("--proba", help="Add the probability of each class.")
    ] = False,
    encoding: Encoding = None,
) -> None:
    """Predict the labels of a table's rows with a saved model.

    The CSV file has a line for each row: its number, the predicted label and, with --proba, the
    probability of each class.
    """
    check_output(output, [model, file])
    import pandas as pd

    from hardy._quoting import counted
    from hardy.cli._cells import report_unread_cells
    from hardy.saving import load_model
    from hardy.tabular import TableEncoder, read_table, write_csv
    from hardy.tabular.columns import adopt_names
    from hardy.tabular.encoding import TAKEN_FOR_MISSING
    from hardy.tabular.unread import find_unread_cells

    with working(f"Loading {model}"):
        saved = load_model(model)
    classifier = saved.model
    encoder = getattr(classifier, "named_steps", {}).get("encoder")
    if not (isinstance(encoder, TableEncoder) and hasattr(encoder, "feature_names_in_")):
        raise InputError(f"{model} holds no classifier of tables; make one with `hardy fit`.")
    expected = list(encoder.feature_names_in_)
    spelled = [column.name for column in encoder.columns_ if column.kind != "numeric"]
    set_aside = {column.name for column in encoder.columns_ if column.set_aside}
    ignored = {*saved.dropped, *([] if saved.target is None else [saved.target])}
    with working(f"Reading {file}"):
        table = read_table(file, text=spelled, unchecked=ignored | set_aside, encoding=encoding)
    frame = table.frame.set_axis(adopt_names(table.frame.columns, expected), axis=1)
    _compare_columns(expected, set_aside, [n for n in frame.columns if n not in ignored], file)
    # New rows often lack the columns that were set aside; nothing was learnt from them.
    features = frame.reindex(columns=expected)
    report_unread_cells(table, find_unread_cells(features, encoder.columns_))
    with working(f"Predicting {counted(len(frame), 'row')}"), warnings.catch_warnings():
        # The report above says it, by the file's lines.
        warnings.filterwarnings("ignore", f".*{re.escape(TAKEN_FOR_MISSING)}", UserWarning)
        try:
            predicted = pd.DataFrame(
                {"row": range(1, len(frame) + 1), "prediction": classifier.predict(features)}
            )
            if proba:
                predicted[[f"proba_{label}" for label in classifier.classes_]] = (
                    classifier.predict_proba(features)
                )
        except Exception as error:  # A damaged model can fail anywhere.
            reason = f"{type(error).__name__}: {error}".partition("\n")[0]
            raise InputError(f"{model} can't predict the labels of {file}: {reason}") from error
    write_csv(predicted, output)
    say(f"Wrote {output}: predictions for {counted(len(frame), 'row')}.")


def _compare_columns(
    expected: Iterable[str], unused: Collection[str], found: Iterable[str], file: Path
) -> None:
    wanted, given = dict.fromkeys(expected), dict.fromkeys(found)
    missing = [repr(name) for name in wanted if name not in given and name not in unused]
    extra = [repr(name) for name in given if name not in wanted]
    if missing or extra:
        differences = [f"it lacks {', '.join(missing)}"] if missing else []
        differences += [f"the model doesn't know {', '.join(extra)}"] if extra else []
        raise InputError(f"{file} hasn't the columns of the model: {'; '.join(differences)}.")
