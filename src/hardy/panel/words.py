"""Columns of text as weights of words and of pairs of words."""

from typing import Any, Self

import pandas as pd
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer

from hardy.tabular._frames import as_documents

_MOST_TERMS = 100_000


class WordEncoder:
    """Turn the columns of text of a table into one sparse matrix of tf·idf.

    Parameters
    ----------
    positions : list of int
        The columns; each has words of its own, and rows of length 1.

    Examples
    --------
    >>> import pandas as pd
    >>> from hardy.panel.words import WordEncoder
    >>> table = pd.DataFrame({"note": ["good fish", "bad fish", "good bread", None]})
    >>> WordEncoder([0]).fit(table).transform(table).toarray().round(2)
    array([[0.71, 0.71],
           [1.  , 0.  ],
           [0.  , 1.  ],
           [0.  , 0.  ]])
    """

    def __init__(self, positions: list[int]) -> None:
        self.positions = positions

    def fit(self, frame: pd.DataFrame) -> Self:
        """Learn which words there are."""
        self._vectorizers = [_fit_vectorizer(texts) for texts in self._texts(frame)]
        return self

    def transform(self, frame: pd.DataFrame) -> sparse.csr_array:
        """Give the weights of the known words; shape (n_samples, n_terms)."""
        parts = [
            vectorizer.transform(texts)
            for vectorizer, texts in zip(self._vectorizers, self._texts(frame), strict=True)
        ]
        return sparse.csr_array(sparse.hstack(parts, format="csr"))

    def _texts(self, frame: pd.DataFrame) -> list[Any]:
        return [as_documents(frame.iloc[:, at]) for at in self.positions]


def _fit_vectorizer(texts: Any) -> TfidfVectorizer:
    common = {"sublinear_tf": True, "max_features": _MOST_TERMS}
    try:
        # What is in one text only tells nothing of another.
        return TfidfVectorizer(ngram_range=(1, 2), min_df=2, **common).fit(texts)
    except ValueError:
        # Signs and single letters are no words, but may tell texts apart all the same.
        return TfidfVectorizer(analyzer="char", ngram_range=(1, 3), **common).fit(texts)
