"""The compiled loops over pairs of rows.

Rows come as ``dense``, a matrix, or as ``csr``, the arrays (data, indices, indptr) of a CSR matrix
without duplicates; the other one is None. numba drops the branches that a None rules out.

Distances are squared and taken from differences, so that equal rows are at distance 0 and ties
are exact. A pair's distance is computed anew wherever it is needed: nothing of n² is kept.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardy.learners._kernels._compile import compiled

Array = NDArray[Any]
Csr = tuple[Array, Array, Array]


@compiled
def _square(dense: Array | None, csr: Csr | None, one: int, other: int) -> float:
    total = 0.0
    if dense is not None:
        a, b = dense[one], dense[other]
        for k in range(a.shape[0]):
            difference = a[k] - b[k]
            total += difference * difference
    if csr is not None:
        data, indices, indptr = csr
        p, p_end = indptr[one], indptr[one + 1]
        q, q_end = indptr[other], indptr[other + 1]
        while p < p_end or q < q_end:
            difference = 0.0
            takes_p = q == q_end or (p < p_end and indices[p] <= indices[q])
            takes_q = p == p_end or (q < q_end and indices[q] <= indices[p])
            if takes_p:
                difference += data[p]
                p += 1
            if takes_q:
                difference -= data[q]
                q += 1
            total += difference * difference
    return total


@compiled
def compare_with_all(
    dense: Array | None,
    csr: Csr | None,
    codes: Array,
    start: int,
    stop: int,
    nearest_own: Array,
    nearest_enemy: Array,
    enemies: Array,
    farthest_own: Array,
    sizes: Array,
    uses: Array,
) -> None:
    """Compare the rows from ``start`` to ``stop`` with all rows.

    Fills in their squared distances to the nearest of their own class and of any other, the
    position of the latter, the squared distance to the farthest of their own class, and the sizes
    of their local sets; counts in ``uses`` how many of these sets each row is in.
    """
    n_rows = codes.shape[0]
    squares = np.empty(n_rows)
    for i in range(start, stop):
        own, enemy, farthest = np.inf, np.inf, 0.0
        for j in range(n_rows):
            square = _square(dense, csr, i, j)
            squares[j] = square
            if codes[j] != codes[i]:
                if square < enemy:
                    enemy = square
                    enemies[i] = j
            elif j != i:
                own = min(own, square)
                farthest = max(farthest, square)
        for j in range(n_rows):
            if codes[j] == codes[i] and squares[j] < enemy:
                sizes[i] += 1
                uses[j] += 1
        nearest_own[i], nearest_enemy[i], farthest_own[i] = own, enemy, farthest


@compiled
def _is_nearer(square: float, row: int, other: float, other_row: int) -> bool:
    """Whether a row comes before another one: by distance, then by position."""
    return square < other or (square == other and row < other_row)


@compiled
def take_nearest(
    dense: Array | None,
    csr: Csr | None,
    members: Array,
    starts: Array,
    asking: Array,
    candidates: Array,
    near: Array,
    squares: Array,
    farthest: Array,
) -> None:
    """Find the rows nearest to the points ``asking`` among those of their ``candidates``.

    A point stands for equal rows, whose positions lie, in order, in ``members`` from its start to
    the next one. The points' rows of ``near`` and ``squares`` get positions and squared distances,
    heaped up: the last in rank comes first, at infinity where there are too few. ``farthest`` gets
    the largest squared distances to a candidate.
    """
    n_taken = near.shape[1]
    for i in range(asking.shape[0]):
        heap, rows = squares[asking[i]], near[asking[i]]
        heap[:] = np.inf
        rows[:] = members.shape[0]
        farthest[i] = 0.0
        for point in candidates[i]:
            square = _square(dense, csr, asking[i], point)
            farthest[i] = max(farthest[i], square)
            for at in range(starts[point], starts[point + 1]):
                row = members[at]
                if not _is_nearer(square, row, heap[0], rows[0]):
                    break
                heap[0], rows[0] = square, row
                above, below = 0, 1
                while below < n_taken:
                    other = below + 1
                    if other < n_taken and _is_nearer(
                        heap[below], rows[below], heap[other], rows[other]
                    ):
                        below = other
                    if not _is_nearer(heap[above], rows[above], heap[below], rows[below]):
                        break
                    heap[above], heap[below] = heap[below], heap[above]
                    rows[above], rows[below] = rows[below], rows[above]
                    above, below = below, 2 * below + 1


@compiled
def _precedes(square: float, a: int, b: int, other: float, c: int, d: int) -> bool:
    """Whether the edge a–b comes before c–d: by length, then by smaller and larger position."""
    if square != other:
        return square < other
    if min(a, b) != min(c, d):
        return min(a, b) < min(c, d)
    return max(a, b) < max(c, d)


@compiled
def grow_tree(
    dense: Array | None,
    csr: Csr | None,
    newest: int,
    n_steps: int,
    outside: Array,
    squares: Array,
    links: Array,
) -> int:
    """Take ``n_steps`` more rows into the spanning tree (Prim); return the last one.

    ``newest`` is the row that was taken before. Those still ``outside`` come first there in the
    end. ``links`` holds the row of the tree that each is linked to, or would be, and ``squares``
    the squared length of that edge.
    """
    n_outside = outside.shape[0]
    for _ in range(n_steps):
        best = 0
        for at in range(n_outside):
            row = outside[at]
            square = _square(dense, csr, newest, row)
            if _precedes(square, newest, row, squares[row], links[row], row):
                squares[row] = square
                links[row] = newest
            first = outside[best]
            if _precedes(squares[row], links[row], row, squares[first], links[first], first):
                best = at
        newest = outside[best]
        n_outside -= 1
        outside[best] = outside[n_outside]
    return newest
