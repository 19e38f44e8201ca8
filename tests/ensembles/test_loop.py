"""The loop with rules of many kinds: the protocol carries every method that is planned."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit, logit, softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import log_loss
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from hardy.ensembles import AdaBoostClassifier, RealAdaBoostClassifier
from hardy.exceptions import InputError
from hardy.weighting import AdaBoost, MemberKind, Opinion, Request, Step, WeightingRule


class RealAdaBoost(WeightingRule):
    """Members that give probabilities; no coefficient."""

    member_kind = MemberKind.PROBABILITIES

    def start(self, training):
        self.signs = 2.0 * training.y - 1
        self.y, self.weights = training.y, training.distribution

    def requests(self):
        return [Request(self.y, self.weights)]

    def update(self, opinions):
        half_logit = self.scores([opinions[0].output], 2)
        self.weights = self.weights * np.exp(-self.signs * half_logit)
        return Step(1.0, float(np.mean(self.signs * half_logit <= 0)))

    @staticmethod
    def scores(outputs, n_classes):
        return logit(outputs[0][:, 1].clip(0.01, 0.99)) / 2


class LogitBoost(WeightingRule):
    """A regressor for each class, with targets and weights of its own."""

    member_kind = MemberKind.REGRESSOR

    def start(self, training):
        self.one_hot = np.eye(training.n_classes)[training.y]
        self.scores_so_far = np.zeros_like(self.one_hot)

    def requests(self):
        p = softmax(self.scores_so_far, axis=1)
        weights = np.maximum(p * (1 - p), 1e-10)
        targets = np.clip((self.one_hot - p) / weights, -4, 4)
        return [Request(t, w) for t, w in zip(targets.T, weights.T, strict=True)]

    def update(self, opinions):
        outputs = [opinion.output for opinion in opinions]
        self.scores_so_far += self.scores(outputs, len(outputs))
        return Step(1.0, np.nan)

    @staticmethod
    def scores(outputs, n_classes):
        values = np.column_stack(outputs)
        return (values - values.mean(axis=1, keepdims=True)) * (n_classes - 1) / n_classes


class OneAgainstRest(WeightingRule):
    """One AdaBoost for each class, with its own coefficient."""

    def start(self, training):
        self.rules = [AdaBoost() for _ in range(training.n_classes)]
        for k, rule in enumerate(self.rules):
            rule.start(training._replace(y=(training.y == k).astype(int), n_classes=2))

    def requests(self):
        return [rule.requests()[0] for rule in self.rules]

    def update(self, opinions):
        pairs = zip(self.rules, opinions, strict=True)
        steps = [rule.update([opinion]) for rule, opinion in pairs]
        return Step(
            np.array([step.coefficient for step in steps]),
            np.array([step.error for step in steps]),
        )


class ThreeRounds(AdaBoost):
    """Stops when its time is used up."""

    def start(self, training):
        super().start(training)
        self.time_left = 3

    def update(self, opinions):
        self.time_left -= 1
        done = self.time_left == 0
        return super().update(opinions)._replace(stop=done, reason="time is up" if done else "")


class Edited(AdaBoost):
    """Leaves out rows that it doesn't like the looks of, before the first round."""

    def start(self, training):
        super().start(training)
        self.liked = training.X[:, 0] < 1.0

    def requests(self):
        (request,) = super().requests()
        return [request._replace(weights=request.weights * self.liked)]


class Flipping(AdaBoost):
    """Trains on other labels than the given ones, as a rule that detects noise does."""

    def requests(self):
        (request,) = super().requests()
        return [request._replace(targets=1 - request.targets)]

    def update(self, opinions):
        return super().update([Opinion(1 - opinions[0].output)])


class Never(AdaBoost):
    """Finds every member useless."""

    def update(self, opinions):
        return Step(0.0, 0.5, keep=False, reason="it was useless")


class OneClassFrom(AdaBoost):
    """Puts all weight on the first class from a round on."""

    def start(self, training):
        super().start(training)
        self.rounds = 0

    def requests(self):
        self.rounds += 1
        (request,) = super().requests()
        only = request.targets == 0 if self.rounds >= self.first else True
        return [request._replace(weights=request.weights * only)]


class OneClassFromTheThird(OneClassFrom):
    first = 3


class OneClassAtOnce(OneClassFrom):
    first = 1


def test_probability_members(boosted_by, blobs):
    X, y = blobs()
    model = boosted_by(RealAdaBoost, DecisionTreeClassifier(max_depth=1), n_estimators=12)
    model.fit(X, y)
    expected = sum(
        logit(member.predict_proba(X)[:, 1].clip(0.01, 0.99)) / 2 for member in model.estimators_
    )
    assert_allclose(model.decision_function(X), expected, atol=1e-9)
    assert_allclose(model.predict_proba(X)[:, 1], expit(2 * expected), atol=1e-9)
    assert model.score(X, y) > model.estimators_[0].score(X, y)


