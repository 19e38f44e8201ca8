"""What holds for all tests: none depends on the time that it takes."""

import os
import signal

from hypothesis import Phase, settings

# Before anything loads a library of linear algebra: the threads of each worker and of each process
# that a test starts would wait for the others' processors, spinning, at every small matrix.
for _library in ("OPENBLAS", "MKL", "OMP"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")

# A program that instruments what it imports.
collect_ignore = ["fuzz/guided.py"]

settings.register_profile("untimed", deadline=None)
# For `make mutants`: the same examples in each run, and no search for a smaller one that fails.
settings.register_profile(
    "fixed",
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
)
settings.load_profile("untimed")

# What a shell starts in the background ignores Ctrl-C, and so would the commands that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
