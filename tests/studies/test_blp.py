import gzip
import json

import numpy as np
import pandas as pd
import pytest

from hardy.datasets import reuters
from hardy.studies import blp
from hardy.studies.agreement import read_published
from hardy.studies.blp import METHODS, BoostedLinearPerceptrons


@pytest.fixture
def small_collection(tmp_path, monkeypatch):
    """A collection of 120 stories whose topics follow from their words."""
    rng = np.random.default_rng(0)
    words = {"earn": "profit dividend net", "crude": "oil barrel opec", "grain": "wheat corn crop"}
    stories = []
    for number in range(120):
        topic = ["earn", "crude", "grain"][number % 3]
        body = [*rng.choice(words[topic].split(), 4), *rng.choice(["bank", "week", "trade"], 4)]
        stories.append(
            {
                "id": number, "split": "train" if number < 90 else "test", "title": "A story",
                "body": " ".join(body), "topics": [topic], "texttype": "NORM",
            }
        )  # fmt: skip
    with gzip.open(tmp_path / "reuters21578_modapte.jsonl.gz", "wt") as file:
        file.writelines(json.dumps(story) + "\n" for story in stories)
    monkeypatch.setattr(reuters, "_SIZES", {"train": 90, "test": 30})
    monkeypatch.setattr(reuters, "_digest_labels", lambda stories: reuters._LABELS)
    blp._load.cache_clear()
    yield str(tmp_path)
    blp._load.cache_clear()


@pytest.mark.parametrize("method", METHODS)
def test_a_cell_is_a_filter_on_the_test_stories(method, small_collection):
    if method == "lightgbm":
        pytest.importorskip("lightgbm")
    if method in ("rusboost", "easy_ensemble"):
        pytest.importorskip("imblearn")
    cell = {"category": "crude", "method": method, "repeat": 0}
    study = BoostedLinearPerceptrons()
    found = study.evaluate(cell, study.load(cell, small_collection))
    assert (found["train_positives"], found["test_positives"]) == (30, 10)
    # Nine words of topics, three others, and the title's.
    assert found["stems"] <= 14
    assert found["f1_percent"] > 90
    precision, recall = found["precision_percent"], found["recall_percent"]
    assert found["f1_percent"] == pytest.approx(2 * precision * recall / (precision + recall))


def test_the_published_table_agrees_with_itself():
    published = read_published("o_zhang_blp_table3")
    results = pd.concat(
        published.assign(
            repeat=repeat, f1_percent=published["f1_percent"] + repeat, recall_percent=50.0,
            precision_percent=60.0, train_positives=3, test_positives=2, stems=9,
        )
        for repeat in (-1, 0, 1)
    )  # fmt: skip
    study = BoostedLinearPerceptrons()
    tables = study.tables(results)
    assert (tables["table_3"]["within"] == "yes").all()
    assert len(tables["table_3"]) == 9
    recalls = tables["recall"].dropna(subset="published")
    assert sorted(recalls["published"]) == [43.6, 80.8]
    assert len(tables["table_2"]) == 3
    assert set(study.figures(results, None)) == {"figure_2", "figure_3"}


def test_what_has_no_random_choice_is_done_once():
    cells = pd.DataFrame(BoostedLinearPerceptrons().cells(quick=False))
    counts = cells.groupby("method").size()
    assert counts["blp"] == 3 * 5
    assert counts["naive_bayes"] == 3
