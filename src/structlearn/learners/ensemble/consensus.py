"""One graph out of many: the edges that enough resamples have."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from structlearn.errors import DataError
from structlearn.graphs import Edge, Graph
from structlearn.graphs.links import Links
from structlearn.graphs.mutable_links import MutableLinks
from structlearn.learners.ensemble.confidence import Confidence, goes_by_arrow, shares_of_arrows
from structlearn.outcome import Pair

Consensus = Literal["partial", "dag"]


class Agreement(NamedTuple):
    """A consensus graph, and the arrows that most resamples have but that would close a cycle in it."""

    graph: Graph
    cyclic: tuple[Pair, ...]


def estimated_threshold(confidence: Confidence, *, is_cyclic: bool = False) -> float:
    """The least share that is significant by Scutari and Nagarajan (2013); 1 where none is.

    They compare F, the distribution of the shares of all pairs, with that of a sure answer, which
    is 0 with some probability t and 1 otherwise, and take the t that is nearest in the L1 norm.
    The distance is the mean of |F(x) − t| over x from 0 to 1, so the best t is the median of F(x);
    as F rises, that is F(1/2). What lies beyond this quantile are the shares larger than 1/2.
    """
    by_arrow = goes_by_arrow(confidence, is_cyclic=is_cyclic)
    shares = (
        shares_of_arrows(confidence).values() if by_arrow else [pair.edge for pair in confidence.values()]
    )
    return min((share for share in shares if share > 0.5), default=1.0)


def consensus_of(
    names: Sequence[str],
    confidence: Confidence,
    threshold: float,
    *,
    kind: Consensus = "partial",
    is_cyclic: bool = False,
) -> Agreement:
    """The graph of the pairs whose share reaches the threshold.

    An edge has a direction where most of its resamples have it. The arrows go in by decreasing share,
    ties by name. One that would close a cycle loses its direction or, for a DAG, is left out. Where cycles
    are meant, as `is_cyclic` or arrows both ways say, and no DAG is asked for, each arrow that reaches the
    threshold is in.
    """
    nodes = sorted(names)
    if kind == "partial" and goes_by_arrow(confidence, is_cyclic=is_cyclic):
        own = shares_of_arrows(confidence)
        edges = [Edge(*pair, confidence=share) for pair, share in own.items() if share >= threshold]
        return Agreement(Graph(nodes, directed=edges), ())
    kept = {pair: shares for pair, shares in confidence.items() if shares.edge >= threshold}
    arrows, cyclic = _without_cycles(nodes, _by_share(_majority_arrows(kept)))
    directed = {frozenset(pair) for pair in (*arrows, *cyclic)}
    lines = [pair for pair in kept if frozenset(pair) not in directed]
    partial = Graph(
        nodes,
        directed=[_edge(kept, pair) for pair in arrows],
        undirected=[_edge(kept, pair) for pair in (lines if kind == "dag" else [*lines, *cyclic])],
    )
    return Agreement(partial if kind == "partial" else as_dag(partial), tuple(cyclic))


def with_facts(graph: Graph, facts: Mapping[str, Mapping[str, Any]]) -> Graph:
    """The same graph, with what is known of its nodes."""
    return Graph.from_edges(graph.nodes, graph.edges, facts=facts) if facts else graph


def _majority_arrows(confidence: Confidence) -> dict[Pair, float]:
    """The directions that more than half of the resamples with the edge have, and their shares."""
    ways = [(pair, shares.forward, shares.edge) for pair, shares in confidence.items()]
    ways += [(pair[::-1], shares.backward, shares.edge) for pair, shares in confidence.items()]
    return {pair: share for pair, share, edge in ways if share > edge / 2}


def _by_share(shares: dict[Pair, float]) -> list[Pair]:
    return sorted(shares, key=lambda pair: (-shares[pair], pair))


def _without_cycles(nodes: Sequence[str], ranked: Sequence[Pair]) -> tuple[list[Pair], list[Pair]]:
    """The arrows that can follow each other without a cycle, and those that cannot."""
    index = {name: i for i, name in enumerate(nodes)}
    chosen = MutableLinks(Links(len(nodes)))
    kept: list[Pair] = []
    left: list[Pair] = []
    for source, target in ranked:
        if chosen.leads(index[target], index[source]):
            left.append((source, target))
        else:
            chosen.add(index[source], index[target])
            kept.append((source, target))
    return kept, left


def as_dag(partial: Graph) -> Graph:
    """A DAG with these arrows: without new v-structures where that is possible."""
    try:
        return partial.to_dag()
    except DataError:
        return _directed_in_turn(partial)


def _directed_in_turn(partial: Graph) -> Graph:
    """Direct the lines by decreasing share from the earlier name to the later, or back if that is a cycle."""
    lines = {(e.source, e.target): e.confidence or 0.0 for e in partial.edges if e.kind == "undirected"}
    arrows, back = _without_cycles(partial.nodes, [*partial.directed, *_by_share(lines)])
    turned = [edge for pair in back if (edge := partial.edge(*pair))]
    kept = [edge for pair in arrows if (edge := partial.edge(*pair))]
    flipped = [Edge(edge.target, edge.source, confidence=edge.confidence) for edge in turned]
    return Graph(partial.nodes, directed=[*kept, *flipped])


def _edge(confidence: Confidence, pair: Pair) -> Edge:
    shares = confidence.get(pair) or confidence[pair[::-1]]
    return Edge(*pair, confidence=shares.edge)
