"""AdaBoost over blocks of rows."""

from hardy.distributed._boosting import BoostingOnCollections
from hardy.distributed._estimator import documented_as
from hardy.ensembles import AdaBoostClassifier as InMemory


@documented_as(InMemory, "estimators_samples_")
class AdaBoostClassifier(BoostingOnCollections, InMemory):
    """A :class:`hardy.AdaBoostClassifier` that learns from Dask arrays and frames.

    The distribution stays where the rows are. Of each round histograms, the weights of the sides
    and an error travel, or with parallel perceptrons for members the sums of their passes. The
    ensemble is that of the class in memory on the same rows, up to the order in which numbers are
    added, however the rows are split; for stumps see the notes of
    :class:`~hardy.distributed.DecisionStumpClassifier` on their bins.

    Members are decision stumps, or parallel perceptrons in batch mode. They are of the classes in
    memory; which rows each saw isn't kept. Drawing rows, ``sampling="resample"``, can't be split.

    Examples
    --------
    >>> import dask.array as da
    >>> from sklearn.datasets import load_breast_cancer
    >>> from hardy.distributed import AdaBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> blocks, labels = da.from_array(X, chunks=(200, 30)), da.from_array(y, chunks=200)
    >>> model = AdaBoostClassifier(n_estimators=3).fit(blocks, labels)
    >>> model.score(X, y) > 0.9
    True
    """
