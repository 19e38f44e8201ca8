import warnings

import numpy as np

from hardy.ensembles import NoiseReducingBoostClassifier
from hardy.learners import RowCategory
from hardy.panel import NoiseVotesOpinion
from hardy.panel.noise_votes import NoiseVotes


def test_equals_the_share_of_members_that_call_the_row_clean(make_data, blobs):
    data = make_data(*blobs)
    X = data.views.standard
    fitted = NoiseVotesOpinion(4, 20).fit(X, data.codes, 0)
    votes = np.empty((len(X), 3))
    for label in range(3):
        categories = fitted.model.categorize_rounds(X, np.full(len(X), label))
        votes[:, label] = (np.asarray(categories) != RowCategory.NOISY).mean(axis=0) + 1e-3
    np.testing.assert_allclose(fitted.predict_proba(X), votes / votes.sum(axis=1, keepdims=True))


def test_well_separated_classes_are_recognised(make_data):
    rng = np.random.RandomState(0)
    codes = np.repeat([0, 1], 40)
    X = rng.normal(size=(80, 3)) + 6 * codes[:, None]
    opinion = NoiseVotesOpinion().opinion(make_data(X, codes), 0)
    assert (opinion.argmax(axis=1) == codes).mean() > 0.95


def test_pure_noise_is_quiet(make_data):
    rng = np.random.RandomState(0)
    data = make_data(rng.normal(size=(60, 2)), rng.randint(0, 2, 60))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        opinion = NoiseVotesOpinion().opinion(data, 0)
    np.testing.assert_allclose(opinion.sum(axis=1), 1)


def test_two_classes_and_a_class_that_a_member_has_not_seen(make_data):
    """The same votes as by asking each member for each label, row by row."""
    rng = np.random.RandomState(0)
    codes = np.r_[np.repeat([0, 1], 30), [2]]
    X = rng.normal(size=(61, 3)) + 2 * codes[:, None]
    few = NoiseReducingBoostClassifier(n_estimators=6, sampling="resample", random_state=3)
    for rows in (codes < 2, codes < 3):
        model = few.fit(X[rows], codes[rows])
        n_classes = len(model.classes_)
        n_votes = np.zeros((len(X), n_classes))
        for label in range(n_classes):
            categories = model.categorize_rounds(X, np.full(len(X), label))
            n_votes[:, label] = (categories == RowCategory.NOISY).sum(axis=0)
        assert n_votes.any()
        belief = 1 - n_votes / len(model.estimators_) + 1e-3
        np.testing.assert_allclose(
            NoiseVotes(model).predict_proba(X), belief / belief.sum(axis=1, keepdims=True)
        )
    assert {len(member.classes_) for member in model.estimators_} == {2, 3}
