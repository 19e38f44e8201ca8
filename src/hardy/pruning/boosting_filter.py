"""Boosting as a noise filter: the rows that boosting can't learn are left out."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax
from sklearn.utils._param_validation import HasMethods, Interval

from hardy.ensembles import AdaBoostClassifier
from hardy.pruning._sampler import BaseSelector


class BoostingFilter(BaseSelector):
    """Leave out the rows that weigh most after some rounds of AdaBoost.

    AdaBoost weighs up the rows that its members get wrong again and again: outliers, and rows with
    a wrong label. A given share of the rows, those of the highest weights, is taken for
    noise [1]_. It is the plain rival of methods that look at more than mistakes, such as
    `NoiseReducingBoostClassifier` with its ``noise_votes_`` and the audit.

    It is a sampler like those of imbalanced-learn: as a step of its pipeline, rows are left out in
    training only.

    Parameters
    ----------
    estimator : classifier, optional
        What is boosted, by default a decision stump.
    n_estimators : int, default=10
        The number of rounds.
    contamination : float, default=0.1
        The share of the rows that is left out, from 0 to below 1. Fewer are where fewer have
        gained weight, and every class keeps its lightest row.
    random_state : int, RandomState instance or None, default=None
        Seeds the members.

    Attributes
    ----------
    sample_indices_ : ndarray of shape (n_kept,)
        The positions of the kept rows.
    estimator_ : estimator
        The learner that the members are copies of.
    weights_ : ndarray of shape (n_samples,)
        The distribution over the rows after the last round, of sum 1: the higher, the more suspect.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    class_count_ : ndarray of shape (n_classes,)
        How many rows each class has, from which some may be left out.
    sampling_strategy_ : dict
        The same by the classes' labels, as imbalanced-learn's samplers have it.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, where `X` had names.

    See Also
    --------
    MarginPruner : Looks at margins, and leaves out what says nothing new as well.

    References
    ----------
    .. [1] S. Verbaeten, A. Van Assche, "Ensemble Methods for Noise Elimination in Classification
       Problems", Multiple Classifier Systems 2003.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from hardy import BoostingFilter
    >>> from hardy.noise import flip_labels
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> y_noisy, is_flipped = flip_labels(y, 0.1, exact=True, random_state=0)
    >>> sampler = BoostingFilter(random_state=0)
    >>> X_kept, y_kept = sampler.fit_resample(X, y_noisy)
    >>> len(y), len(y_kept), int(is_flipped.sum()), int(is_flipped[sampler.sample_indices_].sum())
    (569, 512, 57, 15)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "contamination": [Interval(Real, 0, 1, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 10,
        contamination: float = 0.1,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.contamination = contamination
        self.random_state = random_state

    def _learner(self) -> AdaBoostClassifier:
        return AdaBoostClassifier(
            self.estimator, n_estimators=self.n_estimators, random_state=self.random_state
        )

    def _select(self, X: Any, codes: NDArray[np.intp], n_classes: int) -> NDArray[np.intp]:
        model = self._learner().fit(X, self.classes_[codes])
        self.estimator_ = model.estimator_
        self.weights_ = _last_weights(model, X, codes)
        n_rows = len(codes)
        heaviest_first = np.argsort(-self.weights_, kind="stable")
        suspects = heaviest_first[: round(self.contamination * n_rows)]
        # Rounding must not make rows that weigh the same heavier than all of them.
        suspects = suspects[self.weights_[suspects] > (1 + 1e-9) / n_rows]
        lightest = [heaviest_first[codes[heaviest_first] == code][-1] for code in range(n_classes)]
        return np.setdiff1d(np.arange(n_rows), np.setdiff1d(suspects, lightest))


def _last_weights(
    model: AdaBoostClassifier, X: Any, codes: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Give the distribution that AdaBoost's sum F leads to: exp(−y F), or exp(−F of the class)."""
    if not model.estimator_weights_.any():
        return np.full(len(codes), 1 / len(codes))
    scores = model.decision_function(X)
    if scores.ndim == 1:
        scores = np.column_stack([-scores, scores])
    return np.asarray(softmax(-scores[np.arange(len(codes)), codes]))
