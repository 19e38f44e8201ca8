"""Model files: the same model after a round trip, here and in another process."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from contract.registry import (
    CASES,
    blobs,
    every,
    every_of_labels,
    every_setting,
    fit,
    outputs,
)
from hardy.exceptions import InputError
from hardy.saving import load_model, save_model

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

_ELSEWHERE = """
import sys
from pathlib import Path
import numpy as np
from contract.registry import CASES, outputs
from hardy.saving import load_model
for case in CASES:
    path = Path(sys.argv[1], case.make.__name__)
    np.save(path.with_suffix(".npy"), outputs(load_model(path).model, case.data(3)[0]))
"""


@every_setting
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_model_comes_back(case, settings, n_classes, tmp_path):
    X, y = case.data(n_classes)
    model = fit(case(**settings), X, y)
    save_model(model, tmp_path / "m")
    loaded = load_model(tmp_path / "m").model
    assert_array_equal(outputs(loaded, X), outputs(model, X))
    assert repr(loaded.get_params()) == repr(model.get_params())
    assert set(vars(loaded)) == set(vars(model))
    assert_array_equal(outputs(fit(loaded, X, y), X), outputs(model, X))


@every_of_labels
def test_labels_keep_their_type(case, tmp_path):
    X, y = blobs()
    model = fit(case(), X, y == 1)
    save_model(model, tmp_path / "m")
    loaded = load_model(tmp_path / "m").model
    assert loaded.classes_.tolist() == [False, True]
    assert loaded.classes_.dtype == bool
    if case.is_sampler:
        assert loaded.sampling_strategy_ == model.sampling_strategy_ == {False: 60, True: 60}


@every
def test_a_pipeline_comes_back(case, tmp_path):
    X, y = case.data()
    model = case.in_pipeline(case()).fit(X, y)
    save_model(model, tmp_path / "m")
    assert_array_equal(load_model(tmp_path / "m").model.predict(X), model.predict(X))


def test_models_say_the_same_in_another_process(tmp_path):
    said = {}
    for case in CASES:
        X, y = case.data(3)
        model = fit(case(), X, y)
        save_model(model, tmp_path / case.make.__name__)
        said[case.make.__name__] = outputs(model, X)
    surroundings = {
        "PYTHONHASHSEED": "7",
        "OPENBLAS_NUM_THREADS": "2",
        "OMP_NUM_THREADS": "2",
        "NUMBA_NUM_THREADS": "2",
        "PYTHONPATH": str(Path(__file__).parents[1]),
    }
    subprocess.run(
        [sys.executable, "-c", _ELSEWHERE, str(tmp_path)],
        env={**os.environ, **surroundings},
        check=True,
    )
    for name, expected in said.items():
        assert_array_equal(np.load(tmp_path / f"{name}.npy"), expected, name)


@every
def test_what_cannot_be_saved_is_named(case, tmp_path):
    model = fit(case(), *case.data())
    model.note = lambda: None
    with pytest.raises(InputError, match=r"can't be saved.*(function|lambda)"):
        save_model(model, tmp_path / "m")