def test_a_member_that_saw_few_classes_gives_probabilities_for_all(boosted_by):
    class FirstTwo(RealAdaBoost):
        def start(self, training):
            super().start(training)
            self.weights = self.weights * (training.y < 2)

        def update(self, opinions):
            self.seen = opinions[0].output
            assert self.seen.shape == (6, 3)
            assert_array_equal(self.seen[:, 2], 0.0)
            return Step(1.0, 0.0)

        @staticmethod
        def scores(outputs, n_classes):
            return outputs[0]

    X, y = np.arange(6.0)[:, None], np.array(list("aabbcc"))
    model = boosted_by(FirstTwo, DecisionTreeClassifier(), n_estimators=1).fit(X, y)
    assert_allclose(model.decision_function(X)[0], [1, 0, 0])


def test_a_regressor_for_each_class(boosted_by, blobs):
    X, y = blobs(n_classes=3)
    model = boosted_by(LogitBoost, DecisionTreeRegressor(max_depth=1), n_estimators=10).fit(X, y)
    assert [len(members) for members in model.estimators_] == [3] * 10
    values = sum(
        np.column_stack([member.predict(X) for member in members]) for members in model.estimators_
    )
    expected = (values - values.mean(axis=1, keepdims=True)) * 2 / 3
    assert_allclose(model.decision_function(X), expected, atol=1e-9)
    losses = [log_loss(y, p) for p in model.staged_predict_proba(X)]
    assert all(np.diff(losses) < 0)


def test_one_against_the_rest_with_a_coefficient_for_each_class(boosted_by, blobs):
    X, y = blobs(n_classes=3)
    names = np.array(["x", "y", "z"])[y]
    model = boosted_by(OneAgainstRest, DecisionTreeClassifier(max_depth=1), n_estimators=8)
    model.fit(X, names)
    assert model.estimator_weights_.shape == model.estimator_errors_.shape == (8, 3)
    for k in range(3):
        alone = AdaBoostClassifier(n_estimators=8).fit(X, y == k)
        assert_allclose(model.decision_function(X)[:, k], alone.decision_function(X), atol=1e-9)
    assert set(model.predict(X)) == {"x", "y", "z"}


def test_a_rule_may_end_the_rounds(boosted_by, blobs):
    model = boosted_by(ThreeRounds, DecisionTreeClassifier(max_depth=1), n_estimators=10)
    with pytest.warns(ConvergenceWarning, match=r"3 of 10 members were kept. round 3: time is up."):
        model.fit(*blobs())
    assert len(model.estimators_) == 3


def test_an_end_in_the_last_round_is_none(boosted_by, blobs, recwarn):
    boosted_by(ThreeRounds, DecisionTreeClassifier(max_depth=1), n_estimators=3).fit(*blobs())
    assert not recwarn.list


@pytest.mark.parametrize("sampling", ["reweight", "resample"])
def test_rows_of_weight_0_are_not_shown_to_the_member(boosted_by, blobs, recorder, sampling):
    X, y = blobs()
    model = boosted_by(Edited, recorder, n_estimators=3, sampling=sampling, random_state=1).fit(
        X, y
    )
    assert len(model.estimators_) == 3
    for member, rows in zip(model.estimators_, model.estimators_samples_, strict=True):
        assert X[rows, 0].max() < 1.0
        assert_array_equal(member.seen_[0], X[rows])


def test_a_rule_may_change_the_labels(boosted_by, blobs):
    X, y = blobs()
    flipped = boosted_by(Flipping, DecisionTreeClassifier(max_depth=1), n_estimators=5).fit(X, y)
    plain = AdaBoostClassifier(n_estimators=5).fit(X, y)
    assert_allclose(flipped.decision_function(X), -plain.decision_function(X), atol=1e-9)


def test_where_no_member_is_kept_the_model_gives_the_classes_shares(boosted_by, blobs):
    X, y = blobs(n_classes=3)
    y[:45] = 2
    model = boosted_by(Never, DecisionTreeClassifier(max_depth=1), n_estimators=4)
    with pytest.warns(
        ConvergenceWarning, match="0 of 4 members were kept. rounds 1, 2, 3, 4: it was useless"
    ):
        model.fit(X, y)
    shares = np.bincount(y) / len(y)
    (stage,) = model.staged_predict_proba(X)
    assert_allclose(stage, np.tile(shares, (len(y), 1)))
    assert_allclose(model.predict_proba(X), stage)
    assert_array_equal(model.estimator_weights_, [0.0])
    assert len(model.estimators_) == 1


