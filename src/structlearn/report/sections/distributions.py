"""Each node given its parents: the distributions of the model, or else how the rows are shared out."""

import warnings
from contextlib import suppress

from structlearn.data import Dataset
from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.graphs.edge import ARROWS_AND_LINES
from structlearn.models.cpds import CPD, Family
from structlearn.models.cpds.shown import with_states
from structlearn.models.fitters import fitter_for
from structlearn.report.markup import Markup, joined, tag
from structlearn.report.subject import Section, Subject
from structlearn.report.wording import counted, listed
from structlearn.shown import Listing
from structlearn.statistics.source import from_dataset
from structlearn.statistics.weightless import without_weightless_rows

MOST_NODES = 100  # so that a page of many columns stays light
MOST_CELLS = 20_000  # of a table; only its first rows are shown, and all would have to be counted
FEW_NODES = 12  # whose tables are open from the start


def section(subject: Subject) -> Section | None:
    """Show the distribution of each node; long tables are cut."""
    if subject.model is not None:
        said, cpds = "Each node given its parents, as the model has it.", subject.model.cpds
    else:
        said, cpds = "Each node given its parents: shares of the rows, and fits to them.", shares(subject)
    if not cpds:
        return None
    shown = list(cpds)[:MOST_NODES]
    parts = [_unfolded(node, cpds[node], is_open=len(cpds) <= FEW_NODES) for node in shown]
    left = len(subject.graph) - len(shown)
    more = tag("p", f"Not shown: {counted(left, 'node')}.", class_="quiet") if left > 0 else None
    body = [tag("p", said), tag("div", *parts, class_="distributions"), more]
    return Section("distributions", "Distributions", joined(body))


def shares(subject: Subject) -> dict[str, CPD]:
    """The distribution of each node in the rows, where the graph says what its parents are.

    Of a class of graphs one DAG is taken. A family of too many cells is left out.
    """
    graph, dataset = subject.graph, subject.dataset
    is_of_arrows = graph.edge_kinds <= ARROWS_AND_LINES and not graph.is_undirected
    if dataset is None or not is_of_arrows or not set(graph.nodes) <= set(dataset.names):
        return {}
    try:
        dag = graph.to_dag()
    except DataError:  # a cycle, or arrows that no DAG has
        return {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the learner has said it
        return _fitted(dag.subgraph(dag.nodes[:MOST_NODES]), dag, dataset)


def _fitted(shown: Graph, dag: Graph, dataset: Dataset) -> dict[str, CPD]:
    dataset = without_weightless_rows(dataset)
    statistics = from_dataset(dataset, missing="testwise", owner="report")
    place = {name: column for column, name in enumerate(dataset.names)}
    found = {}
    for node in shown.nodes:
        columns = [place[name] for name in (node, *dag.parents(node))]
        labels, *others = (dataset.labels.get(dataset.names[column], ()) for column in columns)
        family = Family(statistics, columns[0], tuple(columns[1:]), labels, tuple(others))
        if _is_small(family):
            with suppress(DataError):  # columns that determine each other have no regression
                found[node] = with_states(
                    fitter_for(node, None, family)(family, smoothing=0.0), dataset.labels
                )
    return found


def _is_small(family: Family) -> bool:
    cells = max(len(family.labels), 1)
    for levels in family.parent_levels:
        cells *= max(levels, 1)
    needs_search = family.labels and "continuous" in family.parent_kinds  # a softmax
    return cells <= MOST_CELLS and not needs_search


def _unfolded(node: str, cpd: CPD, *, is_open: bool) -> Markup:
    given = f" given {listed(cpd.parents)}" if cpd.parents else ""
    shown = cpd.shown() if hasattr(cpd, "shown") else str(cpd)
    body = Markup(shown.html()) if isinstance(shown, Listing) else tag("pre", shown)
    title = tag("summary", tag("strong", node), given)
    return tag("details", title, tag("div", body, class_="scroll"), open=is_open)
