"""Rows on which several annotators don't settle the label, and annotators who are often wrong."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from hardy._quoting import counted, cut
from hardy.annotators import Consensus
from hardy.annotators.consensus import SETTLED
from hardy.audit.findings.base import Evidence, Finding
from hardy.audit.findings.spelling import spellings_by, tell_spellings

_FEWEST_ROWS = 10
_LEAST_DIFFERENCE = 0.05


def find_disagreement(evidence: Evidence) -> Iterator[Finding]:
    """Find labels that annotators contradict, rows to ask again, and annotators to be doubted.

    An annotator is to be doubted where the interval of 95 % of the accuracy lies below the accuracy
    of all others together, by 5 points at least. Where labels are only written in another way, and
    seem wrong for it, that is said.

    Parameters
    ----------
    evidence : Evidence
        What is known of the rows; without a consensus of annotators there is nothing to find.

    Yields
    ------
    Finding
        ``"against_consensus"``, ``"ask_again"`` and ``"annotator_accuracy"``.
    """
    consensus = evidence.consensus
    if consensus is None:
        return
    yield from _contradicted(evidence, consensus)
    rows = consensus.ask_again
    if rows.size:
        yield Finding(
            "ask_again",
            f"{counted(len(rows), 'row')} on which the annotators don't settle the label: "
            "ask again, the first ones first.",
            rows,
            tuple(_beliefs(consensus, row) for row in rows),
            {"settled_from": SETTLED},
        )
    yield from _doubtful_annotators(evidence, consensus)


def _contradicted(evidence: Evidence, consensus: Consensus) -> Iterator[Finding]:
    # As text, because a file may hold the labels of one column as numbers, of another as words.
    place = pd.Index([str(label) for label in evidence.classes.tolist()])
    code_of = place.get_indexer(pd.Index([str(label) for label in consensus.classes.tolist()]))
    likeliest = consensus.proba.argmax(axis=1)
    is_sure = consensus.n_labels > 1
    is_sure[consensus.ask_again] = False
    differs = (evidence.codes >= 0) & (code_of[likeliest] != evidence.codes)
    rows = np.flatnonzero(is_sure & differs)
    if rows.size:
        yield Finding(
            "against_consensus",
            f"{counted(len(rows), 'row')} with another label than the consensus of the annotators.",
            rows,
            tuple(f"consensus: `{cut(consensus.classes[likeliest[row]])}`" for row in rows),
        )


def _doubtful_annotators(evidence: Evidence, consensus: Consensus) -> Iterator[Finding]:
    table = consensus.annotators
    spellings = spellings_by(evidence)
    for at, (name, line) in enumerate(table.iterrows()):
        others = table.drop(index=name)
        n_others = others["n_shared"].sum()
        if line["n_shared"] < _FEWEST_ROWS or not n_others:
            continue
        rest = float((others["accuracy"] * others["n_shared"]).sum() / n_others)
        if line["high"] >= rest or line["accuracy"] > rest - _LEAST_DIFFERENCE:
            continue
        own = consensus.codes[:, at]
        rows = np.flatnonzero((own >= 0) & (own != consensus.proba.argmax(axis=1)))
        yield Finding(
            "annotator_accuracy",
            f"Of the labels by `{name}` an estimated {100 * line['accuracy']:.0f} % are right "
            f"(95 % interval {100 * line['low']:.0f} to {100 * line['high']:.0f} %), of those by "
            f"all others {100 * rest:.0f} %.{_excuse(spellings.get(str(name)))}",
            rows,
            tuple(f"`{name}`: `{cut(consensus.classes[own[row]])}`" for row in rows),
            {
                "annotator": str(name),
                "accuracy": round(float(line["accuracy"]), 4),
                "interval": [round(float(line["low"]), 4), round(float(line["high"]), 4)],
                "accuracy_of_others": round(rest, 4),
            },
        )


def _excuse(spellings: list[tuple[str, str]] | None) -> str:
    if not spellings:
        return ""
    return (
        f" What is only written in another way ({tell_spellings(spellings)}) counts as wrong here."
    )


def _beliefs(consensus: Consensus, row: int) -> str:
    proba = consensus.proba[row]
    first, second = np.argsort(-proba, kind="stable")[:2]
    return ", ".join(
        f"`{cut(consensus.classes[code])}` {100 * proba[code]:.0f} %" for code in (first, second)
    )
