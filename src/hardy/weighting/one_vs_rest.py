"""One rule for each class against the rest, side by side in one ensemble."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy.weighting.base import Opinion, Request, Step, WeightingRule
from hardy.weighting.training_set import Floats, TrainingSet


class OneVsRest(WeightingRule):
    """Lets a rule for two classes boost several.

    Two classes are left to the rule itself. With more, each class has a copy of the rule, whose
    second class it is, and a member in every round. Where the copy of one class drops its member
    or has come to its end, that member's coefficient is 0; the round is kept while any copy keeps
    its member, and the rounds end with the last copy's.

    F of a class is what its copy's F would be, half the log odds of the class against the rest; the
    softmax of these is nearer to the classes' shares than that of the log odds would be.

    Parameters
    ----------
    make_rule : callable
        Makes a rule for two classes; called without arguments.
    make_for_share : callable, optional
        Makes the rule of one of several classes, called with that class's share of the rows; by
        default `make_rule` does.

    Examples
    --------
    >>> import numpy as np
    >>> from hardy.weighting import AdaBoost, TrainingSet
    >>> rule = OneVsRest(AdaBoost)
    >>> y = np.array([0, 1, 2, 2])
    >>> rule.start(TrainingSet(None, y, 3, np.ones(4), np.arange(4), None))
    >>> [request.targets.tolist() for request in rule.requests()]
    [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1]]
    """

    def __init__(
        self,
        make_rule: Callable[[], WeightingRule],
        make_for_share: Callable[[float], WeightingRule] | None = None,
    ) -> None:
        self.make_rule = make_rule
        self.make_for_share = make_for_share
        self._single = make_rule()
        self.member_kind = self._single.member_kind

    @property
    def name(self) -> str:
        """The name of the rule for two classes."""
        return self._single.name

    def start(self, training: TrainingSet) -> None:
        """Start a copy for each class; see `WeightingRule.start`."""
        if training.n_classes == 2:
            self._rules = [self._single]
            self._single.start(training)
        else:
            self._rules = [self._make_rule(code, training) for code in range(training.n_classes)]
            for code, rule in enumerate(self._rules):
                own = (training.y == code).astype(np.intp)
                rule.start(training._replace(y=own, n_classes=2))
        self._ended = np.zeros(len(self._rules), dtype=bool)
        self._requests = [request for rule in self._rules for request in rule.requests()]

    def _make_rule(self, code: int, training: TrainingSet) -> WeightingRule:
        if self.make_for_share is None:
            return self.make_rule()
        return self.make_for_share(float(training.distribution[training.y == code].sum()))

    def requests(self) -> Sequence[Request]:
        """Ask for what each copy asks for; a copy at its end repeats itself."""
        for code, rule in enumerate(self._rules):
            if not self._ended[code]:
                (self._requests[code],) = rule.requests()
        return list(self._requests)

    def update(self, opinions: Sequence[Opinion]) -> Step:
        """Let each copy judge its member."""
        if len(self._rules) == 1:
            return self._single.update(opinions)
        coefficients = np.zeros(len(self._rules))
        errors = np.full(len(self._rules), np.nan)
        reasons: list[str] = []
        for code, (rule, opinion) in enumerate(zip(self._rules, opinions, strict=True)):
            if self._ended[code]:
                continue
            step = rule.update([opinion])
            errors[code] = step.error
            self._ended[code] = step.stop
            if step.keep:
                coefficients[code] = step.coefficient
            if step.reason and step.reason not in reasons:
                reasons.append(step.reason)
        keep = bool(coefficients.any())
        stop = bool(self._ended.all())
        reason = "" if keep and not stop else ", or ".join(reasons)
        return Step(coefficients, errors, keep=keep, stop=stop, reason=reason)

    def scores(self, outputs: Sequence[NDArray[Any]], n_classes: int) -> Floats:
        """Put the copies' terms side by side; see `WeightingRule.scores`."""
        if n_classes == 2:
            return self._single.scores(outputs, 2)
        return np.column_stack([self._single.scores([output], 2) for output in outputs])
