"""Counts of word stems."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, ClassVar, Literal

import numpy as np
import snowballstemmer
from numpy.typing import ArrayLike
from sklearn.base import _fit_context
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.utils._param_validation import StrOptions

from hardy.exceptions import InputError
from hardy.text._documents import check_documents

_N_CACHED_STEMS = 2**17


class StemCounter(CountVectorizer):
    """Count the word stems of texts.

    scikit-learn's ``CountVectorizer`` with stems in place of words. A text is put into lower case
    and split into words of two or more letters or digits; stop words are left out, and the others
    are cut to their stems. A text without any known word is a row of zeros.

    Parameters
    ----------
    stemmer : str or None, default="porter"
        Which words count as one. ``"porter"`` is Porter's algorithm for English [1]_,
        ``"english"`` his later revision; there are further languages, such as ``"french"``,
        ``"german"`` and ``"spanish"``, of the Snowball project [2]_:
        ``snowballstemmer.algorithms()`` lists them. With None, words are counted as they are.
    stop_words : "english", list of str or None, default="english"
        The words to leave out, in lower case and before stemming; ``"english"`` is scikit-learn's
        list.
    min_df : int or float, default=1
        In how many documents a stem must occur, at least; as a float the share of the documents.
    max_features : int or None, default=None
        The most stems to keep, those with the highest counts.

    Attributes
    ----------
    vocabulary_ : dict
        The column of each stem.

    Notes
    -----
    There is no ``set_output``, as scikit-learn's ``CountVectorizer`` has none: the counts are
    sparse, and a frame of many thousand columns would not be. ``get_feature_names_out`` names the
    columns, and ``pandas.DataFrame.sparse.from_spmatrix`` makes a sparse frame of both.

    References
    ----------
    .. [1] M. F. Porter, "An algorithm for suffix stripping", Program 14 (1980), 130–137.
    .. [2] M. F. Porter, R. Boulton, "Snowball", https://snowballstem.org.

    Examples
    --------
    >>> from hardy.text import StemCounter
    >>> counter = StemCounter()
    >>> counter.fit_transform(["Ponies were running", "He runs, and the pony runs"]).toarray()
    array([[1., 1.],
           [1., 2.]])
    >>> counter.get_feature_names_out()
    array(['poni', 'run'], dtype=object)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CountVectorizer._parameter_constraints,
        "stemmer": [StrOptions(set(snowballstemmer.algorithms())), None],
    }

    def __init__(
        self,
        *,
        stemmer: str | None = "porter",
        stop_words: Literal["english"] | list[str] | None = "english",
        min_df: float = 1,
        max_features: int | None = None,
    ) -> None:
        super().__init__(
            stop_words=stop_words, min_df=min_df, max_features=max_features, dtype=np.float64
        )
        self.stemmer = stemmer

    def build_analyzer(self) -> Callable[[str], Sequence[str]]:
        """Make the function that turns a text into its stems.

        Returns
        -------
        callable
            Takes a text, gives its stems in their order.
        """
        words: Callable[[str], Sequence[str]] = super().build_analyzer()
        if self.stemmer is None:
            return words
        stem = _stems_by(self.stemmer).__getitem__
        return lambda text: list(map(stem, words(text)))

    def fit(self, raw_documents: ArrayLike, y: Any = None) -> "StemCounter":
        """Learn which stems there are.

        Parameters
        ----------
        raw_documents : array-like of str, of shape (n_samples,)
            The texts: a list, an array, or a column of pandas or polars.
        y : None
            Ignored.

        Returns
        -------
        StemCounter
            The fitted counter itself.

        Raises
        ------
        InputError
            Where a document is missing or no text, or no stem is left.
        """
        self.fit_transform(raw_documents)
        return self

    @_fit_context(prefer_skip_nested_validation=True)
    def fit_transform(self, raw_documents: ArrayLike, y: Any = None) -> Any:
        """Learn which stems there are, and count them.

        Parameters
        ----------
        raw_documents : array-like of str, of shape (n_samples,)
            The texts.
        y : None
            Ignored.

        Returns
        -------
        CSR matrix of shape (n_samples, n_stems)
            The counts.

        Raises
        ------
        InputError
            Where a document is missing or no text, or no stem is left.
        """
        documents = check_documents(raw_documents)
        try:
            return super().fit_transform(documents)
        except ValueError as error:
            # The parameters and the documents are sound: what is left to fail is the choice.
            raise InputError(
                f"The {len(documents)} documents leave no stem to count: {error}"
            ) from None

    def transform(self, raw_documents: ArrayLike) -> Any:
        """Count the known stems.

        Parameters
        ----------
        raw_documents : array-like of str, of shape (n_samples,)
            The texts.

        Returns
        -------
        CSR matrix of shape (n_samples, n_stems)
            The counts.

        Raises
        ------
        InputError
            Where a document is missing or no text.
        """
        return super().transform(check_documents(raw_documents))


class _Stems(dict[str, str]):
    """Stems of the words that have come, by one algorithm; a new word is stemmed."""

    def __init__(self, algorithm: str) -> None:
        super().__init__()
        self.algorithm = algorithm

    def __missing__(self, word: str) -> str:
        if len(self) >= _N_CACHED_STEMS:
            self.clear()
        # A stemmer has a state: each thread needs its own, and making one costs next to nothing.
        stem: str = snowballstemmer.stemmer(self.algorithm).stemWord(word)
        self[word] = stem
        return stem


@cache
def _stems_by(algorithm: str) -> _Stems:
    return _Stems(algorithm)
