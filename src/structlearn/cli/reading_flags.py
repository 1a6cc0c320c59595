"""Flags that say how a table is written, the same for every command that reads one.

They are the options of `structlearn.reading.Reading`, in its words.
"""

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Annotated, Any

import typer

from structlearn.cli.settings import parsed_value
from structlearn.reading import Reading

FLAGS = {name: f"--{name}" for name in Reading.options if name != "drop"}  # which has a flag of its own
_LISTS, _SWITCHES = {"na"}, {"header"}


def with_reading_flags(command: Callable[..., None]) -> Callable[..., None]:
    """The command with a flag for each option; it gets those that were given as `reading`."""

    @wraps(command)
    def run(**given: Any) -> None:
        said = {name: given.pop(name) for name in FLAGS}
        command(**given, reading=_parsed({name: value for name, value in said.items() if value is not None}))

    own = [each for each in inspect.signature(command).parameters.values() if each.name != "reading"]
    flags = [_parameter(name) for name in FLAGS]
    run.__signature__ = inspect.Signature([*own, *flags])  # type: ignore[attr-defined]  # what typer reads
    run.__annotations__ = {each.name: each.annotation for each in [*own, *flags]}
    return run


def _parsed(said: Mapping[str, Any]) -> dict[str, Any]:
    """The options as Python has them: numbers among the marks of missing values are numbers."""
    return {
        name: [parsed_value(mark) for mark in value] if name in _LISTS else value
        for name, value in said.items()
    }


def _parameter(name: str) -> inspect.Parameter:
    declared = Reading.options[name]
    kind: Any = list[str] if name in _LISTS else bool if name in _SWITCHES else str
    flag = f"--{name}/--no-{name}" if name in _SWITCHES else FLAGS[name]
    words = " ".join(getattr(getattr(declared.rule, "rule", None), "words", ())).replace("\t ", "")
    more = " Repeat for more." if name in _LISTS else f" One of: {words}." if words else ""
    metavar = None if name in _SWITCHES else name.upper()
    hint = typer.Option(flag, help=declared.says + more, rich_help_panel="Data", metavar=metavar)
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, hint]
    )
