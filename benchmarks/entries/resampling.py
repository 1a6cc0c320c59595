"""The bootstrap as a user of a library without one writes it: learn from rows drawn anew, and count."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from benchmarks.entries.entry import Answer, Pairs
from benchmarks.entries.ours import N_RESAMPLES
from benchmarks.tables import Table

Learn = Callable[[Any], Iterable[tuple[str, str]]]


def resampled(learn: Learn, frame: Any) -> Counter[tuple[str, str]]:
    """How often each arc is learnt from rows of a data frame that are drawn with replacement."""
    rng = np.random.default_rng(0)
    counts: Counter[tuple[str, str]] = Counter()
    for _ in range(N_RESAMPLES):
        drawn = frame.iloc[rng.integers(0, len(frame), len(frame))].reset_index(drop=True)
        counts.update(list(learn(drawn)))
    return counts


def read_counts(counts: Counter[tuple[str, str]], table: Table) -> Answer:
    """The arcs of pairs that at least half of the resamples join, the more frequent way round."""
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_nodes_from(table.names)
    for (a, b), n_ahead in counts.most_common():
        n_back = counts[b, a]
        is_kept = 2 * (n_ahead + n_back) >= N_RESAMPLES and not graph.has_edge(b, a)
        if is_kept and n_ahead >= n_back and not nx.has_path(graph, b, a):
            graph.add_edge(a, b)
    arcs: Pairs = list(graph.edges)
    return Answer(arcs, [])
