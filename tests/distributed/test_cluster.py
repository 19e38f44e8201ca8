"""Workers in processes of their own, one of which is lost."""

import os
import signal

import numpy as np
import pytest

import hardy
from hardy.distributed import ParallelPerceptronClassifier
from hardy.learners._kernels import parallel_perceptron as kernels


@pytest.fixture(scope="module")
def client():
    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.fixture(autouse=True)
def _on_the_cluster(client):
    with client.as_current():
        import dask

        with dask.config.set(scheduler="dask.distributed"):
            yield


def test_a_worker_that_is_killed_in_the_middle_costs_time_only(
    client, monkeypatch, in_blocks, whole_numbers
):
    X, y = whole_numbers(2)
    model = ParallelPerceptronClassifier(max_iter=12, random_state=1)
    other = hardy.ParallelPerceptronClassifier(**model.get_params(deep=False)).fit(X, y)
    take_step, n_steps, killed = kernels.take_step, 0, []

    def kill_at_the_fifth(*sums_and_units):
        nonlocal n_steps
        n_steps += 1
        if n_steps == 5:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)
        take_step(*sums_and_units)

    monkeypatch.setattr(kernels, "take_step", kill_at_the_fifth)
    model.fit(*in_blocks(6, X, y))
    assert n_steps == 12
    assert killed
    np.testing.assert_allclose(model.coef_, other.coef_, rtol=1e-12)
    assert model.margin_.tolist() == other.margin_.tolist()
