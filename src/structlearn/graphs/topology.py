"""The shape of a network: degrees, clustering, distances, components, hubs, small worlds."""

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs import measures
from structlearn.graphs.graph import Graph
from structlearn.graphs.links import Positions
from structlearn.graphs.measures import Distances
from structlearn.graphs.small_world import Baseline, analytic_baseline, drawn_sources, rewired_baseline
from structlearn.options import Between, Flag, OneOf, OrNone, Rules, Whole, check_options
from structlearn.options.seeds import generator_of

On = Literal["all", "largest_component"]
Measured = tuple[Graph, Positions, tuple[int, ...]]

RULES: Rules = {
    "on": OneOf(("all", "largest_component"), "the part of the graph to measure"),
    "n_sources": OrNone(Whole(1, "how many random nodes to measure distances from"), "from all"),
    "n_random": Whole(0, "how many rewired graphs to compare with, 0 for the analytic limits"),
    "hub_quantile": Between(0, 1, "the quantile of the degrees from which on a node is a hub"),
    "count_low_degree": Flag("whether nodes with less than two neighbours count in the clustering"),
}


@dataclass(frozen=True, eq=False)
class Topology:
    """The measures of an undirected graph; any other graph is measured on its skeleton.

    Attributes
    ----------
    nodes : tuple of str
        The nodes measured; the arrays below follow them.
    degrees, in_degrees, out_degrees : array of int
        The edges at each node, the arrows into it and the arrows out of it.
    clustering : array of float
        The share of the pairs of a node's neighbours that are joined, 0 with less than two.
    average_clustering, transitivity : float
        The mean of that over nodes, and three times the triangles by the paths of two edges.
    distances : Distances
        How many ordered pairs of nodes are how far apart.
    component_sizes : tuple of int
        The nodes in each connected component, the largest first.
    hubs : tuple of str
        The nodes with the largest degrees, those first.
    assortativity : float
        The correlation of the degrees at both ends of an edge, NaN where all are equal.
    sigma, omega : float
        The small-world coefficients: above 1, and near 0, in a small world.
    is_sampled : bool
        Whether distances were measured from some nodes only: then `diameter` may be too small.
    """

    nodes: tuple[str, ...]
    n_edges: int
    degrees: Positions = field(repr=False)
    in_degrees: Positions = field(repr=False)
    out_degrees: Positions = field(repr=False)
    clustering: NDArray[np.float64] = field(repr=False)
    average_clustering: float
    transitivity: float
    distances: Distances = field(repr=False)
    component_sizes: tuple[int, ...] = field(repr=False)
    hubs: tuple[str, ...]
    assortativity: float
    sigma: float
    omega: float
    is_sampled: bool

    @property
    def n_nodes(self) -> int:
        """The number of nodes measured."""
        return len(self.nodes)

    @property
    def density(self) -> float:
        """The share of the pairs of nodes that are joined, NaN with less than two nodes."""
        n_pairs = self.n_nodes * (self.n_nodes - 1) // 2
        return self.n_edges / n_pairs if n_pairs else math.nan

    @property
    def is_connected(self) -> bool:
        """Whether a path joins every two nodes; otherwise path lengths are of the connected pairs."""
        return len(self.component_sizes) <= 1

    @property
    def diameter(self) -> float:
        """The longest distance; infinite where the graph is not connected, NaN with less than two nodes."""
        return self.distances.longest

    @property
    def average_path_length(self) -> float:
        """The mean distance of connected pairs."""
        return self.distances.average

    @property
    def global_efficiency(self) -> float:
        """The mean of 1 / distance over all pairs, 0 where there is no path."""
        return self.distances.efficiency

    @property
    def degree_distribution(self) -> dict[int, float]:
        """The share of the nodes that have each degree that occurs."""
        found, counts = np.unique(self.degrees, return_counts=True)
        return {int(k): float(n) / self.n_nodes for k, n in zip(found, counts, strict=True)}

    @property
    def degree_tail(self) -> dict[int, float]:
        """The share of the nodes with at least each degree that occurs."""
        return {k: float((self.degrees >= k).mean()) for k in self.degree_distribution}

    @property
    def clustering_by_degree(self) -> dict[int, float]:
        """The mean clustering of the nodes of each degree that occurs."""
        return measures.by_degree(self.clustering, self.degrees)

    def __str__(self) -> str:
        connected = "connected" if self.is_connected else f"{len(self.component_sizes)} components"
        mean_degree = measures.mean(self.degrees.astype(np.float64))
        sampled = " (from some nodes)" if self.is_sampled else ""
        return "\n".join(
            [
                f"Topology of {self.n_nodes} nodes and {self.n_edges} edges, {connected}",
                f"  degree       mean {mean_degree:.3g}, largest {self.degrees.max(initial=0)}, "
                f"assortativity {self.assortativity:.3f}",
                f"  clustering   average {self.average_clustering:.3f}, transitivity {self.transitivity:.3f}",
                f"  paths        average {self.average_path_length:.3f}, diameter {self.diameter:g}, "
                f"efficiency {self.global_efficiency:.3f}{sampled}",
                f"  small world  sigma {self.sigma:.3f}, omega {self.omega:.3f}",
                f"  hubs         {', '.join(self.hubs[:8])}" + (" …" if len(self.hubs) > 8 else ""),
            ]
        )


