"""How Hardy compiles."""

from collections.abc import Callable
from typing import Any, TypeVar

import numba

_Kernel = TypeVar("_Kernel", bound=Callable[..., object])

# Sums may be reordered and fused, which vectorises them; NaN and infinity keep their meaning.
_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "fastmath": {"reassoc", "contract", "nsz"},
}


def compiled(kernel: _Kernel) -> _Kernel:
    """Compile for one thread without the interpreter's lock, and keep the result on disk.

    numba refuses to decorate at all where neither the package nor the user's cache folder can
    be written to; there the kernel is compiled anew in each process.
    """
    return _compile(kernel, {})


def inlined(kernel: _Kernel) -> _Kernel:
    """Compile what inner loops call with arrays: calls would take several times as long as it."""
    return _compile(kernel, {"forceinline": True})


def _compile(kernel: _Kernel, options: dict[str, Any]) -> _Kernel:
    try:
        fast: _Kernel = numba.njit(cache=True, **_OPTIONS, **options)(kernel)
    except RuntimeError:
        fast = numba.njit(cache=False, **_OPTIONS, **options)(kernel)
    return fast
