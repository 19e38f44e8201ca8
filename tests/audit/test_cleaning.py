import numpy as np
import pytest

from hardy.audit.cleaning import list_changes, plan_cleaning
from hardy.audit.decisions import Decision, Decisions
from hardy.audit.estimates import errors_left
from hardy.audit.expectation import expect_precision
from hardy.audit.summary import summarise_precision
from hardy.exceptions import InputError


def careful(audit):
    """The less of doubt and of what other tables have taught."""
    return np.minimum(audit.error_probability, audit.doubt)


class TestPlan:
    def test_without_an_action_only_decisions_count(self, make_audit):
        audit = make_audit()
        plan = plan_cleaning(
            audit,
            {
                0: Decision(1, 0, "drop"),
                1: Decision(2, 1, "relabel", "ham"),
                2: Decision(3, 2, "keep"),
            },
        )
        assert np.flatnonzero(plan.drop).tolist() == [0]
        assert np.flatnonzero(plan.codes != audit.given_codes).tolist() == [1]
        assert not plan.is_automatic.any()
        assert (plan.weight == 1).all()

    def test_an_action_leaves_settled_rows_alone(self, make_audit):
        audit = make_audit()
        plan = plan_cleaning(audit, {0: Decision(1, 0, "keep")}, action="drop")
        assert np.flatnonzero(plan.drop).tolist() == [1, 2, 3]
        plan = plan_cleaning(audit, {0: Decision(1, 0, "keep")}, action="weight")
        assert plan.weight[[0, 1]].tolist() == pytest.approx([1, 1 - audit.doubt[1]])

    def test_as_many_as_the_precision_allows(self, make_audit):
        audit = make_audit()
        p = careful(audit)[:4]
        for n_rows in range(1, 5):
            plan = plan_cleaning(audit, action="drop", min_precision=p[:n_rows].mean())
            assert np.flatnonzero(plan.drop).tolist() == list(range(n_rows))
        assert not plan_cleaning(audit, action="drop", min_precision=(1 + p[0]) / 2).drop.any()

    @pytest.mark.parametrize("n_rows", [1, 2, 4])
    def test_the_precision_is_the_one_that_the_audit_tells(self, make_audit, n_rows):
        audit = make_audit()
        told = next(cut for cut in summarise_precision(audit) if cut["rows"] == n_rows)
        plan = plan_cleaning(audit, action="drop", min_precision=told["careful"] - 1e-6)
        assert plan.drop.sum() == n_rows
        assert plan.precision == pytest.approx(told["careful"], abs=1e-6)
        # Rows that are likelier wrong than their doubt says make no other row pass.
        assert (audit.error_probability[plan.drop] > audit.doubt[plan.drop]).any()
        assert told["careful"] <= told["expected"]

    @pytest.mark.parametrize("action", ["drop", "relabel"])
    def test_what_somebody_skipped_is_left_for_them(self, make_audit, action):
        audit = make_audit()
        seen = {0: Decision(1, 0, "skip"), 1: Decision(2, 1, "open", note="hm")}
        plan = plan_cleaning(audit, seen, action=action)
        assert np.flatnonzero(plan.is_automatic).tolist() == [1, 2, 3]
        assert not plan.drop[0]
        assert plan.codes[0] == audit.given_codes[0]

    def test_relabelling_asks_how_sure_the_suggestion_is(self, make_audit):
        proba = make_audit().pred_proba.copy()
        proba[0] = [0.5, 0.5]
        audit = make_audit(pred_proba=proba)
        plan = plan_cleaning(audit, action="relabel", min_precision=careful(audit)[0])
        assert np.flatnonzero(plan.is_automatic).tolist() == [0]

    def test_relabelling_asks_which_class_it_is(self, make_audit):
        audit = make_audit(classes=("a", "b", "c"))
        proba = audit.pred_proba.copy()
        # It is no a, but may as well be b as c.
        proba[0] = [0.1, 0.45, 0.45]
        audit = make_audit(classes=("a", "b", "c"), pred_proba=proba)
        p = careful(audit)
        plan = plan_cleaning(audit, action="relabel", min_precision=p[1:4].mean() * 0.9)
        assert np.flatnonzero(plan.is_automatic).tolist() == [1, 2, 3]

    def test_bad_options_are_named(self, make_audit):
        with pytest.raises(InputError, match="action='burn' is unknown"):
            plan_cleaning(make_audit(), action="burn")
        for share in (1.5, "much"):
            with pytest.raises(InputError, match="must be a share"):
                plan_cleaning(make_audit(), action="drop", min_precision=share)


