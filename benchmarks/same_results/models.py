"""What models answer: fitted, sampled, asked."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import structlearn as sl
from benchmarks.models import questions
from benchmarks.same_results.case import Case
from benchmarks.same_results.tables import data, table, truth
from benchmarks.workloads import published

N_QUESTIONS = 100
FEW_QUESTIONS = 5
APPROXIMATE: dict[str, dict[str, Any]] = {
    "weighting": {"n": 5_000, "random_state": 0},
    "gibbs": {"sweeps": 300, "random_state": 0},
    "loopy": {},
}
FITS: dict[str, tuple[str, dict[str, Any], Any]] = {
    "tables": ("asia", {}, None),
    "smoothed tables": ("asia", {"smoothing": 1.0}, None),
    "tables of many columns": ("alarm", {"smoothing": 1.0}, None),
    "tables of weighted rows": ("weighted", {}, None),
    "tables by expectation-maximisation": ("gaps", {"missing": "em"}, None),
    "normal distributions": ("gaussian", {}, None),
    "distributions of both kinds": ("mixed", {}, None),
    **{form: ("asia", {}, form) for form in ("tree", "softmax", "sigmoid", "noisy-or")},
}
DRAWN_FROM = {"weighted": "asia", "gaps": "asia", "mixed": "gaussian"}


def model_cases() -> Iterator[Case]:
    """Networks, directed and not: what they are asked in the benchmarks and more."""
    for title, (name, options, form) in FITS.items():
        yield Case("models", f"fit {title}", partial(_fitting, name, options, form))
    for name in ("asia", "alarm", "hailfinder", "andes"):
        yield Case("models", f"questions to {name}", partial(_questions, name))
        yield Case("models", f"rows of {name}", partial(_rows, name))
    for method in APPROXIMATE:
        yield Case("models", f"questions to asia, {method}", partial(_approximately, method))
    yield Case("models", "questions to numbers", partial(_continuous, "gaussian"))
    yield Case("models", "questions to both kinds", partial(_continuous, "mixed"))
    for objective in ("exact", "pseudo"):
        yield Case("models", f"Markov network, {objective}", partial(_markov_network, objective))
        yield Case("models", f"Ising model, {objective}", partial(_ising_model, objective))
    yield Case("models", "Markov network of asia", lambda: _from_bayesian)
    yield Case("models", "Gaussian graphical model", _gaussian_graphical_model)
    for kind in ("discrete", "gaussian"):
        yield Case("models", f"random {kind} model", partial(_random_model, kind))


def _fitting(name: str, options: dict[str, Any], form: str | None) -> Callable[[], Any]:
    given, graph = data(name), truth(DRAWN_FROM.get(name, name))
    inner = [node for node in graph.nodes if graph.parents(node)]
    wishes = dict.fromkeys(inner, form) if form else None

    def work() -> Any:
        model = sl.BayesianNetwork(graph, wishes).fit(given, **options)
        found = {"cpds": _parameters(model), "n_parameters": model.n_parameters, "em": model.em_}
        if "missing" in options:
            return found
        return found | {
            "log-likelihood": model.log_likelihood(given),
            "rows": model.log_likelihood_rows(given),
        }

    return work


def _parameters(model: sl.BayesianNetwork) -> dict[str, Any]:
    return {node: cpd.to_dict() for node, cpd in model.cpds.items()}


def _questions(name: str) -> Callable[[], Any]:
    model = published(name)
    asked = questions(model, N_QUESTIONS)

    def work() -> Any:
        answers = [model.query([q.node], q.evidence) for q in asked]
        few = [q for q in asked if q.evidence][:FEW_QUESTIONS]
        return {
            "answers": answers,
            "most probable": [model.map(evidence=q.evidence) for q in few],
            "evidence": [model.log_evidence(q.evidence) for q in few],
            "acted": [model.query([q.node], do=q.evidence) for q in few],
        }

    return work


def _rows(name: str) -> Callable[[], Any]:
    model = published(name)

    def work() -> Any:
        rows = model.sample(2_000, random_state=0)
        return {"cpds": _parameters(model), "rows": rows, "likelihood": model.log_likelihood_rows(rows)}

    return work


def _approximately(method: str) -> Callable[[], Any]:
    model = sl.example("asia")
    asked = questions(model, FEW_QUESTIONS)
    options = APPROXIMATE[method]
    return lambda: [model.query([q.node], q.evidence, method=method, **options) for q in asked]


def _continuous(name: str) -> Callable[[], Any]:
    given, names = data(name), table("gaussian").names
    # Columns that are discrete in the mixed table have no parents, so that there is an exact answer.
    arcs = [(names[i], names[j]) for i, j in ((0, 1), (2, 3), (4, 5), (6, 7), (1, 3), (3, 5), (5, 7), (1, 7))]
    model = sl.BayesianNetwork(sl.Graph(names, directed=arcs)).fit(given)
    first, second, third = names[1], names[3], names[7]

    def work() -> Any:
        return {
            "one": model.query(first),
            "two": model.query([first, second], {third: 0.5}),
            "acted": model.query(first, do={second: 1.0}),
            "weighting": model.query(first, {second: 0.5}, method="weighting", n=2_000, random_state=0),
            "rows": model.sample(500, random_state=0),
        }

    return work


def _undirected(model: Any, rows: Any) -> dict[str, Any]:
    asked = {"x0": "no", "x3": "yes"}
    return {
        "known": model.to_dict(),
        "log-likelihood": model.log_likelihood(rows),
        "pseudo": model.pseudo_log_likelihood(rows),
        "answer": model.query(["x1", "x5"], asked),
        "most probable": model.map(evidence=asked),
        "evidence": model.log_evidence(asked),
        "rows": model.sample(200, random_state=0),
        "rows by chains": model.sample(50, method="gibbs", sweeps=50, random_state=0),
    }


def _chain() -> sl.Graph:
    spins = table("spins")
    return sl.Graph(spins.names, undirected=[*spins.truth, (spins.names[0], spins.names[-1])])


def _markov_network(objective: str) -> Callable[[], Any]:
    rows, graph = data("spins"), _chain()
    return lambda: _undirected(sl.MarkovNetwork(graph).fit(rows, objective=objective, ridge=0.01), rows)


def _ising_model(objective: str) -> Callable[[], Any]:
    rows, graph = data("spins"), _chain()
    return lambda: _undirected(sl.IsingModel(graph).fit(rows, objective=objective), rows)


def _from_bayesian() -> Any:
    model = sl.MarkovNetwork.from_bayesian(sl.example("asia"))
    return {
        "known": model.to_dict(),
        "partition": model.log_partition,
        "answer": model.query(["lung", "bronc"], {"dysp": "yes"}),
        "loopy": model.query("lung", {"dysp": "yes"}, method="loopy"),
    }


def _gaussian_graphical_model() -> Callable[[], Any]:
    drawn, rows = table("markov"), data("markov")
    graph = sl.Graph(drawn.names, undirected=drawn.truth)

    def work() -> Any:
        model = sl.GaussianGraphicalModel(graph).fit(rows)
        return {
            "known": model.to_dict(),
            "covariance": model.covariance,
            "partial": model.partial_correlations,
            "log-likelihood": model.log_likelihood(rows),
            "answer": model.query(["x0", "x1"], {"x2": 0.5}),
            "rows": model.sample(100, random_state=0),
        }

    return work


def _random_model(kind: str) -> Callable[[], Any]:
    graph = sl.random_dag(12, expected_degree=2, random_state=0)
    return lambda: _parameters(sl.random_model(graph, kind=kind, random_state=0))
