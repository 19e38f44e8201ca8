"""Members that judge texts, and the folds in which they do."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.model_selection import cross_val_predict

from hardy import audit_labels
from hardy.panel import PanelData, SimilarTextsOpinion, TextFolds, WordsOpinion, members_for
from hardy.panel.text import find_topics
from hardy.panel.views import Views
from hardy.panel.words import WordEncoder
from hardy.tabular import TableEncoder

TOPICS = 15


def write_texts(n_rows: int, labels_by: str) -> tuple[pd.DataFrame, np.ndarray]:
    """Write texts on 15 topics and two things in each; a word tells what is true of half of them.

    Labels are told by that word alone, by it and a list of things that are always positive, or by
    the topic.
    """
    rng = np.random.RandomState(0)
    topic, thing = np.arange(n_rows) % TOPICS, rng.randint(0, 2, n_rows)
    truth = rng.randint(0, 2, n_rows)
    is_listed = (thing == 1) & (topic % 2 == 0)
    codes = {"rule": truth, "list": truth | is_listed, "topic": (topic < 5).astype(int)}[labels_by]
    texts = []
    for at, about, holds in zip(topic, thing, truth, strict=True):
        words = [f"topic{at}word{number}" for number in rng.randint(0, 6, 8)]
        told = ("good", "bad")[holds] if labels_by != "topic" else "some"
        texts.append(" ".join([*words, f"topic{at}thing{about}", told]))
    return pd.DataFrame({"text": texts}), codes


def make_data(texts: pd.DataFrame, codes: np.ndarray, **options: object) -> PanelData:
    views = Views(texts, TableEncoder(text=["text"]))
    settings = {"n_splits": 5, "random_state": 0, **options}
    return PanelData.make(views, codes.astype(np.intp), 2, **settings)


def test_a_topic_does_not_judge_itself_where_a_list_is_repeated_in_topics():
    texts, codes = write_texts(450, "list")
    draws = TextFolds().choose(make_data(texts, codes), seed=0)
    assert draws
    topic = np.arange(450) % TOPICS
    for folds in draws:
        assert sorted(np.concatenate([test for _, test in folds])) == list(range(450))
        # k-means may gather two topics, but hardly cuts one.
        shared = [len(np.intersect1d(topic[train], topic[test])) for train, test in folds]
        assert np.mean(shared) < 2


@pytest.mark.parametrize("labels_by", ["rule", "topic"])
def test_folds_are_drawn_at_random_where_topics_repeat_nothing_or_are_the_label(labels_by):
    texts, codes = write_texts(450, labels_by)
    assert TextFolds().choose(make_data(texts, codes), seed=0) == []


@pytest.mark.parametrize("options", [{"groups": np.arange(450) % 9}, {}])
def test_groups_and_few_rows_keep_the_ordinary_folds(options):
    texts, codes = write_texts(450 if options else 290, "list")
    assert TextFolds().choose(make_data(texts, codes, **options), seed=0) == []


def write_oil_and_wheat(n_rows: int, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Write texts on two things, each with words of its own among words that both have."""
    rng = np.random.RandomState(seed)
    codes = rng.randint(0, 2, n_rows)
    names = np.array(["wheat", "oil"])[codes]
    own, number = rng.rand(n_rows, 13) < 0.35, rng.randint(0, 8, (n_rows, 13))
    return pd.DataFrame(
        {
            "text": [
                " ".join(
                    f"{name if is_own else 'any'}{at}" for is_own, at in zip(*row, strict=True)
                )
                for name, *row in zip(names, own, number, strict=True)
            ]
        }
    ), codes


@pytest.mark.parametrize("source", [0, 1])
def test_wrong_labels_of_one_direction_are_found_where_the_label_is_the_topic(source):
    texts, true = write_oil_and_wheat(400, seed=1)
    wrong = np.random.RandomState(0).choice(np.flatnonzero(true == source), 50, replace=False)
    is_wrong = np.isin(np.arange(400), wrong)
    given = np.where(is_wrong, 1 - true, true)
    doubt = audit_labels(texts, given, text=["text"], random_state=0).doubt
    assert average_precision_score(is_wrong, doubt) > 0.7


def write_kinds_of_a_thing(n_rows: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Write texts whose topics are kinds of two things: each kind has words of its own."""
    rng = np.random.RandomState(0)
    topic = np.arange(n_rows) % TOPICS
    codes = (topic < 7).astype(int)
    texts = []
    for at, code in zip(topic, codes, strict=True):
        words = [f"topic{at}word{number}" for number in rng.randint(0, 6, 8)]
        # Words of the thing, shared by its kinds; one in five is of the other thing.
        of_thing = np.where(rng.rand(5) < 0.8, code, 1 - code)
        shared = [
            f"thing{which}word{number}"
            for which, number in zip(of_thing, rng.randint(0, 3, 5), strict=True)
        ]
        texts.append(" ".join([*words, *shared]))
    return pd.DataFrame({"text": texts}), codes


def test_topics_that_are_kinds_of_a_class_judge_themselves():
    # Other topics tell some of the label, but less than the text's own topic does.
    texts, codes = write_kinds_of_a_thing(450)
    assert TextFolds().choose(make_data(texts, codes), seed=0) == []


def test_words_equal_scikit_learns_out_of_fold_probabilities():
    texts, codes = write_texts(120, "rule")
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
    data = make_data(*write_texts(450, "list"))
    assert SimilarTextsOpinion(folds).opinion(data, 0) is None
    data = make_data(*write_texts(450, "topic"))
    assert SimilarTextsOpinion(folds).opinion(data, 0).shape == (450, 2)


def test_equal_texts_are_one_topic():
    words = WordEncoder([0]).fit(texts := pd.DataFrame({"text": ["a b", "c d"] * 10}))
    topics = find_topics(words.transform(texts), 5, 0)
    assert len(set(topics[::2])) == len(set(topics[1::2])) == 1


def test_members_suit_the_columns():
    texts, _ = write_texts(60, "rule")

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
