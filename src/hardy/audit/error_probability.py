"""How likely each given label is wrong: doubt, made honest by what other tables have taught."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit
from scipy.stats import entropy
from sklearn.isotonic import IsotonicRegression

Floats = NDArray[np.float64]

# Of the terms of `describe_rows`, and in how far log-odds of the expected precision miss those of
# the true one from one table to the next. Both are what `python benchmarks/precision.py --fit`
# prints.
COEFFICIENTS = (-0.187, 2.025, 0.825, 1.103, -1.864)
SPREAD = 1.2

# Where labels that are reversed on purpose would be most doubtful: these shares of them.
_TAILS = (0.1, 0.25, 0.5)
# So many rows with the rate of all labels are added to those of each.
_PRIOR_ROWS = 10.0
_EDGES = {"doubt": 0.02, "rate": 0.003, "share": 0.005}
_LEAST_LIKELY, _LOSSES = 1e-3, (0.02, 2.0)


def error_probability(doubt: Floats, codes: NDArray[np.intp], proba: Floats) -> Floats:
    r"""Tell how likely given labels are wrong.

    Doubt is the probability of another label. Where classes overlap, other labels are likely
    though none is wrong. What tells overlap from noise is how many rows contradict their label
    where the panel is surest, beside how much the panel knows of the labels at all. With
    :math:`d` the doubt, :math:`r` that rate for the given label, :math:`s` the share of the
    smallest class, and :math:`h` the log loss of the panel on the given labels as a share of what
    their frequencies alone give,

    .. math:: \operatorname{logit} p = \beta_0 + \beta_1 \operatorname{logit} d
              + \beta_2 \operatorname{logit} r + \beta_3 \operatorname{logit} s + \beta_4 \log h,

    the same for all tables, made to rise with doubt. Were the panel's probabilities those of the
    right labels, and noise uniform among two classes, Bayes' rule would say the same with
    :math:`\beta_1 = \beta_2 = 1` and the others 0.

    Parameters
    ----------
    doubt : ndarray of shape (n_samples,)
        The doubt of the rows that were judged.
    codes : ndarray of shape (n_samples,)
        Their labels as class indices.
    proba : ndarray of shape (n_samples, n_classes)
        Their out-of-sample class probabilities.

    Returns
    -------
    ndarray of shape (n_samples,)
        In [0, 1], in the order of the doubt; 0 where doubt is 0.

    Examples
    --------
    Of 100 rows that are surely of class 0, 2 are labelled 1; of the others, nobody can tell.

    >>> import numpy as np
    >>> from hardy.audit.error_probability import error_probability
    >>> codes, told = np.repeat([0, 1, 0, 1], [98, 2, 50, 50]), np.repeat([0.03, 0.5], [100, 100])
    >>> proba = np.column_stack([1 - told, told])
    >>> doubt = 1 - proba[np.arange(200), codes]
    >>> p = error_probability(doubt, codes, proba)
    >>> p[[0, 98, 150]].round(2)
    array([0.  , 0.98, 0.4 ])
    """
    if not len(doubt):
        return np.zeros(0)
    terms = zip(COEFFICIENTS, _terms(doubt, codes, proba), strict=True)
    told = expit(sum(coefficient * term for coefficient, term in terms))
    return order_by_doubt(np.where(doubt > 0, told, 0), doubt)


def describe_rows(doubt: Floats, codes: NDArray[np.intp], proba: Floats) -> Floats:
    """Give what the coefficients belong to: 1, log-odds of doubt, rate and share, log of the loss.

    Parameters
    ----------
    doubt, codes, proba : ndarrays
        As for :func:`error_probability`.

    Returns
    -------
    ndarray of shape (n_samples, 5)
        A line for each row.
    """
    return np.column_stack(np.broadcast_arrays(*_terms(doubt, codes, proba)))


def _terms(doubt: Floats, codes: NDArray[np.intp], proba: Floats) -> Iterator[Floats]:
    """Give the columns of `describe_rows`; what is the same in all rows is one number."""
    yield np.ones(())
    yield _log_odds(doubt, "doubt")
    yield _log_odds(contradiction_rates(codes, proba), "rate")[codes]
    sizes = np.bincount(codes, minlength=proba.shape[1])
    shares = sizes[sizes > 0] / len(codes)
    yield _log_odds(shares.min(), "share")
    own = np.clip(proba[np.arange(len(codes)), codes], _LEAST_LIKELY, 1)
    # No label tells anything where there is one class only, and all of it is known.
    by_chance = max(float(entropy(shares)), _LEAST_LIKELY)
    loss = np.clip(-np.log(own).mean() / by_chance, *_LOSSES)
    yield np.log(loss)


def order_by_doubt(probability: Floats, doubt: Floats) -> Floats:
    """Make probabilities rise with doubt, by the least changes in squares."""
    # Doubts that differ by rounding are one to the regression, which knows nothing of the others:
    # the largest would lie beyond all that it knows.
    regression = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip")
    ordered: Floats = regression.fit_transform(doubt, probability)
    return ordered


def contradiction_rates(codes: NDArray[np.intp], proba: Floats) -> Floats:
    """Tell how often rows that are surely of other classes have each label.

    Had all rows of the other classes this label, a tenth of them would be in doubt beyond some
    limit. As many rows as have the label and are beyond it, over that tenth, is at most the share
    that was given the label by mistake, since overlap adds to them; so for a quarter and a half,
    of which the least is taken.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,)
        Labels as class indices.
    proba : ndarray of shape (n_samples, n_classes)
        Out-of-sample class probabilities.

    Returns
    -------
    ndarray of shape (n_classes,)
        Shares, drawn towards that of all labels together where rows are few.
    """
    least: Floats = np.min([_rates_beyond(codes, proba, tail) for tail in _TAILS], axis=0)
    return least


def _rates_beyond(codes: NDArray[np.intp], proba: Floats, tail: float) -> Floats:
    n_classes = proba.shape[1]
    seen, possible = np.zeros(n_classes), np.zeros(n_classes)
    for label in np.unique(codes):
        has_label, told = codes == label, 1 - proba[:, label]
        others = told[~has_label]
        if not others.size:
            continue
        limit = np.quantile(others, 1 - tail)
        seen[label] = (told[has_label] >= limit).sum()
        possible[label] = (others >= limit).sum() / (n_classes - 1)
    overall = (seen.sum() + 0.5) / (possible.sum() + 1)
    rates: Floats = (seen + _PRIOR_ROWS * overall) / (possible + _PRIOR_ROWS)
    return np.minimum(rates, 1)


def _log_odds(values: Floats | float, kind: str) -> Floats:
    odds: Floats = logit(np.clip(values, _EDGES[kind], 1 - _EDGES[kind]))
    return odds
