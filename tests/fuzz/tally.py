"""What was tried of a target, and what did harm."""

import hashlib
import time
import traceback
from pathlib import Path

from fuzz.targets import FOUND, attempt

# The status of a process in which an input did harm.
HARMED = 10
_TOO_SLOW = 10


class Tally:
    """Counts what was tried, and keeps what harmed, each kind of harm at its smallest."""

    def __init__(self, target: str) -> None:
        self.target, self.tried, self.taken = target, 0, 0
        self.harmful: dict[str, tuple[bytes, str]] = {}

    def attempt(self, data: bytes) -> None:
        """Try one input."""
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

    def report(self) -> int:
        """Tell what was tried, and write what did harm; give the number of its kinds."""
        print(f"{self.target}: {self.tried:,} inputs, {self.taken:,} taken", flush=True)
        for kind, (data, trace) in self.harmful.items():
            FOUND.mkdir(exist_ok=True)
            path = FOUND / f"{self.target}.{hashlib.sha256(data).hexdigest()[:8]}"
            path.write_bytes(data)
            print(f"  {kind}: {path}\n{trace}", flush=True)
        return len(self.harmful)
