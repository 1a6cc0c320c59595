"""What one resample says about the edges: those that are there, and the directions that are sure."""

from typing import Literal, NamedTuple

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


def pattern_of(graph: Graph, knowledge: Knowledge, directions: Directions) -> Pattern:
    """The edges of a learnt graph; of a DAG, by default, with the directions of its class only."""
    counted = _sure_part(graph, knowledge) if directions == "class" and graph.is_dag else graph
    return Pattern(counted.links.arrows, counted.links.lines)


def _sure_part(dag: Graph, knowledge: Knowledge) -> Graph:
    """Direct just what all DAGs of the class direct alike that honour the knowledge."""
    cpdag = dag.to_cpdag()
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
