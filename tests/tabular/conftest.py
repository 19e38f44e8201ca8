from pathlib import Path

import pytest


@pytest.fixture
def write(tmp_path):
    """Write bytes or text to a new file and give its path."""

    def write(content, name="table.csv", encoding="utf-8") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return write
