"""The arrays of an audit: as they are stored, and looked at one by one when they come back.

Their hash in the document tells damage, but whoever changes the arrays can change it too.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hardy._labels import as_label_array, encode_labels
from hardy.audit._columns import (
    Arrays,
    pack_frame,
    pack_index,
    pack_json,
    unpack_frame,
    unpack_index,
    unpack_names,
)
from hardy.audit._stored_consensus import pack_consensus, unpack_consensus
from hardy.audit._taking import take
from hardy.audit.findings.listing import pack_findings, unpack_findings
from hardy.audit.result import LabelAudit
from hardy.noise.estimation import label_transition

# What arrays that no audit has written can raise.
DAMAGE = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
_PLAIN_ARRAYS = (
    "doubt",
    "is_suspect",
    "is_assessable",
    "pred_proba",
    "nearest_rows",
    "coordinates",
)


def pack_arrays(audit: LabelAudit) -> Arrays:
    """Give all that is stored of an audit beside its document."""
    suggested = encode_labels(audit.suggested_labels, audit.classes).codes
    return {
        **{name: getattr(audit, name) for name in _PLAIN_ARRAYS},
        **pack_frame(pd.DataFrame({"label": audit.classes}), "classes"),
        "given_codes": audit.given_codes,
        "suggested_codes": suggested,
        "transition_matrix": audit.transition_matrix.to_numpy(),
        "detectors": pack_json([str(name) for name in audit.detector_weights.index]),
        "detector_weights": audit.detector_weights.to_numpy(),
        "opinions": pack_json(list(audit.opinions)),
        **{f"opinion.{at}": opinion for at, opinion in enumerate(audit.opinions.values())},
        **pack_frame(audit.values, "values"),
        **pack_index(audit.values.index, "values.index"),
        **pack_index(audit.index, "index"),
        **({} if audit.lines is None else {"lines": audit.lines}),
        **pack_findings(audit.findings),
        **pack_consensus(audit.consensus),
        **({} if audit.judged_labels is None else {"judged_codes": audit.judged_codes}),
    }


def unpack_arrays(packed: Mapping[str, NDArray[Any]], document: Mapping[str, Any]) -> LabelAudit:
    """Make an audit of its arrays and of its document, whose values are known to be sound.

    Raises
    ------
    ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError or ValueError
        Where no audit has written such arrays.
    """
    classes = unpack_frame(packed, "classes")["label"].to_numpy()
    if pd.isna(classes).any() or not pd.Index(classes, dtype=object).is_unique:
        raise ValueError("the classes are not distinct labels")
    given = take(packed, "given_codes", "iu", (None,), -1, len(classes) - 1)
    rows, last_row = given.shape, len(given) - 1
    by_class = (*rows, len(classes))

    suspects = take(packed, "is_suspect", "b", rows)
    suggested = take(packed, "suggested_codes", "iu", rows, -1, len(classes) - 1)
    assessable = take(packed, "is_assessable", "b", rows)
    if (suspects & ((given < 0) | (suggested < 0) | ~assessable)).any():
        raise ValueError("there are suspects without a label or a suggestion")

    def labels(name: str) -> NDArray[Any]:
        return _take_labels(classes, take(packed, name, "iu", rows, -1, len(classes) - 1))

    detectors, opinions = (unpack_names(packed[name]) for name in ("detectors", "opinions"))
    noise_rate = document["noise_rate"]
    return LabelAudit(
        classes=classes,
        given_labels=labels("given_codes"),
        doubt=take(packed, "doubt", "f", rows, 0, 1),
        is_suspect=suspects,
        suggested_labels=labels("suggested_codes"),
        is_assessable=assessable,
        noise_rate=np.nan if noise_rate is None else noise_rate,
        transition_matrix=label_transition(
            take(packed, "transition_matrix", "f", (len(classes), len(classes))), classes
        ),
        pred_proba=take(packed, "pred_proba", "f", by_class, 0, 1),
        opinions={
            name: take(packed, f"opinion.{at}", "f", by_class, 0, 1)
            for at, name in enumerate(opinions)
        },
        detector_weights=pd.Series(
            take(packed, "detector_weights", "f", (len(detectors),), 0, 1),
            index=detectors,
            name="weight",
        ),
        nearest_rows=take(packed, "nearest_rows", "iu", (*rows, None), -1, last_row),
        coordinates=take(packed, "coordinates", "f", (*rows, 2)),
        values=_unpack_values(packed, last_row),
        index=unpack_index(packed, "index", len(given)),
        first_row=document["first_row"],
        lines=take(packed, "lines", "iu", rows, 1) if "lines" in packed else None,
        source=document["source"],
        note=document["note"],
        findings=unpack_findings(packed, document["other_findings"], last_row),
        consensus=unpack_consensus(packed),
        judged_labels=labels("judged_codes") if "judged_codes" in packed else None,
    )


def _unpack_values(packed: Mapping[str, NDArray[Any]], last_row: int) -> pd.DataFrame:
    values = unpack_frame(packed, "values")
    # Without columns, as of sparse rows, only the names tell how many rows there are.
    n_rows = len(values) if values.shape[1] else None
    positions = unpack_index(packed, "values.index", n_rows)
    if len(positions) and not (
        positions.dtype.kind in "iu"
        and positions.is_unique
        and positions.min() >= 0
        and positions.max() <= last_row
    ):
        raise ValueError("values are of other rows than the audit has")
    if n_rows is None:
        return pd.DataFrame(index=positions, columns=values.columns)
    return values.set_axis(positions, axis=0)


def _take_labels(classes: NDArray[Any], codes: NDArray[np.intp]) -> NDArray[Any]:
    if codes.min(initial=0) >= 0:
        return classes[codes]
    # The last one stands where −1 points to.
    with_missing = pd.Series(classes, dtype=object).reindex(range(len(classes) + 1))
    return as_label_array(with_missing)[codes]
