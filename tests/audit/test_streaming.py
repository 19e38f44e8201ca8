"""An audit within a memory limit finds what the audit in memory finds, and goes on where it was."""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from hardy._shelf import DiskShelf
from hardy.audit import audit_file, load_audit
from hardy.audit._streaming import check_limit
from hardy.exceptions import InputError
from hardy.noise import flip_labels
from hardy.panel.views import MOST_ROWS

pytest.importorskip("pyarrow")

# Makes 1,200 rows very many, in blocks of 250, and kills the process where a step is finished.
RUN = """
import os, signal, sys
from hardy import _shelf
from hardy.audit import _streaming, audit_file, labels, surroundings
from hardy.audit.findings import _copies, outliers
from hardy.panel import base, panel, trees, views

for module in (labels, surroundings, outliers, _copies, panel, views):
    module.FEW_ROWS = 100
for module in (labels, base, panel, views, trees, _streaming):
    module.MOST_ROWS = 500
views.BLOCK_ROWS = 250
path, output, limit, last = sys.argv[1:]
finish = _shelf.DiskShelf.finish

def finish_and_die(self, step, *arrays):
    finish(self, step, *arrays)
    print(step, flush=True)
    if step.startswith(last):
        os.kill(os.getpid(), signal.SIGKILL)

_shelf.DiskShelf.finish = finish_and_die
audit_file(path, "kind", output=output, memory_limit=limit or None, random_state=3)
"""
N_ROWS = 1200
ARRAYS = (
    "doubt", "is_suspect", "is_assessable", "pred_proba", "nearest_rows", "coordinates", "lines",
    "given_labels", "suggested_labels", "classes",
)  # fmt: skip


def run(path, output, limit="", last="nowhere"):
    command = [sys.executable, "-c", RUN, str(path), str(output), limit, last]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def make_table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N_ROWS, 3)).round(3)
    frame = pd.DataFrame(X, columns=list("abc"))
    frame["shape"] = np.where(X[:, 2] > 0, "round", "flat")
    frame["code"] = [f"N-{row:05d}" for row in range(N_ROWS)]
    frame.loc[rng.random(N_ROWS) < 0.05, "b"] = np.nan
    labels = np.where(X[:, 0] + 0.5 * X[:, 1] ** 2 > 0.3, "yes", "no")
    frame["kind"], _ = flip_labels(labels, 0.1, random_state=0)
    frame.loc[::50, "kind"] = None
    # Copies with other labels, a row unlike all others.
    frame.loc[N_ROWS - 8 :, ["a", "b", "c", "shape"]] = frame.loc[
        1:8, ["a", "b", "c", "shape"]
    ].to_numpy()
    frame.loc[5, "a"] = 900.0
    return frame


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("table") / "fruit.csv"
    make_table().to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def in_memory(table, tmp_path_factory):
    output = tmp_path_factory.mktemp("memory") / "fruit.audit"
    assert run(table, output).returncode == 0
    return output


@pytest.fixture(scope="module")
def cut_off(table, tmp_path_factory):
    """What a run leaves that is killed when it has read the table."""
    left = tmp_path_factory.mktemp("cut_off")
    killed = run(table, left / "fruit.audit", "64GB", last="table")
    assert killed.returncode == -signal.SIGKILL
    assert killed.stdout.split() == ["table"]
    return left


def check_same(one, other):
    first, second = load_audit(one), load_audit(other)
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name), err_msg=name)
    for kind, opinion in first.opinions.items():
        np.testing.assert_array_equal(opinion, second.opinions[kind])
    pd.testing.assert_frame_equal(first.values, second.values)
    pd.testing.assert_index_equal(first.index, second.index)
    assert first.noise_rate == second.noise_rate
    for name in ("suspects.csv", "findings.csv"):
        assert (one / name).read_bytes() == (other / name).read_bytes()
    documents = [json.loads((folder / "audit.json").read_text()) for folder in (one, other)]
    for document in documents:
        for made in ("created", "command"):
            document["source"].pop(made)
        document["arrays"].pop("sha256")
    assert documents[0] == documents[1]


def test_the_same_rows_are_flagged_after_kills_at_two_stages(table, cut_off, in_memory, tmp_path):
    output = tmp_path / "fruit.audit"
    shutil.copytree(cut_off, tmp_path, dirs_exist_ok=True)
    assert not output.exists()

    killed = run(table, output, "64GB", last="extra trees")
    assert killed.returncode == -signal.SIGKILL
    steps = killed.stdout.splitlines()
    assert [step.split(",")[1] for step in steps] == [" fold 0", " fold 1", " fold 0"]

    done = run(table, output, "64GB")
    assert done.returncode == 0, done.stderr
    assert [step.split(" ")[0] for step in done.stdout.splitlines()] == ["extra", *["linear"] * 2]
    assert [entry.name for entry in tmp_path.iterdir()] == ["fruit.audit"]
    check_same(in_memory, output)
    assert len(load_audit(output).findings) >= 2


def test_a_changed_file_is_begun_anew(table, tmp_path):
    path, output = tmp_path / "fruit.csv", tmp_path / "fruit.audit"
    path.write_bytes(table.read_bytes())
    assert run(path, output, "64GB", last="boosted trees").returncode == -signal.SIGKILL
    changed = make_table().iloc[::-1]
    changed.to_csv(path, index=False)
    done = run(path, output, "64GB")
    assert done.stdout.splitlines()[0] == "table"
    assert load_audit(output).given_labels[-1] is None


