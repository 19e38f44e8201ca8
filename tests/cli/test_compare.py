import os

import numpy as np
import pandas as pd
import pytest

import hardy

METHODS = ["--estimators", "ada-boost,logistic-regression,random-forest"]


@pytest.fixture
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_table_gives_scores_and_a_picture(run, fruit, in_folder):
    done = run("compare", fruit, "--target", "state", *METHODS, "--noise", "0,0.3", "--folds", 3)
    assert done.exit_code == 0, done.output
    for word in ("accuracy", "0 %", "30 %", "ada-boost", "random-forest", "robustness.png"):
        assert word in done.stdout
    folder = in_folder / "fruit.csv.comparison"
    results = pd.read_csv(folder / "results.csv")
    assert len(results) == 3 * 2 * 3
    assert results["error"].isna().all()
    assert sorted(path.name for path in folder.iterdir()) == ["results.csv", "robustness.png"]
    assert (folder / "robustness.png").read_bytes().startswith(b"\x89PNG")
    means = results[results["noise_rate"] == 0].groupby("method")["accuracy"].mean()
    assert f"{means['ada-boost']:.3f}" in done.stdout


def test_a_second_run_does_nothing_again(run, fruit, in_folder):
    arguments = ["compare", fruit, "--target", "state", *METHODS, "--noise", "0.1", "--folds", 2]
    first = run(*arguments)
    before = (in_folder / "fruit.csv.comparison" / "results.csv").read_bytes()
    assert run(*arguments).stdout == first.stdout
    assert (in_folder / "fruit.csv.comparison" / "results.csv").read_bytes() == before


def test_several_tables_are_ranked(run, fruit, in_folder):
    other = in_folder / "other.csv"
    table = pd.read_csv(fruit)
    table.assign(size=table["size"] + np.arange(len(table)) / 100).to_csv(other, index=False)
    done = run(
        "compare", fruit, other, "--target", "state", *METHODS, "--noise", "0.2", "--folds", 2,
        "--score", "log_loss", "--output", in_folder / "out",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "log loss on true labels, mean over 2 tables" in done.stdout
    assert (in_folder / "out" / "ranks_0.2.png").exists()


def test_a_method_that_fails_is_told(run, fruit, in_folder, monkeypatch):
    def fail(self, X, y, sample_weight=None):
        raise ArithmeticError("too hard")

    monkeypatch.setattr(hardy.AdaBoostClassifier, "fit", fail)
    done = run("compare", fruit, "--target", "state", *METHODS, "--noise", "0", "--folds", 2)
    assert done.exit_code == 0
    assert "ada-boost failed: ArithmeticError: too hard" in done.stdout
    assert "–" in done.stdout


def test_where_every_fit_fails_the_run_has_failed(run, in_folder):
    path = in_folder / "t.csv"
    pd.DataFrame({"kind": ["a", "b"] * 10, "empty": [None] * 20}).to_csv(path, index=False)
    done = run("compare", path, "--target", "kind", *METHODS, "--noise", "0", "--folds", 2)
    assert done.exit_code == 2
    assert "Every fit failed, the first one with InputError" in done.stderr


def test_a_table_that_has_changed_is_not_mistaken_for_the_earlier_one(run, fruit, in_folder):
    arguments = ["compare", fruit, "--target", "state", *METHODS, "--noise", "0", "--folds", 2]
    assert run(*arguments).exit_code == 0
    table = pd.read_csv(fruit)
    table.assign(state=table["state"][::-1].to_numpy()).to_csv(fruit, index=False)
    done = run(*arguments)
    assert done.exit_code == 2
    assert "on 'fruit.csv' with other data" in done.stderr


def test_a_name_with_half_a_character(run, fruit, in_folder):
    name = os.fsdecode(b"t\xfe.csv")
    (in_folder / name).write_bytes(fruit.read_bytes())
    arguments = ["--target", "state", *METHODS, "--noise", "0", "--folds", 2, "--output", "out"]
    for _ in range(2):
        assert run("compare", in_folder / name, *arguments).exit_code == 0
    assert len(pd.read_csv(in_folder / "out" / "results.csv")) == 6


def test_measurements_are_no_labels(run, in_folder):
    path = in_folder / "t.csv"
    pd.DataFrame({"a": range(60), "y": [i / 7 for i in range(60)]}).to_csv(path, index=False)
    done = run("compare", path, "--target", "y", *METHODS)
    assert done.exit_code == 2
    assert "is a regression task" in done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--estimators", "ada-bost"], "no estimator 'ada-bost'; did you mean 'ada-boost'"),
        (["--estimators", "random-forrest"], "did you mean 'random-forest'"),
        (["--estimators", "ada-boost,ada-boost"], "names a method twice"),
        (["--noise", "0,x"], "--noise 0,x must be numbers"),
        (["--noise", "0,2"], "each once"),
        (["--noise", "0.1,0.1"], "each once"),
        (["--kind", "odd"], "kind='odd' is not a noise model"),
        (["--score", "acuracy"], "--score acuracy is unknown"),
        (["--target", "stat"], "did you mean 'state'"),
        (["--folds", "70"], "fewer than cv=70 folds"),
        (["--folds", "1"], "--folds"),
        (["--n-jobs", "0"], "n_jobs=0 has no meaning"),
        (["--output", "none/deep"], "none/deep can't be made"),
    ],
)
def test_bad_input_costs_one_line_and_status_2(run, fruit, in_folder, options, message):
    done = run("compare", fruit, "--target", "state", *METHODS, *options)
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.split())
    assert not (in_folder / "fruit.csv.comparison").exists()


def test_a_damaged_results_file_is_named(run, fruit, in_folder):
    (in_folder / "out").mkdir()
    (in_folder / "out" / "results.csv").write_text("a,b\n1,2\n")
    done = run("compare", fruit, "--target", "state", "--output", "out", "--noise", "0")
    assert done.exit_code == 2
    assert "results.csv has the columns ['a', 'b']" in done.stderr
