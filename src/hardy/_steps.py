"""The steps of long work, by the words with which each is told."""

from enum import StrEnum


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
