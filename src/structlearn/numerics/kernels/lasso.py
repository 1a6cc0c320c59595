"""Coordinate descent for the lasso on a Gram matrix.

Minimises ½ wᵀ·gram·w − targetᵀ·w + ½ ridge·‖w‖² + Σ penalties_j·|w_j|. A coordinate with an infinite
penalty, or with nothing on the diagonal, stays at zero. `gradient` is what is left of the target,
target − (gram + ridge·I)·w, so that at the optimum |gradient_j| ≤ penalties_j.
"""

import math

import numpy as np

from structlearn.compile import kernel

MAX_SWEEPS = 100_000  # against a gap below rounding, which no sweep reaches
ENTRY_SLACK = 1e-12  # a column equal to one that is in would otherwise enter by rounding
SWEEPS_BEFORE_JUMP = 10  # easy problems end before; a jump costs the cube of the columns in use
SINGULAR = 1e-12  # share of a column that the others leave below which they determine it
LONGEST_STEP = 1.5  # how far down a path the strong rule still leaves much out
WORTH_A_ROUND = 1.05  # pull per penalty from which the hardest go first
NEAR = 0.75  # share of the pull that lets one in, from which it is watched while others come in
CALM = 0.999  # share of that pull below which nobody is asked one by one
FINEST_STEP = 1e-30  # share of the total below which steps are rounding


@kernel
def take_out_four(gram, used, coefficients, gradient):
    """Take four rows times their coefficients off the gradient, which is read once, not four times."""
    a, b, c, d = used
    first, second, third, fourth = coefficients[a], coefficients[b], coefficients[c], coefficients[d]
    for i in range(gradient.shape[0]):
        gradient[i] = (
            gradient[i] - first * gram[a, i] - second * gram[b, i] - third * gram[c, i] - fourth * gram[d, i]
        )


@kernel
def fill_gradient(gram, target, ridge, coefficients, gradient):
    """Write target − (gram + ridge·I)·coefficients."""
    for i in range(target.shape[0]):
        gradient[i] = target[i]
    used = np.flatnonzero(coefficients)
    n_in_fours = used.shape[0] // 4 * 4
    for k in range(0, n_in_fours, 4):
        take_out_four(gram, used[k : k + 4], coefficients, gradient)
    for k in range(n_in_fours, used.shape[0]):
        weight, row = coefficients[used[k]], gram[used[k]]
        for i in range(target.shape[0]):
            gradient[i] -= weight * row[i]
    for j in used:
        gradient[j] -= coefficients[j] * ridge


@kernel
def sweep(gram, penalties, only_active, coefficients, gradient):
    """Minimise over one coordinate after the other; return the most that one of them gained."""
    n = coefficients.shape[0]
    most = 0.0
    for j in range(n):
        before, curvature, penalty = coefficients[j], gram[j, j], penalties[j]
        if curvature <= 0.0 or (before == 0.0 and (only_active or abs(gradient[j]) <= penalty)):
            continue
        pull = gradient[j] + curvature * before
        room = abs(pull) - penalty
        after = 0.0
        if room > ENTRY_SLACK * penalty:
            after = math.copysign(room, pull) / curvature
        change = after - before
        if change == 0.0:
            continue
        coefficients[j] = after
        for i in range(n):
            gradient[i] -= change * gram[j, i]
        most = max(most, 0.5 * curvature * change * change)
    return most


@kernel
def factorised(gram, members, factor):
    """Write Cholesky's factor of the members' Gram matrix; return whether there is one."""
    for a in range(members.shape[0]):
        row = members[a]
        for b in range(a + 1):
            entry = gram[row, members[b]]
            for c in range(b):
                entry -= factor[a, c] * factor[b, c]
            if b < a:
                factor[a, b] = entry / factor[b, b]
            elif entry <= SINGULAR * gram[row, row]:
                return False
            else:
                factor[a, a] = math.sqrt(entry)
    return True


@kernel
def solve_factorised(factor, vector):
    """Solve with Cholesky's factor, in place."""
    n = vector.shape[0]
    for a in range(n):
        for c in range(a):
            vector[a] -= factor[a, c] * vector[c]
        vector[a] /= factor[a, a]
    for a in range(n - 1, -1, -1):
        for c in range(a + 1, n):
            vector[a] -= factor[c, a] * vector[c]
        vector[a] /= factor[a, a]


@kernel
def jump(gram, penalties, coefficients, gradient):
    """Go to the minimum over the non-zero coordinates, or towards it until one of them is zero.

    Steps of single coordinates are short where columns are much alike; this one is not.
    """
    members = np.flatnonzero(coefficients)
    size = members.shape[0]
    factor, step = np.empty((size, size)), np.empty(size)
    if not factorised(gram, members, factor):
        return
    for a in range(size):
        j = members[a]
        step[a] = gradient[j] - math.copysign(penalties[j], coefficients[j])
    solve_factorised(factor, step)
    length, first = 1.0, -1
    for a in range(size):
        j = members[a]
        if penalties[j] > 0.0 and coefficients[j] * (coefficients[j] + length * step[a]) < 0.0:
            length, first = -coefficients[j] / step[a], j
    for a in range(size):
        j = members[a]
        change = -coefficients[j] if j == first else length * step[a]
        coefficients[j] += change
        for i in range(coefficients.shape[0]):
            gradient[i] -= change * gram[j, i]


