"""Workers in processes of their own, one of which is lost."""

import os
import signal

import numpy as np
import pytest

from hardy.distributed import (
    AdaBoostClassifier,
    HardnessBaggingClassifier,
    NoiseReducingBoostClassifier,
    ParallelPerceptronClassifier,
    _bags,
    audit_labels,
)
from hardy.learners import ParallelPerceptronClassifier as InMemory
from hardy.learners._kernels import decision_stump, parallel_perceptron


@pytest.fixture
def kill_a_worker_at(monkeypatch, on_the_cluster):
    """Give a function that lets a worker be killed before some call of a function."""

    def arrange(module, name, number):
        function, calls, killed = getattr(module, name), [], []

        def call(*arguments, **settings):
            calls.append(name)
            if len(calls) == number:
                killed.append(next(iter(on_the_cluster.run(os.getpid).values())))
                os.kill(killed[0], signal.SIGKILL)
            return function(*arguments, **settings)

        monkeypatch.setattr(module, name, call)
        return killed

    return arrange


def fit_perceptrons(X, y):
    model = ParallelPerceptronClassifier(max_iter=12, random_state=1).fit(X, y)
    return model.coef_, model.margin_


def boost_perceptrons(X, y):
    learner = InMemory(max_iter=6)
    model = NoiseReducingBoostClassifier(learner, n_estimators=2, random_state=1).fit(X, y)
    return model.estimator_weights_, *(member.coef_ for member in model.estimators_)


def boost_stumps(X, y):
    model = AdaBoostClassifier(n_estimators=4).fit(X, y)
    splits = [(stump.feature_, stump.threshold_) for stump in model.estimators_]
    return model.estimator_weights_, np.array(splits)


def bag_perceptrons(X, y):
    model = HardnessBaggingClassifier(n_estimators=3, random_state=0).fit(X, y)
    return model.estimator_errors_, *(member.coef_ for member in model.estimators_)


def audit(X, y):
    rows = audit_labels(X, y, cv=2, n_rounds=1, random_state=0).rows.compute()
    return rows["doubt"].to_numpy(), rows["is_suspect"].to_numpy()


@pytest.mark.parametrize(
    ("work", "module", "name", "number"),
    [
        (fit_perceptrons, parallel_perceptron, "take_step", 5),
        (boost_perceptrons, parallel_perceptron, "take_step", 8),
        (boost_stumps, decision_stump, "split_histograms", 3),
        (bag_perceptrons, _bags, "first_places", 1),
        (audit, parallel_perceptron, "take_step", 30),
    ],
    ids=lambda part: getattr(part, "__name__", ""),
)
def test_a_worker_that_is_killed_in_the_middle_costs_time_only(
    work, module, name, number, request, in_blocks, whole_numbers
):
    blocks = in_blocks(4, *whole_numbers(2))
    there = work(*blocks)  # In this process.
    killed = request.getfixturevalue("kill_a_worker_at")(module, name, number)
    here = work(*blocks)
    assert killed
    for ours, theirs in zip(here, there, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)
