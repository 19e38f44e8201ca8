import os
import stat

import pytest

from hardy._files import as_path, atomic_write
from hardy.exceptions import InputError


@pytest.fixture
def umask():
    before = os.umask(0o027)
    yield 0o027
    os.umask(before)


@pytest.mark.parametrize(
    ("mode", "content", "expected"),
    [("w", "ä\r\nb\n", "ä\r\nb\n".encode()), ("wb", b"\x00\xff\r\n", b"\x00\xff\r\n")],
)
def test_what_is_written_is_there(tmp_path, mode, content, expected):
    path = tmp_path / "a.txt"
    path.write_bytes(b"old, and longer than the new one")
    with atomic_write(path, mode) as file:
        file.write(content)
    assert path.read_bytes() == expected
    assert list(tmp_path.iterdir()) == [path]


def test_nothing_shows_before_the_end(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with atomic_write(path) as file:
        file.write("new")
        file.flush()
        assert path.read_text() == "old"
    assert path.read_text() == "new"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_an_error_leaves_the_old_file_and_no_rest(tmp_path, error):
    path = tmp_path / "a.txt"
    path.write_text("old")

    def write():
        with atomic_write(path) as file:
            file.write("half of the n")
            raise error

    with pytest.raises(error):
        write()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_leaves_no_new_file(tmp_path):
    with pytest.raises(ZeroDivisionError), atomic_write(tmp_path / "a.txt") as file:
        file.write(str(1 / 0))
    assert list(tmp_path.iterdir()) == []


def test_permissions_follow_the_umask(tmp_path, umask):
    with atomic_write(tmp_path / "a.txt") as file:
        file.write("a")
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o666 & ~umask
    assert os.umask(umask) == umask


def test_a_missing_folder_is_named_by_what_was_asked_for(tmp_path):
    path = tmp_path / "none" / "a.txt"
    with pytest.raises(FileNotFoundError) as caught, atomic_write(path):
        pass
    assert caught.value.filename == str(path)


def test_a_folder_in_the_way_stays(tmp_path):
    (tmp_path / "a.txt").mkdir()
    with pytest.raises(InputError, match=r"a\.txt"), atomic_write(tmp_path / "a.txt") as file:
        file.write("a")
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_a_link_stays_a_link(tmp_path):
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    link.symlink_to(real)
    with atomic_write(link) as file:
        file.write("new")
    assert link.is_symlink()
    assert real.read_text() == "new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match="no regular file"), atomic_write(pipe):
        pass
    assert pipe.is_fifo()


@pytest.mark.parametrize("place", [3, None, b"a", "a\0b", ["a"]])
def test_what_is_no_path_is_refused(place):
    with pytest.raises(InputError, match="is no path of a file or a folder"):
        as_path(place)


def test_a_link_to_itself_is_refused(tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises((InputError, OSError)), atomic_write(tmp_path / "loop") as file:
        file.write("x")
    assert (tmp_path / "loop").is_symlink()
