"""Scores of graphs, p-values of tests, and the functions around them."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import structlearn as sl
from benchmarks.same_results.case import Case
from benchmarks.same_results.tables import data, table, truth

SCORES = {
    "asia": ("bic", "bdeu", "bic-cg", "loglik", "aic", "mdl", "bde", "bds", "bdj", "k2", "laplace"),
    "alarm": ("bic", "bdeu", "loglik", "aic", "mdl", "bds", "bdj", "k2"),
    "weighted": ("bic", "bdeu", "k2", "loglik"),
    "gaussian": ("bic", "bic-g", "bic-cg", "loglik", "aic", "bge", "laplace"),
    "mixed": ("bic", "bic-cg", "loglik", "aic"),
}
DRAWN_FROM = {"weighted": "asia", "mixed": "gaussian"}
TESTS = {
    "asia": ("g2", "chi2", "mutual-information", "conditional-gaussian"),
    "earthquake": ("permutation",),
    "gaussian": ("fisher-z", "t", "conditional-gaussian", "permutation"),
    "mixed": ("conditional-gaussian",),
    "gaps": ("g2", "chi2"),
}
N_QUESTIONS = 30
BLANKETS = ("grow-shrink", "iamb", "inter-iamb", "fast-iamb")


def score_cases() -> Iterator[Case]:
    """Every score of the true graph, of none and of random ones."""
    for name, scores in SCORES.items():
        for score in scores:
            yield Case("scores", f"score {score} of {name}", partial(_scoring, name, score))


def _scoring(name: str, score: str) -> Callable[[], Any]:
    given, true_graph = data(name), truth(DRAWN_FROM.get(name, name))
    nodes = true_graph.nodes
    graphs = {"true": true_graph, "none": sl.Graph(nodes)}
    for seed in range(3):
        graphs[f"random {seed}"] = sl.random_dag(
            len(nodes), names=nodes, expected_degree=2, max_parents=3, random_state=seed
        )
    return lambda: {title: sl.score(graph, given, score) for title, graph in graphs.items()}


def test_cases() -> Iterator[Case]:
    """Random questions to every test; Markov blankets and independence maps."""
    for name, tests in TESTS.items():
        for test in tests:
            yield Case("tests", f"test {test} of {name}", partial(_asking, name, test))
    for name in ("asia", "gaussian", "mixed", "oracle"):
        yield Case("tests", f"minimal I-map of {name}", partial(_mapping, name))
        for method in BLANKETS if name != "oracle" else ():
            yield Case("tests", f"blankets of {name}, {method}", partial(_surrounding, name, method))


def _asking(name: str, test: str) -> Callable[[], Any]:
    given = data(name)
    names = list(table({"gaps": "asia", "mixed": "gaussian"}.get(name, name)).names)
    rng = np.random.default_rng(0)
    questions = [rng.permutation(names)[: rng.integers(2, 6)].tolist() for _ in range(N_QUESTIONS)]
    missing = "drop" if name == "gaps" else "error"
    return lambda: {
        f"{x} {y} | {' '.join(others)}": sl.test_independence(given, x, y, others, test=test, missing=missing)
        for x, y, *others in questions
    }


def _mapping(name: str) -> Callable[[], Any]:
    given = data(name)
    order = sorted(given.names)

    def work() -> Any:
        graph = sl.minimal_imap(order, given)
        return {
            "graph": graph,
            "is one": sl.is_imap(graph, given),
            "none is": sl.is_imap(sl.Graph(order), given),
        }

    return work


def _surrounding(name: str, method: str) -> Callable[[], Any]:
    given = data(name)
    return lambda: {node: sl.markov_blanket(given, node, method=method) for node in given.names}
