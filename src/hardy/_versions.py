"""The versions that a result depends on."""

import platform
from functools import cache
from importlib import metadata

_PACKAGES = ("hardy", "scikit-learn", "numpy", "scipy", "pandas", "numba", "skrub", "skops")


def used_versions() -> dict[str, str]:
    """Give the versions of Python, of Hardy and of what it computes with."""
    versions = {name: metadata.version(name) for name in _PACKAGES}
    return {"python": platform.python_version(), **versions}


@cache
def versions_in_words() -> str:
    """Give them as one line, for tables of results."""
    return " ".join(f"{name}={version}" for name, version in used_versions().items())
