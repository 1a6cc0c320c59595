"""Likelihood ratios of Gaussians within groups of rows, from sums of products."""

import math

import numpy as np

from structlearn.compile import kernel
from structlearn.independence.kernels.gamma_functions import digamma, trigamma
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
def ratios_of_regressions(sizes, products, tolerance, statistic, dof, contrast):
    """Write the likelihood ratio of the last two columns given those before, added up over groups.

    `sizes` is (questions, groups), `products` has two axes more. A group counts for nothing if it
    has too few rows, or if the other columns determine one of the last two. `contrast` is (questions, 3):
    the ratio with degrees of freedom in the place of sizes, and its mean and variance under independence.
    """
    n_columns = products.shape[2]
    n_given = n_columns - 2
    for i in range(sizes.shape[0]):
        statistic[i] = 0.0
        dof[i] = 0.0
        contrast[i] = 0.0
        for group in range(sizes.shape[1]):
            if sizes[i, group] <= n_columns:
                continue
            left = products[i, group].copy()
            x_all, y_all = left[n_given, n_given], left[n_given + 1, n_given + 1]
            freedom = sizes[i, group] - sweep(left, n_given, tolerance) - 2.0
            x_left, y_left = left[n_given, n_given], left[n_given + 1, n_given + 1]
            if x_left <= tolerance * x_all or y_left <= tolerance * y_all:
                continue
            shared = left[n_given, n_given + 1]
            explained = shared * shared / (x_left * y_left)
            log_unexplained = math.log1p(-min(explained, ALMOST_ONE))
            statistic[i] -= sizes[i, group] * log_unexplained
            dof[i] += 1.0
            # What is not explained is of the beta distribution with parameters freedom / 2 and 1/2.
            half = 0.5 * freedom
            contrast[i, 0] -= freedom * log_unexplained
            contrast[i, 1] += freedom * (digamma(half + 0.5) - digamma(half))
            contrast[i, 2] += freedom * freedom * (trigamma(half) - trigamma(half + 0.5))


@kernel
def ratios_of_groups(sizes, means, products, ends, tolerance, statistic, dof, contrast):
    """Write the likelihood ratio of a Gaussian for each group against one for each stratum.

    Groups of a stratum follow each other up to its entry in `ends`. The Gaussian is the
    regression of the last column on those before. `contrast` is (questions, 4): the ratio with degrees of
    freedom in the place of sizes (Bartlett, 1937), its exact mean and variance under independence, and what
    of the ratio is due to the variances alone.
    """
    n_groups = sizes.shape[1]
    left = np.empty(n_groups)
    rank = np.empty(n_groups, dtype=np.int64)
    is_kept = np.empty(n_groups, dtype=np.bool_)
    for i in range(sizes.shape[0]):
        statistic[i] = 0.0
        dof[i] = 0.0
        contrast[i] = 0.0
        first = 0
        for end in ends:
            is_exact = fit_groups(sizes[i], products[i], first, end, tolerance, left, rank, is_kept)
            pooled, size, n_kept = pool(sizes[i], means[i], products[i], first, end, is_kept)
            if n_kept > 1:
                pooled_rank = sweep_last(pooled, tolerance)
                whole, part = pooled[-1, -1], slice(first, end)
                groups = sizes[i, part], left[part], rank[part], is_kept[part]
                ratio, freedom = compare(whole, pooled_rank, size, tolerance, *groups, is_exact)
                if freedom > 0.0:
                    statistic[i] += ratio
                    dof[i] += freedom
                    add_contrast(whole, size - pooled_rank - 1.0, tolerance, *groups, contrast[i])
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
def sweep_last(products, tolerance):
    """Leave of the last column what those before do not explain, nothing if it is next to it; their rank."""
    last = products.shape[0] - 1
    whole = products[last, last]
    rank = sweep(products, last, tolerance)
    if products[last, last] <= tolerance * whole:
        products[last, last] = 0.0
    return rank


@kernel
def compare(whole, pooled_rank, size, tolerance, sizes, left, rank, is_kept, is_exact):
    """The likelihood ratio of the kept groups of a stratum, and its degrees of freedom.

    `whole` is what their common regression leaves, `left` what those of the groups do.
    """
    if whole <= 0.0:
        return 0.0, 0.0
    log_variance = math.log(whole / size)
    # No variance at all has no likelihood; the smallest that counts stands in for it.
    least = math.log(tolerance) + log_variance
    ratio = 0.0
    freedom = -(pooled_rank + 2.0)
    for group in range(sizes.size):
        if is_kept[group]:
            inside = least if is_exact else math.log(left[group] / sizes[group])
            ratio += sizes[group] * (log_variance - inside)
            freedom += rank[group] + 2.0
    return max(ratio, 0.0), freedom


@kernel
def add_contrast(whole, n_whole, tolerance, sizes, left, rank, is_kept, contrast):
    """Add Bartlett's ratio of a stratum that has `n_whole` degrees of freedom, and its mean and variance.

    Under independence the shares left / whole are of Dirichlet's distribution, with half the degrees of
    freedom as parameters, so that the moments of their logarithms are known.
    """
    n_free = 0.0
    inside = 0.0
    for group in range(sizes.size):
        if is_kept[group]:
            n_free += sizes[group] - rank[group] - 1.0
            inside += left[group]
    log_mean = digamma(0.5 * n_whole)
    contrast[2] -= n_free * n_free * trigamma(0.5 * n_whole)
    for group in range(sizes.size):
        if is_kept[group]:
            free = sizes[group] - rank[group] - 1.0
            # As above: the smallest variance that counts stands in for none.
            share = left[group] / whole if left[group] > 0.0 else tolerance * free / n_free
            contrast[0] += free * (math.log(free / n_free) - math.log(share))
            contrast[1] += free * (math.log(free / n_free) + log_mean - digamma(0.5 * free))
            contrast[2] += free * free * trigamma(0.5 * free)
            if inside > 0.0:
                contrast[3] += free * (math.log(free / n_free) - math.log(left[group] / inside))
