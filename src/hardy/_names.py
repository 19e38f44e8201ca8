"""Names that people mistype."""

import difflib
from collections.abc import Collection


def say_known(name: object, known: Collection[str]) -> str:
    """Say which names there are, and which of them may be meant, for the end of an error.

    Examples
    --------
    >>> from hardy._names import say_known
    >>> say_known("prunning", ["blp", "pruning"])
    "did you mean 'pruning'? There are blp, pruning."
    >>> say_known("xyz", ["blp", "pruning"])
    'there are blp, pruning.'
    """
    near = difflib.get_close_matches(str(name).lower(), known, n=1)
    hint = f"did you mean {near[0]!r}? There are" if near else "there are"
    return f"{hint} {', '.join(known)}."
