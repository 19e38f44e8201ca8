import pytest

from hardy.studies.nr_boosting import NoiseReducingBoosting


@pytest.fixture
def small(monkeypatch, tmp_path):
    """Noise-reducing boosting on two cells."""
    cells = [
        cell
        for cell in NoiseReducingBoosting().cells(quick=True)
        if cell["method"] == "pp_boosting" and cell["dataset"] == "twonorm"
    ][:2]
    monkeypatch.setattr(NoiseReducingBoosting, "cells", lambda self, quick: cells)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_prints_the_table_and_names_the_page(run, small):
    done = run("reproduce", "nr-boosting", "--quick")
    assert done.exit_code == 0, done.output
    for word in ("Noise-reducing boosting", "pp_boosting", "96.27", "published", "index.html"):
        assert word in done.stdout
    assert (small / "nr-boosting.reproduction" / "index.html").exists()


def test_the_folder_can_be_chosen(run, small):
    done = run("reproduce", "nr-boosting", "--quick", "--output", small / "here")
    assert done.exit_code == 0, done.output
    assert (small / "here" / "table_1.csv").exists()


def test_an_unknown_study_is_one_line(run, small):
    done = run("reproduce", "nr-bosting")
    assert done.exit_code == 2
    assert done.stderr.splitlines() == [
        "hardy: There is no study 'nr-bosting'; did you mean 'nr-boosting'? There are nr-boosting, "
        "pruning, blp, ih-bagging, sboost."
    ]
    assert list(small.iterdir()) == []


def test_a_damaged_file_of_cells_is_named(run, small):
    run("reproduce", "nr-boosting")
    cells = small / "nr-boosting.reproduction" / "cells.csv"
    cells.write_text(cells.read_text().replace("pp_boosting,0,0", "pp_boosting,zero,0", 1))
    done = run("reproduce", "nr-boosting")
    assert done.exit_code == 2
    assert "cells.csv is damaged: draw in line 2 is 'zero'" in done.stderr
