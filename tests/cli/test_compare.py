import os

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

import hardy
from hardy.studies import compare_under_noise, draw_ranks, rank_methods

METHODS = ["--estimators", "ada-boost,logistic-regression,random-forest"]


@pytest.fixture
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def other(fruit, in_folder):
    """A second table, whose sizes are large."""
    table = pd.read_csv(fruit, dtype={"batch": str})
    path = in_folder / "other.csv"
    table.assign(size=table["size"] + 100 + np.arange(len(table)) / 100).to_csv(path, index=False)
    return path


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


def test_several_tables_are_ranked(run, fruit, other, in_folder):
    done = run(
        "compare", fruit, other, "--target", "state", *METHODS, "--noise", "0.2", "--folds", 2,
        "--score", "log_loss", "--output", in_folder / "out",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "log loss on true labels, mean over 2 tables" in done.stdout
    assert (in_folder / "out" / "ranks_0.2.png").exists()
    ranks = rank_methods(pd.read_csv(in_folder / "out" / "results.csv"), "log_loss").loc[0.2]
    shown = done.stdout.partition("average rank")[2].splitlines()
    for method, rank in ranks.items():
        assert any(line.split() == [method, f"{rank:.2f}"] for line in shown)
    assert "is last" not in done.stdout


def test_a_method_that_fails_is_told(run, fruit, in_folder, monkeypatch):
    def fail(self, X, y, sample_weight=None):
        raise ArithmeticError("too hard")

    monkeypatch.setattr(hardy.AdaBoostClassifier, "fit", fail)
    done = run("compare", fruit, "--target", "state", *METHODS, "--noise", "0", "--folds", 2)
    assert done.exit_code == 0
    told = "ada-boost failed on fruit.csv in 2 of 2 fits, the first with ArithmeticError: too hard"
    assert told in done.stdout
    assert "–" in done.stdout
    assert "is last" not in done.stdout


def test_ranks_say_how_a_failure_counts(run, fruit, other, in_folder, monkeypatch):
    """On one of two tables, so that the other one's score doesn't speak for both."""
    fit, diagrams = hardy.AdaBoostClassifier.fit, []

    def fail_sometimes(self, X, y, sample_weight=None):
        if X.max() > 50:
            raise ArithmeticError("too hard")
        return fit(self, X, y, sample_weight)

    def draw(*arguments):
        diagrams.append(draw_ranks(*arguments))
        return diagrams[-1]

    monkeypatch.setattr(hardy.AdaBoostClassifier, "fit", fail_sometimes)
    monkeypatch.setattr("hardy.studies.draw_ranks", draw)
    monkeypatch.setattr(StandardScaler, "transform", lambda self, X: X)
    monkeypatch.setattr(StandardScaler, "fit_transform", lambda self, X, y=None: X)
    done = run(
        "compare", fruit, other, "--target", "state", *METHODS, "--noise", "0", "--folds", 2,
        "--output", "out",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "ada-boost failed on other.csv in 2 of 2 fits, the first with" in done.stdout
    assert "failed on fruit.csv" not in done.stdout
    assert "In the ranks a method is last on the tables on which it failed" in done.stdout
    ranks = rank_methods(pd.read_csv(in_folder / "out" / "results.csv")).loc[0.0]
    assert diagrams[0].average_ranks.to_dict() == ranks.to_dict()
    assert set(ranks.index) == {"ada-boost", "logistic-regression", "random-forest"}


def test_methods_without_probabilities_are_told(run, fruit, in_folder, monkeypatch):
    monkeypatch.delattr(LogisticRegression, "predict_proba")
    done = run(
        "compare", fruit, "--target", "state", *METHODS, "--noise", "0", "--folds", 2,
        "--score", "brier",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "logistic-regression gives no probabilities, so that it has no brier." in done.stdout


def test_columns_are_chosen_as_by_fit(run, fruit, in_folder, monkeypatch):
    """A column that counts the rows doesn't do so in a fold, where it would tell the class."""
    seen = []

    def spy(methods, datasets, *arguments, **options):
        seen.append((methods, datasets))
        return compare_under_noise(methods, datasets, *arguments, **options)

    monkeypatch.setattr("hardy.studies.compare_under_noise", spy)
    table = pd.read_csv(fruit).sort_values("state").assign(count=range(80), only="x")
    table.iloc[0, table.columns.get_loc("state")] = None
    table.to_csv(fruit, index=False, encoding="utf-16")
    call = ["compare", fruit, "--target", "state", *METHODS, "--noise", "0", "--folds", 2]
    done = run(*call, "--drop", "size", "--keep", "unit", "--text", "batch", "--encoding", "utf-16")
    assert done.exit_code == 0, done.output
    ((methods, datasets),) = seen
    X, y = datasets["fruit.csv"]
    assert list(X) == ["colour", "unit", "batch"]
    assert X["batch"].iloc[0] == pd.read_csv(fruit, encoding="utf-16", dtype=str)["batch"][0]
    assert y.isna().sum() == 1
    for method in methods.values():
        assert (method["encoder"].keep, method["encoder"].text) == (["unit"], ["batch"])
    assert "1 row of fruit.csv without a label was left out." in done.stdout
    assert "Column 'only' of fruit.csv was set aside: every value is 'x'." in done.stdout
    assert "Column 'count' of fruit.csv was set aside: it counts the rows" in done.stdout
    done = run(*call, "--keep", "count", "--encoding", "utf-16", "--output", "other")
    assert list(seen[1][1]["fruit.csv"][0]) == ["size", "colour", "batch", "count"]


def test_other_columns_are_another_comparison(run, fruit, in_folder):
    call = ["compare", fruit, "--target", "state", *METHODS, "--noise", "0", "--folds", 2]
    assert run(*call).exit_code == 0
    for options, what in ((["--drop", "size"], "data"), (["--text", "colour"], "settings")):
        done = run(*call, *options)
        assert done.exit_code == 2
        assert f"with other {what}; have the results written elsewhere" in done.stderr


def test_where_no_column_says_anything_nothing_is_tried(run, in_folder):
    path = in_folder / "t.csv"
    pd.DataFrame({"kind": ["a", "b"] * 10, "empty": [None] * 20}).to_csv(path, index=False)
    done = run("compare", path, "--target", "kind", *METHODS, "--noise", "0", "--folds", 2)
    assert done.exit_code == 2
    assert "t.csv: No column is left to learn from" in done.stderr
    assert not (in_folder / "t.csv.comparison").exists()


def test_where_every_fit_fails_the_run_has_failed(run, fruit, in_folder, monkeypatch):
    def fail(self, X, y, sample_weight=None):
        raise ArithmeticError("too hard")

    monkeypatch.setattr(hardy.AdaBoostClassifier, "fit", fail)
    call = ["compare", fruit, "--target", "state", "--estimators", "ada-boost", "--noise", "0"]
    done = run(*call)
    assert done.exit_code == 2
    assert "Every fit failed, the first one with ArithmeticError: too hard" in done.stderr
    assert "Remove fruit.csv.comparison/results.csv to try again" in done.stderr


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


@pytest.mark.skipif(os.name == "nt", reason="no such names there")
def test_a_name_that_would_be_a_formula_and_speak_to_the_terminal(run, fruit, in_folder):
    name = "=1+1\x1b[31m.csv"
    table = pd.read_csv(fruit, dtype={"batch": str})
    table.loc[0, "state"] = None
    table.to_csv(in_folder / name, index=False)
    arguments = ["--estimators", "logistic-regression", "--noise", "0", "--folds", 2]
    done = run("compare", in_folder / name, "--target", "state", *arguments)
    assert done.exit_code == 0, done.output
    assert "without a label was left out" in done.stdout
    assert "\x1b" not in done.output
    written = pd.read_csv(in_folder / f"{name}.comparison" / "results.csv")["dataset"]
    assert set(written) == {f"'{name}"}


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
        (["--noise", "0,2"], "The noise rates must be numbers from 0 to 1, each once"),
        (["--noise", "0.1,0.1"], "each once"),
        (["--kind", "odd"], "kind='odd' is not a noise model"),
        (["--score", "acuracy"], "score='acuracy' is unknown; choose one of accuracy,"),
        (["--drop", "sise"], "fruit.csv: There is no column 'sise'; did you mean 'size'"),
        (["--keep", "sise"], "did you mean 'size'"),
        (["--text", "sise"], "did you mean 'size'"),
        (["--drop", "state"], "'state' can't be both the target and dropped"),
        (["--drop", "size", "--keep", "size"], "'size' can't be both dropped and learnt from"),
        (["--encoding", "utf-9"], "no encoding 'utf-9'"),
        (["--estimators", ""], "no estimator to compare"),
        (["glass"], "no file glass. In Python, compare_under_noise of hardy.studies takes"),
        (["glas"], "no file glas."),
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


def test_files_of_one_name(run, fruit, in_folder):
    (in_folder / "more").mkdir()
    (in_folder / "more" / "fruit.csv").write_bytes(fruit.read_bytes())
    done = run("compare", fruit, "more/fruit.csv", "--target", "state", "--noise", "0")
    assert done.exit_code == 2
    assert "Two files have the name fruit.csv" in done.stderr


def test_the_table_that_is_wrong_is_named(run, fruit, other, in_folder):
    table = pd.read_csv(other)
    table.drop(columns="batch").to_csv(other, index=False)
    done = run("compare", fruit, other, "--target", "state", "--drop", "batch")
    assert done.exit_code == 2
    assert f"hardy: {other}: There is no column 'batch'" in done.stderr


def test_a_damaged_results_file_is_named(run, fruit, in_folder):
    (in_folder / "out").mkdir()
    (in_folder / "out" / "results.csv").write_text("a,b\n1,2\n")
    done = run("compare", fruit, "--target", "state", "--output", "out", "--noise", "0")
    assert done.exit_code == 2
    assert "results.csv has the columns ['a', 'b']" in done.stderr
