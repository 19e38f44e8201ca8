import warnings
from math import log, sqrt

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import cross_val_score
from sklearn.svm import LinearSVC
from skops import io as skops_io

from hardy.ensembles.linear_perceptron_boost import LinearPerceptronBoostClassifier
from hardy.exceptions import InputError
from hardy.text import make_text_filter
from hardy.text.stems import _Stems

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def stories(n=120, seed=0):
    """Short stories of oil, wheat and money, with words that all have in common."""
    rng = np.random.default_rng(seed)
    own = {
        "oil": ["barrels", "crude", "refinery", "drilling"],
        "grain": ["wheat", "harvested", "tonnes", "corn"],
        "money": ["banks", "deposits", "currency", "rates"],
    }
    common = ["government", "prices", "markets", "exports", "said", "reports", "officials"]
    topics = np.array(list(own))[np.arange(n) % 3]
    texts = [
        " ".join([*rng.choice(own[topic], 2), *rng.choice(common, 6), *rng.choice(own["oil"], 1)])
        for topic in topics
    ]
    return texts, topics


def test_rows_by_hand():
    model = make_text_filter(LinearSVC(), stemmer="porter")
    texts = ["Running ponies", "The pony ran", "Runs, runs"]
    # Stems: poni run; poni ran; run run. Each of poni and run is in two of three, ran in one.
    model.fit(texts, [0, 1, 0])
    rows = model[:-1].transform(texts).toarray()
    assert list(model[:-1].get_feature_names_out()) == ["poni", "ran", "run"]
    common, rare = log(3 / 2), log(3)
    length = sqrt(common**2 + rare**2)
    expected = [
        [1 / sqrt(2), 0, 1 / sqrt(2)],
        [common / length, rare / length, 0],
        [0, 0, 1],
    ]
    assert_allclose(rows, expected, atol=1e-12)


def test_the_default_classifier():
    model = make_text_filter(random_state=7)
    classifier = model.named_steps["classifier"]
    assert isinstance(classifier, LinearPerceptronBoostClassifier)
    assert classifier.random_state == 7
    assert list(model.named_steps) == ["counts", "weights", "classifier"]


def test_settings_reach_the_counter():
    model = make_text_filter(
        stemmer=None, stop_words=["said"], min_df=2, max_features=5, estimator=LinearSVC()
    )
    assert model.named_steps["counts"].get_params() == {
        "stemmer": None,
        "stop_words": ["said"],
        "min_df": 2,
        "max_features": 5,
    }


def test_a_given_classifier_is_not_seeded():
    estimator = LinearSVC()
    assert make_text_filter(estimator).named_steps["classifier"] is estimator
    with pytest.raises(InputError, match="an estimator is given: seed that itself"):
        make_text_filter(estimator, random_state=0)


@pytest.mark.parametrize("estimator", [None, LinearSVC()])
def test_it_tells_topics_apart(estimator):
    texts, topics = stories()
    scores = cross_val_score(make_text_filter(estimator), texts, topics, cv=3)
    assert scores.min() > 0.9


def test_containers_and_seeds_change_nothing():
    texts, topics = stories()
    new, _ = stories(30, seed=1)
    expected = make_text_filter(random_state=0).fit(texts, topics).predict_proba(new)
    for make in (np.array, pd.Series, pl.Series):
        model = make_text_filter(random_state=0).fit(make(texts), topics)
        assert_array_equal(model.predict_proba(make(new)), expected)


def test_a_text_without_known_words_gets_a_label():
    texts, topics = stories()
    model = make_text_filter(random_state=0).fit(texts, topics)
    assert set(model.predict(["", "zebra"])) <= set(topics)


def test_bad_texts_are_named_when_predicting_too():
    texts, topics = stories()
    model = make_text_filter(random_state=0).fit(texts, topics)
    for bad, message in ((["oil", 5], "row 1 is no text but 5"), ("oil", "single text")):
        with pytest.raises(InputError, match=message):
            model.predict(bad)


def test_it_clones_and_saves_by_class_names_only():
    texts, topics = stories()
    model = make_text_filter(random_state=0).fit(texts, topics)
    again = clone(model).fit(texts, topics)
    assert_array_equal(again.predict_proba(texts), model.predict_proba(texts))
    data = skops_io.dumps(model)
    foreign = skops_io.get_untrusted_types(data=data)
    assert all(name.startswith("hardy.") for name in foreign)
    loaded = skops_io.loads(data, trusted=foreign)
    assert_array_equal(loaded.predict_proba(texts), model.predict_proba(texts))


def test_ten_thousand_documents_are_stemmed_by_the_word(monkeypatch):
    """Each word is stemmed once, however often it comes."""
    texts, _ = stories(10_000)
    n_stemmed = 0

    class Counting(_Stems):
        def __missing__(self, word):
            nonlocal n_stemmed
            n_stemmed += 1
            return super().__missing__(word)

    monkeypatch.setattr("hardy.text.stems._stems_by", Counting)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        make_text_filter(LinearSVC())[:-1].fit_transform(texts)
    assert n_stemmed < 30
