"""What Hardy raises and warns of, beyond Python's and scikit-learn's own."""


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
