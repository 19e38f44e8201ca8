"""What boosted classifiers over blocks share: the loop in memory, and answers by stage."""

from collections.abc import Iterator, Mapping
from typing import Any, Self

from sklearn.base import _fit_context
from sklearn.utils import check_random_state

from hardy._all_or_nothing import all_or_nothing
from hardy._callbacks import Watched
from hardy._validation import refuse_extreme_weights
from hardy.distributed._estimator import DecidingOnCollections, StagedOnCollections
from hardy.distributed._members import BlockTrainer, in_memory
from hardy.distributed._rule import BlockRule
from hardy.distributed._training import TrainingBlocks, lay_out
from hardy.distributed.decision_stump import DENSE
from hardy.ensembles._base import BaseBoostClassifier, fitted_attributes
from hardy.ensembles._loop import boost
from hardy.exceptions import InputError
from hardy.learners import DecisionStumpClassifier
from hardy.weighting import check_member


class BoostingOnCollections(StagedOnCollections, DecidingOnCollections, BaseBoostClassifier):
    """A boosted classifier that is fitted on Dask's collections.

    It stands in front of the class in memory, whose rule is AdaBoost's or differs in factors only.
    """

    @all_or_nothing
    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train the members.

        Parameters
        ----------
        X : {Dask array, Dask data frame} of shape (n_samples, n_features)
            The rows. Missing values are accepted where the members accept them.
        y : {Dask array, Dask series} of shape (n_samples,)
            The labels, of any kind, in the same blocks as `X`.
        sample_weight : {Dask array, Dask series} of shape (n_samples,), optional
            Non-negative weights, by default 1: the initial distribution. A row of weight w counts
            as w equal rows, one of weight 0 as absent.

        Returns
        -------
        self : object
            The fitted ensemble.

        Raises
        ------
        InputError
            Where the input isn't Dask's or its blocks don't fit together, `y` has a missing label
            or one class only, the members lack what the weighting rule needs or can't be trained on
            blocks, or `sampling` is "resample".
        MissingExtraError
            Where Dask isn't installed.

        Warns
        -----
        ConvergenceWarning
            Where fewer members are kept than were asked for; it names the rounds and the reasons.
        """
        if self.sampling != "reweight":
            raise InputError(
                f"sampling={self.sampling!r} draws rows from all blocks at once: set "
                "sampling='reweight'."
            )
        template = self._template()
        check_member(self._make_rule(), template)
        self.estimator_ = in_memory(template)
        options = DENSE if isinstance(self.estimator_, DecisionStumpClassifier) else {}
        data = lay_out(self, X, y, sample_weight, **options)
        data.weight.gather(refuse_extreme_weights)
        given = {"X": X, "y": y, "metadata": {"sample_weight": sample_weight}}
        self._boost(data, given)
        return self

    def fit_blocks(self, data: TrainingBlocks) -> Self:
        """Train the members on blocks that were laid out elsewhere."""
        self.estimator_ = in_memory(self._template())
        self.n_features_in_ = data.shape[1]
        self._boost(data, {})
        return self

    def _boost(self, data: TrainingBlocks, given: Mapping[str, Any]) -> None:
        """Run the rounds, of which callbacks see what was given."""
        data.refuse_one_class()
        self.classes_ = data.classes
        in_memory_rule: Any = self._make_rule()
        rule = BlockRule(in_memory_rule)
        training = data.as_training_set(check_random_state(self.random_state))
        trainer = BlockTrainer(self.estimator_, rule.member_kind, data, training)
        totals = data.class_totals()
        attributes = boost(
            trainer,
            rule,
            self.n_estimators,
            Watched(self, self.n_estimators, given),
            lambda rounds: fitted_attributes(rounds, lambda: totals / totals.sum()),
        )
        del attributes["estimators_samples_"]
        self._take(attributes)

    def staged_decision_function(self, X: Any) -> Iterator[Any]:
        """Compute F after each kept round.

        Parameters
        ----------
        X : {Dask array, Dask data frame, array-like} of shape (n_samples, n_features)
            The rows.

        Yields
        ------
        {Dask array, ndarray} of shape (n_samples,) or (n_samples, n_classes)
            As `decision_function` would give with that many members.
        """
        yield from self._stages("decision_function", X)
