"""Estimators by the names that people type."""

import re
from importlib import import_module
from typing import Any

import hardy
from hardy._names import say_known
from hardy.exceptions import InputError

_ENDING = "Classifier"
# What people would use instead, by module and class; and what it needs beyond the defaults.
_RIVALS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "extra-trees": ("sklearn.ensemble", "ExtraTreesClassifier", {}),
    "gradient-boosting": ("sklearn.ensemble", "HistGradientBoostingClassifier", {}),
    "logistic-regression": ("sklearn.linear_model", "LogisticRegression", {"max_iter": 1000}),
    "random-forest": ("sklearn.ensemble", "RandomForestClassifier", {}),
}
# Before a capital that follows a small letter, or that ends a run of capitals.
_WORD_STARTS = r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"


def estimator_names() -> list[str]:
    """List the short names of the public classifiers, such as ``noise-reducing-boost``."""
    return [
        re.sub(_WORD_STARTS, "-", name.removesuffix(_ENDING)).lower()
        for name in hardy.__all__
        if name.endswith(_ENDING)
    ]


def find_estimator(name: str, choice: list[str] | None = None) -> Any:
    """Give the class of a public classifier.

    Parameters
    ----------
    name : str
        A short name or a class name; hyphens, underscores and case don't count.
    choice : list of str, optional
        The names that a message offers; by default those of the public classifiers.

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
    choice = choice or estimator_names()
    raise InputError(f"There is no estimator {name!r}; {say_known(name, choice)}")


def method_names() -> list[str]:
    """List what can be compared: Hardy's classifiers, and some that people would use instead."""
    return sorted([*estimator_names(), *_RIVALS])


def make_method(name: str) -> Any:
    """Make a classifier to compare, by its short name.

    Parameters
    ----------
    name : str
        One of `method_names`; of Hardy's the class name will do, too.

    Returns
    -------
    estimator
        With its defaults.

    Raises
    ------
    InputError
        Where there is none; the message tells the nearest name.
    """
    if name.lower() in _RIVALS:
        module, rival, options = _RIVALS[name.lower()]
        return getattr(import_module(module), rival)(**options)
    return find_estimator(name, method_names())()


def _bare(name: str) -> str:
    return re.sub(r"[-_ ]", "", name).lower().removesuffix(_ENDING.lower())
