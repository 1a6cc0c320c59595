"""What one resample says about the edges: those that are there, and the directions that are sure."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

import numpy as np

from structlearn.data import Knowledge
from structlearn.graphs import Graph
from structlearn.graphs.links import Positions

Directions = Literal["class", "graph"]


class Pattern(NamedTuple):
    """The edges of a graph by the positions of its nodes, a row (source, target) for each."""

    arrows: Positions
    lines: Positions

    @property
    def n_edges(self) -> int:
        """How many edges there are."""
        return len(self.arrows) + len(self.lines)


def pattern_of(
    graph: Graph,
    knowledge: Knowledge,
    directions: Directions,
    experiments: Iterable[tuple[str, ...]] = (),
) -> Pattern:
    """The edges of a learnt graph; of a DAG, by default, with the directions of its class only.

    The arrows of a PAG are sure as they are. Its other edges, with circles or two arrows, count as lines.
    """
    is_open = directions == "class" and graph.is_dag and graph.given_kind not in {"MAG", "PAG"}
    links = (_sure_part(graph, knowledge, experiments) if is_open else graph).links
    others = [links.lines, links.arcs, links.half_arrows, links.half_lines, links.open_lines]
    return Pattern(links.arrows, np.concatenate(others))


def _sure_part(dag: Graph, knowledge: Knowledge, experiments: Iterable[tuple[str, ...]]) -> Graph:
    """Direct just what all DAGs of the class direct alike that honour the knowledge."""
    cpdag = dag.to_cpdag(targets=experiments)
    arrows = set(dag.directed)
    known = [
        (a, b) if (a, b) in arrows else (b, a)
        for a, b in (cpdag.undirected if knowledge else ())
        if _is_decided(knowledge, a, b)
    ]
    if not known:
        return cpdag
    lines = [(a, b) for a, b in cpdag.undirected if (a, b) not in known and (b, a) not in known]
    return Graph(dag.nodes, directed=[*cpdag.directed, *known], undirected=lines).meek_closure()


def _is_decided(knowledge: Knowledge, a: str, b: str) -> bool:
    required = {(a, b), (b, a)} & knowledge.required
    return bool(required) or knowledge.forbids(a, b) or knowledge.forbids(b, a)
