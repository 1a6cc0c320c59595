"""Give sets with hidden joint dependence their arcs."""

import math
from dataclasses import replace

from structlearn.rounding import slack
from structlearn.search.climbing import climb
from structlearn.search.dag_state import DAGState
from structlearn.search.parity import HiddenSet, ParityCheck, ParityScan
from structlearn.search.starts import state_with

MOST_ROUNDS = 10  # each is a scan and a climb, and more than a few hidden sets are chance


def unhide(state: DAGState, check: ParityCheck) -> tuple[DAGState, ParityScan]:
    """Search for hidden sets, make one column of each the child of the others, and climb on from there."""
    run = state.space.run
    if run.must_stop():
        return state, check.no_scan()
    scan = check.scan(state.parents())
    fresh = scan.found
    found: list[HiddenSet] = []
    while fresh and len(found) < MOST_ROUNDS and not run.must_stop():
        found.append(fresh[0])
        state = _joined(state, fresh[0])
        fresh = check.scan(state.parents()).found
    return state, replace(scan, found=tuple(found))


def _joined(state: DAGState, hidden: HiddenSet) -> DAGState:
    """The DAG in which the best child of a set has the others as parents, improved by single arcs.

    Each column of such a set may be the child, and the data hardly tell which. Where the scores
    differ by less than a parameter costs in BIC, the last name is the child.
    """
    columns = [state.space.names.index(name) for name in hidden.names]
    least = math.log(max(state.space.statistics.size, 1.0)) / 2
    best, best_gain = state, slack(state.score)
    for child in reversed(columns):
        with_arcs = _with_parents(state, child, [other for other in columns if other != child])
        if with_arcs is not None and with_arcs.score - state.score > best_gain:
            best, best_gain = with_arcs, with_arcs.score - state.score + least
    climb(best)
    return best


def _with_parents(state: DAGState, child: int, more: list[int]) -> DAGState | None:
    """The DAG with further parents of a node, or None where knowledge, a cycle or a limit forbids them."""
    parents, limits = state.parents(), state.limits
    parents[child] = [*parents[child], *more]
    if limits.closed[child, more].any() or len(parents[child]) > limits.most_parents[child]:
        return None
    if state.above[more, child].any():
        return None
    return state_with(state.space, parents)
