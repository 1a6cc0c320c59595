"""structlearn sample: rows drawn from a model."""

from typing import Annotated

import typer

from structlearn.cli.answers import answering
from structlearn.cli.destinations import check_rows_file, refuse_overwriting
from structlearn.cli.models import ModelFile, Settings, asked_of, open_model, parsed_states
from structlearn.cli.written_rows import RowsFile, write_rows


def sample(
    model: ModelFile,
    rows: Annotated[int, typer.Option("--rows", "-n", help="How many rows to draw.")] = 1000,
    output: RowsFile = None,
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
        from structlearn.data import Dataset  # noqa: PLC0415, --help needs none of it

        check_rows_file(output)
        refuse_overwriting([model], [output])
        opened = open_model(model)
        if do:
            opened = asked_of(opened, "do")(parsed_states("--do", do, opened))
        drawn = opened.sample(rows, random_state=seed)
        write_rows(drawn if isinstance(drawn, Dataset) else Dataset(drawn, kinds=opened.kinds), output)
