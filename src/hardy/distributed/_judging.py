"""The judgement of an audit over blocks, which is that of `hardy.audit.judging` on all rows."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hardy.audit.judging import Weighed, weigh
from hardy.distributed._blocks import Blocks
from hardy.distributed._drawing import first_places
from hardy.distributed._ranks import select_ranks
from hardy.noise.asymmetry import asymmetry_of, count_labels, surest_rows
from hardy.noise.estimation import (
    class_thresholds,
    count_confident,
    given_from_joint,
    joint_of_counts,
    noise_rate_of,
    sum_proba,
)

Floats = NDArray[np.float64]


class BlockJudgement(NamedTuple):
    """What `Judgement` holds: `Blocks` of `Weighed` and of suspects, and what is told of all."""

    weighed: Blocks
    is_suspect: Blocks
    noise_rate: float
    transition: Floats


def judge_blocks(proba: Blocks, codes: Blocks, judged: Blocks, n_classes: int) -> BlockJudgement:
    """Judge given labels by out-of-sample probabilities; `judged` tells which can be."""
    sizes = codes.total(_count_judged, judged, n_classes)
    rows, labels = proba.map(_select, judged), codes.map(_select, judged)

    expected = labels.total(sum_proba, rows)
    confident = labels.total(count_confident, rows, class_thresholds(expected, sizes))
    joint = joint_of_counts(confident, expected, sizes)
    weighed = proba.map(weigh, codes, judged, _lean(rows, labels, sizes))
    noise_rate = noise_rate_of(joint)
    n_suspects = round(noise_rate * int(sizes.sum()))
    is_suspect = weighed.map(Weighed.suspects, _most_doubtful(weighed, judged, n_suspects))
    return BlockJudgement(weighed, is_suspect, noise_rate, given_from_joint(joint))


def are_judged(
    codes: NDArray[np.intp], filled: NDArray[np.bool_] | None, can_be_judged: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Tell which rows have something in them and a label of a class that can be judged."""
    judged: NDArray[np.bool_] = (codes >= 0) & can_be_judged[codes]
    return judged if filled is None else judged & filled


def _count_judged(
    codes: NDArray[np.intp], judged: NDArray[np.bool_], n_classes: int
) -> NDArray[np.intp]:
    return np.bincount(codes[judged], minlength=n_classes)


def _lean(rows: Blocks, labels: Blocks, sizes: NDArray[np.intp]) -> Floats:
    """Do what `asymmetry` does."""
    n_rows = np.concatenate(surest_rows(sizes))
    columns = np.tile(np.arange(len(sizes)), 2)
    last = np.full(len(columns), np.inf)
    if (told := n_rows > 0).any():
        last[told] = select_ranks(rows, columns[told], sizes.sum() - n_rows[told])
    return asymmetry_of(*(labels.total(count_labels, rows, some) for some in np.split(last, 2)))


def _most_doubtful(weighed: Blocks, judged: Blocks, n_rows: int) -> Blocks:
    """Mark the judged rows of the lowest probability, of equal ones those that come first."""
    if n_rows == 0:
        return judged.map(np.zeros_like)
    own = weighed.map(_own_column, judged)
    (cut,) = select_ranks(own, np.array([0]), np.array([n_rows - 1]))
    below, equal = (own.gather(how, cut) for how in (_count_below, _count_equal))
    left = n_rows - sum(below)
    before = first_places(equal)
    return weighed.map(_mark, judged, cut, before, left)


def _mark(
    weighed: Weighed, judged: NDArray[np.bool_], cut: float, before: int, left: int
) -> NDArray[np.bool_]:
    is_equal = judged & (weighed.own == cut)
    is_among_first = before + np.cumsum(is_equal) <= left
    marked: NDArray[np.bool_] = (judged & (weighed.own < cut)) | (is_equal & is_among_first)
    return marked


def _select(values: NDArray[np.float64], judged: NDArray[np.bool_]) -> NDArray[np.float64]:
    return values[judged]


def _own_column(weighed: Weighed, judged: NDArray[np.bool_]) -> Floats:
    return weighed.own[judged][:, None]


def _count_below(own: Floats, cut: float) -> int:
    return int((own < cut).sum())


def _count_equal(own: Floats, cut: float) -> int:
    return int((own == cut).sum())
