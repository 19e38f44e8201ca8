"""Estimators by the names that people type."""

import difflib
import re
from typing import Any

import hardy
from hardy.exceptions import InputError

_ENDING = "Classifier"
# Before a capital that follows a small letter, or that ends a run of capitals.
_WORD_STARTS = r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"


def estimator_names() -> list[str]:
    """List the short names of the public classifiers, such as ``noise-reducing-boost``."""
    return [
        re.sub(_WORD_STARTS, "-", name.removesuffix(_ENDING)).lower()
        for name in hardy.__all__
        if name.endswith(_ENDING)
    ]


def find_estimator(name: str) -> Any:
    """Give the class of a public classifier.

    Parameters
    ----------
    name : str
        A short name or a class name; hyphens, underscores and case don't count.

    Returns
    -------
    class
        The estimator.

    Raises
    ------
    InputError
        Where there is none; the message tells the nearest name.
    """
    classes = {_bare(known): known for known in hardy.__all__ if known.endswith(_ENDING)}
    if _bare(name) in classes:
        return getattr(hardy, classes[_bare(name)])
    near = difflib.get_close_matches(name.lower(), estimator_names(), n=1)
    hint = f"did you mean {near[0]!r}? There are" if near else "there are"
    raise InputError(f"There is no estimator {name!r}; {hint} {', '.join(estimator_names())}.")


def _bare(name: str) -> str:
    return re.sub(r"[-_ ]", "", name).lower().removesuffix(_ENDING.lower())
