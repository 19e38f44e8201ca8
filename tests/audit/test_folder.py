"""The renewal of an audit's folder: at every moment the earlier audit is there, or the new one."""

import dataclasses
import itertools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from hardy.annotators import find_consensus
from hardy.audit import load_audit
from hardy.audit._folder import staging_folder
from hardy.audit.storage import claim_folder, save_audit
from hardy.exceptions import InputError

FILES = ["arrays.npz", "audit.json", "findings.csv", "report.html", "suspects.csv"]
ROWS = pd.Index(list("pqrstuvwxyz"))


class Killed(BaseException):
    """The process is gone: nothing is tidied up after it."""


@pytest.fixture
def audits(make_audit):
    """An audit without annotators, and one with."""
    said = pd.DataFrame({"ann": ["b", "b"] * 8, "bob": ["a", "b"] * 8}).iloc[: len(ROWS)]
    consensus = find_consensus(said.set_index(ROWS))
    made = {
        "few": make_audit(n=len(ROWS), n_suspects=1),
        "many": make_audit(n=len(ROWS), n_suspects=3, consensus=consensus),
    }
    return {name: dataclasses.replace(audit, index=ROWS) for name, audit in made.items()}


def save_until(moment, audit, folder):
    """Save an audit, but for all that would change places from that moment on; say if it was."""
    done = 0

    def watched(change):
        def run(*arguments, **options):
            nonlocal done
            done += 1
            if done >= moment:
                raise Killed
            return change(*arguments, **options)

        return run

    with pytest.MonkeyPatch.context() as patch:
        for name in ("replace", "rename", "unlink", "rmdir"):
            patch.setattr(Path, name, watched(getattr(Path, name)))
        patch.setattr(shutil, "rmtree", watched(shutil.rmtree))
        try:
            save_audit(audit, folder)
        except Killed:
            return True
        return False


@pytest.mark.parametrize(("earlier", "later"), [("few", "many"), ("many", "few")])
def test_whenever_a_renewal_is_killed_one_audit_or_the_other_is_there(
    audits, tmp_path, earlier, later
):
    save_audit(audits[earlier], tmp_path / "before")
    found = []
    for moment in itertools.count(1):
        folder = shutil.copytree(tmp_path / "before", tmp_path / str(moment))
        was_killed = save_until(moment, audits[later], folder)
        there = load_audit(folder)
        found.append({1: "few", 3: "many"}[there.is_suspect.sum()])
        assert (there.consensus is None) == (audits[found[-1]].consensus is None)
        assert not (folder / ".hardy-renewal.part").exists()
        claim_folder(folder)
        assert load_audit(folder).is_suspect.sum() == there.is_suspect.sum()
        told = len(pd.read_csv(folder / "suspects.csv"))
        assert told == audits[found[-1]].is_suspect.sum() + 2
        assert (folder / "consensus.csv").exists() == (there.consensus is not None)
        if not was_killed:
            break
    # From one moment on it is the new one.
    assert found == sorted(found, key=[earlier, later].index)
    assert set(found) == {earlier, later}
    assert moment > len(FILES)
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        [*FILES, *(["consensus.csv"] if later == "many" else [])]
    )


def test_another_folders_files_are_not_moved_through_a_link(audits, tmp_path):
    save_audit(audits["few"], tmp_path / "mine")
    save_audit(audits["many"], tmp_path / "others")
    (tmp_path / "mine" / ".hardy-renewal.part").symlink_to(tmp_path / "others")
    assert load_audit(tmp_path / "mine").is_suspect.sum() == 1
    with pytest.raises(InputError, match="none of Hardy's renewals"):
        save_audit(audits["few"], tmp_path / "mine")
    assert load_audit(tmp_path / "mine").is_suspect.sum() == 1
    assert load_audit(tmp_path / "others").is_suspect.sum() == 3


def test_a_place_that_was_left_empty_does_not_matter(audits, tmp_path):
    save_audit(audits["few"], tmp_path)
    (tmp_path / ".hardy-renewal.part").mkdir()
    save_audit(audits["many"], tmp_path)
    assert load_audit(tmp_path).is_suspect.sum() == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*FILES, "consensus.csv"])


def test_what_was_damaged_in_the_place_does_not_last(audits, tmp_path):
    """Without its document, the rest is no renewal."""
    save_audit(audits["few"], tmp_path)
    (tmp_path / ".hardy-renewal.part").mkdir()
    (tmp_path / ".hardy-renewal.part" / "arrays.npz").write_bytes(b"of another audit")
    save_audit(audits["many"], tmp_path)
    assert load_audit(tmp_path).is_suspect.sum() == 3
    assert not (tmp_path / ".hardy-renewal.part").exists()


def test_what_is_not_hardys_in_the_place_is_refused_before_any_work(audits, tmp_path):
    save_audit(audits["few"], tmp_path)
    (tmp_path / ".hardy-renewal.part").mkdir()
    (tmp_path / ".hardy-renewal.part" / "thesis.tex").write_text("mine")
    with pytest.raises(InputError, match=r"renewal\.part is none of Hardy's renewals; remove it"):
        claim_folder(tmp_path)
    assert (tmp_path / ".hardy-renewal.part" / "thesis.tex").read_text() == "mine"
    assert load_audit(tmp_path).is_suspect.sum() == 1


@pytest.mark.skipif(os.name == "nt", reason="there are no such locks")
def test_what_processes_that_are_gone_have_left_is_removed(audits, tmp_path):
    (tmp_path / ".hardy-left.part").mkdir()
    (tmp_path / ".hardy-left.part" / "report.html").write_text("half")
    with staging_folder(tmp_path) as at_work:
        save_audit(audits["few"], tmp_path)
        assert at_work.is_dir()
        assert not (tmp_path / ".hardy-left.part").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == FILES


SAVING = """
import sys
from hardy.audit import load_audit
few, many, place = sys.argv[1:]
audits = [load_audit(few), load_audit(many)]
for time in range(30):
    audits[time % 2].save(place)
"""


@pytest.mark.skipif(os.name == "nt", reason="there are no such locks")
def test_one_audit_or_the_other_is_read_while_two_processes_renew_it(audits, tmp_path):
    places = [tmp_path / name for name in (*audits, "place")]
    for name, folder in zip((*audits, "few"), places, strict=True):
        save_audit(audits[name], folder)
    call = [sys.executable, "-c", SAVING, *map(str, places)]
    writers = [subprocess.Popen(call) for _ in range(2)]
    while any(writer.poll() is None for writer in writers):
        there = load_audit(places[-1])
        assert (there.consensus is not None) == (there.is_suspect.sum() == 3)
    assert [writer.returncode for writer in writers] == [0, 0]