def test_the_log_says_what_who_when_and_why(make_audit):
    audit = make_audit()
    settled = {
        1: Decision(1, 1, "relabel", "ham", person="Ada", made="2026-01-01T00:00:00+00:00"),
        2: Decision(2, 2, "drop", note="twice", person="Bob", made="2026-01-02T00:00:00+00:00"),
        3: Decision(3, 3, "keep", person="Bob"),
    }
    first, second, third = list_changes(audit, plan_cleaning(audit, settled, action="drop"))
    assert (first["row"], first["change"], first["who"]) == (1, "drop", "hardy")
    assert first["why"].startswith("doubt 0.95: ")
    assert second == {
        "row": 2,
        "line": 3,
        "id": None,
        "change": "relabel",
        "before": "spam",
        "after": "ham",
        "who": "Ada",
        "when": "2026-01-01T00:00:00+00:00",
        "why": "; ".join(audit.explain(1)),
    }
    assert (third["after"], third["why"]) == (None, "twice")


class TestErrorsLeft:
    def test_the_sum_of_the_doubts_before_any_decision(self, make_audit):
        audit = make_audit()
        p = audit.doubt[:4]
        left = errors_left(audit, {})
        assert left.expected == pytest.approx(p.sum())
        told = expect_precision(p, p, [4]).loc[4]
        assert (left.low, left.high) == pytest.approx((4 * told["low"], 4 * told["high"]))

    def test_false_alarms_lower_it_and_at_the_end_nothing_is_left(self, make_audit):
        audit = make_audit()
        kept = {row: Decision(row, row, "keep") for row in range(2)}
        assert errors_left(audit, kept).expected < errors_left(audit, {}).expected / 3
        wrong = {row: Decision(row, row, "drop") for row in range(2)}
        assert errors_left(audit, wrong).expected > audit.doubt[2:4].sum()
        kept = {row: Decision(row, row, "keep") for row in range(4)}
        assert errors_left(audit, kept) == (0, 0, 0)


class TestCleanInMemory:
    def test_decisions_come_first(self, tmp_path, make_audit):
        audit = make_audit(n_unlabelled=0)
        decisions = Decisions(tmp_path, audit)
        decisions.record(0, "keep")
        decisions.record(20, "drop")
        decisions.record(21, "relabel", label="ham")
        X, y = np.arange(40)[:, None], audit.given_labels
        X_kept, y_kept = audit.clean(X, y, decisions=tmp_path)
        assert np.setdiff1d(np.arange(40), X_kept).tolist() == [1, 2, 3, 20]
        assert y_kept[X_kept[:, 0] == 21].tolist() == ["ham"]
        X_kept, _, weight = audit.clean(X, y, "weight", decisions=tmp_path)
        assert len(X_kept) == 39
        assert weight[[0, 1]].tolist() == pytest.approx([1, 1 - audit.doubt[1]])

    def test_only_decisions(self, tmp_path, make_audit):
        audit = make_audit()
        Decisions(tmp_path, audit).record(39, "relabel", label="spam")
        X, y = np.arange(40)[:, None], audit.given_labels
        X_kept, y_kept = audit.clean(X, y, None, decisions=tmp_path)
        assert len(X_kept) == 40
        assert (y_kept[38], y_kept[39]) == (None, "spam")

    def test_a_stated_precision(self, make_audit):
        audit = make_audit(n_unlabelled=0)
        X_kept, _ = audit.clean(
            np.arange(40)[:, None],
            audit.given_labels,
            min_precision=careful(audit)[:2].mean(),
        )
        assert np.setdiff1d(np.arange(40), X_kept).tolist() == [0, 1]
