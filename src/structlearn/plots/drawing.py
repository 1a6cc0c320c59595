"""What a person may say about a picture of a graph, checked beside the graph."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypedDict, get_args

from structlearn.errors import DataError, OptionError
from structlearn.graphs import Edge, Graph
from structlearn.graphs.compare import Verdict, verdicts
from structlearn.graphs.facts import NOTHING
from structlearn.graphs.ranking import weight_strength
from structlearn.naming import has_no, no_such
from structlearn.options import Above, Either, Instance, OneOf, OrNone, Rules, check_options

Layout = Literal["auto", "dot", "sfdp", "circo", "neato"]
Direction = Literal["down", "right", "up", "left"]
Measure = Literal["confidence", "weight", "p_value"]
LAYOUTS: tuple[Layout, ...] = get_args(Layout)
MEASURES: tuple[Measure, ...] = get_args(Measure)
GROUPING = ("group", "module", "class", "lag")


class PlotOptions(TypedDict, total=False):
    """The options of `Graph.plot`; `structlearn.plots.plot_graph` says what each means."""

    layout: Layout
    direction: Direction | None
    size: float | tuple[float, float] | None
    highlight: str | Iterable[str | tuple[str, str]]
    groups: str | Mapping[str, Iterable[str]] | None
    labels: Measure | None
    threshold: float | None


@dataclass(frozen=True)
class TwoNumbers:
    """A pair of numbers, both larger than 0."""

    meaning: str = ""
    allowed: str = "(width, height) of two numbers larger than 0"

    def accepts(self, value: Any) -> bool:
        """Whether `value` is one."""
        return isinstance(value, tuple | list) and len(value) == 2 and all(map(Above(0).accepts, value))


@dataclass(frozen=True)
class NodesAndEdges:
    """A name, or several names and pairs of names."""

    meaning: str = ""
    allowed: str = "a name, or a list of names and of pairs of names for edges"

    def accepts(self, value: Any) -> bool:
        """Whether `value` is one."""
        return isinstance(value, str) or (isinstance(value, Iterable) and not isinstance(value, Mapping))


NAMES_BY_TITLE = "which nodes belong together: the name of a fact, or names by title"
RULES: Rules = {
    "layout": OneOf(LAYOUTS, "how the nodes are placed"),
    "direction": OrNone(OneOf(get_args(Direction), "which way the layers run"), "as fits, mostly down"),
    "size": OrNone(
        Either((Above(0), TwoNumbers()), "the inches that the picture fits into"), "as large as names need"
    ),
    "highlight": NodesAndEdges("what stands out"),
    "groups": OrNone(Either((Instance(str), Instance(Mapping)), NAMES_BY_TITLE), "by the facts of the nodes"),
    "labels": OrNone(OneOf(MEASURES, "what is written at each edge"), "nothing"),
    "threshold": OrNone(Above(0, "how strong an edge must be to be drawn"), "all are drawn"),
}


@dataclass(frozen=True)
class Drawing:
    """A graph with what is asked of its picture: only what is to be drawn is left in it."""

    graph: Graph
    truth: Graph | None
    verdicts: Mapping[frozenset[str], Verdict]
    layout: Layout
    direction: Direction | None
    size: tuple[float, float] | None
    nodes: frozenset[str]
    pairs: frozenset[frozenset[str]]
    groups: Mapping[str, Sequence[str]]
    labels: Measure | None

    @classmethod
    def of(cls, graph: Graph, truth: Graph | None = None, **options: Any) -> "Drawing":
        """Check every option beside the graph."""
        for given in (graph, truth):
            if given is not None and not isinstance(given, Graph):
                raise OptionError(f"plot: this draws a Graph, not a {type(given).__name__}.")
        _check(options)
        layout, direction = options.get("layout", "auto"), options.get("direction")
        if direction is not None and layout not in {"auto", "dot"}:
            raise OptionError(
                f"plot(direction={direction!r}): layout {layout!r} has no direction; use layout='dot'."
            )
        size, labels = options.get("size"), options.get("labels")
        if labels is not None:
            _refuse_unknown_measure(graph, labels, f"labels={labels!r}")
        nodes, pairs = _highlighted(graph, options.get("highlight", ()))
        drawn = _strong_part(graph, options.get("threshold"), labels)
        return cls(
            graph=drawn,
            truth=truth,
            verdicts={} if truth is None else verdicts(drawn, truth),
            layout="dot" if direction is not None else layout,
            direction=direction,
            size=(size, size) if isinstance(size, int | float) else size,
            nodes=nodes,
            pairs=pairs,
            groups=_grouped(graph, options.get("groups")),
            labels=labels,
        )

    @cached_property
    def columns_of_time(self) -> Sequence[Sequence[str]]:
        """The nodes of each lag, the furthest back first; none where the graph is not in time."""
        facts = [self.graph.facts.get(node, NOTHING) for node in self.graph.nodes]
        if not facts or not all({"variable", "lag"} <= known.keys() for known in facts):
            return ()
        by_lag: dict[int, list[str]] = {}
        for node, known in zip(self.graph.nodes, facts, strict=True):
            by_lag.setdefault(known["lag"], []).append(node)
        return [by_lag[lag] for lag in sorted(by_lag, reverse=True)]


def usual_labels(graph: Graph) -> Measure | None:
    """Confidence, where it is known: what a report and the command line write at edges."""
    return "confidence" if any(edge.confidence is not None for edge in graph.edges) else None


def _check(options: Mapping[str, Any]) -> None:
    unknown = next((name for name in options if name not in RULES), None)
    if unknown is not None:
        raise OptionError(has_no("plot", "option", unknown, RULES))
    check_options("plot", RULES, options)


def _refuse_unknown_measure(graph: Graph, measure: Measure, typed: str) -> None:
    if graph.edges and all(getattr(edge, measure) is None for edge in graph.edges):
        known = [each for each in MEASURES if any(getattr(edge, each) is not None for edge in graph.edges)]
        there = f"they have {' and '.join(known)}" if known else "nothing is known about them"
        raise DataError(f"plot({typed}): no edge of this graph has a {measure}; {there}.")


def _strong_part(graph: Graph, threshold: float | None, labels: Measure | None) -> Graph:
    """The graph without the edges that are weaker than the threshold, by the first measure that is known."""
    if threshold is None or not graph.edges:
        return graph
    known = (each for each in MEASURES if any(getattr(edge, each) is not None for edge in graph.edges))
    measure = labels or next(known, None)
    if measure is None:
        raise DataError(
            f"plot(threshold={threshold:g}): no edge of this graph has a confidence, weight or p_value, so "
            "none is stronger than another."
        )
    edges = [edge for edge in graph.edges if _is_strong(graph, edge, measure, threshold)]
    drawn = Graph.from_edges(graph.nodes, edges, facts=graph.facts)
    return drawn if graph.record is None else drawn.with_record(graph.record)


def _is_strong(graph: Graph, edge: Edge, measure: Measure, threshold: float) -> bool:
    value = weight_strength(graph, edge) if measure == "weight" else getattr(edge, measure)
    if value is None:
        return False
    return bool(value <= threshold if measure == "p_value" else value >= threshold)


def _highlighted(graph: Graph, wanted: Any) -> tuple[frozenset[str], frozenset[frozenset[str]]]:
    entries = [wanted] if isinstance(wanted, str) else list(wanted)
    names = [entry for entry in entries if isinstance(entry, str)]
    pairs = [entry for entry in entries if isinstance(entry, tuple | list) and len(entry) == 2]
    other = next((entry for entry in entries if entry not in names and entry not in pairs), None)
    if other is not None:
        raise OptionError(f"plot(highlight=…): {other!r} is neither a name nor a pair of names.")
    for name in [*names, *(end for pair in pairs for end in pair)]:
        _refuse_unknown_node(graph, name, "highlight")
    joined = {frozenset((edge.source, edge.target)) for edge in graph.edges}
    for pair in map(frozenset, pairs):
        if pair not in joined:
            ends = " and ".join(map(repr, sorted(pair)))
            raise OptionError(f"plot(highlight=…): there is no edge between {ends}.")
    return frozenset(names), frozenset(map(frozenset, pairs))


def _grouped(graph: Graph, groups: str | Mapping[str, Iterable[str]] | None) -> dict[str, list[str]]:
    """The names in each group, by its title: as given, or by the first fact that groups nodes."""
    if isinstance(groups, Mapping):
        return _checked_groups(graph, groups)
    if groups is not None:
        found = _by_fact(graph, groups)
        if not found:
            known = sorted({fact for facts in graph.facts.values() for fact in facts})
            raise OptionError(no_such("fact", groups, known, owner="plot(groups=…)"))
        return found
    return next((found for fact in GROUPING if (found := _by_fact(graph, fact))), {})


def _by_fact(graph: Graph, fact: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in graph.nodes:
        value = graph.facts.get(name, NOTHING).get(fact)
        if isinstance(value, str | int):
            found.setdefault(str(value) if fact == "group" else f"{fact} {value}", []).append(name)
    return found


def _checked_groups(graph: Graph, groups: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    title_of: dict[str, str] = {}
    found = {
        str(title): [names] if isinstance(names, str) else list(names) for title, names in groups.items()
    }
    for title, names in found.items():
        for name in names:
            _refuse_unknown_node(graph, name, "groups")
            if title_of.setdefault(name, title) != title:
                raise OptionError(f"plot(groups=…): {name!r} is in {title_of[name]!r} and in {title!r}.")
    return found


def _refuse_unknown_node(graph: Graph, name: Any, option: str) -> None:
    if not isinstance(name, str) or name not in graph:
        raise OptionError(no_such("node", name, graph.nodes, owner=f"plot({option}=…)"))
