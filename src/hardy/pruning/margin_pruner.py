"""Pruning by activation margins, as a sampler."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import HasMethods

from hardy._labels import find_class
from hardy.pruning._reduction import learner_of, prepare_learner, reduce_training_set
from hardy.pruning._sampler import BaseSelector


class MarginPruner(BaseSelector):
    """Leave out rows that are redundant, and rows that look mislabelled.

    A parallel perceptron is trained; rows on the right side of all its perceptrons beyond the
    activation margin (redundant) and rows on the wrong side of all of them beyond it (label-noisy)
    are removed, and training goes on with the rest, as long as neither the accuracy on the
    positive class nor the geometric mean of both classes' accuracies, on all rows, gets worse
    [1]_. On imbalanced data this mostly thins out the large class.

    It is a sampler like those of imbalanced-learn: as a step of its pipeline, rows are left out in
    training only. Standardise the features in front of it.

    Parameters
    ----------
    estimator : classifier, optional
        A learner with ``categorize``, ``activations`` and ``warm_start``, by default
        ``ParallelPerceptronClassifier(learning_rate=0.01)``.
    drop_noisy_borderline : bool, default=True
        Whether to remove as well the negative borderline rows that all perceptrons get wrong (nB⁻
        of [1]_).
    pos_label : object, optional
        The positive class, by default the one with the fewest rows, the first of equals. With
        several classes all others are negative.
    random_state : int, RandomState instance or None, default=None
        Seeds the learner where it has no seed of its own.

    Attributes
    ----------
    sample_indices_ : ndarray of shape (n_kept,)
        The positions of the kept rows.
    estimator_ : estimator
        The learner that those trained are copies of.
    rounds_ : list of Round
        For the first training and every accepted reduction the rows left (``n_positive``,
        ``n_negative``) and, on all rows, ``positive_accuracy``, ``negative_accuracy`` and
        ``geometric_mean``. With several classes and no `pos_label` those of all classes, one after
        the other.
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

    Notes
    -----
    With several classes and no `pos_label`, each class but the largest is the positive one in
    turn, the rarest first, against what is left of all others. A reduction that would leave out all
    rows of a class ends its turn.

    References
    ----------
    .. [1] I. Cantador, J. R. Dorronsoro, "Parallel Perceptrons, Activation Margins and Imbalanced
       Training Set Pruning", IbPRIA 2005.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.preprocessing import StandardScaler
    >>> from hardy import MarginPruner
    >>> X, y = make_classification(1000, 10, n_informative=5, weights=[0.93], random_state=1)
    >>> X = StandardScaler().fit_transform(X)
    >>> X_kept, y_kept = MarginPruner(random_state=0).fit_resample(X, y)
    >>> len(y), len(y_kept) < 500
    (1000, True)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "drop_noisy_borderline": ["boolean"],
        "pos_label": [object],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        drop_noisy_borderline: bool = True,
        pos_label: Any = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.drop_noisy_borderline = drop_noisy_borderline
        self.pos_label = pos_label
        self.random_state = random_state

    def _learner(self) -> Any:
        return learner_of(self)

    def _select(self, X: Any, codes: NDArray[np.intp], n_classes: int) -> NDArray[np.intp]:
        learner, weights = prepare_learner(self, codes, self.classes_, np.ones(len(codes)))
        self.estimator_ = learner
        if self.pos_label is not None:
            positive = [find_class(self.pos_label, self.classes_)]
        else:
            positive = np.argsort(np.bincount(codes), kind="stable")[: n_classes - 1].tolist()
        rows = np.arange(len(codes))
        self.rounds_ = []
        for code in positive:
            reduction = reduce_training_set(
                learner,
                X[rows],
                codes[rows] == code,
                weights[rows],
                self.drop_noisy_borderline,
                codes[rows],
            )
            rows = rows[reduction.kept]
            self.rounds_ += reduction.rounds
        return rows
