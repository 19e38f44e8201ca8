"""What Hardy raises and warns of, beyond Python's and scikit-learn's own."""

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
    >>> from hardy.exceptions import warn_user
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


class InputError(ValueError):
    """The input can't be used; the message says what is wrong, where, and what to do.

    The command line prints the message as its one line and exits with status 2.

    Examples
    --------
    >>> from hardy.exceptions import InputError
    >>> issubclass(InputError, ValueError)
    True
    """


class MissingExtraError(ImportError):
    """An optional dependency is missing; the message names the command that installs it.

    Examples
    --------
    >>> from hardy.exceptions import MissingExtraError
    >>> issubclass(MissingExtraError, ImportError)
    True
    """


class LittleInformationWarning(UserWarning):
    """Labels and columns hardly go together, so that suspects and noise rate mean little.

    Examples
    --------
    >>> from hardy.exceptions import LittleInformationWarning
    >>> issubclass(LittleInformationWarning, UserWarning)
    True
    """


class NotAssessableWarning(UserWarning):
    """Some rows can't be judged, for example those of a class with one row.

    Examples
    --------
    >>> from hardy.exceptions import NotAssessableWarning
    >>> issubclass(NotAssessableWarning, UserWarning)
    True
    """
