"""Fuzz one target, guided by coverage: ``python tests/fuzz/guided.py TARGET SECONDS``."""

import os
import shutil
import sys
import tempfile
import time
import warnings
from importlib.util import find_spec
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[1]))

_SOURCE = Path(find_spec("hardy").origin).parents[1]
# What numba compiles must stay as it is written.
_COMPILED = [
    ".".join(path.relative_to(_SOURCE).with_suffix("").parts)
    for path in _SOURCE.glob("hardy/**/*.py")
    if "_kernels" in path.with_suffix("").parts
]
with atheris.instrument_imports(include=["hardy", "zipfile"], exclude=_COMPILED):
    from fuzz.mutations import PIECES
    from fuzz.tally import HARMED, Tally
    from fuzz.targets import FOUND, TARGETS

_LONGEST = 1_000_000


def main(target: str, seconds: float) -> None:
    """Fuzz until the time is over; never returns, since libFuzzer doesn't."""
    warnings.simplefilter("ignore")
    tally, end = Tally(target), time.monotonic() + seconds

    place = Path(tempfile.mkdtemp())
    (place / "begin").mkdir()
    for number, data in enumerate(TARGETS[target][1]()):
        (place / "begin" / str(number)).write_bytes(data)
    pieces = "".join(f'"{_escape(piece)}"\n' for piece in PIECES if piece)
    (place / "pieces").write_text(pieces)

    def attempt(data: bytes) -> None:
        if time.monotonic() > end:
            shutil.rmtree(place)
            os._exit(HARMED if tally.report() else 0)
        tally.attempt(data)

    options = [f"-dict={place / 'pieces'}", f"-max_len={_LONGEST}", "-timeout=600"]
    # Where the interpreter itself is ended by an input.
    options += ["-rss_limit_mb=0", f"-artifact_prefix={FOUND / target}."]
    atheris.Setup([sys.argv[0], *options, str(place / "begin")], attempt)
    atheris.Fuzz()


def _escape(piece: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in piece)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
