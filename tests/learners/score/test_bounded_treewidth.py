"""Bounded tree-width: the best of all decomposable graphs, published likelihoods, chordality, knowledge."""

from functools import cache
from itertools import combinations

import networkx as nx
import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.score.bounded_treewidth import BoundedTreewidth
from structlearn.learners.score.chow_liu import ChowLiu
from structlearn.learners.score.cliques.best_cliques import BestCliques
from structlearn.learners.score.cliques.decomposable import CliqueGains, attachments_of, is_clique, joined
from structlearn.learners.score.cliques.grown_cliques import improve
from structlearn.run import Run
from structlearn.scores import BIC
from structlearn.statistics import from_dataset
from tests.data_files import data_file
from tests.oracles.decomposable import lost_without
from tests.oracles.reference_data import T1, XOR


def random_table(seed, n_columns=5, n_rows=120):
    """Binary columns, each the parity of some before it, with noise."""
    rng = np.random.default_rng(seed)
    columns = []
    for j in range(n_columns):
        parents = [columns[k] for k in range(j) if rng.random() < 0.6]
        noise = (rng.random(n_rows) < (0.15 if parents else 0.5)).astype(int)
        columns.append((sum(parents) + noise) % 2)
    return sl.Dataset({f"v{j}": column for j, column in enumerate(columns)})


@cache
def decomposable_dags(names):
    """A DAG for every chordal graph, and how many nodes its largest clique has, by brute force."""
    pairs, found = list(combinations(names, 2)), []
    pairs = list(combinations(names, 2))
    for chosen in range(2 ** len(pairs)):
        graph = nx.Graph()
        graph.add_nodes_from(names)
        graph.add_edges_from(pair for i, pair in enumerate(pairs) if chosen >> i & 1)
        if nx.is_chordal(graph):
            dag = sl.Graph(names, undirected=graph.edges).to_dag()
            found.append((dag, max(map(len, nx.find_cliques(graph)))))
    return found


def chordal_and_narrow(graph, width):
    net = graph.to_networkx()
    return nx.is_chordal(net) and max(map(len, nx.find_cliques(net))) <= width + 1


@pytest.mark.parametrize(
    ("seed", "width", "score"),
    [(0, 1, "bic"), (1, 1, "loglik"), (0, 2, "loglik"), (1, 2, "bic"), (0, 3, "bic"), (1, 3, "loglik")],
)
def test_no_decomposable_graph_of_that_width_scores_more(seed, width, score):
    data = random_table(seed)
    dags = decomposable_dags(data.names)
    best = max(sl.score(dag, data, score) for dag, largest in dags if largest <= width + 1)

    exact = BoundedTreewidth(width=width, method="exact", score=score).fit(data)
    greedy = BoundedTreewidth(width=width, score=score).fit(data)

    assert exact.score_ == pytest.approx(best, abs=1e-7)
    assert greedy.score_ <= best + 1e-7
    for learner in (exact, greedy):
        assert chordal_and_narrow(learner.graph_, width)
        assert learner.score_ == pytest.approx(sl.score(learner.graph_.to_dag(), data, score), abs=1e-7)


# From docs/references/search.md#bounded-treewidth: log-likelihoods of the best hypertrees, by enumeration
# of all labelled k-trees.
@pytest.mark.parametrize(
    ("table", "width", "best"),
    [
        ("coronary.csv", 1, -6712.581260),
        ("coronary.csv", 2, -6658.863537),
        ("learning.test.csv", 2, -23816.423467),
    ],
)
def test_published_hypertrees_are_found(table, width, best):
    path = data_file(f"tables/{table}")
    exact, greedy = (
        BoundedTreewidth(width=width, score="loglik", method=method).fit(path)
        for method in ("exact", "greedy")
    )

    assert exact.score_ == pytest.approx(best, abs=1e-6)
    assert best - 3.0 < greedy.score_ <= best + 1e-6
    n = len(exact.graph_)
    assert len(exact.graph_.edges) == width * n - width * (width + 1) // 2  # a k-tree


@pytest.mark.parametrize("score", ["loglik", "bic"])
@pytest.mark.parametrize("method", ["greedy", "exact"])
def test_width_one_is_the_tree_of_chow_and_liu(method, score):
    data = random_table(3, n_columns=6)

    found = BoundedTreewidth(width=1, method=method, score=score).fit(data)
    tree = ChowLiu(score=score).fit(data)

    assert found.score_ == pytest.approx(tree.score_, abs=1e-8)
    assert found.graph_ == tree.graph_.skeleton()


def test_a_width_of_all_columns_joins_all_that_likelihood_asks_for():
    learner = BoundedTreewidth(width=7, score="loglik").fit(T1)

    assert len(learner.graph_.edges) == 3


def test_the_exact_method_sees_parity_where_no_pair_depends():
    # Twenty rows in which each column is the exclusive or of the other two.
    greedy, exact = (BoundedTreewidth(method=method).fit(XOR) for method in ("greedy", "exact"))

    assert len(exact.graph_.edges) == 3
    assert greedy.score_ <= exact.score_


