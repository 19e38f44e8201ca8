import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from hardy.exceptions import InputError
from hardy.studies.cells import make_seed
from hardy.studies.reproduction import (
    Reproduction,
    accuracy_under_noise,
    settle,
)


class Squares(Reproduction):
    """A study of numbers.

    Their squares.
    """

    name, title, reference = "squares", "Squares", "Euclid"
    keys, seeded_by, measures = ("number", "word"), ("number",), ("square",)

    def cells(self, *, quick):
        cells = [{"number": number, "word": "a"} for number in range(6)]
        return settle(cells, lambda cell: cell["number"] % 2 == 1, quick=quick)

    def load(self, cell, data_home):
        return cell["number"]

    def evaluate(self, cell, data):
        if data == 4:
            raise ValueError("four is\nno good")
        return {"square": float(data**2)}

    def tables(self, results):
        return {}

    def figures(self, results, data_home):
        return {}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "cells.csv"


def test_a_full_run_goes_on_from_a_quick_one(path):
    study, told = Squares(), []
    study.run(study.open_store(path), quick=True)
    assert study.open_store(path).frame["number"].tolist() == [1, 3, 5]
    study.run(study.open_store(path), progress=lambda *arguments: told.append(arguments))
    frame = study.open_store(path).frame
    assert frame["number"].tolist() == [1, 3, 5, 0, 2, 4]
    assert told == [("0 a", 4, 6), ("2 a", 5, 6), ("4 a", 6, 6)]
    before = path.read_bytes()
    study.run(study.open_store(path))
    assert path.read_bytes() == before


def test_a_cell_that_fails_is_recorded_and_the_run_goes_on(path):
    study = Squares()
    study.run(study.open_store(path))
    frame = study.open_store(path).frame.set_index("number")
    assert frame.loc[4, "error"] == "ValueError: four is no good"
    assert np.isnan(frame.loc[4, "square"])
    assert frame["square"].drop(4).to_dict() == {n: n * n for n in (0, 1, 2, 3, 5)}
    assert frame["error"].drop(4).isna().all()
    assert frame["versions"].str.contains("hardy=").all()
    assert set(frame["command"]) == {"hardy reproduce squares"}
    assert frame["seed"].to_dict() == {number: make_seed(number) for number in range(6)}


def test_the_cells_do_not_depend_on_the_number_of_jobs(path, tmp_path):
    study, other = Squares(), tmp_path / "other.csv"
    study.run(study.open_store(path))
    study.run(study.open_store(other), n_jobs=2)
    columns = ["number", "square", "error"]
    one, two = (study.open_store(file).frame.sort_values("number") for file in (path, other))
    pd.testing.assert_frame_equal(
        one[columns].reset_index(drop=True), two[columns].reset_index(drop=True)
    )


def test_a_damaged_file_is_named_and_stays(path):
    study = Squares()
    study.run(study.open_store(path), quick=True)
    damaged = path.read_text().replace("1,a,1.0", "1,a,one")
    path.write_text(damaged)
    with pytest.raises(InputError, match=r"cells\.csv is damaged: square in line 2 is 'one'"):
        study.open_store(path)
    assert path.read_text() == damaged


def test_missing_data_are_told_before_the_work_begins(path, monkeypatch):
    def load(self, cell, data_home):
        if cell["number"] == 4:
            raise InputError("the number 4 can't be found")
        return cell["number"]

    monkeypatch.setattr(Squares, "load", load)
    study = Squares()
    with pytest.raises(InputError, match="the number 4 can't be found"):
        study.run(study.open_store(path))
    assert not path.exists()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("5,a,25.0", "7,a,25.0", "line 4 holds no cell of this study"),
        ("3,a,9.0", "3,b,9.0", "line 3 holds no cell of this study"),
        ("3,a,9.0", "3,a,nan", "line 3 has a figure that is missing or impossible"),
        ("3,a,9.0", "3,a,", "line 3 has a figure that is missing or impossible"),
        ("5,a,25.0", "5,a,1e400", "line 4 has a figure that is missing or impossible"),
        ("1,a,1.0", "1,a,-1.0", "line 2 has a figure that is missing or impossible"),
    ],
)
def test_lines_that_no_run_has_written_are_named(path, old, new, message):
    study = Squares()
    study.run(study.open_store(path), quick=True)
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(InputError, match=message):
        study.open_store(path)


def test_without_noise_it_is_cross_validation():
    X, y = load_iris(return_X_y=True)
    folds = StratifiedKFold(5, shuffle=True, random_state=3)
    expected = 100 * cross_val_score(GaussianNB(), X, y, cv=folds).mean()
    found = accuracy_under_noise(lambda seed: GaussianNB(), X, y, noise_rate=0.0, n_folds=5, seed=3)
    assert found == pytest.approx(expected, abs=1e-10)


def test_noise_is_in_the_training_folds_only():
    X, y = load_iris(return_X_y=True)
    given = []

    class Recording(DecisionTreeClassifier):
        def fit(self, X, y):
            given.append(y)
            return super().fit(X, y)

    # All three labels change with the rate 1, so that no training label is right.
    accuracy = accuracy_under_noise(
        lambda seed: Recording(random_state=seed), X, y, noise_rate=1.0, n_folds=5, seed=0
    )
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    for labels, (train, _) in zip(given, folds.split(X, y), strict=True):
        assert (labels != y[train]).all()
    assert accuracy < 10
