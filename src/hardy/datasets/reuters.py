"""Reuters-21578 in the ModApte split: the stories with a title and a body."""

import gzip
import hashlib
import html
import io
import json
import os
import re
import tarfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import numpy as np
from sklearn.utils import Bunch

from hardy._files import atomic_write
from hardy._names import say_known
from hardy.datasets._homes import data_homes
from hardy.exceptions import InputError

Subset = Literal["train", "test", "all"]

_FILE = "reuters21578_modapte.jsonl.gz"
_URL = "https://kdd.ics.uci.edu/databases/reuters21578/reuters21578.tar.gz"
_SIZES = {"train": 8762, "test": 3009}
# SHA-256 of the stories' numbers, parts and topics, which no other copy or spelling changes.
_LABELS = "667d7bab3cfcb4d262674f8192978d32a6de24da01ad189cfafc6f8cfb991692"
_STORY = re.compile(r"<REUTERS(?P<head>[^>]*)>(?P<inside>.*?)</REUTERS>", re.S)
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')


def fetch_reuters(
    topic: str | None = None,
    *,
    subset: Subset = "train",
    data_home: str | os.PathLike[str] | None = None,
    return_X_y: bool = False,
) -> Any:
    """Load the stories of Reuters-21578 (ModApte split) that have a title and a body.

    8,762 stories to train on and 3,009 to test on, as in the paper on boosted linear perceptrons
    [1]_. They are looked for as ``reuters21578_modapte.jsonl.gz`` in `data_home`, in the folder
    that the environment variable ``HARDY_DATA`` names, and in ``hardy`` in
    ``sklearn.datasets.get_data_home()``; otherwise fetched from the archive of the University of
    California, Irvine, and kept there. The collection is free for research only; its copyright is
    that of Reuters Ltd.

    Parameters
    ----------
    topic : str, optional
        A topic such as ``"crude"``. The target then says which stories have it.
    subset : {"train", "test", "all"}, default="train"
        Which stories to give.
    data_home : path-like, optional
        A folder of your own to look in first.
    return_X_y : bool, default=False
        Whether to give (data, target) only.

    Returns
    -------
    Bunch
        ``data``, a list of texts, each the title, a line's end and the body; ``topics``, the list
        of topics of each; ``target``, an array of bool with `topic`, and otherwise the same as
        ``topics``; ``ids``, the collection's own numbers; and ``DESCR``. With `return_X_y`
        (data, target).

    Raises
    ------
    InputError
        Where the topic or the subset is unknown, the collection can't be found or fetched, or
        hasn't the expected stories with the expected topics.

    References
    ----------
    .. [1] J.-M. O, B.-T. Zhang, "Text Filtering by Boosting Linear Perceptrons", Journal of Fuzzy
       Logic and Intelligent Systems 10 (2000), 374–378.

    Examples
    --------
    >>> from hardy.datasets import fetch_reuters
    >>> fetch_reuters("crude", subset="valid")
    Traceback (most recent call last):
    ...
    hardy.exceptions.InputError: subset='valid' is unknown; choose train, test or all.
    """
    if subset not in (*_SIZES, "all"):
        raise InputError(f"subset={subset!r} is unknown; choose train, test or all.")
    stories = _load(data_home)
    for name, size in _SIZES.items():
        found = sum(story["split"] == name for story in stories)
        if found != size:
            raise InputError(
                f"The collection has {found} stories to {name} with, but {size} are expected; "
                f"remove {_FILE} to have it fetched again."
            )
    if _digest_labels(stories) != _LABELS:
        raise InputError(
            "The collection isn't the one that Hardy knows: its stories have other numbers or "
            f"topics; remove {_FILE} to have it fetched again."
        )
    every = {name for story in stories for name in story["topics"]}
    if topic is not None and topic not in every:
        raise InputError(f"There is no topic {topic!r}; {say_known(topic, sorted(every))}")
    chosen = [story for story in stories if subset in ("all", story["split"])]
    data = [f"{story['title']}\n{story['body']}" for story in chosen]
    topics = [story["topics"] for story in chosen]
    target: Any = topics if topic is None else np.array([topic in some for some in topics])
    if return_X_y:
        return data, target
    return Bunch(
        data=data,
        target=target,
        topics=topics,
        ids=np.array([story["id"] for story in chosen]),
        DESCR="Reuters-21578, Distribution 1.0, ModApte split, stories with a title and a body.",
    )


def _load(data_home: str | os.PathLike[str] | None) -> list[dict[str, Any]]:
    homes = data_homes(data_home)
    path = next((home / _FILE for home in homes if (home / _FILE).is_file()), None)
    if path is None:
        path = homes[-1] / _FILE
        _store(_fetch(), path)
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            stories = [json.loads(line) for line in lines]
        names = ("id", "split", "topics", "title", "body")
        return [
            {name: story[name] for name in names}
            for story in stories
            if story["texttype"] == "NORM"
        ]
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path} is damaged ({error}); remove it to have the collection fetched again."
        ) from error


def _digest_labels(stories: list[dict[str, Any]]) -> str:
    labels = sorted((story["id"], story["split"], sorted(story["topics"])) for story in stories)
    return hashlib.sha256(repr(labels).encode()).hexdigest()


def _fetch() -> list[dict[str, Any]]:
    try:
        with urllib.request.urlopen(_URL, timeout=60) as answer:  # nosec B310
            content = answer.read()
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            files = sorted(n for n in archive.getnames() if n.endswith(".sgm"))
            texts = [_read(archive, name) for name in files]
    except (OSError, tarfile.TarError, EOFError) as error:
        raise InputError(
            f"Reuters-21578 isn't here and can't be fetched from {_URL} ({error}). Try again with "
            f"a network, or put {_FILE} into a folder, and name it by data_home or the environment "
            "variable HARDY_DATA."
        ) from error
    return [story for text in texts for story in parse_stories(text)]


def _read(archive: tarfile.TarFile, name: str) -> str:
    file = archive.extractfile(name)
    return "" if file is None else file.read().decode("latin-1")


def parse_stories(text: str) -> Iterator[dict[str, Any]]:
    """Read the stories of the ModApte split from a file of the collection.

    Parameters
    ----------
    text : str
        The file, in SGML.

    Yields
    ------
    dict
        ``id``, ``split``, ``topics``, ``title``, ``body`` and ``texttype``.
    """
    for story in _STORY.finditer(text):
        attributes = dict(_ATTRIBUTE.findall(story["head"]))
        split = attributes.get("LEWISSPLIT", "").lower()
        if split not in _SIZES or attributes.get("TOPICS") != "YES":
            continue
        inside = story["inside"]
        kind = re.search(r'<TEXT TYPE="(\w+)"', inside)
        yield {
            "id": int(attributes["NEWID"]),
            "split": split,
            "topics": re.findall(r"<D>(.*?)</D>", _part(inside, "TOPICS")),
            "title": _clean(_part(inside, "TITLE")),
            "body": re.sub(r"\s*Reuter\s*$", "", _clean(_part(inside, "BODY")), flags=re.I),
            "texttype": kind[1] if kind else "NORM",
        }


def _part(text: str, name: str) -> str:
    found = re.search(rf"<{name}>(.*?)</{name}>", text, re.S)
    return found[1] if found else ""


def _clean(text: str) -> str:
    # Control characters are left from the wire.
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", html.unescape(text)).strip()


def _store(stories: list[dict[str, Any]], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = "".join(json.dumps(story) + "\n" for story in stories)
    with atomic_write(path, "wb") as file:
        file.write(gzip.compress(lines.encode(), mtime=0))
