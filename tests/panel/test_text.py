"""Members that judge texts, and the folds in which they do."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

from hardy.panel import PanelData, SimilarTextsOpinion, TextFolds, WordsOpinion, members_for
from hardy.panel.text import find_topics
from hardy.panel.views import Views
from hardy.panel.words import WordEncoder
from hardy.tabular import TableEncoder

TOPICS = 15


def write_texts(n_rows: int, *, rule: bool) -> tuple[pd.DataFrame, np.ndarray]:
    """Write texts on 15 topics whose label is told by a word, or by the topic."""
    rng = np.random.RandomState(0)
    topic = np.arange(n_rows) % TOPICS
    codes = rng.randint(0, 2, n_rows) if rule else (topic < 5).astype(int)
    texts = []
    for at, code in zip(topic, codes, strict=True):
        words = [f"topic{at}word{number}" for number in rng.randint(0, 6, 8)]
        texts.append(" ".join([*words, ("good", "bad")[code] if rule else "some"]))
    return pd.DataFrame({"text": texts}), codes


def make_data(texts: pd.DataFrame, codes: np.ndarray, **options: object) -> PanelData:
    views = Views(texts, TableEncoder(text=["text"]))
    settings = {"n_splits": 5, "random_state": 0, **options}
    return PanelData.make(views, codes.astype(np.intp), 2, **settings)


def test_a_topic_does_not_judge_itself_where_a_rule_holds_across_topics():
    texts, codes = write_texts(450, rule=True)
    draws = TextFolds().choose(make_data(texts, codes), seed=0)
    assert draws
    topic = np.arange(450) % TOPICS
    for folds in draws:
        assert sorted(np.concatenate([test for _, test in folds])) == list(range(450))
        # k-means may gather two topics, but hardly cuts one.
        shared = [len(np.intersect1d(topic[train], topic[test])) for train, test in folds]
        assert np.mean(shared) < 2


def test_folds_are_drawn_at_random_where_the_label_is_the_topic():
    texts, codes = write_texts(450, rule=False)
    assert TextFolds().choose(make_data(texts, codes), seed=0) == []


@pytest.mark.parametrize("options", [{"groups": np.arange(450) % 9}, {}])
def test_groups_and_few_rows_keep_the_ordinary_folds(options):
    texts, codes = write_texts(450 if options else 290, rule=True)
    assert TextFolds().choose(make_data(texts, codes, **options), seed=0) == []


def test_words_equal_scikit_learns_out_of_fold_probabilities():
    texts, codes = write_texts(120, rule=True)
    data = make_data(texts, codes)
    expected = cross_val_predict(
        LogisticRegression(C=2.0, max_iter=1000),
        data.views.words,
        codes,
        cv=data.folds,
        method="predict_proba",
    )
    np.testing.assert_allclose(
        WordsOpinion(TextFolds(), (2.0,)).opinion(data, 0), expected, atol=0.02
    )


def test_similar_texts_have_no_opinion_across_topics():
    folds = TextFolds()
    data = make_data(*write_texts(450, rule=True))
    assert SimilarTextsOpinion(folds).opinion(data, 0) is None
    data = make_data(*write_texts(450, rule=False))
    assert SimilarTextsOpinion(folds).opinion(data, 0).shape == (450, 2)


def test_equal_texts_are_one_topic():
    words = WordEncoder([0]).fit(texts := pd.DataFrame({"text": ["a b", "c d"] * 10}))
    topics = find_topics(words.transform(texts), 5, 0)
    assert len(set(topics[::2])) == len(set(topics[1::2])) == 1


def test_members_suit_the_columns():
    texts, _ = write_texts(60, rule=True)

    def kinds(table: pd.DataFrame) -> set[str]:
        return {member.kind for member in members_for(Views(table, TableEncoder()))}

    assert kinds(texts) == {"words", "similar texts"}
    mixed = kinds(texts.assign(size=np.random.RandomState(0).rand(60)))
    assert {"words", "extra trees"} <= mixed
    assert "words" not in kinds(pd.DataFrame({"size": np.random.RandomState(0).rand(60)}))


def test_signs_are_told_apart_and_unknown_words_are_nothing():
    table = pd.DataFrame({"text": ["!!!", "??", "!!!", None]})
    encoder = WordEncoder([0]).fit(table)
    rows = encoder.transform(table).toarray()
    assert (rows[0] == rows[2]).all()
    assert (rows[0] != rows[1]).any()
    assert not rows[3].any()
    assert not encoder.transform(pd.DataFrame({"text": ["words"]})).nnz
