"""Flags of tables, the same for every command that reads one: what of it, how it is written, how it is cut.

How it is written are the options of `structlearn.reading.Reading`, in its words.
"""

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Annotated, Any

import typer

from structlearn.cli.databases import TableNames
from structlearn.cli.settings import parsed_value
from structlearn.cli.sources import FLAGS as OF_SOURCES
from structlearn.cli.tables import Columns, Drop, Kinds, Transpose
from structlearn.reading import Reading as Options

OfTable = Mapping[str, Any]
NOTHING_SAID: OfTable = {}
WHICH = {"table_names": TableNames, "kind": Kinds, "columns": Columns, "drop": Drop, "transpose": Transpose}
WHICH |= OF_SOURCES
FLAGS = {name: f"--{name}" for name in Options.options if name not in WHICH}
_LISTS, _SWITCHES = {"na"}, {"header"}


CUTTING = {
    "discretize": Annotated[
        str | None,
        typer.Option(
            metavar="METHOD",
            help="Cut continuous columns into bins: quantile, width, hartemink or score.",
            rich_help_panel="Data",
        ),
    ],
    "bins": Annotated[
        int | None,
        typer.Option(help="How many bins --discretize makes; for score, at most.", rich_help_panel="Data"),
    ],
}


def with_table_flags(command: Callable[..., None]) -> Callable[..., None]:
    """The command with all flags of tables; it gets what was said as `of_table`, for `open_table`."""
    flags = WHICH | {name: _annotation(name) for name in FLAGS} | CUTTING

    @wraps(command)
    def run(**given: Any) -> None:
        said = {name: value for name in flags if (value := given.pop(name)) is not None}
        command(**given, of_table=_sorted_out(said))

    own = [each for each in inspect.signature(command).parameters.values() if each.name != "of_table"]
    parameters = [*own, *(_parameter(name, annotation) for name, annotation in flags.items())]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what typer reads
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


def _sorted_out(said: Mapping[str, Any]) -> dict[str, Any]:
    """What was said as `open_table` takes it."""
    names = {"table_names": "tables", "kind": "kinds"}
    found = {names.get(name, name): value for name, value in said.items() if name in WHICH}
    reading = _parsed({name: value for name, value in said.items() if name not in WHICH})
    return found | ({"reading": reading} if reading else {})


def _parsed(said: Mapping[str, Any]) -> dict[str, Any]:
    """The options as Python has them: numbers among the marks of missing values are numbers."""
    return {
        name: [parsed_value(mark) for mark in value] if name in _LISTS else value
        for name, value in said.items()
    }


def _parameter(name: str, annotation: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def _annotation(name: str) -> Any:
    declared = Options.options[name]
    kind: Any = {"na": list[str], "header": bool, "skip": int}.get(name, str)
    flag = f"--{name}/--no-{name}" if name in _SWITCHES else FLAGS[name]
    words = getattr(getattr(declared.rule, "rule", None), "words", ())
    choice = ", ".join(repr(word) for word in words if word.isprintable())
    more = " Repeat for more." if name in _LISTS else f" One of {choice}." if words else ""
    metavar = None if name in _SWITCHES else "MARK" if name in _LISTS else name.upper()
    hint = typer.Option(flag, help=declared.says + more, rich_help_panel="Data", metavar=metavar)
    return Annotated[kind | None, hint]
