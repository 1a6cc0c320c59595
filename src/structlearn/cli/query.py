"""structlearn query: probabilities of a model, given what is known."""

from collections.abc import Callable, Sequence
from inspect import signature
from typing import Annotated, Any

import typer

from structlearn.cli.answers import answering
from structlearn.cli.models import ModelFile, Settings, asked_of, open_model, parsed_states
from structlearn.errors import OptionError


def query(
    model: ModelFile,
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NODE]…", help="The nodes asked for; several are answered jointly."),
    ] = None,
    given: Annotated[
        Settings,
        typer.Option("--given", "-g", metavar="NODE=STATE", help="What is known. Repeat for more."),
    ] = None,
    do: Annotated[
        Settings,
        typer.Option(metavar="NODE=STATE", help="A node that is set from outside. Repeat for more."),
    ] = None,
    most_probable: Annotated[
        bool, typer.Option("--map", help="The most probable joint state of the nodes, by default of all.")
    ] = False,
    method: Annotated[
        str, typer.Option(help="exact, or where that is too large loopy, gibbs or weighting.")
    ] = "exact",
    seed: Annotated[int | None, typer.Option(help="The seed of gibbs and weighting.")] = None,
) -> None:
    """Give the probabilities of nodes of MODEL, or the most probable states, given what is known."""
    with answering():
        from structlearn.shown import visible  # noqa: PLC0415, --help needs none of it

        opened = open_model(model)
        _refuse_states_as_nodes(names or [], opened.nodes)
        known: dict[str, Any] = {"evidence": parsed_states("--given", given, opened)}
        ask = asked_of(opened, "map" if most_probable else "query")
        if do:
            _refuse_actions(ask, opened)
            known["do"] = parsed_states("--do", do, opened)
        if most_probable:
            best = ask(names or None, **known)
            typer.echo(visible(str(best)))
            kind = "density" if "continuous" in opened.kinds.values() else "probability"
            typer.echo(f"Together with what is known, of {kind} {best.probability:.4g}.")
            return
        options = {} if seed is None else {"random_state": seed}
        for asked in [names] if names else [[node] for node in opened.nodes if node not in known["evidence"]]:
            typer.echo(visible(str(ask(asked, **known, method=method, **options))))


def _refuse_actions(ask: Callable[..., Any], opened: Any) -> None:
    if "do" not in signature(ask).parameters:
        raise OptionError(f"--do takes a directed network, and this is a {type(opened).__name__}.")


def _refuse_states_as_nodes(names: Sequence[str], nodes: Sequence[str]) -> None:
    for name in names:
        node, is_state, _ = name.partition("=")
        if is_state and name not in nodes and node in nodes:
            raise OptionError(f"{name!r} is no node. Say what is known by --given {name}.")
