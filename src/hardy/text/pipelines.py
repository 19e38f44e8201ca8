"""Classifiers of raw texts."""

from typing import Any, Literal

import numpy as np
from sklearn.pipeline import Pipeline

from hardy.ensembles.linear_perceptron_boost import LinearPerceptronBoostClassifier
from hardy.exceptions import InputError
from hardy.text.stems import StemCounter
from hardy.text.tfidf import UnsmoothedTfidfTransformer


def make_text_filter(
    estimator: Any = None,
    *,
    stemmer: str | None = "porter",
    stop_words: Literal["english"] | list[str] | None = "english",
    min_df: float = 1,
    max_features: int | None = None,
    random_state: int | np.random.RandomState | None = None,
) -> Pipeline:
    """Make a classifier of texts, such as a filter for the stories of one topic.

    Stop words are left out, the other words cut to their stems, the stems of a text counted,
    weighted by tf · ln(N/df) and scaled to length 1 [1]_. A text without any known word is a row
    of zeros.

    Parameters
    ----------
    estimator : classifier, optional
        What is to be trained on these sparse rows, by default
        :class:`~hardy.LinearPerceptronBoostClassifier`; a clone is not made.
    stemmer : str or None, default="porter"
        ``"porter"``, ``"english"``, another of ``snowballstemmer.algorithms()``, or None for whole
        words.
    stop_words : "english", list of str or None, default="english"
        The words to leave out, in lower case and before stemming; ``"english"`` is scikit-learn's
        list. Other languages want a list of their own, or None.
    min_df : int or float, default=1
        In how many documents a stem must occur, at least; as a float the share of the documents.
    max_features : int or None, default=None
        The most stems to keep, those with the highest counts.
    random_state : int, RandomState instance or None, default=None
        Seeds the default classifier. A classifier of one's own has a parameter for that itself.

    Returns
    -------
    Pipeline
        Steps ``counts`` (:class:`StemCounter`), ``weights`` (:class:`UnsmoothedTfidfTransformer`)
        and ``classifier``. It takes a list, an array, or a column of pandas or polars.

    Raises
    ------
    InputError
        Where both `estimator` and `random_state` are given.

    References
    ----------
    .. [1] J.-M. O, B.-T. Zhang, "Text Filtering by Boosting Linear Perceptrons", Journal of Fuzzy
       Logic and Intelligent Systems 10 (2000), 374–378.

    Examples
    --------
    >>> from hardy.text import make_text_filter
    >>> texts = ["Oil prices rose", "Crude oil exports fall", "Wheat harvests", "The wheat price"]
    >>> model = make_text_filter(random_state=0).fit(texts, ["oil", "oil", "grain", "grain"])
    >>> model.predict(["exporting oil", "harvested wheat"])
    array(['oil', 'grain'], dtype=object)
    """
    if estimator is None:
        estimator = LinearPerceptronBoostClassifier(random_state=random_state)
    elif random_state is not None:
        raise InputError(
            "random_state seeds the default classifier, but an estimator is given: seed that "
            "itself, and leave random_state out."
        )
    counts = StemCounter(
        stemmer=stemmer, stop_words=stop_words, min_df=min_df, max_features=max_features
    )
    return Pipeline(
        [
            ("counts", counts),
            ("weights", UnsmoothedTfidfTransformer()),
            ("classifier", estimator),
        ]
    )
