from urllib.error import URLError

import numpy as np
import pandas as pd
import pytest
from sklearn import datasets
from sklearn.utils import Bunch

from hardy.datasets import fetch_uci, uci_sets
from hardy.exceptions import InputError
from needs import needs_data


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch, tmp_path):
    monkeypatch.setattr(datasets, "get_data_home", lambda: str(tmp_path / "cache"))


@pytest.fixture
def without_data(monkeypatch):
    monkeypatch.delenv("HARDY_DATA", raising=False)


@needs_data
@pytest.mark.parametrize("name", list(uci_sets()))
def test_every_set_is_what_the_catalogue_says(name):
    """The digest, and the numbers that it is checked by, are of one file."""
    bunch = fetch_uci(name)
    known = uci_sets()[name]
    assert bunch.data.shape == (known.n_rows, known.n_features)
    assert bunch.target.astype(str).value_counts().to_dict() == known.counts
    assert {str(label) for label in bunch.positive} == set(known.positive)
    assert bunch.DESCR.startswith(known.description)


@needs_data
@pytest.mark.parametrize(
    ("name", "share"),
    [("cancer", 34.5), ("glass", 13.6), ("vowel_990", 9.1), ("thyroid", 7.4), ("vehicle", 25.7),
     ("pima", 34.9), ("ionosphere", 35.9)],
)  # fmt: skip
def test_the_positive_classes_have_the_shares_of_the_paper(name, share):
    bunch = fetch_uci(name)
    assert 100 * bunch.target.isin(bunch.positive).mean() == pytest.approx(share, abs=0.06)


@needs_data
def test_what_comes_back():
    bunch = fetch_uci("glass")
    assert bunch.feature_names == ["ri", "na", "mg", "al", "si", "k", "ca", "ba", "fe"]
    pd.testing.assert_frame_equal(bunch.frame.drop(columns="target"), bunch.data)
    assert bunch.positive == [7]
    X, y = fetch_uci("glass", return_X_y=True, as_frame=False)
    np.testing.assert_array_equal(X, bunch.data)
    assert isinstance(y, np.ndarray)
    assert fetch_uci("cancer").data["bare_nuclei"].isna().sum() == 16
    assert fetch_uci("glass", as_frame=False).frame is None


def test_the_folder_of_the_user_comes_first(tmp_path, without_data):
    own = tmp_path / "glass.csv"
    own.write_text("a,target\n1,2\n")
    with pytest.raises(InputError, match=r"glass.csv isn't the file .* SHA-256 differs"):
        fetch_uci("glass", data_home=tmp_path)


def test_names_are_checked():
    with pytest.raises(InputError, match=r"no data set 'galss'; did you mean 'glass'\?"):
        fetch_uci("galss")
    with pytest.raises(InputError, match=r"no data set 3\. There are pima, wdbc"):
        fetch_uci(3)


def openml(monkeypatch, data, target):
    asked = []

    def fetch(**options):
        asked.append(options)
        return Bunch(data=pd.DataFrame(data), target=pd.Series(target, dtype="category"))

    monkeypatch.setattr(datasets, "fetch_openml", fetch)
    return asked


def test_what_openml_gives_has_the_labels_of_the_papers(monkeypatch, without_data):
    target = ["tested_negative"] * 500 + ["tested_positive"] * 268
    asked = openml(monkeypatch, np.zeros((768, 8)), target)
    bunch = fetch_uci("pima")
    assert asked[0]["data_id"] == 37
    assert bunch.target.value_counts().to_dict() == {0: 500, 1: 268}
    assert bunch.positive == [1]
    assert bunch.source == "OpenML 37"


@pytest.mark.parametrize(
    ("shape", "n_positive", "message"),
    [
        ((768, 9), 268, "isn't the data set 'pima': features: 9, not 8"),
        ((767, 8), 268, "rows: 767, not 768"),
        ((768, 8), 267, "rows of each class"),
    ],
)
def test_other_data_on_openml_are_refused(monkeypatch, without_data, shape, n_positive, message):
    target = ["n"] * (shape[0] - n_positive) + ["p"] * n_positive
    openml(monkeypatch, np.zeros(shape), target)
    with pytest.raises(InputError, match=message):
        fetch_uci("pima")


def test_without_a_network_the_message_says_what_to_do(monkeypatch, without_data):
    def fetch(**options):
        raise URLError("no route to host")

    monkeypatch.setattr(datasets, "fetch_openml", fetch)
    with pytest.raises(InputError, match=r"can't be fetched .*no route.* uci/pima.csv "):
        fetch_uci("pima")
    with pytest.raises(InputError, match=r"'satimage' isn't here, and OpenML hasn't the same rows"):
        fetch_uci("satimage")
