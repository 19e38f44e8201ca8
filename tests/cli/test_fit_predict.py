import datetime
import hashlib
import os
import subprocess
import sys
import unicodedata
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression

import hardy
from hardy.cli._estimators import estimator_names, find_estimator
from hardy.exceptions import InputError
from hardy.saving import load_model, save_model
from hardy.tabular import make_table_classifier

TARGET = ["--target", "state"]


@pytest.fixture
def model(run, fruit, tmp_path):
    path = tmp_path / "model.hardy"
    done = run("fit", fruit, *TARGET, "--estimator", "ada-boost", "--output", path)
    assert done.exit_code == 0, done.output
    return path


def rows(path):
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def test_fit_says_what_it_did(run, fruit, tmp_path):
    path = tmp_path / "model.hardy"
    done = run("fit", fruit, *TARGET, "--drop", "colour", "--output", path)
    assert done.exit_code == 0
    assert "NoiseReducingBoostClassifier for 'state' from 80 rows" in done.stdout
    n_ripe = (pd.read_csv(fruit)["state"] == "ripe").sum()
    assert f"class ripe: {n_ripe} rows" in done.stdout
    assert "Column 'unit' was set aside: every value is 'mm'." in done.stdout
    assert done.stderr == ""
    saved = load_model(path)
    assert (saved.target, saved.dropped) == ("state", ("colour",))
    assert list(saved.model["encoder"].feature_names_in_) == ["size", "unit", "batch"]
    assert isinstance(saved.model["classifier"], hardy.NoiseReducingBoostClassifier)


@pytest.mark.parametrize("name", estimator_names())
def test_every_estimator_goes_round(run, fruit, tmp_path, name):
    path, out = tmp_path / "model.hardy", tmp_path / "out.csv"
    assert run("fit", fruit, *TARGET, "--estimator", name, "--output", path).exit_code == 0
    done = run("predict", path, fruit, "--output", out, "--proba")
    assert done.exit_code == 0, done.output
    table, predicted = pd.read_csv(fruit), rows(out)
    assert list(predicted) == ["row", "prediction", "proba_=raw", "proba_ripe"]
    assert predicted["row"].tolist() == [str(row) for row in range(1, 81)]
    proba = predicted[["proba_=raw", "proba_ripe"]].astype(float)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    best = np.where(proba["proba_ripe"] > proba["proba_=raw"], "ripe", "'=raw")
    # Of two equal probabilities either may win.
    decided = proba["proba_ripe"] != proba["proba_=raw"]
    assert (predicted["prediction"] == best)[decided].all()
    correct = predicted["prediction"].str.lstrip("'") == table["state"]
    assert correct.mean() > 0.8


def test_a_memory_limit_changes_nothing_but_progress(run, fruit, tmp_path):
    pytest.importorskip("pyarrow")
    free = run("fit", fruit, *TARGET, "--output", tmp_path / "m")
    (tmp_path / "m").unlink()
    done = run("fit", fruit, *TARGET, "--output", tmp_path / "m", "--memory-limit", "8GB")
    assert done.exit_code == 0
    assert done.stdout == free.stdout
    assert "hardy: Fitting NoiseReducingBoostClassifier" in done.stderr
    refused = run("fit", fruit, *TARGET, "--output", tmp_path / "m", "--memory-limit", "9MB")
    assert refused.exit_code == 2
    assert refused.stderr.count("\n") == 1
    assert refused.stderr.startswith("hardy: A memory limit of 9MB is too small")


def test_columns_to_keep(run, fruit, tmp_path):
    done = run("fit", fruit, *TARGET, "--keep", "unit", "--output", tmp_path / "m")
    assert done.exit_code == 0
    assert "set aside" not in done.stdout
    encoder = load_model(tmp_path / "m").model["encoder"]
    assert "unit=mm" in encoder.get_feature_names_out()


def test_predictions_are_those_of_the_python_interface(run, fruit, model, tmp_path):
    run("predict", model, fruit, "--output", tmp_path / "out.csv")
    table = pd.read_csv(fruit, dtype={"batch": str})
    expected = load_model(model).model.predict(table.drop(columns="state"))
    assert rows(tmp_path / "out.csv")["prediction"].str.lstrip("'").tolist() == expected.tolist()


