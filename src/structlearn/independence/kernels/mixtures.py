"""Likelihood ratios of Gaussians within groups of rows, from sums of products."""

import math

import numpy as np

from structlearn.compile import kernel
from structlearn.rounding import ALMOST_ONE


@kernel
def sweep(products, n_swept, tolerance):
    """Take out of the later columns what the first `n_swept` explain; returns how many explain anything.

    A column of which those before it leave no more than this share explains nothing.
    """
    rank = 0
    scale = np.diag(products).copy()
    for a in range(n_swept):
        pivot = products[a, a]
        if pivot <= tolerance * scale[a]:
            continue
        rank += 1
        for b in range(a + 1, products.shape[0]):
            slope = products[b, a] / pivot
            for c in range(a + 1, products.shape[0]):
                products[b, c] -= slope * products[a, c]
    return rank


@kernel
def ratios_of_regressions(sizes, products, tolerance, statistic, dof):
    """Write the likelihood ratio of the last two columns given those before, added up over groups.

    `sizes` is (questions, groups), `products` has two axes more. A group counts for nothing if it
    has too few rows, or if the other columns determine one of the last two.
    """
    n_columns = products.shape[2]
    n_given = n_columns - 2
    for i in range(sizes.shape[0]):
        statistic[i] = 0.0
        dof[i] = 0.0
        for group in range(sizes.shape[1]):
            if sizes[i, group] <= n_columns:
                continue
            left = products[i, group].copy()
            x_all, y_all = left[n_given, n_given], left[n_given + 1, n_given + 1]
            sweep(left, n_given, tolerance)
            x_left, y_left = left[n_given, n_given], left[n_given + 1, n_given + 1]
            if x_left <= tolerance * x_all or y_left <= tolerance * y_all:
                continue
            shared = left[n_given, n_given + 1]
            explained = shared * shared / (x_left * y_left)
            statistic[i] -= sizes[i, group] * math.log1p(-min(explained, ALMOST_ONE))
            dof[i] += 1.0


@kernel
def ratios_of_groups(sizes, means, products, ends, tolerance, statistic, dof):
    """Write the likelihood ratio of a Gaussian for each group against one for each stratum.

    Groups of a stratum follow each other up to its entry in `ends`. The Gaussian is the
    regression of the last column on those before.
    """
    n_groups = sizes.shape[1]
    left = np.empty(n_groups)
    rank = np.empty(n_groups, dtype=np.int64)
    is_kept = np.empty(n_groups, dtype=np.bool_)
    for i in range(sizes.shape[0]):
        statistic[i] = 0.0
        dof[i] = 0.0
        first = 0
        for end in ends:
            is_exact = fit_groups(sizes[i], products[i], first, end, tolerance, left, rank, is_kept)
            pooled, size, n_kept = pool(sizes[i], means[i], products[i], first, end, is_kept)
            if n_kept > 1:
                ratio, freedom = compare(
                    pooled, size, tolerance, sizes[i], first, end, left, rank, is_kept, is_exact
                )
                statistic[i] += ratio
                dof[i] += freedom
            first = end


@kernel
def fit_groups(sizes, products, first, end, tolerance, left, rank, is_kept):
    """Regress within each group of a stratum, and say which groups to keep.

    Groups with too few rows go, and so do those in which the regression is exact; unless it is
    exact in all of them, which is no accident: then they stay, and True is returned.
    """
    last = products.shape[1] - 1
    n_regular = 0
    for group in range(first, end):
        is_kept[group] = sizes[group] > last + 1
        work = products[group].copy()
        rank[group] = sweep(work, last, tolerance)
        left[group] = work[last, last]
        if left[group] <= tolerance * products[group, last, last]:
            left[group] = 0.0
        n_regular += is_kept[group] and left[group] > 0.0
    if n_regular == 0:
        return True
    for group in range(first, end):
        is_kept[group] &= left[group] > 0.0
    return False


@kernel
def pool(sizes, means, products, first, end, is_kept):
    """The products of the kept groups together, around their common mean; their size and number."""
    size = 0.0
    n_kept = 0
    mean = np.zeros(means.shape[1])
    pooled = np.zeros(products.shape[1:])
    for group in range(first, end):
        if not is_kept[group]:
            continue
        n_kept += 1
        size += sizes[group]
        # The mean moves towards that of the new group, and the products grow by the distance.
        share = sizes[group] / size
        for a in range(mean.size):
            for b in range(mean.size):
                apart = (means[group, a] - mean[a]) * (means[group, b] - mean[b])
                pooled[a, b] += products[group, a, b] + apart * sizes[group] * (1.0 - share)
        for a in range(mean.size):
            mean[a] += share * (means[group, a] - mean[a])
    return pooled, size, n_kept


@kernel
def compare(pooled, size, tolerance, sizes, first, end, left, rank, is_kept, is_exact):
    """The likelihood ratio of the kept groups of a stratum, and its degrees of freedom."""
    last = pooled.shape[0] - 1
    whole = pooled[last, last]
    pooled_rank = sweep(pooled, last, tolerance)
    if pooled[last, last] <= tolerance * whole:
        return 0.0, 0.0
    log_variance = math.log(pooled[last, last] / size)
    # No variance at all has no likelihood; the smallest that counts stands in for it.
    least = math.log(tolerance) + log_variance
    ratio = 0.0
    freedom = -(pooled_rank + 2.0)
    for group in range(first, end):
        if is_kept[group]:
            inside = least if is_exact else math.log(left[group] / sizes[group])
            ratio += sizes[group] * (log_variance - inside)
            freedom += rank[group] + 2.0
    if freedom <= 0.0:
        return 0.0, 0.0
    return max(ratio, 0.0), freedom
