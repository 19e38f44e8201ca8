"""A disk that is full: one line that says so, and nothing half-written."""

import os
import subprocess
import sys

import pytest

from cli.conftest import make_fruit

pytestmark = pytest.mark.skipif(os.name == "nt", reason="sets a POSIX limit")
# A file may grow to so many bytes; then writing fails, as on a full disk.
LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
import hardy.audit.files, hardy.saving, hardy.studies
resource.setrlimit(resource.RLIMIT_FSIZE, (700, 700))
from hardy.cli import main
main()
"""


@pytest.mark.parametrize("arguments", [["audit"], ["fit", "--estimator", "ada-boost"]])
def test_a_full_disk_costs_one_line_and_leaves_nothing(tmp_path, arguments):
    make_fruit(tmp_path / "fruit.csv")
    command, *options = arguments
    out = tmp_path / "out"
    call = [sys.executable, "-c", LIMITED, command, "fruit.csv", "--target", "state", *options]
    done = subprocess.run(
        [*call, "--output", str(out)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        # Compiled code that is kept beside the sources must not meet the limit.
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": "1"},
        timeout=300,
    )
    assert done.returncode == 2, done.stderr
    lines = [x for x in done.stderr.splitlines() if not x.startswith("hardy: warning: ")]
    assert len(lines) == 1
    assert "can't be written" in lines[0]
    assert "File too large" in lines[0]
    assert [path.name for path in tmp_path.iterdir() if path.name != "cache"] == ["fruit.csv"]
