import warnings

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from hardy.weighting import relabelling
from hardy.weighting.relabelling import find_hidden_positives


def two_clouds(n_hidden, seed=0):
    """200 rows around −1 and 60 around +1, of which some are not labelled positive."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(260, 6))
    truth = np.arange(260) >= 200
    X += np.where(truth, 1.0, -1.0)[:, None]
    given = truth.copy()
    given[200 : 200 + n_hidden] = False
    return X, truth, given


def test_it_finds_most_hidden_positives_and_little_else():
    # A hidden positive is one like the others, of which somewhat over half reach their mean.
    recovered, invented = [], []
    for seed in range(10):
        X, truth, given = two_clouds(20, seed)
        hidden = find_hidden_positives(X, given, np.ones(len(X)), random_state=seed)
        recovered.append(hidden[truth & ~given].mean())
        invented.append(hidden[~truth].mean())
    assert np.mean(recovered) > 0.55
    assert np.mean(invented) < 0.01


def test_only_rows_that_are_not_labelled_positive_change():
    X, _, given = two_clouds(20)
    assert not (find_hidden_positives(X, given, np.ones(len(X))) & given).any()


def test_it_is_the_rule_written_out():
    X, _, given = two_clouds(20, seed=1)
    weights = np.exp(2 * np.random.default_rng(2).normal(size=len(X)))
    probability = np.empty(len(X))
    for train, test in StratifiedKFold(5, shuffle=True, random_state=3).split(X, given):
        model = LogisticRegression(C=30.0, class_weight="balanced", max_iter=1000)
        model.fit(X[train], given[train], sample_weight=weights[train])
        probability[test] = model.predict_proba(X[test])[:, 1]
    usual = (probability * weights)[given].sum() / weights[given].sum()
    assert_array_equal(
        find_hidden_positives(X, given, weights, random_state=3),
        ~given & (probability >= usual),
    )


def test_sparse_rows_are_dense_ones():
    X, _, given = two_clouds(20)
    X[np.abs(X) < 0.5] = 0
    settings = {"weights": np.ones(len(X)), "random_state": 0}
    assert_array_equal(
        find_hidden_positives(sparse.csr_matrix(X), given, **settings),
        find_hidden_positives(X, given, **settings),
    )


@pytest.mark.parametrize(("n_positive", "n_other"), [(1, 30), (30, 1), (1, 1)])
def test_a_side_of_one_row_leaves_all_as_it_is(n_positive, n_other):
    given = np.repeat([True, False], [n_positive, n_other])
    X = np.where(given, 1.0, -1.0)[:, None]
    assert not find_hidden_positives(X, given, np.ones(len(X))).any()


@pytest.mark.parametrize("n_positive", [2, 3, 4])
def test_fewer_rows_than_folds(n_positive):
    given = np.repeat([True, False], [n_positive, 20])
    X = np.where(given, 1.0, -1.0)[:, None]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not find_hidden_positives(X, given, np.ones(len(X)), random_state=0).any()


@pytest.mark.filterwarnings("error")
def test_large_numbers_cause_no_warning():
    X = np.array([[1.7e308], [-1.7e308]] * 6)
    find_hidden_positives(X, X[:, 0] > 0, np.ones(len(X)), random_state=0)


@pytest.mark.parametrize("n_positive", [2, 3])
def test_few_positives_find_one_that_is_hidden(n_positive):
    given = np.repeat([True, False], [n_positive, 20])
    X = np.where(given, 1.0, -1.0)[:, None]
    X[-1] = 1.5
    found = find_hidden_positives(X, given, np.ones(len(X)), random_state=0)
    assert np.flatnonzero(found).tolist() == [len(X) - 1]


def test_only_the_regressions_own_warning_is_kept_quiet(monkeypatch):
    def warn(*arguments, **settings):
        warnings.warn("not converged", ConvergenceWarning, stacklevel=1)
        warnings.warn("something else", UserWarning, stacklevel=1)
        return cross_val_predict(*arguments, **settings)

    monkeypatch.setattr(relabelling, "cross_val_predict", warn)
    X, _, given = two_clouds(20)
    with pytest.warns(UserWarning, match="something else") as caught:
        find_hidden_positives(X, given, np.ones(len(X)), random_state=0)
    assert len(caught) == 1
