"""A file of decisions that can only grow: SQLite, safe from crashes and from other writers."""

import os
import secrets
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from hardy.exceptions import InputError

# Seconds that a writer waits for another one.
_PATIENCE = 10.0
_FORMAT = 1
# Steps of SQLite's machine that one statement may take; each decision that is read takes fifteen.
_MOST_STEPS = 100_000_000
# What stands at the end of a journal that belongs to a larger one, by SQLite's file format.
_OF_A_LARGER_ONE = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
# But for what SQLite makes itself; a trigger can have the same name.
_OBJECTS = """
    SELECT type, name, sql FROM sqlite_master
    WHERE NOT (type = 'table' AND sql IS 'CREATE TABLE sqlite_sequence(name,seq)')
"""
# Which files and targets the rows are of. Files of earlier versions lack it.
_AUDITS = "CREATE TABLE IF NOT EXISTS audits (source TEXT NOT NULL, path TEXT, target TEXT)"
_SCHEMA = (
    """
    CREATE TABLE decisions (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        row INTEGER NOT NULL,
        verdict TEXT NOT NULL,
        label TEXT,
        note TEXT NOT NULL,
        person TEXT NOT NULL,
        made TEXT NOT NULL,
        undoes INTEGER REFERENCES decisions,
        given TEXT NOT NULL,
        name TEXT NOT NULL,
        source TEXT NOT NULL
    )
    """,
    """
    CREATE TRIGGER decisions_stay BEFORE UPDATE ON decisions
    BEGIN SELECT RAISE(ABORT, 'decisions are never changed'); END
    """,
    """
    CREATE TRIGGER decisions_remain BEFORE DELETE ON decisions
    BEGIN SELECT RAISE(ABORT, 'decisions are never removed'); END
    """,
    f"PRAGMA user_version = {_FORMAT}",
)


class Audited(NamedTuple):
    """What was audited: the data's checksum, the file's place and the target, where there are."""

    source: str
    path: str | None
    target: str | None

    def is_version_of(self, other: "Audited") -> bool:
        """Whether it is the same table, perhaps changed or moved since, and the same target."""
        is_same = self.source == other.source or self.path == other.path
        return is_same and self.target == other.target


class NotSavedError(InputError):
    """A decision could not be written, for example because the disk is full.

    Examples
    --------
    >>> from hardy.audit.decisions import NotSavedError
    >>> issubclass(NotSavedError, ValueError)
    True
    """


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection | None]:
    """Open the file, or give None where nothing was written yet."""
    if not path.exists():
        yield None
        return
    try:
        with _connected(path, "rw") as connection:
            _refuse_empty(connection, path)
            yield connection
    except sqlite3.OperationalError as error:
        raise InputError(f"{path} can't be read ({error}).") from error


