"""A fit within a memory limit gives the model that the fit in memory gives, and goes on."""

import signal
import subprocess
import sys
import zipfile

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

import hardy
from hardy import _shelf
from hardy.exceptions import InputError
from hardy.fitting import _within as within
from hardy.fitting import fit_file
from hardy.saving import load_model
from hardy.tabular import stored

pytest.importorskip("pyarrow")

N_ROWS = 600

# Kills the process where a step is finished.
RUN = """
import os, signal, sys
from hardy import NoiseReducingBoostClassifier, _shelf
from hardy.fitting import fit_file

path, output, last = sys.argv[1:]
finish = _shelf.DiskShelf.finish

def finish_and_die(self, step, *arrays):
    finish(self, step, *arrays)
    print(step, flush=True)
    if step == last:
        os.kill(os.getpid(), signal.SIGKILL)

_shelf.DiskShelf.finish = finish_and_die
model = NoiseReducingBoostClassifier(n_estimators=3, random_state=1)
fit_file(path, "kind", model, output=output, memory_limit="64GB")
"""


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Have several blocks of few rows, and several groups of columns."""
    for module in (_shelf, stored):
        monkeypatch.setattr(module, "BLOCK_ROWS", 100)
    monkeypatch.setattr(within, "_SCALED_AT_ONCE", 1)


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N_ROWS, 4))
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["whole"] = rng.integers(0, 50, N_ROWS)
    frame["shape"] = np.where(X[:, 2] > 0, "round", rng.choice(["flat", "long"], N_ROWS))
    frame["ripe"] = np.where(X[:, 1] > 0, "yes", "no")
    frame["seen"] = pd.date_range("2024-01-01", periods=N_ROWS).astype(str)
    frame["unit"] = "mm"
    frame["code"] = [f"N-{row:05d}" for row in range(N_ROWS)]
    frame["kind"] = np.where(X[:, 0] + X[:, 1] > 0.2, "plum", "apple")
    for column in ("b", "whole", "shape", "ripe", "seen", "kind"):
        frame.loc[rng.random(N_ROWS) < 0.05, column] = None
    return frame


def write(table, folder, ending):
    path = folder / f"fruit.{ending}"
    if ending == "parquet":
        table.to_parquet(path)
    else:
        table.to_csv(path, index=False)
    return path


def parts(model):
    """Give what a model file holds: its arrays and its description."""
    with zipfile.ZipFile(model) as archive:
        names = archive.namelist()
        return sorted(archive.read(name) for name in names if name.endswith(".npy")), len(names)


ESTIMATORS = [
    hardy.NoiseReducingBoostClassifier(n_estimators=2, random_state=0),
    hardy.NoiseReducingBoostClassifier(n_estimators=2, two_stage=True, random_state=0),
    hardy.AdaBoostClassifier(n_estimators=5, random_state=0),
    hardy.RealAdaBoostClassifier(n_estimators=5, random_state=0),
    hardy.MadaBoostClassifier(n_estimators=5, random_state=0),
    hardy.SoftMarginBoostClassifier(n_estimators=5, random_state=0),
    hardy.RobustBoostClassifier(n_estimators=5, random_state=0),
    hardy.LogitBoostClassifier(n_estimators=5, random_state=0),
    hardy.LogitBoostClassifier(hardy.DecisionStumpRegressor(max_bins=9), n_estimators=5),
    hardy.CommitteeMachineClassifier(max_iter=5, random_state=0),
    hardy.ParallelPerceptronClassifier(random_state=0),
    hardy.LinearPerceptronClassifier(learning_rate=0.01, random_state=0),
    hardy.DecisionStumpClassifier(),
    LogisticRegression(),
]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_model_is_that_of_the_fit_in_memory(table, tmp_path, estimator):
    path = write(table, tmp_path, "csv")
    models = []
    for limit in (None, "64GB"):
        output = tmp_path / f"{limit}.hardy"
        fit_file(path, "kind", estimator, output=output, memory_limit=limit)
        models.append(output)
    assert parts(models[0]) == parts(models[1])
    features = table.drop(columns="kind")
    said = [load_model(model).model.predict_proba(features) for model in models]
    np.testing.assert_array_equal(*said)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [
        "64GB.hardy", "None.hardy", "fruit.csv",
    ]  # fmt: skip


@pytest.mark.parametrize("ending", ["csv.gz", "parquet"])
def test_other_files_and_three_classes(table, tmp_path, ending):
    several = table.assign(kind=np.array(["x", "y", "z"])[np.arange(N_ROWS) % 3])
    path = write(several, tmp_path, ending)
    outputs = [tmp_path / "memory", tmp_path / "limit"]
    for output, limit in zip(outputs, (None, "64GB"), strict=True):
        model = hardy.NoiseReducingBoostClassifier(n_estimators=2, random_state=0)
        fit_file(path, "kind", model, output=output, memory_limit=limit)
    assert parts(outputs[0]) == parts(outputs[1])


def run(path, output, last=""):
    command = [sys.executable, "-c", RUN, str(path), str(output), last]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_killed_and_started_again_it_goes_on(table, tmp_path):
    path, output = write(table, tmp_path, "csv"), tmp_path / "fruit.hardy"
    assert run(path, output, "encoding").returncode == -signal.SIGKILL
    assert not output.exists()
    killed = run(path, output, "member 1")
    assert killed.returncode == -signal.SIGKILL
    assert killed.stdout.splitlines() == ["member 0", "member 1"]
    assert not output.exists()
    done = run(path, output)
    assert done.stdout.splitlines() == ["member 2"]
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["fruit.csv", "fruit.hardy"]

    model = hardy.NoiseReducingBoostClassifier(n_estimators=3, random_state=1)
    fit_file(path, "kind", model, output=tmp_path / "memory", memory_limit=None)
    assert parts(output) == parts(tmp_path / "memory")


def test_other_settings_begin_anew(table, tmp_path):
    path, output = write(table, tmp_path, "csv"), tmp_path / "fruit.hardy"
    assert run(path, output, "member 0").returncode == -signal.SIGKILL
    model = hardy.NoiseReducingBoostClassifier(n_estimators=3, random_state=2)
    fit_file(path, "kind", model, output=output, memory_limit="64GB")
    again = hardy.NoiseReducingBoostClassifier(n_estimators=3, random_state=2)
    fit_file(path, "kind", again, output=tmp_path / "memory")
    assert parts(output) == parts(tmp_path / "memory")


def test_a_limit_that_is_too_small_is_refused_before_the_file_is_read(tmp_path):
    with pytest.raises(InputError, match=r"^A memory limit of 20MB is too small: the libraries"):
        fit_file(tmp_path / "nowhere.csv", "kind", output=tmp_path / "m", memory_limit="20MB")


MEGABYTE = 1_000_000


@pytest.mark.parametrize(
    ("estimator", "needed", "remedy"),
    [
        (hardy.NoiseReducingBoostClassifier(), "570MB", "give that."),
        (
            hardy.HardyClassifier(),
            "1850MB",
            "give that, or use NoiseReducingBoostClassifier, which needs about 570MB.",
        ),
    ],
)
def test_what_a_table_needs_is_told_with_what_would_do(estimator, needed, remedy):
    # 100 MB of libraries, 150 MB, a million rows of 300 bytes and 20 columns of 1 or 65 bytes.
    budget = within.Budget(200 * MEGABYTE, 100 * MEGABYTE, estimator)
    with pytest.raises(InputError) as error:
        budget.check(1_000_000, 20)
    assert str(error.value) == (
        f"A memory limit of 200MB is too small: {type(estimator).__name__} needs about {needed} "
        f"for 1,000,000 rows of 20 columns; {remedy}"
    )
    within.Budget(int(needed[:-2]) * MEGABYTE, 100 * MEGABYTE, estimator).check(1_000_000, 20)


@pytest.mark.parametrize(
    ("estimator", "needed"),
    [(hardy.AdaBoostClassifier(), "730MB"), (hardy.RobustBoostClassifier(), "950MB")],
)
def test_classes_beyond_two_need_more(estimator, needed):
    # 570 MB for two classes; 80 or 190 bytes for each row and class beyond.
    budget = within.Budget(200 * MEGABYTE, 100 * MEGABYTE, estimator)
    with pytest.raises(InputError, match=f"needs about {needed} for 1,000,000 rows"):
        budget.check(1_000_000, 20, 4)


def test_a_limit_is_never_written_as_what_would_do():
    budget = within.Budget(569_999_999, 100 * MEGABYTE, hardy.AdaBoostClassifier())
    with pytest.raises(InputError, match=r"^A memory limit of 569MB is .* needs about 570MB"):
        budget.check(1_000_000, 20)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_file_that_is_clearly_too_long_is_refused_unread(table, tmp_path, monkeypatch, ending):
    path = write(table, tmp_path, ending)
    base = within.held_memory()
    monkeypatch.setattr(within, "held_memory", lambda: base)
    monkeypatch.setattr(within, "_PER_ROW", MEGABYTE)
    monkeypatch.setattr(within, "digest", None)
    limit = base + 400 * MEGABYTE
    with pytest.raises(
        InputError, match=r"needs about \d+MB for 600 rows of 11 columns; give that"
    ):
        fit_file(path, "kind", output=tmp_path / "m", memory_limit=limit)
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_what_learns_where_rows_lie():
    for estimator in (
        hardy.AdaBoostClassifier(),
        hardy.CommitteeMachineClassifier(),
        hardy.LogitBoostClassifier(hardy.DecisionStumpRegressor()),
        hardy.MadaBoostClassifier(hardy.ParallelPerceptronClassifier()),
        hardy.RealAdaBoostClassifier(),
        hardy.RobustBoostClassifier(),
        hardy.SoftMarginBoostClassifier(),
    ):
        assert within.learns_where_rows_lie(estimator)
    for estimator in (
        hardy.AdaBoostClassifier(sampling="resample"),
        hardy.AdaBoostClassifier(LogisticRegression()),
        hardy.NoiseReducingBoostClassifier(two_stage=True),
        hardy.AdaBoostClassifier(hardy.AdaBoostClassifier()),
        hardy.DecisionStumpRegressor(),
        hardy.SelectiveBoostClassifier(),
    ):
        assert not within.learns_where_rows_lie(estimator)


@pytest.mark.parametrize("shape", [(50, 1), (50, 2), (1001, 5), (3000, 20)])
def test_scalers_by_columns_are_those_of_all_columns(shape):
    X = np.random.default_rng(0).normal(1000.0, 0.1, shape)
    expected, found = StandardScaler().fit(X), within.fit_scaler(StandardScaler(), X)
    assert vars(found).keys() == vars(expected).keys()
    for name, value in vars(expected).items():
        np.testing.assert_array_equal(getattr(found, name), value)


def test_pages_are_given_back_and_read_again(tmp_path):
    shelf = _shelf.DiskShelf(tmp_path)
    array = shelf.zeros("numbers", (1000,))
    array[:] = np.arange(1000)
    array.flush()
    with _shelf.releasing(array, most=0):
        for _ in range(100):
            assert array.sum() == 499_500
