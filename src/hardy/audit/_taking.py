"""Arrays taken from a file that anybody may have written."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


def take(
    packed: Mapping[str, NDArray[Any]],
    name: str,
    kinds: str,
    shape: tuple[int | None, ...],
    least: float | None = None,
    most: float | None = None,
) -> NDArray[Any]:
    """Give an array, if it is what it must be.

    Parameters
    ----------
    packed : mapping of str to ndarray
        All arrays.
    name : str
        Which one.
    kinds : str
        The kinds of dtypes that it may have.
    shape : tuple of int or None
        Its shape, None where any length will do.
    least, most : float, optional
        Its lowest and highest values; with either, none may be missing.

    Returns
    -------
    ndarray
        The array.

    Raises
    ------
    KeyError or ValueError
        Where there is none, or it is something else.

    Examples
    --------
    >>> take({"codes": np.array([0, 2])}, "codes", "iu", (None,), 0, 1)
    Traceback (most recent call last):
    ...
    ValueError: codes has values that no audit has
    """
    array = packed[name]
    has_shape = array.ndim == len(shape) and all(
        length in (None, found) for length, found in zip(shape, array.shape, strict=True)
    )
    if array.dtype.kind not in kinds or not has_shape:
        raise ValueError(f"{name} is of the type {array.dtype} and the shape {array.shape}")
    outside = np.zeros(array.shape, dtype=bool)
    if least is not None:
        outside |= ~(array >= least)
    if most is not None:
        outside |= ~(array <= most)
    if outside.any():
        raise ValueError(f"{name} has values that no audit has")
    return array
