import numpy as np
import pytest
from imblearn.metrics import geometric_mean_score
from sklearn.metrics import brier_score_loss, f1_score, log_loss, roc_auc_score

from hardy.studies import score_predictions
from hardy.studies.scores import SCORES


@pytest.mark.parametrize("n_classes", [2, 4])
def test_like_the_libraries(n_classes):
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, 80)
    proba = rng.dirichlet(np.ones(n_classes), 80)
    predicted = proba.argmax(axis=1)
    rare = int(np.bincount(y).argmin())
    scores = score_predictions(y, predicted, proba, n_classes=n_classes, positive=rare)
    assert tuple(scores) == SCORES
    assert scores["accuracy"] == (y == predicted).mean()
    assert scores["geometric_mean"] == pytest.approx(
        geometric_mean_score(y, predicted, average="multiclass" if n_classes > 2 else "binary")
    )
    assert scores["log_loss"] == pytest.approx(log_loss(y, proba))
    if n_classes == 2:
        assert scores["f1"] == f1_score(y, predicted, pos_label=rare)
        assert scores["brier"] == pytest.approx(brier_score_loss(y, proba[:, 1]))
        assert scores["auc"] == roc_auc_score(y, proba[:, 1])
    else:
        assert scores["f1"] == f1_score(y, predicted, average="macro")
        assert scores["auc"] == roc_auc_score(y, proba, multi_class="ovo")


def test_by_hand():
    """Three of four right of class 0, one of two of class 1: recalls 3/4 and 1/2."""
    y, predicted = np.array([0, 0, 0, 0, 1, 1]), np.array([0, 0, 0, 1, 1, 0])
    scores = score_predictions(y, predicted)
    assert scores["balanced_accuracy"] == 0.625
    assert scores["geometric_mean"] == pytest.approx(np.sqrt(0.375))
    assert scores["f1"] == 0.5
    assert np.isnan([scores[name] for name in ("log_loss", "brier", "auc")]).all()


def test_what_is_never_predicted_and_certain_mistakes():
    y, predicted = np.array([0, 1, 1, 2]), np.array([0, 0, 0, 0])
    proba = np.eye(3)[predicted]
    scores = score_predictions(y, predicted, proba, n_classes=3)
    assert scores["geometric_mean"] == 0
    assert np.isfinite(scores["log_loss"])
    assert scores["brier"] == 0.75
