"""What ensembles share that are given the hardness of their rows, or measure it."""

from collections.abc import Callable
from typing import Any

from numpy.typing import ArrayLike
from sklearn.utils import get_tags

from hardy._validation import bad_cells_named
from hardy.ensembles._ensemble import BaseEnsembleClassifier
from hardy.hardness.measures import LABELS_ONLY
from hardy.weighting import TrainingSet
from hardy.weighting.hardness import check_hardness, measure_hardness
from hardy.weighting.training_set import Floats


class HardnessEnsemble(BaseEnsembleClassifier):
    """An ensemble with the parameters ``hardness`` and ``n_neighbors``."""

    hardness: Any
    n_neighbors: int
    hardness_: Floats

    def _find_hardness(
        self, training: TrainingSet, n_rows: int, fit_scaler: Callable[[TrainingSet], Any]
    ) -> Floats:
        """Set `hardness_` of all `n_rows` rows, and give that of the training rows."""
        if not isinstance(self.hardness, str):
            self.hardness_ = check_hardness(self.hardness, n_rows)
            return self.hardness_[training.rows]
        scaler = fit_scaler(training) if self._looks_at_rows() else None
        measured = measure_hardness(training, self.hardness, self.n_neighbors, scaler)
        self.hardness_ = training.spread(measured, n_rows)
        return measured

    def _looks_at_rows(self) -> bool:
        return isinstance(self.hardness, str) and self.hardness not in LABELS_ONLY

    def _check_rows(self, X: ArrayLike, *, reset: bool) -> Any:
        # Where the members take missing values, another measure, or none, would do.
        if self._looks_at_rows() and get_tags(self._template()).input_tags.allow_nan:
            with bad_cells_named(X, f"The measure of hardness {self.hardness!r}"):
                return super()._check_rows(X, reset=reset)
        return super()._check_rows(X, reset=reset)