@contextmanager
def writing(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the file for one writer; what is written is on the disk when the block has ended.

    Raises
    ------
    NotSavedError
        Where it can't be written, as on a full disk; the file is then as it was.
    """
    try:
        if not path.exists():
            _make(path)
        with _connected(path, "rw") as connection:
            _refuse_empty(connection, path)
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                # A full disk may have ended the transaction already.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
    except sqlite3.OperationalError as error:
        raise NotSavedError(
            f"The decision could not be saved in {path} ({error}). Nothing was changed; make "
            "room or give access, and try again."
        ) from error


def claim(path: Path) -> None:
    """Refuse a file that could take no decision, before anybody has made one."""
    try:
        if not path.exists():
            _make(path)
        with _connected(path, "rw") as connection:
            _refuse_empty(connection, path)
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("CREATE TABLE trial (number INTEGER)")
            connection.execute("ROLLBACK")
    except sqlite3.OperationalError as error:
        raise InputError(
            f"{path.parent} can't take decisions ({error}). Make it writable, or copy it to a "
            "folder that is."
        ) from error


def refuse_other(connection: sqlite3.Connection, path: Path, audited: Audited) -> None:
    """Refuse the decisions on the rows of other files or targets."""
    known = _list_audits(connection)
    if known and not any(audited.is_version_of(other) for other in known):
        one = min(known, key=str)
        of = f" (of {one.target!r} in {one.path})" if one.path else ""
        raise InputError(
            f"{path} holds the decisions of another audit{of}. Put the right one back, or remove "
            "it."
        )


def _list_audits(connection: sqlite3.Connection) -> set[Audited]:
    """Give the audits whose rows were decided on; none where an earlier version wrote."""
    known = "SELECT 1 FROM sqlite_master WHERE name = 'audits'"
    if connection.execute(known).fetchone() is None:
        return set()
    return {Audited(*row) for row in connection.execute("SELECT source, path, target FROM audits")}


def add_audit(connection: sqlite3.Connection, audited: Audited) -> None:
    """Write down whose rows are decided on, once."""
    connection.execute(_AUDITS)
    if audited not in _list_audits(connection):
        connection.execute("INSERT INTO audits VALUES (?, ?, ?)", audited)


def _make(path: Path) -> None:
    """Make the file whole or not at all: an empty one would be taken for one that was lost."""
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with _connected(fresh, "rwc") as connection:
            connection.execute("BEGIN IMMEDIATE")
            for statement in _SCHEMA:
                connection.execute(statement)
            connection.execute("COMMIT")
        _give_name(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


def _give_name(fresh: Path, path: Path) -> None:
    """Name a file without replacing another one, which somebody may write into by now."""
    try:
        os.link(fresh, path)
    except FileExistsError:
        pass
    except OSError:
        # A disk without links, such as a memory stick.
        if not path.exists():
            fresh.rename(path)


def _refuse_empty(connection: sqlite3.Connection, path: Path) -> None:
    if not _version(connection):
        raise InputError(
            f"{path} is empty, as after a copy that broke off. Put a copy of it back; or remove "
            "it, if nothing was decided."
        )


def _refuse_foreign(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that does more than hold decisions: whoever made it chose what happens."""
    more = _objects(connection) - _own_objects()
    if more:
        kind, name, _ = min(more, key=str)
        raise InputError(
            f"{path} holds more than decisions (the {kind} {name!r}). Put a copy of it back, or "
            "remove it."
        )


@cache
def _own_objects() -> frozenset[tuple[str, str, str]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in (*_SCHEMA, _AUDITS):
            connection.execute(statement)
        return _objects(connection)


def _objects(connection: sqlite3.Connection) -> frozenset[tuple[str, str, str]]:
    """Give the tables, triggers and views of a file, by what made them."""
    found = connection.execute(_OBJECTS)
    return frozenset((kind, name, " ".join(str(sql).split())) for kind, name, sql in found)


def _refuse_planted(path: Path) -> None:
    """Refuse files beside it through which SQLite would write or remove others."""
    # SQLite looks beside the file that a link leads to.
    path = Path(os.path.realpath(path))
    for ending in ("-journal", "-wal", "-shm"):
        beside = path.with_name(path.name + ending)
        try:
            is_regular = stat.S_ISREG(beside.lstat().st_mode)
            end = _last_bytes(beside) if is_regular and ending == "-journal" else b""
        # It is gone again where another writer has finished; others can't be read by SQLite either.
        except OSError:
            continue
        if not is_regular or end == _OF_A_LARGER_ONE:
            raise InputError(f"{beside} is nothing that Hardy writes; remove it.")


def _last_bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - len(_OF_A_LARGER_ONE)))
        return file.read()


@contextmanager
def _connected(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    _refuse_planted(path)
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=_PATIENCE,
        isolation_level=None,
    )
    try:
        # Pages that lead back to each other would be read for ever.
        connection.set_progress_handler(lambda: True, _MOST_STEPS)
        # On the disk, with the folder's entry of the journal, before a decision is confirmed.
        connection.execute("PRAGMA synchronous = EXTRA")
        if _version(connection) > _FORMAT:
            raise InputError(f"{path} was written by a newer version of Hardy; use that one.")
        _refuse_foreign(connection, path)
        yield connection
    except sqlite3.OperationalError:
        raise
    # Even the words of an error can be damaged, where it names a part of the file.
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path} is damaged or holds no decisions ({error}). Put a copy of it back, or "
            "remove it."
        ) from error
    finally:
        connection.close()


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
