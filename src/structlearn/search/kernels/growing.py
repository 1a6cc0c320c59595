"""Orders of continuous nodes whose parents grow and shrink among the nodes before them.

`regression` is (covariance, n_rows, price, closed, frozen, max_parents), the limits with a row per child. A
family scores −n/2 · log of its residual variance, less the price of each parent. `families` is (parents with
a row per child, scores, tried, n_tried, loads, what those leave of the variance, room for members); `room` is
what a regression writes to.
"""

import math

import numpy as np

from structlearn.compile import kernel

ENOUGH = 1e-9  # nats: a smaller gain is rounding
LEAST = 1e-10  # share of a node's variance: what is left of it given others is rounding


@kernel
def cholesky(covariance, members, size, factor):
    """Factor the covariance of the first `size` members; false where it is not definite."""
    for i in range(size):
        for j in range(i + 1):
            total = covariance[members[i], members[j]]
            for k in range(j):
                total -= factor[i, k] * factor[j, k]
            if i == j:
                if total <= LEAST * covariance[members[i], members[i]]:
                    return False
                factor[i, i] = math.sqrt(total)
            else:
                factor[i, j] = total / factor[j, j]
    return True


@kernel
def least_lost(covariance, y, members, size, n_kept, factor, weights, column):
    """The place, from `n_kept` on, of the member that explains least of y besides the others, and how much.

    The weights of the regression come from the factor, as do their variances.
    """
    for i in range(size):
        total = covariance[y, members[i]]
        for k in range(i):
            total -= factor[i, k] * weights[k]
        weights[i] = total / factor[i, i]
    for i in range(size - 1, -1, -1):
        total = weights[i]
        for k in range(i + 1, size):
            total -= factor[k, i] * weights[k]
        weights[i] = total / factor[i, i]
    best, least = -1, np.inf
    for j in range(n_kept, size):
        variance = 0.0  # the entry of the inverse: the squared length of a column of the inverse factor
        for i in range(j, size):
            total = 1.0 if i == j else 0.0
            for k in range(j, i):
                total -= factor[i, k] * column[k]
            column[i] = total / factor[i, i]
            variance += column[i] * column[i]
        lost = weights[j] * weights[j] / variance
        if lost < least:
            best, least = j, lost
    return best, least


@kernel
def grow_shrink(regression, y, position, limit, members, tried, loads, room):
    """Find parents of y among the nodes before `limit`: (score, how many, how many were tried).

    The best parent is added while that gains, then the least useful one taken away while that does.
    `members` gets the parents; `tried` those that were added, in their order, and `loads` the root of what
    each explained, with a sign.
    """
    covariance, n_rows, price, closed, frozen, max_parents = regression
    left, shared, rows, factor, weights, column = room
    n, size, variance = position.size, 0, covariance[y, y]
    for j in range(n):
        is_open = j != y and position[j] < limit and not closed[y, j]
        left[j] = covariance[j, j] if is_open else 0.0
        shared[j] = covariance[y, j]
    for j in range(n):
        if frozen[y, j] and left[j] > LEAST * covariance[j, j]:
            variance -= take(covariance, j, size, left, shared, rows, tried, loads)
            size += 1
    n_kept = size
    while size < max_parents:
        best, most = -1, 0.0
        for j in range(n):
            if left[j] > LEAST * covariance[j, j]:
                explained = shared[j] * shared[j] / left[j]
                if explained > most:
                    best, most = j, explained
        if best < 0 or variance - most <= LEAST * covariance[y, y]:
            break
        if n_rows / 2.0 * math.log(variance / (variance - most)) <= price + ENOUGH:
            break
        variance -= take(covariance, best, size, left, shared, rows, tried, loads)
        size += 1
    n_tried = size
    for k in range(size):
        members[k] = tried[k]
    while size > n_kept and cholesky(covariance, members, size, factor):
        place, lost = least_lost(covariance, y, members, size, n_kept, factor, weights, column)
        if n_rows / 2.0 * math.log((variance + lost) / variance) >= price - ENOUGH:
            break
        variance += lost
        size -= 1
        for k in range(place, size):
            members[k] = members[k + 1]
    return -n_rows / 2.0 * math.log(variance) - price * size, size, n_tried


