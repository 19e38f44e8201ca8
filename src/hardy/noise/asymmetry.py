"""Whether labels are wrong in one direction more than in the other, told by the surest rows."""

import numpy as np
from numpy.typing import NDArray

from hardy._shelf import release

Floats = NDArray[np.float64]

# The surest rows of a class: as many as this share of its labels, or so many; a class with fewer
# labels tells nothing.
_SURE, _LEAST = 0.1, 20
# Where the rate of disagreement is the same in this share, it is no matter of overlap.
_WIDE = 0.5
# How many times as uneven as by chance disagreement must be before half of it is believed.
_CAUTION = 3.0
# So many rows with the average rate are added to the surest rows of each class.
_PRIOR_ROWS = 20.0
_FLATNESS_POWER = 3
_SMALLEST = 1e-4


def asymmetry(
    codes: NDArray[np.intp], proba: Floats, judged: slice | NDArray[np.bool_] = slice(None)
) -> Floats:
    """Estimate how far the noise between two classes is from noise that is alike everywhere.

    Among the rows that most surely belong to a class, those labelled otherwise show how often
    this class is given another label: the surest rows of a class are its anchors [1]_. The rates
    are shrunk to one rate for all classes, as far as their differences may be chance (James and
    Stein), and as far as disagreement grows from the surest rows of a class to half of its rows:
    noise that depends on the class alone is as frequent in both, overlap of the classes isn't.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,)
        Given labels as class indices.
    proba : ndarray of shape (n_samples, n_classes)
        Out-of-sample class probabilities.
    judged : slice or ndarray of shape (n_samples,), dtype bool, default=slice(None)
        The rows that count; all by default.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        Estimated P(given | true), true classes down, divided by what it would be were all classes
        mislabelled alike; all 1 where nothing speaks for a difference.

    References
    ----------
    .. [1] G. Patrini et al., "Making deep neural networks robust to label noise: a loss
       correction approach", CVPR 2017, section 4: anchors.

    Examples
    --------
    A third of the surest rows of class 1 are labelled 0, and none the other way round.

    >>> import numpy as np
    >>> from hardy.noise.asymmetry import asymmetry
    >>> codes = np.repeat([0, 1, 0], [600, 400, 200])
    >>> proba = np.repeat([[0.99, 0.01], [0.3, 0.7], [0.3, 0.7]], [600, 400, 200], axis=0)
    >>> ratio = asymmetry(codes, proba)
    >>> bool(ratio[1, 0] > 1.5), bool(ratio[0, 1] < 0.5)
    (True, True)
    """
    codes = codes[judged]
    n_classes = proba.shape[1]
    sizes = surest_rows(np.bincount(codes, minlength=n_classes))
    counts = [np.zeros((n_classes, n_classes)) for _ in sizes]
    for k in range(n_classes):
        column = proba[:, k][judged]
        for n_rows, count in zip(sizes, counts, strict=True):
            if n := int(n_rows[k]):
                last = np.partition(column, -n)[-n]
                count[k] = np.bincount(codes[column >= last], minlength=n_classes)
        release(proba)
    return asymmetry_of(*counts)


def surest_rows(sizes: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Tell of how many rows each class has the surest ones, and half of its rows.

    Parameters
    ----------
    sizes : ndarray of shape (n_classes,)
        How many rows are labelled as each class.

    Returns
    -------
    n_sure, n_wide : ndarrays of shape (n_classes,)
        0 for classes that are too small to tell anything.
    """
    sure, wide = (
        np.where(sizes >= _LEAST, np.maximum(_LEAST, np.rint(share * sizes)), 0).astype(np.intp)
        for share in (_SURE, _WIDE)
    )
    return sure, wide


def count_labels(codes: NDArray[np.intp], proba: Floats, last: Floats) -> Floats:
    """Count the labels of the rows whose probability of a class is no less than its `last`.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,)
        Given labels as class indices.
    proba : ndarray of shape (n_samples, n_classes)
        Class probabilities.
    last : ndarray of shape (n_classes,)
        The least probability that counts, of each class.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        Those of each class's rows, classes down and labels across.
    """
    n_classes = proba.shape[1]
    counts: Floats = np.array(
        [np.bincount(codes[proba[:, k] >= last[k]], minlength=n_classes) for k in range(n_classes)],
        dtype=np.float64,
    )
    return counts


def asymmetry_of(sure: Floats, wide: Floats) -> Floats:
    """Estimate what `asymmetry` does from the labels of its rows.

    Parameters
    ----------
    sure, wide : ndarrays of shape (n_classes, n_classes)
        The labels of the surest rows of each class, and of half of its rows.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        As from `asymmetry`.
    """
    n_classes = len(sure)
    n_sure = sure.sum(axis=1, keepdims=True)
    rate = (n_sure.sum() - np.trace(sure) + 0.5) / (n_sure.sum() + 1)
    alike = np.full_like(sure, rate / (n_classes - 1))
    np.fill_diagonal(alike, 1 - rate)

    own = (sure + _PRIOR_ROWS * alike) / (n_sure + _PRIOR_ROWS)
    chance = _share_of_chance(sure, n_sure * alike)
    differing = np.log(chance * alike + (1 - chance) * own + _SMALLEST) - np.log(alike)
    ratio: Floats = np.exp(_flatness(sure, wide)[:, None] ** _FLATNESS_POWER * differing)
    return ratio if chance < 1 else np.ones_like(ratio)


def _share_of_chance(counts: Floats, expected: Floats) -> float:
    """Give the share of the differences between classes that chance alone would make."""
    seen = expected.sum(axis=1) > 0
    spread = float(((counts - expected)[seen] ** 2 / expected[seen]).sum())
    freedom = max(1, int(seen.sum()) * (counts.shape[1] - 1) - 1)
    return float(min(1.0, _CAUTION * freedom / max(spread, _SMALLEST)))


def _flatness(sure: Floats, wide: Floats) -> Floats:
    """Give the rate among the surest rows of a class as a share of that in half of its rows."""
    rates = [
        (counts.sum(axis=1) - np.diag(counts) + 1) / (counts.sum(axis=1) + 2)
        for counts in (sure, wide)
    ]
    flat: Floats = np.minimum(1.0, rates[0] / rates[1])
    return flat
