"""Every public name is documented, in numpydoc's form, with an example."""

import inspect
from dataclasses import is_dataclass
from enum import Enum
from importlib import import_module

import pytest
from numpydoc.validate import validate

import hardy

# What numpydoc asks for beyond the house's form: prose of its own kind in "See Also" and
# "Returns", sections that not every name needs, and a capital where a Greek letter stands.
_NOT_ASKED = {
    "ES01",
    "GL01",
    "PR08",
    "RT02",
    "RT03",
    "RT05",
    "SA01",
    "SA04",
    "YD01",
}
# A method may leave the example to its class.
_NOT_ASKED_OF_METHODS = _NOT_ASKED | {"EX01"}


def _public():
    modules = ["hardy", *(f"hardy.{name}" for name in sorted(hardy._SUBMODULES))]
    for module in map(import_module, modules):
        for name in getattr(module, "__all__", _own_names(module)):
            yield f"{module.__name__}.{name}", getattr(module, name)


def _own_names(module):
    return [
        name
        for name, item in vars(module).items()
        if not name.startswith("_") and getattr(item, "__module__", None) == module.__name__
    ]


def _not_asked_of(item):
    """A tuple, data class or enumeration has attributes, which its parameters are."""
    is_record = issubclass(item, tuple | Enum) or is_dataclass(item)
    return _NOT_ASKED | {"PR01"} if is_record else _NOT_ASKED


def _members(name, item):
    if not inspect.isclass(item):
        # A table of functions has no docstring of its own.
        if callable(item):
            yield name, _NOT_ASKED
        return
    yield name, _not_asked_of(item)
    for member, value in vars(item).items():
        inherited = any(hasattr(base, member) for base in item.__bases__)
        if not member.startswith("_") and (callable(value) or isinstance(value, property)):
            yield (
                f"{name}.{member}",
                _NOT_ASKED_OF_METHODS | ({"PR01", "RT01"} if inherited else set()),
            )


NAMES = dict(pair for public, item in _public() for pair in _members(public, item))


@pytest.mark.parametrize("name", sorted(NAMES))
def test_it_is_numpydoc(name):
    assert not {code: text for code, text in validate(name)["errors"] if code not in NAMES[name]}
