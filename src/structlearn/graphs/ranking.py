"""The edges of a graph by strength, and how well that order finds the true ones."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.graphs.edge import Edge
from structlearn.graphs.structure import refuse_no_graph
from structlearn.naming import listed

if TYPE_CHECKING:
    from structlearn.graphs.graph import Graph

Numbers = NDArray[np.float64]


class RankedPair(NamedTuple):
    """A pair of nodes with its strength; equal strengths share the mean of their places, from 1 on."""

    source: str
    target: str
    strength: float
    rank: float


def ranking(graph: "Graph") -> tuple[RankedPair, ...]:
    """The edges, strongest first; ties in the order of the nodes."""
    edges = [edge for edge in graph.edges if edge.source != edge.target]
    strength = strengths(graph)
    order = sorted(range(len(edges)), key=lambda i: (-strength[edges[i]], i))
    sizes = np.array([strength[edges[i]] for i in order])
    _, group, n_each = np.unique(-sizes, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(n_each) - (n_each - 1) / 2)[group] if len(sizes) else sizes
    return tuple(
        RankedPair(edges[i].source, edges[i].target, strength[edges[i]], float(rank))
        for i, rank in zip(order, ranks, strict=True)
    )


def weight_strength(graph: "Graph", edge: Edge) -> float | None:
    """How strong the weight of an edge is: a gain of the score as it is, any other by its size."""
    is_gain = graph.record is not None and graph.record.weight_means == "score gain"
    return edge.weight if edge.weight is None or is_gain else abs(edge.weight)


def strengths(graph: "Graph") -> Mapping[Edge, float]:
    """How strong each edge is.

    The size of its weight, or the gain that it is; where no edge has one its confidence, then one less its
    p-value, and 1 where nothing is known. An edge that lacks what others have is refused.
    """
    edges = [edge for edge in graph.edges if edge.source != edge.target]
    known = next(
        (
            name
            for name in ("weight", "confidence", "p_value")
            if any(getattr(e, name) is not None for e in edges)
        ),
        None,
    )
    if known is None:
        return dict.fromkeys(edges, 1.0)
    without = [str(edge) for edge in edges if getattr(edge, known) is None]
    if without:
        raise DataError(
            f"ranking: {listed(without)} without a {known}, which other edges have; give every edge one."
        )
    if known == "weight":
        return {edge: float(weight_strength(graph, edge) or 0.0) for edge in edges}
    values = {edge: float(getattr(edge, known)) for edge in edges}
    return {edge: 1.0 - value if known == "p_value" else value for edge, value in values.items()}


@dataclass(frozen=True, eq=False)
class RankingComparison:
    """How well the order of the edges finds the true ones, by the rules of the DREAM challenges.

    Every pair of nodes has a place: pairs without an edge come last, together. Pairs of equal strength
    are taken in random order, so that curves between the ends of a tie are those expected. Pairs are
    ordered ones where the truth has arrows, and then an edge without direction stands for both.

    Parameters
    ----------
    n_pairs, n_true : int
        How many pairs there are, and how many of them the truth joins.
    n_found, n_false : array of shape (ties + 1,)
        True and other pairs down to the end of each tie, from nothing to everything.

    Notes
    -----
    Within a tie, true and other pairs grow in step; the area under precision and recall is integrated
    along that line (Davis and Goadrich, 2006), which for single pairs is the sum that DREAM uses.
    """

    n_pairs: int
    n_true: int
    n_found: NDArray[np.int64]
    n_false: NDArray[np.int64]

    @property
    def auroc(self) -> float:
        """The area under the true positive rate over the false positive rate; 0.5 is chance."""
        n_other = self.n_pairs - self.n_true
        return float(np.trapezoid(self.n_found, self.n_false)) / (self.n_true * n_other)

    @property
    def aupr(self) -> float:
        """The area under precision over recall; `chance_aupr` is chance."""
        found, taken = self.n_found.astype(float), (self.n_found + self.n_false).astype(float)
        more, size = np.diff(found), np.diff(taken)
        share = more / size
        before = found[:-1] - share * taken[:-1]  # what precision would be owed at the start of the line
        with np.errstate(divide="ignore", invalid="ignore"):
            stretch = np.where(taken[:-1] > 0, np.log(taken[1:] / taken[:-1]), 0.0)
        return float((more * (share + before * stretch / size)).sum()) / self.n_true

    @property
    def chance_aupr(self) -> float:
        """The area under precision and recall of a random order: the share of pairs that are true."""
        return self.n_true / self.n_pairs

    @property
    def early_precision(self) -> float:
        """The precision of as many of the strongest pairs as are true."""
        taken = self.n_found + self.n_false
        return float(np.interp(self.n_true, taken, self.n_found)) / self.n_true

    @property
    def roc(self) -> tuple[Numbers, Numbers]:
        """False and true positive rates at the end of each tie; straight lines join them."""
        return self.n_false / (self.n_pairs - self.n_true), self.n_found / self.n_true

    def precision_recall(self, n_points: int = 500) -> tuple[Numbers, Numbers]:
        """Recall and precision at `n_points` places of the order, ties passed in step."""
        taken = self.n_found + self.n_false
        places = np.unique(np.append(np.linspace(1, self.n_pairs, n_points), taken[1:]))
        found = np.interp(places, taken, self.n_found)
        return found / self.n_true, found / places

    def __str__(self) -> str:
        return (
            f"AUROC {self.auroc:.3f}, AUPR {self.aupr:.3f} (chance {self.chance_aupr:.3f}), "
            f"early precision {self.early_precision:.3f}"
        )


def compare_ranking(graph: "Graph", truth: "Graph") -> RankingComparison:
    """Hold the order of the edges of a graph against the truth."""
    refuse_no_graph("compare_ranking", truth)
    if set(graph.nodes) != set(truth.nodes):
        odd = sorted(set(graph.nodes) ^ set(truth.nodes))
        raise DataError(f"compare_ranking: {listed(odd)} are nodes of one graph only; take a subgraph first.")
    place = {node: i for i, node in enumerate(truth.nodes)}
    is_ordered = not truth.is_undirected
    n_nodes = len(place)
    strength, is_true = np.full((n_nodes, n_nodes), -np.inf), np.zeros((n_nodes, n_nodes), dtype=np.bool_)
    for edge, value in strengths(graph).items():
        for i, j in _cells(edge, place, is_ordered=is_ordered):
            strength[i, j] = max(strength[i, j], value)
    for edge in truth.edges:
        for i, j in _cells(edge, place, is_ordered=is_ordered):
            is_true[i, j] = True
    is_pair = ~np.eye(n_nodes, dtype=np.bool_) if is_ordered else np.triu(np.ones_like(is_true), k=1)
    n_pairs, n_true = int(is_pair.sum()), int(is_true[is_pair].sum())
    if n_true in (0, n_pairs):
        raise DataError(
            f"compare_ranking: the truth joins {n_true} of {n_pairs} pairs, so that any order is as good."
        )
    _, group = np.unique(-strength[is_pair], return_inverse=True)
    found = np.bincount(group, weights=is_true[is_pair]).astype(np.int64)
    return RankingComparison(
        n_pairs, n_true, np.append(0, np.cumsum(found)), np.append(0, np.cumsum(np.bincount(group) - found))
    )


def _cells(edge: Edge, place: Mapping[str, int], *, is_ordered: bool) -> Iterator[tuple[int, int]]:
    """The cells of a matrix of pairs that an edge stands for."""
    i, j = place[edge.source], place[edge.target]
    if i == j:
        return
    if not is_ordered:
        yield min(i, j), max(i, j)
        return
    yield i, j
    if edge.kind != "directed":
        yield j, i
