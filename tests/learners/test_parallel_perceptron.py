import pickle

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_iris, make_blobs, make_classification
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from hardy.exceptions import InputError
from hardy.learners import ParallelPerceptronClassifier, RowCategory, parallel_perceptron

MODES = ["batch", "online"]


def expected_failures(estimator):
    """On-line passes take the rows in a random order, in which a repeated row comes twice."""
    if estimator.mode == "batch":
        return {}
    reason = "a row of weight 2 moves the units once, two rows do so at two places of the order"
    return {
        "check_sample_weight_equivalence_on_dense_data": reason,
        "check_sample_weight_equivalence_on_sparse_data": reason,
    }


@parametrize_with_checks(
    [
        ParallelPerceptronClassifier(),
        ParallelPerceptronClassifier(update_rule="p-delta"),
        ParallelPerceptronClassifier(class_weight="balanced"),
        ParallelPerceptronClassifier(mode="online"),
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
    return StandardScaler().fit_transform(X), y


@pytest.fixture(scope="module")
def three_classes():
    X, y = load_iris(return_X_y=True)
    return StandardScaler().fit_transform(X), y


def assert_same_model(one, other, **tolerance):
    for name in ("coef_", "intercept_", "margin_", "activation_scale_"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), **tolerance)


# What it learns


def twonorm(rng, n):
    y = rng.permutation(np.repeat([0, 1], n // 2))
    centre = 2 / np.sqrt(20)
    return rng.standard_normal((n, 20)) + np.where(y == 1, centre, -centre)[:, None], y


def test_twonorm_as_published():
    """Bagging of such members reaches 96.6 % in Cantador & Dorronsoro 2005, Table 1."""
    scores = []
    for seed in range(3):
        X, y = twonorm(np.random.default_rng(seed), 300)
        folds = StratifiedKFold(10, shuffle=True, random_state=seed)
        model = ParallelPerceptronClassifier(random_state=seed)
        scores.extend(cross_val_score(model, X, y, cv=folds))
    assert 0.945 < np.mean(scores) < 0.98


def test_several_perceptrons_learn_what_one_cannot():
    """Exclusive or: no line has more than three of the four corners on the right side."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (600, 2))
    y = X[:, 0] * X[:, 1] > 0
    one, five = (
        ParallelPerceptronClassifier(size, max_iter=500, random_state=0).fit(X, y).score(X, y)
        for size in (1, 5)
    )
    assert one < 0.75
    assert five > 0.85


@pytest.mark.parametrize("mode", MODES)
def test_flipped_labels_are_found_noisy(mode):
    rng = np.random.default_rng(0)
    X, y = twonorm(rng, 600)
    flipped = rng.random(600) < 0.1
    given = np.where(flipped, 1 - y, y)
    model = ParallelPerceptronClassifier(margin_update="sum", mode=mode, random_state=0)
    noisy = model.fit(X, given).categorize(X, given) == RowCategory.NOISY
    assert noisy[flipped].mean() > 0.6
    assert noisy[~flipped].mean() < 0.05


# Sub-problems


@pytest.mark.parametrize("is_sparse", [False, True])
def test_several_classes_are_one_against_the_rest(three_classes, is_sparse):
    """The sub-problem of each class is what a binary model from the same start learns."""
    X, y = three_classes
    X = sparse.csr_array(X) if is_sparse else X
    model = ParallelPerceptronClassifier(max_iter=20, random_state=0).fit(X, y)
    start = ParallelPerceptronClassifier(max_iter=1, learning_rate=1e-300, random_state=0)
    start.fit(X, y)
    for k in range(3):
        binary = ParallelPerceptronClassifier(max_iter=20, warm_start=True)
        binary.set_params(learning_rate=1e-300).fit(X, y == k)
        binary.coef_, binary.intercept_ = start.coef_[[k]], start.intercept_[[k]]
        binary.margin_ = np.array([0.05])
        binary.set_params(learning_rate=0.001).fit(X, y == k)
        np.testing.assert_allclose(binary.coef_[0], model.coef_[k], rtol=1e-9)
        np.testing.assert_allclose(binary.intercept_[0], model.intercept_[k], rtol=1e-9)
        assert binary.margin_[0] == pytest.approx(model.margin_[k], rel=1e-9)


def test_shapes(two_classes, three_classes):
    for (X, y), n_subproblems in ((two_classes, 1), (three_classes, 3)):
        model = ParallelPerceptronClassifier(5, random_state=0).fit(X, y)
        assert model.coef_.shape == (n_subproblems, 5, X.shape[1])
        assert model.intercept_.shape == (n_subproblems, 5)
        assert model.margin_.shape == (n_subproblems,)
        assert model.n_iter_ == 250
        lengths = (model.coef_**2).sum(axis=2) + model.intercept_**2
        np.testing.assert_allclose(lengths, 1, rtol=1e-12)


# Predictions


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_predictions_agree(two_classes, three_classes, dtype, mode):
    for X, y in (two_classes, three_classes):
        model = ParallelPerceptronClassifier(mode=mode, max_iter=20, random_state=0)
        model.fit(X.astype(dtype), y)
        rows = 3 * X[::-1].astype(dtype)
        predicted, decision = model.predict(rows), model.decision_function(rows)
        probabilities = model.predict_proba(rows)
        np.testing.assert_array_equal(predicted, model.classes_[probabilities.argmax(axis=1)])
        np.testing.assert_allclose(probabilities.sum(axis=1), 1)
        best = decision > 0 if decision.ndim == 1 else decision.argmax(axis=1)
        np.testing.assert_array_equal(predicted, best)
        assert model.score(X.astype(dtype), y) > 0.7


def test_two_classes_are_decided_by_the_majority(two_classes):
    X, y = two_classes
    model = ParallelPerceptronClassifier(random_state=0).fit(X, y)
    expected = X @ model.coef_[0].T + model.intercept_[0]
    activations = model.activations(X)
    np.testing.assert_allclose(activations[:, 0], expected, atol=1e-12)
    votes = (activations[:, 0] > 0).sum(axis=1)
    np.testing.assert_array_equal(model.predict(X), votes >= 2)
    np.testing.assert_array_equal(model.decision_function(X), np.median(activations, axis=2)[:, 0])


def test_probabilities_by_hand():
    """Activations x and scale 2: the logistic of 2·3/2 is 1/(1 + e⁻³)."""
    model = ParallelPerceptronClassifier(1, max_iter=1).fit([[0.0], [1.0]], [0, 1])
    model.coef_, model.intercept_ = np.ones((1, 1, 1)), np.zeros((1, 1))
    model.activation_scale_ = 2.0
    found = model.predict_proba([[3.0], [0.0]])
    np.testing.assert_allclose(found[:, 1], [1 / (1 + np.exp(-3)), 0.5])
    np.testing.assert_array_equal(model.predict([[3.0], [0.0], [-1e300]]), [1, 0, 0])


def test_the_scale_is_measured_in_the_last_pass(two_classes):
    X, y = two_classes
    weight = np.random.default_rng(0).uniform(size=len(y))
    model = ParallelPerceptronClassifier(max_iter=30, random_state=0).fit(X, y, weight)
    before_last = ParallelPerceptronClassifier(max_iter=29, random_state=0).fit(X, y, weight)
    squares = (before_last.activations(X) ** 2).mean(axis=(1, 2))
    expected = np.sqrt(np.average(squares, weights=weight))
    assert model.activation_scale_ == pytest.approx(expected, rel=1e-12)


def test_the_median_of_very_many_perceptrons():
    X, y = np.arange(40.0)[:, np.newaxis] - 20, np.repeat([0, 1], 20)
    model = ParallelPerceptronClassifier(301, max_iter=2, random_state=0).fit(X, y)
    medians = np.median(model.activations(X), axis=2)[:, 0]
    np.testing.assert_array_equal(model.decision_function(X), medians)


def test_a_row_is_judged_alone(two_classes):
    X, y = two_classes
    model = ParallelPerceptronClassifier(random_state=0).fit(X, y)
    together = model.activations(X)
    alone = np.vstack([model.activations(X[i : i + 1]) for i in range(40)])
    np.testing.assert_array_equal(together[:40], alone)


# Labels


def label_kinds():
    zero_one = np.random.default_rng(0).integers(0, 2, 60)
    strings = np.array(["no", "yes"])[zero_one]
    return zero_one, {
        "1, 2": zero_one + 1,
        "-1, 1": 2 * zero_one - 1,
        "0, 5": 5 * zero_one,
        "floats": zero_one.astype(float),
        "strings": strings,
        "objects": strings.astype(object),
        "list": strings.tolist(),
        "bool": zero_one.astype(bool),
        "category": pd.Series(strings, dtype="category"),
        "string": pd.Series(strings, dtype="string"),
        "Int64": pd.Series(zero_one, dtype="Int64"),
        "boolean": pd.Series(zero_one.astype(bool), dtype="boolean"),
        "polars": pl.Series(strings.tolist()),
    }


@pytest.mark.parametrize("kind", label_kinds()[1])
@pytest.mark.parametrize("mode", MODES)
def test_labels_of_any_kind(kind, mode):
    zero_one, kinds = label_kinds()
    y = kinds[kind]
    X = np.random.default_rng(1).standard_normal((60, 3)) + zero_one[:, None]
    options = {"mode": mode, "max_iter": 10, "class_weight": "balanced", "random_state": 0}
    plain = ParallelPerceptronClassifier(**options).fit(X, zero_one)
    model = ParallelPerceptronClassifier(**options).fit(X, y)
    assert_same_model(plain, model, rtol=0)
    classes = sorted(set(np.asarray(y).tolist()))
    assert model.classes_.tolist() == classes
    predicted = model.predict(X).tolist()
    assert predicted == [classes[code] for code in plain.predict(X)]
    assert {type(label) for label in predicted} == {type(classes[0])}
    np.testing.assert_array_equal(plain.categorize(X, zero_one), model.categorize(X, y))


@pytest.mark.parametrize("mode", MODES)
def test_class_weight_with_string_labels(two_classes, mode):
    X, codes = two_classes
    y = np.array(["ham", "spam"])[codes]
    options = {"mode": mode, "max_iter": 20, "random_state": 0}
    weighted = ParallelPerceptronClassifier(class_weight={"ham": 0.5, "spam": 3}, **options)
    by_rows = ParallelPerceptronClassifier(**options)
    weighted.fit(X, y)
    by_rows.fit(X, y, sample_weight=np.array([0.5, 3])[codes])
    assert_same_model(weighted, by_rows, rtol=0)


def test_balanced_classes_have_the_same_total_weight(two_classes):
    X, y = two_classes
    weight = np.random.default_rng(0).integers(1, 4, len(y))
    totals = np.bincount(y, weight)
    expected = ParallelPerceptronClassifier(random_state=0, max_iter=20).fit(
        X, y, weight * (weight.sum() / 2 / totals)[y]
    )
    balanced = ParallelPerceptronClassifier(
        class_weight="balanced", random_state=0, max_iter=20
    ).fit(X, y, weight)
    assert_same_model(balanced, expected, rtol=1e-9)


def test_class_weight_with_an_unknown_label(two_classes):
    X, y = two_classes
    with pytest.raises(ValueError, match="class_weight"):
        ParallelPerceptronClassifier(class_weight={0: 1, "one": 2}).fit(X, y)
    with pytest.raises(InputError, match=r"-2.0 for the label 1"):
        ParallelPerceptronClassifier(class_weight={0: 1, 1: -2}).fit(X, y)


# Weights


def repeat(X, y, weights, seed=0):
    rows = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(y)), weights))
    return X[rows], y[rows]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("margin_update", ["mean", "sum"])
@pytest.mark.parametrize("update_rule", ["nr", "p-delta"])
@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_a_weight_is_a_repetition(
    two_classes, three_classes, dtype, margin_update, update_rule, class_weight
):
    """Over all passes of a fit: rounding must not send the two on different ways."""
    for X, y in (two_classes, three_classes):
        X = X.astype(dtype)
        weights = np.random.default_rng(1).integers(0, 4, len(y))
        model = ParallelPerceptronClassifier(
            margin_update=margin_update, update_rule=update_rule, class_weight=class_weight,
            random_state=0,
        )  # fmt: skip
        weighted = clone(model).fit(X, y, sample_weight=weights)
        repeated = clone(model).fit(*repeat(X, y, weights))
        assert_same_model(weighted, repeated, rtol=1e-6 if dtype == np.float64 else 1e-4)


@pytest.mark.parametrize("mode", MODES)
def test_a_weight_of_zero_is_absence(two_classes, mode):
    X, y = two_classes
    y = y.copy()
    y[:7] = 9
    weights = np.ones(len(y))
    weights[:50] = 0
    model = ParallelPerceptronClassifier(mode=mode, max_iter=20, random_state=0)
    weighted = clone(model).fit(X, y, weights)
    absent = clone(model).fit(X[50:], y[50:])
    assert_same_model(weighted, absent, rtol=0)
    assert weighted.classes_.tolist() == [0, 1]


def test_the_size_of_the_weights_matters(two_classes):
    """A distribution times the number of rows is what no weights are."""
    X, y = two_classes
    model = ParallelPerceptronClassifier(max_iter=20, random_state=0)
    plain = clone(model).fit(X, y)
    distribution = np.full(len(y), 1 / len(y))
    assert_same_model(clone(model).fit(X, y, distribution * len(y)), plain, rtol=1e-9)
    assert not np.allclose(clone(model).fit(X, y, distribution).coef_, plain.coef_)


def test_all_weights_zero(two_classes):
    X, y = two_classes
    with pytest.raises(ValueError, match=r"(?i)weight"):
        ParallelPerceptronClassifier().fit(X, y, np.zeros(len(y)))


# Rows


@pytest.mark.parametrize("mode", MODES)
def test_float32_stays_float32(two_classes, mode):
    X, y = two_classes
    model = ParallelPerceptronClassifier(mode=mode, max_iter=5, random_state=0)
    model.fit(X.astype(np.float32), y)
    assert model.coef_.dtype == model.intercept_.dtype == np.float32
    assert model.activations(X.astype(np.float32)).dtype == np.float32
    assert clone(model).fit(X, y).coef_.dtype == np.float64


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("container", [sparse.csr_matrix, sparse.csr_array])
def test_sparse_rows_do_what_dense_rows_do(three_classes, container, index, mode):
    X, y = three_classes
    X = np.where(np.abs(X) < 0.7, 0, X)
    rows = container(X)
    rows.indices, rows.indptr = rows.indices.astype(index), rows.indptr.astype(index)
    model = ParallelPerceptronClassifier(mode=mode, max_iter=50, random_state=0)
    dense, spare = clone(model).fit(X, y), clone(model).fit(rows, y)
    assert_same_model(dense, spare, rtol=1e-6)
    np.testing.assert_allclose(dense.activations(X), spare.activations(rows), atol=1e-6)
    np.testing.assert_array_equal(dense.predict(X), spare.predict(rows))


@pytest.mark.parametrize("mode", MODES)
def test_sparse_stays_sparse(mode):
    """The dense matrix would take 80 GB."""
    rows = sparse.random_array(
        (1000, 10_000_000), density=1e-7, format="csr", random_state=np.random.default_rng(0)
    )
    y = np.arange(1000) % 2
    model = ParallelPerceptronClassifier(1, mode=mode, max_iter=1).fit(rows, y)
    assert model.predict(rows).shape == (1000,)


@pytest.mark.parametrize("mode", MODES)
def test_read_only_memory_maps(two_classes, tmp_path, mode):
    X, y = two_classes
    model = ParallelPerceptronClassifier(mode=mode, max_iter=5, random_state=0)
    expected = clone(model).fit(X, y)
    for name, rows in (("dense", X), ("sparse", sparse.csr_array(X))):
        joblib.dump(rows, tmp_path / name)
        mapped = joblib.load(tmp_path / name, mmap_mode="r")
        assert not (mapped.data if name == "sparse" else mapped).flags.writeable
        assert_same_model(clone(model).fit(mapped, y), expected, rtol=1e-9)


def test_several_jobs_give_the_same(two_classes):
    X, y = two_classes
    model = OneVsRestClassifier(ParallelPerceptronClassifier(max_iter=5, random_state=0))
    y = y + 2 * (X[:, 0] > 0)
    one = clone(model).fit(X, y)
    with joblib.parallel_config(backend="threading"):
        two = clone(model).set_params(n_jobs=2).fit(X, y)
    for a, b in zip(one.estimators_, two.estimators_, strict=True):
        np.testing.assert_array_equal(a.coef_, b.coef_)


@pytest.mark.parametrize("mode", MODES)
def test_data_frames(two_classes, mode):
    X, y = two_classes
    names = [f"column {j}" for j in range(X.shape[1])]
    model = ParallelPerceptronClassifier(mode=mode, max_iter=5, random_state=0)
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
    options = {"learning_rate_decay": 1.0, "random_state": 0}
    whole = ParallelPerceptronClassifier(max_iter=50, **options).fit(X, y)
    halves = ParallelPerceptronClassifier(max_iter=25, warm_start=True, **options).fit(X, y)
    assert not np.array_equal(halves.coef_, whole.coef_)
    assert_same_model(halves.fit(X, y), whole, rtol=0)
    assert halves.n_iter_ == 25


def test_a_warm_start_resets_the_learning_rate(twin):
    """Each half starts at the rate 0.5, wherever the half before has ended."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((60, 3)), rng.integers(0, 2, 60)
    model = ParallelPerceptronClassifier(
        learning_rate=1e-300, max_iter=1, warm_start=True, random_state=0
    ).fit(X, y)
    slow = twin(np.column_stack([model.coef_[0], model.intercept_[0]]), 0.05, 0.5)
    model.set_params(learning_rate=0.5, max_iter=4)
    for _ in range(2):
        slow.rate, slow.last_wrong = 0.5, np.inf
        for _ in range(4):
            slow.batch_pass(X, 2 * y - 1, np.ones(60))
        assert slow.rate < 0.5
        model.fit(X, y)
        np.testing.assert_allclose(model.coef_[0], slow.units[:, :-1], rtol=1e-9)
        assert model.margin_[0] == pytest.approx(slow.margin)


def test_a_warm_start_that_does_not_fit(two_classes):
    X, y = two_classes
    model = ParallelPerceptronClassifier(warm_start=True, max_iter=2).fit(X, y)
    with pytest.raises(InputError, match=r"classes of the fit before, \[0, 1\].*\[0, 2\]"):
        model.fit(X, 2 * y)
    with pytest.raises(ValueError, match="features"):
        model.fit(X[:, :3], y)
    with pytest.raises(InputError, match="n_perceptrons of the fit before, 3, not 5"):
        model.set_params(n_perceptrons=5).fit(X, y)


def test_without_warm_start_fit_starts_anew(two_classes, three_classes):
    model = ParallelPerceptronClassifier(random_state=0, max_iter=5).fit(*two_classes)
    model.fit(*three_classes)
    assert_same_model(model, clone(model).fit(*three_classes), rtol=0)


def test_partial_fit_takes_the_rows_in_their_order(three_classes, twin):
    X, y = three_classes
    start = ParallelPerceptronClassifier(mode="online", learning_rate=1e-300, random_state=0)
    start.partial_fit(X[:1], y[:1], classes=[0, 1, 2])
    model = ParallelPerceptronClassifier(mode="online", learning_rate=0.1, random_state=0)
    model.partial_fit(X[40:60], y[40:60], classes=[0, 1, 2])
    model.partial_fit(X[60:110], y[60:110], sample_weight=np.full(50, 2.0))
    for k in range(3):
        units = np.column_stack([start.coef_[k], start.intercept_[k]])
        slow = twin(units, 0.05, 0.1)
        sign = np.where(y == k, 1, -1)
        slow.online_pass(X[40:60], sign[40:60], np.ones(20))
        slow.rate = 0.1
        slow.online_pass(X[60:110], sign[60:110], np.full(50, 2.0))
        np.testing.assert_allclose(model.coef_[k], slow.units[:, :-1], rtol=1e-9)
        assert model.margin_[k] == pytest.approx(slow.margin)
    assert model.n_iter_ == 2


def test_partial_fit_measures_the_scale_over_all_calls(two_classes):
    X, y = two_classes
    model = ParallelPerceptronClassifier(mode="online", learning_rate=1e-300, random_state=0)
    model.partial_fit(X[:300], y[:300], classes=[0, 1])
    model.partial_fit(10 * X[300:], y[300:])
    rows = np.vstack([X[:300], 10 * X[300:]])
    expected = np.sqrt((model.activations(rows) ** 2).mean())
    assert model.activation_scale_ == pytest.approx(expected)


def test_partial_fit_says_what_it_needs(two_classes):
    X, y = two_classes
    batch, online = ParallelPerceptronClassifier(), ParallelPerceptronClassifier(mode="online")
    assert not hasattr(batch, "partial_fit")
    with pytest.raises(AttributeError) as caught:
        batch.partial_fit(X, y)
    assert "mode='online'" in f"{caught.value} {caught.value.__cause__}"
    with pytest.raises(InputError, match="first call of partial_fit needs classes"):
        online.partial_fit(X, y)
    with pytest.raises(AttributeError, match="partial_fit"):
        clone(online).set_params(class_weight="balanced").partial_fit(X, y, classes=[0, 1])
    with pytest.raises(InputError, match="one class"):
        online.partial_fit(X[y == 0], y[y == 0], classes=[0])
    with pytest.raises(InputError, match=r"label .*1\)?, which is not among"):
        online.partial_fit(X, y, classes=[0, 5])
    online.partial_fit(X, y, classes=[0, 1])
    with pytest.raises(InputError, match="differ"):
        online.partial_fit(X, y, classes=[0, 1, 2])


def test_online_order_is_random_but_repeatable(two_classes):
    X, y = two_classes
    one, same, other = (
        ParallelPerceptronClassifier(mode="online", max_iter=3, random_state=seed).fit(X, y)
        for seed in (0, 0, 1)
    )
    assert_same_model(one, same, rtol=0)
    assert not np.allclose(one.coef_, other.coef_)


# Errors


def test_one_class(two_classes):
    X, y = two_classes
    with pytest.raises(InputError, match=r"one class, \['a'\]"):
        ParallelPerceptronClassifier().fit(X, ["a"] * len(y))


def test_an_even_number_of_perceptrons(two_classes):
    with pytest.raises(InputError, match="n_perceptrons is 4"):
        ParallelPerceptronClassifier(4).fit(*two_classes)


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_a_missing_label(two_classes, missing):
    X, _ = two_classes
    y = ["a", "b"] * 200
    y[3] = missing
    with pytest.raises(ValueError, match=r"Row 3 has no label|NaN"):
        ParallelPerceptronClassifier().fit(X, y)


def test_labels_to_categorize(two_classes):
    X, y = two_classes
    model = ParallelPerceptronClassifier(max_iter=2).fit(X, y)
    with pytest.raises(InputError, match=r"Row 2 has the label .*7"):
        model.categorize(X[:3], [0, 1, 7])
    with pytest.raises(InputError, match="Row 1 has no label"):
        model.categorize(X[:3], [0, None, 1])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.categorize(X[:3], [0, 1])
    with pytest.raises(InputError, match="'any'"):
        model.categorize(X[:2], [0, 1], rule="any")


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("n_passes", [1, 2, 5])
@pytest.mark.parametrize("mode", MODES)
def test_values_too_large(mode, n_passes, seed):
    X = np.array([[1e200], [-1e200], [1e200]])
    model = ParallelPerceptronClassifier(mode=mode, max_iter=n_passes, random_state=seed)
    with pytest.raises(InputError, match="scale them"):
        model.fit(X, [0, 1, 1])


# Composition


def test_every_parameter_can_be_searched(two_classes):
    X, y = two_classes
    grids = [
        {"parallelperceptronclassifier__" + name: values}
        for name, values in {
            "n_perceptrons": [1, 5],
            "learning_rate": [0.01, 0.1],
            "learning_rate_decay": [0.5, 1.0],
            "margin": [0.0, 0.2],
            "margin_update": ["mean", "sum"],
            "max_iter": [2, 4],
            "mode": MODES,
            "update_rule": ["nr", "p-delta"],
            "class_weight": [None, "balanced"],
            "warm_start": [False, True],
            "random_state": [0, 1],
        }.items()
    ]
    covered = {name.split("__")[1] for grid in grids for name in grid}
    assert covered == set(ParallelPerceptronClassifier().get_params())
    model = make_pipeline(StandardScaler(), ParallelPerceptronClassifier(max_iter=3))
    search = GridSearchCV(model, grids, cv=2, error_score="raise", scoring="roc_auc").fit(X, y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_it_survives_pickling(two_classes):
    X, y = two_classes
    model = ParallelPerceptronClassifier(mode="online", max_iter=3, random_state=0).fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict_proba(X), model.predict_proba(X))


def test_many_classes_and_perceptrons():
    X, y = make_blobs(300, 5, centers=9, random_state=0)
    X = StandardScaler().fit_transform(X)
    model = ParallelPerceptronClassifier(7, class_weight="balanced", random_state=0)
    assert model.fit(X, y).score(X, y) > 0.9


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_many_passes_are_made_a_few_at_a_time_with_the_same_result(monkeypatch, make):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 3, size=40)
    model = ParallelPerceptronClassifier(max_iter=30, learning_rate=0.05, random_state=0)
    whole = clone(model).fit(make(X), y)
    calls, train = [], parallel_perceptron.kernels.train_batch

    def count(*arguments):
        calls.append(arguments[4])
        return train(*arguments)

    monkeypatch.setattr(parallel_perceptron.kernels, "train_batch", count)
    monkeypatch.setattr(parallel_perceptron, "_PRODUCTS_AT_ONCE", 4 * 40 * 9 * 3)
    parts = clone(model).fit(make(X), y)
    assert sum(calls) == 30
    assert max(calls) < 30
    np.testing.assert_array_equal(parts.coef_, whole.coef_)
    np.testing.assert_array_equal(parts.margin_, whole.margin_)
