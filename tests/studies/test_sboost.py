import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata

from hardy.studies.sboost import SelectiveBoosting
from needs import needs_data

KEYS = ["dataset", "noise_percent", "member", "method"]


def test_there_are_twenty_data_sets_four_levels_and_two_members():
    cells = pd.DataFrame(SelectiveBoosting().cells(quick=False))
    assert cells[KEYS].nunique().tolist() == [20, 4, 2, 9]
    assert not cells.duplicated().any()


def test_methods_are_ranked_over_the_data_sets():
    cells = pd.DataFrame(SelectiveBoosting().cells(quick=False))
    rng = np.random.default_rng(0)
    results = cells.assign(accuracy_percent=rng.uniform(60, 90, len(cells)).round(2))
    tables = SelectiveBoosting().tables(results)
    comparison = tables["comparison"].set_index(["member", "noise_percent", "method"])
    assert len(comparison) == 2 * 4 * 9
    means = results.groupby(KEYS)["accuracy_percent"].mean().unstack("method")
    some = means.xs(20, level="noise_percent").xs("tree", level="member")
    ranks = pd.DataFrame(rankdata(-some, axis=1), columns=some.columns).mean()
    found = comparison.loc[("tree", 20)]
    np.testing.assert_allclose(found["average_rank"], ranks[found.index])
    np.testing.assert_allclose(found["error_percent"], 100 - some.mean()[found.index])
    assert np.isnan(found.loc["selective", "holm_pvalue"])
    assert found["holm_pvalue"].drop("selective").between(0, 1).all()
    assert len(tables["by_dataset"]) == 20 * 2 * 4 * 9


@needs_data
@pytest.mark.parametrize("member", ["stump", "tree"])
@pytest.mark.parametrize("method", ["selective", "logitboost", "robust_boost"])
def test_a_cell_is_a_cross_validation(member, method):
    cell = {
        "dataset": "vertebral", "noise_percent": 10, "member": member, "method": method, "repeat": 0
    }  # fmt: skip
    study = SelectiveBoosting()
    found = study.evaluate(cell, study.load(cell, None))
    assert 65 < found["accuracy_percent"] < 95
