"""Why a row is in doubt, in words."""

from typing import TYPE_CHECKING

import numpy as np

from hardy._quoting import cut

if TYPE_CHECKING:
    from hardy.audit.result import LabelAudit


def explain_row(audit: "LabelAudit", row: int) -> list[str]:
    """Say in words what speaks against a row's given label.

    Parameters
    ----------
    audit : LabelAudit
        The audit.
    row : int
        The row's position, counted from 0.

    Returns
    -------
    list of str
        What the nearest rows are labelled, how many detectors disagree, what the panel makes of
        the labels, and which row is nearest; or why no row was judged. Rows are numbered as the
        audit numbers them.
    """
    if audit.note:
        return [audit.note]
    codes = audit.judged_codes
    # The given label, also of a settled row: the log says why it was changed.
    given = int(audit.given_codes[row])
    other = _rival(audit, row, given)
    rival = audit.classes[other]
    near = audit.nearest_rows[row]
    near = near[near >= 0]
    reasons = []
    if near.size:
        n_rival = int((codes[near] == other).sum())
        reasons.append(f"{n_rival} of its {near.size} nearest rows are `{cut(rival)}`")
    if given >= 0:
        against = [kind for kind, p in audit.opinions.items() if p[row].argmax() != given]
        reasons.append(f"{len(against)} of {len(audit.opinions)} detectors disagree")
    percent = np.round(100 * audit.pred_proba[row]).astype(int)
    beliefs = [
        f"`{cut(audit.classes[code])}` {percent[code]} %" for code in (other, given) if code >= 0
    ]
    reasons.append(f"the panel gives {' and '.join(beliefs)}")
    if near.size:
        nearest = int(near[0])
        label = audit.classes[codes[nearest]]
        reasons.append(f"nearest row: {nearest + audit.first_row} (`{cut(label)}`)")
    return reasons


def _rival(audit: "LabelAudit", row: int, given: int) -> int:
    """Give the likeliest class beside the given one."""
    proba = audit.pred_proba[row].copy()
    if given >= 0:
        proba[given] = -1
    return int(proba.argmax())
