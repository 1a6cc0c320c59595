"""Pairs of a graph in time, which says once what holds at every time: a pair of the past is one of now."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.graphs.facts import NOTHING
from structlearn.graphs.lags import lagged_name
from structlearn.why.ways import said_apart, shortest_way, turned


class Moment(NamedTuple):
    """A variable so many steps ago; fewer than 0 are later than now."""

    variable: str
    lag: int

    def later(self, steps: int) -> "Moment":
        """The variable so many steps later."""
        return Moment(self.variable, self.lag - steps)


@dataclass(frozen=True)
class InTime:
    """A graph whose nodes are variables now and some steps ago, with edges that all reach now."""

    graph: Graph
    moments: Mapping[str, Moment]

    @classmethod
    def of(cls, graph: Graph) -> "InTime | None":
        """The graph in time; None where it is no such graph."""
        facts = {node: graph.facts.get(node, NOTHING) for node in graph.nodes}
        if not facts or not all({"variable", "lag"} <= known.keys() for known in facts.values()):
            return None
        moments = {node: Moment(known["variable"], known["lag"]) for node, known in facts.items()}
        if any(moments[edge.source].lag and moments[edge.target].lag for edge in graph.edges):
            return None
        return cls(graph, moments)

    def moved(self, a: str, b: str) -> tuple[str, str]:
        """The pair as many steps later as let the later of both be now."""
        steps = min(self.moments[a].lag, self.moments[b].lag)
        return self._name(self.moments[a].later(steps)), self._name(self.moments[b].later(steps))

    def orders(self, a: str, b: str) -> bool:
        """Whether one node comes before the other."""
        return self.moments[a].lag > self.moments[b].lag

    def ordered(self, of_class: Graph) -> Graph:
        """The class of those DAGs in which time directs what it can, of a class of the graph."""
        arrows = [(a, b) for line in of_class.undirected for a, b in (line, line[::-1]) if self.orders(a, b)]
        lines = [(a, b) for a, b in of_class.undirected if not self.orders(a, b) and not self.orders(b, a)]
        return Graph(of_class.nodes, directed=[*of_class.directed, *arrows], undirected=lines).meek_closure()

    def said_of_absence(self, a: str, b: str) -> Iterator[str]:
        """What makes two nodes independent, the later of them now, and the shortest way between them."""
        steps = min(self.moments[a].lag, self.moments[b].lag)
        start, end = self.moments[a].later(steps), self.moments[b].later(steps)
        yield from said_apart(shortest_way(start, end, self._steps, self._name), self._separator(start, end))

    def _steps(self, here: Moment) -> Iterator[tuple[Moment, str]]:
        for edge in self.graph.edges:
            source, target = self.moments[edge.source], self.moments[edge.target]
            ends = [(target, source, turned(edge.sign)), (source, target, edge.sign)]
            for near, far, sign in ends:
                there = far.later(near.lag - here.lag)
                if near.variable == here.variable and abs(there.lag) <= self.furthest:
                    yield there, sign

    def _separator(self, first: Moment, second: Moment) -> tuple[str, ...] | None:
        """The parents of one that is no cause of the other; fewer of them may do."""
        a, b = self._name(first), self._name(second)
        try:
            dag = self.graph.to_dag()
        except DataError:
            return None  # no DAG has these arrows and lines
        is_later = second.lag > 0 or (first.lag == 0 and b in dag.ancestors(a))
        return dag.parents(a if is_later else b)

    @cached_property
    def furthest(self) -> int:
        """How many steps a way may leave now: no variable need be passed twice at the longest lag."""
        lags = [moment.lag for moment in self.moments.values()]
        return max(lags) * (1 + lags.count(0))

    def _name(self, moment: Moment) -> str:
        return self._names.get(moment) or lagged_name(*moment)

    @cached_property
    def _names(self) -> Mapping[Moment, str]:
        return {moment: node for node, moment in self.moments.items()}
