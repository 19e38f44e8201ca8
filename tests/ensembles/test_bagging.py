"""The bagging loop, by rules made for the purpose, and what every bagged classifier shares."""

import warnings
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.ensemble import BaggingClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags

from hardy.ensembles.balanced_variation import BalancedVariationClassifier
from hardy.ensembles.hardness_bagging import HardnessBaggingClassifier
from hardy.ensembles.ics_bagging import ICSBaggingClassifier
from hardy.ensembles.random_subspace import RandomSubspaceClassifier
from hardy.ensembles.smote_bagging import SMOTEBaggingClassifier
from hardy.exceptions import InputError
from hardy.hardness import MEASURES, k_disagreeing_neighbors
from hardy.weighting import Bag, BagRule


@pytest.mark.filterwarnings("error")
def test_columns_whose_range_overflows_are_named():
    X = np.array([[0.0, 1.7e308], [1.0, -1.7e308], [2.0, 0.0]])
    with pytest.raises(InputError, match="column 1 of X are so large that their range overflows"):
        HardnessBaggingClassifier().fit(X, [0, 1, 1])


@pytest.fixture
def bagged_by():
    """A bagged classifier with a rule of the test's own."""

    def make(rule, estimator=None, **parameters):
        class Bagged(RandomSubspaceClassifier):
            def _make_rule(self, training, n_rows):
                return rule

        return Bagged(estimator or DecisionTreeClassifier(max_depth=1), **parameters)

    return make


class Rows(BagRule):
    """Gives each member the rows of a list, one after the other."""

    def __init__(self, bags):
        self.bags = [bag if isinstance(bag, Bag) else Bag(np.array(bag)) for bag in bags]

    def start(self, training): ...

    def bag(self, number, random_state):
        return self.bags[number]


def test_each_member_sees_its_rows_and_columns(bagged_by, recorder, blobs):
    X, y = blobs()
    bags = [Bag(np.array([0, 1, 1, 5])), Bag(np.array([2, 3]), features=np.array([0, 3]))]
    model = bagged_by(Rows(bags), recorder, n_estimators=2).fit(X, y)
    for member, bag in zip(model.estimators_, bags, strict=True):
        columns = slice(None) if bag.features is None else bag.features
        assert_array_equal(member.seen_[0], X[bag.rows][:, columns])
        assert_array_equal(member.seen_[1], y[bag.rows])
    assert_array_equal(model.estimators_samples_[0], [0, 1, 1, 5])
    assert_array_equal(model.estimators_features_[1], [0, 3])
    votes = [model.estimators_[0].predict(X), model.estimators_[1].predict(X[:, [0, 3]])]
    assert_allclose(model.predict_proba(X)[:, 1], np.mean(votes, axis=0))


def test_perceptrons_trained_at_once_tell_their_errors(blobs):
    X, y = blobs(3)
    model = HardnessBaggingClassifier(n_estimators=5, random_state=0).fit(X, y)
    errors = [
        np.mean(member.predict(X[samples]) != y[samples])
        for member, samples in zip(model.estimators_, model.estimators_samples_, strict=True)
    ]
    assert_allclose(model.estimator_errors_, errors)


def test_made_rows_come_on_top(bagged_by, recorder, blobs):
    X, y = blobs()
    made = np.full((2, 4), 9.0), np.array([1, 0])
    model = bagged_by(Rows([Bag(np.array([0, 1]), made=made)]), recorder, n_estimators=1)
    seen = model.fit(X, y).estimators_[0].seen_
    assert_array_equal(seen[0], np.vstack([X[:2], made[0]]))
    assert_array_equal(seen[1], [y[0], y[1], 1, 0])


@pytest.mark.parametrize("takes_weights", [True, False])
def test_weights_of_a_bag(bagged_by, recorder, unweighted_recorder, blobs, takes_weights):
    X, y = blobs()
    bag = Bag(np.array([0, 1, 2]), weights=np.array([1.0, 2.4, 0.3]))
    member = recorder if takes_weights else unweighted_recorder
    seen = bagged_by(Rows([bag]), member, n_estimators=1).fit(X, y).estimators_[0].seen_
    assert_array_equal(seen[0], X[:3] if takes_weights else X[[0, 1, 1, 2]])
    if takes_weights:
        assert_array_equal(seen[2], [1.0, 2.4, 0.3])