@pytest.mark.parametrize("sampling", ["reweight", "resample"])
def test_rounds_end_where_one_class_has_all_the_weight(boosted_by, blobs, sampling):
    model = boosted_by(
        OneClassFromTheThird, DecisionTreeClassifier(max_depth=1), n_estimators=9, sampling=sampling
    )
    with pytest.warns(ConvergenceWarning, match="2 of 9 .* round 3: all the weight lay on one cl"):
        model.fit(*blobs())
    assert len(model.estimators_) == 2


@pytest.mark.parametrize("sampling", ["reweight", "resample"])
def test_one_class_from_the_start_gives_the_classes_shares(boosted_by, blobs, sampling):
    X, y = blobs()
    y[:40] = 1
    model = boosted_by(
        OneClassAtOnce, DecisionTreeClassifier(max_depth=1), n_estimators=9, sampling=sampling
    )
    with pytest.warns(ConvergenceWarning, match="0 of 9 .* round 1: all the weight lay on one cl"):
        model.fit(X, y)
    assert_allclose(model.predict_proba(X)[:, 1], y.mean())


def test_draws_of_one_class_are_drawn_again(recorder, blobs):
    X, _ = blobs()
    y = np.zeros(120, dtype=int)
    y[7] = 1  # a draw of 120 rows misses it in more than a third of the cases
    model = AdaBoostClassifier(recorder, n_estimators=15, sampling="resample", random_state=0)
    model.fit(X, y)
    assert len(model.estimators_) == 15
    assert all(7 in rows for rows in model.estimators_samples_)


def test_the_distribution_reaches_the_members_with_the_sum_of_the_weights(recorder, blobs):
    X, y = blobs()
    model = AdaBoostClassifier(recorder, n_estimators=4).fit(X, y)
    assert_array_equal(model.estimators_[0].seen_[2], np.ones(120))
    for member in model.estimators_[1:]:
        assert member.seen_[2].sum() == pytest.approx(120)
        assert np.ptp(member.seen_[2]) > 0.1


@pytest.mark.parametrize(("factor", "total"), [(3.0, 360), (0.001, 120)])
def test_weights_count_rows_but_never_fewer_than_there_are(recorder, blobs, factor, total):
    X, y = blobs()
    model = AdaBoostClassifier(recorder, n_estimators=2).fit(X, y, np.full(120, factor))
    assert model.estimators_[1].seen_[2].sum() == pytest.approx(total)
    drawn = AdaBoostClassifier(recorder, n_estimators=2, sampling="resample", random_state=0)
    drawn.fit(X, y, np.full(120, factor))
    assert len(drawn.estimators_samples_[0]) == total


def test_members_without_weights_are_given_drawn_rows(unweighted_recorder, blobs):
    X, y = blobs()
    model = AdaBoostClassifier(unweighted_recorder, n_estimators=5, random_state=0).fit(X, y)
    for member, rows in zip(model.estimators_, model.estimators_samples_, strict=True):
        assert len(rows) == 120
        assert len(np.unique(rows)) < 120
        assert_array_equal(member.seen_[0], X[rows])
        assert_array_equal(member.seen_[1], y[rows])


def test_the_indices_of_drawn_rows_are_those_of_the_users_table(recorder, blobs):
    X, y = blobs()
    weights = np.tile([0.0, 1.0, 2.0], 40)
    model = AdaBoostClassifier(recorder, n_estimators=5, sampling="resample", random_state=0)
    model.fit(X, y, weights)
    counts = np.zeros(120)
    for member, rows in zip(model.estimators_, model.estimators_samples_, strict=True):
        assert_array_equal(member.seen_[0], X[rows])
        counts += np.bincount(rows, minlength=120)
    assert counts[::3].sum() == 0


def test_draws_follow_the_distribution(recorder, blobs):
    X, y = blobs()
    weights = np.r_[np.ones(60), np.full(60, 3.0)]
    model = AdaBoostClassifier(recorder, n_estimators=1, sampling="resample", random_state=0)
    shares = [
        (model.set_params(random_state=seed).fit(X, y, weights).estimators_samples_[0] >= 60).mean()
        for seed in range(20)
    ]
    # 20 × 240 draws: the share's standard deviation is .006.
    assert np.mean(shares) == pytest.approx(0.75, abs=0.025)


def test_members_without_weights_are_drawn_so_that_a_perfect_one_ends_nothing(unweighted_recorder):
    X, y = np.arange(20.0)[:, None], np.arange(20) // 10
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        model = AdaBoostClassifier(unweighted_recorder, n_estimators=5, random_state=0).fit(X, y)
    assert len(model.estimators_) == 5


def test_probabilities_that_are_no_numbers_are_the_members_fault():
    class Lost(DecisionTreeClassifier):
        def predict_proba(self, X):
            return np.full((len(X), 2), np.nan)

    X, y = np.arange(20.0)[:, None], np.arange(20) // 10
    with pytest.raises(InputError, match="A member, Lost, gives probabilities that are no numbers"):
        RealAdaBoostClassifier(Lost()).fit(X, y)
