"""A linear model on quantile-normalised columns."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from hardy.panel.base import Floats, PanelMember, Predictor


class LinearOpinion(PanelMember):
    """Logistic regression, out of fold.

    Parameters
    ----------
    C : float
        The inverse strength of the penalty; smaller is smoother.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.panel import LinearOpinion, PanelData
    >>> from hardy.panel.views import Views
    >>> rng = np.random.default_rng(0)
    >>> codes = np.arange(60) % 2
    >>> X = rng.normal(size=(60, 2)) + 3 * codes[:, None]
    >>> data = PanelData.make(Views(X), codes, 2, n_splits=3, random_state=0)
    >>> opinion = LinearOpinion(C=1.0).opinion(data, seed=0)
    >>> bool(np.mean(opinion.argmax(axis=1) == codes) > 0.9)
    True
    """

    kind = "linear model"
    view = "normal"

    def __init__(self, C: float) -> None:
        self.C = C

    @property
    def name(self) -> str:
        """The kind, and the inverse of the penalty."""
        return f"{self.kind}, C = {self.C:g}"

    def fit(
        self,
        X: Any,
        codes: NDArray[np.intp],
        seed: int,
        n_jobs: int | None = None,
        weights: Floats | None = None,
    ) -> Predictor:
        """Fit the model; see :meth:`PanelMember.fit`."""
        model: Predictor = LogisticRegression(C=self.C, max_iter=1000).fit(X, codes, weights)
        return model