@kernel
def descend(gram, target, penalties, coefficients, gradient, tolerance, max_sweeps):
    """Sweep in place until no coordinate gains more than `tolerance`; return the number of sweeps.

    `coefficients` hold the start and then the answer; `gradient` is filled. Sweeps go over the
    non-zero coordinates until these are done, then over all. After as many sweeps as a factorisation
    costs it jumps.
    """
    fill_gradient(gram, target, 0.0, coefficients, gradient)
    n_sweeps, since_jump = 0, 0
    patience = SWEEPS_BEFORE_JUMP + coefficients.shape[0] // 4
    while n_sweeps < max_sweeps:
        n_sweeps += 1
        if sweep(gram, penalties, False, coefficients, gradient) <= tolerance:  # noqa: FBT003, no keywords in kernels
            break
        while n_sweeps < max_sweeps:
            n_sweeps += 1
            since_jump += 1
            if sweep(gram, penalties, True, coefficients, gradient) <= tolerance:  # noqa: FBT003, as above
                break
            if since_jump >= patience:
                since_jump = 0
                jump(gram, penalties, coefficients, gradient)
    return n_sweeps


@kernel
def least_total(gram, target, ridge, coefficients, gradient):
    """The smallest total (yᵀy) that this target allows, as far as these coefficients show."""
    total, explained, quadratic = 0.0, 0.0, 0.0
    for j in range(target.shape[0]):
        if gram[j, j] + ridge > 0.0:
            total = max(total, target[j] * target[j] / (gram[j, j] + ridge))
        explained += target[j] * coefficients[j]
        quadratic += coefficients[j] * (target[j] - gradient[j])
    if quadratic > 0.0:
        total = max(total, explained * explained / quadratic)
    return total


@kernel
def duality_gap(target, total, weights, penalty, hardest, near, is_member, coefficients, gradient):
    """How far the objective can be from its optimum; the residual, scaled, is the dual point.

    `hardest` is the largest gradient, per weight, of those that are no members: they are at zero. Coordinates
    without a penalty must be at their optimum already: they bind no scale.
    """
    explained, quadratic, size = 0.0, 0.0, 0.0
    scale = penalty / hardest if penalty > 0.0 and hardest > 0.0 else math.inf
    for j in near:
        if is_member[j]:
            weight = coefficients[j]
            explained += target[j] * weight
            quadratic += weight * (target[j] - gradient[j])
            size += weights[j] * penalty * abs(weight)
            if weights[j] * penalty > 0.0 and gradient[j] != 0.0:
                scale = min(scale, weights[j] * penalty / abs(gradient[j]))
    squares = max(total - 2.0 * explained + quadratic, 0.0)
    product = total - explained
    scale = min(scale, max(product / squares, 0.0) if squares > 0.0 else 1.0)
    return max(0.5 * squares + size - scale * product + 0.5 * scale * scale * squares, 0.0)


@kernel
def pulling(weights, threshold, coefficients, gradient, is_member, near):
    """Write who is in or not zero, or pulls harder than the weight times `threshold`; returns how many."""
    size = 0
    for j in range(weights.shape[0]):
        if is_member[j] or coefficients[j] != 0.0 or abs(gradient[j]) > threshold * weights[j]:
            near[size] = j
            size += 1
    return size


@kernel
def n_pulling(weights, threshold, gradient, is_member):
    """How many are left out and pull harder than their weight times `threshold`, several at a time."""
    size = 0
    for j in range(weights.shape[0]):
        size += (abs(gradient[j]) > threshold * weights[j]) & (not is_member[j])
    return size


@kernel
def keep_up(gram, target, ridge, coefficients, near, gradient):
    """Write the gradient of those near, to whom all belong that are not zero."""
    for j in near:
        gradient[j] = target[j] - ridge * coefficients[j]
    for k in near:
        weight = coefficients[k]
        if weight != 0.0:
            for j in near:
                gradient[j] -= weight * gram[k, j]


@kernel
def hardest_pull(gram, ridge, weights, gradient, near, is_member):
    """The largest gradient, per weight, of those near that are left out."""
    pull, weight = 0.0, 1.0
    for j in near:
        # A product for each, as a quotient takes ten times as long; the diagonal last, as it is far apart.
        may_enter = weights[j] < math.inf and not is_member[j]
        is_harder = may_enter and (abs(gradient[j]) * weight > pull * weights[j] or weights[j] == 0.0)
        if is_harder and gram[j, j] + ridge > 0.0:
            if weights[j] == 0.0:
                return math.inf
            pull, weight = abs(gradient[j]), weights[j]
    return pull / weight


