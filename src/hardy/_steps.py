"""The steps of long work, by the words with which each is told."""

from collections.abc import Callable
from enum import StrEnum

# Called with what is being done, how many steps of it are done, and how many there are.
Progress = Callable[[str, int, int], None]


class Step(StrEnum):
    """What a message of progress begins with; shares of the whole are told by it."""

    CHECKING = "Checking"
    FINDING_ROWS = "Looking for"
    FINDING_COLUMNS = "Looking at"
    STORING = "Storing"
    ENCODING = "Encoding"
    ASKING = "Asking"
    MIXING = "Mixing"
    FITTING = "Fitting"
    WRITING = "Writing"


# What the steps by which a file comes onto a shelf take of the whole, from and to.
OF_STORING = {
    Step.CHECKING: (0.0, 0.01),
    Step.FINDING_ROWS: (0.01, 0.06),
    Step.FINDING_COLUMNS: (0.06, 0.12),
    Step.STORING: (0.12, 0.2),
}
