"""Polytrees: the true CPDAG from an oracle and from data, contradictions, knowledge."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.learners.score.polytree import Polytree
from structlearn.learners.score.trees.directions import Directions


def random_polytree(seed, n_nodes):
    """A random tree with random directions."""
    rng = np.random.default_rng(seed)
    names = [f"v{j}" for j in rng.permutation(n_nodes)]
    arcs = [(names[rng.integers(j)], names[j]) for j in range(1, n_nodes)]
    return sl.Graph(sorted(names), directed=[arc[:: rng.choice([1, -1])] for arc in arcs])


def sample(truth, n_rows, seed):
    """Binary columns, each one with probability logistic(1.6 · Σ ±1) of its parents."""
    rng = np.random.default_rng(seed)
    columns = {}
    for name in truth.topological_order():
        pull = 1.6 * sum((2 * columns[parent] - 1 for parent in truth.parents(name)), np.zeros(n_rows))
        columns[name] = (rng.random(n_rows) < 1 / (1 + np.exp(-pull))).astype(int)
    return sl.Dataset({name: columns[name] for name in truth.nodes})


@pytest.mark.parametrize("block", range(5))
def test_an_oracle_gives_the_cpdag_of_500_random_polytrees(block):
    for seed in range(100 * block, 100 * (block + 1)):
        truth = random_polytree(seed, 2 + seed % 8)
        learner = Polytree().fit(sl.Oracle(truth))
        assert learner.graph_ == truth.to_cpdag()
        assert learner.conflicts_ == ()


def test_a_forest_of_polytrees_is_found_too():
    truth = sl.Graph("abcdef", directed=[("a", "c"), ("b", "c"), ("d", "e")])

    assert Polytree().fit(sl.Oracle(truth)).graph_ == truth.to_cpdag()


def test_data_give_the_cpdag_of_most_random_polytrees():
    reached = 0
    for seed in range(10):
        truth = random_polytree(seed, 8)
        learner = Polytree(alpha=0.001).fit(sample(truth, 20_000, seed))
        reached += learner.graph_ == truth.to_cpdag()

    assert reached >= 8


def test_continuous_columns_give_the_cpdag():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 2000))
    c = a + b + rng.normal(size=2000)
    data = {"a": a, "b": b, "c": c, "d": c + rng.normal(size=2000)}

    graph = Polytree(alpha=0.001).fit(data).graph_

    assert graph == sl.Graph("abcd", directed=[("a", "c"), ("b", "c"), ("c", "d")])


def test_a_truth_with_a_cycle_of_edges_is_refused():
    square = sl.Graph("abcd", directed=[("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")])

    with pytest.raises(sl.DataError, match="has a cycle of edges"):
        Polytree().fit(sl.Oracle(square))


def test_knowledge_directs_what_the_tests_leave_open():
    chain = sl.Oracle(sl.Graph("abc", directed=[("a", "b"), ("b", "c")]))
    known = sl.Knowledge(required=[("b", "a")])

    assert Polytree().fit(chain).graph_.undirected == (("a", "b"), ("b", "c"))
    assert Polytree(knowledge=known).fit(chain).graph_.edge("b", "a").kind == "directed"
    from_a = Polytree(knowledge=sl.Knowledge(forbidden=[("b", "a")])).fit(chain).graph_
    assert from_a.directed == (("a", "b"), ("b", "c"))


def test_required_edges_that_close_a_cycle_are_refused():
    known = sl.Knowledge(required=[("a", "b"), ("a", "c"), ("b", "c")])

    with pytest.raises(sl.OptionError, match="b → c closes a cycle"):
        Polytree(knowledge=known).fit(sl.Oracle(sl.Graph("abc", directed=[("a", "b")])))


def test_knowledge_against_the_tests_is_kept_and_the_conflict_named():
    collider = sl.Oracle(sl.Graph("abc", directed=[("a", "b"), ("c", "b")]))

    learner = Polytree(knowledge=sl.Knowledge(required=[("b", "a")])).fit(collider)

    assert learner.graph_.directed == (("b", "a"),)
    assert learner.conflicts_ == ("a → b ← c",)


def test_arrows_that_meet_though_their_ends_depend_are_a_conflict():
    directions = Directions([(0, 1), (1, 2), (1, 3)])
    directions.collide([(0, 1, 2), (0, 1, 3)])
    directions.pass_on([(2, 1, 3)])

    assert directions.arrows() == [(0, 1), (2, 1), (3, 1)]
    assert directions.conflicts == [(2, 1, 3)]


@pytest.mark.parametrize("draw", ["standard_normal", "standard_cauchy"])
@pytest.mark.parametrize("shape", [(20, 60), (200, 20)])
def test_columns_of_noise_have_hardly_an_edge(draw, shape):
    """At 0.05 for each pair 60 columns are joined to a tree."""
    tables = [getattr(np.random.default_rng(seed), draw)(shape) for seed in range(5)]

    assert np.mean([len(Polytree().fit(rows).graph_.edges) for rows in tables]) < 4
    assert np.mean([len(Polytree(alpha=0.05).fit(rows).graph_.edges) for rows in tables]) > 4


def test_a_polytree_beside_noise_is_found_and_little_else():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(60, 30))
    for child in range(1, 12):
        rows[:, child] += 1.5 * rows[:, child - 1]

    edges = {frozenset((edge.source, edge.target)) for edge in Polytree().fit(rows).graph_.edges}

    chain = {frozenset((f"x{child - 1}", f"x{child}")) for child in range(1, 12)}
    assert len(edges & chain) >= 10
    assert len(edges - chain) <= 3


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 6))
def test_whatever_the_data_the_result_has_no_cycle_of_edges(seed, n_columns):
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 2, (60, n_columns)) | rng.integers(0, 2, (60, 1))
    learner = Polytree(alpha=0.3).fit({f"c{j}": rows[:, j].tolist() for j in range(n_columns)})

    skeleton = learner.graph_.skeleton()
    assert len(skeleton.edges) == n_columns - len({frozenset(part) for part in parts(skeleton)})


def parts(graph):
    for node in graph.nodes:
        part, waiting = {node}, [node]
        while waiting:
            fresh = set(graph.adjacent(waiting.pop())) - part
            part |= fresh
            waiting += fresh
        yield part