def topology(
    graph: Graph,
    *,
    on: On = "all",
    n_sources: int | None = None,
    n_random: int = 0,
    hub_quantile: float = 0.95,
    count_low_degree: bool = True,
    random_state: int | np.random.Generator | None = None,
) -> Topology:
    """Measure the shape of a graph: degrees, clustering, distances, components, hubs, small world.

    Parameters
    ----------
    graph : Graph
        Directions count for in- and out-degrees only.
    on : "all" or "largest_component", default "all"
        What to measure. Where all of a graph is not connected, its diameter is infinite and its
        path lengths are those of connected pairs.
    n_sources : int or None, default None
        How many random nodes to measure distances from, for graphs of a hundred thousand nodes.
    n_random : int, default 0
        How many rewired graphs, in which every node keeps its degree, `sigma` and `omega` compare
        with. With 0 they take the limits for a random graph and a ring of the same mean degree.
    hub_quantile : float, default 0.95
        The quantile of the degrees from which on a node is a hub.
    count_low_degree : bool, default True
        Whether nodes with less than two neighbours count, as 0, in the average clustering.
    random_state : int, numpy Generator or None, default None
        Reproduces the draws of sources and of rewired graphs.

    Examples
    --------
    >>> import structlearn as sl
    >>> from structlearn.graphs.topology import topology
    >>> paw = sl.Graph("abcd", undirected=["ab", "bc", "ac", "cd"])
    >>> found = topology(paw)
    >>> found.transitivity, found.diameter
    (0.6, 2.0)
    """
    options: dict[str, object] = {"on": on, "n_sources": n_sources, "n_random": n_random}
    options |= {"hub_quantile": hub_quantile, "count_low_degree": count_low_degree}
    check_options("topology", RULES, options)
    generator = generator_of("topology", random_state)
    return _shape(
        _measured(graph, on),
        generator,
        n_sources=n_sources,
        n_random=n_random,
        hub_quantile=hub_quantile,
        count_low_degree=count_low_degree,
    )


def _shape(
    measured: Measured,
    generator: np.random.Generator,
    *,
    n_sources: int | None,
    n_random: int,
    hub_quantile: float,
    count_low_degree: bool,
) -> Topology:
    graph, pairs, sizes = measured
    n_nodes = len(graph)
    local = measures.clustering(pairs, n_nodes)
    degrees = np.bincount(pairs.ravel(), minlength=n_nodes)
    average = measures.mean(local if count_low_degree else local[degrees >= 2])
    sources = drawn_sources(n_nodes, n_sources, generator)
    distances = measures.distances(pairs, n_nodes, sources)
    baseline = _baseline(pairs, n_nodes, n_random=n_random, n_sources=n_sources, generator=generator)
    return Topology(
        nodes=graph.nodes,
        n_edges=len(pairs),
        degrees=degrees,
        in_degrees=np.bincount(graph.links.arrows[:, 1], minlength=n_nodes),
        out_degrees=np.bincount(graph.links.arrows[:, 0], minlength=n_nodes),
        clustering=local,
        average_clustering=average,
        transitivity=measures.transitivity(pairs, n_nodes) if n_nodes else math.nan,
        distances=distances,
        component_sizes=sizes,
        hubs=_hubs(graph.nodes, degrees, hub_quantile),
        assortativity=measures.assortativity(pairs, n_nodes),
        sigma=baseline.sigma(average, distances.average),
        omega=baseline.omega(average, distances.average),
        is_sampled=sources is not None,
    )


def _measured(graph: Graph, on: On) -> Measured:
    """Give what is to be measured: the graph, its joined pairs, the sizes of its components."""
    pairs = graph.links.pairs()
    component = measures.components(pairs, len(graph))
    counts = np.bincount(component)
    sizes = tuple(sorted(counts.tolist(), reverse=True))
    if on == "all" or len(sizes) <= 1:
        return graph, pairs, sizes
    kept = np.flatnonzero(component == counts.argmax())
    largest = graph.subgraph(graph.nodes[i] for i in kept)
    return largest, largest.links.pairs(), sizes[:1]


def _baseline(
    pairs: Positions,
    n_nodes: int,
    *,
    n_random: int,
    n_sources: int | None,
    generator: np.random.Generator,
) -> Baseline:
    if n_random == 0:
        return analytic_baseline(n_nodes, len(pairs))
    return rewired_baseline(pairs, n_nodes, n_random=n_random, n_sources=n_sources, generator=generator)


def _hubs(nodes: tuple[str, ...], degrees: Positions, quantile: float) -> tuple[str, ...]:
    if not degrees.any():
        return ()
    least = max(1.0, float(np.quantile(degrees, quantile)))
    order = np.argsort(-degrees, kind="stable")
    return tuple(nodes[i] for i in order if degrees[i] >= least)
