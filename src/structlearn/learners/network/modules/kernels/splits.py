"""The best split of a leaf, over all regulators and thresholds."""

import math

from structlearn.compile import kernel


@kernel
def normal_gamma(constant, size, total, squares, prior):
    """The log marginal likelihood of `size` values with this sum and sum of squares.

    `constant` is the part that depends on the size only; `prior` is mean, strength, shape and rate.
    """
    if size == 0.0:
        return 0.0
    mean = total / size
    spread = squares - total * mean
    away = prior[1] * size * (mean - prior[0]) ** 2 / (2.0 * (prior[1] + size))
    rate = prior[3] + 0.5 * max(spread, 0.0) + away
    return constant - (prior[2] + 0.5 * size) * math.log(rate)


@kernel
def best_split(orders, is_cut, allowed, inside, totals, squares, constants, n_members, least, prior):
    """The gain, regulator and place in its order of the best split of the arrays inside a leaf.

    `orders` is (regulators, arrays), the arrays by rising value, with a cut where one may split behind a
    place; `totals` and `squares` are sums over the members in each array; `constants[k]` is for k arrays.
    """
    n_regulators, n_arrays = orders.shape
    n_inside, total, square = 0, 0.0, 0.0
    for i in range(n_arrays):
        if inside[i]:
            n_inside += 1
            total += totals[i]
            square += squares[i]
    whole = normal_gamma(constants[n_inside], n_inside * n_members, total, square, prior)
    best, regulator, place = -math.inf, -1, -1
    for r in range(n_regulators):
        if not allowed[r]:
            continue
        k, low, low_square, is_new = 0, 0.0, 0.0, False
        for j in range(n_arrays):
            i = orders[r, j]
            if inside[i]:
                k += 1
                low += totals[i]
                low_square += squares[i]
                is_new = True
            if n_inside - k < least:
                break
            if not (is_new and is_cut[r, j]) or k < least:
                continue
            is_new = False
            gain = (
                normal_gamma(constants[k], k * n_members, low, low_square, prior)
                + normal_gamma(
                    constants[n_inside - k],
                    (n_inside - k) * n_members,
                    total - low,
                    square - low_square,
                    prior,
                )
                - whole
            )
            if gain > best:
                best, regulator, place = gain, r, j
    return best, regulator, place
