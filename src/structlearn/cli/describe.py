"""structlearn describe: what is in a table."""

from typing import TYPE_CHECKING

import typer

from structlearn.cli.answers import answering, complain
from structlearn.cli.databases import is_database_file, schema_of_file
from structlearn.cli.sources import FLAGS, OpenSource, is_for_source
from structlearn.cli.table_flags import NOTHING_SAID, OfTable, with_table_flags
from structlearn.cli.tables import Table, open_rows

if TYPE_CHECKING:
    from structlearn.data import Dataset

_CHOOSE = "--kind COLUMN=KIND"


@with_table_flags
def describe(table: Table, of_table: OfTable = NOTHING_SAID) -> None:
    """Show each column of TABLE: its kind, given or inferred, its levels, missing values and range.

    Of a database without --table, show what its tables have, and how they refer to each other.
    """
    with answering():
        if "tables" not in of_table and ("://" in table or is_database_file(table)):
            typer.echo(schema_of_file(table))
            return
        from structlearn.data.describe import describe as described  # noqa: PLC0415, --help needs none of it
        from structlearn.report.subject import EXAMPLE  # noqa: PLC0415, as above
        from structlearn.shown import visible  # noqa: PLC0415, as above

        part = {name: of_table.get(name) for name in FLAGS}
        has_no_dates = table.startswith(EXAMPLE) or is_for_source(table, part)
        opened = open_rows(table, **(of_table if has_no_dates else _dates_as_they_are(of_table)))
        if opened.note is not None:
            typer.echo(f"{table}: {opened.note}")
        if isinstance(opened, OpenSource):
            typer.echo(visible(opened.rows.describe().text(_CHOOSE)))
            return
        typer.echo(visible(described(opened.dataset).text(_CHOOSE)))
        if "dates" not in of_table.get("reading", {}):
            _say_what_dates_need(opened.dataset)


def _dates_as_they_are(of_table: OfTable) -> OfTable:
    """Labels, unless something else was said: a look at them needs no choice of what to make of them."""
    return {**of_table, "reading": {"dates": "text", **of_table.get("reading", {})}}


def _say_what_dates_need(dataset: "Dataset") -> None:
    from structlearn.data.dates import come_again, looks_like_dates  # noqa: PLC0415, --help needs none of it

    for name, labels in dataset.labels.items():
        if (
            name in dataset.inferred
            and looks_like_dates(labels)
            and not come_again(len(labels), dataset.n_rows)
        ):
            complain(f"note: column {name!r} holds dates or times: learn asks what --dates they shall be.")
