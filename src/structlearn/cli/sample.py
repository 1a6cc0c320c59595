"""structlearn sample: rows drawn from a model."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from structlearn.cli.answers import answering
from structlearn.cli.models import ModelFile, Settings, open_model, parsed_states


def sample(
    model: ModelFile,
    rows: Annotated[int, typer.Option("--rows", "-n", help="How many rows to draw.")] = 1000,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="A .csv, .tsv or .parquet file; otherwise CSV is printed."
        ),
    ] = None,
    do: Annotated[
        Settings,
        typer.Option(
            metavar="NODE=STATE", help="Set a node, whatever its parents say (networks). Repeat for more."
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The seed of all randomness.")] = None,
) -> None:
    """Draw rows from MODEL and write them as a table."""
    with answering():
        from structlearn.data.writers import write_text  # noqa: PLC0415, --help needs none of it

        opened = open_model(model)
        if do:
            opened = opened.do(parsed_states("--do", do, opened))
        drawn = opened.sample(rows, random_state=seed)
        if output is not None:
            drawn.save(output)
            typer.echo(f"Wrote {output}: {drawn.n_rows:,} rows, {len(drawn.names)} columns")
        else:
            write_text(drawn.columns, sys.stdout.buffer)
