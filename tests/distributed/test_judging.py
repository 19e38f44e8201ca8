import numpy as np
import pytest

from hardy.audit.judging import judge_rows
from hardy.distributed._blocks import Blocks
from hardy.distributed._judging import judge_blocks
from hardy.distributed._ranks import select_ranks


def split(values, n_blocks):
    return Blocks(tuple(np.array_split(values, n_blocks)))


@pytest.mark.parametrize("n_blocks", [1, 2, 7])
def test_ranks_are_those_of_sorted_numbers(n_blocks):
    rng = np.random.default_rng(0)
    values = np.column_stack([rng.random(300), rng.integers(0, 4, 300) / 4, np.full(300, 1e-310)])
    values[:5, 1] = -0.0
    columns = np.array([0, 0, 0, 1, 1, 2])
    ranks = np.array([0, 150, 299, 40, 200, 17])
    found = select_ranks(split(values, n_blocks), columns, ranks)
    assert found.tolist() == [np.sort(values[:, c])[r] for c, r in zip(columns, ranks, strict=True)]


@pytest.mark.parametrize("n_blocks", [1, 2, 7])
@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_judgement_of_all_rows(n_blocks, seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, 3, size=400)
    codes[:2] = 3
    true = np.where((codes == 1) & (rng.random(400) < 0.4), 0, codes)
    # Few different numbers, so that many rows are equally doubtful.
    proba = rng.integers(1, 4, size=(400, 4)).astype(float)
    proba[np.arange(400), true] += 4
    proba /= proba.sum(axis=1, keepdims=True)
    sizes = np.bincount(codes[codes >= 0], minlength=4)
    can_be_judged = sizes >= 3
    there = judge_rows(proba, codes, (codes >= 0) & can_be_judged[codes])
    judged = (codes >= 0) & can_be_judged[codes]
    here = judge_blocks(*(split(part, n_blocks) for part in (proba, codes, judged)), 4)
    assert here.noise_rate == pytest.approx(there.noise_rate, abs=1e-12)
    np.testing.assert_allclose(here.transition, there.transition, atol=1e-12)
    assert 10 < there.is_suspect.sum() < 200
    assert np.concatenate(here.is_suspect.gather(np.copy)).tolist() == there.is_suspect.tolist()
    doubt = np.concatenate(here.weighed.gather(lambda w: w.doubt))
    np.testing.assert_allclose(doubt, there.doubt, atol=1e-12)
    others = np.concatenate(here.weighed.gather(lambda w: w.likeliest_other))
    assert others.tolist() == there.likeliest_other.tolist()


def test_nothing_in_doubt():
    codes = np.tile([0, 1], 30)
    proba = np.where(codes[:, None] == np.arange(2), 0.9, 0.1)
    here = judge_blocks(split(proba, 3), split(codes, 3), split(np.ones(60, bool), 3), 2)
    assert here.noise_rate == 0
    assert not np.concatenate(here.is_suspect.gather(np.copy)).any()