def test_the_same_seed_gives_the_same_model(run, fruit, tmp_path):
    predicted = []
    for name in ("a", "b"):
        run("fit", fruit, *TARGET, "--random-state", 5, "--output", tmp_path / name)
        run("predict", tmp_path / name, fruit, "--proba", "--output", tmp_path / f"{name}.csv")
        predicted.append((tmp_path / f"{name}.csv").read_bytes())
    assert predicted[0] == predicted[1]


def test_the_order_of_columns_and_the_target_do_not_matter(run, fruit, model, tmp_path):
    table = pd.read_csv(fruit, dtype=str)
    other = tmp_path / "other.tsv"
    table[["batch", "unit", "size", "colour"]].to_csv(other, index=False, sep="\t")
    for file, out in ((fruit, "a.csv"), (other, "b.csv")):
        assert run("predict", model, file, "--proba", "--output", tmp_path / out).exit_code == 0
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_codes_match_in_files_that_have_few_of_them(run, tmp_path):
    train = tmp_path / "train.csv"
    lines = [
        f"{code},{index % 7},{'a' if code == '1' else 'b'}"
        for index, code in enumerate(["1", "2", "x"] * 20)
    ]
    train.write_text("code,n,y\n" + "\n".join(lines) + "\n")
    run("fit", train, "--target", "y", "--estimator", "ada-boost", "--output", tmp_path / "m")
    # Without any x the column would be read as numbers.
    (tmp_path / "new.csv").write_text("code,n\n1,3\n2,3\n")
    run("predict", tmp_path / "m", tmp_path / "new.csv", "--output", tmp_path / "out.csv")
    assert rows(tmp_path / "out.csv")["prediction"].tolist() == ["a", "b"]


def test_rows_without_a_label_are_left_out(run, fruit, tmp_path):
    table = pd.read_csv(fruit)
    table.loc[:4, "state"] = None
    table.to_csv(fruit, index=False)
    done = run("fit", fruit, *TARGET, "--output", tmp_path / "m")
    assert done.exit_code == 0
    assert "from 75 rows" in done.stdout
    assert "5 rows without a label were left out" in done.stdout


@pytest.mark.parametrize("container", ["csv", "parquet"])
def test_integer_labels_stay_integers(run, tmp_path, container):
    frame = pd.DataFrame({"x": np.arange(40) * 1.5, "y": np.repeat([3, 7], 20)})
    path = tmp_path / f"t.{container}"
    frame.to_csv(path, index=False) if container == "csv" else frame.to_parquet(path)
    assert run("fit", path, "--target", "y", "--output", tmp_path / "m").exit_code == 0
    assert load_model(tmp_path / "m").model.classes_.tolist() == [3, 7]


def drop(*columns):
    return [word for column in columns for word in ("--drop", column)]


def change(fruit, **columns):
    pd.read_csv(fruit).assign(**columns).to_csv(fruit, index=False)


