import json

import numpy as np
import pandas as pd
import pytest

import hardy
from hardy.distributed import _audited, audit_labels
from hardy.distributed._audited import AuditedBlocks
from hardy.exceptions import InputError, NotAssessableWarning
from hardy.noise import flip_labels

FAST = {"cv": 2, "n_rounds": 2, "random_state": 0}


@pytest.fixture(scope="module")
def table():
    """Columns of several kinds with holes, and labels a tenth of which are wrong."""
    rng = np.random.default_rng(0)
    true = np.array(["ash", "elm", "oak"])[rng.integers(0, 3, size=180)]
    place = pd.Categorical(true).codes
    frame = pd.DataFrame(
        {
            "height": 4.0 * place + rng.normal(size=180),
            "bark": np.array(["smooth", "ridged", "rough"])[(place + (rng.random(180) < 0.1)) % 3],
            "width": rng.normal(size=180),
        },
        index=np.arange(1000, 1180),
    )
    frame.loc[1005, "height"] = np.nan
    given, flipped = flip_labels(true, 0.1, exact=True, random_state=1)
    return frame, given, flipped


def as_frames(table, n_blocks):
    import dask.dataframe as dd

    frame = dd.from_pandas(table[0].assign(kind=table[1]), npartitions=n_blocks)
    return frame[["height", "bark", "width"]], frame["kind"]


def test_the_same_rows_are_flagged_however_they_are_split(table):
    audits = [audit_labels(*as_frames(table, n_blocks), **FAST) for n_blocks in (1, 2, 7)]
    first = audits[0].rows.compute()
    assert audits[2].rows.npartitions == 7
    for audit in audits[1:]:
        rows = audit.rows.compute()
        assert rows.index.tolist() == table[0].index.tolist()
        assert rows["is_suspect"].tolist() == first["is_suspect"].tolist()
        assert rows["suggested_label"].tolist() == first["suggested_label"].tolist()
        np.testing.assert_allclose(rows["doubt"], first["doubt"], atol=1e-9)
        assert audit.noise_rate == pytest.approx(audits[0].noise_rate, abs=1e-12)
        pd.testing.assert_frame_equal(audit.transition_matrix, audits[0].transition_matrix)
    assert first["given_label"].tolist() == table[1].tolist()
    found = first["is_suspect"].to_numpy()
    assert audits[0].n_suspects == found.sum()
    assert (found & table[2]).sum() >= 14
    assert (found & ~table[2]).sum() <= 4


def test_it_finds_what_the_audit_in_memory_finds(table):
    frame, given, flipped = table
    there = hardy.audit_labels(frame, given, random_state=0)
    here = audit_labels(*as_frames(table, 2), **FAST)
    doubt = here.rows["doubt"].compute().to_numpy()
    worst = np.argsort(-doubt)[: flipped.sum()]
    assert flipped[worst].mean() > flipped[np.argsort(-there.doubt)[: flipped.sum()]].mean() - 0.1
    assert here.noise_rate == pytest.approx(there.noise_rate, abs=0.05)
    assert set(here.detector_weights.index) == {*there.detector_weights.index, "boosted stumps"}
    assert here.detector_weights.sum() == pytest.approx(1)


def test_arrays_with_missing_labels_small_classes_and_empty_blocks(table):
    import dask.array as da

    X = table[0][["height", "width"]].to_numpy()
    given = table[1].astype(object)
    given[3], given[:2] = None, "yew"
    given[4] = "ash"
    blocks = [da.from_array(X[a:b], chunks=-1) for a, b in ((0, 90), (90, 90), (90, 180))]
    labels = [da.from_array(given[a:b], chunks=-1) for a, b in ((0, 90), (90, 90), (90, 180))]
    with pytest.warns(NotAssessableWarning, match="yew"):
        audit = audit_labels(da.concatenate(blocks), da.concatenate(labels), **FAST)
    rows = audit.rows.compute()
    assert rows.index.tolist() == list(range(180))
    assert rows["is_assessable"].tolist() == [False, False, True, False] + [True] * 176
    assert rows["given_label"].isna().tolist() == [row == 3 for row in range(180)]
    assert rows["suggested_label"].iloc[3] in {"ash", "elm", "oak"}
    assert rows["doubt"].iloc[[0, 1, 3]].tolist() == [0, 0, 0]
    judged = rows[~rows["is_suspect"] & rows["given_label"].notna()]
    assert (judged["suggested_label"] == judged["given_label"]).all()
    assert (rows["suggested_label"] != rows["given_label"])[rows["is_suspect"]].all()


