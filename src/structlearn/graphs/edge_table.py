"""Graphs as tables of edges: a row for each, with its ends, its sign and what is known about it.

The ends are in columns such as `from` and `to`, which make arrows, or `a` and `b`, which make lines, unless a
column such as `edge` has signs (`-->`, `---`, `<->`, `o->`, `o-o`, `--o`) or kinds. Without one, two arrows
between the same nodes, one each way, are a line. A row with nothing at its second end is a node that may have
no edge.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from structlearn.errors import DataError, DataNote, DataTypeError, OptionError, needing, warn
from structlearn.graphs.edge import FORMS, SYMMETRIC, Edge, EdgeKind
from structlearn.graphs.edge_text import edge_of_parts
from structlearn.naming import listed
from structlearn.rounding import LARGEST_WHOLE

if TYPE_CHECKING:
    from structlearn.graphs.structure import Structure

ARROWS = (
    ("from", "to"),
    ("source", "target"),
    ("parent", "child"),
    ("cause", "effect"),
    ("regulator", "gene"),
    ("regulator", "target"),
)
LINES = (("a", "b"), ("node1", "node2"), ("node_1", "node_2"), ("u", "v"))
SIGNS = ("edge", "sign", "kind", "type")
KNOWN = ("weight", "p_value", "confidence")
LIBRARIES = ("pandas", "polars", "pyarrow")

Rows = Mapping[str, Sequence[Any]]


def rows_of(graph: "Structure", *, alone: bool) -> dict[str, list[Any]]:
    """The edges by column; nodes without any are there too if those that stand `alone` are wanted."""
    edges = graph.edges
    rows: dict[str, list[Any]] = {
        "from": [edge.source for edge in edges],
        "to": [edge.target for edge in edges],
        "edge": [FORMS[edge.kind].typed for edge in edges],
    }
    for name in KNOWN:
        values = [getattr(edge, name) for edge in edges]
        if any(value is not None for value in values):
            rows[name] = values
    joined = {node for edge in edges for node in (edge.source, edge.target)}
    for node in [node for node in graph.nodes if node not in joined] if alone else []:
        for name, column in rows.items():
            column.append(node if name == "from" else None)
    return rows


def to_frame(graph: "Structure", library: Any) -> Any:
    """A frame of the edges."""
    if library not in LIBRARIES:
        raise OptionError(f"to_frame(library={library!r}): a library is one of {listed(LIBRARIES)}.")
    with needing(library, "to_frame"):
        import narwhals as nw  # noqa: PLC0415, only for frames

        return nw.from_dict(rows_of(graph, alone=False), backend=library).to_native()


def parts_of_frame(frame: Any) -> tuple[list[str], list[Edge]]:
    """The nodes of a frame of edges, as they come, and the edges."""
    import narwhals as nw  # noqa: PLC0415, only for frames

    try:
        found = nw.from_native(frame, eager_only=True)
    except TypeError:
        raise DataTypeError(
            f"from_frame: the edges are a data frame, not a {type(frame).__name__}."
        ) from None
    return parts_of({str(name): found[name].to_list() for name in found.columns})


def parts_of(rows: Rows) -> tuple[list[str], list[Edge]]:
    """The nodes of a table of edges, as they come, and the edges."""
    names = {name.strip().lower(): name for name in rows}
    first, second, is_arrow = _ends(names)
    sign = next((names[name] for name in SIGNS if name in names), None)
    known = {name: names[name] for name in KNOWN if name in names}
    others = [name for name in rows if name not in {first, second, sign, *known.values()}]
    if others:
        warn(f"the columns {listed(others)} say nothing that a graph holds, and are left out.", DataNote)
    usual: EdgeKind = "directed" if is_arrow else "undirected"
    nodes: dict[str, None] = {}
    edges = []
    for place, (source, target) in enumerate(zip(rows[first], rows[second], strict=True)):
        ends = [_name(end) for end in (source, target) if not _is_nothing(end)]
        if not ends or _is_nothing(source):
            raise DataError(f"Row {place}, counted from 0, has nothing in {first!r}.")
        nodes |= dict.fromkeys(ends)
        if len(ends) == 2:
            made = _edge(ends, None if sign is None else rows[sign][place], usual)
            numbers: dict[str, Any] = {
                name: _number(name, rows[column][place]) for name, column in known.items()
            }
            edges.append(replace(made, **numbers))
    return list(nodes), edges if sign is not None else _lines_of_both_ways(edges)


def _ends(names: Mapping[str, str]) -> tuple[str, str, bool]:
    for pairs, is_arrow in ((ARROWS, True), (LINES, False)):
        for first, second in pairs:
            if first in names and second in names:
                return names[first], names[second], is_arrow
    known = ", ".join(" and ".join(pair) for pair in (*ARROWS, *LINES))
    raise DataError(
        f"A table of edges has two columns for their ends, {known}; this one has "
        f"{listed(tuple(names.values()))}. Rename them; a table of data is for sl.Dataset."
    )


def _name(end: Any) -> str:
    """An end as a name; a whole number has the same one from a column that a gap has turned into floats."""
    if not isinstance(end, float) or not end.is_integer():
        return str(end)
    if abs(end) >= LARGEST_WHOLE:
        raise DataError(f"The node {end!r} may have lost digits in a column of floats; give names as text.")
    return str(int(end))


def _edge(ends: Sequence[str], sign: Any, usual: EdgeKind) -> Edge:
    if _is_nothing(sign):
        return Edge(ends[0], ends[1], usual)
    word = str(sign).strip()
    return Edge(ends[0], ends[1], word) if word in FORMS else edge_of_parts(ends[0], word, ends[1])  # type: ignore[arg-type]  # a kind


def _lines_of_both_ways(edges: Iterable[Edge]) -> list[Edge]:
    """The edges, where two arrows between the same nodes, one each way, are one line."""
    found: dict[tuple[str, str], Edge] = {}
    for edge in edges:
        back = found.get((edge.target, edge.source))
        if back is not None and edge.kind == "directed" and edge.source != edge.target:
            found[edge.target, edge.source] = replace(back, kind="undirected")
        elif (edge.source, edge.target) in found or (back is not None and edge.kind in SYMMETRIC):
            raise DataError(f"The edge of {edge.source!r} and {edge.target!r} is there twice.")
        else:
            found[edge.source, edge.target] = edge
    return list(found.values())


def _number(name: str, value: Any) -> float | None:
    if _is_nothing(value):
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        raise DataError(f"{name} of an edge is a number, not {value!r}.") from None


def _is_nothing(value: Any) -> bool:
    return value is None or value == "" or (isinstance(value, float) and value != value)  # noqa: PLR0124, NaN
