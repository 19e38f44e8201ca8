"""The schema of a model file, looked at before anything is made of it."""

import io
import zipfile
from typing import IO, Any

from hardy._archives import read_header
from hardy._json import read_json

_POOL_SIZE = 4
# A schema has few parts, or as many as befit its file: each is packed to some bytes.
_FEW_PARTS = 1_000_000
_PARTS_PER_BYTE = 10


def check_schema(file: IO[bytes]) -> None:
    """Refuse a schema by which a small file would take for ever, all memory or the interpreter.

    Parameters
    ----------
    file : binary file
        A model file that is known to be a sound archive.

    Raises
    ------
    ValueError
        Where there are far more parts than so large a file could need; where one only names
        another, so that few of them, nested, would be looked at for ever; where two parts read one
        file; where the nodes of a tree are no list, which scikit-learn would take for one; or where
        a random generator's seed is to fill another pool than numpy's own, which takes the square
        of its size. What else is wrong raises whatever Python does.
    """
    most = max(_FEW_PARTS, _PARTS_PER_BYTE * file.seek(0, io.SEEK_END))
    with zipfile.ZipFile(file) as archive:
        schema = read_json(archive.read("schema.json"), most)
        _Schema(archive).count_parts(schema)


class _Schema:
    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._known: dict[Any, tuple[int, Any, Any]] = {}
        self._owners: dict[Any, Any] = {}

    def count_parts(self, part: Any) -> int:
        """Count the parts within a part, itself included, and refuse what is odd in them."""
        if isinstance(part, list):
            return sum(map(self.count_parts, part))
        if not isinstance(part, dict):
            return 0
        count = 1 + sum(map(self.count_parts, part.values()))
        own, file = part.get("__id__"), part.get("file")
        # skops writes a part out wherever it stands, and reads it where it stands first.
        facts = (count, part.get("__loader__"), file)
        if own and self._known.setdefault(own, facts) != facts:
            raise ValueError("a part stands for another one")
        if file is not None and (not own or self._owners.setdefault(file, own) != own):
            raise ValueError("two parts read one file")
        if isinstance(part.get("content"), dict):
            self._check_nodes(part["content"].get("nodes"))
        if part.get("__loader__") == "RandomGeneratorNode":
            _check_seed(part["content"]["seed_seq"])
        return count

    def _check_nodes(self, nodes: Any) -> None:
        # Numbers and words are no trouble: a word that is counted may be "nodes", too.
        if nodes is None or nodes["__loader__"] == "JsonNode":
            return
        with self._archive.open(nodes["file"]) as content:
            shape, _, _ = read_header(content)
        if nodes["__loader__"] != "NdArrayNode" or len(shape) != 1:
            raise ValueError("the nodes of a tree are no list")


def _check_seed(seed: Any) -> None:
    size = seed["content"]["pool_size"]
    found = seed["__loader__"], size["__loader__"], size["content"]
    if found != ("DictNode", "JsonNode", str(_POOL_SIZE)):
        raise ValueError("a seed fills another pool than numpy's")
