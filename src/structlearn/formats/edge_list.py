"""Tables of edges as CSV or TSV; `graphs.edge_table` says what is in their columns.

Neither facts of nodes nor the kind of the graph are written.
"""

import csv
import io

from structlearn.errors import DataError
from structlearn.formats.content import Content, graph_of
from structlearn.graphs import Graph
from structlearn.graphs.edge_table import parts_of, rows_of

SEPARATORS = ",;\t"


def read(text: str) -> Graph:
    """Make a graph of a table of edges; commas, semicolons or tabs stand between its fields."""
    first = text.partition("\n")[0]
    separator = max(SEPARATORS, key=first.count)
    try:
        lines = [
            line
            for line in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
            if line
        ]
    except csv.Error as error:
        raise DataError(f"the table of edges cannot be read: {error}.") from None
    if not lines:
        raise DataError("the file is empty; a table of edges begins with the names of its columns.")
    names, *rows = lines
    uneven = next((number for number, row in enumerate(rows, start=2) if len(row) != len(names)), None)
    if uneven is not None or len(set(names)) < len(names):
        where = (
            f"record {uneven} has another number of fields" if uneven else "a name of a column is there twice"
        )
        raise DataError(f"the table of edges is not regular: {where}.")
    columns = zip(*rows, strict=True) if rows else ((),) * len(names)
    nodes, edges = parts_of(dict(zip(names, map(list, columns), strict=True)))
    return Graph(nodes, edges=edges)


def write(thing: Content, separator: str = ",") -> str:
    """Give a graph, or the graph of a model, as a table of edges."""
    graph = graph_of(thing)
    if "" in graph.nodes:
        raise DataError("a table of edges has no place for a node that is called ''.")
    rows = rows_of(graph, alone=True)
    records = [tuple(rows), *zip(*rows.values(), strict=True)]
    return "".join(separator.join(_field(value, separator) for value in own) + "\n" for own in records)


def _field(value: object, separator: str) -> str:
    """A value as it is written; the csv module would leave out the quotes around a lone carriage return."""
    text = "" if value is None else str(value)
    needs_quotes = any(sign in text for sign in (separator, '"', "\r", "\n"))
    return '"' + text.replace('"', '""') + '"' if needs_quotes else text


def write_tabs(thing: Content) -> str:
    """Give a graph as a table of edges with tabs between the fields."""
    return write(thing, "\t")
