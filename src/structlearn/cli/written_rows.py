"""Rows that a command gives back: to a file, or printed as CSV."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from structlearn.data import Dataset

RowsFile = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="A .csv, .tsv or .parquet file; otherwise CSV is printed."
    ),
]


def write_rows(dataset: "Dataset", output: Path | None) -> None:
    """Write the rows, and say so where they go to a file."""
    from structlearn.data.writers import write_text  # noqa: PLC0415, --help needs none of it
    from structlearn.report.wording import counted  # noqa: PLC0415, as above

    if output is None:
        write_text(dataset.columns, sys.stdout.buffer)
        return
    dataset.save(output)
    rows, columns = counted(dataset.n_rows, "row"), counted(len(dataset.names), "column")
    typer.echo(f"Wrote {output}: {rows}, {columns}")
