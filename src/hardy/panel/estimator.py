"""A classifier that the user brings to the panel."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from hardy._labels import as_label_array
from hardy.exceptions import InputError
from hardy.panel.base import Floats, PanelMember, Predictor


class EstimatorOpinion(PanelMember):
    """Any classifier with ``predict_proba``, fitted on the user's own rows and labels.

    Parameters
    ----------
    estimator : classifier
        Cloned for each fold. Where its ``random_state`` is None it is drawn by the panel's.
    classes : ndarray of shape (n_classes,)
        The user's label of each class index.
    kind : str, optional
        What reports call it; by default its type.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.panel import EstimatorOpinion, PanelData
    >>> from hardy.panel.views import Views
    >>> from sklearn.naive_bayes import GaussianNB
    >>> rng = np.random.default_rng(0)
    >>> codes = np.arange(60) % 2
    >>> X = rng.normal(size=(60, 2)) + 3 * codes[:, None]
    >>> data = PanelData.make(Views(X), codes, 2, n_splits=3, random_state=0)
    >>> opinion = EstimatorOpinion(GaussianNB(), np.array(["a", "b"])).opinion(data, seed=0)
    >>> bool(np.mean(opinion.argmax(axis=1) == codes) > 0.9)
    True
    """

    view = "original"
    samples = False

    def __init__(self, estimator: Any, classes: NDArray[Any], kind: str | None = None) -> None:
        if isinstance(estimator, type):
            raise InputError(
                f"estimator is the class {estimator.__name__}; give an instance of it."
            )
        if not hasattr(estimator, "predict_proba"):
            raise InputError(
                f"{type(estimator).__name__} has no predict_proba, which the audit needs; "
                "CalibratedClassifierCV gives it one."
            )
        self.estimator = estimator
        # Numbers beside a missing label are objects, which scikit-learn takes for no labels.
        self.classes = as_label_array(classes)
        self.kind = kind or type(estimator).__name__

    def fit(
        self,
        X: Any,
        codes: NDArray[np.intp],
        seed: int,
        n_jobs: int | None = None,
        weights: Floats | None = None,
    ) -> Predictor:
        """Fit a clone; see :meth:`PanelMember.fit`."""
        own = clone(self.estimator)
        drawn = {
            name: seed
            for name, value in own.get_params(deep=True).items()
            if name.rpartition("__")[2] == "random_state" and value is None
        }
        weighted = {} if weights is None else {"sample_weight": weights}
        own.set_params(**drawn).fit(X, self.classes[codes], **weighted)
        return _UserPredictor(own, self.classes)


class _UserPredictor:
    def __init__(self, fitted: Any, classes: NDArray[Any]) -> None:
        self.fitted = fitted
        position = {label: code for code, label in enumerate(classes)}
        self.classes_ = np.array([position[label] for label in as_label_array(fitted.classes_)])

    def predict_proba(self, X: Any) -> Floats:
        proba: Floats = np.asarray(self.fitted.predict_proba(X), dtype=np.float64)
        return proba
