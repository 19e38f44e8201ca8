"""Warnings that name the line of the user."""

import sys
import warnings

_PASSED_OVER = ("hardy", "sklearn", "imblearn", "joblib")


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn of the user's own line, however deep in Hardy or its callers the cause was found.

    Callers that are passed over are scikit-learn, imbalanced-learn and joblib, in the same process
    and thread.

    Parameters
    ----------
    message : str
        What is told.
    category : type of Warning, default=UserWarning
        Its kind.

    Examples
    --------
    >>> import warnings
    >>> from hardy._warnings import warn_user
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn_user("mind the rows")
    >>> str(caught[0].message)
    'mind the rows'
    """
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None:
        package = frame.f_globals.get("__name__", "").partition(".")[0]
        if package not in _PASSED_OVER:
            break
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