@pytest.mark.parametrize(
    ("prepare", "arguments", "message"),
    [
        (None, ["--target", "sate"], "There is no column 'sate'; did you mean 'state'?"),
        (None, [*TARGET, "--drop", "color"], "There is no column 'color'; did you mean 'colour'?"),
        (None, [*TARGET, "--drop", "state"], "'state' can't be both the target and dropped"),
        (None, [*TARGET, "--keep", "unti"], "There is no column 'unti'; did you mean 'unit'?"),
        (
            None,
            [*TARGET, "--drop", "unit", "--keep", "unit"],
            "'unit' can't be both dropped and learnt from",
        ),
        (
            None,
            [*TARGET, *drop("size", "colour", "unit", "batch")],
            "fruit.csv: There is no column left to learn from beside the target 'state'.",
        ),
        (
            None,
            [*TARGET, *drop("size", "colour", "batch")],
            "No column is left to learn from",
        ),
        (
            None,
            [*TARGET, *drop("size", "colour", "batch")],
            "('unit': every value is 'mm'). Name one to keep all the same: keep of TableEncoder or "
            "make_table_classifier, which takes any classifier, or --keep.",
        ),
        (None, [*TARGET, "--text", "bath"], "There is no column 'bath'; did you mean 'batch'?"),
        (
            None,
            [*TARGET, "--text", "state"],
            "'state' can't be both the target and learnt from",
        ),
        (
            None,
            [*TARGET, "--text", "unit", "--drop", "unit"],
            "'unit' can't be both dropped and learnt from",
        ),
        (None, [*TARGET, "--estimator", "adabost"], "did you mean 'ada-boost'?"),
        ({"state": None}, TARGET, "The target 'state' has no label in any row."),
        ({"state": "ripe"}, TARGET, "The target 'state' has one class only, 'ripe'"),
        ({"state": np.arange(80) / 8}, TARGET, "which is a regression task"),
        ({"state": [f"i{i}" for i in range(80)]}, TARGET, "a value of its own in each"),
        ({"size": np.inf}, TARGET, "line 2: column 'size' has an infinite value"),
    ],
)
def test_what_fit_refuses(run, fruit, tmp_path, prepare, arguments, message):
    if prepare:
        change(fruit, **prepare)
    before = hashlib.sha256(fruit.read_bytes()).hexdigest()
    done = run("fit", fruit, *arguments, "--output", tmp_path / "m")
    assert done.exit_code == 2
    assert done.stdout == ""
    assert message in done.stderr.splitlines()[-1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fruit.csv"]
    assert hashlib.sha256(fruit.read_bytes()).hexdigest() == before


def test_outputs_are_checked_before_anything_is_read(run, fruit, model, tmp_path):
    for arguments, message in [
        (["fit", fruit, *TARGET, "--output", fruit], "is also an input"),
        (["fit", fruit, *TARGET, "--output", tmp_path], "is a folder"),
        (["fit", fruit, *TARGET, "--output", tmp_path / "no" / "m"], "There is no folder"),
        (["predict", model, fruit, "--output", fruit], "is also an input"),
        (["predict", model, fruit, "--output", model], "is also an input"),
    ]:
        done = run(*arguments)
        assert done.exit_code == 2
        assert message in done.stderr
        assert len(done.stderr.splitlines()) == 1
    link = tmp_path / "link.csv"
    link.symlink_to(fruit)
    assert run("predict", model, fruit, "--output", link).exit_code == 2


def commands(fruit, model):
    return [["fit", fruit, *TARGET], ["predict", model, fruit]]


def test_a_folder_that_cannot_be_written(run, fruit, model, tmp_path, monkeypatch):
    def refuse(**_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("hardy._files.tempfile.mkstemp", refuse)
    for reader in ("read_table", "read_labelled_table"):
        monkeypatch.setattr(f"hardy.tabular.{reader}", None)
    for command in commands(fruit, model):
        done = run(*command, "--output", tmp_path / "out")
        assert done.exit_code == 2
        assert done.stderr == (
            f"hardy: The output {tmp_path / 'out'} can't be written: Permission denied.\n"
        )


@pytest.mark.parametrize("length", [256, 300, 5000])
def test_names_of_outputs_that_are_too_long(run, fruit, model, tmp_path, monkeypatch, length):
    for reader in ("read_table", "read_labelled_table"):
        monkeypatch.setattr(f"hardy.tabular.{reader}", None)
    before = sorted(tmp_path.iterdir())
    for command in commands(fruit, model):
        done = run(*command, "--output", tmp_path / ("o" * length))
        assert done.exit_code == 2
        assert "can't be written: File name too long." in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert sorted(tmp_path.iterdir()) == before


def test_a_link_that_leads_back_to_itself(run, fruit, model, tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for command in commands(fruit, model):
        done = run(*command, "--output", tmp_path / "loop")
        # Since Python 3.13 such a link is simply replaced.
        assert isinstance(done.exception, SystemExit | None)
        assert done.exit_code == (2 if sys.version_info < (3, 13) else 0)
    done = run("fit", tmp_path / "loop", *TARGET, "--output", tmp_path / "m2")
    assert done.exit_code == 2
    assert "can't be read" in done.stderr


def test_an_input_that_cannot_be_looked_at_is_named(run, fruit, model, tmp_path, monkeypatch):
    """The output is there and can be written: it isn't to blame."""

    def refuse(path, *_, **__):
        raise PermissionError(13, "Permission denied", str(path))

    output = tmp_path / "existing.csv"
    output.write_text("before")
    monkeypatch.setattr("pathlib.Path.samefile", refuse)
    for command, blamed in ((["fit", fruit, *TARGET], fruit), (["predict", model, fruit], model)):
        done = run(*command, "--output", output)
        assert done.exit_code == 2
        assert done.stderr == f"hardy: {blamed} can't be read: Permission denied.\n"
    assert output.read_text() == "before"


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 0)() == 0, reason="root may read everything")
def test_an_input_in_a_folder_that_cannot_be_searched_is_named(run, fruit, model, tmp_path):
    deep = tmp_path / "deep"
    deep.mkdir()
    (tmp_path / "existing.csv").write_text("before")
    for command in (["fit", deep / "t.csv", *TARGET], ["predict", deep / "m", fruit]):
        deep.chmod(0)
        try:
            done = run(*command, "--output", tmp_path / "existing.csv")
        finally:
            deep.chmod(0o700)
        assert done.exit_code == 2
        assert done.stderr == f"hardy: {command[1]} can't be read: Permission denied.\n"


def test_trying_an_output_leaves_what_is_there(run, fruit, tmp_path):
    (tmp_path / "m").write_text("before")
    run("fit", fruit, "--target", "sate", "--output", tmp_path / "m")
    assert (tmp_path / "m").read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fruit.csv", "m"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_pipes_as_inputs_are_refused_at_once(run, fruit, model, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for command in (
        ["fit", pipe, *TARGET],
        ["predict", pipe, fruit],
        ["predict", model, pipe],
    ):
        done = run(*command, "--output", tmp_path / "out")
        assert done.exit_code == 2
        assert done.stderr.startswith(f"hardy: {pipe} is a pipe or a device; save")
        assert len(done.stderr.splitlines()) == 1


