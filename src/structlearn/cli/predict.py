"""structlearn predict: what a model expects of columns in new rows."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from structlearn.cli.answers import answering
from structlearn.cli.destinations import check_rows_file, refuse_overwriting
from structlearn.cli.models import ModelFile, asked_of, columns_of, open_model
from structlearn.cli.table_flags import NOTHING_SAID, OfTable, with_table_flags
from structlearn.cli.tables import Table, open_table
from structlearn.cli.written_rows import RowsFile, write_rows

if TYPE_CHECKING:
    from structlearn.data import Dataset


@with_table_flags
def predict(
    model: ModelFile,
    table: Table,
    target: Annotated[
        list[str], typer.Option("--target", metavar="NODE", help="What to predict. Repeat for more.")
    ],
    output: RowsFile = None,
    probabilities: Annotated[
        bool,
        typer.Option("--probabilities", help="A column for each state, NODE=STATE, with its probability."),
    ] = False,
    of_table: OfTable = NOTHING_SAID,
) -> None:
    """Predict nodes of MODEL in each row of TABLE, from all else that is known in the row.

    The rows come back in their order, with a column for each target: its most probable state, or its mean.
    """
    with answering():
        check_rows_file(output)
        refuse_overwriting([model, table], [output])
        opened = open_model(model)
        unused = target if len(set(target)) == 1 else []
        rows = open_table(table, model=columns_of(opened, unused), **of_table).dataset
        write_rows(_shares(opened, rows, target) if probabilities else _values(opened, rows, target), output)


def _values(model: Any, rows: "Dataset", target: list[str]) -> "Dataset":
    from structlearn.data import Dataset  # noqa: PLC0415, --help needs none of it

    found = model.predict(rows, target)
    return Dataset(found, kinds={name: model.kinds[name] for name in found})


def _shares(model: Any, rows: "Dataset", target: list[str]) -> "Dataset":
    from structlearn.data import Dataset  # noqa: PLC0415, --help needs none of it

    columns = {
        f"{name}={label}": shares[:, code]
        for name, shares in asked_of(model, "predict_proba")(rows, target).items()
        for code, label in enumerate(model.labels[name])
    }
    return Dataset(columns, kinds=dict.fromkeys(columns, "continuous"))