def test_continuous_columns_score_as_their_dag():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(100, 5)) @ (np.eye(5) + 0.5 * rng.normal(size=(5, 5)))
    data = sl.Dataset({f"c{j}": rows[:, j] for j in range(5)})

    for method in ("greedy", "exact"):
        learner = BoundedTreewidth(method=method).fit(data)
        assert chordal_and_narrow(learner.graph_, 2)
        assert learner.score_ == pytest.approx(sl.score(learner.graph_.to_dag(), data, "bic"), abs=1e-7)


@pytest.mark.parametrize("method", ["greedy", "exact"])
def test_forbidden_edges_are_left_out_whatever_they_gain(method):
    data = random_table(1)
    free = BoundedTreewidth(method=method).fit(data).graph_
    a, b = free.undirected[0]
    knowledge = sl.Knowledge(forbidden=[(a, b), (b, a)])

    graph = BoundedTreewidth(method=method, knowledge=knowledge).fit(data).graph_

    assert graph.edge(a, b) is None
    assert chordal_and_narrow(graph, 2)


def test_evidence_is_what_the_score_loses_or_the_least_that_a_clique_does():
    data = random_table(0, n_columns=6)
    graph = BoundedTreewidth(method="exact", score="loglik").fit(data).graph_
    expected = {edge: lost_without(edge.source, edge.target, graph, data) for edge in graph.edges}

    assert {is_decomposable for _, is_decomposable in expected.values()} == {True, False}
    for edge, (lost, _) in expected.items():
        assert edge.weight == pytest.approx(lost, abs=1e-7)


def test_the_trace_tells_how_the_graph_grows():
    data = random_table(2)
    learner = BoundedTreewidth().fit(data)
    trace = learner.trace_

    edges = {
        frozenset((v, u))
        for v, to in zip(trace["node"], trace["to"], strict=True)
        for u in to.split(", ")
        if u
    }
    assert edges == {frozenset(pair) for pair in learner.graph_.undirected}
    assert trace["score"][-1] == pytest.approx(learner.score_)


@pytest.mark.parametrize("seed", range(3))
def test_no_edge_more_or_less_improves_what_has_grown(seed):
    data = random_table(seed, n_columns=7)
    learner = BoundedTreewidth(starts=1).fit(data)
    edges = {frozenset(pair) for pair in learner.graph_.undirected}

    for pair in combinations(data.names, 2):
        other = sl.Graph(data.names, undirected=[tuple(edge) for edge in edges ^ {frozenset(pair)}])
        if chordal_and_narrow(other, 2):
            assert sl.score(other.to_dag(), data, "bic") <= learner.score_ + 1e-7


def test_an_edge_between_independent_nodes_is_removed_from_the_middle_of_a_chain():
    rng = np.random.default_rng(0)
    a, d = rng.integers(0, 2, (2, 200))
    b, c = (np.where(rng.random(200) < 0.8, column, 1 - column) for column in (a, d))
    data = sl.Dataset({"a": a, "b": b, "c": c, "d": d})
    gains = CliqueGains(BIC(), from_dataset(data), np.zeros((4, 4), dtype=bool))

    improved = improve(gains, [(0, ()), (1, (0,)), (2, (1,)), (3, (2,))], 2, Run("BoundedTreewidth"))

    assert joined(4, improved) == [{1}, {0}, {3}, {2}]


def test_more_starts_never_end_lower():
    data = random_table(5, n_columns=7)
    scores = [BoundedTreewidth(starts=starts).fit(data).score_ for starts in (1, 3, 7)]

    assert scores == sorted(scores)


def test_a_graph_comes_apart_into_attachments_and_back_together():
    grown = [(3, ()), (0, (3,)), (2, (0, 3)), (1, (0, 2)), (4, ())]
    neighbors = joined(5, grown)

    again = attachments_of(neighbors)

    assert joined(5, again) == neighbors
    assert all(is_clique(neighbors, clique) for _, clique in again)


def test_too_many_columns_for_the_exact_method_are_refused():
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, (50, 20))

    with pytest.raises(sl.OptionError, match="20 columns are too many at width 2"):
        BoundedTreewidth(method="exact").fit({f"c{j}": rows[:, j] for j in range(20)})


def test_a_score_that_tells_equivalent_dags_apart_is_refused():
    class Own:
        def local(self, _statistics, families):
            return np.zeros(len(families))

    with pytest.raises(sl.OptionError, match="same for equivalent DAGs"):
        BoundedTreewidth(score=Own()).fit(T1)


def test_where_the_exact_method_ends_early_the_better_greedy_graph_counts(monkeypatch):
    data = random_table(0, n_columns=7)
    expected = BoundedTreewidth().fit(data).score_
    monkeypatch.setattr(BestCliques, "attachments", lambda _self: [(v, ()) for v in range(7)])

    assert BoundedTreewidth(method="exact").fit(data).score_ == pytest.approx(expected)