def test_a_bag_of_one_class_is_drawn_again(bagged_by, blobs):
    X, y = blobs()

    class OneClassAtFirst(Rows):
        draws = 0

        def bag(self, number, random_state):
            self.draws += 1
            return Bag(np.array([0, 2, 4 + (self.draws > 3)]))

    rule = OneClassAtFirst([])
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        model = bagged_by(rule, n_estimators=1).fit(X, y)
    assert_array_equal(model.estimators_samples_[0], [0, 2, 5])


def test_members_that_never_see_two_classes_are_left_out(bagged_by, blobs):
    X, y = blobs()
    with pytest.warns(ConvergenceWarning, match="^1 of 3 members were left out, because 100 draws"):
        model = bagged_by(Rows([[0, 1], [0, 2], [1, 2]]), n_estimators=3).fit(X, y)
    assert len(model.estimators_) == 2
    with pytest.warns(ConvergenceWarning, match="^2 of 2 members.* instead, on all rows, unwei"):
        model = bagged_by(Rows([[0, 2], [1, 3]]), n_estimators=2).fit(X, y)
    assert_array_equal(model.estimators_samples_[0], np.arange(120))


def test_the_chosen_candidates_are_kept(bagged_by, blobs):
    X, y = blobs()

    scores = []

    class Best(Rows):
        n_candidates = 2

        def choose(self, outputs):
            scores.append([np.mean(output == y) for output in outputs])
            return int(np.argmax(scores[-1]))

    rule = Best([[0, 1, 2, 3, 4, 5, 6, 7], [0, 1], [0, 1], [0, 1, 2, 3, 4, 5, 6, 7]])
    model = bagged_by(rule, n_estimators=2, random_state=0).fit(X, y)
    assert [member.score(X, y) for member in model.estimators_] == [max(pair) for pair in scores]
    assert all(np.ptp(pair) > 0 for pair in scores)


@pytest.mark.parametrize("member", [DecisionTreeClassifier(max_depth=3), GaussianNB()])
def test_soft_votes_are_the_mean_probability_over_the_members(blobs, member):
    X, y = blobs(3)
    model = HardnessBaggingClassifier(member, n_estimators=7, voting="soft", random_state=0)
    model.fit(X, y)
    expected = np.mean([m.predict_proba(X) for m in model.estimators_], axis=0)
    assert_allclose(model.predict_proba(X), expected)


def test_a_member_that_lacks_a_class_gives_it_nothing(bagged_by, blobs):
    X, y = blobs(3)
    model = bagged_by(Rows([[0, 1, 3, 4], [0, 2]]), n_estimators=2, voting="soft").fit(X, y)
    expected = np.zeros((120, 3))
    expected[:, :2] += model.estimators_[0].predict_proba(X)
    expected[:, [0, 2]] += model.estimators_[1].predict_proba(X)
    assert_allclose(model.predict_proba(X), expected / 2)


def test_soft_votes_need_probabilities():
    with pytest.raises(
        InputError, match=r"with voting='soft' needs .* probabilities.*, which Perceptron is not"
    ):
        HardnessBaggingClassifier(voting="soft").fit([[0], [1]], [0, 1])


@pytest.mark.parametrize("n_jobs", [2, -1])
def test_the_number_of_jobs_changes_nothing(blobs, n_jobs):
    X, y = blobs(3)
    for make in (HardnessBaggingClassifier, RandomSubspaceClassifier):
        alone = make(n_estimators=6, random_state=1).fit(X, y)
        together = make(n_estimators=6, random_state=1, n_jobs=n_jobs).fit(X, y)
        assert_array_equal(alone.predict_proba(X), together.predict_proba(X))


def test_out_of_bag_by_hand(blobs):
    X, y = blobs()
    names = np.array(["no", "yes"])[y]
    model = HardnessBaggingClassifier(n_estimators=4, oob_score=True, random_state=0).fit(X, names)
    right, judged = 0, 0
    for row in range(len(y)):
        votes = [
            member.predict(X[[row]])[0]
            for member, samples in zip(model.estimators_, model.estimators_samples_, strict=True)
            if row not in samples
        ]
        said = model.oob_decision_function_[row]
        if not votes:
            assert np.isnan(said).all()
            continue
        share = np.mean(np.array(votes) == "yes")
        assert_allclose(said, [1 - share, share])
        judged += 1
        right += names[row] == ("yes" if share > 0.5 else "no")
    assert 0 < judged < 120
    assert model.oob_score_ == pytest.approx(right / judged)


