from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from hardy.panel import PanelData
from hardy.panel.views import Views

SPLITS = 4


def build_data(X: Any, codes: Any, **changes: Any) -> PanelData:
    codes = np.asarray(codes, dtype=np.intp)
    options = {"n_splits": SPLITS, "random_state": 0, **changes}
    n_classes = options.pop("n_classes", int(codes.max()) + 1)
    return PanelData.make(Views(X), codes, n_classes, **options)


@pytest.fixture(scope="session")
def make_data() -> Any:
    return build_data


@pytest.fixture
def blobs() -> tuple[np.ndarray, np.ndarray]:
    """Three overlapping classes in three dimensions."""
    return make_blobs([40, 30, 20], 3, cluster_std=4.0, random_state=0)


@pytest.fixture
def relabel() -> Any:
    """Give the same data, folds included, with another label in one row."""

    def change(data: PanelData, row: int) -> PanelData:
        codes = data.codes.copy()
        codes[row] = (codes[row] + 1) % data.n_classes
        return PanelData(
            Views(data.views.original),
            codes,
            data.n_classes,
            data.folds,
            data.has_groups,
            data.n_jobs,
        )

    return change