def test_files_in_a_named_encoding(run, tmp_path):
    path, model, out = tmp_path / "t.csv", tmp_path / "m", tmp_path / "out.csv"
    cells = [(row % 2 * 9 + row / 50, "ヤギ" if row % 2 else "羊") for row in range(60)]
    lines = ["大きさ,y", *(f"{size},{label}" for size, label in cells)]
    path.write_bytes("\n".join(lines).encode("shift_jis"))
    call = ["fit", path, "--target", "y", "--estimator", "ada-boost", "--output", model]
    assert run(*call, "--encoding", "shift_jis").exit_code == 0
    assert load_model(model).model.classes_.tolist() == ["ヤギ", "羊"]
    done = run("predict", model, path, "--encoding", "shift_jis", "--output", out)
    assert done.exit_code == 0
    assert rows(out)["prediction"].tolist() == ["羊", "ヤギ"] * 30
    for encoding, message in [
        ("sjis2", "There is no encoding 'sjis2' of text"),
        ("ascii", "can't be read as ascii: byte 1 (line 1) doesn't fit"),
    ]:
        for command in (call, ["predict", model, path, "--output", out]):
            done = run(*command, "--encoding", encoding)
            assert done.exit_code == 2
            assert message in done.stderr
            assert len(done.stderr.splitlines()) == 1


def test_columns_to_use_as_text(run, fruit, tmp_path):
    path, out = tmp_path / "m", tmp_path / "out.csv"
    done = run("fit", fruit, *TARGET, "--text", "batch", "--text", "size", "--output", path)
    assert done.exit_code == 0, done.output
    encoder = load_model(path).model["encoder"]
    assert {c.name: c.kind for c in encoder.columns_ if not c.set_aside} == {
        "size": "text",
        "colour": "categorical",
        "batch": "text",
    }
    assert run("predict", path, fruit, "--output", out).exit_code == 0
    assert len(rows(out)) == 80


