import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest


@pytest.fixture(scope="session")
def published():
    """Walmsley's (2017) mean accuracies: for each noise level a table data sets × methods."""
    folder = os.environ.get("HARDY_DATA")
    path = Path(folder or "", "..", "published", "walmsley2017_accuracy.csv")
    if not (folder and path.exists()):
        if os.environ.get("CI"):
            pytest.fail(
                "the published tables are required, but HARDY_DATA names no folder with them"
            )
        pytest.skip("HARDY_DATA names no folder with the published tables beside it")
    means = pd.read_csv(path)
    return {
        noise: part.pivot(index="dataset", columns="method", values="mean")
        for noise, part in means.groupby("noise")
    }


@pytest.fixture
def made():
    """Scores of methods whose quality rises with their number, with ties."""

    def make(n_datasets=12, n_methods=5, seed=0, decimals=1):
        rng = np.random.default_rng(seed)
        scores = rng.normal(size=(n_datasets, n_methods)) + 0.4 * np.arange(n_methods)
        return pd.DataFrame(
            scores.round(decimals), columns=[f"method {m}" for m in range(n_methods)]
        )

    return make
