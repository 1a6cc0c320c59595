"""Which columns a Markov chain draws together, and the factors of a model over these blocks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from structlearn.inference.contraction import Table
from structlearn.inference.parts import Floats, Integers
from structlearn.models.factors_product import FactorProduct

MOST_STATES = 2**10  # of a block: a draw looks at each of them
MOST_CELLS = 2**20  # of a factor over blocks, 8 MiB


@dataclass(frozen=True, eq=False)
class Block:
    """Some columns, and the joint states that zeros leave them: (states, columns)."""

    columns: tuple[int, ...]
    states: Integers

    def codes(self, column: int) -> Integers:
        """The state of a column in each state of the block."""
        found: Integers = self.states[:, self.columns.index(column)]
        return found


@dataclass(frozen=True, eq=False)
class Blocks:
    """All blocks, each column in one; `loose` tells whether some zeros lie between blocks."""

    blocks: tuple[Block, ...]
    loose: bool

    def of(self, column: int) -> int:
        """The number of the block that has a column."""
        return next(i for i, block in enumerate(self.blocks) if column in block.columns)

    def numbers(self, codes: dict[int, int]) -> Integers:
        """The state of each block where each column has the state given."""
        wanted = [np.array([codes[column] for column in block.columns]) for block in self.blocks]
        return np.array(
            [
                (block.states == row).all(axis=1).argmax()
                for block, row in zip(self.blocks, wanted, strict=True)
            ]
        )

    def product(self, tables: Iterable[Table]) -> FactorProduct:
        """The factors over blocks in place of columns."""
        home = {column: i for i, block in enumerate(self.blocks) for column in block.columns}
        levels = [len(block.states) for block in self.blocks]
        factors = []
        for axes, table in tables:
            scope = tuple(dict.fromkeys(home[axis] for axis in axes))
            factors.append((scope, self._spread(scope, axes, table, home)))
        return FactorProduct.of(levels, factors)

    def _spread(
        self, scope: tuple[int, ...], axes: tuple[int, ...], table: Floats, home: dict[int, int]
    ) -> Floats:
        """The table for each joint state of the blocks in a scope."""
        where = []
        for axis in axes:
            shape = [-1 if i == home[axis] else 1 for i in scope]
            where.append(self.blocks[home[axis]].codes(axis).reshape(shape))
        found: Floats = table[tuple(where)]
        return found


def blocked(
    tables: Sequence[Table], sizes: dict[int, int], columns: Sequence[int], *, joined: bool
) -> Blocks:
    """Join the columns of each factor that has zeros, as long as the blocks stay small.

    Where every zero lies within a block the chain can get from any possible state to any other. A factor
    of one column only takes states away. With `joined` False every column is a block of its own.
    """
    found = {column: Block((column,), np.arange(sizes[column])[:, None]) for column in columns}
    loose = False
    with_zeros = [table for table in tables if table[0] and (table[1] == 0.0).any()]
    for axes, table in sorted(with_zeros, key=lambda one: len(one[0])):
        members = list({id(found[axis]): found[axis] for axis in axes}.values())
        block = _united(members, axes, table) if joined or len(members) == 1 else None
        if block is None or _makes_large_factors(block, found, tables):
            loose = True
            continue
        found |= dict.fromkeys(block.columns, block)
    return Blocks(tuple({id(block): block for block in found.values()}.values()), loose)


def _united(members: Sequence[Block], axes: tuple[int, ...], table: Floats) -> Block | None:
    """The blocks as one, with the joint states that the table allows; None where they are too many."""
    if prod(len(block.states) for block in members) > MOST_CELLS:
        return None
    columns = tuple(column for block in members for column in block.columns)
    choices = np.indices([len(block.states) for block in members]).reshape(len(members), -1)
    states = np.concatenate(
        [block.states[chosen] for block, chosen in zip(members, choices, strict=True)], axis=1
    )
    allowed = table[tuple(states[:, columns.index(axis)] for axis in axes)] > 0.0
    if not 0 < np.count_nonzero(allowed) <= MOST_STATES:
        return None
    return Block(columns, states[allowed])


def _makes_large_factors(block: Block, found: dict[int, Block], tables: Sequence[Table]) -> bool:
    then = found | dict.fromkeys(block.columns, block)
    for axes, _ in tables:
        if set(axes) & set(block.columns):
            members = {id(then[axis]): len(then[axis].states) for axis in axes}
            if prod(members.values()) > MOST_CELLS:
                return True
    return False
