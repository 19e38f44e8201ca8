"""The audit of labels of which none can be judged."""

import numpy as np
import pandas as pd

from hardy._warnings import warn_user
from hardy.audit._given import Given
from hardy.audit.result import LabelAudit
from hardy.exceptions import NotAssessableWarning
from hardy.noise.estimation import label_transition


def empty_audit(given: Given, note: str) -> LabelAudit:
    """Give an audit without doubt, whose note says why.

    Warns
    -----
    NotAssessableWarning
        Where no class was named in such a warning before.
    """
    if given.is_judgeable.all():
        warn_user(f"No label can be assessed. {note}", NotAssessableWarning)
    codes, n_classes = given.codes, len(given.classes)
    n_samples = len(codes)
    proba = np.zeros((n_samples, n_classes))
    proba[codes >= 0, codes[codes >= 0]] = 1
    return LabelAudit(
        classes=given.classes,
        given_labels=given.labels,
        doubt=np.zeros(n_samples),
        is_suspect=np.zeros(n_samples, dtype=bool),
        suggested_labels=given.labels,
        is_assessable=np.zeros(n_samples, dtype=bool),
        noise_rate=float("nan"),
        transition_matrix=label_transition(np.eye(n_classes), given.classes),
        pred_proba=proba,
        opinions={},
        detector_weights=pd.Series(dtype=np.float64),
        nearest_rows=np.empty((n_samples, 0), dtype=np.intp),
        coordinates=np.zeros((n_samples, 2)),
        values=pd.DataFrame(),
        index=given.index,
        source={"set_aside": {}},
        note=note,
        consensus=given.consensus,
    )
