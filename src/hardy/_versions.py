"""The versions that a result depends on."""

import platform
from contextlib import suppress
from functools import cache
from importlib import metadata

_PACKAGES = ("hardy", "scikit-learn", "numpy", "scipy", "pandas", "numba", "skrub", "skops")


# What the extras bring, one package for each.
_OPTIONAL = (
    "pyarrow",
    "imbalanced-learn",
    "faiss-cpu",
    "starlette",
    "dask",
    "skl2onnx",
    "onnxruntime",
)


def used_versions() -> dict[str, str]:
    """Give the versions of Python, of Hardy and of what it computes with."""
    versions = {name: metadata.version(name) for name in _PACKAGES}
    return {"python": platform.python_version(), **versions}


def optional_versions() -> dict[str, str | None]:
    """Give the versions of what the extras bring, None for what isn't installed."""
    versions: dict[str, str | None] = dict.fromkeys(_OPTIONAL)
    for name in _OPTIONAL:
        with suppress(metadata.PackageNotFoundError):
            versions[name] = metadata.version(name)
    return versions


@cache
def versions_in_words() -> str:
    """Give them as one line, for tables of results."""
    return " ".join(f"{name}={version}" for name, version in used_versions().items())