def test_what_could_not_be_read_is_said(run, tmp_path):
    days = pd.date_range("2021-01-01", periods=40).astype(str)
    table = pd.DataFrame(
        {"seen": days, "ripe": ["yes", "no"] * 20, "size": np.arange(40) * 1.5, "n": [1, 2] * 20}
    )
    train, new = tmp_path / "train.csv", tmp_path / "new.csv"
    table.assign(y=["a", "b"] * 20).to_csv(train, index=False)
    call = ["--target", "y", "--estimator", "ada-boost", "--output", tmp_path / "m"]
    assert "can't be read" not in run("fit", train, *call).stderr
    table = table.astype({"seen": object, "ripe": object})
    table.loc[[3, 7], "seen"] = ["2021-02-30", "\x1b[31msoon"]
    table.loc[9, "ripe"] = "perhaps"
    table.loc[10, "ripe"] = None
    table.to_csv(new, index=False)
    done = run("predict", tmp_path / "m", new, "--output", tmp_path / "out.csv")
    assert done.exit_code == 0
    assert done.stdout == f"Wrote {tmp_path / 'out.csv'}: predictions for 40 rows.\n"
    assert done.stderr.splitlines() == [
        "hardy: column 'seen': 2 cells can't be read as moments in the form of the others and "
        "count as missing; the first is '2021-02-30' in line 5.",
        "hardy: column 'ripe': 1 cell can't be read as yes or no and counts as missing; "
        "it is 'perhaps' in line 11.",
    ]
    # A row without a label before it doesn't move the line.
    labels = [None, *["b", "a"] * 19, "b"]
    table.assign(y=labels, ripe=["yes", "no"] * 20).to_csv(train, index=False)
    done = run("fit", train, *call)
    assert done.exit_code == 0
    assert "column 'seen': 2 cells" in done.stderr
    assert "'2021-02-30' in line 5." in done.stderr


@pytest.mark.parametrize("container", ["csv", "parquet"])
def test_predict_names_the_place_of_a_word_among_numbers(run, fruit, model, tmp_path, container):
    table = pd.read_csv(fruit, dtype={"batch": str})
    table["size"] = [*table["size"].astype(str)[:7], "big", *table["size"].astype(str)[8:-1], "-"]
    new = tmp_path / f"new.{container}"
    table.to_csv(new, index=False) if container == "csv" else table.to_parquet(new)
    done = run("predict", model, new, "--output", tmp_path / "out.csv")
    assert done.exit_code == 2
    place = "line 9" if container == "csv" else "row 8"
    assert done.stderr == (
        f"hardy: {new}, {place}: column 'size' holds numbers, but this is 'big' "
        "(and 1 more cell like it); mend it or leave it empty.\n"
    )
    assert not (tmp_path / "out.csv").exists()


def test_infinite_values_in_dropped_columns_do_no_harm(run, fruit, tmp_path):
    change(fruit, more=np.inf)
    done = run("fit", fruit, *TARGET, "--drop", "more", "--output", tmp_path / "m")
    assert done.exit_code == 0, done.output
    done = run("predict", tmp_path / "m", fruit, "--output", tmp_path / "out.csv")
    assert done.exit_code == 0, done.output


def test_predict_shows_how_the_columns_differ(run, fruit, model, tmp_path):
    other = tmp_path / "other.csv"
    pd.read_csv(fruit).drop(columns=["size", "unit"]).assign(more=1).to_csv(other, index=False)
    done = run("predict", model, other, "--output", tmp_path / "out.csv")
    assert done.exit_code == 2
    assert "it lacks 'size'; the model doesn't know 'more'" in done.stderr
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("container", ["csv", "parquet"])
def test_columns_that_were_set_aside_may_be_absent(run, fruit, tmp_path, container):
    """Identifiers and constants; where they are there, what they hold does no harm."""
    table = pd.read_csv(fruit, dtype={"batch": str}).assign(
        id=range(80), code=[f"c{number}" for number in range(80)], none=None
    )
    table.to_csv(fruit, index=False)
    model, new = tmp_path / "m", tmp_path / f"new.{container}"
    done = run("fit", fruit, *TARGET, "--estimator", "ada-boost", "--output", model)
    assert done.stdout.count("was set aside") == 4
    few = table.drop(columns=["id", "code", "none", "unit", "state"])
    other = few.assign(id=np.inf, code=1.5, none="word", unit="cm")
    outs = []
    for number, rows_ in enumerate([table, few, other]):
        rows_.to_csv(new, index=False) if container == "csv" else rows_.to_parquet(new)
        outs.append(tmp_path / f"{number}.csv")
        done = run("predict", model, new, "--proba", "--output", outs[-1])
        assert done.exit_code == 0, done.output
        assert done.stderr == ""
    assert len({out.read_bytes() for out in outs}) == 1
    few[["size"]].to_csv(tmp_path / "size.csv", index=False)
    done = run("predict", model, tmp_path / "size.csv", "--output", tmp_path / "out.csv")
    assert done.exit_code == 2
    assert "size.csv hasn't the columns of the model: it lacks 'colour', 'batch'." in done.stderr


