import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from scipy import sparse

import hardy
from hardy.learners._rows import kernel_rows

PACKAGE = Path(hardy.__file__).parent


def run_python(code, **environment):
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_importing_hardy_imports_no_numba():
    done = run_python("import sys, hardy; sys.exit('numba' in sys.modules)")
    assert done.returncode == 0, done.stderr


def test_a_package_without_a_writable_cache_still_works(tmp_path):
    """All three places for numba's cache are made impossible in a way that stops root, too."""
    copy = tmp_path / "site" / "hardy"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    # A file where a folder would have to be made: beside the kernels, and in the user's home.
    (copy / "learners" / "_kernels" / "__pycache__").touch()
    blocker = tmp_path / "file"
    blocker.touch()
    done = run_python(
        "import hardy.learners as learners\n"
        "from hardy.learners._kernels import parallel_perceptron as kernels\n"
        "print(learners.__file__)\n"
        "print(type(kernels.train_batch._cache).__name__)\n"
        "model = learners.ParallelPerceptronClassifier(max_iter=2, random_state=0)\n"
        "print(model.fit([[0.0], [1.0]], [0, 1]).n_iter_)\n",
        PYTHONPATH=str(copy.parent),
        HOME=str(blocker / "home"),
        XDG_CACHE_HOME=str(blocker / "cache"),
        NUMBA_CACHE_DIR=str(blocker / "numba"),
        PYTHONDONTWRITEBYTECODE="1",
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(copy / "learners" / "__init__.py"), "NullCache", "2"]


def test_compiled_code_is_kept_on_disk(tmp_path):
    code = (
        "import hardy.learners._kernels.parallel_perceptron as kernels, numpy as np\n"
        "kernels._square_length(np.ones((1, 2)), None, 0)\n"
        "print(sum(kernels._square_length.stats.cache_hits.values()))\n"
    )
    first = run_python(code, NUMBA_CACHE_DIR=str(tmp_path))
    second = run_python(code, NUMBA_CACHE_DIR=str(tmp_path))
    assert (first.stdout.strip(), second.stdout.strip()) == ("0", "1"), first.stderr


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_rows_of_a_memory_map_are_not_compiled_for_anew(container):
    rows, mapped = container(np.eye(3)), container(np.eye(3))
    arrays = (mapped.data, mapped.indices, mapped.indptr) if sparse.issparse(mapped) else (mapped,)
    for array in arrays:
        array.flags.writeable = False
    types = [numba.typeof(part) for part in kernel_rows(rows)]
    assert [numba.typeof(part) for part in kernel_rows(mapped)] == types
    # The user's own are as they were.
    assert (rows.data if sparse.issparse(rows) else rows).flags.writeable
