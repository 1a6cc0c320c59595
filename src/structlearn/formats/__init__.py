"""Files of graphs and networks: the ending of the name says the format."""

from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from structlearn.errors import DataError, OptionError
from structlearn.formats import bif, dot, graphml, structlearn_json
from structlearn.formats.dot import dot_text
from structlearn.formats.files import read_text, write_text
from structlearn.graphs import Graph
from structlearn.models import BayesianNetwork

__all__ = ["ENDINGS", "Format", "dot_text", "load", "save"]

Content = Graph | BayesianNetwork


@dataclass(frozen=True)
class Format:
    """How one format is written and, where that is possible, read."""

    name: str
    write: Callable[[Content], str]
    read: Callable[[str], Content] | None = None


_BIF = Format("BIF", bif.write, bif.read)

ENDINGS = {
    ".json": Format("structlearn JSON", structlearn_json.write, structlearn_json.read),
    ".bif": _BIF,
    ".bif.gz": _BIF,
    ".graphml": Format("GraphML", graphml.write),
    ".dot": Format("DOT", dot.write),
}
"""Every format by the ending of its files."""


def save(thing: Content, path: str | PathLike[str]) -> None:
    """Write a graph or a network to a file.

    `.json` holds everything; `.bif` and `.bif.gz` a network of tables; `.graphml` and `.dot` the
    graph alone. A file of that name is replaced, once the new one is complete.
    """
    path = Path(path)
    form = _format_of(path)
    if not isinstance(thing, Graph | BayesianNetwork):
        raise OptionError(f"save writes a Graph or a BayesianNetwork, not a {type(thing).__name__}.")
    write_text(path, form.write(thing))


def load(path: str | PathLike[str]) -> Content:
    """Read a graph or a network from a `.json`, `.bif` or `.bif.gz` file."""
    path = Path(path)
    form = _format_of(path)
    if form.read is None:
        readable = ", ".join(ending for ending, known in ENDINGS.items() if known.read)
        raise OptionError(f"{path}: {form.name} is only written; files that can be read end in {readable}.")
    text = read_text(path)
    try:
        return form.read(text)
    except DataError as error:
        raise DataError(f"{path}: {error}") from None


def _format_of(path: Path) -> Format:
    for ending, form in ENDINGS.items():
        if path.name.lower().endswith(ending):
            return form
    raise OptionError(f"{path}: the ending of the file says its format, one of {', '.join(ENDINGS)}.")
