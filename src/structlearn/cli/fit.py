"""structlearn fit: from a graph and a table to a model."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from structlearn.cli.answers import answering
from structlearn.cli.destinations import check_model_file, refuse_overwriting
from structlearn.cli.models import open_content, refuse_knowledge
from structlearn.cli.sources import OpenSource
from structlearn.cli.table_flags import NOTHING_SAID, OfTable, with_table_flags
from structlearn.cli.tables import OpenTable, Table, open_rows
from structlearn.errors import DataError, OptionError

if TYPE_CHECKING:
    from structlearn.data import Dataset
    from structlearn.data.model_columns import ModelColumns
    from structlearn.statistics import SourceTable


@with_table_flags
def fit(  # noqa: PLR0913, each is a flag of the command
    graph: Annotated[
        str,
        typer.Argument(
            metavar="GRAPH", help="A file of a graph or a model, as `structlearn learn -o` writes it."
        ),
    ],
    table: Table,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Where to write the model: .json, .bif, .xmlbif, .net, …"
        ),
    ] = None,
    cpd: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NODE=KIND",
            help="The kind of a node's distribution: table, tree, softmax, sigmoid, noisy-or, "
            "linear-gaussian or conditional-gaussian. By default the columns decide. Repeat for more.",
        ),
    ] = None,
    smoothing: Annotated[
        float, typer.Option(help="Pseudo-rows spread evenly over the cells of each table.")
    ] = 0.0,
    missing: Annotated[
        str,
        typer.Option(help="What becomes of missing values: error, or em (expectation-maximisation)."),
    ] = "error",
    undirected: Annotated[
        bool, typer.Option("--undirected", help="Take the lines of the graph as those of a Markov network.")
    ] = False,
    of_table: OfTable = NOTHING_SAID,
) -> None:
    """Estimate the distributions of GRAPH from TABLE, say how well they fit, and write the model.

    A graph with arrows becomes a Bayesian network; one with lines only too, if it is the class of one. Other
    lines are those of a Markov network or, where all columns are continuous, of a Gaussian graphical model.
    """
    with answering():
        check_model_file(output)
        refuse_overwriting([graph, table], [output])
        content = open_content(graph)
        refuse_knowledge(graph, content)
        from structlearn.models.of_graphs import is_directed, undirected_model  # noqa: PLC0415, as above

        structure: Any = getattr(content, "graph", content)
        is_network = not undirected and is_directed(structure)
        cpds = _wishes(content, _parsed_kinds(cpd or [])) if is_network else {}
        opened = open_rows(table, model=_columns_of(cpds), **of_table)
        dataset = _fitted_rows(opened, content)
        if is_network:
            model = _network(structure, cpds, dataset, smoothing=smoothing, missing=missing)
        else:
            model = undirected_model(structure, dataset, smoothing=smoothing)
        typer.echo(_summary(model, dataset, complete=missing == "error" and opened.dataset is not None))
        if output is not None:
            model.save(output)
            typer.echo(f"Wrote {output}")


def _of_the_nodes(dataset: "Dataset", content: Any) -> "Dataset":
    """The columns that are nodes; what is dropped is said."""
    nodes = getattr(content, "graph", content).nodes
    missing = [node for node in nodes if node not in set(dataset.names)]
    if missing:
        raise DataError(f"the table lacks the columns {', '.join(map(repr, missing))}, nodes of the graph.")
    others = [name for name in dataset.names if name not in set(nodes)]
    if others:
        typer.echo(f"Not in the graph, left out: {', '.join(others)}", err=True)
    return dataset.select(nodes)


def _fitted_rows(opened: OpenTable | OpenSource, content: Any) -> Any:
    if isinstance(opened, OpenSource):
        return _all_nodes(opened.rows, content)
    return _of_the_nodes(opened.dataset, content)


def _all_nodes(rows: "SourceTable", content: Any) -> "SourceTable":
    """A table that stays where it is, if its columns are the nodes."""
    nodes = getattr(content, "graph", content).nodes
    if set(rows.names) != set(nodes):
        raise DataError(
            f"the columns are not the nodes of the graph. Choose them: --columns {','.join(nodes)}"
        )
    return rows


def _wishes(content: Any, kinds: dict[str, str]) -> dict[str, Any]:
    from structlearn.models import BayesianNetwork  # noqa: PLC0415, --help needs none of it

    known = content.cpds if isinstance(content, BayesianNetwork) else {}
    return {**known, **kinds}


def _columns_of(cpds: dict[str, Any]) -> "ModelColumns":
    """What is known of the columns of nodes that keep their distributions' kinds and states."""
    from structlearn.data.model_columns import ModelColumns  # noqa: PLC0415, --help needs none of it

    kept = {node: cpd for node, cpd in cpds.items() if not isinstance(cpd, str)}
    labels = {node: cpd.labels for node, cpd in kept.items() if cpd.labels}
    return ModelColumns({node: cpd.kind for node, cpd in kept.items()}, labels)


def _network(graph: Any, cpds: dict[str, Any], dataset: Any, **options: Any) -> Any:
    from structlearn.models import BayesianNetwork  # noqa: PLC0415, --help needs none of it

    return BayesianNetwork(graph, cpds).fit(dataset, **options)


def _parsed_kinds(settings: list[str]) -> dict[str, str]:
    found = {}
    for text in settings:
        node, equals, kind = text.rpartition("=")
        if not equals or not node:
            raise OptionError(f"--cpd {text}: write NODE=KIND, such as --cpd grass=tree.")
        found[node] = kind
    return found


def _summary(model: Any, dataset: Any, *, complete: bool) -> str:
    from structlearn.report.wording import counted, number  # noqa: PLC0415, as above

    lines = [f"{model!r} from {counted(dataset.n_rows, 'row')}"]
    if complete:
        weights = dataset.weights
        size = dataset.n_rows if weights is None else float(weights.sum())
        counting = "" if weights is None else f"; by their weights the rows are {number(size)}"
        total = model.log_likelihood(dataset)
        lines.append(f"Log-likelihood {number(total)}, {number(total / size)} a row{counting}.")
    return "\n".join(lines)
