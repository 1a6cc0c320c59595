"""What one resample says about the edges: those that are there, and the directions that are sure."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from structlearn.data import Knowledge
from structlearn.graphs import Graph, equivalence
from structlearn.graphs.links import Links, Positions

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
    links = _sure_links(graph, knowledge, tuple(experiments)) if is_open else graph.links
    others = [links.lines, links.arcs, links.half_arrows, links.half_lines, links.open_lines]
    return Pattern(links.arrows, np.concatenate(others))


def _sure_links(dag: Graph, knowledge: Knowledge, experiments: Sequence[tuple[str, ...]]) -> Links:
    """Direct just what all DAGs of the class direct alike that honour the knowledge."""
    # No graph is made of the class of each resample: its edges as objects took longer than to find them.
    found = dag.to_cpdag(targets=experiments).links if experiments else equivalence.cpdag(dag.links)
    if not knowledge or not len(found.lines):
        return found
    nodes, arrows = dag.nodes, {(i, j) for i, j in dag.links.arrows.tolist()}
    known, lines = [], []
    for i, j in found.lines.tolist():
        if _is_decided(knowledge, nodes[i], nodes[j]):
            known.append((i, j) if (i, j) in arrows else (j, i))
        else:
            lines.append((i, j))
    if not known:
        return found
    arrows_now = np.concatenate([found.arrows, np.array(known, dtype=np.int64)])
    return equivalence.meek_closure(Links(found.n_nodes, arrows=arrows_now, lines=lines))


def _is_decided(knowledge: Knowledge, a: str, b: str) -> bool:
    required = {(a, b), (b, a)} & knowledge.required
    return bool(required) or knowledge.forbids(a, b) or knowledge.forbids(b, a)
