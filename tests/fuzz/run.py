"""Fuzz readers and loaders for a time: ``python tests/fuzz/run.py [SECONDS] [TARGET ...]``.

What raises anything but Hardy's own error is shrunk and written to ``tests/data/found``, where
``test_targets.py`` tries it from then on. Status 1 where something was found.
"""

import hashlib
import sys
import time
import traceback
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from hypothesis import HealthCheck, Phase, given, settings

from fuzz.mutations import changed
from fuzz.targets import FOUND, TARGETS, attempt

_BATCH = 500
_TOO_SLOW = 10


class _Tally:
    """Counts what was tried, and keeps what harmed."""

    def __init__(self, target: str) -> None:
        self.target, self.tried, self.taken = target, 0, 0
        self.harmful: dict[str, tuple[bytes, str]] = {}

    def harms(self, data: bytes) -> bool:
        self.tried += 1
        begun = time.monotonic()
        try:
            self.taken += attempt(self.target, data)
            if time.monotonic() - begun > _TOO_SLOW:
                raise TimeoutError(f"{_TOO_SLOW} seconds for {len(data)} bytes")  # noqa: TRY301
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            kind = f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}"
            known = self.harmful.get(kind)
            if known is None or len(data) < len(known[0]):
                self.harmful[kind] = data, "".join(traceback.format_exception(error))
            return known is None
        return False


def fuzz(target: str, seconds: float) -> _Tally:
    """Try changed files until the time is over; each kind of harm is kept at its smallest."""
    tally, end = _Tally(target), time.monotonic() + seconds
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
            tally.harms(data)

    while time.monotonic() < end:
        batch()
    return tally


def main(seconds: float, targets: list[str]) -> int:
    """Fuzz the targets one after the other, tell what was tried, and write what was found."""
    warnings.simplefilter("ignore")
    n_found = 0
    for target in targets:
        tally = fuzz(target, seconds)
        print(f"{target}: {tally.tried:,} inputs, {tally.taken:,} taken", flush=True)
        for kind, (data, trace) in tally.harmful.items():
            n_found += 1
            FOUND.mkdir(exist_ok=True)
            path = FOUND / f"{target}.{hashlib.sha256(data).hexdigest()[:8]}"
            path.write_bytes(data)
            print(f"  {kind}: {path}\n{trace}", flush=True)
    return 1 if n_found else 0


if __name__ == "__main__":
    chosen = sys.argv[2:] or list(TARGETS)
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 60, chosen))
