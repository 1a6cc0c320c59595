"""The answer to `graph.adjustment_sets(x, y)`: sets to adjust for, by name."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from structlearn.errors import DataError, OptionError
from structlearn.graphs.adjustment import Adjustment, Nodes
from structlearn.naming import listed

if TYPE_CHECKING:
    from structlearn.graphs.graph import Graph

OF_CLASSES = ("CPDAG", "PDAG", "undirected")
OF_SELECTION = ("undirected", "partially undirected")
Names = tuple[str, ...]


@dataclass(frozen=True)
class AdjustmentSets:
    """The sets to adjust for, so that a regression of `effects` on `causes` tells the effect.

    Iterating gives every valid set of which nothing can be left out, the smallest first.

    Parameters
    ----------
    graph : Graph
        A DAG, CPDAG, MAG or PAG.
    causes, effects : tuple of str
        Whose effect on what.
    adjustment : Adjustment
        The same by position.
    """

    graph: "Graph"
    causes: Names
    effects: Names
    adjustment: Adjustment

    @property
    def is_possible(self) -> bool:
        """Whether there may be an effect: some path may be directed from a cause to an effect."""
        return bool(self.adjustment.causal)

    @property
    def optimal(self) -> Names | None:
        """The valid set with the least variance in large tables (Henckel et al., 2022); None without one.

        None too where there is no effect, and in graphs with hidden causes.
        """
        return self._named(self.adjustment.optimal)

    @property
    def canonical(self) -> Names | None:
        """All possible ancestors of both that may be adjusted for; None where no set is valid."""
        return self._named(self.adjustment.canonical)

    @property
    def minimal(self) -> Names | None:
        """A part of the canonical set of which nothing can be left out."""
        return self._named(self.adjustment.minimal)

    def is_valid(self, given: str | Iterable[str]) -> bool:
        """Whether adjusting for a set gives the effect."""
        return self.adjustment.is_valid(self.graph._positions(given))  # noqa: SLF001, a part of the graph

    @property
    def reason(self) -> str:
        """Why no set is valid; empty where one is."""
        if self.adjustment.canonical is not None:
            return ""
        if self.adjustment.is_amenable:
            return "no set blocks all other paths between them"
        a, b = (self.graph.nodes[node] for node in self.adjustment.doubtful_steps[0])
        found = self.graph.edge(a, b) or self.graph.edge(b, a)
        if found is not None and found.kind == "directed":
            return f"{found} may have a hidden common cause besides"
        return f"{found} may be an effect of {a} or not"

    def __iter__(self) -> Iterator[Names]:
        found: list[Nodes] = []
        candidates = sorted(self.adjustment.canonical or ())
        sizes = range(len(candidates) + 1) if self.adjustment.canonical is not None else ()
        for size in sizes:
            for chosen in map(frozenset, combinations(candidates, size)):
                if not any(smaller <= chosen for smaller in found) and self.adjustment.is_valid(chosen):
                    found.append(chosen)
                    yield self._names(chosen)

    def __str__(self) -> str:
        of = f"the effect of {listed(self.causes)} on {listed(self.effects)}"
        if not self.is_possible:
            return f"There is no effect of {listed(self.causes)} on {listed(self.effects)}."
        if self.canonical is None:
            return f"No adjustment gives {of}: {self.reason}."
        best = self.optimal if self.optimal is not None else self.minimal
        return f"Adjusting for {listed(best) if best else 'nothing'} gives {of}."

    def _named(self, nodes: Nodes | None) -> Names | None:
        return None if nodes is None else self._names(nodes)

    def _names(self, nodes: Nodes) -> Names:
        return tuple(self.graph.nodes[node] for node in sorted(nodes))


def adjustment_sets(graph: "Graph", x: str | Iterable[str], y: str | Iterable[str]) -> AdjustmentSets:
    """The sets to adjust for; see `Graph.adjustment_sets`."""
    causes, effects = (graph._positions(nodes) for nodes in (x, y))  # noqa: SLF001, a part of the graph
    if causes & effects or not causes or not effects:
        raise OptionError("adjustment_sets: causes and effects are different nodes, at least one of each.")
    hides_causes = graph.kind in {"MAG", "PAG"}
    adjustment = Adjustment(
        graph.links,
        graph.to_mag().links if hides_causes else _dag(graph).links,
        frozenset(causes),
        frozenset(effects),
        hides_causes,
    )
    if hides_causes:
        _refuse_selection(graph)
    named = [tuple(graph.nodes[node] for node in sorted(nodes)) for nodes in (causes, effects)]
    return AdjustmentSets(graph, causes=named[0], effects=named[1], adjustment=adjustment)


def _dag(graph: "Graph") -> "Graph":
    if graph.kind == "DAG":
        return graph
    if graph.kind in OF_CLASSES and graph.to_cpdag() == graph:
        return graph.to_dag()
    advice = "take its to_cpdag()" if graph.kind in OF_CLASSES else "take its to_mag()"
    kind = "undirected graph" if graph.kind == "undirected" else f"{graph.kind} graph"
    raise DataError(f"Effects are told by a DAG, CPDAG, MAG or PAG, and this {kind} is none: {advice}.")


def _refuse_selection(graph: "Graph") -> None:
    line = next((edge for edge in graph.edges if edge.kind in OF_SELECTION), None)
    if line is not None:
        raise DataError(
            f"Effects are not told by adjustment where rows were selected, and {line} says that they may "
            "have been. Learn with selection=False, if they were not."
        )
