import numpy as np
import pandas as pd
import pytest

from hardy.audit import Decisions, audit_again, audit_file, load_audit
from hardy.audit.decisions import Decision
from hardy.audit.trust import restore_given, settle_labels
from hardy.exceptions import InputError


def test_integers_stay_integers():
    labels = pd.Series([0, 1, 1, 0])
    settled = {
        0: Decision(1, 0, "relabel", 1),
        1: Decision(2, 1, "drop"),
        2: Decision(3, 2, "keep"),
    }
    assert settle_labels(labels, settled).tolist() == [1, None, 1, 0]
    assert [type(label) for label in settle_labels(labels, settled)][2:] == [int, int]
    assert settle_labels(labels, {}) is labels


def test_settled_rows_are_trusted(make_audit):
    audit = make_audit(n_unlabelled=0)
    given = pd.Series(audit.given_labels)
    settled = {
        0: Decision(1, 0, "relabel", "spam"),
        1: Decision(2, 1, "keep"),
        7: Decision(3, 7, "drop"),
    }
    judged = make_audit(n_unlabelled=0, given_labels=settle_labels(given, settled).to_numpy())
    trusted = restore_given(judged, given, settled)
    assert trusted.suspects.tolist() == [2, 3]
    assert trusted.doubt[[0, 1, 7]].tolist() == [0, 0, 0]
    assert trusted.suggested_labels[[0, 1, 7]].tolist() == ["spam", "spam", "spam"]
    assert trusted.given_labels.tolist() == audit.given_labels.tolist()
    assert trusted.judged_codes[[0, 1, 7]].tolist() == [1, 1, -1]
    assert trusted.noise_rate == pytest.approx(0.08 + 2 / 40)


def test_a_dropped_row_counts_as_an_error_and_a_row_without_a_label_as_none(make_audit):
    audit = make_audit(n_unlabelled=2)
    is_assessable = audit.is_assessable & (np.arange(40) != 7)
    settled = {7: Decision(1, 7, "drop"), 39: Decision(2, 39, "relabel", "ham")}
    trusted = restore_given(
        make_audit(n_unlabelled=2, is_assessable=is_assessable),
        pd.Series(audit.given_labels),
        settled,
    )
    # Of 37 judged rows 8 %, and one more of 38.
    assert trusted.noise_rate == pytest.approx((0.08 * 37 + 1) / 38)


@pytest.fixture
def fish(tmp_path):
    rng = np.random.default_rng(1)
    kind = np.arange(80) % 2
    frame = pd.DataFrame(
        {
            "number": [f"F{n:02d}" for n in range(80)],
            "size": (1 + 4 * kind + rng.normal(scale=0.3, size=80)).round(3),
            "note": "x",
            "kind": kind,
        }
    )
    frame.loc[[4, 9, 30], "kind"] ^= 1
    frame.to_csv(tmp_path / "fish.csv", index=False)
    return tmp_path / "fish.csv"


class TestAgain:
    def test_settled_rows_are_learnt_from_and_no_suspects(self, fish, tmp_path):
        audit = audit_file(fish, "kind", output=tmp_path / "out", keep=["note"], random_state=3)
        assert {4, 9} <= set(audit.suspects.tolist())
        decisions = Decisions(tmp_path / "out", audit)
        decisions.record(4, "relabel", label=0)
        decisions.record(9, "keep")
        decisions.record(30, "drop")
        again = audit_again(tmp_path / "out")
        assert not {4, 9, 30} & set(again.suspects.tolist())
        assert again.given_labels.tolist() == audit.given_labels.tolist()
        assert again.source["kept"] == ["note"]
        assert again.source["id"] == "number"
        reread = load_audit(tmp_path / "out")
        assert reread.judged_codes[[4, 9, 30]].tolist() == [0, 0, -1]
        assert reread.judged_codes.tolist() == again.judged_codes.tolist()
        # The reasons are those against the given label, 1, which the log gives for the change.
        near = int((again.judged_codes[again.nearest_rows[4]] == 0).sum())
        assert near > 5
        assert again.explain(4)[:2] == [
            f"{near} of its 10 nearest rows are `0`",
            f"{len(again.opinions)} of {len(again.opinions)} detectors disagree",
        ]
        assert Decisions(tmp_path / "out", again).settled().keys() == {4, 9, 30}

    def test_a_new_version_of_the_file_finds_its_decisions_by_name(self, fish, tmp_path):
        audit = audit_file(fish, "kind", output=tmp_path / "out")
        Decisions(tmp_path / "out", audit).record(9, "keep")
        lines = fish.read_text().splitlines()
        fish.write_text("\n".join([lines[0], *lines[2:]]) + "\n")
        with pytest.raises(InputError, match="checksum differs"):
            audit_again(tmp_path / "out")
        renewed = audit_file(fish, "kind", output=tmp_path / "out")
        assert 3 in renewed.suspects
        assert 8 not in renewed.suspects
        assert renewed.judged_codes[8] == renewed.given_codes[8]
