"""structlearn compare: a graph beside the truth."""

from pathlib import Path
from typing import Annotated

import typer

from structlearn.cli.answers import answering
from structlearn.cli.destinations import check_outputs, has_ending, picture_endings
from structlearn.cli.models import open_graph
from structlearn.errors import OptionError


def compare(
    graph: Annotated[str, typer.Argument(metavar="GRAPH", help="A file of a graph or a model.")],
    truth: Annotated[
        str, typer.Argument(metavar="TRUTH", help="What to compare with: another file, or example:NAME.")
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="A picture of GRAPH, .svg, .png or .pdf, its edges coloured by what is right and wrong.",
        ),
    ] = None,
) -> None:
    """Say what GRAPH has right and wrong beside TRUTH, edge by edge and in all."""
    with answering():
        from structlearn.plots import plot_graph  # noqa: PLC0415, --help needs none of it
        from structlearn.shown import visible  # noqa: PLC0415, as above

        if output is not None:
            check_outputs([output], None)
            if not has_ending(output, picture_endings()):
                raise OptionError(f"--output {output}: a picture ends in {', '.join(picture_endings())}.")
        ours, theirs = open_graph(graph), open_graph(truth)
        comparison = ours.compare(theirs)
        typer.echo(visible(str(comparison)))
        if comparison.sid is not None:
            typer.echo(f"SID {comparison.sid}")
        if output is not None:
            plot_graph(ours, output, truth=theirs)
            typer.echo(f"Wrote {output}")
