"""Whether rows look as if they followed each other in time, which methods for samples take them not to."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.later import special
from structlearn.learners.designs import factors_among
from structlearn.numerics.information.columns import average_ranks
from structlearn.run import Run
from structlearn.statistics import MemoryStatistics, Statistics
from structlearn.statistics.experiments import experiments_of

Floats = NDArray[np.float64]

FEWEST_ROWS = 20  # in fewer, chance follows itself
MOST_ROWS, MOST_COLUMNS = 5_000, 50  # what is looked at, from the top and evenly: a look takes no time
MOST_LAGS = 10
MOST_CELLS = 1 << 20  # of tables of states by groups of rows, at once
LEVEL = 0.001  # of one table: so rarely are rows of no order taken for a series
SHOWN = 3
FEWEST_IN_A_CELL = 5  # rows: what is left of fewer, less their mean, goes up and down by itself
# F's second degrees of freedom, at no row and more per row. With them, Q of a million columns in no order is
# beyond what has a chance of 1e-3 to 2e-5 at most as often, in 20 rows to 400; that of χ² was 4 to 60 times.
TAIL, TAIL_PER_ROW = 16.0, 0.27
NEARLY = 0.9  # as strong: of such lags the first is told, as of columns that go up and down in turn
LEAST_SKEWNESS = 0.01  # less is as good as none


def warn_of_rows_in_order(statistics: Statistics, run: Run, contexts: Sequence[str] = ()) -> None:
    """Warn where columns follow themselves from row to row: numbers by Ljung and Box's test, states by runs.

    A few columns are looked at, evenly chosen, and the first rows. Where rows are sorted by a discrete
    column, as tables of several groups are, they are looked at within its groups; where something was set in
    some, or changed as `contexts` say, numbers are compared with the mean of rows like them. Nothing is said
    of states then, nor where each combination stands in one run of rows, as in tables made of counts. Only
    states that stay are a sign: those that change more than by chance were laid out so, as in blocks, and so
    were factors of a design, whose means are taken off the numbers.
    """
    found = columns_in_order(statistics, contexts)
    if not found:
        return
    from structlearn.independence.effective_z import effective_size  # noqa: PLC0415, few rows are in order

    _, worst, lag = found[0]
    n = statistics.n_rows
    run.warn(
        f"rows look as if they followed each other in time, or were sorted: {_shown(found)} like "
        f"{'itself' if len(found) == 1 else 'themselves'} {'a row' if lag == 1 else f'{lag} rows'} before "
        f"(correlation {worst:.2f}). {n:,} such rows say as much as some "
        f"{effective_size(n, worst, worst):,.0f} independent ones, and edges may be chance. "
        "PCMCI, SparseVAR and DynamicNetwork learn from series, with time= and series=; "
        "sl.Dataset(data, rows='independent') ends this warning."
    )


def columns_in_order(statistics: Statistics, contexts: Sequence[str] = ()) -> list[tuple[str, float, int]]:
    """The columns that follow themselves, the surest first, with their strongest correlation and its lag."""
    if statistics.n_rows < FEWEST_ROWS or not isinstance(statistics, MemoryStatistics):
        return []
    if not statistics.has_order or statistics.rows_are_independent or not statistics.is_complete:
        return []
    if contexts or experiments_of(statistics) is not None:
        return _found_in(statistics, contexts)
    return statistics.once("columns in order", lambda: _found_in(statistics))


def _found_in(statistics: MemoryStatistics, contexts: Sequence[str] = ()) -> list[tuple[str, float, int]]:
    columns = [j for j, name in enumerate(statistics.names) if name not in contexts]
    numbers, states = (
        _evenly([j for j in columns if statistics.kinds[j] == wanted])
        for wanted in ("continuous", "discrete")
    )
    codes = statistics.codes[states, :MOST_ROWS].T.astype(np.int64)
    blocks = _sorted_groups(codes)
    if statistics.weights is not None or len(codes) < FEWEST_ROWS * (blocks[-1] + 1):
        return []
    values = statistics.rows(numbers).values[:MOST_ROWS] if numbers else np.empty((len(codes), 0))
    experiments = _experiments(statistics, contexts, len(codes))
    ranks = average_ranks(values.T).T if numbers else values
    plain = _less_means(ranks, experiments)
    of_states = runs_test(codes[:, :0] if experiments.any() else codes, blocks)
    if (of_states[0] < LEVEL).any() and _is_in_runs(codes):
        of_states = np.empty(0), np.empty(0)
    p_value = np.concatenate([ljung_box(plain, blocks)[0], of_states[0]])
    n_tests = np.where(np.arange(len(p_value)) < len(numbers), 1, len(p_value))
    if not (p_value * n_tests < LEVEL).any():  # numbers may follow themselves more without factors
        return []
    levels = [np.unique(column, return_inverse=True)[1] for column in values.T]
    levels += [(np.cumsum(np.bincount(column) > 0) - 1)[column] for column in codes.T]
    is_factor = np.array(factors_among(levels))
    is_factor[len(numbers) : len(p_value)] |= (of_states[0] < LEVEL) & (of_states[1] < 0.0)
    factors = [column for column, is_one in zip(levels, is_factor, strict=True) if is_one]
    untied = _less_factors(_less_means(_untied(ranks), experiments), factors)
    of_numbers = ljung_box(_less_factors(plain, factors), blocks, untied=untied)
    p_value = np.concatenate([of_numbers[0], of_states[0]])
    strongest = np.concatenate([of_numbers[1], of_states[1]])
    lags = np.concatenate([of_numbers[2], np.ones(len(of_states[0]), dtype=np.int64)])
    p_value[is_factor[: len(p_value)]] = 1.0
    sure = np.flatnonzero(p_value * len(p_value) < LEVEL)
    order = sure[np.lexsort((-np.abs(strongest[sure]), p_value[sure]))]
    chosen = [*numbers, *states]
    return [(statistics.names[chosen[i]], float(strongest[i]), int(lags[i])) for i in order.tolist()]


def _untied(ranks: Floats) -> Floats:
    """Ranks whose ties are broken by lot: a few values beside many equal ones weigh no more than any."""
    lot = np.random.default_rng(0).permutation(len(ranks))
    orders = [np.lexsort((lot, column)) for column in ranks.T]
    return np.argsort(np.reshape(orders, ranks.T.shape), axis=1).T.astype(np.float64)


def _less_factors(values: Floats, factors: Sequence[NDArray[np.int64]]) -> Floats:
    """Values without what each factor of a design does, nor all together where rows are enough to tell."""
    if not factors:
        return values
    for factor in factors:
        values = _less_means(values, factor)
    cells = np.unique(np.stack(factors), axis=1, return_inverse=True)[1].ravel()
    return _less_means(values, cells) if len(cells) >= FEWEST_IN_A_CELL * (cells.max() + 1) else values


def runs_test(codes: NDArray[np.int64], blocks: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """The p-value of the number of runs of each column, and how much more a state stays than by chance.

    The latter is, for two states that follow each other with fixed probabilities, their correlation a row
    later. Where all orders of n rows are alike, with Σ₂ and Σ₃ the sums of squares and cubes of how often
    each state occurs, runs have the mean n + 1 − Σ₂/n and the variance
    (Σ₂(Σ₂ + n(n+1)) − 2nΣ₃ − n³) / n²(n−1) (Barton and David, 1957). Blocks add up.
    """
    sizes = np.bincount(blocks)[:, None]
    n_levels = codes.max(axis=0, initial=0) + 1
    ends = np.cumsum(n_levels)
    n_states = int(ends[-1]) if len(ends) else 0
    if len(n_levels) > 1 and len(sizes) * n_states > MOST_CELLS:
        half = len(n_levels) // 2
        parts = runs_test(codes[:, :half], blocks), runs_test(codes[:, half:], blocks)
        return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
    places = codes.T + (ends - n_levels)[:, None] + n_states * blocks
    times = np.bincount(places.ravel(), minlength=len(sizes) * n_states).astype(np.float64)
    times = times.reshape(len(sizes), n_states)
    powers = times**2, times**2 * times  # a third power would be taken by logarithms
    squares, cubes = (np.add.reduceat(power, ends - n_levels, axis=1) for power in powers)
    mean = sizes + 1.0 - squares / sizes
    spread = squares * (squares + sizes * (sizes + 1.0)) - 2.0 * sizes * cubes - sizes**3.0
    variance = (spread / (sizes**2.0 * np.maximum(sizes - 1.0, 1.0))).sum(axis=0)
    is_end = (codes.T[:, 1:] != codes.T[:, :-1]) & (blocks[1:] == blocks[:-1])
    n_runs = len(sizes) + np.count_nonzero(is_end, axis=1)
    excess, most = mean.sum(axis=0) - n_runs, (mean - 1.0).sum(axis=0)
    skewness = _skewness_of_runs(times, sizes, n_levels)
    varies = (variance > 0.0) & ~np.isnan(skewness)
    z = np.divide(excess, np.sqrt(variance), out=np.zeros_like(excess), where=varies)
    stays = np.divide(excess, most, out=np.zeros_like(excess), where=varies)
    return _two_tails(z, skewness), stays


def _skewness_of_runs(times: Floats, sizes: NDArray[np.int64], n_levels: NDArray[np.int64]) -> Floats:
    """How skewed the number of rows is that stay in a state, other than the commonest, of each column.

    Of n rows with one state m times, as many are not the first of a run as m draws from n, of which m − 1
    count. Draws for several states, which hardly depend on each other where all are rare, and blocks add up.
    NaN is that of a column in which no other state occurs twice, and may stay.
    """
    n, m = np.maximum(sizes, 3.0), times
    variance = m * (m - 1.0) * (n - m + 1.0) * (n - m) / (n * n * (n - 1.0))
    third = variance * (n - 2.0 * m + 2.0) * (n - 2.0 * m) / (n * (n - 2.0))
    ends, all_times = np.cumsum(n_levels), m.sum(axis=0)
    starts = ends - n_levels
    common = [start + all_times[start:end].argmax() for start, end in zip(starts, ends, strict=True)]
    spread, lean = (each.sum(axis=0) for each in (np.maximum(variance, 0.0), third))
    spread[common] = lean[common] = 0.0
    spread, lean = np.add.reduceat(spread, starts), np.add.reduceat(lean, starts)
    return np.divide(lean, spread**1.5, out=np.full_like(lean, np.nan), where=spread > 0.0)


def _two_tails(z: Floats, skewness: Floats) -> Floats:
    """The chance of more than |z| standard deviations, where what is above the mean may be skewed.

    That is twice the upper tail of a gamma distribution with this skewness, where the normal one is small.
    """
    p_value = np.array([math.erfc(abs(each) / math.sqrt(2.0)) for each in z.tolist()])
    sure = np.flatnonzero((p_value < LEVEL) & (z > 0.0) & (skewness > 0.0))
    if len(sure):  # scipy takes a third of a second to load
        shape = 4.0 / np.maximum(skewness[sure], LEAST_SKEWNESS) ** 2
        upper = special.gammaincc(shape, shape + z[sure] * np.sqrt(shape))
        p_value[sure] = np.maximum(p_value[sure], 2.0 * upper)
    return p_value


def ljung_box(
    values: Floats, blocks: NDArray[np.int64], n_lags: int | None = None, untied: Floats | None = None
) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """The p-value of each column, its strongest correlation with itself some rows later, and how many.

    Q = n(n + 2) Σ (r_l − e_l)² / n_l, with n_l the pairs of rows that are l apart, and e_l the mean of r_l in
    all orders of the rows, is about F times the number of lags where rows are independent. The p-value is
    twice that of Q or of its first term, whichever is less: series mostly remember the row before best.
    Rows of different blocks are never compared, and each block has a mean of its own. Q is that of `untied`
    values where that is less; the first term has the skewness of products of the values.
    """
    n, n_columns = values.shape
    if not n_columns:
        return np.empty(0), np.empty(0), np.empty(0, dtype=np.int64)
    n_lags = min(MOST_LAGS, n // 5) if n_lags is None else n_lags
    r, z = _lagged(values, blocks, n_lags)
    statistic = (z**2).sum(axis=0)
    if untied is not None:
        statistic = np.minimum(statistic, (_lagged(untied, blocks, n_lags)[1] ** 2).sum(axis=0))
    of_all = special.fdtrc(n_lags, TAIL + TAIL_PER_ROW * n, statistic / n_lags)
    centred = _less_means(values, blocks)
    cubes, squares = (centred**2 * centred).mean(axis=0), (centred**2).mean(axis=0)
    lean = np.divide(cubes**2, squares**3, out=np.zeros(n_columns), where=squares > 0.0)
    of_first = _two_tails(z[0], lean / math.sqrt(n))
    best = (np.abs(r) >= NEARLY * np.abs(r).max(axis=0)).argmax(axis=0)
    return np.minimum(2.0 * np.minimum(of_all, of_first), 1.0), r[best, np.arange(n_columns)], best + 1


def _lagged(values: Floats, blocks: NDArray[np.int64], n_lags: int) -> tuple[Floats, Floats]:
    """The correlation of each column with itself at each lag, and how far it is from its mean by chance."""
    n, sizes = len(values), np.bincount(blocks)
    centred = np.ascontiguousarray(_less_means(values, blocks).T)
    total = np.vecdot(centred, centred)
    r, z = np.zeros((2, n_lags, len(total)))
    for at in range(n_lags):
        lag = at + 1
        later = centred[:, lag:]
        if blocks.any():
            later = later * (blocks[lag:] == blocks[:-lag])
        products = np.vecdot(later, centred[:, :-lag])
        np.divide(products, total, out=r[at], where=total > 0.0)
        n_pairs = np.maximum(sizes - lag, 0)
        mean = -(n_pairs / sizes).sum() / (n - len(sizes))
        z[at] = (r[at] - mean) * math.sqrt(n * (n + 2) / max(n_pairs.sum(), 1))
    z[:, total == 0.0] = 0.0
    return r, z


def _less_means(values: Floats, groups: NDArray[np.int64]) -> Floats:
    """Values without the mean that each column has in the group of the row."""
    if not groups.any():
        return np.asarray(values - values.mean(axis=0))
    sizes = np.bincount(groups)
    means = [np.bincount(groups, weights=column) / sizes for column in values.T]
    return values - np.reshape(means, (-1, len(sizes))).T[groups]


def _experiments(statistics: MemoryStatistics, contexts: Sequence[str], n_rows: int) -> NDArray[np.int64]:
    """The number of the experiment of each row: which columns were set in it, or changed."""
    experiments = experiments_of(statistics)
    told: list[NDArray[Any]] = [statistics.codes[statistics.names.index(name), :n_rows] for name in contexts]
    told += [] if experiments is None else [rows[:n_rows] for rows in experiments.is_set.values()]
    if not told:
        return np.zeros(n_rows, dtype=np.int64)
    return np.unique(np.stack(told), axis=1, return_inverse=True)[1].ravel()


def _sorted_groups(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of the group of each row, where a discrete column has each of its states in one run."""
    found = np.zeros(len(codes), dtype=np.int64)
    n_changes = np.count_nonzero(codes[1:] != codes[:-1], axis=0)
    for j in np.flatnonzero(n_changes <= codes.max(axis=0, initial=0)).tolist():
        column = codes[:, j]
        if found[-1] < n_changes[j] == np.count_nonzero(np.bincount(column)) - 1:
            found[1:] = np.cumsum(column[1:] != column[:-1])
    return found


def _is_in_runs(codes: NDArray[np.int64]) -> bool:
    """Whether rows repeat, and each combination of states only in one run."""
    words = np.random.default_rng(0).integers(2**63, size=codes.shape[1], dtype=np.uint64)
    keys = codes.astype(np.uint64) @ words  # modulo 2⁶⁴: other combinations hardly ever have the same
    n_runs = 1 + int(np.count_nonzero(keys[1:] != keys[:-1]))
    n_states = math.prod((codes.max(axis=0, initial=0) + 1).tolist())
    return n_runs < len(codes) and n_runs <= n_states and n_runs == len(np.unique(keys))


def _evenly(columns: Sequence[int]) -> Sequence[int]:
    if len(columns) <= MOST_COLUMNS:
        return columns
    places = np.linspace(0, len(columns) - 1, MOST_COLUMNS)
    return [columns[int(place)] for place in places]


def _shown(found: Sequence[tuple[str, float, int]]) -> str:
    names = ", ".join(repr(name) for name, _, _ in found[:SHOWN])
    return f"column {names} is" if len(found) == 1 else f"columns such as {names} are"
