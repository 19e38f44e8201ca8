"""Data in blocks, and the tests of this folder left out where Dask is missing."""

from importlib.util import find_spec

import numpy as np
import pytest

NEEDED = ("dask", "distributed")


def pytest_collection_modifyitems(items):
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        reason = f"needs {' and '.join(missing)}: pip install 'hardy[distributed]'"
        for item in items:
            if "tests/distributed/" in item.path.as_posix():
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(autouse=True)
def _one_thread():
    if find_spec("dask") is None:
        yield
        return
    import dask

    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.fixture(scope="session")
def client():
    """Give a client of two workers in processes of their own."""
    import dask
    from dask.distributed import Client, LocalCluster

    with (
        # On a busy machine a worker that a test has killed takes longer than the usual 15 s to be
        # back, and one that its cluster has given up never is.
        dask.config.set({"distributed.deploy.lost-worker-timeout": "10 minutes"}),
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture
def on_the_cluster(client):
    """Let Dask compute there."""
    import dask

    # With one worker alone joblib sends nothing.
    client.wait_for_workers(2, timeout=300)
    with client.as_current(), dask.config.set(scheduler="dask.distributed"):
        yield client


@pytest.fixture
def in_blocks():
    """Give a function that puts arrays into so many blocks of rows."""

    def split(n_blocks, *arrays):
        import dask.array as da

        length = -(-len(arrays[0]) // n_blocks)
        return [da.from_array(a, chunks=(length, *a.shape[1:])) for a in arrays]

    return split


@pytest.fixture
def whole_numbers():
    """Give rows whose sums are exact, so that no order of adding them shows."""

    def make(n_classes, n_rows=203, seed=0):
        rng = np.random.default_rng(seed)
        X = rng.integers(-4, 5, size=(n_rows, 4)).astype(np.float64)
        score = X[:, 0] + X[:, 1] + rng.integers(-2, 3, size=n_rows)
        y = np.digitize(score, np.linspace(-2, 2, n_classes - 1))
        return X, np.array(["red", "green", "blue"])[y]

    return make
