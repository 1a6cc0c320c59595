"""The structural intervention distance: how many effects of interventions a graph gets wrong.

A graph tells the effect of setting i on j by adjusting for the parents of i. That is right for every
distribution of the true DAG exactly if the parents fulfil the adjustment criterion there [1]_: none
of them is at or below a node on a directed path from i to j, and they block every other path
between i and j. Where j is one of the parents, the graph says that there is no effect.

References
----------
.. [1] Peters and Bühlmann (2015), Structural intervention distance for evaluating causal graphs,
   Neural Computation 27, proposition 6.
"""

from collections.abc import Iterable

import numpy as np

from structlearn.graphs.links import Links
from structlearn.graphs.members import Summary

MOST_PARTS = 5_000
Range = tuple[int, int]


def intervention_distance(dag: Links, truth: Links) -> int:
    """Count the ordered pairs (i, j) for which `dag` gets the effect of i on j wrong, in O(n (n + m))."""
    from structlearn.graphs.kernels import intervention  # noqa: PLC0415, numba is slow to load

    nodes = np.arange(truth.n_nodes, dtype=np.int64)
    n_wrong = intervention.n_wrong_effects(truth.parent_rows, truth.child_rows, nodes, dag.parent_rows)
    return int(n_wrong.sum())


def intervention_distance_range(pdag: Links, truth: Links) -> Range | None:
    """Give the smallest and the largest distance of a member of `pdag`.

    None where there is no member, or where lines join so many nodes so densely that more than
    5,000 sets of them of them would have to be looked at.
    """
    from structlearn.graphs.kernels import intervention  # noqa: PLC0415, numba is slow to load

    known: dict[tuple[int, frozenset[int]], Range] = {}

    def wrong_effects(node: int, parents: frozenset[int]) -> Range:
        if (node, parents) not in known:
            rows = np.array([0, len(parents)]), np.array(sorted(parents), dtype=np.int64)
            n_wrong = intervention.n_wrong_effects(
                truth.parent_rows, truth.child_rows, np.array([node]), rows
            )
            known[node, parents] = int(n_wrong[0]), int(n_wrong[0])
        return known[node, parents]

    summary = Summary(leaf=wrong_effects, together=_added, either=_spanned, most_parts=MOST_PARTS)
    return summary.of(pdag)


def _added(ranges: Iterable[Range]) -> Range:
    lows, highs = zip((0, 0), *ranges, strict=True)
    return sum(lows), sum(highs)


def _spanned(ranges: Iterable[Range]) -> Range:
    lows, highs = zip(*ranges, strict=True)
    return min(lows), max(highs)