def test_names_in_another_unicode_form(run, tmp_path):
    composed, apart = (unicodedata.normalize(form, "größe état") for form in ("NFC", "NFD"))
    sizes = np.r_[np.arange(20), 100 + np.arange(20)] * 1.5
    for form in (composed, apart):
        size, state = form.split()
        table = pd.DataFrame({size: sizes, "n": [1, 2] * 20, "m": [3, 3, 4, 4] * 10})
        table[state] = ["raw"] * 20 + ["ripe"] * 20
        table.to_csv(tmp_path / f"{len(form)}.csv", index=False)
    out = tmp_path / "out.csv"
    for form, asked in ((composed, apart), (apart, composed)):
        size, state = asked.split()
        call = ["fit", tmp_path / f"{len(form)}.csv", "--target", state, "--output", tmp_path / "m"]
        call += ["--estimator", "ada-boost"]
        done = run(*call, "--keep", size, "--drop", "n")
        assert done.exit_code == 0, done.output
        assert load_model(tmp_path / "m").target == state
        for new in (composed, apart):
            done = run("predict", tmp_path / "m", tmp_path / f"{len(new)}.csv", "--output", out)
            assert done.exit_code == 0, done.output
            assert rows(out)["prediction"].tolist() == ["raw"] * 20 + ["ripe"] * 20
        for option in ("--drop", "--text"):
            done = run(*call, option, state)
            assert done.exit_code == 2
            assert f"{state!r} can" in done.stderr


@pytest.mark.parametrize("length", [400, 5000])
def test_codes_that_no_float_can_hold(run, fruit, tmp_path, length):
    codes = [f"1{row:0{length}b}" for row in range(80)]
    change(fruit, code=codes, constant="9" * length)
    out = tmp_path / "out.csv"
    for options in ([], ["--drop", "code"], ["--text", "code"], ["--keep", "code"]):
        call = [*TARGET, *options, "--estimator", "ada-boost", "--output", tmp_path / "m"]
        assert run("fit", fruit, *call).exit_code == 0
        done = run("predict", tmp_path / "m", fruit, "--output", out)
        assert done.exit_code == 0, done.output
    change(fruit, size=codes)
    done = run("predict", tmp_path / "m", fruit, "--output", out)
    assert done.exit_code == 2
    assert f"line 2: column 'size' holds numbers, but this is '{codes[0][:50]}" in done.stderr
    assert "mend it or leave it empty." in done.stderr


