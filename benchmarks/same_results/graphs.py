"""What graphs say of themselves and of each other."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import structlearn as sl
from benchmarks.same_results.case import Case
from benchmarks.same_results.tables import data, truth

KINDS = ("erdos-renyi", "scale-free", "small-world", "hierarchical")
N_NODES = 25  # a hierarchy has a power of five
N_QUESTIONS = 500


def graph_cases() -> Iterator[Case]:
    """Published graphs, and random ones of each kind."""
    for name in ("asia", "insurance", "alarm", "andes"):
        yield Case("graphs", f"graph of {name}", partial(_facts, name))
        yield Case("graphs", f"separations in {name}", partial(_separations, name))
    for name in ("asia", "insurance", "alarm"):
        yield Case("graphs", f"comparisons with {name}", partial(_comparisons, name))
    for kind in KINDS:
        yield Case("graphs", f"random graphs, {kind}", lambda kind=kind: partial(_random, kind))
    uniform = partial(sl.random_dag, 10, kind="uniform", random_state=0)
    yield Case("graphs", "random DAG, uniform", lambda: uniform)
    yield Case("graphs", "topology", _topology)


def _facts(name: str) -> Callable[[], Any]:
    graph = truth(name)

    def work() -> Any:
        pattern = graph.to_cpdag()
        return {
            "class": pattern,
            "a member": pattern.to_dag(),
            "n_members": pattern.n_members(),
            "moral": graph.moral(),
            "skeleton": graph.skeleton(),
            "order": graph.topological_order(),
            "v-structures": graph.v_structures(),
            "adjacency": pattern.adjacency(),
            "blankets": {node: graph.markov_blanket(node) for node in graph.nodes},
            "ancestors": {node: graph.ancestors(node) for node in graph.nodes},
        }

    return work


def _separations(name: str) -> Callable[[], Any]:
    graph = truth(name)
    rng = np.random.default_rng(0)
    asked = [rng.permutation(graph.nodes)[: rng.integers(2, 7)].tolist() for _ in range(N_QUESTIONS)]
    return lambda: np.array([graph.d_separated(x, y, given=others) for x, y, *others in asked])


def _comparisons(name: str) -> Callable[[], Any]:
    true_graph, rows = truth(name), data(name)
    found = [sl.learn(rows, method=method) for method in ("chow-liu", "pc", "k2")]
    found.append(sl.random_dag(len(true_graph.nodes), names=true_graph.nodes, random_state=0))
    return lambda: [graph.compare(true_graph) for graph in found]


def _random(kind: str) -> Any:
    return {
        "directed": sl.random_dag(N_NODES, kind=kind, random_state=0),
        "undirected": sl.random_undirected(N_NODES, kind=kind, random_state=0),
        "few parents": sl.random_dag(N_NODES, kind=kind, max_parents=2, random_state=1),
    }


def _topology() -> Callable[[], Any]:
    graph = sl.random_undirected(200, kind="scale-free", random_state=0)

    def work() -> Any:
        found = sl.topology(graph, n_random=2, random_state=0)
        law = sl.fit_power_law(found.degrees, n_bootstrap=5, random_state=0)
        return {"topology": found, "power law": law}

    return work
