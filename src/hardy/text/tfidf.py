"""Weights of terms: counts times the logarithm of a term's rarity."""

from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.utils.validation import validate_data

from hardy._validation import bad_cells_named, without_repeated_cells
from hardy.exceptions import InputError


class UnsmoothedTfidfTransformer(TfidfTransformer):
    """Weigh counts of terms by tf · ln(N/df), and scale rows to length 1.

    N is the number of documents in training and df the number of those with the term. A term that
    is in all of them so weighs nothing. scikit-learn's ``TfidfTransformer`` adds 1 to the
    logarithm, and by default 1 to both numbers.

    Parameters
    ----------
    norm : {"l2", "l1"} or None, default="l2"
        The length that becomes 1: the root of the sum of squares, or the sum of absolute values.
        None leaves rows as they are. A row of zeros stays one.

    Attributes
    ----------
    idf_ : ndarray of shape (n_features,)
        ln(N/df); 0 for a term that is in no document.
    n_features_in_ : int
        The number of terms.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, where the counts had names.

    References
    ----------
    .. [1] K. Spärck Jones, "A statistical interpretation of term specificity and its application
       in retrieval", Journal of Documentation 28 (1972), 11–21.

    Examples
    --------
    Three documents: the first term is in all, the second in one, the third in two of them.

    >>> from hardy.text import UnsmoothedTfidfTransformer
    >>> counts = [[1, 2, 0], [1, 0, 1], [3, 0, 2]]
    >>> weights = UnsmoothedTfidfTransformer(norm=None).fit(counts)
    >>> weights.idf_.round(4)
    array([0.    , 1.0986, 0.4055])
    >>> weights.transform(counts).toarray().round(4)
    array([[0.    , 2.1972, 0.    ],
           [0.    , 0.    , 0.4055],
           [0.    , 0.    , 0.8109]])
    """

    idf_: NDArray[np.float64]

    def __init__(self, *, norm: Literal["l1", "l2"] | None = "l2") -> None:
        super().__init__(norm=norm, smooth_idf=False)

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Learn how rare each term is.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The counts.
        y : None
            Ignored.

        Returns
        -------
        UnsmoothedTfidfTransformer
            The fitted transformer itself.

        Raises
        ------
        InputError
            Where a count is missing, infinite, or too large for the rows' lengths to be finite.
        """
        self._validate_params()
        _refuse_too_large(X)
        with bad_cells_named(X, type(self).__name__):
            counts = validate_data(self, without_repeated_cells(X), accept_sparse=("csr", "csc"))
        counts = counts if sparse.issparse(counts) else sparse.csr_array(counts)
        dtype = counts.dtype if counts.dtype in (np.float64, np.float32) else np.float64
        # A cell that is stored may still be zero.
        cells = (counts.data != 0).astype(np.float64), counts.indices, counts.indptr
        occurs = type(counts)(cells, shape=counts.shape)
        n_documents = np.ones(occurs.shape[0]) @ occurs
        rarity = occurs.shape[0] / np.maximum(n_documents, 1.0)
        self.idf_ = np.log(np.where(n_documents > 0, rarity, 1.0)).astype(dtype)
        return self

    def transform(self, X: ArrayLike, copy: bool = True) -> Any:
        """Weigh the counts, and scale the rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The counts.
        copy : bool, default=True
            Whether to leave `X` as it is; otherwise a CSR matrix of floats is changed in place.

        Returns
        -------
        CSR matrix of shape (n_samples, n_features)
            The weights.

        Raises
        ------
        InputError
            Where a count is missing, infinite, or too large for the rows' lengths to be finite.
        """
        _refuse_too_large(X)
        with bad_cells_named(X, type(self).__name__):
            return super().transform(without_repeated_cells(X), copy)


def _refuse_too_large(X: Any) -> None:
    """Refuse counts whose weights, or the squares of these, overflow."""
    if sparse.issparse(X):
        # Not every format keeps its cells as an array.
        cells = X.data if X.format in ("csr", "csc") else X.tocoo().data
    else:
        cells = np.asarray(X)
    if cells.dtype.kind != "f" or not cells.size:
        return
    # Rarities are small: no logarithm of a number of documents comes near 100.
    limit = np.sqrt(np.finfo(cells.dtype).max / cells.size) / 100
    if limit < max(cells.max(), -cells.min()) < np.inf:
        raise InputError("The values of X are so large that their squares overflow: scale them.")
