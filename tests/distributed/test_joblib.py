"""Ensembles in memory whose members are trained by the workers of a cluster."""

import joblib
import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import hardy
from hardy import ensembles

# Some hundred times what goes to and fro besides.
N_ROWS, N_FEATURES, N_MEMBERS = 40_000, 25, 12


@pytest.fixture
def cluster_backend(on_the_cluster):
    """Let joblib's tasks run on the cluster."""
    with joblib.parallel_config(backend="dask"):
        yield on_the_cluster


def every_ensemble():
    made = [getattr(ensembles, name) for name in ensembles.__all__]
    return [item for item in made if isinstance(item, type) and hasattr(item, "_make_rule")]


def settings(make):
    few = {"n_estimators": 3, "random_state": 0}
    return {name: value for name, value in few.items() if name in make().get_params()}


def fit(make, X, y, **more):
    return make(**settings(make), **more).fit(X, y)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore:.*were left out of the training:UserWarning")
def test_every_ensemble_is_the_same_on_a_cluster(request, whole_numbers):
    X, y = whole_numbers(2)
    makes = [make for make in every_ensemble() if not make.__name__.startswith("Base")]
    assert len(makes) > 15
    there = {make: fit(make, X, y).predict_proba(X) for make in makes}
    request.getfixturevalue("cluster_backend")
    for make in makes:
        np.testing.assert_array_equal(fit(make, X, y).predict_proba(X), there[make], make.__name__)


@pytest.fixture
def count_bytes(monkeypatch):
    """Count what is written to workers and to the scheduler, which is in this process too."""
    from distributed.comm import tcp

    to_frames, sizes = tcp.to_frames, []

    async def count(*arguments, **options):
        frames = await to_frames(*arguments, **options)
        sizes.append(sum(memoryview(frame).nbytes for frame in frames))
        return frames

    monkeypatch.setattr(tcp, "to_frames", count)
    return lambda: sum(sizes)


@pytest.mark.parametrize("estimator", [GaussianNB(), DecisionTreeClassifier(max_depth=2)])
def test_rows_travel_once_and_not_with_each_member(estimator, cluster_backend, count_bytes):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N_ROWS, N_FEATURES))
    y = X[:, 0] > 0
    hardy.HardnessBaggingClassifier(
        estimator, n_estimators=N_MEMBERS, hardness=None, max_samples=1000, random_state=0
    ).fit(X, y)
    # From here to the scheduler and on to a worker; the other worker has them from there.
    assert X.nbytes <= count_bytes() < 4 * X.nbytes
