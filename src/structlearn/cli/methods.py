"""structlearn methods: what there is, and what each method takes."""

import inspect
from typing import Annotated

import typer

from structlearn.cli.answers import answering


def methods(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A method, to see its options.", show_default=False)
    ] = None,
) -> None:
    """List every method, or the options of one with their meaning, range and default."""
    with answering():
        typer.echo(_every_method() if name is None else _one_method(name))


def _every_method() -> str:
    from structlearn.api import methods as all_methods  # noqa: PLC0415, --help needs none of it

    return f"{all_methods()!r}\n\n`structlearn methods NAME` shows a method's options."


def _one_method(name: str) -> str:
    from structlearn.api import known_method  # noqa: PLC0415, --help needs none of it

    method = known_method(name)
    made = method.load()
    lines = [
        f"{method.name} (sl.{method.learner}): {(inspect.getdoc(made) or '').partition(chr(10))[0]}",
        *([f"Also called {', '.join(method.aliases)}."] if method.aliases else []),
        f"Family {method.family}; takes {method.input}; returns a {method.returns}.",
        f"Paper: {method.paper}.",
        "",
    ]
    for name_of_option, option in made.options.items():
        lines.append(f"  {name_of_option:<20}{option.meaning}")
        lines.append(f"  {'':<20}{option.allowed}; default {option.default!r}")
    return "\n".join(lines)