@pytest.mark.parametrize(
    ("labels", "what"),
    [
        ([b"a", b"b"], "of the type bytes, such as b'a'"),
        ([datetime.date(2024, 1, 1), datetime.date(2024, 1, 2)], "of the type date, such as"),
        ([Decimal(0), Decimal(1)], "of the type Decimal, such as Decimal('0')"),
        (pd.date_range("2024", periods=2, tz="UTC"), "of the type Timestamp, such as"),
        ([[1], [2]], "holds values of the type list<"),
    ],
)
def test_labels_in_parquet_that_no_classifier_takes(run, tmp_path, labels, what):
    path = tmp_path / "t.parquet"
    pd.DataFrame({"n": np.arange(40) / 8, "y": [*labels] * 20}).to_parquet(path)
    done = run("fit", path, "--target", "y", "--output", tmp_path / "m")
    assert done.exit_code == 2
    assert what in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_moments_as_labels(run, tmp_path):
    path, out = tmp_path / "t.parquet", tmp_path / "out.csv"
    days = pd.to_datetime(["2024-01-01"] * 20 + ["2024-01-02"] * 20)
    pd.DataFrame({"n": np.arange(40) / 8, "y": days}).to_parquet(path)
    call = ["fit", path, "--target", "y", "--estimator", "ada-boost", "--output", tmp_path / "m"]
    assert run(*call).exit_code == 0
    assert run("predict", tmp_path / "m", path, "--output", out).exit_code == 0
    assert rows(out)["prediction"].tolist() == ["2024-01-01"] * 20 + ["2024-01-02"] * 20


def test_predict_names_a_word_among_numbers(run, fruit, model, tmp_path):
    change(fruit, size=["big"] + [1.5] * 79)
    done = run("predict", model, fruit, "--output", tmp_path / "out.csv")
    assert done.exit_code == 2
    assert "line 2: column 'size' holds numbers, but this is 'big'; mend it" in done.stderr


def test_predict_refuses_models_without_column_names(run, fruit, tmp_path):
    model = make_table_classifier(LogisticRegression()).fit([[0.0], [1.0]], ["a", "b"])
    save_model(model, tmp_path / "m")
    done = run("predict", tmp_path / "m", fruit, "--output", tmp_path / "out.csv")
    assert done.exit_code == 2
    assert "holds no classifier of tables" in done.stderr


def test_predict_refuses_other_files_as_models(run, fruit, tmp_path):
    for path, message in [
        (fruit, "is no model file of Hardy's"),
        (tmp_path / "none", "There is no model file"),
    ]:
        done = run("predict", path, fruit, "--output", tmp_path / "out.csv")
        assert done.exit_code == 2
        assert message in done.stderr


def test_an_estimator_that_cannot_learn_is_one_line(run, fruit, tmp_path, monkeypatch):
    class Stubborn(ClassifierMixin, BaseEstimator):
        def __init__(self, random_state=None):
            self.random_state = random_state

        def fit(self, X, y):
            raise ValueError("two\nreasons")

    monkeypatch.setattr(sys.modules["hardy.cli.fit"], "find_estimator", lambda _: Stubborn)
    done = run("fit", fruit, *TARGET, "--output", tmp_path / "m")
    assert done.exit_code == 2
    line = f"hardy: Stubborn can't learn from {fruit}: two reasons"
    assert done.stderr.splitlines()[-1] == line


def test_the_installed_command(fruit, tmp_path):
    command = [sys.executable, "-c", "from hardy.cli import main; main()"]
    done = subprocess.run(
        [*command, "fit", fruit, *TARGET, "--output", tmp_path / "m", "--estimator", "ada-boost"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    done = subprocess.run(
        [*command, "predict", tmp_path / "m", fruit, "--output", tmp_path / "out.csv"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"Wrote {tmp_path / 'out.csv'}: predictions for 80 rows.\n"


@pytest.mark.parametrize(
    "name", ["ada-boost", "adaboost", "AdaBoostClassifier", "ada_boost", "ADA-BOOST-CLASSIFIER"]
)
def test_names_of_estimators(name):
    assert find_estimator(name) is hardy.AdaBoostClassifier


def test_unknown_estimators():
    with pytest.raises(InputError, match=r"there are ada-boost, .*parallel-perceptron"):
        find_estimator("zzz")


def test_a_damaged_model_costs_one_line(run, model, fruit, tmp_path):
    saved = load_model(model)
    boosted = saved.model[-1]
    boosted.estimators_[0].feature_ = 10**6
    save_model(saved.model, model, target=saved.target)
    done = run("predict", model, fruit, "--output", tmp_path / "p.csv")
    assert done.exit_code == 2
    assert "can't predict the labels of" in done.stderr
    assert "feature 1000000" in done.stderr
    assert not (tmp_path / "p.csv").exists()
