"""Model files: the same model after a round trip, here and in another process."""

import os
import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from contract.registry import CASES, blobs, every_setting, outputs
from hardy.exceptions import InputError
from hardy.saving import load_model, save_model

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

_ELSEWHERE = """
import sys
from pathlib import Path
import numpy as np
from hardy.saving import load_model
folder = Path(sys.argv[1])
X = np.load(folder / "X.npy")
for path in sorted(folder.glob("*.hardy")):
    model = load_model(path).model
    np.save(path.with_suffix(".said.npy"), getattr(model, "predict_proba", model.predict)(X))
"""


@every_setting
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_model_comes_back(case, settings, n_classes, tmp_path):
    X, y = blobs(n_classes)
    model = case(**settings).fit(X, y)
    save_model(model, tmp_path / "m")
    loaded = load_model(tmp_path / "m").model
    assert_array_equal(outputs(loaded, X), outputs(model, X))
    assert repr(loaded.get_params()) == repr(model.get_params())
    assert set(vars(loaded)) == set(vars(model))


def test_models_say_the_same_in_another_process(tmp_path):
    X, y = blobs(3)
    np.save(tmp_path / "X.npy", X)
    said = {}
    for case in CASES:
        model = case().fit(X, y)
        save_model(model, tmp_path / f"{case.make.__name__}.hardy")
        said[case.make.__name__] = getattr(model, "predict_proba", model.predict)(X)
    surroundings = {"PYTHONHASHSEED": "7", "OMP_NUM_THREADS": "2", "NUMBA_NUM_THREADS": "2"}
    subprocess.run(
        [sys.executable, "-c", _ELSEWHERE, str(tmp_path)],
        env={**os.environ, **surroundings},
        check=True,
    )
    for name, expected in said.items():
        assert_array_equal(np.load(tmp_path / f"{name}.said.npy"), expected, name)


def test_what_cannot_be_saved_is_named(tmp_path):
    case = CASES[0]
    model = case().fit(*blobs())
    model.note = lambda: None
    with pytest.raises(InputError, match=r"can't be saved.*(function|lambda)"):
        save_model(model, tmp_path / "m")
