"""A search by score over the lagged table, and what a dynamic network hands back."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.graphs import Edge
from structlearn.learners.catalog import CATALOG, METHODS
from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.score.hill_climbing import HillClimbing
from structlearn.learners.time.learner import graph_in_time
from structlearn.learners.time.slices.beginning import first_slices
from structlearn.naming import no_such
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.search.dags import Parents
from structlearn.search.space import Space
from structlearn.statistics.lagged import LaggedTable

Trace = Mapping[str, NDArray[Any]]
NO_STEPS: Trace = {}


def can_score_pairs(space: Space) -> bool:
    """Whether half of the time that is left is enough to score all pairs, with which a search begins."""
    children, others = iter((0, 1)), np.arange(2, space.n_nodes)  # what was scored once is known
    return space.run.takes_less(0.5, space.n_nodes, lambda: space.scores.gains_of(next(children), [], others))


def searched(search: str | DAGSearch | None, space: Space) -> tuple[list[list[int]], Trace]:
    """The parents that a search finds in the space of a lagged table, and its steps."""
    if search is None:
        search = HillClimbing(check_parity=0)
    if isinstance(search, str):
        search = _named(space.owner, search)
    found = search._search(space)  # noqa: SLF001, the half of a learner that takes a space
    place = {name: i for i, name in enumerate(space.names)}
    parents: list[list[int]] = [[] for _ in space.names]
    for source, target in found.graph.directed:
        parents[place[target]].append(place[source])
    return [sorted(members) for members in parents], found.trace


def outcome_of(
    table: LaggedTable, space: Space, parents: Parents, trace: Trace, run: Run, *, is_best: bool
) -> Outcome:
    """The transition network with its score, and the network of the first steps."""
    n, evidence = len(table.variables), space.evidence(parents)
    edges = [Edge(*pair, weight=found.score_gain) for pair, found in evidence.items()]
    within = [(table.variables[u], table.variables[v]) for v in range(n) for u in parents[v] if u < n]
    initial, is_learned = first_slices(table, within, space.score, run)
    return Outcome(
        graph=graph_in_time(table.variables, table.lags, edges),
        status=run.status,
        score=sum(space.scores.local(v, parents[v]) for v in range(n)),
        trace=trace,
        extra={
            "initial": initial,
            "initial_is_learned": is_learned,
            "is_best": is_best and not run.must_stop(),
        },
    )


def _named(owner: str, name: str) -> DAGSearch:
    """The search of that name, with its usual options."""
    found = METHODS[name].load() if name in METHODS else None
    if found is None or not issubclass(found, DAGSearch):
        searches = [each.name for each in CATALOG.values() if issubclass(each.load(), DAGSearch)]
        raise OptionError(no_such("search", name, searches, owner=f"{owner}(search={name!r})"))
    return found()
