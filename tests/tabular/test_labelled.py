import unicodedata

import numpy as np
import pandas as pd
import pytest

from hardy.exceptions import InputError
from hardy.tabular import read_labelled_table

N = 40


@pytest.fixture
def path(tmp_path):
    """Two classes; a column that counts the rows, one without use, and two labels missing."""
    labels = ["raw", "ripe"] * (N // 2)
    labels[:2] = [None, None]
    table = pd.DataFrame(
        {
            "n": range(1, N + 1),
            "size": np.arange(N) % 7 / 2,
            "unit": ["cm", "cm", *["mm"] * (N - 2)],
            "code": [f"{row % 9:03d}" for row in range(N)],
            "state": labels,
        }
    )
    table.to_csv(tmp_path / "fruit.csv", index=False)
    return tmp_path / "fruit.csv"


def test_what_is_learnt_from(path):
    given = read_labelled_table(path, "state", drop=["n"], id="code", keep=["unit"], text=["size"])
    assert list(given.features) == ["size", "unit"]
    assert (given.drop, given.keep, given.text) == (("n",), ("unit",), ("size",))
    assert given.labels.isna().sum() == given.facts.n_missing == 2
    assert given.facts.counts.tolist() == [19, 19]
    assert given.table.frame["code"][1] == "001"
    assert given.features["size"][1] == "0.5"


def test_columns_are_judged_by_the_whole_table_where_it_has_labels(path):
    """The counter would look like a measurement in a fold, and the unit like words with lines 2."""
    given = read_labelled_table(path, "state")
    assert given.set_aside == {
        "n": "it counts the rows from 3 to 40",
        "unit": "every value is 'mm'",
    }
    assert list(read_labelled_table(path, "state", keep=["n", "unit"]).set_aside) == []
    useless = read_labelled_table(path, "state", drop=["size", "code"])
    with pytest.raises(InputError, match=r"fruit.csv: No column is left .* \('n': it counts"):
        _ = useless.set_aside


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": "stat"}, "fruit.csv: There is no column 'stat'; did you mean 'state'?"),
        ({"target": 3}, "target=3 is no name of a column"),
        ({"target": "size", "drop": "code"}, "drop='code' must be a list of names"),
        ({"keep": 3}, "keep=3 must be a list of names"),
        ({"text": ["unti"]}, "fruit.csv: There is no column 'unti'; did you mean 'unit'?"),
        ({"drop": [3]}, "fruit.csv: 3 is no name of a column"),
        ({"id": "cod"}, "no column 'cod'; did you mean 'code'"),
        ({"group": "cod"}, "no column 'cod'; did you mean 'code'"),
        ({"drop": ["state"]}, "'state' can't be both the target and dropped"),
        ({"drop": ["code"], "text": ["code"]}, "'code' can't be both dropped and learnt from"),
        ({"id": "code", "group": "code"}, "'code' can't be both the identifier and the group"),
        ({"drop": ["n", "size", "unit"], "id": "code"}, "no column left to learn from beside"),
        ({"target": "n"}, "fruit.csv: The target 'n' holds numbers with 40 distinct values"),
        ({"target": "unit", "encoding": "klingon"}, "klingon"),
        ({"annotation_columns": ("leaf", "who", "says")}, "name that file, too, as annotations"),
    ],
)
def test_what_cannot_be_used(path, options, message):
    with pytest.raises(InputError, match=message):
        read_labelled_table(path, **{"target": "state", **options})


def test_names_in_another_unicode_form(tmp_path):
    composed, apart = (unicodedata.normalize(form, "größe") for form in ("NFC", "NFD"))
    path = tmp_path / "t.csv"
    path.write_text(f"{composed},n,y\n" + "1.5,2,a\n2.5,1,b\n" * 4)
    for form in (composed, apart):
        assert list(read_labelled_table(path, "y", drop=[form]).features) == ["n"]
        with pytest.raises(InputError, match="can't be both dropped and learnt from"):
            read_labelled_table(path, "y", drop=[form], keep=[composed])