@pytest.fixture
def fish(tmp_path):
    rows = [f"{step / 50:.2f},{step % 2}" for step in range(200)]
    path = tmp_path / "fish.csv"
    path.write_text("\n".join(["size,kind", *rows]))
    return path


@pytest.mark.filterwarnings("ignore:The estimated noise rate")
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_few_rows_are_taken_into_memory(fish, tmp_path, ending):
    path = fish.with_suffix(f".{ending}")
    if ending == "parquet":
        pd.read_csv(fish).to_parquet(path)
    audits = [
        audit_file(path, "kind", output=tmp_path / str(limit), memory_limit=limit)
        for limit in (None, "64GB")
    ]
    np.testing.assert_array_equal(audits[0].doubt, audits[1].doubt)
    assert audits[0].given_labels.dtype == audits[1].given_labels.dtype
    assert len(audits[0].doubt) < MOST_ROWS


@pytest.mark.parametrize("limit", ["10 potatoes", "0", 0, -5, "-5MB", "", "MB", True, 1.5, "5iB"])
def test_limits_that_are_none(fish, tmp_path, limit):
    with pytest.raises(InputError, match="is no limit of memory: give a size above 0"):
        audit_file(fish, "kind", output=tmp_path / "out", memory_limit=limit)
    assert not (tmp_path / "out").exists()


def test_a_limit_that_is_too_small_says_what_would_do(fish, tmp_path):
    with pytest.raises(InputError, match=r"^A memory limit of 20MB is too small: the libraries"):
        audit_file(fish, "kind", output=tmp_path / "out", memory_limit="20MB")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["fish.csv"]


# The most that a run had, in MB, of which the libraries had 310.
@pytest.mark.parametrize(
    ("n_rows", "n_columns", "peak"),
    [(1_000_000, 20, 636), (300_000, 20, 517), (300_000, 5, 425), (150_000, 20, 528)],
)
def test_what_an_audit_needs_is_told_neither_too_small_nor_much_too_large(n_rows, n_columns, peak):
    base, shape = 310_000_000, (n_columns + 1, n_rows)
    with pytest.raises(InputError, match="is too small"):
        check_limit(peak * 1_000_000, base, *shape)
    check_limit(int(1.15 * peak * 1_000_000), base, *shape)


def test_embeddings_are_refused(fish, tmp_path):
    with pytest.raises(InputError, match="embeddings are held in memory"):
        audit_file(fish, "kind", embeddings="e.npy", memory_limit="64GB", output=tmp_path / "out")


def test_bad_input_and_full_disks_leave_nothing(fish, tmp_path, monkeypatch):
    with pytest.raises(InputError, match="no column 'nobody'"):
        audit_file(fish, "nobody", output=tmp_path / "out", memory_limit="64GB")

    def fill(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", fill)
    with pytest.raises(InputError, match="No space left on device"):
        audit_file(fish, "kind", output=tmp_path / "out", memory_limit="64GB")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["fish.csv"]


def test_two_runs_dont_share_a_place(fish, tmp_path):
    fcntl = pytest.importorskip("fcntl")
    place = tmp_path / ".out.part"
    place.mkdir()
    with (place / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(InputError, match="Another run is working at"):
            audit_file(fish, "kind", output=tmp_path / "out", memory_limit="64GB")


def test_steps_that_were_cut_off_dont_count(tmp_path):
    (tmp_path / "steps.txt").write_text('["one", {}]\n["tw')
    shelf = DiskShelf(tmp_path)
    assert shelf.is_done("one")
    assert not shelf.is_done("tw")
    shelf.zeros("numbers", (3,))[:] = 7
    assert shelf.zeros("numbers", (3,)).tolist() == [7, 7, 7]
    assert shelf.zeros("numbers", (2,)).tolist() == [0, 0]


@pytest.mark.parametrize("kept", [b"", b"\x93NUMPY", b'\x93NUMPY\1\0\4\0"""{', b"thesis"])
def test_what_is_no_array_is_made_anew(tmp_path, kept):
    (tmp_path / "numbers.npy").write_bytes(kept)
    assert DiskShelf(tmp_path).zeros("numbers", (3,)).tolist() == [0, 0, 0]


@pytest.mark.parametrize("name", ["lines.npy", "table.json", "table.arrow"])
def test_a_damaged_place_is_begun_anew(table, cut_off, in_memory, tmp_path, name):
    output = tmp_path / "fruit.audit"
    shutil.copytree(cut_off, tmp_path, dirs_exist_ok=True)
    (tmp_path / ".fruit.audit.part" / name).write_bytes(b"")
    done = run(table, output, "64GB")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "table"
    check_same(in_memory, output)


@pytest.mark.filterwarnings("ignore:The estimated noise rate")
def test_progress_tells_the_time_that_is_left(fish, tmp_path):
    told = []

    def progress(*what):
        told.append(what)

    audit_file(fish, "kind", output=tmp_path / "out", memory_limit="64GB", progress=progress)
    assert told[0][0].startswith("Checking")
    assert told[-1][1:] == (1000, 1000)
    assert any("left" in text for text, _, _ in told)
