"""The compiled pass of the delta rule with momentum by the products of the rows with each other.

A row that was drawn often is visited often in a pass. Where few rows share the visits, their
products cost less than what they save: a step changes the outputs of all rows at once, and no
weight is touched. The weights are a sum of the rows, whose coefficients are told at the end.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy.learners._kernels._compile import compiled

Array = NDArray[Any]
Csr = tuple[Array, Array, Array]


@compiled
def multiply_rows(csr: Csr, n_features: int) -> Array:
    """Give the products of all rows of a CSR matrix without duplicates with each other."""
    data, indices, indptr = csr
    n_rows = indptr.shape[0] - 1
    products = np.empty((n_rows, n_rows))
    row = np.zeros(n_features)
    for i in range(n_rows):
        for entry in range(indptr[i], indptr[i + 1]):
            row[indices[entry]] = data[entry]
        for j in range(i + 1):
            total = 0.0
            for entry in range(indptr[j], indptr[j + 1]):
                total += row[indices[entry]] * data[entry]
            products[i, j] = total
            products[j, i] = total
        for entry in range(indptr[i], indptr[i + 1]):
            row[indices[entry]] = 0
    return products


@compiled
def train_pass(
    products: Array,
    own: Array,
    row_weights: Array,
    rates: Array,
    visits: Array,
    is_learning: Array,
    momentum: float,
    outputs: Array,
    steps: Array,
    pushes: Array,
    push_steps: Array,
) -> Array:
    """Visit rows once; return the sums of weight × squared error before each visit's step.

    ``outputs[unit, row]`` and their last ``steps`` change with every step. ``pushes`` sums what
    was added of a row, without the momentum, and ``push_steps`` is the last step in these terms.
    Units that are not learning must come with steps of 0.
    """
    n_visits = visits.shape[0]
    made = np.empty(n_visits)
    squares = np.zeros(outputs.shape[0])
    for unit in range(outputs.shape[0]):
        output, step = outputs[unit], steps[unit]
        for t in range(n_visits):
            row = visits[t]
            error = (1.0 if own[row] == unit else -1.0) - output[row]
            squares[unit] += row_weights[row] * error * error
            if is_learning[unit]:
                push, of_row = rates[row] * error, products[row]
                made[t] = push
                pushes[unit, row] += push
                for i in range(output.shape[0]):
                    step[i] = push * of_row[i] + momentum * step[i]
                    output[i] += step[i]
        if is_learning[unit]:
            for row in range(push_steps.shape[1]):
                push_steps[unit, row] *= momentum**n_visits
            share = 1.0
            for t in range(n_visits - 1, -1, -1):
                push_steps[unit, visits[t]] += share * made[t]
                share *= momentum
    return squares
