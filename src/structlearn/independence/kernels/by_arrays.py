"""Statistics of contingency tables in steps of numpy over all strata of a shape, until compiled kernels pay.

Each function has the arguments of the kernel that it stands in for, and writes the same to the bit: sums are
taken one after the other, as kernels take them, and logarithms by the C library.
"""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

LEAST_WEIGHT = 1e-9  # of a count, beside all smaller ones: those beyond add nothing
# From here on the mean and spread of a cell's part of G² are series in its moments, within 1e-4 and 1e-2.
LARGE = 10.0
THIRD = 1.0 / 3.0
LEAST_CURVED = 1e-6  # part of the variance; less is rounding, where all levels but one have one row
# Half of the correction of Yates (1934): in 260 simulated settings at most 3.2 % are rejected at 5 % where
# rows are few, and PC finds more of the true edges than with the whole.
NEARER = 0.25
Floats = NDArray[np.float64]


class Strata(NamedTuple):
    """The strata with rows of all tables of one shape: the table of each, its cells (x, y) and margins."""

    table: NDArray[np.int64]
    cells: Floats
    of_x: Floats
    of_y: Floats
    size: Floats

    @property
    def x_seen(self) -> NDArray[np.int64]:
        """How many levels of x each has."""
        return _n_seen(self.of_x)

    @property
    def y_seen(self) -> NDArray[np.int64]:
        """How many levels of y each has."""
        return _n_seen(self.of_y)

    def only(self, chosen: NDArray[np.bool_]) -> "Strata":
        """Some of them."""
        margins = self.of_x[chosen], self.of_y[chosen]
        return Strata(self.table[chosen], self.cells[chosen], *margins, self.size[chosen])

    def log_ratios(self) -> Floats:
        """G² of each."""
        expected = self.of_x[:, :, None] * self.of_y[:, None, :]
        is_there = self.cells > 0.0
        counts = self.cells[is_there]
        ratios = counts * np.broadcast_to(self.size[:, None, None], self.cells.shape)[is_there]
        terms = np.zeros_like(self.cells)
        terms[is_there] = 2.0 * counts * _log(ratios / expected[is_there])
        return _total(terms)

    def expected(self) -> tuple[Floats, NDArray[np.bool_]]:
        """What the margins expect in each cell, and where that is anything."""
        found = self.of_x[:, :, None] * self.of_y[:, None, :] / self.size[:, None, None]
        return found, found > 0.0


def table_statistics(
    counts, starts, strata, x_levels, y_levels, is_pearson, statistic, adjusted, seen, size, excess
):
    """Write G² or X² of each table, the degrees of freedom that its margins leave, and its size."""
    for out in (statistic, adjusted, seen, size, excess):
        out[:] = 0.0
    for found in _by_shape(counts, starts, strata, x_levels, y_levels):
        x_seen, y_seen = found.x_seen, found.y_seen
        _add(adjusted, found.table, (x_seen - 1) * (y_seen - 1))
        _add(seen, found.table, x_seen * y_seen)
        _add(size, found.table, found.size)
        varied = found.only((x_seen > 1) & (y_seen > 1))
        _add(statistic, varied.table, _pearson(varied) if is_pearson else varied.log_ratios())
        _add(excess, varied.table, _excess(varied))
    np.maximum(statistic, 0.0, out=statistic)


def fixed_margin_moments(counts, starts, strata, x_levels, y_levels, is_pearson, logs, found):
    """Write of each table the mean and variance of X², and what X² or G² needs beside them."""
    found[:] = 0.0
    rare, n_rows, n_strata = np.zeros((2, len(starts))), np.zeros(len(starts)), np.zeros(len(starts))
    for some in _by_shape(counts, starts, strata, x_levels, y_levels):
        _add(n_rows, some.table, some.size)
        _add(n_strata, some.table, np.ones(len(some.size)))
        varies = (some.x_seen > 1) & (some.y_seen > 1)
        if not is_pearson:
            pairs = some.only(varies & ~(some.size > 2.0))
            _add(found[:, 6], pairs.table, pairs.log_ratios())
        larger = some.only(varies & (some.size > 2.0))
        mean, variance, curved = _moments(larger)
        parts = _residuals(larger) if is_pearson else _ratio_moments(larger, curved, logs)
        for place, part in zip((0, 1, 4, 5), (mean, variance, *parts), strict=True):
            _add(found[:, place], larger.table, part)
        for out, margin in zip(rare, (larger.of_x, larger.of_y), strict=True):
            _add(out, larger.table, larger.size - margin.max(axis=1))
    found[:, 2] = rare.min(axis=0)
    np.divide(n_rows, n_strata, out=found[:, 3], where=n_strata > 0.0)


