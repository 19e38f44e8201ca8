"""Classifiers for tables with columns of any kind."""

from collections.abc import Collection
from typing import Any

from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from hardy.tabular.encoding import TableEncoder


def make_table_classifier(
    estimator: Any, *, keep: Collection[str] = (), text: Collection[str] = ()
) -> Pipeline:
    """Put a classifier behind the encoding and standardisation of its table.

    Parameters
    ----------
    estimator : classifier
        What is to be trained on the encoded, standardised columns; a clone is not made.
    keep : collection of str, default=()
        Columns that are not set aside unless all of their values are missing.
    text : collection of str, default=()
        Columns that are text whatever they look like, and no identifiers.

    Returns
    -------
    Pipeline
        Steps ``encoder`` (:class:`TableEncoder`), ``scaler`` (scikit-learn's
        ``StandardScaler``; it needs a dense table) and ``classifier``.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.linear_model import LogisticRegression
    >>> table = pd.DataFrame({"size": [1.5, None, 2.5, 1.5], "colour": ["red", "blue"] * 2})
    >>> model = make_table_classifier(LogisticRegression())
    >>> model.fit(table, ["ripe", "raw", "ripe", "raw"]).predict(table[:2])
    array(['ripe', 'raw'], dtype='<U4')
    """
    return Pipeline(
        [
            ("encoder", TableEncoder(keep=keep, text=text)),
            ("scaler", StandardScaler()),
            ("classifier", estimator),
        ]
    )
