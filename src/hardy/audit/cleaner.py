"""The audit as a sampler: training rows that look mislabelled are left out or relabelled."""

from numbers import Integral, Real
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import _fit_context
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from hardy._labels import has_several_columns, replace_labels
from hardy._validation import JOBS
from hardy.audit.cleaning import plan_cleaning
from hardy.audit.labels import audit_labels
from hardy.pruning._sampler import BaseSelector


class LabelErrorCleaner(BaseSelector):
    """Leave out the rows whose label is probably wrong, or give them the suggested label.

    Each call of `fit_resample` audits the rows that it is given, as :func:`hardy.audit_labels`
    does. As a step of imbalanced-learn's pipeline it therefore cleans the training part of each
    fold, and no test row.

    Parameters
    ----------
    action : {"drop", "relabel"}, default="drop"
        What happens to suspects.
    min_precision : float, optional
        Only so many suspects are changed, the likeliest errors first, that this share of them is
        expected to be wrong (of the suggested labels to be right). By default all are.
    estimator : classifier or list of classifiers, optional
        Your own detectors, asked out of fold.
    use_panel : bool, default=True
        Whether Hardy's own detectors are asked too; with False only `estimator` is.
    cv : int, optional
        The number of folds for opinions that are out of fold. By default 10, and 2 for more than
        10,000 rows, as in the audit.
    random_state : int, RandomState instance or None, default=None
        Makes the result repeatable.
    n_jobs : int, optional
        The number of threads.

    Attributes
    ----------
    sample_indices_ : ndarray of shape (n_kept,)
        The positions of the kept rows; of all rows with ``action="relabel"``.
    doubt_ : ndarray of shape (n_samples,)
        How likely each label is wrong.
    is_suspect_ : ndarray of shape (n_samples,), dtype bool
        The rows that look mislabelled.
    is_changed_ : ndarray of shape (n_samples,), dtype bool
        Those that were left out or relabelled. Every class keeps its least doubtful row.
    noise_rate_ : float
        The estimated share of wrong labels.
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
    hardy.audit_labels : The audit itself, for tables with columns of any kind.
    BoostingFilter : Leaves out what weighs most after some rounds of boosting.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from hardy import LabelErrorCleaner
    >>> from hardy.noise import flip_labels
    >>> X, y = load_wine(return_X_y=True)
    >>> y_noisy, is_flipped = flip_labels(y, 0.1, exact=True, random_state=0)
    >>> cleaner = LabelErrorCleaner(random_state=0)
    >>> X_kept, y_kept = cleaner.fit_resample(X, y_noisy)
    >>> int(is_flipped.sum()), int(is_flipped[cleaner.sample_indices_].sum())
    (18, 0)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "action": [StrOptions({"drop", "relabel"})],
        "min_precision": [Interval(Real, 0, 1, closed="both"), None],
        "estimator": [HasMethods(["fit", "predict"]), list, None],
        "use_panel": ["boolean"],
        "cv": [Interval(Integral, 2, None, closed="left"), None],
        "random_state": ["random_state"],
        "n_jobs": [*JOBS],
    }

    def __init__(
        self,
        action: Literal["drop", "relabel"] = "drop",
        min_precision: float | None = None,
        *,
        estimator: Any = None,
        use_panel: bool = True,
        cv: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.action = action
        self.min_precision = min_precision
        self.estimator = estimator
        self.use_panel = use_panel
        self.cv = cv
        self.random_state = random_state
        self.n_jobs = n_jobs

    @_fit_context(prefer_skip_nested_validation=False)
    def fit_resample(self, X: ArrayLike, y: ArrayLike) -> tuple[Any, Any]:
        """Clean rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,) or (n_samples, n_classes)
            Labels of any kind; or one column for each class, with a single 1 in each row.

        Returns
        -------
        X_resampled : the type of `X`
            The kept rows, in their order.
        y_resampled : the type of `y`
            Their labels.

        Raises
        ------
        InputError
            Where `y` has a missing label or one class only, or a parameter doesn't fit the rows.
        """
        X_kept, y_kept = super().fit_resample(X, y)
        if self.action == "relabel" and self.is_changed_.any():
            y_kept = _relabel(y_kept, self.is_changed_, self._suggested, len(self.classes_))
        del self._suggested
        return X_kept, y_kept

    def _learner(self) -> Any:
        own = self.estimator[:1] if isinstance(self.estimator, list) else [self.estimator]
        # What the panel can take, trees can: missing values and sparse rows. The audit refuses
        # what is no estimator.
        return next((e for e in own if hasattr(e, "__sklearn_tags__")), ExtraTreesClassifier())

    def _select(self, X: Any, codes: NDArray[np.intp], n_classes: int) -> NDArray[np.intp]:
        if sparse.issparse(X) and X.nnz < np.iinfo(np.int32).max:
            # Trees take narrow indices only.
            places = X.indices.astype(np.int32), X.indptr.astype(np.int32)
            X = sparse.csr_array((X.data, *places), shape=X.shape)
        audit = audit_labels(
            X,
            self.classes_[codes],
            classes=self.classes_,
            estimator=self.estimator,
            use_panel=self.use_panel,
            cv=self.cv,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
        )
        plan = plan_cleaning(audit, action=self.action, min_precision=self.min_precision)
        self.doubt_, self.is_suspect_ = audit.doubt, audit.is_suspect
        self.noise_rate_ = audit.noise_rate
        self.is_changed_ = plan.is_automatic.copy()
        for code in range(n_classes):
            rows = np.flatnonzero(codes == code)
            if self.is_changed_[rows].all():
                self.is_changed_[rows[audit.doubt[rows].argmin()]] = False
        if self.action == "relabel":
            self._suggested = self.classes_[plan.codes[self.is_changed_]]
            return np.arange(len(codes))
        self._suggested = self.classes_[:0]
        return np.flatnonzero(~self.is_changed_)


def _relabel(y: Any, rows: NDArray[np.bool_], labels: NDArray[Any], n_classes: int) -> Any:
    if has_several_columns(y):
        indicator = np.asarray(y).copy()
        indicator[rows] = np.eye(n_classes, dtype=indicator.dtype)[labels]
        return indicator
    replaced = replace_labels(y, rows, labels)
    return replaced.tolist() if isinstance(y, list) else replaced
