"""Fuzz readers and loaders for a time: ``python tests/fuzz/run.py [SECONDS] [TARGET ...]``.

Where atheris is installed, what is tried next is guided by the code that it reaches; else changes
are drawn by hypothesis. What raises anything but Hardy's own error is written to
``tests/data/found``, where ``test_targets.py`` tries it from then on. Status 1 where something was
found.
"""

import subprocess
import sys
import time
import warnings
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from hypothesis import HealthCheck, Phase, given, settings

from fuzz.mutations import changed
from fuzz.tally import HARMED, Tally
from fuzz.targets import TARGETS

_BATCH = 500
_GUIDED = Path(__file__).with_name("guided.py")


def fuzz(target: str, seconds: float) -> bool:
    """Try changed files until the time is over; say whether one did harm."""
    tally, end = Tally(target), time.monotonic() + seconds
    options = settings(
        max_examples=_BATCH,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )

    @options
    @given(changed(TARGETS[target][1]()))
    def batch(data: bytes) -> None:
        if time.monotonic() < end:
            tally.attempt(data)

    while time.monotonic() < end:
        batch()
    return bool(tally.report())


def fuzz_guided(target: str, seconds: float) -> bool:
    """Do the same in a process of its own, whose code counts what it runs."""
    call = [sys.executable, str(_GUIDED), target, str(seconds)]
    done = subprocess.run(call, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, HARMED):
        print(f"  The interpreter itself ended:\n{done.stderr[-2000:]}", flush=True)
    return done.returncode != 0


def main(seconds: float, targets: list[str]) -> int:
    """Fuzz the targets one after the other."""
    warnings.simplefilter("ignore")
    is_guided = find_spec("atheris") is not None
    print("Guided by coverage, with atheris" if is_guided else "Drawn by hypothesis", flush=True)
    harmed = [(fuzz_guided if is_guided else fuzz)(target, seconds) for target in targets]
    return 1 if any(harmed) else 0


if __name__ == "__main__":
    chosen = sys.argv[2:] or list(TARGETS)
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 60, chosen))
