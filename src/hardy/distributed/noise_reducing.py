"""NR boosting over blocks of rows."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy.distributed._boosting import BoostingOnCollections
from hardy.distributed._estimator import documented_as
from hardy.distributed._training import TrainingBlocks
from hardy.ensembles import NoiseReducingBoostClassifier as InMemory
from hardy.ensembles._members import member_categories
from hardy.ensembles.noise_reducing import fewest_votes, trusted
from hardy.learners import RowCategory


@documented_as(InMemory, "estimators_samples_", "row_categories_", "noise_votes_")
class NoiseReducingBoostClassifier(BoostingOnCollections, InMemory):
    """A :class:`hardy.NoiseReducingBoostClassifier` that learns from Dask arrays and frames.

    The distribution stays where the rows are; the sums of the perceptrons' passes and an error
    travel. The ensemble is that of the class in memory on the same rows, up to the order in which
    numbers are added, however the rows are split.

    Members are parallel perceptrons in batch mode, of the class in memory. Nothing is kept of the
    training rows: `categorize_rounds` tells what the members find them to be, and the share of
    `RowCategory.NOISY` over the members is the vote against a label. Drawing rows,
    ``sampling="resample"``, can't be split.

    Notes
    -----
    Rounding may be magnified from pass to pass, as in memory by another order of the rows; sums of
    whole numbers are exact, and then so is the equality.

    Examples
    --------
    >>> import dask.array as da
    >>> import numpy as np
    >>> from hardy.distributed import NoiseReducingBoostClassifier
    >>> rng = np.random.default_rng(0)
    >>> rows = rng.integers(-4, 5, size=(200, 3)).astype(float)
    >>> X, y = da.from_array(rows, chunks=(50, 3)), da.from_array(rows[:, 0] > 0, chunks=50)
    >>> model = NoiseReducingBoostClassifier(n_estimators=2, random_state=0).fit(X, y)
    >>> model.categorize_rounds(X, y)
    dask.array<concatenate, shape=(2, 200), dtype=int8, chunksize=(2, 50), chunktype=numpy.ndarray>
    """

    def _boost(self, data: TrainingBlocks, given: Mapping[str, Any]) -> None:
        super()._boost(data, given)
        if self.two_stage and self.estimator_weights_.any():
            votes = data.rows.map(_count_votes, data.codes, self.estimators_, self.classes_)
            fewest = np.min(votes.gather(fewest_votes, data.codes, len(self.classes_)), axis=0)
            super()._boost(data.select(votes.map(trusted, data.codes, fewest)), given)

    def categorize_rounds(self, X: Any, y: Any) -> Any:
        """Tell what each member finds each row to be under its label.

        Parameters
        ----------
        X : {Dask array, Dask data frame, array-like} of shape (n_samples, n_features)
            The rows.
        y : {Dask array, Dask series, array-like} of shape (n_samples,)
            The labels to be judged. Of a label that a member was not trained on it knows nothing:
            the row is borderline.

        Returns
        -------
        {Dask array, ndarray} of shape (n_members, n_samples), dtype int8
            Values of :class:`~hardy.learners.RowCategory`; a Dask array where `X` is Dask's.
        """
        return self._say_of_labels("categorize_rounds", X, y, axis=1)


def _count_votes(
    rows: Any, codes: NDArray[np.intp], members: Any, classes: NDArray[Any]
) -> NDArray[np.float64]:
    """Give the share of the members that find each row label-noisy."""
    found = [member_categories(member, rows, codes, classes) for member in members]
    return np.asarray((np.array(found) == RowCategory.NOISY).mean(axis=0))
