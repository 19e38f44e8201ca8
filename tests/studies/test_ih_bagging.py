import pandas as pd
import pytest

from hardy.studies.agreement import read_published
from hardy.studies.ih_bagging import METHODS, HardnessBagging
from needs import needs_data


def test_the_protocol_is_the_thesiss():
    cells = pd.DataFrame(HardnessBagging().cells(quick=False))
    counts = cells.groupby(["dataset", "noise_percent", "method"]).size()
    assert len(counts) == 15 * 6 * 5
    assert set(counts) == {10}
    published = read_published("walmsley2017_accuracy")
    assert set(published["dataset"]) == set(cells["dataset"])
    assert set(published["method"]) == set(cells["method"]) == set(METHODS)


def test_the_published_means_give_the_published_tests():
    published = read_published("walmsley2017_accuracy")
    results = published.rename(columns={"noise": "noise_percent", "mean": "accuracy_percent"})
    tables = HardnessBagging().tables(results.assign(repeat=0))
    ranks = tables["ranks"]
    expected = [2.6933e-9, 3.8499e-10, 9.6280e-11, 1.0532e-11, 1.7848e-10, 0.1712]
    for word in ("published", "ours"):
        rows = ranks[ranks["of"] == word]
        assert rows["friedman_pvalue"].tolist() == pytest.approx(expected, rel=1e-4)
        assert set(rows["n_datasets"]) == {15}
        pairs = {
            "Perceptron – Proposed (Linear)", "Perceptron – Proposed (Softmax)",
            "Random Subspace – Bagging", "Random Subspace – Proposed (Linear)",
            "Random Subspace – Proposed (Softmax)", "Bagging – Proposed (Linear)",
        }  # fmt: skip
        for percent in (30, 40):
            (found,) = rows.loc[rows["noise_percent"] == percent, "pairs_that_differ"]
            assert set(found.split("; ")) == pairs


@pytest.mark.parametrize("method", METHODS)
def test_a_cell_is_a_cross_validation(method):
    cell = {"dataset": "make_moons", "noise_percent": 10, "method": method, "repeat": 0}
    study = HardnessBagging()
    found = study.evaluate(cell, study.load(cell, None))
    assert 65 < found["accuracy_percent"] < 95
    assert study.evaluate(cell, study.load(cell, None)) == found


@needs_data
def test_noisy_rows_are_drawn_harder_than_clean_ones():
    published = read_published("walmsley2017_accuracy").query("noise < 20")
    results = published.rename(columns={"noise": "noise_percent", "mean": "accuracy_percent"})
    figures = HardnessBagging().figures(results.assign(repeat=0), None)
    levels = {f"critical_difference_{percent}" for percent in (0, 10)}
    assert set(figures) == levels | {"hardness_by_noise", "hardness_at_10_percent"}
    for ax in figures["hardness_by_noise"].axes:
        noisy, clean = (container.lines[0].get_ydata() for container in ax.containers)
        assert (noisy[:3] > clean[:3] + 0.2).all()
