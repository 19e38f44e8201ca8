"""The findings of an audit as plain rows and plain numbers, for files, tables and pages."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hardy.audit._plain import has_ids, plain
from hardy.audit.expectation import expect_precision
from hardy.audit.findings.listing import describe_findings
from hardy.audit.findings.spelling import tell_spellings
from hardy.audit.result import LabelAudit

NO_LABEL = "no label given"
# So far apart, what is expected with and without errors where classes overlap is worth two figures.
_WORTH_SAYING = 0.1
FINDING_COLUMNS = (
    "row",
    "line",
    "id",
    "given_label",
    "suggested_label",
    "doubt",
    "reasons",
)


def list_findings(audit: LabelAudit, rows: Iterable[int] | None = None) -> list[dict[str, Any]]:
    """Describe rows in plain Python values.

    Parameters
    ----------
    audit : LabelAudit
        The audit.
    rows : iterable of int, optional
        Positions of the rows; by default the suspects, the most doubtful first, and after them
        the rows without a label.

    Returns
    -------
    list of dict
        With the keys `row` (as the audit counts them), `line`, `id`, `given_label`,
        `suggested_label`, `doubt` and `reasons` (a list); None where there is none.
    """
    unlabelled = audit.is_unlabelled
    if rows is None:
        rows = listed_rows(audit)
    has_id = has_ids(audit.index)
    return [
        {
            "row": int(row) + audit.first_row,
            "line": None if audit.lines is None else int(audit.lines[row]),
            "id": plain(audit.index[row]) if has_id else None,
            "given_label": plain(audit.given_labels[row]),
            "suggested_label": plain(audit.suggested_labels[row]),
            "doubt": None if unlabelled[row] else round(float(audit.doubt[row]), 6),
            "reasons": [NO_LABEL] if unlabelled[row] else audit.explain(int(row)),
        }
        for row in rows
    ]


def listed_rows(audit: LabelAudit) -> NDArray[np.intp]:
    """Give the suspects, the most doubtful first, and after them the rows without a label."""
    return np.concatenate([audit.suspects, np.flatnonzero(audit.is_unlabelled)])


def suspect_threshold(audit: LabelAudit) -> float | None:
    """Give the least doubt among the suspects."""
    return float(audit.doubt[audit.is_suspect].min()) if audit.is_suspect.any() else None


def summarise(audit: LabelAudit) -> dict[str, Any]:
    """Give the audit's numbers as a JSON document without the rows.

    Parameters
    ----------
    audit : LabelAudit
        The audit.

    Returns
    -------
    dict
        `counts`, `noise_rate`, `expected_precision`, `rows_to_find_80_percent`,
        `suspect_threshold`, `classes`, `transition_matrix`, `detectors`, `note`, `first_row`,
        `source`, `other_findings` (without their rows) and `annotators`, as the JSON schema in
        ``hardy/audit/schema`` says.
    """
    unlabelled = int(audit.is_unlabelled.sum())
    return {
        "counts": {
            "rows": len(audit.doubt),
            "suspects": int(audit.is_suspect.sum()),
            "unlabelled": unlabelled,
            "not_assessable": int((~audit.is_assessable).sum()) - unlabelled,
        },
        "noise_rate": plain(audit.noise_rate),
        "expected_precision": summarise_precision(audit),
        "rows_to_find_80_percent": audit.rows_to_find(),
        "suspect_threshold": suspect_threshold(audit),
        "classes": summarise_classes(audit),
        "transition_matrix": {
            "labels": plain(audit.classes),
            "given_by_true": plain(audit.transition_matrix.to_numpy()),
        },
        "detectors": [
            {"name": str(name), "weight": plain(weight)}
            for name, weight in audit.detector_weights.items()
        ],
        "note": audit.note,
        "first_row": audit.first_row,
        "source": plain(audit.source),
        "other_findings": describe_findings(audit),
        "annotators": summarise_annotators(audit),
    }


def summarise_annotators(audit: LabelAudit) -> dict[str, Any] | None:
    """Give how good each annotator is, and how far they agree; None where there were none."""
    consensus = audit.consensus
    if consensus is None:
        return None
    lines = consensus.annotators.reset_index(names="name").to_dict(orient="records")
    return {
        "method": consensus.method,
        "alpha": plain(consensus.alpha),
        "disputed": int(consensus.is_disputed.sum()),
        "quality": [plain(line) for line in lines],
    }


def spellings_of_annotators(audit: LabelAudit) -> dict[str, str]:
    """Say of annotators what they write in another way, which counts as wrong, by name."""
    found: dict[str, list[tuple[str, str]]] = {}
    for finding in audit.findings:
        if finding.kind == "label_spelling":
            for name in finding.details.get("annotators", ()):
                spelling = (finding.details["label"], finding.details["meant"])
                found.setdefault(name, []).append(spelling)
    return {name: f"writes {tell_spellings(spellings)}" for name, spellings in found.items()}


def summarise_precision(audit: LabelAudit) -> list[dict[str, Any]]:
    """Give the expected precision at each cut-off, and at the number of suspects."""
    n_suspects = int(audit.is_suspect.sum())
    cuts = {*audit.expected_precision.index} | ({n_suspects} if n_suspects else set())
    table = _expect(audit, sorted(cuts))
    return [
        {"rows": int(rows), **{str(name): round(float(value), 6) for name, value in cut.items()}}
        for rows, cut in zip(table.index, table.to_dict("records"), strict=True)
    ]


def _expect(audit: LabelAudit, cuts: list[int]) -> pd.DataFrame:
    judged = audit.is_assessable
    return expect_precision(audit.error_probability[judged], audit.doubt[judged], cuts)


def expect_of_suspects(audit: LabelAudit) -> str:
    """Say in words how many of the suspects are expected to be wrong, and where to stop looking."""
    n_suspects = int(audit.is_suspect.sum())
    if not n_suspects:
        return ""
    cut = _expect(audit, [n_suspects]).iloc[0]
    sentence = (
        f"Of the {n_suspects:,} most doubtful labels about {100 * cut['expected']:.0f} % should be "
        f"wrong ({100 * cut['low']:.0f} to {100 * cut['high']:.0f} %)."
        if n_suspects > 1
        else f"The most doubtful label is wrong with a probability of about {cut['expected']:.2f} "
        f"({cut['low']:.2f} to {cut['high']:.2f})."
    )
    if cut["expected"] - cut["careful"] > _WORTH_SAYING:
        sentence += f" If classes only overlap there, it is nearer {100 * cut['careful']:.0f} %."
    n_rows, n_wrong = audit.rows_to_find(), audit.noise_rate * int(audit.is_assessable.sum())
    if n_rows is None or round(n_wrong) < 1:
        return sentence
    return (
        f"{sentence} To find 80 % of an estimated {n_wrong:,.0f} wrong, you would have to look at "
        f"{n_rows:,} rows."
    )


def summarise_classes(audit: LabelAudit) -> list[dict[str, Any]]:
    """Count the rows, suspects and assessable rows of each class."""

    def count(rows: NDArray[np.bool_]) -> list[int]:
        counts = np.bincount(codes[rows & labelled], minlength=len(audit.classes))
        return [int(count) for count in counts]

    codes = audit.given_codes
    labelled = codes >= 0
    counts = zip(
        audit.classes,
        count(labelled),
        count(audit.is_suspect),
        count(audit.is_assessable),
        strict=True,
    )
    return [
        {"label": plain(label), "rows": rows, "suspects": suspects, "assessable": assessable}
        for label, rows, suspects, assessable in counts
    ]
