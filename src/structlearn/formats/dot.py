"""DOT, the language of Graphviz: a graph without distributions.

The marks of an edge are drawn: an arrow, nothing for a tail (`--`, or `dir=none`), `odot` for a circle.
Facts about a node are its attribute `facts`, as JSON, and stand beside it in a picture; so are the weight,
the p-value and the confidence of an edge, not in a picture: to Graphviz a `weight` is how straight to draw
it. The kind of the graph is the attribute `kind`. Groups in braces and chains are understood; what only
concerns the drawing is read over.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product
from typing import Any

from structlearn.errors import DataError
from structlearn.formats.content import Content, graph_of
from structlearn.formats.dot_scanner import DotScanner
from structlearn.graphs import Edge, Graph
from structlearn.graphs.edge import SYMMETRIC
from structlearn.graphs.edge_table import KNOWN
from structlearn.graphs.facts import NOTHING, plain, said
from structlearn.graphs.graphviz_marks import looks, mark_of
from structlearn.graphs.kinds import KINDS

DEEPEST = 64
# A group of k nodes and one of m have k · m edges; so many take a second, and a larger graph lists its edges.
MOST_BETWEEN_GROUPS = 200_000
READ = ("dir", "arrowhead", "arrowtail", "facts")

_ENTITY = re.compile("&(?=#?[A-Za-z0-9]+;)")


def read(text: str) -> Graph:
    """Make a graph of the text of a DOT file."""
    scanner = DotScanner(text)
    if scanner.keyword() == "strict":
        scanner.name("'strict'")
    if scanner.keyword() not in {"graph", "digraph"}:
        raise scanner.error(f"expected 'graph' or 'digraph', found {scanner.ahead()}.")
    scanner.name("'graph'")
    if not scanner.accept("{"):
        scanner.identifier("the name of the graph or '{'")
        scanner.expect("{")
    reader = _Reader(scanner)
    reader.group({}, depth=1)
    if not scanner.at_end:
        raise scanner.error(f"expected the end of the file, found {scanner.ahead()}.")
    kind = next((kind for kind in KINDS if reader.kind == kind), None)
    return Graph(reader.nodes, edges=reader.edges.values(), kind=kind, facts=reader.facts)


def write(thing: Content) -> str:
    """Give a graph, or the graph of a model, as DOT."""
    return dot_text(graph_of(thing))


def dot_text(graph: Graph) -> str:
    r"""Give a graph as DOT: a `graph` where all edges are undirected, otherwise a `digraph`.

    Examples
    --------
    >>> print(dot_text(Graph(["a", "b c"], directed=[("a", "b c")])), end="")
    digraph {
      "a";
      "b c";
      "a" -> "b c";
    }
    """
    word = "graph" if graph.is_undirected else "digraph"
    lines = [] if graph.given_kind is None else [f'  kind="{graph.given_kind}";']
    lines += [f"  {_quoted(node)}{_facts(graph.facts.get(node, NOTHING))};" for node in graph.nodes]
    lines += [f"  {_statement(edge, arrow='--' if word == 'graph' else '->')};" for edge in graph.edges]
    return "\n".join([f"{word} {{", *lines, "}", ""])


class _Reader:
    """Gathers the nodes and edges of the statements of a file."""

    def __init__(self, scanner: DotScanner) -> None:
        self.nodes: dict[str, None] = {}
        self.edges: dict[object, Edge] = {}
        self.facts: dict[str, Any] = {}
        self.kind = ""
        self._scanner = scanner
        self._n_between_groups = 0

    def group(self, defaults: Mapping[str, str], *, depth: int) -> list[str]:
        """Read statements up to the closing brace, and give the nodes in them."""
        scanner = self._scanner
        if depth > DEEPEST:
            raise scanner.error("the groups nest too deeply.")
        found: dict[str, None] = {}
        while not scanner.accept("}"):
            if scanner.accept(";") or scanner.accept(","):
                continue
            word = scanner.keyword()
            if word in {"graph", "node", "edge"}:
                scanner.name(word)
                new = self._attributes()
                defaults = {**defaults, **new} if word == "edge" else defaults
            else:
                found |= dict.fromkeys(self._statement(defaults, depth))
        return list(found)

    def _statement(self, defaults: Mapping[str, str], depth: int) -> list[str]:
        """Read a node, a group, a chain of edges or the setting of an attribute."""
        scanner = self._scanner
        ends = [self._end(defaults, depth)]
        if scanner.accept("="):
            value = scanner.identifier("a value")
            self.kind = value if depth == 1 and ends == [["kind"]] else self.kind
            return []
        self.nodes |= dict.fromkeys(ends[0])
        arrows: list[str] = []
        place = scanner.place
        while arrow := scanner.arrow():
            arrows.append(arrow)
            ends.append(self._end(defaults, depth))
            self.nodes |= dict.fromkeys(ends[-1])
        own = self._attributes()
        if "facts" in own and not arrows:
            if len(ends[0]) != 1:
                raise scanner.error("facts belong to one node each, not to a group.", place=place)
            self.facts |= dict.fromkeys(ends[0], self._read_facts(own["facts"], place))
        known = {**defaults, **own}
        self._count(ends, place)
        for arrow, sources, targets in zip(arrows, ends, ends[1:], strict=False):
            drawn = {"dir": "none" if arrow == "--" else "forward", **known}
            self._join(sources, targets, drawn, place=place)
        return [name for names in ends for name in names]

    def _end(self, defaults: Mapping[str, str], depth: int) -> list[str]:
        """Read what an edge may end in: a node, perhaps with a port, or a group."""
        scanner = self._scanner
        if scanner.keyword() == "subgraph":
            scanner.name("'subgraph'")
            if not scanner.accept("{"):
                scanner.identifier("the name of a group or '{'")
                scanner.expect("{")
            return self.group(defaults, depth=depth + 1)
        if scanner.accept("{"):
            return self.group(defaults, depth=depth + 1)
        if scanner.keyword():
            raise scanner.error(
                f"expected a node, found {scanner.ahead()}; a node of that name needs quotes."
            )
        name = scanner.identifier("a node or '}'")
        while scanner.accept(":"):
            scanner.identifier("a port")
        return [name]

    def _read_facts(self, text: str, place: int) -> Any:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            raise self._scanner.error(
                f"the facts of a node or an edge should be JSON, not {text!r}.", place=place
            ) from None

    def _read_numbers(self, text: str, place: int) -> dict[str, Any]:
        """What is known about an edge."""
        found = self._read_facts(text, place)
        if not isinstance(found, dict) or not set(found) <= set(KNOWN):
            raise self._scanner.error(
                f"the facts of an edge have values for {', '.join(KNOWN)}, not {text!r}.", place=place
            )
        return found

    def _attributes(self) -> dict[str, str]:
        """Read lists in square brackets, and give what they say about arrow heads and facts."""
        scanner = self._scanner
        found: dict[str, str] = {}
        while scanner.accept("["):
            while not scanner.accept("]"):
                name = scanner.identifier("an attribute or ']'")
                value = scanner.identifier("a value") if scanner.accept("=") else "true"
                if name in READ:
                    found[name] = value
                if not scanner.accept(","):
                    scanner.accept(";")
        return found

    def _count(self, ends: Sequence[Sequence[str]], place: int) -> None:
        """Refuse groups that are joined by too many edges, before the first of these is made."""
        numbers = [len(sources) * len(targets) for sources, targets in pairwise(ends)]
        self._n_between_groups += sum(number for number in numbers if number > 1)
        if self._n_between_groups > MOST_BETWEEN_GROUPS:
            raise self._scanner.error(
                f"groups are joined by more than {MOST_BETWEEN_GROUPS:,} edges.", place=place
            )

    def _join(
        self, sources: Sequence[str], targets: Sequence[str], drawn: Mapping[str, str], *, place: int
    ) -> None:
        at_target = mark_of(drawn.get("arrowhead")) if drawn["dir"] in {"forward", "both"} else "-"
        at_source = mark_of(drawn.get("arrowtail")) if drawn["dir"] in {"back", "both"} else "-"
        numbers = self._read_numbers(drawn["facts"], place) if "facts" in drawn else {}
        for source, target in product(sources, targets):
            edge = self._known(Edge.of_marks(source, at_source, at_target, target), numbers, place)
            if source == target and edge.kind != "directed":
                raise self._scanner.error(f"an edge from {source!r} to itself has one arrow.", place=place)
            ends = frozenset((source, target)) if edge.kind in SYMMETRIC else (edge.source, edge.target)
            self.edges[edge.kind, ends] = edge

    def _known(self, edge: Edge, numbers: Mapping[str, Any], place: int) -> Edge:
        try:
            return replace(edge, **numbers) if numbers else edge
        except DataError as error:
            raise self._scanner.error(f"{error}", place=place) from None


def _statement(edge: Edge, *, arrow: str) -> str:
    drawn = [] if arrow == "--" else [f"{name}={value}" for name, value in looks(edge).items()]
    numbers = {name: float(value) for name in KNOWN if (value := getattr(edge, name)) is not None}
    drawn += [f"facts={_quoted(json.dumps(numbers))}"] if numbers else []
    shown = f" [{', '.join(drawn)}]" if drawn else ""
    return f"{_quoted(edge.source)} {arrow} {_quoted(edge.target)}{shown}"


def _facts(facts: Mapping[str, Any]) -> str:
    if not facts:
        return ""
    return f" [facts={_quoted(json.dumps(plain(facts)))}, xlabel={_quoted(said(facts))}]"


def _quoted(name: str) -> str:
    # Graphviz would break the label at a backslash, decode an entity, and take a leading % for no name.
    escaped = _ENTITY.sub("&amp;", name).replace("\\", "\\\\").replace('"', '\\"')
    return f'"&#37;{escaped[1:]}"' if escaped.startswith("%") else f'"{escaped}"'