def _by_shape(counts: Any, starts: Any, strata: Any, x_levels: Any, y_levels: Any) -> Iterator[Strata]:
    """The strata with rows, in the order of their tables, together where tables have the same levels."""
    shapes = np.stack([x_levels, y_levels])
    for n_x, n_y in np.unique(shapes, axis=1).T.tolist():
        tables = np.flatnonzero((x_levels == n_x) & (y_levels == n_y))
        n_strata, n_cells = strata[tables], n_x * n_y
        table = np.repeat(tables, n_strata)
        number = np.arange(len(table)) - np.repeat(np.cumsum(n_strata) - n_strata, n_strata)
        places = (starts[table] + n_cells * number)[:, None] + np.arange(n_cells)
        cells = counts[places].reshape(-1, n_x, n_y).astype(np.float64)
        margins = np.add.accumulate(cells, axis=2)[:, :, -1], np.add.accumulate(cells, axis=1)[:, -1]
        size = _total(cells)
        yield Strata(table, cells, *margins, size).only(size > 0.0)


def _add(out: Floats, tables: NDArray[np.int64], terms: NDArray[Any]) -> None:
    """Add terms to their tables, one after the other."""
    np.add.at(out, tables, terms)


def _total(terms: Floats) -> Floats:
    """The sum of each row, one after the other."""
    return np.asarray(np.add.accumulate(_flat(terms), axis=1)[:, -1])


def _flat(terms: Floats) -> Floats:
    return terms.reshape(len(terms), math.prod(terms.shape[1:]))


def _log(values: Floats) -> Floats:
    return np.array([math.log(value) for value in values.tolist()])


def _n_seen(margins: Floats) -> NDArray[np.int64]:
    found: NDArray[np.int64] = np.count_nonzero(margins > 0.0, axis=1)
    return found


def _inverse_sum(margin: Floats) -> Floats:
    return _total(np.divide(1.0, margin, out=np.zeros_like(margin), where=margin > 0.0))


def _pearson(strata: Strata) -> Floats:
    expected, is_there = strata.expected()
    squares = (strata.cells - expected) * (strata.cells - expected)
    return _total(np.divide(squares, expected, out=np.zeros_like(expected), where=is_there))


def _excess(strata: Strata) -> Floats:
    of_x, of_y, size = strata.of_x, strata.of_y, strata.size
    if strata.cells.shape[1:] == (2, 2):
        whole, x_pair, y_pair = size * size, of_x[:, 0] * of_x[:, 1], of_y[:, 0] * of_y[:, 1]
        return np.asarray((whole - x_pair) * (whole - y_pair) / (6.0 * size * x_pair * y_pair))
    x_spread, y_spread = size * _inverse_sum(of_x) - 1.0, size * _inverse_sum(of_y) - 1.0
    return np.asarray(x_spread * y_spread / (6.0 * size))


def _residuals(strata: Strata) -> tuple[Floats, Floats]:
    expected, is_there = strata.expected()
    apart = np.abs(strata.cells - expected)
    nearer = np.maximum(apart - NEARER, 0.0)
    plain, corrected = (
        _total(np.divide(part * part, expected, out=np.zeros_like(expected), where=is_there))
        for part in (apart, nearer)
    )
    return plain, corrected


def _moments(strata: Strata) -> tuple[Floats, Floats, Floats]:
    size, x_seen, y_seen = strata.size, strata.x_seen, strata.y_seen
    mean = size * (x_seen - 1) * (y_seen - 1) / (size - 1.0)
    x_rest = (size * _inverse_sum(strata.of_x) - x_seen * x_seen) / (size - 2.0)
    y_rest = (size * _inverse_sum(strata.of_y) - y_seen * y_seen) / (size - 2.0)
    variance = size * size / (size - 1.0) * x_rest * y_rest
    x_even = (x_seen - 1) * (size - x_seen) / (size - 1.0) - x_rest
    y_even = (y_seen - 1) * (size - y_seen) / (size - 1.0) - y_rest
    factor = np.divide(2.0 * size, size - 3.0, out=np.zeros_like(size), where=size > 3.0)
    curved = np.where(size > 3.0, factor * x_even * y_even, 0.0)
    return mean, np.maximum(variance + curved, 0.0), curved


