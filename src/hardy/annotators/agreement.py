"""How far annotators agree beyond chance."""

import itertools
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.metrics import cohen_kappa_score


def krippendorff_alpha(codes: NDArray[np.intp], n_classes: int) -> float:
    """Give Krippendorff's alpha for labels without an order, some of which may be missing.

    Parameters
    ----------
    codes : ndarray of shape (n_samples, n_annotators)
        Class indices, −1 where an annotator gave no label.
    n_classes : int
        The number of classes.

    Returns
    -------
    float
        1 where all agree, 0 where they agree as by chance; NaN where no row has two labels, or
        where all labels are the same.

    References
    ----------
    K. Krippendorff, "Computing Krippendorff's alpha-reliability", University of Pennsylvania,
    2011.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.annotators.agreement import krippendorff_alpha
    >>> round(krippendorff_alpha(np.array([[0, 0], [1, 1], [0, 1], [1, 1]]), 2), 3)
    0.533
    """
    counts = np.stack([(codes == code).sum(axis=1) for code in range(n_classes)], axis=1)
    counts = counts[counts.sum(axis=1) > 1].astype(np.float64)
    n_labels = counts.sum(axis=1)
    total, of_class = n_labels.sum(), counts.sum(axis=0)
    by_chance = total**2 - (of_class**2).sum()
    if not by_chance:
        return float("nan")
    differing = ((n_labels**2 - (counts**2).sum(axis=1)) / (n_labels - 1)).sum()
    return float(1 - (total - 1) * differing / by_chance)


def pairwise_kappa(codes: NDArray[np.intp], names: Sequence[str]) -> pd.DataFrame:
    """Give Cohen's kappa of each two annotators.

    Parameters
    ----------
    codes : ndarray of shape (n_samples, n_annotators)
        Class indices, −1 where an annotator gave no label.
    names : sequence of str
        The annotators' names.

    Returns
    -------
    DataFrame
        `first`, `second`, `n_rows` (that both labelled) and `kappa`: NaN where there are none, or
        where both gave one and the same label only.
    """
    rows = []
    for first, second in itertools.combinations(range(len(names)), 2):
        both = (codes[:, [first, second]] >= 0).all(axis=1)
        one, other = codes[both, first], codes[both, second]
        several = len(np.union1d(one, other)) > 1
        kappa = float(cohen_kappa_score(one, other)) if several else float("nan")
        rows.append((names[first], names[second], int(both.sum()), kappa))
    return pd.DataFrame(rows, columns=["first", "second", "n_rows", "kappa"])
