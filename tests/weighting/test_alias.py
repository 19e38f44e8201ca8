import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardy.weighting._alias import AliasTable, _fill, _look_up


@given(
    raw=st.lists(st.integers(0, 1000), min_size=1, max_size=40).filter(any),
)
@settings(max_examples=100, deadline=None)
def test_an_alias_table_holds_the_probabilities(raw):
    probabilities = np.array(raw) / np.sum(raw)
    n_rows = len(raw)
    shares, aliases = np.empty(n_rows), np.empty(n_rows, np.int32)
    _fill(probabilities, shares, aliases)
    held = np.zeros(n_rows)
    for cell in range(n_rows):
        assert shares[cell] >= 0
        own = min(shares[cell], 1.0)
        held[cell] += own / n_rows
        held[aliases[cell]] += (1 - own) / n_rows
    np.testing.assert_allclose(held, probabilities, atol=1e-12)
    # Not even rounding may draw a row that must not come.
    for cell in np.flatnonzero(probabilities == 0):
        assert shares[cell] == 0
        assert probabilities[aliases[cell]] > 0


def test_draws_by_hand():
    """Four cells of width 1/4: row 0 is drawn from two halves, row 3 never."""
    shares = np.array([1.0, 0.5, 0.25, 0.0], np.float32)
    aliases = np.array([0, 0, 1, 2], np.int32)
    points = np.array([0.0, 0.24, 0.25, 0.374, 0.376, 0.5, 0.57, 0.75, 0.99])
    rows = np.empty(9, np.intp)
    _look_up(points, shares, aliases, rows)
    np.testing.assert_array_equal(rows, [0, 0, 1, 1, 0, 2, 1, 2, 2])


def test_rows_are_drawn_as_their_probabilities_say():
    """Each mean lies within five standard errors of its expectation, and draws differ."""
    probabilities = np.array([0.0, 0.4, 0.1, 0.3, 0.0, 0.2])
    table, random_state = AliasTable(probabilities), np.random.RandomState(0)
    counts = np.array([np.bincount(table.draw(500, random_state), minlength=6) for _ in range(200)])
    error = np.sqrt(500 * probabilities * (1 - probabilities) / 200)
    assert (np.abs(counts.mean(axis=0) - 500 * probabilities) <= 5 * error).all()
    expected = 500 * probabilities[1:4] * (1 - probabilities[1:4])
    assert (np.abs(counts[:, 1:4].var(axis=0) / expected - 1) < 0.5).all()


@pytest.mark.parametrize("n_rows", [1, 2, 3, 7, 2**16, 2**16 + 1])
def test_the_highest_point_falls_upon_a_row(n_rows):
    rows = np.empty(1, np.intp)
    _look_up(
        np.array([1 - 2.0**-53]),
        np.ones(n_rows, np.float32),
        np.arange(n_rows, dtype=np.int32),
        rows,
    )
    assert rows[0] == n_rows - 1


def test_draws_depend_on_the_seed_alone():
    table = AliasTable(np.full(50, 0.02))
    one, same, other = (table.draw(50, np.random.RandomState(s)) for s in (0, 0, 1))
    np.testing.assert_array_equal(one, same)
    assert (one != other).any()
