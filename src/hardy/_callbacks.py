"""scikit-learn's callbacks, such as progress bars, where the installed version has them."""

from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["CallbackSupportMixin", "Watched"]

try:
    from sklearn.callback import CallbackSupportMixin
except ModuleNotFoundError:  # They came with scikit-learn 1.9.
    # The ignored type: to mypy this is a second class of the name, whichever version it reads.
    class CallbackSupportMixin:  # type: ignore[no-redef]
        """An estimator without callbacks."""


class Watched:
    """The rounds of one `fit`, as the estimator's callbacks see them.

    `data` goes to the callbacks as it is: `X`, `y` and `metadata`, or functions that give them.
    """

    def __init__(self, estimator: Any, n_rounds: int, data: Mapping[str, Any]) -> None:
        self._estimator = estimator
        self._data = data
        self._fit = None
        if hasattr(estimator, "_skl_callbacks"):
            self._fit = estimator._init_callback_context(max_subtasks=n_rounds)
            self._fit.call_on_fit_task_begin(estimator=estimator, **data)

    def begin_round(self) -> None:
        """Tell the callbacks that a round begins."""
        if self._fit is not None:
            self._round = self._fit.subcontext(task_name="round")
            self._round.call_on_fit_task_begin(estimator=self._estimator, **self._data)

    def end_round(self, fitted: Callable[[], dict[str, Any]]) -> bool:
        """Tell them that it has ended; whether one of them wants no more.

        `fitted` makes the attributes that the estimator would have if its fit ended here.
        """
        return self._fit is not None and self._round.call_on_fit_task_end(
            estimator=self._estimator, **self._data, reconstruction_attributes=fitted
        )

    def end(self, fitted: Callable[[], dict[str, Any]]) -> None:
        """Tell them that the fit has ended."""
        if self._fit is not None:
            self._fit.call_on_fit_task_end(
                estimator=self._estimator, **self._data, reconstruction_attributes=fitted
            )
