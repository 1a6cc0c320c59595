"""DAGs drawn uniformly among all labelled ones.

The number of DAGs of n nodes of which k have no parents is exact in whole numbers [1]_, so layer
after layer of such nodes can be drawn with the right probabilities.

References
----------
.. [1] Kuipers and Moffa (2015), Uniform random generation of large acyclic digraphs, Statistics and
   Computing 25.
"""

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from math import comb

import numpy as np

from structlearn.errors import OptionError
from structlearn.graphs.links import Positions

MOST_NODES = 150


def uniform_arrows(n_nodes: int, generator: np.random.Generator) -> Positions:
    """Draw the arrows of a DAG, every labelled DAG alike."""
    if n_nodes > MOST_NODES:
        raise OptionError(
            f"A uniform draw needs the exact number of DAGs, and {n_nodes} nodes are too many: at most "
            f"{MOST_NODES}."
        )
    sizes = _layer_sizes(n_nodes, generator)
    names = generator.permutation(n_nodes)
    arrows, first = [np.empty((0, 2), dtype=np.int64)], 0
    for size, following in zip(sizes, [*sizes[1:], 0], strict=False):
        later = n_nodes - first - size
        joined = _some_subsets(size, later, n_not_empty=following, generator=generator)
        sources, targets = np.nonzero(joined)
        arrows.append(np.column_stack([sources + first, targets + first + size]))
        first += size
    return names[np.concatenate(arrows)]


@cache
def n_dags(n_nodes: int, n_sources: int) -> int:
    """Count the DAGs of `n_nodes` nodes of which `n_sources` have no parents."""
    if n_sources == n_nodes:
        return 1
    return comb(n_nodes, n_sources) * sum(_ways(n_nodes, n_sources))


def _ways(n_nodes: int, n_sources: int) -> list[int]:
    """Count the DAGs below given sources, by how many nodes have no parents but these, from 1 on.

    Each of them has one or more of the sources as parents; any other node has any of them.
    """
    rest = n_nodes - n_sources
    return [
        (2**n_sources - 1) ** size * 2 ** (n_sources * (rest - size)) * n_dags(rest, size)
        for size in range(1, rest + 1)
    ]


def _layer_sizes(n_nodes: int, generator: np.random.Generator) -> list[int]:
    """Draw how many nodes have no parents, how many no others than these, and so on."""
    if n_nodes == 0:
        return []
    for smaller in range(1, n_nodes):
        n_dags(smaller, 1)  # from small to large, or the recursion would be deep
    sizes = [1 + drawn_place([n_dags(n_nodes, size) for size in range(1, n_nodes + 1)], generator)]
    left = n_nodes
    while left > sizes[-1]:
        ways = _ways(left, sizes[-1])
        left -= sizes[-1]
        sizes.append(1 + drawn_place(ways, generator))
    return sizes


def drawn_place(weights: Sequence[int], generator: np.random.Generator) -> int:
    """Draw a place with probability proportional to its weight, exactly."""
    total = sum(weights)
    n_bits = total.bit_length()
    while True:
        number = int.from_bytes(generator.bytes((n_bits + 7) // 8), "little") & ((1 << n_bits) - 1)
        if number < total:
            return next(place for place, upto in enumerate(accumulate(weights)) if number < upto)


def _some_subsets(
    size: int, n_subsets: int, *, n_not_empty: int, generator: np.random.Generator
) -> "np.ndarray[tuple[int, int], np.dtype[np.bool_]]":
    """Draw a subset of `size` things per column, all alike; of the first columns none is empty."""
    drawn = generator.random((size, n_subsets)) < 0.5
    while True:
        empty = np.flatnonzero(~drawn[:, :n_not_empty].any(axis=0))
        if empty.size == 0:
            return drawn
        drawn[:, empty] = generator.random((size, empty.size)) < 0.5