def test_rows_with_nothing_in_them_are_not_assessable(table):
    frame = table[0].copy()
    frame.loc[[1007, 1100], :] = None
    with pytest.warns(NotAssessableWarning, match=r"Rows without .* assessed: 7, 100\."):
        rows = audit_labels(*as_frames((frame, table[1]), 3), **FAST).rows.compute()
    assert rows.index[~rows["is_assessable"]].tolist() == [1007, 1100]
    assert not rows.loc[[1007, 1100], "is_suspect"].any()


def test_a_sample_of_the_rows_may_be_all_that_the_panel_is_trained_on(table):
    audits = [
        audit_labels(*as_frames(table, n_blocks), max_sample_rows=90, **FAST) for n_blocks in (2, 7)
    ]
    found = [audit.rows["is_suspect"].compute().to_numpy() for audit in audits]
    assert (found[0] == found[1]).all()
    assert (found[0] & table[2]).sum() >= 12


def test_folds_are_even_and_the_sample_random_however_rows_are_split(table):
    drawn = []
    for n_blocks in (1, 2, 7):
        data = AuditedBlocks.lay_out(*as_frames(table, n_blocks))
        rng = np.random.RandomState(3)
        folds = data.draw_folds(4, rng)
        sample = data.draw_sample(folds, 60, rng).compute()
        drawn.append((np.concatenate(folds.gather(np.copy)), sample.views.original["height"]))
        assert isinstance(sample, _audited.Sample)
    for folds, heights in drawn[1:]:
        assert (folds == drawn[0][0]).all()
        pd.testing.assert_series_equal(heights, drawn[0][1])
    assert 30 < len(drawn[0][1]) < 90
    for label in set(table[1]):
        counts = np.bincount(drawn[0][0][table[1] == label])
        assert np.ptp(counts) <= 1
    steps = np.diff(drawn[0][0][table[1] == "elm"])
    assert len(set(steps)) > 4  # Not always one after the other.


def test_it_is_written_in_partitions(tmp_path, table):
    pq = pytest.importorskip("pyarrow.parquet")
    audit = audit_labels(*as_frames(table, 3), n_rounds=0, cv=2, random_state=0)
    assert "boosted stumps" not in audit.detector_weights
    assert repr(audit).startswith("DistributedLabelAudit(180 rows, ")
    audit.save(tmp_path / "found")
    files = sorted((tmp_path / "found" / "rows").glob("*.parquet"))
    assert len(files) == 3
    rows = pd.concat([pq.read_table(file).to_pandas() for file in files])
    assert rows["is_suspect"].sum() == audit.n_suspects
    assert rows.index.tolist() == table[0].index.tolist()
    summary = json.loads((tmp_path / "found" / "summary.json").read_text())
    assert summary["noise_rate"] == audit.noise_rate
    assert summary["classes"] == ["ash", "elm", "oak"]
    with pytest.raises(InputError, match="exists already"):
        audit.save(tmp_path / "found")


def test_there_are_no_more_folds_than_rows_of_a_class(table, in_blocks):
    X, y = in_blocks(2, table[0][["height"]].fillna(0).to_numpy()[:12], table[1][:12])
    most = pd.Series(table[1][:12]).value_counts().max()
    told = [
        audit_labels(X, y, cv=cv, n_rounds=0, random_state=0).rows.compute()["doubt"]
        for cv in (most, 10**12)
    ]
    np.testing.assert_array_equal(*told)


def test_what_cant_be_audited_is_refused(table, in_blocks):
    X, y = as_frames(table, 2)
    with pytest.raises(InputError, match="cv=1 must be"):
        audit_labels(X, y, cv=1)
    with pytest.raises(InputError, match="X is a DataFrame"):
        audit_labels(table[0], y)
    with pytest.raises(InputError, match="Every label is ash"):
        audit_labels(X, y.map(lambda label: "ash", meta=("kind", "object")))
    endless = np.where(np.arange(100) == 60, np.inf, 1.0)[:, None]
    with pytest.raises(InputError, match=r"block 1 of the rows.*infinite value in row 10"):
        audit_labels(*in_blocks(2, endless, np.arange(100) % 2))
    with pytest.raises(InputError, match="regression task"):
        audit_labels(*in_blocks(2, endless[:50], np.random.default_rng(0).normal(size=50)))
