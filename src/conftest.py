"""Doctests of what an optional library is needed for are left out where it is missing."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("dask") else ["hardy/distributed/*"]