@kernel
def take(covariance, parent, size, left, shared, rows, tried, loads):
    """Add a parent: what it explains leaves what all open nodes have left, and share with the child."""
    root = math.sqrt(left[parent])
    load = shared[parent] / root
    for j in range(left.size):
        if left[j] > 0.0:
            total = covariance[parent, j]
            for k in range(size):
                total -= rows[parent, k] * rows[j, k]
            total /= root
            rows[j, size] = total
            left[j] -= total * total
            shared[j] -= total * load
    left[parent] = 0.0
    tried[size] = parent
    loads[size] = load
    return load * load


@kernel
def would_be_tried(regression, y, x, tried, n_tried, loads, variance, room):
    """Whether x would be added to the parents of y, if it were open beside those that were tried.

    `variance` is what those leave of y. If not, the parents stay what they are.
    """
    covariance, n_rows, price, closed, frozen, max_parents = regression
    factor, column = room[3], room[5]
    if closed[y, x] or not cholesky(covariance, tried, n_tried, factor):
        return not closed[y, x]
    left, shared = covariance[x, x], covariance[y, x]
    for k in range(n_tried):
        is_open = left > LEAST * covariance[x, x] and not frozen[y, tried[k]]
        if is_open and shared * shared >= loads[k] * loads[k] * left * (1.0 - LEAST):
            return True
        total = covariance[x, tried[k]]
        for i in range(k):
            total -= factor[k, i] * column[i]
        column[k] = total / factor[k, k]
        left -= column[k] * column[k]
        shared -= column[k] * loads[k]
    if n_tried >= max_parents or left <= LEAST * covariance[x, x]:
        return False
    explained = shared * shared / left
    return explained >= variance or n_rows / 2.0 * math.log(variance / (variance - explained)) > price


@kernel
def choose(regression, y, position, limit, families, room):
    """Give y the best parents before `limit`: whether they change."""
    parents, scores, tried, n_tried, loads, left, members = families
    found = grow_shrink(regression, y, position, limit, members, tried[y], loads[y], room)
    scores[y], size, n_tried[y] = found
    left[y] = regression[0][y, y]
    for k in range(n_tried[y]):
        left[y] -= loads[y, k] * loads[y, k]
    n_same, n_before = 0, 0
    for k in range(size):
        n_same += parents[y, members[k]]
    for j in range(position.size):
        n_before += parents[y, j]
        parents[y, j] = False
    for k in range(size):
        parents[y, members[k]] = True
    return n_same != size or n_before != size


@kernel
def choose_all(regression, order, position, families, pending, room):
    """Give every node parents among those before it; those are pending whose parents change."""
    for i in range(order.size):
        position[order[i]] = i
    for i in range(order.size):
        pending[order[i]] |= choose(regression, order[i], position, i, families, room)


@kernel
def matters(regression, x, y, is_before, families, room):
    """Whether the parents of y may be others where x is on the other side of y than now."""
    tried, n_tried, loads, left = families[2:6]
    if not is_before:
        return would_be_tried(regression, y, x, tried[y], n_tried[y], loads[y], left[y], room)
    for k in range(n_tried[y]):
        if tried[y, k] == x:
            return True
    return False


@kernel
def totals_by_place(regression, order, position, x, families, totals, spare, room):
    """Write the score of the order with x in each place; `spare` is room for (members, tried, loads)."""
    n, now = order.size, position[x]
    total = 0.0  # of the others, with x before all of them
    for i in range(n):
        y = order[i]
        if y == x:
            continue
        with_x = without = families[1][y]
        if matters(regression, x, y, i > now, families, room):
            position[x] = n if i > now else -1
            other = grow_shrink(regression, y, position, i, *spare, room)[0]
            position[x] = now
            without, with_x = (other, with_x) if i > now else (without, other)
        total += with_x
        totals[i + (i < now)] = without - with_x
    totals[0] = total
    for i in range(1, n):
        totals[i] += totals[i - 1]
    _, tried, loads = spare
    score, n_tried, left = 0.0, -1, 0.0
    for i in range(n):
        # Before place i are the first i of the others: one more of the order, where x is among those.
        limit = i if i <= now else i + 1
        if n_tried < 0 or would_be_tried(regression, x, order[limit - 1], tried, n_tried, loads, left, room):
            score, _, n_tried = grow_shrink(regression, x, position, limit, *spare, room)
            left = regression[0][x, x]
            for k in range(n_tried):
                left -= loads[k] * loads[k]
        totals[i] += score
