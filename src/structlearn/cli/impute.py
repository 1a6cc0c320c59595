"""structlearn impute: gaps of a table filled by a model."""

from typing import Annotated

import typer

from structlearn.cli.answers import answering
from structlearn.cli.destinations import check_rows_file, refuse_overwriting
from structlearn.cli.models import ModelFile, asked_of, columns_of, open_model
from structlearn.cli.table_flags import NOTHING_SAID, OfTable, with_table_flags
from structlearn.cli.tables import Table, open_table
from structlearn.cli.written_rows import RowsFile, write_rows


@with_table_flags
def impute(
    model: ModelFile,
    table: Table,
    output: RowsFile = None,
    drawn: Annotated[
        bool, typer.Option("--drawn", help="Draw what is missing, instead of what is most probable.")
    ] = False,
    seed: Annotated[int | None, typer.Option(help="The seed of --drawn.")] = None,
    of_table: OfTable = NOTHING_SAID,
) -> None:
    """Fill the gaps of TABLE by what MODEL says given the rest of each row."""
    with answering():
        check_rows_file(output)
        refuse_overwriting([model, table], [output])
        opened = open_model(model)
        fill = asked_of(opened, "impute")
        how = "drawn" if drawn else "most probable"
        rows = open_table(table, model=columns_of(opened), **of_table).dataset
        filled = fill(rows, how=how, random_state=seed)
        write_rows(filled, output)
