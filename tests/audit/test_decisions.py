import os
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from dataclasses import replace

import pandas as pd
import pytest

from hardy.audit.decisions import ConflictError, Decisions, NotSavedError, claim_decisions
from hardy.exceptions import InputError


@pytest.fixture
def decisions(tmp_path, make_audit):
    return Decisions(tmp_path, make_audit())


def said(decision):
    return decision.verdict, decision.label, decision.note, decision.person


class TestRecord:
    def test_the_last_decision_on_a_row_counts_and_none_is_forgotten(self, decisions):
        assert decisions.latest() == {}
        decisions.record(0, "relabel", label="spam", person="Ada", note="obvious")
        decisions.record(0, "drop", person="Bob")
        decisions.record(1, "skip", person="Bob")
        assert {row: said(d) for row, d in decisions.latest().items()} == {
            0: ("drop", None, "", "Bob"),
            1: ("skip", None, "", "Bob"),
        }
        assert list(decisions.settled()) == [0]
        assert said(decisions.history()[0]) == ("relabel", "spam", "obvious", "Ada")
        assert [d.number for d in decisions.history()] == [1, 2, 3]

    def test_a_label_that_is_the_given_one_is_kept(self, decisions):
        assert decisions.record(0, "relabel", label="ham").verdict == "keep"

    def test_nobody_overwrites_what_they_did_not_see(self, decisions):
        first = decisions.record(0, "keep", person="Ada", version=0)
        with pytest.raises(ConflictError, match="Ada kept the label of this row") as error:
            decisions.record(0, "drop", person="Bob", version=0)
        assert error.value.current == first
        assert decisions.record(0, "drop", person="Bob", version=first.number).verdict == "drop"

    def test_the_same_click_twice_is_one_decision(self, decisions):
        first = decisions.record(0, "keep", person="Ada", version=0)
        assert decisions.record(0, "keep", person="Ada", version=0) == first
        assert len(decisions.history()) == 1

    def test_of_many_at_once_one_wins(self, decisions):
        outcomes = []

        def decide(person):
            try:
                decisions.record(0, "drop", person=person, version=0)
                outcomes.append(person)
            except ConflictError:
                outcomes.append(None)

        people = [threading.Thread(target=decide, args=(f"p{n}",)) for n in range(8)]
        for person in people:
            person.start()
        for person in people:
            person.join()
        assert len(outcomes) == 8
        assert sum(outcome is not None for outcome in outcomes) == 1
        assert len(decisions.history()) == 1

    @pytest.mark.parametrize(
        ("row", "verdict", "options", "message"),
        [
            (40, "keep", {}, "no row 41"),
            (0, "burn", {}, "unknown"),
            (0, "relabel", {}, "belongs to"),
            (0, "keep", {"label": "ham"}, "belongs to"),
            (0, "relabel", {"label": "eggs"}, "none of the labels"),
            (0, "keep", {"note": "x" * 10_001}, "10,000 letters"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, decisions, row, verdict, options, message):
        with pytest.raises(InputError, match=message):
            decisions.record(row, verdict, **options)
        assert decisions.history() == []


class TestUndo:
    def test_it_brings_back_the_state_before_and_goes_on_backwards(self, decisions):
        decisions.record(0, "keep", person="Ada")
        decisions.record(0, "drop", person="Ada")
        decisions.record(1, "drop", person="Ada")
        assert (decisions.undo("Ada").row, decisions.undo("Ada").verdict) == (1, "keep")
        assert decisions.undo("Ada").verdict == "open"
        assert decisions.settled() == {}
        with pytest.raises(InputError, match="nothing to undo"):
            decisions.undo("Ada")
        assert len(decisions.history()) == 6

    def test_what_another_person_decided_since_stays(self, decisions):
        decisions.record(0, "keep", person="Ada")
        decisions.record(0, "drop", person="Bob")
        with pytest.raises(ConflictError, match="Bob dropped this row"):
            decisions.undo("Ada")
        assert decisions.latest()[0].verdict == "drop"


class TestFile:
    def test_an_older_copy_that_is_put_back_is_read_anew(self, decisions, tmp_path):
        decisions.record(0, "keep")
        copy = decisions.path.read_bytes()
        decisions.record(1, "keep")
        assert list(decisions.latest()) == [0, 1]
        decisions.path.write_bytes(copy)
        assert list(decisions.latest()) == [0]
        for row in (2, 3):
            Decisions(tmp_path, decisions._audit).record(row, "drop")
        assert list(decisions.latest()) == [0, 2, 3]

    def test_nothing_in_it_can_be_changed(self, decisions):
        decisions.record(0, "keep")
        with sqlite3.connect(decisions.path) as connection:
            for change in ("UPDATE decisions SET verdict = 'drop'", "DELETE FROM decisions"):
                with pytest.raises(sqlite3.IntegrityError, match="never"):
                    connection.execute(change)
        connection.close()

    def test_a_full_disk_loses_nothing_and_says_so(self, decisions, monkeypatch):
        decisions.record(0, "keep", person="Ada")
        connect = sqlite3.connect

        def connect_to_full_disk(*args, **options):
            connection = connect(*args, **options)
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {pages}")
            return connection

        monkeypatch.setattr("sqlite3.connect", connect_to_full_disk)
        with pytest.raises(NotSavedError, match="full"):
            decisions.record(1, "keep", note="x" * 10_000)
        monkeypatch.undo()
        assert [d.row for d in decisions.history()] == [0]
        assert decisions.record(1, "keep", note="x" * 10_000).number == 2

    def test_a_writer_that_is_killed_loses_no_confirmed_decision(self, tmp_path, decisions):
        code = (
            "import sys; sys.path.insert(0, 'tests')\n"
            "from audit.conftest import build_audit\n"
            "from hardy.audit.decisions import Decisions\n"
            "decisions = Decisions(sys.argv[1], build_audit())\n"
            "while True:\n"
            "    print(decisions.record(0, 'skip').number, flush=True)\n"
        )
        writer = subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        confirmed = [int(writer.stdout.readline()) for _ in range(20)]
        writer.kill()
        confirmed += [int(line) for line in writer.stdout.read().split("\n")[:-1]]
        writer.wait()
        writer.stdout.close()
        numbers = [d.number for d in decisions.history()]
        assert numbers[: len(confirmed)] == confirmed
        assert decisions.record(1, "keep").number == len(numbers) + 1

    def test_damage_is_named(self, decisions):
        decisions.path.write_bytes(b"no database at all" * 100)
        for use in (decisions.latest, lambda: decisions.record(0, "keep")):
            with pytest.raises(InputError, match=r"decisions\.sqlite is damaged"):
                use()
        with pytest.raises(InputError, match="damaged"):
            claim_decisions(decisions.path.parent)

    def test_a_newer_format_is_refused(self, decisions):
        decisions.record(0, "keep")
        connection = sqlite3.connect(decisions.path)
        connection.execute("PRAGMA user_version = 9")
        connection.close()
        with pytest.raises(InputError, match="newer version"):
            decisions.latest()

    def test_a_folder_that_can_take_none_is_refused(self, tmp_path, decisions):
        (tmp_path / "decisions.sqlite").mkdir()
        with pytest.raises(InputError, match="can't take decisions"):
            claim_decisions(tmp_path)

    def test_a_claimed_folder_holds_none(self, decisions):
        claim_decisions(decisions.path.parent)
        claim_decisions(decisions.path.parent)
        assert decisions.history() == []
        assert decisions.record(2, "drop").number == 1
        assert [file.name for file in decisions.path.parent.iterdir()] == ["decisions.sqlite"]

    def test_an_empty_file_is_told(self, decisions):
        decisions.path.touch()
        for use in (
            decisions.latest,
            lambda: decisions.record(0, "keep"),
            lambda: claim_decisions(decisions.path.parent),
        ):
            with pytest.raises(InputError, match=r"decisions\.sqlite is empty"):
                use()
        assert decisions.path.stat().st_size == 0

    def test_a_disk_that_is_full_from_the_start_leaves_no_empty_file(self, decisions, monkeypatch):
        connect = sqlite3.connect

        def connect_to_full_disk(*args, **options):
            connection = connect(*args, **options)
            connection.execute("PRAGMA max_page_count = 1")
            return connection

        monkeypatch.setattr("sqlite3.connect", connect_to_full_disk)
        with pytest.raises(InputError, match="full"):
            claim_decisions(decisions.path.parent)
        assert list(decisions.path.parent.iterdir()) == []

    @pytest.mark.parametrize("taken", [True, False])
    def test_it_is_made_where_files_have_no_links(self, decisions, monkeypatch, taken):
        def refuse(source, target):
            if taken:
                source.rename(target)
            raise OSError("Operation not permitted")

        monkeypatch.setattr("os.link", refuse)
        assert decisions.record(2, "drop").number == 1
        assert [file.name for file in decisions.path.parent.iterdir()] == ["decisions.sqlite"]


class TestOtherData:
    def test_decisions_follow_the_names_of_rows_into_another_version(self, tmp_path, make_audit):
        names = pd.Index([f"case {n}" for n in range(40)], name="case")
        source = {"sha256": "a" * 64}
        before = make_audit(index=names, source=source)
        decisions = Decisions(tmp_path, before)
        decisions.record(0, "drop")
        decisions.record(5, "relabel", label="ham")
        decisions.record(6, "keep")
        given = before.given_labels.copy()
        given[7] = "spam"
        moved = replace(
            before,
            index=pd.Index([*names[1:7], *names[:1], *names[7:]], name="case")[:39],
            given_labels=given[[*range(1, 7), 0, *range(7, 39)]],
            doubt=before.doubt[:39],
            source={"sha256": "b" * 64},
        )
        found = Decisions(tmp_path, moved)
        assert {row: d.verdict for row, d in found.latest().items()} == {
            6: "drop",
            4: "relabel",
            5: "keep",
        }
        assert found.lost() == 0

    def test_rows_that_are_gone_or_labelled_anew_are_counted(self, tmp_path, make_audit):
        names = pd.Index([f"case {n}" for n in range(40)])
        before = make_audit(index=names, source={"sha256": "a" * 64})
        decisions = Decisions(tmp_path, before)
        decisions.record(0, "drop")
        decisions.record(1, "drop")
        given = before.given_labels.copy()
        given[0] = "spam"
        after = replace(
            before,
            index=names.where(names != "case 1", "case x"),
            given_labels=given,
            source={"sha256": "b" * 64},
        )
        found = Decisions(tmp_path, after)
        assert (found.latest(), found.lost()) == ({}, 2)

    def test_without_names_no_row_of_another_version_is_known(self, tmp_path, make_audit):
        Decisions(tmp_path, make_audit(source={"sha256": "a" * 64})).record(0, "drop")
        other = Decisions(tmp_path, make_audit(source={"sha256": "b" * 64}))
        assert (other.latest(), other.lost()) == ({}, 1)

    def test_decisions_of_another_file_or_target_are_refused(self, tmp_path, make_audit):
        names = pd.Index([f"case {n}" for n in range(40)])
        source = {"sha256": "a" * 64, "path": "/a.csv", "target": "kind"}
        decisions = Decisions(tmp_path, make_audit(index=names, source=source))
        decisions.record(0, "drop")
        before = decisions.path.read_bytes()
        for change in (
            {"target": "state"},
            {"sha256": "b" * 64, "path": "/b.csv"},
            {"sha256": "b" * 64, "target": "state"},
        ):
            other = Decisions(tmp_path, make_audit(index=names, source={**source, **change}))
            for use in (other.settled, other.lost, lambda it=other: it.record(1, "keep")):
                with pytest.raises(InputError, match=r"another audit \(of 'kind' in /a\.csv\)"):
                    use()
        assert decisions.path.read_bytes() == before
        for change in ({"sha256": "b" * 64}, {"path": "/b.csv"}):
            other = Decisions(tmp_path, make_audit(index=names, source={**source, **change}))
            assert list(other.settled()) == [0]

    def test_in_memory_a_folder_of_other_data_is_refused(self, tmp_path, make_audit):
        audit = make_audit()
        X, y = [[0.0]] * 40, audit.given_labels
        with pytest.raises(InputError, match="no folder"):
            audit.clean(X, y, None, decisions=tmp_path / "none")
        assert len(audit.clean(X, y, None, decisions=tmp_path)[0]) == 40
        Decisions(tmp_path, make_audit(n=38)).record(0, "drop")
        with pytest.raises(InputError, match="None of the decisions"):
            audit.clean(X, y, None, decisions=tmp_path)


_FIELDS = (
    "1 AS number, 1 AS row, 'keep' AS verdict, NULL AS label, '' AS note, '' AS person, "
    "'' AS made, NULL AS undoes, '' AS given, '' AS name, '' AS source"
)
_ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"


def change_file(path, *statements):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TRIGGER decisions_stay")
        for statement in statements:
            connection.execute(statement)


class TestForgedFiles:
    @pytest.fixture
    def forged(self, decisions):
        """Decisions in a file that was there before, read by whoever knows nothing of it."""
        decisions.record(3, "relabel", label="ham", person="Ada")
        decisions.record(1, "drop")
        return Decisions(decisions.path.parent, decisions._audit)

    def refuse(self, forged, message):
        for use in (
            forged.latest,
            forged.lost,
            lambda: forged.record(5, "drop"),
            lambda: forged.undo("Ada"),
        ):
            with pytest.raises(InputError, match=message) as refused:
                use()
            assert "\n" not in str(refused.value)

    @pytest.mark.parametrize(
        "statements",
        [
            ["DROP TABLE decisions", f"CREATE VIEW decisions AS SELECT {_FIELDS}"],
            ["DROP TABLE audits", f"CREATE VIEW audits AS {_ENDLESS} SELECT i, i, i FROM n"],
            [
                "CREATE TRIGGER more AFTER INSERT ON decisions "
                "BEGIN UPDATE decisions SET verdict = 'drop' WHERE number = NEW.number; END"
            ],
            [
                "ALTER TABLE decisions ADD COLUMN more TEXT AS (hex(zeroblob(400000000)))",
            ],
            ["CREATE TABLE more (number INTEGER)"],
            [
                "CREATE TRIGGER more AFTER INSERT ON decisions "
                "BEGIN UPDATE decisions SET verdict = 'drop' WHERE number = NEW.number; END",
                "PRAGMA writable_schema = ON",
                "UPDATE sqlite_master SET name = 'sqlite_sequence', "
                "sql = replace(sql, 'TRIGGER more', 'TRIGGER sqlite_sequence') WHERE name = 'more'",
            ],
            [
                "PRAGMA writable_schema = ON",
                "UPDATE sqlite_master SET sql = "
                "'CREATE TABLE sqlite_sequence(name, seq AS (hex(zeroblob(400000000))))' "
                "WHERE name = 'sqlite_sequence'",
            ],
        ],
    )
    def test_a_file_that_does_more_than_hold_decisions_is_refused(self, forged, statements):
        change_file(forged.path, *statements)
        self.refuse(forged, "holds more than decisions")
        with pytest.raises(InputError, match="holds more than decisions"):
            claim_decisions(forged.path.parent)

    @pytest.mark.parametrize(
        "change",
        [
            "row = 'abc'",
            "row = 1.5",
            "verdict = 'eat'",
            "verdict = x'00'",
            "label = NULL",
            "verdict = 'keep'",
            "label = x'ff'",
            "note = x'ff00'",
            "person = x'00'",
            "undoes = 'abc'",
            "given = x'00'",
            "name = x'00'",
            "source = x'00'",
            "number = 9223372036854775807",
        ],
    )
    def test_lines_that_cannot_have_been_written_are_damage(self, forged, change):
        change_file(forged.path, f"UPDATE decisions SET {change} WHERE number = 1")
        self.refuse(forged, r"is damaged or holds no decisions \(decision \d+ is none")

    def test_pages_that_lead_to_one_another_are_not_read_for_ever(self, forged):
        """Four pages of four hundred ways, all to one line, would be 25 thousand million lines."""
        with closing(sqlite3.connect(forged.path)) as connection:
            find = "SELECT rootpage FROM sqlite_master WHERE name = 'decisions'"
            root = connection.execute(find).fetchone()[0] - 1
            size = connection.execute("PRAGMA page_size").fetchone()[0]
        data = bytearray(forged.path.read_bytes())
        first = len(data) // size + 1
        pages = [bytes(data[root * size : (root + 1) * size])]
        for child in range(first, first + 4):
            # A page of table b-tree's inner kind: a header, the places of its cells, the cells.
            page, place = bytearray(size), size
            for cell in range(400):
                place -= 5
                page[place : place + 5] = child.to_bytes(4, "big") + bytes([min(cell + 1, 127)])
                page[12 + 2 * cell : 14 + 2 * cell] = place.to_bytes(2, "big")
            page[0] = 5
            page[3:5], page[5:7] = (400).to_bytes(2, "big"), place.to_bytes(2, "big")
            page[8:12] = child.to_bytes(4, "big")
            pages.append(bytes(page))
        data[root * size : (root + 1) * size] = pages[-1]
        data += b"".join(pages)
        data[28:32] = (len(data) // size).to_bytes(4, "big")
        forged.path.write_bytes(data)
        self.refuse(forged, "is damaged or holds no decisions")

    def test_a_journal_that_names_another_file_has_it_not_removed(self, forged, tmp_path):
        """SQLite removes the file that a journal says it is part of, once it has played it back."""
        victim = tmp_path / "thesis.tex"
        victim.write_text("mine\n" * 100)
        magic = bytes.fromhex("d9d505f920a163d7")
        n_pages = forged.path.stat().st_size // 4096
        header = magic + b"".join(n.to_bytes(4, "big") for n in (0, 1, n_pages, 512, 4096))
        name = str(victim).encode()
        numbers = [
            number.to_bytes(4, "big") for number in (2**30 // 4096 + 1, len(name), sum(name))
        ]
        # Behind a link, where SQLite looks for it too.
        behind = forged.path.rename(forged.path.with_name("behind"))
        forged.path.symlink_to(behind)
        behind.with_name("behind-journal").write_bytes(
            header.ljust(512, b"\0") + numbers[0] + name + numbers[1] + numbers[2] + magic
        )
        self.refuse(forged, "behind-journal is nothing that Hardy writes")
        assert victim.exists()

    @pytest.mark.skipif(os.name == "nt", reason="needs POSIX pipes")
    @pytest.mark.parametrize("ending", ["-journal", "-wal", "-shm"])
    def test_a_pipe_beside_the_file_is_refused_at_once(self, forged, ending):
        os.mkfifo(f"{forged.path}{ending}")
        self.refuse(forged, f"decisions.sqlite{ending} is nothing that Hardy writes")

    def test_damage_that_spoils_the_words_of_its_error_is_one_line(self, forged):
        data = forged.path.read_bytes()
        forged.path.write_bytes(data.replace(b"decisions_stay", b"deci\xffions_stay"))
        self.refuse(forged, "decisions.sqlite")
