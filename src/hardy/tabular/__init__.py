"""Tables: reading files, telling what columns hold, and making matrices of them."""

from hardy.tabular._parsing import TableSource
from hardy.tabular.columns import ColumnDescription, describe_columns, resolve_column
from hardy.tabular.encoding import TableEncoder
from hardy.tabular.labelled import LabelledTable, read_labelled_table
from hardy.tabular.pipelines import make_table_classifier
from hardy.tabular.reading import Table, read_table
from hardy.tabular.stored import take_rows
from hardy.tabular.targets import TargetFacts, check_target, refuse_measurements
from hardy.tabular.writing import escape_formula, write_csv

__all__ = [
    "ColumnDescription",
    "LabelledTable",
    "Table",
    "TableEncoder",
    "TableSource",
    "TargetFacts",
    "check_target",
    "describe_columns",
    "escape_formula",
    "make_table_classifier",
    "read_labelled_table",
    "read_table",
    "refuse_measurements",
    "resolve_column",
    "take_rows",
    "write_csv",
]
