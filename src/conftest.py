"""Doctests of what an optional library is needed for are left out where it is missing."""

from importlib.util import find_spec

_NEEDS = {"hardy/distributed/*": "dask", "hardy/onnx/*": "skl2onnx"}
collect_ignore_glob = [files for files, library in _NEEDS.items() if not find_spec(library)]
