"""Rows as every kernel is given them."""

import numpy as np
from scipy import sparse

from hardy.learners._rows import kernel_rows


def as_rows(X, is_sparse):
    return kernel_rows(sparse.csr_array(X) if is_sparse else np.ascontiguousarray(X))
