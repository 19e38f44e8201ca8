"""What is said of columns that were set aside, in few words where they are many."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from hardy._quoting import quote

# How the reasons of `describe_columns` begin, and what columns with such a reason have in common,
# though the value is another one in each.
_KINDS = {
    "every value is missing": "they have no value",
    "every value is ": "they are constant",
    "it counts the rows ": "they count the rows",
    "it identifies rows: ": "they identify rows",
}
_MOST_OF_A_KIND = 5
_MOST_NAMED = 3


class Aside(NamedTuple):
    """Columns that are told of together.

    Attributes
    ----------
    names : list
        One, or all that were set aside for reasons of one kind where these are more than five.
    why : str
        The reason of the one, or what the others have in common.
    """

    names: list[Any]
    why: str

    def named(self, form: Callable[[Any], str] = quote) -> str:
        """Name the one, or the first three of the others, each as `form` writes it."""
        if len(self.names) == 1:
            return form(self.names[0])
        first = ", ".join(map(form, self.names[:_MOST_NAMED]))
        return f"{first} and {len(self.names) - _MOST_NAMED:,} more"


def group_set_aside(reasons: Mapping[Any, str]) -> list[Aside]:
    """Put columns together that were set aside for reasons of one kind, where they are many.

    Parameters
    ----------
    reasons : mapping
        Why each column was set aside, by its name, as :func:`hardy.tabular.describe_columns` says.

    Returns
    -------
    list of Aside
        In the order of the first column of each.

    Examples
    --------
    >>> group_set_aside({"unit": "every value is 'mm'"})
    [Aside(names=['unit'], why="every value is 'mm'")]
    >>> many = group_set_aside({f"e{n}": f"every value is {n}" for n in range(768)})
    >>> [(aside.named(), aside.why) for aside in many]
    [("'e0', 'e1', 'e2' and 765 more", 'they are constant')]
    """
    of_kind: dict[str, list[Any]] = {}
    for name, reason in reasons.items():
        of_kind.setdefault(_kind(reason), []).append(name)
    asides = []
    for name, reason in reasons.items():
        names = of_kind[_kind(reason)]
        if reason == _kind(reason) or len(names) <= _MOST_OF_A_KIND:
            asides.append(Aside([name], reason))
        elif name is names[0]:
            asides.append(Aside(names, _kind(reason)))
    return asides


def _kind(reason: str) -> str:
    """Give what columns with such a reason have in common; the reason where nothing is known."""
    return next((words for start, words in _KINDS.items() if reason.startswith(start)), reason)


def tell_set_aside(reasons: Mapping[Any, str], of: str = "") -> Iterator[str]:
    """Say which columns were set aside, and why.

    Parameters
    ----------
    reasons : mapping
        As :func:`group_set_aside` takes them.
    of : str, default=""
        The table that has the columns, where there are several.

    Yields
    ------
    str
        A sentence for each column, or for many.

    Examples
    --------
    >>> list(tell_set_aside({"unit": "every value is 'mm'"}, "fish.csv"))
    ["Column 'unit' of fish.csv was set aside: every value is 'mm'."]
    """
    whose = f" of {of}" if of else ""
    for aside in group_set_aside(reasons):
        if len(aside.names) == 1:
            yield f"Column {aside.named()}{whose} was set aside: {aside.why}."
        else:
            n = len(aside.names)
            yield f"{n:,} columns{whose} were set aside ({aside.named()}): {aside.why}."
