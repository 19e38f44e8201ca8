"""What every classifier of Hardy has of scikit-learn, for labels of any kind."""

from typing import Any

from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin

from hardy._labels import as_label_array
from hardy._validation import label_column


class LabelClassifierMixin(ClassifierMixin):
    """scikit-learn's mixin, whose ``score`` takes the labels that ``fit`` takes."""

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Give the share of rows whose label is predicted.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            Their labels, of any type.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights of the rows, by default 1.

        Returns
        -------
        float
            The accuracy, from 0 to 1.
        """
        labels = label_column(y)
        # A column of objects that are all numbers is none of scikit-learn's kinds of labels.
        plain: Any = as_label_array(labels) if labels.dtype == object else labels
        return float(super().score(X, plain, sample_weight))
