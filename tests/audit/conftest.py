from typing import Any

import numpy as np
import pandas as pd
import pytest

from hardy.audit.result import LabelAudit
from hardy.noise.estimation import label_transition


def build_audit(
    *,
    n: int = 40,
    classes: tuple[Any, ...] = ("ham", "spam"),
    n_suspects: int = 4,
    n_unlabelled: int = 2,
    **changes: Any,
) -> LabelAudit:
    """Build an audit whose first rows are suspects and whose last rows have no label.

    Row i has class i modulo the number of classes; the doubt of the suspects falls from .95 by
    .2 / n_suspects a row; each suspect's suggestion is the class after its own.
    """
    labels = pd.Series(classes).to_numpy()
    codes = np.arange(n) % len(classes)
    is_suspect = np.arange(n) < n_suspects
    unlabelled = np.arange(n) >= n - n_unlabelled
    likely = np.where(is_suspect, (codes + 1) % len(classes), codes)
    doubt = np.where(is_suspect, 0.95 - 0.2 * np.arange(n) / max(n_suspects, 1), 0.1)
    doubt[unlabelled] = 0
    given: np.ndarray = labels[codes]
    if n_unlabelled:
        # As hardy._labels does: NaN among floats, NaT among moments, and None among others.
        given = given if given.dtype.kind in "fM" else given.astype(object)
        given[unlabelled] = None
    proba = np.full((n, len(classes)), 0.1 / (len(classes) - 1))
    proba[np.arange(n), likely] = 0.9
    near = (np.arange(n)[:, None] + np.arange(1, 6)) % n
    rng = np.random.default_rng(0)
    values = pd.DataFrame({"size": rng.normal(size=n), "word": [f"word {i}" for i in range(n)]})
    parts: dict[str, Any] = {
        "classes": labels,
        "given_labels": given,
        "doubt": doubt,
        "is_suspect": is_suspect,
        "suggested_labels": labels[likely],
        "is_assessable": ~unlabelled,
        "noise_rate": 0.08,
        "transition_matrix": label_transition(
            0.9 * np.eye(len(classes)) + 0.1 / len(classes), labels
        ),
        "pred_proba": proba,
        "opinions": {"extra_trees": proba, "linear": proba},
        "detector_weights": pd.Series({"extra_trees": 0.75, "linear": 0.25}, name="weight"),
        "nearest_rows": near,
        "coordinates": rng.normal(size=(n, 2)),
        "values": values,
        "index": pd.RangeIndex(1, n + 1),
        "first_row": 1,
        "lines": np.arange(2, n + 2),
        "source": {},
    }
    return LabelAudit(**{**parts, **changes})


@pytest.fixture
def make_audit() -> Any:
    return build_audit


@pytest.fixture(scope="session")
def build() -> Any:
    """The same, for tests of properties."""
    return build_audit
