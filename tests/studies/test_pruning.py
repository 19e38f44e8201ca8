import numpy as np
import pandas as pd
import pytest

from hardy.studies.agreement import read_published
from hardy.studies.pruning import METHODS, Pruning
from needs import needs_data


@pytest.fixture
def published():
    return read_published("cantador2005_pruning_tables1to3").set_index("dataset")


def as_results(published):
    """Write what was published as cells, three repetitions around it."""
    rows = [
        pd.DataFrame(
            {
                "dataset": published.index,
                "method": method,
                "repeat": repeat,
                "acc": published[f"{stage}_acc"].to_numpy(),
                "a_pos": published[f"{stage}_a_pos"].to_numpy() + 0.1 * (repeat - 1),
                "a_neg": published[f"{stage}_a_neg"].to_numpy() - 0.1 * (repeat - 1),
                "size": published[f"{stage}_size"].to_numpy(),
                "iterations": published["mean_iterations"].to_numpy(),
            }
        )
        for stage, method in (("initial", "initial"), ("final", "drop_nb"))
        for repeat in (0, 1, 2)
    ]
    return pd.concat(rows, ignore_index=True)


def test_the_papers_g_is_that_of_its_mean_accuracies(published):
    g = np.sqrt(published["initial_a_pos"] * published["initial_a_neg"])
    np.testing.assert_allclose(g, published["initial_g"], atol=0.06)


def test_the_published_tables_agree_with_themselves(published):
    tables = Pruning().tables(as_results(published))
    rest = tables["tables_2_and_3"].set_index(["dataset", "quantity"])
    assert len(rest) == 7 * 11
    np.testing.assert_allclose(rest["ours"], rest["published"], rtol=0.002, atol=0.1)
    first = tables["table_1"].set_index(["dataset", "method"])
    dropped = first.xs("drop_nb", level="method")
    np.testing.assert_allclose(dropped["ours"], dropped["published"], atol=0.2)
    assert "geometric_mean" in Pruning().figures(as_results(published), None)


def test_the_protocol_is_the_papers():
    cells = pd.DataFrame(Pruning().cells(quick=False))
    counts = cells.groupby(["dataset", "method"]).size().unstack()
    assert set(counts.drop(columns=["one_sided_1nn", "one_sided_tree"]).to_numpy().ravel()) == {10}
    selected = counts["one_sided_tree"].dropna()
    assert set(selected.index) == {"vehicle", "vowel", "glass"}


@needs_data
@pytest.mark.parametrize("method", METHODS)
def test_a_cell_is_a_cross_validation(method):
    if method.startswith("one_sided"):
        pytest.importorskip("imblearn")
    study = Pruning()
    cell = {"dataset": "glass", "method": method, "repeat": 0}
    found = study.evaluate(cell, study.load(cell, None))
    assert set(found) == set(study.measures)
    # Nine tenths of 214 rows, less what was removed.
    assert (found["size"] == pytest.approx(192.6)) == (found["iterations"] == 0)
    assert found["size"] <= 192.6
    assert found["acc"] > 85
    # 29 headlamps among 214 rows: what is right is a mean of both kinds, up to the folds' sizes.
    mixed = (29 * found["a_pos"] + 185 * found["a_neg"]) / 214
    assert found["acc"] == pytest.approx(mixed, abs=1.0)
