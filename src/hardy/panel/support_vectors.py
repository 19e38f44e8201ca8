"""Support vectors on quantile-normalised columns."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax
from sklearn.svm import SVC

from hardy.panel.base import Floats, PanelMember, Predictor

# A decision of 1, the margin, is odds of e² or e⁴: calibration is left to the mixture.
_STEEPNESS = 2.0


class SupportVectorsOpinion(PanelMember):
    """Support vectors with a Gaussian kernel, out of fold.

    Parameters
    ----------
    C : float, default=1.0
        The inverse strength of the penalty; smaller is smoother.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.panel import PanelData, SupportVectorsOpinion
    >>> from hardy.panel.views import Views
    >>> rng = np.random.default_rng(0)
    >>> codes = np.arange(60) % 2
    >>> X = rng.normal(size=(60, 2)) + 3 * codes[:, None]
    >>> data = PanelData.make(Views(X), codes, 2, n_splits=3, random_state=0)
    >>> opinion = SupportVectorsOpinion().opinion(data, seed=0)
    >>> bool(np.mean(opinion.argmax(axis=1) == codes) > 0.9)
    True
    """

    kind = "support vectors"
    view = "normal"

    def __init__(self, C: float = 1.0) -> None:
        self.C = C

    def fit(
        self,
        X: Any,
        codes: NDArray[np.intp],
        seed: int,
        n_jobs: int | None = None,
        weights: Floats | None = None,
    ) -> Predictor:
        """Fit the model; see :meth:`PanelMember.fit`."""
        return SupportVectors(SVC(C=self.C).fit(X, codes, weights))


class SupportVectors:
    """What the decisions of a fitted model make of the classes of any rows.

    Parameters
    ----------
    model : SVC
        The fitted model.
    """

    def __init__(self, model: SVC) -> None:
        self.model = model
        self.classes_ = model.classes_

    def predict_proba(self, X: Any) -> Floats:
        """Give one row of probabilities for each row of `X`."""
        decision = self.model.decision_function(X)
        if decision.ndim == 1:
            decision = np.column_stack([-decision, decision])
        proba: Floats = softmax(_STEEPNESS * decision, axis=1)
        return proba
