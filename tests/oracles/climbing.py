"""Hill-climbing by its definition: every neighbour of every graph, and nothing remembered but scores."""

import itertools
import math
from collections import deque

import networkx as nx

ADD, REMOVE, REVERSE = 0, 1, 2


def changed(arcs, kind, u, v):
    return arcs ^ ({(u, v), (v, u)} if kind == REVERSE else {(u, v)})


def legal_moves(arcs, n_nodes, *, required=(), forbidden=(), max_parents=math.inf):
    """Every (kind, u, v) that leaves a DAG within the limits."""
    for u, v in itertools.permutations(range(n_nodes), 2):
        for kind in (REMOVE, REVERSE) if (u, v) in arcs else (ADD,):
            after = changed(arcs, kind, u, v)
            new = after - arcs
            if (v, u) in arcs or not set(required) <= after or new & set(forbidden):
                continue
            if any(sum(child == w for _, child in after) > max_parents for _, w in new):
                continue
            if nx.is_directed_acyclic_graph(nx.DiGraph(list(after))):
                yield kind, u, v


def score_of(local, arcs, n_nodes):
    parents = [tuple(sorted(u for u, child in arcs if child == v)) for v in range(n_nodes)]
    return sum(local(v, parents[v]) for v in range(n_nodes))


def best_move(local, arcs, n_nodes, banned, **limits):
    """The first of the best moves, up to rounding: (gain, (kind, u, v)), or None."""
    now = score_of(local, arcs, n_nodes)
    gains = {}
    for kind, u, v in legal_moves(arcs, n_nodes, **limits):
        after = changed(arcs, kind, u, v)
        gain = score_of(local, after, n_nodes) - now
        if math.isfinite(gain) and frozenset(after) not in banned:
            gains[kind, u, v] = gain
    if not gains:
        return None
    best = max(gains.values())
    move = min(move for move, gain in gains.items() if gain >= best - 1e-9 * max(1.0, abs(best)))
    return gains[move], move


def climb(local, n_nodes, *, arcs=frozenset(), tabu=0, patience=15, **limits):
    """Every move of a climb: [(gain, (kind, u, v))]."""
    arcs = set(arcs) | set(limits.get("required", ()))
    visited, trace = deque(maxlen=tabu), []
    score = best = score_of(local, arcs, n_nodes)
    n_since_best = 0
    while n_since_best < patience:
        found = best_move(local, arcs, n_nodes, visited, **limits)
        if found is None or (found[0] <= 1e-9 and not tabu):
            break
        visited.append(frozenset(arcs))
        arcs = changed(arcs, *found[1])
        trace.append(found)
        score += found[0]
        n_since_best = 0 if score > best + 1e-9 else n_since_best + 1
        best = max(best, score)
    return trace
