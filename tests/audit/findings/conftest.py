import numpy as np
import pandas as pd
import pytest

from hardy._labels import encode_labels
from hardy.audit.findings import Evidence
from hardy.panel.views import Views
from hardy.tabular import TableEncoder


def build_evidence(
    X, y, *, text=(), groups=None, split=None, order=None, is_suspect=None, other=None
):
    """Give the evidence that an audit would have of these rows, without a panel."""
    classes, codes = encode_labels(y)
    n = len(codes)
    labelled = X[codes >= 0] if X is not None else None
    views = Views(labelled, TableEncoder(text=text))
    if X is not None:
        views.training("plain")  # as after an audit, the encoder knows the columns
    return Evidence(
        X,
        views,
        classes,
        codes,
        np.zeros(n, dtype=bool) if is_suspect is None else is_suspect,
        codes >= 0,
        np.zeros(n, dtype=np.intp) if other is None else other,
        groups=None if groups is None else encode_labels(groups),
        split=None if split is None else encode_labels(split),
        order=order,
    )


@pytest.fixture(scope="session")
def make_evidence():
    return build_evidence


@pytest.fixture
def normal_rows():
    """Rows of four measurements with labels that none of them tells."""
    rng = np.random.default_rng(3)
    X = pd.DataFrame(rng.normal(size=(300, 4)), columns=list("abcd"))
    return X, rng.choice(["raw", "ripe"], 300)
