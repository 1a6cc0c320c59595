"""Where a search over DAGs starts."""

from collections.abc import Iterable

import numpy as np

from structlearn.errors import OptionError
from structlearn.graphs import Graph
from structlearn.options import Instance, OrNone
from structlearn.search.dag_state import DAGState
from structlearn.search.kernels import moves
from structlearn.search.space import Space

INITIAL = OrNone(Instance(Graph, "the DAG to start from"), "no arcs")


def start_from(space: Space, initial: Graph | None) -> DAGState:
    """The start of a search: the required arcs and those of a DAG that a person named.

    A node whose family cannot be scored starts without its arcs: no single move might lead out of that.
    """
    state = DAGState(space)
    if initial is None:
        return state
    refuse_other_columns(space, initial)
    place = {name: column for column, name in enumerate(space.names)}
    for source, target in initial.directed:
        _refuse_beyond_limits(state, place[source], place[target])
        _add(state, place[source], place[target])
    return _without_impossible(state)


def refuse_other_columns(space: Space, initial: Graph) -> None:
    """Refuse a start that is no DAG over the columns of the table; contexts act on them besides."""
    columns = space.columns
    if set(initial.nodes) != set(columns) or not initial.is_dag:
        raise OptionError(
            f"{space.owner}(initial=…): initial is a DAG over the columns, {', '.join(columns)}."
        )


def state_with(space: Space, parents: Iterable[Iterable[int]]) -> DAGState:
    """The state with a DAG that a search has found within the limits."""
    state = DAGState(space)
    for u, v in sorted((u, v) for v, members in enumerate(parents) for u in members):
        _add(state, u, v)
    return state


def shaken(state: DAGState, n_moves: int) -> DAGState:
    """A copy of a state after so many random moves, less those to a score of −∞."""
    twin = state.copy()
    for _ in range(n_moves):
        move = twin.random_move(state.space.rng)
        if move is not None and np.isfinite(move.gain):
            twin.apply(move)
    return twin


def _without_impossible(state: DAGState) -> DAGState:
    """The state, less all arcs that are not required of families that cannot be scored."""
    arcs = state.arcs.copy()
    for child, parents in enumerate(state.parents()):
        if state.scores.local(child, parents) == -np.inf:
            arcs[child] = state.limits.frozen[child]
    state.become(arcs)
    return state


def _add(state: DAGState, u: int, v: int) -> None:
    if not state.arcs[v, u]:
        state.apply(state.move(moves.ADD, u, v))


def _refuse_beyond_limits(state: DAGState, u: int, v: int) -> None:
    owner, names, limits = state.space.owner, state.space.names, state.limits
    if state.arcs[v, u]:
        return
    arc = f"{names[u]} → {names[v]}"
    if limits.closed[v, u] or moves.is_above(state.ancestors, u, v):
        raise OptionError(
            f"{owner}(initial=…): knowledge or candidates rule out its arc {arc}; remove it, or allow it."
        )
    if state.arcs[v].sum() >= limits.most_parents[v]:
        raise OptionError(f"{owner}(initial=…): with {arc} a node has more parents than max_parents.")
