"""The audit of labels over Dask collections."""

import json
import os
from collections.abc import Collection
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hardy._extras import import_extra
from hardy._files import as_path, atomic_write, writing
from hardy._quoting import counted
from hardy._validation import make_random_state
from hardy.audit._limits import (
    find_filled,
    find_judgeable,
    reason_for_nothing,
    warn_of_empty,
    warn_of_little_information,
)
from hardy.audit.judging import Weighed
from hardy.distributed._audited import AuditedBlocks, Sample
from hardy.distributed._blocks import Blocks, import_dask
from hardy.distributed._collections import is_frame
from hardy.distributed._drawing import first_places
from hardy.distributed._judging import are_judged, judge_blocks
from hardy.distributed._opinions import ask_boosted, ask_panel, mix
from hardy.exceptions import InputError
from hardy.noise.estimation import label_transition
from hardy.panel import NeighborsOpinion, NoiseVotesOpinion, PanelMember, default_members
from hardy.panel.views import FEW_ROWS, Views
from hardy.tabular import refuse_measurements

ROWS, SUMMARY = "rows", "summary.json"
_OTHER_FOLDER = "Choose another output folder."


@dataclass(frozen=True, eq=False, repr=False)
class DistributedLabelAudit:
    """The result of :func:`hardy.distributed.audit_labels`.

    Attributes
    ----------
    rows : Dask data frame
        For each row `given_label`, `suggested_label`, `doubt`, `is_suspect` and `is_assessable`,
        which mean what they do in :class:`hardy.audit.LabelAudit`; in the partitions and with the
        index of the audited frame, or with the places of an array's rows for their index. It is
        computed already, and kept on the cluster.
    classes : ndarray of shape (n_classes,)
        The distinct labels, sorted.
    noise_rate : float
        The estimated share of wrong labels among those that can be assessed.
    transition_matrix : DataFrame of shape (n_classes, n_classes)
        P(given | true): true classes down, given classes across.
    detector_weights : Series of shape (n_detectors,)
        The weight of each detector in the mixture; they sum to 1.
    n_rows : int
        The number of rows.
    n_suspects : int
        The number of suspects.

    Examples
    --------
    >>> import dask.dataframe as dd
    >>> import pandas as pd
    >>> from hardy.distributed import audit_labels
    >>> table = pd.DataFrame({"width": [1.0, 1.1, 1.2, 5.0, 5.1, 5.2] * 9})
    >>> table["kind"] = ["plum", "plum", "plum", "apple", "apple", "apple"] * 9
    >>> table.loc[7, "kind"] = "apple"
    >>> frame = dd.from_pandas(table, npartitions=2)
    >>> audit = audit_labels(frame[["width"]], frame["kind"], n_rounds=1, random_state=0)
    >>> audit.rows[audit.rows["is_suspect"]].compute().index.tolist()
    [7]
    """

    rows: Any
    classes: NDArray[Any]
    noise_rate: float
    transition_matrix: pd.DataFrame
    detector_weights: "pd.Series[float]"
    n_rows: int
    n_suspects: int

    def __repr__(self) -> str:
        return (
            f"DistributedLabelAudit({counted(self.n_rows, 'row')}, "
            f"{counted(self.n_suspects, 'suspect')}, "
            f"estimated noise rate {self.noise_rate:.3f})"
        )

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the findings into a folder that all workers share.

        Each worker writes its partitions of `rows` as Parquet files into ``rows``; then
        ``summary.json`` is written, so that a folder without one wasn't finished.

        Parameters
        ----------
        folder : path-like
            A folder that doesn't exist yet, or is empty.

        Raises
        ------
        InputError
            Where it holds something or can't be written.
        MissingExtraError
            Where pyarrow isn't installed.
        """
        import_extra("pyarrow", extra="parquet", purpose="Writing an audit in partitions")
        path = as_path(folder)
        with writing(path, _OTHER_FOLDER):
            if path.exists() and not (path.is_dir() and not any(path.iterdir())):
                raise InputError(f"{path} exists already. {_OTHER_FOLDER}")
            path.mkdir(parents=True, exist_ok=True)
            self.rows.to_parquet(str(path / ROWS))
            with atomic_write(path / SUMMARY) as file:
                json.dump(self._summary(), file, indent=1, ensure_ascii=False)
                file.write("\n")

    def _summary(self) -> dict[str, Any]:
        return {
            "format": "hardy-distributed-audit",
            "n_rows": self.n_rows,
            "n_suspects": self.n_suspects,
            "noise_rate": self.noise_rate,
            "classes": [str(label) for label in self.classes],
            "transition_matrix": self.transition_matrix.to_numpy().tolist(),
            "detector_weights": self.detector_weights.to_dict(),
        }


def audit_labels(
    X: Any,
    y: Any,
    *,
    cv: int | None = None,
    n_rounds: int = 20,
    max_sample_rows: int = 100_000,
    keep: Collection[str] = (),
    text: Collection[str] = (),
    random_state: int | np.random.RandomState | None = None,
) -> DistributedLabelAudit:
    """Find the rows whose label is probably wrong, where they lie.

    Detectors of two sorts give their out-of-fold opinion on every row. NR boosting and boosted
    stumps are trained on all rows, which stay where they are. The members of the panel in memory
    (:func:`hardy.panel.default_members`) and nearest neighbours are trained in tasks on one random
    sample of the rows, and asked block by block; where the rows are no more than the sample may
    have, it is all of them. The mixture of the opinions, and what is made of it, is that of
    :func:`hardy.audit_labels`.

    The same rows are flagged however they are split, up to the order in which numbers are added.

    Parameters
    ----------
    X : {Dask data frame, Dask array} of shape (n_samples, n_features)
        The features, with columns of any kind and missing values.
    y : {Dask series, Dask array} of shape (n_samples,)
        The given labels, in the same blocks as `X`. Rows with a missing label take no part and get
        a suggested label.
    cv : int, optional
        The number of folds, at most the rows of the largest class; by default 5, and 2 where more
        than 10,000 rows have a label.
    n_rounds : int, default=20
        The rounds of the two boosted ensembles; 0 leaves them out.
    max_sample_rows : int, default=100_000
        The size of the sample, on average, that one worker holds in memory for each fold.
    keep : collection of str, default=()
        Columns that are used although they would be set aside: identifiers and constants.
    text : collection of str, default=()
        Columns that are text whatever they look like.
    random_state : int, RandomState instance or None, default=None
        Makes the result repeatable.

    Returns
    -------
    DistributedLabelAudit
        Partitioned like `X`.

    Raises
    ------
    InputError
        Where the input isn't Dask's, doesn't fit together or can't be used, or there is nothing
        to judge.
    MissingExtraError
        Where Dask isn't installed.

    Warns
    -----
    LittleInformationWarning
        Where labels and columns hardly go together.
    NotAssessableWarning
        Where classes have fewer than 3 rows, or rows have no value in any column that is used:
        these rows are marked as not assessable.

    See Also
    --------
    hardy.audit_labels : The same in memory, with reasons, further findings and a report.

    Examples
    --------
    >>> import dask.array as da
    >>> from sklearn.datasets import load_iris
    >>> from hardy.distributed import audit_labels
    >>> from hardy.noise import flip_labels
    >>> X, y = load_iris(return_X_y=True)
    >>> y_noisy, is_flipped = flip_labels(y, 0.1, exact=True, random_state=0)
    >>> blocks, labels = da.from_array(X, chunks=(50, 4)), da.from_array(y_noisy, chunks=50)
    >>> audit = audit_labels(blocks, labels, n_rounds=2, random_state=0)
    >>> doubt = audit.rows["doubt"].compute()
    >>> bool(doubt[is_flipped].mean() > 0.8), bool(doubt[~is_flipped].mean() < 0.3)
    (True, True)
    """
    import_dask()
    _check_numbers(cv=(cv, 2), n_rounds=(n_rounds, 0), max_sample_rows=(max_sample_rows, 10))
    random_state = make_random_state(random_state)
    data = AuditedBlocks.lay_out(X, y)
    n_labelled = int(data.sizes.sum())
    refuse_measurements(data.classes, n_labelled)
    is_judgeable = find_judgeable(data.classes, data.sizes)
    if note := reason_for_nothing(data.classes, data.sizes, is_judgeable):
        raise InputError(note)

    n_folds = min(cv or (5 if n_labelled <= FEW_ROWS else 2), int(data.sizes.max()))
    folds = data.draw_folds(n_folds, random_state)
    sample = data.draw_sample(folds, max_sample_rows, random_state, keep=keep, text=text)
    (views,) = import_dask().persist(import_dask().delayed(_without_rows, pure=False)(sample))
    opinions = []
    if n_rounds:
        opinions.append(ask_boosted(data, folds, n_folds, views, n_rounds, random_state))
    members = _members(min(n_labelled, max_sample_rows), has_votes=bool(n_rounds))
    opinions.append(ask_panel(data, folds, n_folds, sample, views, members, random_state))
    proba, weights = mix(opinions, data)

    filled = data.rows.map(find_filled, views)
    judged = data.codes.map(are_judged, filled, is_judgeable)
    judgement = judge_blocks(proba, data.codes, judged, len(data.classes))
    could_be = data.codes.map(are_judged, None, is_judgeable)
    empty = could_be.gather(_places_of_others, judged, first_places(data.lengths))
    warn_of_empty(np.concatenate(empty))
    warn_of_little_information(judgement.noise_rate, int((data.sizes > 0).sum()))
    return DistributedLabelAudit(
        rows=_tabulate(X, data, judgement.weighed, judgement.is_suspect, judged),
        classes=data.classes,
        noise_rate=judgement.noise_rate,
        transition_matrix=label_transition(judgement.transition, data.classes),
        detector_weights=weights,
        n_rows=sum(data.lengths),
        n_suspects=int(judgement.is_suspect.total(np.count_nonzero)),
    )


def _check_numbers(**given: tuple[Any, int]) -> None:
    for name, (number, least) in given.items():
        is_number = isinstance(number, Integral) and int(number) >= least
        if not (number is None or is_number):
            raise InputError(f"{name}={number!r} must be a whole number, at least {least}.")


def _members(n_rows: int, *, has_votes: bool) -> list[PanelMember]:
    """Give the panel; noise votes of all rows stand for those of a sample."""
    members = default_members(n_rows)
    if has_votes:
        members = [member for member in members if not isinstance(member, NoiseVotesOpinion)]
    has_neighbors = any(isinstance(member, NeighborsOpinion) for member in members)
    return members if has_neighbors else [*members, NeighborsOpinion((10, 20))]


def _without_rows(sample: Sample) -> Views:
    return sample.views.without_rows()


def _tabulate(
    X: Any,
    data: AuditedBlocks,
    weighed: Blocks,
    is_suspect: Blocks,
    judged: Blocks,
) -> Any:
    dd, dask = import_dask("dask.dataframe"), import_dask()
    tables = weighed.map(
        _make_table,
        is_suspect,
        judged,
        data.codes,
        data.rows,
        first_places(data.lengths),
        data.classes,
    )
    example = tables.at([0]).gather(_no_rows)[0]
    empty = dask.delayed(example)
    parts = [empty] * data.n_blocks
    for number, part in zip(data.filled, tables.parts, strict=True):
        parts[int(number)] = part
    divisions = X.divisions if is_frame(X) else None
    return dd.from_delayed(parts, meta=example, divisions=divisions, verify_meta=False)


def _make_table(
    weighed: Weighed,
    is_suspect: NDArray[np.bool_],
    judged: NDArray[np.bool_],
    codes: NDArray[np.intp],
    rows: Any,
    first: int,
    classes: NDArray[Any],
) -> pd.DataFrame:
    labels = pd.Series(classes)
    given = labels.reindex(codes) if (codes < 0).any() else labels.iloc[codes]
    suggested = np.where(is_suspect | (codes < 0), weighed.likeliest_other, codes)
    is_table = isinstance(rows, pd.DataFrame)
    return pd.DataFrame(
        {
            "given_label": given.to_numpy(),
            "suggested_label": classes[suggested],
            "doubt": weighed.doubt,
            "is_suspect": is_suspect,
            "is_assessable": judged,
        },
        index=rows.index if is_table else pd.RangeIndex(first, first + len(codes)),
    )


def _places_of_others(
    could_be: NDArray[np.bool_], judged: NDArray[np.bool_], first: int
) -> NDArray[np.intp]:
    return first + np.flatnonzero(could_be & ~judged)


def _no_rows(table: pd.DataFrame) -> pd.DataFrame:
    return table.iloc[:0]