@kernel
def admit(gram, ridge, weights, threshold, coefficients, gradient, near, is_member):
    """Take in those near that are not zero, are free, or pull harder than their weight times `threshold`.

    Returns how many are new.
    """
    n_new = 0
    for j in near:
        pulls = abs(gradient[j]) > threshold * weights[j] * (1.0 + ENTRY_SLACK)
        wants_in = (coefficients[j] != 0.0 or pulls or weights[j] == 0.0) and not is_member[j]
        # The diagonal last: its entries are far apart.
        if wants_in and weights[j] < math.inf and gram[j, j] + ridge > 0.0:
            is_member[j] = True
            n_new += 1
    return n_new


@kernel
def descend_among(gram, target, weights, penalty, ridge, near, is_member, coefficients, tolerance):
    """Solve for the members only, on a Gram matrix of their own; return the number of sweeps."""
    members = near[is_member[near]]
    size = members.shape[0]
    own_gram, own_target = np.empty((size, size)), np.empty(size)
    own_penalties, own, gradient = np.empty(size), np.empty(size), np.empty(size)
    for a in range(size):
        row = members[a]
        for b in range(size):
            own_gram[a, b] = gram[row, members[b]]
        own_gram[a, a] += ridge
        own_target[a] = target[row]
        own_penalties[a] = penalty * weights[row]
        own[a] = coefficients[row]
    n_sweeps = descend(own_gram, own_target, own_penalties, own, gradient, tolerance, MAX_SWEEPS)
    for a in range(size):
        coefficients[members[a]] = own[a]
    return n_sweeps


@kernel
def solve_near(gram, target, weights, penalty, ridge, near, is_member, coefficients, gradient, finest):
    """Solve for the members and those near that have to join them; returns the number of sweeps.

    Of the gradient only what is near is written.
    """
    n_sweeps = 0
    while True:
        n_sweeps += descend_among(
            gram, target, weights, penalty, ridge, near, is_member, coefficients, finest
        )
        keep_up(gram, target, ridge, coefficients, near, gradient)
        hardest = hardest_pull(gram, ridge, weights, gradient, near, is_member)
        threshold = 0.5 * (penalty + hardest) if hardest > WORTH_A_ROUND * penalty else penalty
        if admit(gram, ridge, weights, threshold, coefficients, gradient, near, is_member) == 0:
            return n_sweeps


@kernel
def solve(gram, target, total, weights, penalty, previous, ridge, coefficients, gradient, tolerance):
    """Solve for one penalty, from the solution of the `previous` one; return (gap, sweeps).

    Coordinates that the sequential strong rule (Tibshirani et al., 2012) leaves out are checked
    afterwards, and taken in where it was wrong: those first that pull half as hard as they would have to,
    then all. After a long step down the path the rule leaves little out; then those that pull hardest come
    first, as they may calm the others. Ends at a duality gap of `tolerance` times half the total. A total
    that is not a number stands for the smallest one possible.
    """
    n = target.shape[0]
    is_member, room = np.zeros(n, dtype=np.bool_), np.empty(n, dtype=np.int64)
    fill_gradient(gram, target, ridge, coefficients, gradient)
    is_far = previous > LONGEST_STEP * penalty
    threshold = penalty if is_far else 2.0 * penalty - previous
    lowest = min(NEAR * penalty, threshold)
    near = room[: pulling(weights, lowest, coefficients, gradient, is_member, room)]
    if is_far:
        hardest = hardest_pull(gram, ridge, weights, gradient, near, is_member)
        threshold = max(0.5 * (penalty + hardest), penalty)
    admit(gram, ridge, weights, threshold, coefficients, gradient, near, is_member)
    whole = least_total(gram, target, ridge, coefficients, gradient) if math.isnan(total) else total
    finest = 0.01 * tolerance * whole  # a round among the members costs less than a look at all others
    n_sweeps = 0
    while True:
        n_sweeps += solve_near(
            gram, target, weights, penalty, ridge, near, is_member, coefficients, gradient, finest
        )
        fill_gradient(gram, target, ridge, coefficients, gradient)
        # As the dual point is scaled by members, it does not matter how far below the penalty others pull.
        hardest = CALM * penalty
        if n_pulling(weights, hardest, gradient, is_member) > 0:
            near = room[: pulling(weights, NEAR * penalty, coefficients, gradient, is_member, room)]
            hardest = max(hardest, hardest_pull(gram, ridge, weights, gradient, near, is_member))
            if admit(gram, ridge, weights, penalty, coefficients, gradient, near, is_member) > 0:
                continue
        if math.isnan(total):
            whole = least_total(gram, target, ridge, coefficients, gradient)
        gap = duality_gap(target, whole, weights, penalty, hardest, near, is_member, coefficients, gradient)
        finest *= 0.01
        if gap <= 0.5 * tolerance * whole or finest <= FINEST_STEP * whole or n_sweeps >= MAX_SWEEPS:
            return gap, n_sweeps
