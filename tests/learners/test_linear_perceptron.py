import pickle
import warnings

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import SGDRegressor
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer, StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from hardy.exceptions import InputError
from hardy.learners import linear_perceptron
from hardy.learners.linear_perceptron import LinearPerceptronClassifier

CONTAINERS = [np.asarray, sparse.csr_array, sparse.csr_matrix]


def expected_failures(estimator):
    """On-line passes take the rows in an order, in which a repeated row comes twice."""
    reason = "a row of weight 2 makes one step, two rows do so at two places of the order"
    return {
        "check_sample_weight_equivalence_on_dense_data": reason,
        "check_sample_weight_equivalence_on_sparse_data": reason,
    }


@parametrize_with_checks(
    [
        LinearPerceptronClassifier(),
        LinearPerceptronClassifier(momentum=0.0),
        LinearPerceptronClassifier(class_weight="balanced"),
        LinearPerceptronClassifier(shuffle=False),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def two_classes():
    X, y = make_classification(
        400, 8, n_informative=5, flip_y=0.1, class_sep=1.2, weights=[0.3], random_state=0
    )
    return Normalizer().fit_transform(X), y


@pytest.fixture(scope="module")
def three_classes():
    X, y = load_iris(return_X_y=True)
    return Normalizer().fit_transform(StandardScaler().fit_transform(X)), y


def assert_same_model(one, other, **tolerance):
    for name in ("coef_", "intercept_", "loss_curve_"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), **tolerance)


# The delta rule


@pytest.mark.parametrize("n_passes", [1, 3])
@pytest.mark.parametrize(("container", "bias_scale"), [(np.asarray, 1.0), (sparse.csr_array, 0.01)])
def test_without_momentum_it_is_stochastic_gradient_descent(
    two_classes, container, bias_scale, n_passes
):
    """The gradient of half the squared error; on sparse rows scikit-learn's bias moves by 1 %."""
    X, y = two_classes
    X = container(X)
    weight = np.random.default_rng(0).uniform(0.1, 1, len(y))
    peer = SGDRegressor(
        penalty=None, learning_rate="constant", eta0=0.2, max_iter=n_passes, tol=None,
        shuffle=False,
    )  # fmt: skip
    model = LinearPerceptronClassifier(
        momentum=0.0, max_iter=n_passes, bias_scale=bias_scale, shuffle=False
    )
    for options in ({}, {"sample_weight": weight}):
        peer.fit(X, 2 * y - 1, **options)
        model.fit(X, y, **options)
        np.testing.assert_allclose(model.coef_[0], peer.coef_, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(model.intercept_, peer.intercept_, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("container", CONTAINERS)
def test_two_rows_by_hand(container):
    """Rate 1/4, momentum 1/2; x = (3/5, 4/5) has q = 2, so that λ q = 1 and the rate stays.

    First x, labelled 1: output 0, error 1, step (3/20, 1/5) and 1/4 for the bias.
    Then (1, 0), labelled 0: output 3/20 + 1/4 = 2/5, error −7/5, step
    (−7/20 + 3/40, 1/10) = (−11/40, 1/10), bias −7/20 + 1/8 = −9/40.
    Weights (3/20 − 11/40, 1/5 + 1/10) = (−1/8, 3/10), bias 1/40. Mean squared error 37/25.
    """
    X = container(np.array([[0.6, 0.8], [1.0, 0.0]]))
    model = LinearPerceptronClassifier(0.25, max_iter=1, shuffle=False).fit(X, [1, 0])
    np.testing.assert_allclose(model.coef_, [[-1 / 8, 3 / 10]], rtol=1e-14)
    np.testing.assert_allclose(model.intercept_, [1 / 40], rtol=1e-14)
    np.testing.assert_allclose(model.loss_curve_, [[37 / 25]], rtol=1e-14)
    np.testing.assert_allclose(
        model.decision_function(X), [-0.6 / 8 + 0.24 + 0.025, -1 / 8 + 1 / 40], rtol=1e-12
    )
    assert model.learning_rate_ == 0.25


def test_it_learns():
    X, y = load_breast_cancer(return_X_y=True)
    model = make_pipeline(
        StandardScaler(), Normalizer(), LinearPerceptronClassifier(random_state=0)
    )
    assert cross_val_score(model, X, y).mean() > 0.9


def test_it_stops_when_the_error_is_small():
    """Four orthogonal rows, which a linear unit can fit exactly."""
    X, y = np.eye(4), [0, 1, 0, 1]
    model = LinearPerceptronClassifier(random_state=0).fit(X, y)
    losses = model.loss_curve_[:, 0]
    assert 1 < model.n_iter_ == len(losses) < 25
    assert losses[-1] < 0.01
    assert (losses[:-1] >= 0.01).all()
    assert model.set_params(tol=0.0).fit(X, y).n_iter_ == 25
    np.testing.assert_allclose(model.decision_function(X), [-1, 1, -1, 1], atol=1e-3)


def test_the_loss_is_the_weighted_mean_squared_error(two_classes):
    """At a rate of next to nothing the weights stay as they are while the pass measures."""
    X, y = two_classes
    weight = np.random.default_rng(0).uniform(size=len(y))
    model = LinearPerceptronClassifier(max_iter=3, warm_start=True, random_state=0).fit(X, y)
    errors = 2 * y - 1 - model.decision_function(X)
    model.set_params(learning_rate=1e-300, max_iter=1).fit(X, y, weight)
    expected = np.average(errors**2, weights=weight)
    np.testing.assert_allclose(model.loss_curve_, [[expected]], rtol=1e-12)


@pytest.mark.parametrize("container", CONTAINERS)
def test_several_classes_are_one_against_the_rest(three_classes, container):
    """Each sub-problem is the binary model, with a stop of its own."""
    X, y = container(three_classes[0]), three_classes[1]
    model = LinearPerceptronClassifier(tol=0.5, random_state=0).fit(X, y)
    binary = [clone(model).fit(X, y == k) for k in range(3)]
    assert binary[0].n_iter_ < 25
    assert model.n_iter_ == max(one.n_iter_ for one in binary) == 25
    for k, one in enumerate(binary):
        np.testing.assert_allclose(model.coef_[k], one.coef_[0], rtol=1e-9)
        assert model.intercept_[k] == pytest.approx(one.intercept_[0], rel=1e-9)
        losses = model.loss_curve_[: one.n_iter_, k]
        np.testing.assert_allclose(losses, one.loss_curve_[:, 0], rtol=1e-9)


def test_the_bias_scale(two_classes):
    """Steps of the bias times c are what a column of √c in place of the bias gives."""
    X, y = two_classes
    model = LinearPerceptronClassifier(bias_scale=0.01, random_state=0).fit(X, y)
    column = np.column_stack([X, np.full(len(y), 0.1)])
    peer = LinearPerceptronClassifier(bias_scale=0.0, random_state=0).fit(column, y)
    assert peer.intercept_ == 0
    np.testing.assert_allclose(model.coef_, peer.coef_[:, :-1], rtol=1e-9)
    np.testing.assert_allclose(model.intercept_, 0.1 * peer.coef_[:, -1], rtol=1e-9)
    np.testing.assert_allclose(model.loss_curve_, peer.loss_curve_, rtol=1e-9)


# Long rows


def test_the_learning_rate_is_lowered_for_long_rows():
    """The rows (1, 2) and (−1, 1) have q = 6 and 3: at most rates of 1/12 and 1/6 suit them."""
    X, y = np.array([[1.0, 2.0], [-1.0, 1.0]]), [0, 1]
    model = LinearPerceptronClassifier(random_state=0)
    with pytest.warns(ConvergenceWarning, match=r"learning_rate=0.2 was lowered.*Normalizer"):
        lowered = clone(model).fit(X, y)
    assert lowered.learning_rate_ == 0.5 / 6
    # A row of weight 1/4 makes a quarter of the step.
    with pytest.warns(ConvergenceWarning):
        weighted = clone(model).fit(X, y, [0.25, 1])
    assert weighted.learning_rate_ == 0.5 / 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        same = clone(model).set_params(learning_rate=0.5 / 6).fit(X, y)
        assert clone(model).set_params(learning_rate=0.08).fit(X, y).learning_rate_ == 0.08
    assert_same_model(same, lowered, rtol=0)


@pytest.mark.parametrize("container", CONTAINERS)
def test_rows_on_which_the_delta_rule_would_diverge(container):
    """At rate 0.2 scikit-learn's steps overflow on these rows of length 10 and more."""
    X, y = make_classification(300, 20, class_sep=2, random_state=0)
    X = container(5 * X)
    with pytest.warns(ConvergenceWarning):
        model = LinearPerceptronClassifier(random_state=0).fit(X, y)
    assert model.score(X, y) > 0.9


@pytest.mark.parametrize("container", CONTAINERS)
def test_values_too_large(container):
    X = container(np.array([[1e200], [-1e200], [1e200]]))
    with pytest.raises(InputError, match="squares overflow: scale them"):
        LinearPerceptronClassifier().fit(X, [0, 1, 1])


@pytest.mark.parametrize("container", CONTAINERS)
def test_divergence_is_an_error(container):
    """High momentum swings, and rows in this order push it like a child on a swing.

    39 rows pull at a weight, and in the 20 rows of another it swings freely. The two together
    multiply the swing by 3.1 in each pass, as the eigenvalues of their transition matrix say.
    """
    X = container(np.repeat(np.eye(2), [39, 20], axis=0))
    model = LinearPerceptronClassifier(0.01, 0.99, 1000, 0.0, bias_scale=0.0, shuffle=False)
    with pytest.raises(InputError, match=r"grow without end.*lower the momentum"):
        model.fit(X, [0] * 39 + [1] * 20)


# Weights


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("shuffle", [False, True])
def test_weights_of_one_are_no_weights(two_classes, shuffle, container):
    X, y = container(two_classes[0]), two_classes[1]
    model = LinearPerceptronClassifier(shuffle=shuffle, random_state=0)
    assert_same_model(clone(model).fit(X, y), clone(model).fit(X, y, np.ones(len(y))), rtol=0)


def test_a_weight_of_next_to_one_changes_next_to_nothing(two_classes):
    X, y = two_classes
    model = LinearPerceptronClassifier(random_state=0)
    plain = clone(model).fit(X, y)
    for weight in (1 - 1e-9, 1 + 1e-9):
        assert_same_model(clone(model).fit(X, y, np.full(len(y), weight)), plain, atol=1e-7)


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("momentum", [0.0, 0.5])
def test_the_implicit_step(momentum, container):
    """The part of the weight beyond 1 counts with the error after the step and all that follows.

    x = (3/5, 4/5), rate 0.1, weight 3, error 1 before the step: δ x, δ for the bias, of which
    momentum makes 1 / (1 − μ) in the end. δ = 0.1 (1 + 2 · (1 − 2 δ / (1 − μ))).
    """
    X = container(np.array([[0.6, 0.8]]))
    model = LinearPerceptronClassifier(0.1, momentum)
    model.partial_fit(X, [1], classes=[0, 1], sample_weight=[3])
    delta = model.intercept_[0]
    np.testing.assert_allclose(model.coef_, [[0.6 * delta, 0.8 * delta]], rtol=1e-12)
    error_in_the_end = 1 - 2 * delta / (1 - momentum)
    assert delta == pytest.approx(0.1 * (1 + 2 * error_in_the_end), rel=1e-12)


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("momentum", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("weight", [1e3, 1e12, 1e99])
def test_a_heavy_row_takes_its_whole_error_away(weight, momentum, container):
    """The empty rows that follow give momentum the time to do its part."""
    X = np.zeros((400, 2))
    X[0] = 0.6, 0.8
    model = LinearPerceptronClassifier(0.01, momentum, bias_scale=0.0, max_iter=1, shuffle=False)
    model.fit(container(X), [1] + [0] * 399, [weight] + [1] * 399)
    # Of the weight s, 1 counts with the error before the step: (1 − λ) / (1 + λ (s − 1)) is left.
    rate = 0.01 / (1 - momentum)
    left = (1 - rate) / (1 + rate * (weight - 1))
    assert 1 - model.decision_function(X[:1])[0] == pytest.approx(left, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("momentum", [0.0, 0.5, 0.9])
def test_heavy_rows_do_not_diverge(two_classes, momentum, container):
    X, y = two_classes
    weight = 10.0 ** np.random.default_rng(0).uniform(-6, 6, len(y))
    model = LinearPerceptronClassifier(momentum=momentum, random_state=0)
    model.fit(container(X), y, weight)
    assert (model.loss_curve_ < 4).all()
    orthogonal = clone(model).fit(container(np.eye(10)), np.arange(10) % 2, np.full(10, 1e6))
    assert orthogonal.loss_curve_[-1] < 0.01


def test_a_tiny_weight_makes_a_tiny_step():
    model = LinearPerceptronClassifier().fit(np.eye(2), [0, 1], [1e-100, 1])
    assert model.coef_[0, 0] == pytest.approx(0, abs=1e-99)
    assert model.coef_[0, 1] > 0.2


@pytest.mark.parametrize("container", CONTAINERS)
def test_a_weight_of_zero_is_absence(two_classes, container):
    X, y = two_classes
    y = y.copy()
    y[:7] = 9
    weights = np.random.default_rng(0).uniform(0.5, 3, len(y))
    weights[:50] = 0
    model = LinearPerceptronClassifier(class_weight="balanced", random_state=0)
    weighted = clone(model).fit(container(X), y, weights)
    absent = clone(model).fit(container(X[50:]), y[50:], weights[50:])
    assert_same_model(weighted, absent, rtol=0)
    assert weighted.classes_.tolist() == [0, 1]


def test_all_weights_zero(two_classes):
    X, y = two_classes
    with pytest.raises(ValueError, match=r"(?i)weight"):
        LinearPerceptronClassifier().fit(X, y, np.zeros(len(y)))


def test_class_weight_with_string_labels(two_classes):
    X, codes = two_classes
    y = np.array(["ham", "spam"])[codes]
    weighted = LinearPerceptronClassifier(class_weight={"ham": 0.5, "spam": 3}, random_state=0)
    by_rows = LinearPerceptronClassifier(random_state=0)
    weighted.fit(X, y)
    by_rows.fit(X, y, sample_weight=np.array([0.5, 3])[codes])
    assert_same_model(weighted, by_rows, rtol=0)


# Predictions


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("container", CONTAINERS)
def test_predictions_agree(two_classes, three_classes, dtype, container):
    for X, y in (two_classes, three_classes):
        X = X.astype(dtype)
        model = LinearPerceptronClassifier(random_state=0).fit(container(X), y)
        predicted, decision = model.predict(container(X)), model.decision_function(container(X))
        n_subproblems = 1 if len(model.classes_) == 2 else len(model.classes_)
        assert model.coef_.shape == (n_subproblems, X.shape[1])
        assert model.intercept_.shape == (n_subproblems,)
        assert model.coef_.dtype == model.intercept_.dtype == decision.dtype == dtype
        expected = X @ model.coef_.T + model.intercept_
        np.testing.assert_allclose(decision, np.squeeze(expected), atol=1e-5)
        probabilities = model.predict_proba(container(X))
        np.testing.assert_array_equal(predicted, model.classes_[probabilities.argmax(axis=1)])
        np.testing.assert_allclose(probabilities.sum(axis=1), 1)
        best = decision > 0 if decision.ndim == 1 else decision.argmax(axis=1)
        np.testing.assert_array_equal(predicted, best)
        assert model.score(container(X), y) > 0.7


def test_probabilities_by_hand():
    """Outputs 1 and 0: 1/(1 + e⁻²) and 1/2. Outputs (1, 0, −1): e², 1 and e⁻² over their sum."""
    model = LinearPerceptronClassifier().fit(np.eye(2), [0, 1])
    model.coef_, model.intercept_ = np.array([[1.0, 0.0]]), np.zeros(1)
    found = model.predict_proba(np.eye(2))
    np.testing.assert_allclose(found[:, 1], [1 / (1 + np.exp(-2)), 0.5])
    model = LinearPerceptronClassifier().fit(np.eye(3), [0, 1, 2])
    model.coef_, model.intercept_ = np.array([[1.0, 0, 0], [0] * 3, [-1, 0, 0]]), np.zeros(3)
    exponentials = np.exp([2.0, 0, -2])
    np.testing.assert_allclose(
        model.predict_proba(np.eye(3)[:1])[0], exponentials / exponentials.sum()
    )


def test_a_row_is_judged_alone(two_classes):
    X, y = two_classes
    model = LinearPerceptronClassifier(random_state=0).fit(X, y)
    alone = np.concatenate([model.decision_function(X[i : i + 1]) for i in range(40)])
    np.testing.assert_array_equal(model.decision_function(X)[:40], alone)


# Labels


def label_kinds():
    zero_one = np.random.default_rng(0).integers(0, 2, 60)
    strings = np.array(["no", "yes"])[zero_one]
    return zero_one, {
        "-1, 1": 2 * zero_one - 1,
        "0, 5": 5 * zero_one,
        "strings": strings,
        "list": strings.tolist(),
        "bool": zero_one.astype(bool),
        "category": pd.Series(strings, dtype="category"),
        "Int64": pd.Series(zero_one, dtype="Int64"),
        "boolean": pd.Series(zero_one.astype(bool), dtype="boolean"),
        "polars": pl.Series(strings.tolist()),
    }


@pytest.mark.parametrize("kind", label_kinds()[1])
def test_labels_of_any_kind(kind):
    zero_one, kinds = label_kinds()
    y = kinds[kind]
    X = np.random.default_rng(1).standard_normal((60, 3)) + zero_one[:, None]
    model = make_pipeline(Normalizer(), LinearPerceptronClassifier(random_state=0))
    plain, other = clone(model).fit(X, zero_one), clone(model).fit(X, y)
    assert_same_model(plain[-1], other[-1], rtol=0)
    classes = sorted(set(np.asarray(y).tolist()))
    assert other.classes_.tolist() == classes
    assert other.predict(X).tolist() == [classes[code] for code in plain.predict(X)]


def test_one_class(two_classes):
    X, y = two_classes
    with pytest.raises(InputError, match=r"one class, \['a'\]"):
        LinearPerceptronClassifier().fit(X, ["a"] * len(y))


def test_a_missing_label(two_classes):
    X, _ = two_classes
    y = ["a", "b"] * 200
    y[3] = None
    with pytest.raises(InputError, match="Row 3 has no label"):
        LinearPerceptronClassifier().fit(X, y)


# Rows


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("momentum", [0.0, 0.5, 0.9])
def test_sparse_rows_do_what_dense_rows_do(three_classes, momentum, index):
    X, y = three_classes
    X = np.where(np.abs(X) < 0.4, 0, X)
    rows = sparse.csr_array(X)
    rows.indices, rows.indptr = rows.indices.astype(index), rows.indptr.astype(index)
    weight = np.random.default_rng(0).uniform(0.1, 5, len(y))
    model = LinearPerceptronClassifier(momentum=momentum, random_state=0)
    dense, spare = clone(model).fit(X, y, weight), clone(model).fit(rows, y, weight)
    assert_same_model(dense, spare, rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(dense.predict(X), spare.predict(rows))


def test_sparse_rows_with_a_value_in_parts():
    """(1/2 + 1/2, 0) and (0, 1), the first with its column named twice."""
    rows = sparse.csr_array(
        (np.array([0.5, 0.5, 1.0]), np.array([0, 0, 1]), np.array([0, 2, 3])), shape=(2, 2)
    )
    model = LinearPerceptronClassifier(max_iter=3, random_state=0)
    dense, spare = clone(model).fit(np.eye(2), [0, 1]), clone(model).fit(rows, [0, 1])
    assert_same_model(dense, spare, rtol=1e-12)
    assert rows.data.tolist() == [0.5, 0.5, 1.0]


def test_sparse_stays_sparse():
    """The dense matrix would take 16 GB."""
    rows = sparse.random_array(
        (2000, 1_000_000), density=1e-5, format="csr", random_state=np.random.default_rng(0)
    )
    model = LinearPerceptronClassifier(max_iter=2).fit(Normalizer().transform(rows), [0, 1] * 1000)
    assert model.predict(rows).shape == (2000,)


def test_read_only_memory_maps(two_classes, tmp_path):
    X, y = two_classes
    model = LinearPerceptronClassifier(random_state=0)
    expected = clone(model).fit(X, y)
    for name, rows in (("dense", X), ("sparse", sparse.csr_array(X))):
        joblib.dump(rows, tmp_path / name)
        mapped = joblib.load(tmp_path / name, mmap_mode="r")
        assert not (mapped.data if name == "sparse" else mapped).flags.writeable
        assert_same_model(clone(model).fit(mapped, y), expected, rtol=1e-9)


def test_data_frames(two_classes):
    X, y = two_classes
    names = [f"column {j}" for j in range(X.shape[1])]
    model = LinearPerceptronClassifier(random_state=0)
    expected = clone(model).fit(X, y)
    for frame in (pd.DataFrame(X, columns=names), pl.DataFrame(X, schema=names)):
        fitted = clone(model).fit(frame, y)
        assert_same_model(fitted, expected, rtol=0)
        assert fitted.feature_names_in_.tolist() == names
        with pytest.raises(ValueError, match="feature names"):
            fitted.predict(pd.DataFrame(X, columns=names[::-1]))


# Going on


def test_a_warm_start_goes_on(two_classes):
    X, y = two_classes
    options = {"momentum": 0.0, "shuffle": False}
    whole = LinearPerceptronClassifier(max_iter=6, **options).fit(X, y)
    halves = LinearPerceptronClassifier(max_iter=3, warm_start=True, **options).fit(X, y)
    first = halves.loss_curve_
    halves.fit(X, y)
    np.testing.assert_allclose(halves.coef_, whole.coef_, rtol=1e-12)
    np.testing.assert_allclose(np.vstack([first, halves.loss_curve_]), whole.loss_curve_)
    assert halves.n_iter_ == 3
    anew = clone(halves).fit(X, y)
    np.testing.assert_array_equal(anew.loss_curve_, first)
    with pytest.raises(InputError, match=r"classes of the fit before, \[0, 1\].*\[0, 2\]"):
        halves.fit(X, 2 * y)


@pytest.mark.parametrize("container", CONTAINERS)
def test_partial_fit_takes_the_rows_in_their_order(three_classes, container):
    """Split into parts or not, with their momentum: the pass that `fit` makes in that order."""
    X, y = three_classes
    weight = np.random.default_rng(0).uniform(0.1, 5, len(y))
    whole = LinearPerceptronClassifier(max_iter=1, shuffle=False).fit(container(X), y, weight)
    # The error of some parts is below this for some classes, which stops only passes of `fit`.
    parts = LinearPerceptronClassifier(tol=0.5)
    for part in (slice(0, 1), slice(1, 60), slice(60, 150)):
        parts.partial_fit(
            container(X[part]), y[part], classes=[0, 1, 2], sample_weight=weight[part]
        )
    assert parts.n_iter_ == 3
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(parts.intercept_, whole.intercept_, rtol=1e-11, atol=1e-12)


def test_partial_fit_after_fit_has_no_momentum_yet(two_classes):
    X, y = two_classes
    model = LinearPerceptronClassifier(random_state=0).partial_fit(X, y, classes=[0, 1])
    model.fit(X, y)
    coef, output = model.coef_.copy(), model.decision_function(X[:1])[0]
    model.partial_fit(X[:1], y[:1])
    step = 0.2 * (2 * y[0] - 1 - output)
    np.testing.assert_allclose(model.coef_ - coef, step * X[:1], rtol=1e-9, atol=1e-12)


def test_partial_fit_says_what_it_needs(two_classes):
    X, y = two_classes
    model = LinearPerceptronClassifier()
    balanced = LinearPerceptronClassifier(class_weight="balanced")
    assert not hasattr(balanced, "partial_fit")
    with pytest.raises(AttributeError) as caught:
        balanced.partial_fit(X, y)
    assert "class_weight='balanced'" in f"{caught.value} {caught.value.__cause__}"
    with pytest.raises(InputError, match="first call of partial_fit needs classes"):
        model.partial_fit(X, y)
    with pytest.raises(InputError, match="one class"):
        model.partial_fit(X[y == 0], y[y == 0], classes=[0])
    with pytest.raises(InputError, match=r"label .*1\)?, which is not among"):
        model.partial_fit(X, y, classes=[0, 5])
    model.partial_fit(X, y, classes=[0, 1])
    with pytest.raises(InputError, match="differ"):
        model.partial_fit(X, y, classes=[0, 1, 2])


def test_the_order_is_random_but_repeatable(two_classes):
    X, y = two_classes
    one, same, other = (
        LinearPerceptronClassifier(random_state=seed).fit(X, y) for seed in (0, 0, 1)
    )
    assert_same_model(one, same, rtol=0)
    assert not np.allclose(one.coef_, other.coef_)


# Composition


def test_every_parameter_can_be_searched(two_classes):
    X, y = two_classes
    grids = [
        {name: values}
        for name, values in {
            "learning_rate": [0.01, 0.2],
            "momentum": [0.0, 0.9],
            "max_iter": [2, 4],
            "tol": [0.0, 0.1],
            "bias_scale": [0.01, 1.0],
            "shuffle": [False, True],
            "class_weight": [None, "balanced"],
            "warm_start": [False, True],
            "mode": ["online", "batch"],
            "random_state": [0, 1],
        }.items()
    ]
    assert {name for grid in grids for name in grid} == set(
        LinearPerceptronClassifier().get_params()
    )
    search = GridSearchCV(
        LinearPerceptronClassifier(), grids, cv=2, error_score="raise", scoring="roc_auc"
    ).fit(X, y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_it_survives_pickling(two_classes):
    X, y = two_classes
    model = LinearPerceptronClassifier(random_state=0).partial_fit(X, y, classes=[0, 1])
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict_proba(X), model.predict_proba(X))
    assert_same_model(copy.partial_fit(X, y), model.partial_fit(X, y), rtol=0)


@pytest.mark.parametrize("container", CONTAINERS)
def test_a_batch_pass_is_a_step_of_the_mean(three_classes, container):
    X, y = three_classes
    weight = np.arange(len(y)) % 3.0
    model = LinearPerceptronClassifier(
        learning_rate=0.3, momentum=0.4, max_iter=7, tol=0.0, bias_scale=0.5, mode="batch"
    ).fit(container(X), y, weight)
    rows = np.column_stack([X, np.ones(len(X))])
    scales = np.append(np.ones(X.shape[1]), 0.5)
    for k in range(3):
        unit = step = np.zeros(rows.shape[1])
        for loss in model.loss_curve_[:, k]:
            error = np.where(y == k, 1, -1) - rows @ unit
            assert loss == pytest.approx(np.average(error**2, weights=weight))
            slope = np.average(error[:, None] * rows, axis=0, weights=weight)
            step = 0.3 * slope * scales + 0.4 * step
            unit = unit + step
        found = np.append(model.coef_[k], model.intercept_[k])
        np.testing.assert_allclose(found, unit, rtol=1e-9)


def test_batch_passes_end_at_the_least_squares_and_know_no_order(two_classes):
    X, y = two_classes
    settings = {"learning_rate": 1.0, "momentum": 0.9, "tol": 0.0, "mode": "batch"}
    model = LinearPerceptronClassifier(max_iter=3000, **settings).fit(X, y)
    rows = np.column_stack([X, np.ones(len(X))])
    best = np.linalg.lstsq(rows, np.where(y == 1, 1.0, -1.0))[0]
    np.testing.assert_allclose(np.append(model.coef_, model.intercept_), best, atol=1e-4)
    other = LinearPerceptronClassifier(max_iter=3000, **settings).fit(X[::-1], y[::-1])
    np.testing.assert_allclose(other.coef_, model.coef_, atol=1e-9)


def test_batch_weights_are_repetitions_and_parts_go_on(two_classes):
    X, y = two_classes
    times = np.arange(len(y)) % 4
    model = LinearPerceptronClassifier(max_iter=20, mode="batch").fit(X, y, times)
    other = LinearPerceptronClassifier(max_iter=20, mode="batch")
    other.fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(model.coef_, other.coef_, rtol=1e-9)
    whole = LinearPerceptronClassifier(max_iter=3, tol=0.0, mode="batch").fit(X, y)
    parts = LinearPerceptronClassifier(mode="batch")
    for _ in range(3):
        parts.partial_fit(X, y, classes=[0, 1])
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=1e-9)


def test_a_rate_that_batch_passes_cant_take_is_lowered(two_classes):
    X, y = two_classes
    model = LinearPerceptronClassifier(learning_rate=50.0, tol=0.0, mode="batch", max_iter=200)
    with pytest.warns(ConvergenceWarning, match="was lowered"):
        model.fit(10 * X, y)
    assert model.learning_rate_ == pytest.approx(1.5 / 101)
    assert (np.diff(model.loss_curve_[-50:, 0]) <= 1e-9).all()


def test_tiny_decisions_are_ties(two_classes):
    """Probabilities couldn't tell them apart."""
    X, y = two_classes
    model = LinearPerceptronClassifier(bias_scale=0.0, random_state=0).fit(1e-12 * X, y)
    decisions = model.decision_function(1e-12 * X)
    np.testing.assert_array_equal(
        model.predict(1e-12 * X), model.classes_[(decisions > 0).astype(int)]
    )


@pytest.mark.parametrize("classes", [[0, np.nan, 1], ["a", None, "b"]])
def test_no_class_to_expect_is_missing(two_classes, classes):
    X, y = two_classes
    with pytest.raises(InputError, match="classes has a missing value in place 1"):
        LinearPerceptronClassifier().partial_fit(X, y, classes=classes)


@pytest.mark.parametrize("weight", [1e-200, 1e200])
def test_extreme_weights_are_refused_as_by_ensembles(two_classes, weight):
    X, y = two_classes
    with pytest.raises(InputError, match="must lie between 1e-100 and 1e"):
        LinearPerceptronClassifier().fit(X, y, np.full(len(y), weight))


@pytest.mark.parametrize("by_products", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"momentum": 0.0},
        {"momentum": 0.9, "bias_scale": 0.01, "tol": 0.3},
        {"shuffle": False, "class_weight": "balanced"},
        {"mode": "batch", "max_iter": 7},
    ],
    ids=repr,
)
@pytest.mark.parametrize("layout", [np.asarray, sparse.csr_array])
def test_drawn_rows_are_learned_as_if_they_were_copied(
    layout, settings, n_classes, by_products, monkeypatch
):
    if not by_products:
        monkeypatch.setattr(linear_perceptron, "pay_as_products", lambda *_: False)
    rng = np.random.default_rng(0)
    X = layout(rng.standard_normal((30, 5)) * (rng.random((30, 5)) < 0.5) * 0.5)
    y = rng.integers(0, n_classes, 30)
    rows = np.append(rng.choice(20, 200), [0, 1, 2])
    y[:3] = [0, 1, n_classes - 1]
    model = LinearPerceptronClassifier(random_state=3, max_iter=4).set_params(**settings)
    drawn, copied = clone(model).fit_drawn(X, y, rows), clone(model).fit(X[rows], y[rows])
    assert_allclose(drawn.coef_, copied.coef_, atol=1e-12)
    assert_allclose(drawn.intercept_, copied.intercept_, atol=1e-12)
    assert_allclose(drawn.loss_curve_, copied.loss_curve_, atol=1e-12)
    assert_array_equal(drawn.classes_, copied.classes_)


def test_drawn_rows_of_one_class_are_refused():
    with pytest.raises(InputError, match="one class"):
        LinearPerceptronClassifier().fit_drawn(np.eye(3), np.array([0, 0, 1]), np.array([0, 1, 1]))


@pytest.mark.parametrize("layout", [np.asarray, sparse.csr_array])
def test_batches_of_nothing_move_nothing(layout):
    model = LinearPerceptronClassifier(mode="batch", bias_scale=0)
    model.fit(layout(np.zeros((4, 2))), [0, 1, 0, 1])
    assert_array_equal(model.coef_, [[0, 0]])
