"""Random graphs have the size, density and shape that was asked for."""

from collections import Counter
from itertools import permutations

import pytest

from structlearn.errors import OptionError
from structlearn.graphs.generators import random_dag, random_undirected

MAKERS = [random_dag, random_undirected]


def test_a_random_dag_is_a_dag_and_its_order_is_random():
    drawn = [random_dag(30, expected_degree=6, random_state=seed) for seed in range(20)]

    assert all(graph.is_dag for graph in drawn)
    assert len({graph.topological_order()[0] for graph in drawn}) > 5


@pytest.mark.parametrize("make", MAKERS)
def test_the_same_seed_draws_the_same_graph(make):
    assert make(25, random_state=7) == make(25, random_state=7)
    assert make(25, random_state=7) != make(25, random_state=8)


@pytest.mark.parametrize("make", MAKERS)
def test_the_mean_degree_is_the_expected_one(make):
    n_nodes, degree = 2000, 4.0
    n_edges = len(make(n_nodes, expected_degree=degree, random_state=11).edges)

    spread = (n_nodes * degree / 2) ** 0.5
    assert abs(n_edges - n_nodes * degree / 2) < 5 * spread


@pytest.mark.parametrize("make", MAKERS)
def test_no_and_all_edges_can_be_asked_for(make):
    assert make(10, expected_degree=0).edges == ()
    assert len(make(10, expected_degree=9).edges) == len(make(10, expected_degree=99).edges) == 45
    assert len(make(2).edges) == 1
    assert len(make(1)) == 1
    assert len(make(0)) == 0


def test_every_pair_is_drawn_alike():
    n_draws = 3000
    drawn = Counter(
        arrow
        for seed in range(n_draws)
        for arrow in random_dag(4, expected_degree=1.5, random_state=seed).directed
    )

    # Each of the 12 arrows has probability 1/2 · 1/2; five standard errors of the count.
    expected, spread = n_draws / 4, (n_draws * 3 / 16) ** 0.5
    for arrow in permutations(["x0", "x1", "x2", "x3"], 2):
        assert abs(drawn[arrow] - expected) < 5 * spread


def test_names_can_be_given_but_must_be_enough():
    assert random_dag(2, names=["u", "v"]).nodes == ("u", "v")
    with pytest.raises(OptionError, match="as many names, not 1"):
        random_undirected(2, names=["u"])


@pytest.mark.parametrize(("n_nodes", "degree"), [(-1, 2.0), (5, -0.5), (5, float("nan"))])
def test_impossible_sizes_are_refused(n_nodes, degree):
    with pytest.raises(OptionError, match=r"n_nodes is the number|expected_degree is how many"):
        random_dag(n_nodes, expected_degree=degree)
