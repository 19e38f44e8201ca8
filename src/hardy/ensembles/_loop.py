"""The boosting loop. It knows nothing of any rule: it trains what the rule asks for."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from hardy._callbacks import Watched
from hardy._warnings import warn_user
from hardy.ensembles._members import MAX_DRAWS, Fitted
from hardy.weighting import Opinion, Request, Step, TrainingSet, WeightingRule

_ONE_CLASS = f"all the weight lay on one class ({MAX_DRAWS} draws, where rows are drawn)"


class Trainer(Protocol):
    """What trains members on one training set, and asks them about it.

    A round's members come with the rows of the user's that each saw, or not at all where the rows
    of one of them would all be of one class.
    """

    @property
    def training(self) -> TrainingSet: ...

    def fit_round(self, requests: Sequence[Request]) -> Fitted | None: ...

    def fit_unweighted(self, requests: Sequence[Request]) -> Fitted | None: ...

    def opinions(self, members: Sequence[Any], requests: Sequence[Request]) -> list[Opinion]: ...


class Round(NamedTuple):
    """The members that one round trained, the rows that each saw, and the rule's verdict."""

    members: list[Any]
    samples: list[NDArray[np.intp]]
    step: Step


def boost(
    trainer: Trainer,
    rule: WeightingRule,
    n_rounds: int,
    watched: Watched,
    fitted_attributes: Callable[[list[Round]], dict[str, Any]],
) -> dict[str, Any]:
    """Train the rounds that a rule asks for, and warn where fewer than `n_rounds` are kept.

    Where none is kept, one round that the rule wouldn't keep is given back, so that there is
    always a member. What is given back is what `fitted_attributes` makes of the rounds.
    """
    rule.start(trainer.training)
    kept: list[Round] = []
    dropped: list[Round] = []
    reasons: dict[str, list[int]] = {}
    for number in range(1, n_rounds + 1):
        watched.begin_round()
        requests = rule.requests()
        fitted = trainer.fit_round(requests)
        if fitted is None:
            reasons.setdefault(_ONE_CLASS, []).append(number)
            break
        step = rule.update(trainer.opinions(fitted[0], requests))
        (kept if step.keep else dropped).append(Round(*fitted, step))
        if step.reason:
            reasons.setdefault(step.reason, []).append(number)
        stopped = watched.end_round(lambda: fitted_attributes(kept or dropped[:1]))
        if step.stop or stopped:
            break
    if len(kept) < n_rounds and reasons:
        _warn_of_lost_rounds(len(kept), n_rounds, reasons)
    attributes = fitted_attributes(kept or dropped[:1] or [_unweighted(trainer, requests)])
    watched.end(lambda: attributes)
    return attributes


def _unweighted(trainer: Trainer, requests: Sequence[Request]) -> Round:
    fitted = trainer.fit_unweighted(requests)
    # The training set has two classes, which equal weights can't hide.
    assert fitted is not None
    return Round(*fitted, Step(0.0, np.nan, keep=False))


def _warn_of_lost_rounds(n_kept: int, n_rounds: int, reasons: dict[str, list[int]]) -> None:
    told = "; ".join(
        f"round{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}: {reason}"
        for reason, numbers in reasons.items()
    )
    warn_user(f"{n_kept} of {n_rounds} members were kept. {told}.", ConvergenceWarning)
