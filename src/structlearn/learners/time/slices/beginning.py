"""How a dynamic network begins: the graph of the first steps, before all lags are there."""

from collections.abc import Sequence

from structlearn.data import Knowledge
from structlearn.graphs import Graph
from structlearn.graphs.lags import slice_name
from structlearn.run import Run
from structlearn.scores import Score
from structlearn.search.climbing import climb
from structlearn.search.space import Space
from structlearn.search.starts import start_from
from structlearn.statistics import from_dataset
from structlearn.statistics.lagged import LaggedTable, beginnings

ENOUGH_SERIES = 20  # with fewer there is nothing to learn a distribution of beginnings from


def first_slices(
    table: LaggedTable, within: Sequence[tuple[str, str]], score: str | Score, run: Run
) -> tuple[Graph, bool]:
    """A DAG of the first steps, as many as the largest lag, with nodes such as x[0]; and if it was learned.

    It is learned from the beginnings of the series where there are enough; else it has in every step the
    arcs that there are within one.
    """
    n_steps = table.lags[-1]
    begun = beginnings(table, n_steps)
    nodes = [slice_name(variable, t) for t in range(n_steps) for variable in table.variables]
    if begun is None or begun.n_rows < ENOUGH_SERIES:
        arcs = [(slice_name(a, t), slice_name(b, t)) for t in range(n_steps) for a, b in within]
        return Graph(nodes, directed=arcs), False
    tiers = [[slice_name(variable, t) for variable in table.variables] for t in range(n_steps)]
    statistics = from_dataset(begun.select(nodes))
    space = Space.of(run.owner, statistics, Knowledge(tiers=tiers), run, score=score)
    state = start_from(space, None)
    climb(state)
    return space.outcome(state.parents(), {}).graph, True
