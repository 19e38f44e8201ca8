"""Optional dependencies: imported where they are needed, named with their extra when missing."""

from importlib import import_module
from types import ModuleType

from hardy.exceptions import MissingExtraError


def import_extra(module: str, *, extra: str, purpose: str) -> ModuleType:
    """Import an optional module, or say which extra installs it.

    Parameters
    ----------
    module : str
        The module's import name.
    extra : str
        The extra of Hardy that installs it.
    purpose : str
        What needs it, as the start of the message.

    Returns
    -------
    module
        The imported module.

    Raises
    ------
    MissingExtraError
        Where the package isn't installed.
    ImportError
        Where it is installed but can't be imported; the error is its own.

    Examples
    --------
    >>> import_extra("json", extra="parquet", purpose="reading JSON").__name__
    'json'
    >>> import_extra("no_such_module", extra="parquet", purpose="Parquet")
    Traceback (most recent call last):
    ...
    hardy.exceptions.MissingExtraError: Parquet needs no_such_module: pip install 'hardy[parquet]',
    or '.[parquet]' in a checkout
    """
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        # Where it is there and something that it needs isn't, its own error says more.
        if error.name != package:
            raise
        raise MissingExtraError(
            f"{purpose} needs {package}: pip install 'hardy[{extra}]', "
            f"or '.[{extra}]' in a checkout"
        ) from error
