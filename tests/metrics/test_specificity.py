import numpy as np
import pytest
from imblearn.metrics import specificity_score as theirs
from sklearn.metrics import make_scorer, recall_score

from hardy.exceptions import InputError
from hardy.metrics import specificity_score


@pytest.fixture
def labels():
    rng = np.random.default_rng(0)
    return rng.integers(0, 3, 60), rng.integers(0, 3, 60)


@pytest.mark.parametrize("average", ["macro", "weighted", None])
def test_like_imbalanced_learns(labels, average):
    y_true, y_pred = labels
    found = specificity_score(y_true, y_pred, average=average)
    np.testing.assert_allclose(found, theirs(y_true, y_pred, average=average))


def test_a_weight_is_a_repetition(labels):
    y_true, y_pred = labels
    counts = np.random.default_rng(1).integers(0, 4, 60)
    repeated = np.repeat(y_true, counts), np.repeat(y_pred, counts)
    for average in ("macro", "weighted", None):
        found = specificity_score(y_true, y_pred, average=average, sample_weight=counts)
        np.testing.assert_allclose(found, specificity_score(*repeated, average=average))


def test_of_two_classes_it_is_the_others_recall(labels):
    y_true, y_pred = (np.array(["no", "yes"])[values % 2] for values in labels)
    for positive, other in (("yes", "no"), ("no", "yes")):
        assert specificity_score(y_true, y_pred, pos_label=positive) == pytest.approx(
            recall_score(y_true, y_pred, pos_label=other)
        )
    scorer = make_scorer(specificity_score, pos_label="yes")
    assert callable(scorer)


def test_by_hand():
    assert specificity_score([0, 0, 0, 0, 1], [0, 0, 0, 1, 1]) == 0.75
    assert np.isnan(specificity_score([1, 1], [1, 1]))


@pytest.mark.parametrize(
    ("y", "options", "message"),
    [
        ([0, 1, 2], {}, r"needs two classes.* labels are \[0, 1, 2\]"),
        (["a", "b", "a"], {}, "pos_label=1 is none of the labels"),
        ([0, 1, 1], {"average": "samples"}, "average='samples' is unknown"),
    ],
)
def test_what_makes_no_sense(y, options, message):
    with pytest.raises(InputError, match=message):
        specificity_score(y, y, **options)
