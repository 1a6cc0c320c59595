"""Comparisons count what they say, also where there is nothing to count."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.graphs.equivalence import is_equivalent
from tests.strategies import any_kind_of_graph, dags, graphs

TRUTH = Graph("abcde", directed=["ac", "bc", "cd", "de"])


@st.composite
def pairs_of(draw, make):
    n_nodes = draw(st.integers(0, 5))
    return draw(make(n_nodes, n_nodes)), draw(make(n_nodes, n_nodes))


def differing_pairs(first, second):
    matrices = first.adjacency(), second.adjacency()
    n_nodes = len(first)
    return sum(
        matrices[0][i, j] != matrices[1][i, j] or matrices[0][j, i] != matrices[1][j, i]
        for i in range(n_nodes)
        for j in range(i)
    )


def test_each_kind_of_mistake_is_counted_once():
    # CPDAG of the truth: a→c←b, c→d→e. Learned: a→c←b, d→c, b→e, whose class directs all four.
    learned = Graph("abcde", directed=["ac", "bc", "dc", "be"])
    result = learned.compare(TRUTH)

    assert result.between == "CPDAG and CPDAG"
    assert result.of_classes
    assert (result.agreed, result.missing, result.extra, result.misdirected) == (2, 1, 1, 1)
    assert result.shd == 3
    assert result.skeleton_precision == result.skeleton_recall == result.skeleton_f1 == 3 / 4


def test_only_arrows_that_data_can_tell_are_counted():
    # In the class of the learned graph b — e is a line, so three arrows are claimed, two of them true.
    learned = Graph("abcde", directed=["ac", "bc", "dc", "be"])

    assert learned.to_cpdag().undirected == (("b", "e"),)
    assert learned.compare(TRUTH).arrow_precision == 2 / 3
    assert learned.compare(TRUTH).arrow_recall == 2 / 4
    assert learned.compare(TRUTH).arrow_f1 == pytest.approx(4 / 7)


@given(pairs_of(dags))
def test_the_distance_is_that_of_the_cpdags(both):
    first, second = both
    result = first.compare(second)

    assert result.shd == differing_pairs(first.to_cpdag(), second.to_cpdag())
    assert (result.shd == 0) == is_equivalent(first.links, second.links)


@given(pairs_of(graphs))
def test_exchanging_the_graphs_exchanges_precision_and_recall(both):
    there, back = both[0].compare(both[1]), both[1].compare(both[0])

    assert there.shd == back.shd
    assert (there.missing, there.extra) == (back.extra, back.missing)
    assert there.skeleton_precision == back.skeleton_recall
    assert there.arrow_precision == back.arrow_recall
    assert (there.skeleton_f1, there.arrow_f1) == (back.skeleton_f1, back.arrow_f1)


@given(pairs_of(graphs))
def test_f1_is_the_harmonic_mean(both):
    result = both[0].compare(both[1])

    for what in ("skeleton", "arrow"):
        precision, recall, f1 = (getattr(result, f"{what}_{rate}") for rate in ("precision", "recall", "f1"))
        assert all(0 <= rate <= 1 for rate in (precision, recall, f1))
        if precision + recall > 0 and f1 > 0:
            assert f1 == pytest.approx(2 * precision * recall / (precision + recall))


@given(pairs_of(graphs))
def test_the_order_of_nodes_does_not_matter(both):
    first, second = both

    assert first.compare(second) == first.compare(second.reordered(second.nodes[::-1]))


def test_nothing_claimed_is_precise_but_finds_nothing():
    result = Graph("abcde").compare(TRUTH)

    assert (result.skeleton_precision, result.skeleton_recall, result.skeleton_f1) == (1.0, 0.0, 0.0)
    assert (result.arrow_precision, result.arrow_recall, result.arrow_f1) == (1.0, 0.0, 0.0)


def test_nothing_to_find_is_found_but_claims_are_wrong():
    result = TRUTH.compare(Graph("abcde"))

    assert (result.skeleton_precision, result.skeleton_recall, result.skeleton_f1) == (0.0, 1.0, 0.0)


def test_two_empty_graphs_agree_fully():
    result = Graph("ab").compare(Graph("ab"))

    assert result.shd == 0
    assert result.skeleton_f1 == result.arrow_f1 == 1.0


def test_a_cycle_is_compared_as_it_is():
    cycle = Graph("abc", directed=["ab", "bc", "ca"])
    result = cycle.compare(Graph("abc", directed=["ab", "bc"]))

    assert result.between == "cyclic graph and DAG"
    assert (result.agreed, result.extra) == (2, 1)
    assert "between cyclic graph and DAG" in str(result)


SQUARE = Graph("abcd", directed=["ab", "ac", "bd", "cd"])  # its CPDAG: b — a — c, b → d ← c


def test_beside_lines_the_truth_is_its_class_even_if_no_dag_extends_the_graph():
    # d → e — a closes a ring without a chord: each direction makes a collider that is not there, or a cycle.
    truth = Graph("abcde", directed=["ab", "ac", "bd", "cd", "de"])
    learned = Graph("abcde", directed=["bd", "cd"], undirected=["ab", "ac", "ae", "de"])
    result = learned.compare(truth)

    assert result.between == "PDAG and CPDAG"
    assert not result.of_classes
    assert (result.agreed, result.misdirected, result.extra, result.missing) == (4, 1, 1, 0)
    assert result == learned.compare(truth.to_cpdag())
    assert "between PDAG and CPDAG" in str(result)


def test_a_graph_is_its_class_beside_a_truth_of_lines_that_no_dag_extends():
    ring = Graph("abcd", undirected=["ab", "bd", "cd", "ac"])
    result = SQUARE.compare(ring)

    assert result.between == "CPDAG and undirected graph"
    assert (result.agreed, result.misdirected) == (2, 2)


def test_beside_hidden_causes_both_stay_as_they_are():
    for edges in (["a <-> b", "b --- c"], ["a o-o b", "b --- c"]):
        hidden = Graph("abc", edges=edges)
        chain = Graph("abc", directed=["ab", "bc"])

        assert hidden.compare(chain).between == f"{hidden.kind} and DAG"
        assert chain.compare(hidden).between == f"DAG and {hidden.kind}"
        assert hidden.compare(chain).misdirected == 2


@given(pairs_of(graphs), st.data())
def test_a_dag_and_its_class_are_the_same_truth_unless_the_graph_is_a_cycle_of_arrows_alone(both, data):
    learned = both[0]
    truth = data.draw(dags(len(learned), len(learned)))
    if learned.is_dag or learned.undirected:
        assert learned.compare(truth) == learned.compare(truth.to_cpdag())
    else:
        assert learned.compare(truth).between == "cyclic graph and DAG"


def test_both_directions_differ_from_one():
    result = Graph("ab", directed=["ab", "ba"]).compare(Graph("ab", directed=["ab"]))

    assert (result.misdirected, result.extra, result.shd) == (1, 0, 1)
    assert (result.arrow_precision, result.arrow_recall) == (0.5, 1.0)


def test_a_square_without_extension_is_compared_as_it_is():
    square = Graph("abcd", undirected=["ab", "bc", "cd", "ad"])

    assert square.compare(square).shd == 0
    assert square.compare(Graph("abcd", undirected=["ab", "bc", "cd"])).extra == 1


def test_a_comparison_reads_as_sentences():
    learned = Graph("abcde", directed=["ac", "bc", "dc", "be"])

    assert str(learned.compare(TRUTH)).splitlines() == [
        "Structural Hamming distance 3 between the CPDAGs",
        "  edges     2 right, 1 missing, 1 extra, 1 misdirected",
        "  skeleton  precision 0.750, recall 0.750, F1 0.750",
        "  arrows    precision 0.667, recall 0.500, F1 0.571",
    ]


def test_the_measures_come_as_a_table_row():
    result = TRUTH.compare(Graph("abcde"))

    assert result.to_dict()["shd"] == 4
    assert result.to_dict()["skeleton_recall"] == 1.0


def test_the_marks_of_a_pag_are_compared_end_by_end():
    # Pairs: a b the same, b c differs at c, c d the truth's alone, a d the graph's alone.
    learned = Graph("abcd", edges=["a o-> b", "b <-> c", "a --> d"])
    result = learned.compare(Graph("abcd", edges=["a o-> b", "c o-> b", "c --- d"]))

    assert result.between == "PAG and PAG"
    assert (result.agreed, result.misdirected, result.missing, result.extra, result.shd) == (1, 1, 1, 1, 3)
    assert result.marks == {"tail": (1, 2, 0), "arrow": (4, 2, 2), "circle": (1, 2, 1)}
    assert (result.arrow_precision, result.sid) == (0.0, None)
    assert str(result).splitlines()[-1] == (
        "  marks     0 tails right of 1 drawn and 2 true, 2 arrows right of 4 drawn and 2 true, "
        "1 circles right of 1 drawn and 2 true"
    )


def test_a_mag_is_not_taken_for_a_class_of_dags():
    # As DAGs a → b and b → a are equivalent; as MAGs they say who is a cause of whom.
    there, back = Graph("ab", directed=["ab"], kind="MAG"), Graph("ab", directed=["ba"])

    assert there.compare(back).shd == back.compare(there).shd == 1
    assert Graph("ab", directed=["ab"]).compare(back).shd == 0


def test_two_arrows_and_an_arc_beside_an_arrow_are_kept_apart():
    both, bow, arc = (
        Graph("ab", edges=edges) for edges in (["a --> b", "b --> a"], ["a --> b", "a <-> b"], ["a <-> b"])
    )

    assert both.compare(bow).misdirected == bow.compare(arc).misdirected == both.compare(arc).misdirected == 1
    assert bow.compare(bow.reordered("ba")).agreed == both.compare(both.reordered("ba")).agreed == 1
    assert bow.compare(arc).marks == {"tail": (1, 0, 0), "arrow": (3, 2, 2), "circle": (0, 0, 0)}


@settings(deadline=None)
@given(any_kind_of_graph())
def test_a_graph_of_any_kind_agrees_with_itself(graph):
    result = graph.compare(graph.reordered(graph.nodes[::-1]))

    assert result.shd == 0
    assert all(count.drawn == count.true == count.agreed for count in result.marks.values())


def test_other_nodes_are_named():
    with pytest.raises(DataError, match=r"only one has 'e', 'z'\. Take"):
        TRUTH.compare(Graph("abcdz"))
