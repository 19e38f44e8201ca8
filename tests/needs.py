"""What tests need that not everybody has."""

import os

import pytest

needs_data = pytest.mark.skipif(
    not os.environ.get("HARDY_DATA") and not os.environ.get("CI"),
    reason="HARDY_DATA names no folder with the data sets",
)
