"""The joint probabilities of every two columns of a discrete network, by summing out the others."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from string import ascii_letters
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.score.measures.fitted_network import Factor, FittedNetwork

STEP_CELLS = 1000  # a step costs about as much as visiting this many cells, however small its table


class Elimination(NamedTuple):
    """An order to sum columns out, and about how many cells all pairs together would visit."""

    order: list[int]
    n_cells: float


def cheap_elimination(network: FittedNetwork) -> Elimination:
    """Sum out next, again and again, the column whose table with all it meets is the smallest."""
    levels = network.levels.astype(np.float64)
    meets = _company(network.factors)
    left = list(range(len(levels)))
    order: list[int] = []
    n_cells = 0.0
    while left:
        sizes = [float(levels[[column, *meets[column]]].prod()) for column in left]
        column = left.pop(int(np.argmin(sizes)))
        order.append(column)
        n_cells += min(sizes) * levels.max() ** 2 + STEP_CELLS
        for other in meets[column]:
            meets[other] |= meets[column]
            meets[other] -= {column, other}
    return Elimination(order, n_cells * len(levels) * (len(levels) - 1) / 2)


def pair_marginals(network: FittedNetwork, order: Sequence[int]) -> NDArray[np.float64]:
    """The tables of all pairs, one behind the other, with the other columns summed out in this order."""
    lineages: list[set[int]] = [{column} for column in range(len(network.names))]
    for column in network.order:
        lineages[column].update(*(lineages[parent] for parent in network.parents[column]))
    tables = [
        _joint(network, pair, [column for column in order if column in lineages[pair[0]] | lineages[pair[1]]])
        for pair in combinations(range(len(network.names)), 2)
    ]
    return np.concatenate([table.ravel() for table in tables])


def _joint(network: FittedNetwork, pair: tuple[int, ...], lineage: list[int]) -> NDArray[np.float64]:
    """The joint probabilities of a pair; columns that are not above it have no say."""
    factors = [network.factors[column] for column in lineage]
    for column in lineage:
        if column not in pair:
            met = [factor for factor in factors if column in factor.columns]
            kept = tuple(sorted({other for factor in met for other in factor.columns} - {column}))
            factors = [factor for factor in factors if column not in factor.columns]
            factors.append(_product(met, kept))
    return _product(factors, pair).table


def _company(factors: Iterable[Factor]) -> list[set[int]]:
    """The columns that each meets in a table."""
    meets: list[set[int]] = [set() for _ in factors]
    for factor in factors:
        for column in factor.columns:
            meets[column] |= set(factor.columns) - {column}
    return meets


def _product(factors: Sequence[Factor], kept: tuple[int, ...]) -> Factor:
    """The product of tables, with all columns but the kept ones summed out."""
    letters: dict[int, str] = {}
    for factor in factors:
        for column in factor.columns:
            letters.setdefault(column, ascii_letters[len(letters)])
    scopes = [
        "".join(letters[column] for column in columns) for columns in (*(f.columns for f in factors), kept)
    ]
    subscripts = f"{','.join(scopes[:-1])}->{scopes[-1]}"
    return Factor(kept, np.einsum(subscripts, *(factor.table for factor in factors)))
