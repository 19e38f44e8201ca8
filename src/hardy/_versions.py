"""The versions that a result depends on."""

import platform
from importlib import metadata

_PACKAGES = ("hardy", "scikit-learn", "numpy", "scipy", "pandas", "numba", "skrub", "skops")


def used_versions() -> dict[str, str]:
    """Give the versions of Python, of Hardy and of what it computes with."""
    versions = {name: metadata.version(name) for name in _PACKAGES}
    return {"python": platform.python_version(), **versions}