def _ratio_moments(strata: Strata, pearson_curved: Floats, logs: Floats) -> tuple[Floats, Floats]:
    """The mean of G² of strata whose margins are given, and about its variance."""
    of_x, of_y, size = strata.of_x, strata.of_y, strata.size
    is_there = (of_x[:, :, None] > 0.0) & (of_y[:, None, :] > 0.0)
    stratum, x, y = np.nonzero(is_there)
    found = np.zeros((4, *is_there.shape))
    found[:, is_there] = _cell_spreads(of_x[stratum, x], of_y[stratum, y], size[stratum], logs)
    mean, slopes, curved, pearson = found
    x_slopes = np.add.accumulate(of_y[:, None, :] * slopes, axis=2)[:, :, -1]
    y_slopes = np.add.accumulate(of_x[:, :, None] * slopes, axis=1)[:, -1]
    straight = np.empty((len(size), of_x.shape[1], of_y.shape[1] + 1))
    straight[:, :, :-1] = of_x[:, :, None] * of_y[:, None, :] * slopes * slopes
    straight[:, :, -1] = -(of_x * x_slopes * x_slopes / size[:, None])
    last = -(of_y * y_slopes * y_slopes / size[:, None])
    lines = _total(np.concatenate([_flat(straight), last], axis=1))
    slope, curve, of_pearson = _total(of_x * x_slopes), _total(curved), _total(pearson)
    variance = np.maximum(lines + slope * slope / (size * size), 0.0) / (size - 1.0)
    bends = (pearson_curved > LEAST_CURVED) & (of_pearson > 0.0)
    rests = pearson_curved * np.maximum(curve, 0.0)
    variance += np.divide(rests, of_pearson, out=np.zeros_like(size), where=bends)
    return _total(mean), variance


def _cell_spreads(of_x: Floats, of_y: Floats, size: Floats, logs: Floats) -> Floats:
    """Four rows: the mean of each cell's part of G², its slope by n, and how it and X² vary about lines."""
    both = (size - 2.0) * np.where(size > 3.0, size - 3.0, 1.0)
    twice = 6.0 * size * size / both
    inverse = 1.0 / size
    x_share, y_share = of_x * inverse, of_y * inverse
    x_spread, y_spread = x_share * (1.0 - x_share), y_share * (1.0 - y_share)
    e = of_x * y_share
    t = 1.0 / e
    v = (1.0 - x_share) * (1.0 - y_share) * (size / (size - 1.0))
    s = (1.0 - 2.0 * x_share) * (1.0 - 2.0 * y_share) * (size / (size - 2.0))
    k = size * (size + 1.0) / both - twice * (x_spread + y_spread)
    k += twice * (5.0 * size - 6.0) / (size - 1.0) * x_spread * y_spread
    pearson = v * (2.0 * v + (k - s * s) * t)
    mean = v + v * t * (0.5 * v - THIRD * s + t * (0.5 * THIRD * k + v * (v - s)))
    mean += v * v * t * t * t * (2.0 * THIRD * s * s + k + v * (3.75 * v - 5.0 * s))
    slope = t * (s - v + t * (v * (5.0 * THIRD * s - 1.5 * v) - THIRD * k))
    found = np.stack([mean, slope, pearson + v * v * t * (14.0 * THIRD * v - 4.0 * s), pearson])
    small = np.flatnonzero(~(e >= LARGE))
    mean, square, product = _cell_moments(of_x[small], of_y[small], size[small], logs)
    e, v = e[small], v[small]
    log_e, varies_with_n = 2.0 * _log(e), product - mean * e
    slope = varies_with_n / (v * e)
    found[0, small], found[1, small] = mean - e * log_e, slope - log_e - 2.0
    found[2, small] = square - mean * mean - slope * varies_with_n
    return found


def _cell_moments(of_x: Floats, of_y: Floats, size: Floats, logs: Floats) -> tuple[Floats, Floats, Floats]:
    """The mean and mean square of 2 n ln n in each cell, and the mean of its product with n."""
    rest = size - of_x - of_y
    n, most = np.maximum(0.0, np.floor(-rest)), np.minimum(of_x, of_y)
    term = logs[n.astype(np.int64)]
    weight, weights = np.ones((2, len(n)))
    mean, square, product = term.copy(), term * term, term * n
    on = np.flatnonzero((n < most) & (weight > LEAST_WEIGHT * weights))
    while len(on):
        chances = (of_x[on] - n[on]) * (of_y[on] - n[on])
        n[on] += 1.0
        weight[on] *= chances / (n[on] * (rest[on] + n[on]))
        term = logs[n[on].astype(np.int64)]
        part = weight[on] * term
        weights[on] += weight[on]
        mean[on] += part
        square[on] += part * term
        product[on] += part * n[on]
        on = on[(n[on] < most[on]) & (weight[on] > LEAST_WEIGHT * weights[on])]
    inverse = 1.0 / weights
    return mean * inverse, square * inverse, product * inverse
