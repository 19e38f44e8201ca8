from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
import snowballstemmer
from numpy.testing import assert_array_equal
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer

from hardy.exceptions import InputError
from hardy.text import StemCounter
from hardy.text.stems import _Stems

TEXTS = ["Crude oil prices rose", "oil, oil and wheat", "the price of wheat"]


# Examples of Porter's paper and of his own list of words.
@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("running", "run"),
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("cats", "cat"),
        ("feed", "feed"),
        ("agreed", "agre"),
        ("plastered", "plaster"),
        ("motoring", "motor"),
        ("sing", "sing"),
        ("conflated", "conflat"),
        ("hopping", "hop"),
        ("falling", "fall"),
        ("filing", "file"),
        ("happy", "happi"),
        ("relational", "relat"),
        ("vietnamization", "vietnam"),
        ("generalizations", "gener"),
        ("oscillators", "oscil"),
    ],
)
def test_porters_stems(word, stem):
    assert StemCounter().build_analyzer()(word) == [stem]


@pytest.mark.parametrize(
    ("stemmer", "text", "stems"),
    [
        ("porter", "generously skies", ["gener", "ski"]),
        ("english", "generously skies", ["generous", "sky"]),
        ("german", "Häuser aufeinander", ["haus", "aufeinand"]),
        ("french", "continuellement", ["continuel"]),
        (None, "Running ponies", ["running", "ponies"]),
    ],
)
def test_other_stemmers(stemmer, text, stems):
    assert StemCounter(stemmer=stemmer).build_analyzer()(text) == stems


def test_an_unknown_stemmer_is_refused():
    with pytest.raises(ValueError, match=r"'stemmer' parameter of StemCounter must be .*'klingon'"):
        StemCounter(stemmer="klingon").fit(TEXTS)


def test_counts_become_a_sparse_frame_with_names():
    counter = StemCounter().fit(TEXTS)
    frame = pd.DataFrame.sparse.from_spmatrix(
        counter.transform(TEXTS), columns=counter.get_feature_names_out()
    )
    assert frame["oil"].tolist() == [1, 2, 0]
    assert frame.sparse.density == 8 / 15
    # What that frame is instead of.
    assert not hasattr(counter, "set_output")


def test_counts_by_hand():
    counter = StemCounter()
    counts = counter.fit_transform(TEXTS)
    assert list(counter.get_feature_names_out()) == ["crude", "oil", "price", "rose", "wheat"]
    expected = [[1, 1, 1, 1, 0], [0, 2, 0, 0, 1], [0, 0, 1, 0, 1]]
    assert_array_equal(counts.toarray(), expected)
    assert_array_equal(counter.fit(TEXTS).transform(TEXTS).toarray(), expected)


def test_unknown_words_leave_a_row_of_zeros():
    counts = StemCounter().fit(TEXTS).transform(["", "the", "copper mines", "OILS"])
    assert_array_equal(counts.toarray().sum(axis=1), [0, 0, 0, 1])


def test_without_stems_it_is_scikit_learns():
    theirs = CountVectorizer(stop_words="english")
    ours = StemCounter(stemmer=None)
    assert_array_equal(ours.fit_transform(TEXTS).toarray(), theirs.fit_transform(TEXTS).toarray())
    assert ours.vocabulary_ == theirs.vocabulary_


@pytest.mark.parametrize(
    ("settings", "stems"),
    [
        ({"min_df": 2}, ["oil", "price", "wheat"]),
        ({"min_df": 0.5}, ["oil", "price", "wheat"]),
        ({"max_features": 1}, ["oil"]),
        (
            {"stop_words": ["oil", "prices", "rose"]},
            ["and", "crude", "of", "price", "the", "wheat"],
        ),
        ({"stop_words": None, "min_df": 2}, ["oil", "price", "wheat"]),
    ],
)
def test_which_stems_are_kept(settings, stems):
    assert list(StemCounter(**settings).fit(TEXTS).get_feature_names_out()) == stems


@pytest.mark.parametrize(
    ("texts", "settings", "message"),
    [
        (["the", "and", ""], {}, "The 3 documents leave no stem to count: empty vocabulary"),
        (TEXTS, {"min_df": 3}, "3 documents leave no stem .*no terms remain"),
        (TEXTS, {"min_df": 9}, "3 documents leave no stem"),
        ([], {}, "0 documents leave no stem"),
    ],
)
def test_no_stem_left_is_an_error(texts, settings, message):
    with pytest.raises(InputError, match=message):
        StemCounter(**settings).fit(texts)


def test_texts_are_checked_at_every_entrance():
    counter = StemCounter().fit(TEXTS)
    for enter in (counter.fit, counter.fit_transform, counter.transform):
        with pytest.raises(InputError, match="row 1 is missing"):
            enter(["oil", None])
        with pytest.raises(InputError, match="single text"):
            enter("oil")
        with pytest.raises(InputError, match="shape"):
            enter(pd.DataFrame({"oil": TEXTS}))


def test_before_the_fit():
    with pytest.raises(NotFittedError):
        StemCounter().transform(TEXTS)


def test_words_without_end_are_not_all_kept(monkeypatch):
    monkeypatch.setattr("hardy.text.stems._N_CACHED_STEMS", 2)
    kept = _Stems("porter")
    assert [kept[word] for word in ("ponies", "running", "cats")] == ["poni", "run", "cat"]
    assert kept == {"cats": "cat"}


def test_threads_don_t_disturb_each_other():
    rng = np.random.default_rng(0)
    words = ["".join(word) for word in rng.choice(list("aeilnrstyz"), (2000, 9))]
    texts = [f"{word}ing" for word in words]
    analyze = StemCounter(stop_words=None).build_analyzer()
    with ThreadPoolExecutor(4) as pool:
        stems = [stem for (stem,) in pool.map(analyze, texts * 2)]
    assert stems == snowballstemmer.stemmer("porter").stemWords(texts) * 2