def test_out_of_bag_needs_rows_outside():
    X = np.arange(8.0)[:, None]
    model = HardnessBaggingClassifier(n_estimators=2, max_samples=40.0, oob_score=True)
    with pytest.raises(InputError, match="every member saw every row"):
        model.fit(X, [0] * 4 + [1] * 4)


def test_plain_bagging_is_as_good_as_scikit_learns(blobs):
    X, y = blobs(2, n_samples=600)
    member = DecisionTreeClassifier()
    ours = HardnessBaggingClassifier(member, hardness=None, n_estimators=30, oob_score=True)
    theirs = BaggingClassifier(member, 30, oob_score=True)
    scores = [
        [model.set_params(random_state=seed).fit(X, y).oob_score_ for seed in range(20)]
        for model in (ours, theirs)
    ]
    assert abs(np.mean(scores[0]) - np.mean(scores[1])) < 0.01


def test_hardness_and_probabilities(blobs):
    X, y = blobs()
    X = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    model = HardnessBaggingClassifier(n_neighbors=7, n_estimators=2).fit(1000 * X, y)
    expected = k_disagreeing_neighbors(X, y, 7)
    assert_allclose(model.hardness_, expected)
    weights = 1 / 120 + 1 - expected
    assert_allclose(model.sample_probabilities_, weights / weights.sum())
    softmax = HardnessBaggingClassifier(n_neighbors=7, weighting="softmax").fit(X, y)
    assert_allclose(softmax.sample_probabilities_, np.exp(-expected) / np.exp(-expected).sum())
    own = HardnessBaggingClassifier(hardness=expected, weighting=lambda h: (h < 0.5) * 1.0)
    easy = expected < 0.5
    assert_allclose(own.fit(X, y).sample_probabilities_, easy / easy.sum())
    assert set(np.concatenate(own.estimators_samples_)) <= set(np.flatnonzero(easy))
    plain = HardnessBaggingClassifier(hardness=None).fit(X, y)
    assert_allclose(plain.sample_probabilities_, 1 / 120)
    assert not hasattr(plain, "hardness_")


def test_hardness_of_small_integers_doesnt_depend_on_the_precision():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 4, (300, 6)).astype(np.float64), rng.integers(0, 2, 300)
    double, single = (
        HardnessBaggingClassifier(n_estimators=2, random_state=0).fit(rows, y).hardness_
        for rows in (X, X.astype(np.float32))
    )
    assert_array_equal(single, double)


def test_rows_of_weight_0_have_no_hardness(blobs):
    X, y = blobs()
    weights = np.ones(120)
    weights[[3, 7]] = 0
    model = HardnessBaggingClassifier(n_estimators=20).fit(X, y, weights)
    assert_array_equal(np.flatnonzero(np.isnan(model.hardness_)), [3, 7])
    assert_array_equal(np.flatnonzero(model.sample_probabilities_ == 0), [3, 7])
    assert not {3, 7} & set(np.concatenate(model.estimators_samples_))


@pytest.mark.parametrize(
    ("hardness", "message"),
    [
        ([0.1, 0.2], r"shape \(2,\), but X has 3 rows"),
        ([0.1, 1.2, 0.0], r"hardness is 1.2 for row 1"),
        ([0.1, 0.2, np.nan], r"hardness is nan for row 2"),
    ],
)
def test_hardness_that_is_no_use(hardness, message):
    with pytest.raises(InputError, match=message):
        HardnessBaggingClassifier(hardness=hardness).fit([[0], [1], [2]], [0, 1, 1])


@pytest.mark.parametrize(("max_samples", "size"), [(None, 120), (30, 30), (0.5, 60), (1.5, 180)])
def test_the_size_of_the_bags(blobs, max_samples, size):
    model = HardnessBaggingClassifier(max_samples=max_samples, n_estimators=2).fit(*blobs())
    assert [len(samples) for samples in model.estimators_samples_] == [size, size]


