"""What experiments tell of a DAG, beside all DAGs that share skeleton, v-structures and cut edges.

The numbers are in docs/references/graphs.md#interventional-classes.
"""

from collections import defaultdict

import pytest

import structlearn as sl
from tests.oracles import graphs as oracle

NAMES = "abcd"


def classes(n_nodes, targets):
    """The DAGs that no experiment tells apart, class by class."""
    found = defaultdict(list)
    for dag in oracle.all_dags(n_nodes):
        joined = oracle.skeleton(dag)
        cut = frozenset((a, b) for a, b in dag for each in targets if (a in each) != (b in each))
        met = frozenset(map(tuple, oracle.v_structures(dag, joined)))
        found[frozenset(joined), met, cut].append(frozenset(dag))
    return list(found.values())


def named(n_nodes, arrows):
    return sl.Graph(NAMES[:n_nodes], directed=[(NAMES[a], NAMES[b]) for a, b in arrows])


@pytest.mark.parametrize(
    ("n_nodes", "targets", "n_classes"),
    [
        (3, [], 11),
        (3, [{0}], 20),
        (3, [{0}, {1}], 25),
        (3, [{0, 1}], 20),
        (4, [{0}], 345),
        (4, [{0}, {1}], 474),
        (4, [{0, 1}], 412),
        (4, [{0, 1}, {1, 2}], 543),
    ],
)
def test_the_graph_has_the_arrows_that_all_of_its_class_share(n_nodes, targets, n_classes):
    found = classes(n_nodes, targets)
    letters = [[NAMES[i] for i in sorted(each)] for each in targets]

    assert len(found) == n_classes
    for members in found:
        shared = frozenset.intersection(*members)
        essential = named(n_nodes, members[0]).to_cpdag(targets=letters)
        assert set(essential.directed) == {(NAMES[a], NAMES[b]) for a, b in shared}
        assert essential.skeleton() == named(n_nodes, members[0]).skeleton()
        assert essential.n_members() == len(members)


@pytest.mark.parametrize(
    ("targets", "n_single"), [([], 59), ([{0}], 210), ([{0}, {1}], 405), ([{0, 1}], 295)]
)
def test_so_many_dags_of_four_nodes_are_known_wholly(targets, n_single):
    letters = [[NAMES[i] for i in sorted(each)] for each in targets]
    dags = [named(4, dag) for dag in oracle.all_dags(4)]

    assert sum(dag.to_cpdag(targets=letters) == dag for dag in dags) == n_single


def test_a_name_alone_is_an_experiment_with_one_node():
    chain = sl.Graph("abc", directed=["ab", "bc"])

    assert chain.to_cpdag(targets=["a"]) == chain.to_cpdag(targets=[["a"]]) == chain
    assert chain.to_cpdag(targets=[["a", "b", "c"]]) == chain.to_cpdag()
    assert chain.to_cpdag(targets=[["a", "b"]]).directed == (("b", "c"),)


def test_what_is_known_about_edges_is_kept():
    graph = sl.Graph("ab", directed=[sl.Edge("a", "b", weight=2.0)])

    assert graph.to_cpdag(targets=["b"]).edges[0].weight == 2.0


@pytest.mark.parametrize(
    ("graph", "targets", "message"),
    [
        (sl.Graph("ab", directed=["ab"]), ["q"], "no node 'q'"),
        (sl.Graph("ab", undirected=["ab"]), ["a"], "experiments tell directions of a DAG"),
        (sl.Graph("ab", edges=["a <-> b"]), ["a"], "experiments tell directions of a DAG"),
    ],
)
def test_what_makes_no_sense_is_refused(graph, targets, message):
    with pytest.raises(sl.DataError, match=message):
        graph.to_cpdag(targets=targets)
