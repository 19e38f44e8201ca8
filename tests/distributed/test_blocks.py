import numpy as np

from hardy.distributed._blocks import Blocks


def make(*things):
    return Blocks(tuple(things)).map(lambda thing: thing)


def test_what_stays_meets_what_comes():
    numbers, factors = make(1, 2, 3), make(10, 20, 30)
    made = numbers.map(lambda a, b, c: a * b + c, factors, 0.5)
    assert made.gather(lambda value: value) == [10.5, 40.5, 90.5]
    assert numbers.gather(lambda a, b: a - b, factors) == [-9, -18, -27]


def test_sums_go_from_the_first_block_to_the_last():
    terms = make(np.array([1e16]), np.array([1.0]), np.array([-1e16]), np.array([1.0]))
    assert terms.sum() == ((1e16 + 1.0) - 1e16) + 1.0
    both = terms.total(lambda values: (values, len(values)))
    assert both[0].tolist() == [1.0]
    assert both[1] == 4
