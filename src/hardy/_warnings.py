"""Warnings that name the line of the user."""

import sys
import warnings


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn of the user's own line, however deep in Hardy or scikit-learn the cause was found.

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
        if package not in ("hardy", "sklearn"):
            break
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
