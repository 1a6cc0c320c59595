"""Residual variances of linear regressions, from a covariance matrix."""

import math

import numpy as np

from structlearn.compile import kernel


@kernel
def residual_variances(covariance, families, tolerance, out):
    """Variance of each child given its parents; 0 where the family is collinear.

    A row of `families` is (child, parents…). The Cholesky factor of the parents is kept from
    one family to the next for as long as their child and first parents are the same.
    """
    # As `residual_variance`, but in line: here the calls would take half as long again.
    n_parents = families.shape[1] - 1
    factor = np.zeros((n_parents, n_parents))
    loads = np.zeros(n_parents)
    for i in range(families.shape[0]):
        child = families[i, 0]
        ready = 0
        if i > 0 and families[i - 1, 0] == child:
            while ready < n_parents and families[i, ready + 1] == families[i - 1, ready + 1]:
                ready += 1
        is_collinear = False
        for a in range(ready, n_parents):
            is_collinear |= not extend_factor(covariance, families[i], a, tolerance, factor, loads)
        explained = 0.0
        for a in range(n_parents):
            is_collinear |= math.isnan(loads[a])
            explained += loads[a] * loads[a]
        left = covariance[child, child] - explained
        if is_collinear or left <= tolerance * covariance[child, child]:
            left = 0.0
        out[i] = left


@kernel
def variances_and_determinants(covariance, families, tolerance, variances, log_determinants):
    """Residual variances, and the log-determinant of the parents' covariance beside each."""
    n_parents = families.shape[1] - 1
    factor = np.zeros((n_parents, n_parents))
    loads = np.zeros(n_parents)
    logs = np.zeros(n_parents)
    for i in range(families.shape[0]):
        n_kept = n_shared_parents(families, i)
        variances[i] = residual_variance(covariance, families[i], tolerance, n_kept, factor, loads)
        for a in range(n_kept, n_parents):
            logs[a] = 2.0 * math.log(factor[a, a])
        total = 0.0
        for a in range(n_parents):
            total += logs[a]
        log_determinants[i] = total


@kernel
def n_shared_parents(families, i):
    """How many first parents a family shares with the one before it, of the same child."""
    found = 0
    if i > 0 and families[i - 1, 0] == families[i, 0]:
        while found + 1 < families.shape[1] and families[i, found + 1] == families[i - 1, found + 1]:
            found += 1
    return found


@kernel
def likelihoods_within_groups(sizes, products, tolerance, out, is_sparse):
    """Sum the log-likelihoods of a regression in each group; the first column of a set is the child.

    `sizes` is (sets, groups) and `products` (sets, groups, columns, columns). A group with no more
    rows than coefficients is marked as sparse and left out of the sum.
    """
    width = products.shape[2]
    family = np.arange(width)
    factor = np.zeros((width - 1, width - 1))
    loads = np.zeros(width - 1)
    for i in range(sizes.shape[0]):
        total = 0.0
        for g in range(sizes.shape[1]):
            size = sizes[i, g]
            is_sparse[i, g] = size <= width
            if is_sparse[i, g]:
                continue
            squares = residual_variance(products[i, g], family, tolerance, 0, factor, loads)
            if squares > 0.0:
                total -= 0.5 * size * (math.log(2.0 * math.pi * squares / size) + 1.0)
            else:
                total = -math.inf
        out[i] = total


@kernel
def residual_variance(covariance, family, tolerance, n_kept, factor, loads):
    """The variance of one child given its parents; 0 where collinear.

    The factor and the loads of the first `n_kept` parents are there already.
    """
    n_parents = family.size - 1
    is_collinear = False
    for a in range(n_kept, n_parents):
        is_collinear |= not extend_factor(covariance, family, a, tolerance, factor, loads)
    explained = 0.0
    for a in range(n_parents):
        is_collinear |= math.isnan(loads[a])
        explained += loads[a] * loads[a]
    child = family[0]
    left = covariance[child, child] - explained
    if is_collinear or not left > tolerance * covariance[child, child]:
        return 0.0
    return left


@kernel(inline=True)
def extend_factor(covariance, family, a, tolerance, factor, loads):
    """Add parent `a` to the factor and to the child's loads; NaN and False where it is collinear."""
    child, parent = family[0], family[a + 1]
    for b in range(a):
        part = covariance[parent, family[b + 1]]
        for c in range(b):
            part -= factor[a, c] * factor[b, c]
        factor[a, b] = part / factor[b, b]
    left = covariance[parent, parent]
    part = covariance[child, parent]
    for b in range(a):
        left -= factor[a, b] * factor[a, b]
        part -= factor[a, b] * loads[b]
    if not left > tolerance * covariance[parent, parent]:
        factor[a, a] = math.nan
        loads[a] = math.nan
        return False
    factor[a, a] = math.sqrt(left)
    loads[a] = part / factor[a, a]
    return True
