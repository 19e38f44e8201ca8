from functools import reduce
from operator import add

import numpy as np

from hardy.distributed._blocks import FAN_IN, Blocks


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


def test_many_terms_are_added_up_in_groups_in_their_order():
    numbers = [1e16 if i == 0 else 1.0 for i in range(2 * FAN_IN)] + [3.0]
    blocks = make(*numbers)
    first = reduce(add, numbers[:FAN_IN])
    assert first == 1e16
    assert blocks.total(float) == first + float(FAN_IN) + 3.0
    assert blocks.total(lambda number: (1, np.array([number]))) == (33, np.array([first + 19.0]))
    many = make(*range(FAN_IN**2 + 5))
    assert many.total(int) == sum(range(FAN_IN**2 + 5))


def test_one_thing_is_made_of_all_and_met_again():
    numbers = make(1, 2, 3)
    total = numbers.meet(lambda every, more: sum(every) + more, 4)
    assert numbers.gather(lambda number, whole: whole - number, total) == [9, 8, 7]
