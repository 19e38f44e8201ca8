"""Tables with more rows than are held in several forms: a plan of their own, and blocks."""

import numpy as np
import pandas as pd
import pytest

import hardy
from hardy.audit import labels, surroundings
from hardy.audit.findings import outliers
from hardy.noise import flip_labels
from hardy.panel import base, panel, views

N_ROWS = 1200


@pytest.fixture
def few(monkeypatch):
    """Make 1,200 rows very many."""
    for module in (labels, surroundings, outliers, panel, views):
        monkeypatch.setattr(module, "FEW_ROWS", 100)
    for module in (base, views):
        monkeypatch.setattr(module, "MOST_ROWS", 500)
    monkeypatch.setattr("hardy.panel.trees.MOST_ROWS", 500)
    monkeypatch.setattr("hardy.audit.findings._copies.FEW_ROWS", 100)
    monkeypatch.setattr(views, "BLOCK_ROWS", 250)


def make_table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N_ROWS, 4))
    y = np.where(X[:, 0] + 0.5 * X[:, 1] ** 2 > 0.3, "yes", "no")
    noisy, is_flipped = flip_labels(y, 0.1, random_state=0)
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["kind"] = np.where(X[:, 2] > 0, "round", "flat")
    return frame, noisy, is_flipped


def test_flips_are_found_in_samples_and_blocks(few):
    frame, noisy, is_flipped = make_table()
    audit = hardy.audit_labels(frame, noisy, random_state=0)
    assert set(audit.opinions) == {"boosted trees", "extra trees", "linear model"}
    assert is_flipped[np.argsort(-audit.doubt)[:60]].mean() > 0.8
    assert audit.coordinates.shape == (N_ROWS, 2)
    shown = int(audit.suspects[0])
    assert (audit.nearest_rows[shown] >= 0).all()
    assert "nearest row" in audit.explain(shown)[-1]
    trusted = int(np.argmin(audit.doubt))
    assert "panel gives" in audit.explain(trusted)[-1]


def test_the_folds_are_two_unless_named(few):
    frame, noisy, _ = make_table()
    members = []

    class Counting(hardy.AdaBoostClassifier):
        def fit(self, X, y, sample_weight=None):
            members.append(len(X))
            return super().fit(X, y, sample_weight)

    numbers = frame[list("abcd")]
    for cv, n_fits in ((None, 2), (3, 3)):
        members.clear()
        hardy.audit_labels(
            numbers, noisy, estimator=Counting(n_estimators=2), use_panel=False, cv=cv,
            random_state=0,
        )  # fmt: skip
        # One's own detector is fitted on all rows of the fold.
        assert members == [N_ROWS - N_ROWS // n_fits] * n_fits


def test_rows_without_a_label_are_predicted_in_blocks(few):
    frame, noisy, _ = make_table()
    some = np.arange(N_ROWS) % 100 == 0
    labels_given = pd.Series(noisy).mask(some)
    audit = hardy.audit_labels(frame, labels_given, random_state=0)
    agrees = audit.suggested_labels[some] == make_table()[1][some]
    assert agrees.mean() > 0.6
    assert audit.doubt[some].max() == 0


def test_strangers_are_found_in_blocks(few):
    frame, noisy, _ = make_table()
    frame.loc[[7, 900], ["a", "b", "c", "d"]] = 1e6
    audit = hardy.audit_labels(frame, noisy, random_state=0)
    (finding,) = [f for f in audit.findings if f.kind == "unlike_all_others"]
    assert {7, 900} <= set(finding.rows.tolist())
