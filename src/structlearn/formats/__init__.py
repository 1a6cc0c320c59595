"""Files of graphs and networks: the ending of the name says the format."""

from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from structlearn.data import Knowledge
from structlearn.errors import DataError, OptionError
from structlearn.formats import (
    bif,
    dot,
    edge_list,
    graphml,
    hugin,
    plain_knowledge,
    structlearn_json,
    tetrad,
    uai,
    xdsl,
    xmlbif,
)
from structlearn.formats.content import Content, Saved, kind_of
from structlearn.formats.dot import dot_text
from structlearn.formats.files import ZIPPED, read_text, write_text
from structlearn.graphs import Graph
from structlearn.whole_files import path_of

__all__ = ["ENDINGS", "Content", "Format", "Saved", "dot_text", "load", "save"]


LONGEST_MESSAGE = 600  # the longest of ours has half of that, without names

Holds = Literal["graphs and models", "networks of tables", "graphs", "edges", "knowledge"]


@dataclass(frozen=True)
class Format:
    """How one format is written and read, and what it holds."""

    name: str
    write: Callable[[Any], str]
    read: Callable[[str], Saved]
    holds: Holds

    @property
    def needs_tables(self) -> bool:
        """Whether it has no place for a graph without distributions."""
        return self.holds == "networks of tables"


_XMLBIF = Format("XMLBIF", xmlbif.write, xmlbif.read, "networks of tables")

_PLAIN = {
    ".json": Format("structlearn JSON", structlearn_json.write, structlearn_json.read, "graphs and models"),
    ".bif": Format("BIF", bif.write, bif.read, "networks of tables"),
    ".xmlbif": _XMLBIF,
    ".xml": _XMLBIF,
    ".net": Format("Hugin NET", hugin.write, hugin.read, "networks of tables"),
    ".xdsl": Format("GeNIe XDSL", xdsl.write, xdsl.read, "networks of tables"),
    ".uai": Format("UAI", uai.write, uai.read, "networks of tables"),
    ".graphml": Format("GraphML", graphml.write, graphml.read, "graphs"),
    ".dot": Format("Graphviz DOT", dot.write, dot.read, "graphs"),
    ".csv": Format("table of edges", edge_list.write, edge_list.read, "edges"),
    ".tsv": Format("table of edges", edge_list.write_tabs, edge_list.read, "edges"),
    ".txt": Format("Tetrad text", tetrad.write, tetrad.read, "edges"),
    ".knowledge": Format("knowledge", plain_knowledge.write, plain_knowledge.read, "knowledge"),
}

ENDINGS = {**_PLAIN, **{ending + ZIPPED: form for ending, form in _PLAIN.items()}}
"""Every format by the ending of its files."""


def save(thing: Saved, path: str | PathLike[str]) -> None:
    """Write a graph or a model to a file whose ending says the format.

    A file of that name is replaced, once the new one is complete.

    Parameters
    ----------
    thing : Graph, BayesianNetwork, MarkovNetwork, IsingModel, GaussianGraphicalModel or Knowledge
        What to write. `.json` holds every graph and model; `.bif`, `.xmlbif`, `.net`, `.xdsl` and `.uai` a
        network of tables; `.graphml` and `.dot` the graph alone; `.csv`, `.tsv` and `.txt` (Tetrad's) its
        edges. Knowledge goes into `.knowledge` or `.txt`.
    path : str or path
        Where to. With `.gz` behind the ending the file is zipped.

    Examples
    --------
    >>> import structlearn as sl
    >>> from structlearn.formats import save
    >>> save(sl.Graph("ab", directed=[("a", "b")]), "graph.dot")  # doctest: +SKIP
    """
    path = path_of(path)
    form = _format_of(path)
    if not isinstance(thing, Graph | Knowledge) and not kind_of(thing):
        raise OptionError(f"save writes a Graph, a model or Knowledge, not a {type(thing).__name__}.")
    if isinstance(thing, Knowledge) and form.name not in ("Tetrad text", "knowledge"):
        raise OptionError(f"{path}: knowledge is written to a file that ends in .knowledge or .txt.")
    write_text(path, form.write(thing))


def load(path: str | PathLike[str]) -> Saved:
    """Read a graph, a model or knowledge from a file; see `ENDINGS` for the formats."""
    path = path_of(path)
    form = _format_of(path)
    text = read_text(path)
    try:
        return form.read(text)
    except (DataError, OptionError) as error:  # knowledge that contradicts itself is the latter
        raise DataError(f"{path}: {_within_bounds(str(error))}") from None


def _within_bounds(message: str) -> str:
    """A message that a person can read, whatever the file has put into it."""
    return (
        message
        if len(message) <= LONGEST_MESSAGE
        else f"{message[: LONGEST_MESSAGE - 100]} … {message[-98:]}"
    )


def _format_of(path: Path) -> Format:
    for ending, form in ENDINGS.items():
        if path.name.lower().endswith(ending):
            return form
    raise OptionError(
        f"{path}: the ending of the file says its format, one of {', '.join(_PLAIN)}; {ZIPPED} may follow."
    )
