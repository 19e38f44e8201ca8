"""What can't be judged, and what says too little to be believed."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy._warnings import warn_user
from hardy.exceptions import LittleInformationWarning, NotAssessableWarning

SMALLEST_CLASS = 3
_MOST_NAMED = 20
_NEAR_CHANCE = 0.9


def warn_of_small_classes(classes: NDArray[Any], counts: NDArray[np.intp]) -> None:
    """Name the classes whose rows can't be assessed."""
    small = [str(label) for label, n in zip(classes, counts, strict=True) if n < SMALLEST_CLASS]
    if small:
        named = ", ".join(small[:_MOST_NAMED])
        more = len(small) - _MOST_NAMED
        warn_user(
            f"Classes with fewer than {SMALLEST_CLASS} rows can't be assessed: {named}"
            f"{f' and {more:,} more' if more > 0 else ''}.",
            NotAssessableWarning,
        )


def warn_of_little_information(noise_rate: float, n_classes: int) -> None:
    """Warn where the labels might as well be random."""
    chance = (n_classes - 1) / n_classes
    if noise_rate > _NEAR_CHANCE * chance:
        warn_user(
            f"The estimated noise rate of {100 * noise_rate:.1f} % is about what random labels "
            "would have: the columns say little about the label, and the suspects mean little.",
            LittleInformationWarning,
        )


def reason_for_nothing(classes: NDArray[Any], counts: NDArray[np.intp]) -> str:
    """Say why no label can be judged; the empty string where some can."""
    if not counts.sum():
        return "No row has a label."
    if (counts > 0).sum() == 1:
        return f"Every label is {classes[counts.argmax()]}: there is no other class to compare it."
    if (counts >= SMALLEST_CLASS).sum() < 2:
        return f"Fewer than two classes have {SMALLEST_CLASS} rows or more."
    return ""