def test_equal_weights_are_as_none(blobs):
    X, y = blobs()
    for make in (RandomSubspaceClassifier, HardnessBaggingClassifier):
        model = make(n_estimators=9, random_state=0)
        expected = model.fit(X, y).predict_proba(X)
        for weight in (0.01, 1 / 3, 1.0):
            model.fit(X, y, np.full(120, weight))
            assert_array_equal(model.predict_proba(X), expected)
    # Where rows aren't drawn, and the members' steps only scale, heavier rows are no more rows.
    model = RandomSubspaceClassifier(n_estimators=9, random_state=0)
    expected = model.fit(X, y).predict_proba(X)
    assert_array_equal(model.fit(X, y, np.full(120, 7.3)).predict_proba(X), expected)


def test_missing_values_are_the_members_matter_where_nothing_is_measured(blobs):
    X, y = blobs()
    X[::9, 2] = np.nan
    member = DecisionTreeClassifier(max_depth=3)
    assert HardnessBaggingClassifier(member, hardness=None).fit(X, y).score(X, y) > 0.7
    assert RandomSubspaceClassifier(member).fit(X, y).score(X, y) > 0.7
    with pytest.raises(
        ValueError, match=r"NaN: column 2, row 0.* measure of hardness 'kdn' takes no"
    ):
        HardnessBaggingClassifier(member).fit(X, y)
    with pytest.raises(ValueError, match="HardnessBaggingClassifier takes no missing values"):
        HardnessBaggingClassifier().fit(X, y)


@pytest.mark.parametrize("measure", ["mv", "cb"])
def test_missing_values_pass_where_a_measure_looks_at_labels_only(blobs, measure):
    X, y = blobs()
    X[::9, 2], X[:, 1] = np.nan, np.nan
    model = HardnessBaggingClassifier(DecisionTreeClassifier(max_depth=3), hardness=measure)
    assert get_tags(model).input_tags.allow_nan
    assert model.fit(X, y).score(X, y) > 0.7
    assert_allclose(model.hardness_, MEASURES[measure](X, y))


def test_members_by_default_are_the_papers():
    model = HardnessBaggingClassifier(n_estimators=1).fit([[0], [1]] * 5, [0, 1] * 5)
    assert model.estimator_.get_params() == Perceptron(max_iter=5, tol=None).get_params()


def test_any_classifier_can_be_a_member(blobs):
    X, y = blobs(3)
    for member in (LogisticRegression(), GaussianNB(), DecisionTreeClassifier(max_depth=2)):
        assert HardnessBaggingClassifier(member, n_estimators=5).fit(X, y).score(X, y) > 0.5


@pytest.mark.parametrize(
    ("measure", "weighting"),
    # Copies of a row have one kDN and one MV, but not one N1: only linear weights keep their mean.
    [("kdn", "linear"), ("kdn", "softmax"), ("mv", "linear"), ("mv", "softmax"), ("n1", "linear")],
)
def test_chances_are_those_of_repeated_rows(blobs, measure, weighting):
    X, y = blobs()
    counts = np.where(y == 1, 7, 1)
    model = HardnessBaggingClassifier(
        n_estimators=1, hardness=measure, weighting=weighting, random_state=0
    )
    weighted = model.fit(X, y, counts).sample_probabilities_
    model.fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    repeated = np.bincount(np.repeat(np.arange(120), counts), model.sample_probabilities_)
    assert_allclose(weighted, repeated)


@pytest.mark.parametrize(
    "make", [SMOTEBaggingClassifier, partial(ICSBaggingClassifier, smote=True)]
)
def test_a_missing_value_between_which_smote_would_make_rows_is_named(blobs, make):
    X, y = blobs()
    X[3, 2] = np.nan
    with pytest.raises(ValueError, match="contains NaN: column 2, row 3"):
        make(estimator=DecisionTreeClassifier(), n_estimators=2).fit(X, y)
    assert ICSBaggingClassifier(DecisionTreeClassifier(), n_estimators=2).fit(X, y)


@pytest.mark.parametrize(
    "bagging",
    [
        BalancedVariationClassifier,
        HardnessBaggingClassifier,
        ICSBaggingClassifier,
        RandomSubspaceClassifier,
        SMOTEBaggingClassifier,
    ],
)
def test_more_members_than_can_be_trained_are_refused(blobs, bagging):
    X, y = blobs(2)
    with pytest.raises(InputError, match="there are 1,000,000 at most"):
        bagging(n_estimators=10**12).fit(X, y)
