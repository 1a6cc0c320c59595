"""What PCMCI hands back."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.graphs import Edge
from structlearn.graphs.edge import EdgeKind
from structlearn.graphs.lags import lagged_name
from structlearn.graphs.links import Links
from structlearn.learners.constraint.directions.orientation import Colliders, Oriented, orient
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.constraint.skeletons.results import conflict_in_words
from structlearn.learners.time.learner import KnownInTime, graph_in_time
from structlearn.learners.time.momentary.asked_links import LaggedParents, LinkTests
from structlearn.learners.time.momentary.within_a_step import Skeleton
from structlearn.outcome import Outcome
from structlearn.run import Run, Status
from structlearn.statistics.lagged import LaggedTable


def of_lagged_links(
    table: LaggedTable,
    p_values: NDArray[np.float64],
    lags: Sequence[int],
    known: KnownInTime,
    alpha: float,
    run: Run,
) -> Outcome:
    """Arrows for the links whose p-value is below the level, and those that are required.

    Where pairs within a step were tested, they come first, and have an arrow only where one end cannot act.
    """
    now, past = np.split(p_values, [len(p_values) - len(lags)])
    is_in = past < alpha
    source, target = np.nonzero(known.required)
    is_in[known.first_places(lags)[source], target, source] = True
    edges = [
        Edge(
            lagged_name(table.variables[i], lags[place]),
            lagged_name(table.variables[j], 0),
            p_value=float(past[place, j, i]),
        )
        for place, j, i in np.argwhere(is_in).tolist()
    ]
    for _, j, i in np.argwhere(np.triu(now < alpha, 1)).tolist():
        first, second = (i, j) if known.forbidden_now[j, i] else (j, i)
        kind: EdgeKind = "directed" if known.forbidden_now[second, first] else "undirected"
        ends = lagged_name(table.variables[first], 0), lagged_name(table.variables[second], 0)
        edges.append(Edge(*ends, kind, p_value=float(now[0, j, i])))
    return Outcome(
        graph=graph_in_time(table.variables, lags, edges),
        status=run.status,
        by_pair={"p_values": p_values},
    )


def of_skeleton(
    tests: LinkTests,
    skeleton: Skeleton,
    triples: Colliders,
    lags: Sequence[int],
    known: KnownInTime,
    run: Run,
) -> Outcome:
    """The links, those of the past as arrows, those within the step directed as far as that follows."""
    table, place = tests.table, tests.table.place
    names = table.statistics.names
    lines = np.array([sorted((place(i, lag), place(j, 0))) for i, lag, j in skeleton.links], dtype=np.int64)
    links = Links(len(names), lines=np.unique(lines.reshape(-1, 2), axis=0))
    oriented = orient(links, triples, KnownPairs(names, _order_in_time(table, known)), tests.asker)
    if run.status is not Status.COMPLETE:  # what is no collider is a chain only where all were looked for
        run.note("Edges within a step have no direction, but for what is known.")
        oriented = Oriented(_directed_by_knowledge(links, known), [])
    p_value = {frozenset((place(i, lag), place(j, 0))): p for (i, lag, j), p in skeleton.links.items()}
    kinds: dict[EdgeKind, NDArray[np.int64]] = {
        "directed": oriented.links.arrows,
        "undirected": oriented.links.lines,
    }
    edges = [
        Edge(names[a], names[b], kind, p_value=p_value[frozenset((a, b))])
        for kind, pairs in kinds.items()
        for a, b in pairs.tolist()
    ]
    return Outcome(
        graph=graph_in_time(table.variables, lags, edges),
        status=run.status,
        conflicts=tuple(conflict_in_words([names[node] for node in nodes]) for nodes in oriented.conflicts),
    )


def _directed_by_knowledge(links: Links, known: KnownInTime) -> Links:
    """What is past comes first, and what cannot point one way points the other."""
    n, (a, b) = len(known.required), links.lines.T  # the one within the step is first
    is_back = (b >= n) | known.forbidden_now[a, b % n]
    is_on = known.forbidden_now[b % n, a] & ~is_back
    arrows = np.concatenate([links.lines[is_back][:, ::-1], links.lines[is_on]])
    return Links(links.n_nodes, arrows=arrows, lines=links.lines[~(is_back | is_on)])


def parents_by_name(table: LaggedTable, parents: LaggedParents) -> dict[str, tuple[str, ...]]:
    """The candidates of each variable, the strongest first."""
    names = table.statistics.names
    return {
        variable: tuple(names[column] for column in parents.of_variable(j))
        for j, variable in enumerate(table.variables)
    }


def _order_in_time(table: LaggedTable, known: KnownInTime) -> Knowledge:
    """What is past cannot follow; within the step, what is known of the variables holds."""
    n, names = len(table.variables), table.statistics.names
    forbidden = [(names[i], names[j]) for i, j in np.argwhere(known.forbidden_now).tolist()]
    return Knowledge(forbidden=forbidden, tiers=[names[n:], names[:n]])
