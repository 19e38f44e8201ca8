"""Random states, whose errors name the parameter."""

import numpy as np
from sklearn.utils import check_random_state

from hardy.exceptions import InputError


def make_random_state(random_state: int | np.random.RandomState | None) -> np.random.RandomState:
    """Turn the parameter ``random_state`` into a generator."""
    try:
        rng: np.random.RandomState = check_random_state(random_state)
    except ValueError as error:
        raise InputError(f"random_state={random_state!r} can't be used: {error}.") from None
    return rng
