import pandas as pd
import pytest

from hardy.exceptions import InputError
from hardy.studies import reproduce, study_names
from hardy.studies.nr_boosting import NoiseReducingBoosting
from hardy.studies.reproducing import count_within, find_study, show


@pytest.fixture
def small(monkeypatch):
    """Noise-reducing boosting on some cells only, and no figures."""
    cells = [
        cell
        for cell in NoiseReducingBoosting().cells(quick=True)
        if cell["method"] == "pp_bagging" and cell["dataset"] == "twonorm"
    ]
    monkeypatch.setattr(
        NoiseReducingBoosting, "cells", lambda self, quick: cells[: 4 if quick else 6]
    )
    return cells


def test_every_study_is_found_by_its_name():
    for name in study_names():
        study = find_study(name)
        assert study.name == name
        for cell in study.cells(quick=True)[:3]:
            assert tuple(cell) == study.keys


def test_the_folder_holds_cells_tables_figures_and_a_page(small, tmp_path):
    done = reproduce("nr-boosting", tmp_path / "out", quick=True)
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["cells.csv", "figure_1.png", "figure_2.png", "index.html", "table_1.csv"]
    table = pd.read_csv(tmp_path / "out" / "table_1.csv")
    (twonorm,) = table.query("dataset == 'twonorm' and noise_percent == 0 and n == n")["ours"]
    cells = done.results.query("noise_percent == 0")
    assert twonorm == pytest.approx(cells["accuracy_percent"].mean(), abs=1e-3)
    page = done.page.read_text()
    assert "hardy reproduce nr-boosting" in page
    assert "4 of 6 cells" in " ".join(page.split())
    assert 'src="figure_2.png"' in page


def test_a_run_goes_on_where_it_was(small, tmp_path):
    reproduce("nr-boosting", tmp_path, quick=True)
    before = (tmp_path / "cells.csv").read_text()
    told = []
    reproduce("nr-boosting", tmp_path, progress=lambda *arguments: told.append(arguments[1:]))
    assert told == [(5, 6), (6, 6)]
    assert (tmp_path / "cells.csv").read_text().startswith(before)


def test_failed_cells_are_told_and_count_for_nothing(small, tmp_path, monkeypatch):
    evaluate = NoiseReducingBoosting.evaluate

    def fail(self, cell, data):
        if cell["noise_percent"]:
            raise ValueError("<b>no</b>")
        return evaluate(self, cell, data)

    monkeypatch.setattr(NoiseReducingBoosting, "evaluate", fail)
    done = reproduce("nr-boosting", tmp_path, quick=True)
    assert done.results["error"].notna().sum() == 3
    assert done.tables["table_1"]["ours"].notna().sum() == 1
    assert "3 of" in " ".join(done.page.read_text().split())
    monkeypatch.setattr(NoiseReducingBoosting, "evaluate", lambda *_: 1 / 0)
    with pytest.raises(InputError, match="Every cell failed, the first one with ZeroDivisionError"):
        reproduce("nr-boosting", tmp_path / "other", quick=True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nrboosting",), "no study 'nrboosting'; did you mean 'nr-boosting'"),
        (("zzz",), "no study 'zzz'; there are nr-boosting"),
        (("blp", 3), "3 is no path"),
        (("blp", "no/such/folder"), "is no folder"),
    ],
)
def test_bad_input_is_named(arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=message):
        reproduce(*arguments, quick=True)
    assert list(tmp_path.iterdir()) == []


def test_cells_are_written_for_people():
    assert [show(value) for value in (0.5, 0.0001, None, 3, "word", 0.0)] == [
        "0.50", "1.0e-04", "–", "3", "word", "0.00",
    ]  # fmt: skip
    assert count_within(pd.DataFrame({"within": ["yes", "no", ""]})).startswith("1 of 2 figures")
    assert count_within(pd.DataFrame({"within": [""]})) == ""
