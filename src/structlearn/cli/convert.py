"""structlearn convert: one file format into another."""

from pathlib import Path
from typing import Annotated, Any

import typer

from structlearn.cli.answers import answering
from structlearn.cli.destinations import (
    check_outputs,
    has_ending,
    model_endings,
    picture_endings,
    refuse_overwriting,
)
from structlearn.cli.models import open_content, refuse_knowledge
from structlearn.errors import OptionError

KNOWLEDGE = (".knowledge", ".knowledge.gz")


def convert(
    source: Annotated[
        str, typer.Argument(metavar="FROM", help="A file of a graph or a model, or example:NAME.")
    ],
    target: Annotated[
        Path, typer.Argument(metavar="TO", help="Where to write it; the ending says how. A picture too.")
    ],
    numbered: Annotated[
        bool, typer.Option("--numbered", help="Replace names by numbers, as .uai needs it.")
    ] = False,
) -> None:
    """Read FROM and write it as TO; the endings of the names say the formats."""
    with answering():
        from structlearn.formats import save  # noqa: PLC0415, --help needs none of it
        from structlearn.plots import plot_graph  # noqa: PLC0415, as above

        if not has_ending(target, KNOWLEDGE):
            check_outputs([target], None)
        refuse_overwriting([source], [target])
        content: Any = open_content(source)
        if numbered:
            if not hasattr(content, "numbered"):
                raise OptionError(f"--numbered: it is for networks with tables, which {source} has not.")
            content = content.numbered()
        if has_ending(target, picture_endings()):
            refuse_knowledge(source, content)
            plot_graph(getattr(content, "graph", content), target)
        else:
            save(content, target)
        lost = hasattr(content, "graph") and not has_ending(target, [*model_endings(), *picture_endings()])
        typer.echo(f"Wrote {target}{', the graph without its distributions' * lost}")
