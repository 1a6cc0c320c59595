"""structlearn describe: what is in a table."""

from collections.abc import Mapping
from typing import Any

import typer

from structlearn.cli.answers import answering
from structlearn.cli.databases import TableNames, is_database_file, schema_of_file
from structlearn.cli.flag_words import in_flags
from structlearn.cli.reading_flags import with_reading_flags
from structlearn.cli.tables import Columns, Drop, Kinds, Table, Transpose, open_table


@with_reading_flags
def describe(
    table: Table,
    tables: TableNames = None,
    kind: Kinds = None,
    columns: Columns = None,
    drop: Drop = None,
    transpose: Transpose = None,
    *,
    reading: Mapping[str, Any],
) -> None:
    """Show each column of TABLE: its kind, given or inferred, its levels, missing values and range.

    Of a database without --table, show what its tables have, and how they refer to each other.
    """
    with answering():
        if tables is None and is_database_file(table):
            typer.echo(schema_of_file(table))
            return
        from structlearn.data.describe import describe as described  # noqa: PLC0415, --help needs none of it
        from structlearn.shown import visible  # noqa: PLC0415, as above

        cut: dict[str, Any] = {"columns": columns, "drop": drop, "transpose": transpose, "reading": reading}
        opened = open_table(table, tables=tables, kinds=kind, **cut)
        if opened.note is not None:
            typer.echo(f"{table}: {opened.note}")
        typer.echo(in_flags(visible(str(described(opened.dataset)))))
