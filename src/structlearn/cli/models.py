"""Graphs and models as they are named on the command line: a file, or a bundled example."""

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from structlearn.cli.own_words import keep_words
from structlearn.errors import DataError, OptionError

if TYPE_CHECKING:
    from structlearn.data import Label
    from structlearn.data.model_columns import ModelColumns
    from structlearn.formats import Saved
    from structlearn.graphs import Graph

MODEL_HELP = (
    "A file of a model (.bif, .xmlbif, .net, .xdsl, .uai, .json), or example:NAME such as example:asia."
)
ModelFile = Annotated[str, typer.Argument(metavar="MODEL", help=MODEL_HELP)]
Settings = list[str] | None


def open_model(name: str) -> Any:
    """Open a fitted model; a bare graph is refused."""
    from structlearn.graphs import Graph  # noqa: PLC0415, --help needs none of it

    found = open_content(name)
    refuse_knowledge(name, found)
    if isinstance(found, Graph):
        raise DataError(f"{name} holds a graph without distributions; see `structlearn fit`.")
    return found


def asked_of(model: Any, what: str) -> Any:
    """A method of a model; refused where it has none of that name."""
    found = getattr(model, what, None)
    if found is None:
        raise OptionError(f"A {type(model).__name__} has no {what}.")
    return found


def open_graph(name: str) -> "Graph":
    """Open a graph, or the graph of a model."""
    found: Any = open_content(name)
    refuse_knowledge(name, found)
    graph: Graph = getattr(found, "graph", found)
    return graph


def refuse_knowledge(name: str, content: Any) -> None:
    """Refuse a file that holds neither a graph nor a model."""
    from structlearn.data import Knowledge  # noqa: PLC0415, --help needs none of it

    if isinstance(content, Knowledge):
        raise DataError(f"{name} holds knowledge, not a graph; `structlearn learn --knowledge` takes it.")


def open_content(name: str) -> "Saved":
    """Open a file of a graph or a model, or a bundled network."""
    from structlearn.api import example, load  # noqa: PLC0415, --help needs none of it
    from structlearn.data import Dataset  # noqa: PLC0415, as above
    from structlearn.report.subject import EXAMPLE  # noqa: PLC0415, as above

    if not name.startswith(EXAMPLE):
        content = load(Path(name))
        labels = getattr(content, "labels", {}).values()
        keep_words([*getattr(content, "nodes", ()), *(str(state) for states in labels for state in states)])
        return content
    found = example(name.removeprefix(EXAMPLE))
    if isinstance(found, Dataset):
        raise OptionError(f"{name} is a table; give a network, such as example:asia.")
    return found


def columns_of(model: Any, unused: Collection[str] = ()) -> "ModelColumns":
    """What a model knows of the columns of a table."""
    from structlearn.data.model_columns import ModelColumns  # noqa: PLC0415, --help needs none of it

    return ModelColumns(model.kinds, getattr(model, "labels", {}), frozenset(unused))


def parsed_states(flag: str, settings: Settings, model: Any) -> "dict[str, Label]":
    """Read NODE=STATE, where NODE is a node of the model; a number where the node is continuous."""
    found: dict[str, Label] = {}
    for text in settings or []:
        node = next((node for node in _longest_first(model.nodes) if text.startswith(f"{node}=")), None)
        if node is None:
            raise OptionError(f"{flag} {text}: write NODE=STATE, with a node of the model.")
        if node in found:
            raise OptionError(f"{flag} {text}: {node} is given twice.")
        labels = getattr(model, "labels", {}).get(node)  # a model of numbers alone has none
        found[node] = _state(flag, text, text.removeprefix(f"{node}="), labels)
    return found


def _longest_first(nodes: tuple[str, ...]) -> list[str]:
    # A name may have an equals sign in it.
    return sorted(nodes, key=len, reverse=True)


def _state(flag: str, text: str, value: str, labels: "tuple[Label, ...] | None") -> "Label":
    if labels is None:
        try:
            return float(value)
        except ValueError:
            raise OptionError(
                f"{flag} {text}: the node is continuous, so that its value is a number."
            ) from None
    from structlearn.data.states import NOWHERE, places_of  # noqa: PLC0415, --help needs none of it

    (place,) = places_of([value], labels)
    if place == NOWHERE:
        raise OptionError(f"{flag} {text}: the states are {', '.join(map(str, labels))}.")
    return labels[place]
