"""What an audit of labels in memory is given, checked."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from hardy._labels import EncodedLabels, as_label_array, encode_labels
from hardy._probabilities import check_pred_proba
from hardy.annotators import Consensus, find_consensus
from hardy.audit._features import (
    DOCUMENTS,
    add_embeddings,
    check_features,
    check_names,
    embedding_columns,
    is_documents,
)
from hardy.audit._limits import find_judgeable
from hardy.audit._rows import check_annotators, check_sets
from hardy.exceptions import InputError
from hardy.panel.base import Floats
from hardy.panel.views import MOST_ROWS, Views
from hardy.tabular import TableEncoder, refuse_measurements
from hardy.tabular.stored import select_rows, shelf_of


@dataclass(frozen=True, eq=False)
class Given:
    """Rows, their labels as class indices, and what else is known of them.

    Attributes
    ----------
    features : DataFrame, array or sparse matrix of shape (n_samples, n_features), or None
        All rows, those without a label among them.
    index : Index of shape (n_samples,)
        The index of the rows.
    encoder : TableEncoder
        Knows which columns are kept, and which are text.
    embedding_columns : list of str
        The columns of `features` that nobody can read.
    classes : ndarray of shape (n_classes,)
        The labels that there are.
    labels, codes : ndarray of shape (n_samples,)
        The given labels, and their class indices, −1 where one is missing.
    counts : ndarray of shape (n_classes,)
        How many rows each class has.
    pred_proba : ndarray of shape (n_samples, n_classes) or None
        Probabilities from elsewhere.
    groups, split : EncodedLabels or None
        The group and the part of a split that each row belongs to.
    is_judgeable : ndarray of shape (n_classes,)
        False for classes whose rows can't be assessed.
    consensus : Consensus or None
        What several annotators say together.
    """

    features: Any
    index: "pd.Index[Any]"
    encoder: TableEncoder
    embedding_columns: list[str]
    classes: NDArray[Any]
    labels: NDArray[Any]
    codes: NDArray[np.intp]
    counts: NDArray[np.intp]
    pred_proba: Floats | None
    groups: EncodedLabels | None
    split: EncodedLabels | None
    is_judgeable: NDArray[np.bool_]
    consensus: Consensus | None

    @cached_property
    def labelled(self) -> NDArray[np.intp] | slice:
        """Where the rows with a label are; where all have one, a slice, which copies nothing."""
        is_labelled = self.codes >= 0
        return slice(None) if is_labelled.all() else np.flatnonzero(is_labelled)

    def view(self, seed: int) -> Views:
        """Give the features of the rows with a label in the forms that the panel asks for."""
        features = self.features
        if not (features is None or isinstance(self.labelled, slice)):
            features = select_rows(features, self.labelled, MOST_ROWS)
        return Views(features, self.encoder, seed, shelf_of(self.features))


def check_given(
    X: Any,
    y: ArrayLike | None,
    *,
    pred_proba: ArrayLike | None,
    classes: ArrayLike | None,
    groups: ArrayLike | None,
    split: ArrayLike | None,
    annotators: Any,
    keep: Collection[str],
    text: Collection[str],
    embeddings: ArrayLike | None,
) -> Given:
    """Check that what :func:`hardy.audit_labels` takes, under the same names, fits together.

    Returns
    -------
    Given
        What was given, each label as its class index.

    Raises
    ------
    InputError
        Where it doesn't fit together or can't be used.

    Warns
    -----
    NotAssessableWarning
        Where rows of whole classes can't be assessed.
    """
    consensus = None if annotators is None else find_consensus(annotators)
    if y is None:
        if consensus is None:
            raise InputError("There are no labels to audit: give y, or annotators.")
        y = consensus.labels
    labels = as_label_array(y)
    check_annotators(consensus, len(labels))
    known, codes = encode_labels(labels, classes)
    features, index = check_features(X, len(codes))
    check_names(features, keep=keep, text=text)
    if features is not X and is_documents(X):
        text = [DOCUMENTS]
    if embeddings is not None:
        features = add_embeddings(features, embeddings, len(codes))
    proba = None
    if pred_proba is not None:
        proba = check_pred_proba(pred_proba, n_samples=len(codes), classes=known)
    elif classes is None:
        refuse_measurements(known, int((codes >= 0).sum()))
    counts = np.bincount(codes[codes >= 0], minlength=len(known))
    grouped, parts = check_sets(groups, "groups", codes), check_sets(split, "split", codes)
    # What gives probabilities from elsewhere may know a class that no other group has.
    kept_apart = None if grouped is None or proba is not None else grouped.codes
    return Given(
        features,
        index,
        TableEncoder(keep=keep, text=text),
        embedding_columns(features, embeddings),
        known,
        labels,
        codes,
        counts,
        proba,
        grouped,
        parts,
        find_judgeable(known, counts, codes, kept_apart),
        consensus,
    )
