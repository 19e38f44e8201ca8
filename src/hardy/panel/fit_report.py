"""What a fit of HardyClassifier has done, for people to read."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hardy.noise.correction import NoiseCorrection
from hardy.panel.base import Floats

_LEAST_BELIEVED = 20
_SHOWN = 5


class FitReport(NamedTuple):
    """The learners, the noise and the rows least believed.

    Attributes
    ----------
    learners : DataFrame of shape (n_learners, 3)
        ``kind``, ``brier_score`` on the given labels, out of sample (lower is better), and
        ``weight`` in the mixture.
    noise_rate : float
        The estimated share of wrong labels.
    is_at_limit : bool
        Whether that is the most that is ever estimated of so many classes, .27 of two: more labels
        may be wrong.
    transition_matrix : DataFrame of shape (n_classes, n_classes)
        The estimated P(given | true), true classes down.
    least_believed : DataFrame of shape (n_rows, 2)
        The rows whose given label is least probable, at most 20: ``row``, counted from 0, and
        ``trust``, the probability of its label.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy import HardyClassifier
    >>> X, y = np.arange(40.0)[:, None], np.repeat(["no", "yes"], 20)
    >>> y[3] = "yes"
    >>> report = HardyClassifier(n_estimators=20, random_state=0).fit(X, y).report_
    >>> int(report.least_believed["row"][0])
    3
    """

    learners: pd.DataFrame
    noise_rate: float
    is_at_limit: bool
    transition_matrix: pd.DataFrame
    least_believed: pd.DataFrame

    @classmethod
    def make(
        cls,
        classes: NDArray[Any],
        learners: pd.DataFrame,
        correction: NoiseCorrection,
        trust: Floats,
    ) -> "FitReport":
        """Put together what a fitted classifier knows."""
        matrix = pd.DataFrame(
            correction.transition,
            index=pd.Index(classes, name="true"),
            columns=pd.Index(classes, name="given"),
        )
        # Rows of weight 0 have no trust, and come last.
        rows = np.argsort(trust, kind="stable")[: min(_LEAST_BELIEVED, np.isfinite(trust).sum())]
        least = pd.DataFrame({"row": rows, "trust": trust[rows]})
        return cls(learners, correction.noise_rate, correction.is_at_limit, matrix, least)

    def __str__(self) -> str:
        by_weight = self.learners.sort_values("weight", ascending=False, kind="stable")
        about = "At least" if self.is_at_limit else "About"
        lines = [f"{about} {self.noise_rate:.1%} of the labels are wrong.", "", "Learners:"]
        lines += [
            f"  {row.weight:6.1%}  {row.kind} (Brier score {row.brier_score:.3f})"
            for row in by_weight.itertuples()
        ]
        lines += ["", "Rows whose label is least believed:"]
        lines += [
            f"  row {row.row}: {row.trust:.1%}"
            for row in self.least_believed.head(_SHOWN).itertuples()
        ]
        return "\n".join(lines)
