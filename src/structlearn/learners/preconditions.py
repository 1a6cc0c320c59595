"""What must be true of the columns before any method can say something sensible."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeGuard

import numpy as np
from numpy.typing import NDArray

from structlearn.compile import foresee_columns
from structlearn.data import Kind
from structlearn.data.targets import Rows
from structlearn.errors import DataError
from structlearn.later import lapack
from structlearn.learners.renamed_columns import renamed_columns
from structlearn.learners.repeated_columns import repeated_columns
from structlearn.learners.rows_in_order import warn_of_rows_in_order
from structlearn.run import Run
from structlearn.statistics import Counting, HasRows, Missing, Source, Statistics, statistics_of
from structlearn.statistics.selection import selected
from structlearn.statistics.varying import (
    FEW_COLUMNS,
    RowsOfStatistics,
    constant_columns,
    has_plain_rows,
)

Places = NDArray[np.int64]
DEPENDENT = 1e-11  # the share of a column's variance that the others leave
SAME = 1.0 - DEPENDENT / 2  # the correlation that leaves so little
ROWS_AT_ONCE = 512  # of a correlation matrix: as many as fit in a cache beside their result
FEWEST_ROWS = 4  # in two, any two columns that vary agree; in three, Fisher's z has no rows left
ROWS_PER_LEVEL = 10  # twice the five rows per cell that are usual, for a partner of two levels


def ready_statistics(
    source: Source,
    run: Run,
    *,
    only: Kind | None = None,
    needs_full_rank: bool = True,
    missing: Missing = "error",
    n_jobs: int | None = None,
    counting: Counting = "memory",
    aside: Sequence[str] = (),
    rows_set: Mapping[str, Rows] | None = None,
    contexts: Sequence[str] = (),
    in_time: bool = False,
) -> Statistics:
    """The statistics of a source that a method can work on, its columns in alphabetical order.

    Columns go in by name, so that their order in the table cannot change the answer. `only` and
    `needs_full_rank` are what the learner declares. Columns set `aside`, such as the times of the rows, come
    last, may be of any kind, and are not checked. `rows_set` has the rows in which a column was set;
    `contexts` are columns that say what was changed in a row, and are not checked either.
    `in_time` says that the learner knows rows to follow each other; others are told where they seem to.
    """
    foresee_columns(len(source.names))
    nodes = sorted(name for name in source.names if name not in aside)
    statistics = statistics_of(
        source,
        [*nodes, *aside],
        aside=aside,
        owner=run.owner,
        only=only,
        missing=missing,
        n_jobs=n_jobs,
        counting=counting,
        rows_set=rows_set,
    )
    columns = [name for name in nodes if name not in contexts]
    check_columns(selected(statistics, columns), run, needs_full_rank=needs_full_rank)
    if not in_time:
        warn_of_rows_in_order(statistics, run, contexts)
    return statistics


def check_columns(statistics: Statistics, run: Run, *, needs_full_rank: bool = True) -> None:
    """Refuse a single row and columns that repeat or, where that matters, determine each other.

    Constant columns and discrete ones that say the same are warned of.
    """
    if statistics.n_rows < 2:
        raise DataError(
            f"{run.owner}: the table has 1 row (n_samples = 1), and dependence shows only in several."
        )
    warn_of_few_rows(statistics, run)
    discrete = [j for j, kind in enumerate(statistics.kinds) if kind == "discrete"]
    continuous = [j for j, kind in enumerate(statistics.kinds) if kind == "continuous"]
    margins = dict(zip(discrete, statistics.margins(discrete), strict=True))
    constant = {j for j in discrete if np.count_nonzero(margins[j]) == 1}
    constant |= _without_variance(statistics, continuous, needs_full_rank=needs_full_rank)
    if constant:
        has, it = ("has", "it") if len(constant) == 1 else ("have", "they")
        run.warn(f"{_listed(statistics, sorted(constant))} {has} a single value; {it} will have no edges.")
    for group in renamed_columns(statistics, {j: margins[j] for j in discrete if j not in constant}):
        others, drop = ("other", "one") if len(group) == 2 else ("others", "all but one")
        run.warn(
            f"{_listed(statistics, group)} say the same under different labels; what depends on one depends "
            f"on the {others}. Drop {drop} of them."
        )
    varying = [j for j in continuous if j not in constant]
    # Any two columns of two rows are the same but for scale; with gaps there is no one covariance.
    if len(varying) > 1 and statistics.n_rows > 2 and statistics.is_complete:
        _refuse_dependent_columns(run.owner, statistics, varying, needs_full_rank=needs_full_rank)


def warn_of_few_rows(statistics: Statistics, run: Run) -> None:
    """Warn of tables in which nothing can be told from chance."""
    if statistics.size < FEWEST_ROWS and len(statistics.names) > 1:
        run.warn(
            f"the table has {statistics.n_rows} rows. In fewer than {FEWEST_ROWS} no dependence can be told "
            "from chance: neither edges nor their absence mean anything here."
        )


def warn_of_rare_levels(statistics: Statistics, run: Run, *, aside: Collection[str] = ()) -> None:
    """Warn of discrete columns whose levels have few rows, for methods that test independence."""
    few = np.flatnonzero(statistics.levels * ROWS_PER_LEVEL > statistics.size).tolist()
    few = [j for j in few if statistics.names[j] not in aside]
    if few and statistics.size >= FEWEST_ROWS:  # with fewer, another warning has said all
        run.warn(
            f"{_listed(statistics, few)}: fewer than {ROWS_PER_LEVEL} rows per level, so that tests see only "
            "strong dependence there. Join rare levels, or leave out what has too many."
        )


def _goes_by_rows(
    statistics: Statistics, columns: list[int], *, needs_full_rank: bool
) -> TypeGuard[RowsOfStatistics]:
    """Whether no matrix of correlations is needed, as only repeated columns are looked for.

    With few rows every table is linearly dependent; it says nothing about the columns.
    """
    is_rank_asked_for = needs_full_rank and statistics.n_rows > len(columns) + 1
    is_wide = len(statistics.names) > FEW_COLUMNS
    return is_wide and not is_rank_asked_for and has_plain_rows(statistics)


def _without_variance(statistics: Statistics, columns: list[int], *, needs_full_rank: bool) -> set[int]:
    """The continuous columns with a single value."""
    if not columns:
        return set()
    if _goes_by_rows(statistics, columns, needs_full_rank=needs_full_rank):
        return constant_columns(statistics, columns)
    variances = np.diag(statistics.moments().covariance)
    return {j for j in columns if variances[j] == 0.0}


def _refuse_dependent_columns(
    owner: str, statistics: Statistics, columns: list[int], *, needs_full_rank: bool
) -> None:
    """Refuse columns that repeat others or are sums of them, and name a whole set to drop.

    Repeated columns are refused by all: nothing tells which of them an edge belongs to.
    """
    combined: dict[int, Places] = {}
    if _goes_by_rows(statistics, columns, needs_full_rank=needs_full_rank):
        first_of = repeated_columns(statistics, columns, SAME)
    else:
        correlation = statistics.moments().correlation
        if len(columns) < len(correlation):
            correlation = correlation[np.ix_(columns, columns)]
        first_of = {}
        for i, j in _repeated_columns(correlation):
            first_of.setdefault(j, i)
        kept = np.array([j for j in range(len(columns)) if j not in first_of])
        if needs_full_rank and statistics.n_rows > len(kept) + 1:
            combined = _combined_columns(correlation, kept)
            if combined and _n_different_rows(statistics, columns) <= len(kept) + 1:
                combined = {}
    if first_of or combined:
        raise DataError(f"{owner}: {_dependence(statistics, np.array(columns), first_of, combined)}")


def _n_different_rows(statistics: Statistics, columns: list[int]) -> int:
    """How many rows are no copies of others, as those drawn again in a resample are."""
    if not isinstance(statistics, HasRows):
        return statistics.n_rows
    return len(np.unique(statistics.rows(columns).values, axis=0))


def _combined_columns(correlation: NDArray[np.float64], columns: Places) -> dict[int, Places]:
    """The columns to leave out for the rest to be independent, each with those it is a combination of."""
    part = correlation[np.ix_(columns, columns)]
    _, order, rank, _ = lapack.dpstrf(part, tol=DEPENDENT, lower=1)
    kept, dependent = columns[order[:rank] - 1], columns[order[rank:] - 1]
    if not len(dependent):
        return {}
    slopes = np.linalg.solve(correlation[np.ix_(kept, kept)], correlation[np.ix_(kept, dependent)])
    return {
        int(column): np.sort(kept[np.abs(slope) > 1e-6])
        for column, slope in sorted(zip(dependent, slopes.T, strict=True), key=lambda pair: int(pair[0]))
    }


def _dependence(
    statistics: Statistics, columns: Places, first_of: dict[int, int], combined: dict[int, Places]
) -> str:
    """What depends on what, and the set to drop."""
    reasons = [
        f"{_listed(statistics, columns[[i, j]])} are the same but for scale" for j, i in first_of.items()
    ]
    reasons += [
        f"{_listed(statistics, columns[[j]])} is a linear combination of "
        f"{_listed(statistics, columns[sources])}"
        for j, sources in combined.items()
    ]
    if len(reasons) == 1:
        return f"{reasons[0]}. Drop one of them."
    dropped = [repr(statistics.names[columns[j]]) for j in sorted({*first_of, *combined})]
    return (
        f"{len(dropped)} columns are determined by the others: {reasons[0]}, and so on. "
        f"Drop {', '.join(dropped)}."
    )


def _repeated_columns(correlation: NDArray[np.float64]) -> Iterator[tuple[int, int]]:
    """The pairs that are the same but for scale, in blocks of rows: tables can be wide."""
    for start in range(0, len(correlation), ROWS_AT_ONCE):
        is_again = np.abs(correlation[start : start + ROWS_AT_ONCE]) > SAME
        for row, j in np.argwhere(np.triu(is_again, k=start + 1)):
            yield int(start + row), int(j)


def _listed(statistics: Statistics, columns: Sequence[int] | Places) -> str:
    names = [repr(statistics.names[j]) for j in columns]
    shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    return ("column " if len(names) == 1 else "columns ") + shown
