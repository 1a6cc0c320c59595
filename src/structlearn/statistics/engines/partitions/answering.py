"""What a worker answers from its piece of a table, and how answers are added up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.statistics.engines.partitions.piece import Piece
from structlearn.statistics.engines.power_sums import N_POWERS, PowerSums
from structlearn.statistics.engines.protocol import MISSING, Groups
from structlearn.statistics.kernels.moments import group_moments
from structlearn.statistics.memory import ALWAYS_DENSE_CELLS, NO_GAPS
from structlearn.statistics.strata import number_strata, states_of

Sets = tuple[tuple[int, ...], ...]
GLANCE = 10_000  # rows that show whether there are far too many groups
MOST_CELLS = ALWAYS_DENSE_CELLS  # of a table that travels whole: kernels fill those whatever the rows
NO_LIMIT = int(np.iinfo(np.int64).max)


@dataclass(frozen=True, slots=True)
class ByGroups:
    """A question for groups, as an engine is asked it; `n_rows` are those of the whole table."""

    discrete: tuple[int, ...]
    continuous: tuple[int, ...]
    complete: tuple[int, ...]
    most: int
    n_rows: int


@dataclass(frozen=True, slots=True)
class PartialGroups:
    """The groups of some rows.

    `states` has a row for each discrete column, with as many as it has labels for missing values, then one
    for each continuous column, 1 where it is present.
    """

    states: NDArray[np.unsignedinteger]
    rows: NDArray[np.int64]
    sizes: NDArray[np.float64]
    means: NDArray[np.float64]
    products: NDArray[np.float64]

    def whole(self, levels: NDArray[np.int64]) -> Groups:
        """The groups of a table that has no other rows; `levels` are those of the discrete columns."""
        codes, present = self.states[: levels.size], self.states[levels.size :]
        found = np.where(codes == levels[:, None], MISSING, codes.astype(np.int64))
        return Groups(found.T, self.rows, self.sizes, present.T.astype(bool), self.means, self.products)


@dataclass(frozen=True, slots=True)
class PartialTables:
    """Tables of some rows: of small ones all cells, by the width of the sets, of large ones the groups.

    `rows` are the numbers of rows where those are not the sizes.
    """

    sizes: dict[int, NDArray[Any]]
    rows: dict[int, NDArray[Any]]
    sparse: tuple[PartialGroups, ...]

    def whole(self, sets: Sets, levels: NDArray[np.int64]) -> list[Groups]:
        """The groups of each set in a table that has no other rows."""
        large = iter(self.sparse)
        at = dict.fromkeys(self.sizes, 0)
        found = []
        for columns in sets:
            shape, width = levels[list(columns)], len(columns)
            if shape.prod(dtype=np.float64) > MOST_CELLS:
                found.append(next(large).whole(shape))
                continue
            cells = slice(at[width], at[width] + int(shape.prod()))
            at[width] = cells.stop
            found.append(_occurring(self.sizes[width][cells], (self.rows or self.sizes)[width][cells], shape))
        return found


def groups_in(piece: Piece, question: ByGroups) -> PartialGroups | None:
    """The groups of one piece, None where there are too many of them."""
    piece = piece.having(question.complete)
    states, levels = _states(piece, question.discrete, question.continuous)
    if _are_far_too_many(states, levels, question):
        return None
    numbers, n_groups = number_strata(states, levels)
    if n_groups > question.most:
        return None
    weights = np.ones(piece.n_rows) if piece.weights is None else piece.weights
    c = len(question.continuous)
    sizes, means, products = (
        np.zeros((1, n_groups)),
        np.zeros((1, n_groups, c)),
        np.zeros((1, n_groups, c, c)),
    )
    rows = np.bincount(numbers, minlength=n_groups)
    if c:
        values = np.array([piece.measured(j) for j in question.continuous])
        group_moments(values, NO_GAPS, numbers, weights, np.arange(c)[None], sizes, means, products)
    else:
        sizes[0] = rows if piece.weights is None else np.bincount(numbers, weights, minlength=n_groups)
    found = states_of(states, numbers, n_groups).T.astype(states.dtype)
    return PartialGroups(found, rows, sizes[0], means[0], products[0])


def joined_groups(parts: Sequence[PartialGroups | None], *, most: int) -> PartialGroups | None:
    """The groups of several pieces together (Chan, Golub and LeVeque, 1983, for any number of parts)."""
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    joined = PartialGroups(
        np.concatenate([part.states for part in known], axis=1),
        *(
            np.concatenate([getattr(part, name) for part in known])
            for name in ("rows", "sizes", "means", "products")
        ),
    )
    if not joined.rows.size:
        return joined
    levels = joined.states.max(axis=1).astype(np.int64) + 1
    numbers, n_groups = number_strata(joined.states, levels)
    return None if n_groups > most else _added_up(joined, numbers)


def tables_in(piece: Piece, sets: Sets, complete: tuple[int, ...]) -> PartialTables:
    """The tables of one piece."""
    piece = piece.having(complete)
    sizes = piece.levels[[j for columns in sets for j in columns]]
    cells = np.multiply.reduceat(sizes.astype(np.float64), np.cumsum([0, *map(len, sets[:-1])]))
    small = [columns for columns, n in zip(sets, cells.tolist(), strict=True) if n <= MOST_CELLS]
    large = [columns for columns, n in zip(sets, cells.tolist(), strict=True) if n > MOST_CELLS]
    rows = {} if piece.weights is None else _counted(piece.unweighted(), small)
    asked = (ByGroups(columns, (), columns, NO_LIMIT, 0) for columns in large)
    sparse = (groups_in(piece, question) for question in asked)
    return PartialTables(_counted(piece, small), rows, tuple(part for part in sparse if part is not None))


def joined_tables(parts: Sequence[PartialTables]) -> PartialTables:
    """The tables of several pieces together."""
    sparse = (
        joined_groups(same, most=NO_LIMIT) for same in zip(*(part.sparse for part in parts), strict=True)
    )
    return PartialTables(
        {width: np.sum([part.sizes[width] for part in parts], axis=0) for width in parts[0].sizes},
        {width: np.sum([part.rows[width] for part in parts], axis=0) for width in parts[0].rows},
        tuple(part for part in sparse if part is not None),
    )


def powers_in(piece: Piece, columns: tuple[int, ...], complete: tuple[int, ...]) -> PowerSums:
    """The sums of the powers of columns in one piece; those of several pieces are added up."""
    piece = piece.having(complete)
    weights = np.ones(piece.n_rows) if piece.weights is None else piece.weights
    sums = np.zeros((len(columns), N_POWERS))
    for i, j in enumerate(columns):
        terms, numbers = weights * piece.present(j), piece.measured(j)
        for power in range(N_POWERS):
            sums[i, power] = terms.sum()
            terms *= numbers
    return sums


def _states(
    piece: Piece, discrete: Sequence[int], continuous: Sequence[int]
) -> tuple[NDArray[np.unsignedinteger], NDArray[np.int64]]:
    """The rows that tell groups apart, as in `PartialGroups`, and how many states each may have."""
    codes = [piece.columns[j] for j in discrete] + [piece.present(j).astype(np.uint8) for j in continuous]
    levels = [piece.levels[j] + 1 for j in discrete] + [2] * len(continuous)
    states = np.array(codes) if codes else np.zeros((0, piece.n_rows), dtype=np.uint8)
    return states, np.array(levels, dtype=np.int64)


def _are_far_too_many(
    states: NDArray[np.unsignedinteger], levels: NDArray[np.int64], question: ByGroups
) -> bool:
    """Whether the first rows repeat so seldom that the table has more groups than wanted, by far."""
    if question.n_rows <= 2 * question.most or levels.prod(dtype=np.float64) <= question.most:
        return False
    first = states[:, :GLANCE]
    n_repeats = first.shape[1] - number_strata(first, levels)[1]
    # Of D groups alike, n rows have about n² / 2D repeats; of others there are more than that says.
    expected = first.shape[1] ** 2 / (2 * max(n_repeats, 1))
    return bool(expected > 2 * question.most)


def _added_up(joined: PartialGroups, numbers: NDArray[np.int64]) -> PartialGroups:
    """Add up what has the same number."""
    order = np.argsort(numbers, kind="stable")
    group = numbers[order]
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    weight, means = joined.sizes[order, None], joined.means[order]
    sizes, first = np.add.reduceat(weight, starts), means[starts]
    # From the first mean, so that a column that is constant keeps exactly no variance.
    apart = means - first[group]
    shift = np.add.reduceat(weight * apart, starts) / sizes
    apart -= shift[group]
    products = joined.products[order] + weight[:, :, None] * apart[:, :, None] * apart[:, None, :]
    return PartialGroups(
        joined.states[:, order[starts]],
        np.add.reduceat(joined.rows[order], starts),
        sizes[:, 0],
        first + shift,
        np.add.reduceat(products, starts),
    )


def _counted(piece: Piece, sets: Sequence[tuple[int, ...]]) -> dict[int, NDArray[Any]]:
    """All cells of the tables of sets, one behind the other, by the width of the sets."""
    place = np.cumsum(piece.levels > 0) - 1  # among the columns that have labels
    found: dict[int, NDArray[Any]] = {}
    for width in sorted({len(columns) for columns in sets}):
        alike = place[np.array([columns for columns in sets if len(columns) == width])]
        if not piece.n_rows:
            n_cells = int(piece.levels[piece.levels > 0][alike].prod(axis=1).sum())
            found[width] = np.zeros(n_cells, dtype=np.int64)
        elif width == 1:
            found[width] = np.concatenate(piece.statistics.margins(alike[:, 0].tolist()))
        else:
            found[width] = piece.statistics.tables(alike).counts
    return found


def _occurring(sizes: NDArray[Any], rows: NDArray[Any], shape: NDArray[np.int64]) -> Groups:
    """The cells of a table that are not empty."""
    used = np.flatnonzero(rows)
    codes = np.stack(np.unravel_index(used, tuple(shape)), axis=1)
    none = np.zeros((used.size, 0))
    return Groups(
        codes.astype(np.int64),
        rows[used].astype(np.int64),
        sizes[used].astype(np.float64),
        none.astype(bool),
        none,
        np.zeros((used.size, 0, 0)),
    )
