"""The best split of a leaf, over all regulators and thresholds."""

import math

import numpy as np

from structlearn.compile import kernel

ROUNDING = 1e-11  # of a likelihood: the logarithm of whole arrays is another than that of one number


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


def best_split_at_once(orders, is_cut, allowed, inside, totals, squares, constants, n_members, least, prior):
    """The same by whole arrays: gains nearly as they are, and exactly where they are nearly the best."""
    n_inside, used = int(np.count_nonzero(inside)), np.flatnonzero(allowed)
    first, last = max(least, 1), n_inside - least
    if first > last or not len(used):
        return -math.inf, -1, -1
    orders, is_cut = orders[used], is_cut[used]
    places = np.flatnonzero(inside[orders]).reshape(len(used), n_inside)
    arrays = orders.ravel()[places]
    places -= orders.shape[1] * np.arange(len(used))[:, None]
    k = np.arange(first, last + 1)
    k_high = n_inside - k
    low, low_square = (np.cumsum(each[arrays], axis=1)[:, first - 1 : last] for each in (totals, squares))
    total, square = (float(np.cumsum(each[inside])[-1]) for each in (totals, squares))
    whole = normal_gamma(constants[n_inside], n_inside * n_members, total, square, prior)
    gains = _normal_gammas(constants[k], k * n_members, low, low_square, prior)
    high, high_square = total - low, square - low_square
    gains += _normal_gammas(constants[k_high], k_high * n_members, high, high_square, prior)
    cuts = _first_cuts(is_cut, places)[:, first - 1 : last]
    gains[(cuts < 0) | np.isnan(gains)] = -math.inf
    scale = max(float(np.abs(constants[: n_inside + 1]).max()), abs(whole))
    nearly = gains.max() - ROUNDING * scale
    best, regulator, place = -math.inf, -1, -1
    for r, j in zip(*np.nonzero((gains >= nearly) & (gains > -math.inf)), strict=True):
        n_low = first + j
        gain = (
            normal_gamma(constants[n_low], n_low * n_members, low[r, j], low_square[r, j], prior)
            + normal_gamma(
                constants[n_inside - n_low],
                (n_inside - n_low) * n_members,
                high[r, j],
                high_square[r, j],
                prior,
            )
            - whole
        )
        if gain > best:
            best, regulator, place = gain, int(used[r]), int(cuts[r, j])
    return best, regulator, place


def _first_cuts(is_cut, places):
    """Where one may split behind each of the places and before the next; −1 where one may not."""
    found = np.where(np.take_along_axis(is_cut, places, axis=1), places, -1)
    if (found[:, :-1] < 0).any():
        n_places = is_cut.shape[1]
        behind = np.where(is_cut, np.arange(n_places), n_places)
        behind = np.minimum.accumulate(behind[:, ::-1], axis=1)[:, ::-1]
        ends = np.column_stack([places[:, 1:], np.full(len(places), n_places)])
        nearest = np.take_along_axis(behind, places, axis=1)
        found = np.where(nearest < ends, nearest, -1)
    return found


def _normal_gammas(constants, sizes, totals, squares, prior):
    """What `normal_gamma` gives, nearly, in the room of two arrays: more of them would take the time."""
    found = totals / sizes
    away = found - prior[0]
    np.square(away, out=away)
    away *= prior[1] * sizes
    away /= 2.0 * (prior[1] + sizes)
    found *= totals
    np.subtract(squares, found, out=found)
    np.maximum(found, 0.0, out=found)
    found *= 0.5
    found += prior[3]
    found += away
    np.log(found, out=found)
    found *= prior[2] + 0.5 * sizes
    return np.subtract(constants, found, out=found)


@kernel(instead=best_split_at_once)
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
