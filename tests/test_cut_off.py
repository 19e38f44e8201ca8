"""Where the work of a run is kept that may be cut off."""

import os
from pathlib import Path

import pytest

from hardy._cut_off import working_place
from hardy.exceptions import InputError


def work(folder, step=None):
    """Work at a place; give the first number that was kept there, and keep 7."""
    with working_place(folder / "fruit.audit", {}) as shelf:
        numbers = shelf.zeros("numbers", (2,))
        found = numbers[0]
        numbers[:] = 7
        if step:
            shelf.finish(step, numbers)
            raise KeyboardInterrupt
    return found


@pytest.fixture
def place(tmp_path):
    """What a run leaves that was cut off."""
    with pytest.raises(KeyboardInterrupt):
        work(tmp_path, "counting")
    return tmp_path / ".fruit.audit.part"


@pytest.fixture
def victim(tmp_path):
    victim = tmp_path / "thesis.tex"
    victim.write_text("mine")
    return victim


def test_what_was_kept_is_used_again(place, tmp_path):
    assert work(tmp_path) == 7
    assert not place.exists()


@pytest.mark.parametrize("is_there", [True, False])
def test_a_link_in_the_place_of_the_folder_is_refused(tmp_path, is_there):
    victim = tmp_path / "victim"
    place = tmp_path / ".fruit.audit.part"
    place.symlink_to(victim)
    if is_there:
        victim.mkdir()
        (victim / "thesis.tex").write_text("mine")
    with pytest.raises(InputError, match=r"\.fruit\.audit\.part, where .* is no folder; remove it"):
        work(tmp_path)
    assert place.is_symlink()
    assert victim.exists() == is_there
    assert not is_there or [entry.name for entry in victim.iterdir()] == ["thesis.tex"]


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / ".fruit.audit.part").write_text("mine")
    with pytest.raises(InputError, match="is no folder; remove it"):
        work(tmp_path)
    assert (tmp_path / ".fruit.audit.part").read_text() == "mine"


def test_a_folder_that_holds_something_else_is_not_emptied(tmp_path):
    (tmp_path / ".fruit.audit.part").mkdir()
    (tmp_path / ".fruit.audit.part" / "thesis.tex").write_text("mine")
    with pytest.raises(InputError, match="holds something else; move it away"):
        work(tmp_path)
    assert [entry.name for entry in (tmp_path / ".fruit.audit.part").iterdir()] == ["thesis.tex"]


@pytest.fixture
def give_away(monkeypatch):
    """Let a folder be another user's; who may not do so only sees it so."""

    def give_away(path, user=12345):
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            os.chown(path, user, -1)
            return
        lstat = Path.lstat

        def others(self):
            found = lstat(self)
            return os.stat_result([*found[:4], user, *found[5:]]) if self == path else found

        monkeypatch.setattr(Path, "lstat", others)

    return give_away


def test_a_folder_of_another_user_is_refused(place, tmp_path, give_away):
    """In a folder for everybody, such as that of temporary files, anybody may have made it."""
    give_away(place)
    before = sorted(entry.name for entry in place.iterdir())
    with pytest.raises(InputError, match=r"\.fruit\.audit\.part, where .* belongs to another user"):
        work(tmp_path)
    assert sorted(entry.name for entry in place.iterdir()) == before
    assert [entry.name for entry in tmp_path.iterdir()] == [place.name]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs POSIX owners")
def test_nobody_else_may_enter_the_place(tmp_path):
    before = os.umask(0)
    try:
        with working_place(tmp_path / "fruit.audit", {}) as shelf:
            assert shelf.folder.stat().st_mode & 0o777 == 0o700
    finally:
        os.umask(before)


@pytest.mark.parametrize("is_there", [True, False])
def test_a_link_in_the_place_of_the_lock_is_not_written_through(tmp_path, victim, is_there):
    (tmp_path / ".fruit.audit.part").mkdir()
    (tmp_path / ".fruit.audit.part" / "lock").symlink_to(victim)
    if not is_there:
        victim.unlink()
    with pytest.raises(InputError, match="lock is no regular file; remove it"):
        work(tmp_path)
    assert victim.exists() == is_there
    assert not is_there or victim.read_text() == "mine"


@pytest.mark.parametrize("plant", [os.symlink, os.link])
@pytest.mark.parametrize(
    "name", ["numbers.part", "numbers.npy", "steps.txt", "work.json", "panel/numbers.part"]
)
def test_links_within_the_place_are_not_written_through(place, tmp_path, victim, name, plant):
    if name == "numbers.npy":
        (place / name).replace(victim)
    (place / "panel").mkdir()
    (place / name).unlink(missing_ok=True)
    plant(victim, place / name)
    before = victim.read_bytes()
    assert work(tmp_path) == 0
    assert victim.read_bytes() == before


def test_a_link_to_a_folder_within_the_place_is_not_emptied(place, tmp_path, victim):
    (tmp_path / "other").mkdir()
    victim.rename(tmp_path / "other" / "thesis.tex")
    (place / "panel").symlink_to(tmp_path / "other")
    assert work(tmp_path) == 0
    assert (tmp_path / "other" / "thesis.tex").read_text() == "mine"


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX pipes")
def test_a_pipe_within_the_place_is_never_read(place, tmp_path):
    (place / "work.json").unlink()
    os.mkfifo(place / "work.json")
    assert work(tmp_path) == 0


def cut(path):
    path.write_bytes(path.read_bytes()[:-1])


def spoil(path):
    path.write_bytes(bytes(path.stat().st_size))


def empty(path):
    path.write_bytes(b"")


@pytest.mark.parametrize("damage", [cut, spoil, empty, os.unlink])
@pytest.mark.parametrize("name", ["numbers.npy", "work.json"])
def test_a_place_that_was_damaged_is_made_anew(place, tmp_path, name, damage):
    damage(place / name)
    assert work(tmp_path) == 0


@pytest.mark.parametrize(
    "line",
    [b"\xff", b"counting", b"[]", b"[[], {}]", b'["counting", 5]', b"[" * 10**5],
    ids=range(6),
)
def test_steps_that_are_none_mean_that_nothing_is_done(place, tmp_path, line):
    (place / "steps.txt").write_bytes(line + b"\n")
    assert work(tmp_path) == 0


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX pipes")
def test_a_pipe_in_the_place_of_the_lock_is_refused_at_once(tmp_path):
    (tmp_path / ".fruit.audit.part").mkdir()
    os.mkfifo(tmp_path / ".fruit.audit.part" / "lock")
    with (
        pytest.raises(InputError, match="lock is no regular file"),
        working_place(tmp_path / "fruit.audit", {}),
    ):
        pass
