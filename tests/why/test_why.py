"""What `graph.why` says of a pair is true of the graph, the method's record and the table."""

import copy
import math
import re
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.why import Record
from tests.graphs.test_mags import graph_of
from tests.oracles import mag_classes
from tests.strategies import dags

ASIA = sl.example("asia")
ROWS = ASIA.sample(2000, random_state=0)


@given(dags(min_nodes=2, max_nodes=6), st.data())
def test_a_pair_without_an_edge_is_separated_by_the_set_that_is_named(graph, data):
    a, b = data.draw(st.permutations(graph.nodes).map(lambda nodes: nodes[:2]))
    said = str(graph.why(a, b))
    if b in graph.adjacent(a):
        assert "has no edge" not in said
        return
    assert said.startswith(f"The graph has no edge between {a} and {b}.")
    found = re.search(
        r"By the graph they are independent (given (.*)|as long as nothing else is known)\.", said
    )
    if "No path joins them" in said:
        assert graph.d_separated(a, b)
    else:
        separator = found[2].split(", ") if found[2] else []
        assert graph.d_separated(a, b, given=separator)
        for node in separator:  # none of them is too many
            assert not graph.d_separated(a, b, given=[other for other in separator if other != node])


@given(dags(min_nodes=2, max_nodes=5))
def test_equivalent_graphs_turn_what_is_said_to_turn(graph):
    members = list(graph.to_cpdag().members())
    for edge in graph.edges:
        turned = any(member.edge(edge.target, edge.source) for member in members)
        assert ("cannot tell its direction" in str(graph.why(edge.source, edge.target))) == turned


def test_a_collider_names_the_other_cause():
    graph = sl.Graph("abcd", directed=[("a", "c"), ("b", "c"), ("c", "d")])
    assert "b also points at c without being joined to a" in str(graph.why("a", "c"))
    assert "turned round it would make a collider" in str(graph.why("c", "d"))


def test_a_test_says_its_p_value_level_and_separating_set():
    learner = sl.PC(alpha=0.01).fit(ROWS)
    (a, b), found = next(item for item in learner.separating_sets_.items() if item[1].given)
    said = str(learner.graph_.why(b, a))
    assert (
        f"Given {', '.join(found.given)}, they are independent by the test: p-value {found.p_value:.2g}"
        in said
    )
    assert "above the level 0.01" in said
    edge = learner.graph_.edges[0]
    kept = str(learner.graph_.why(edge.source, edge.target))
    assert f"tests that it survived is {edge.p_value:.2g}; the level is 0.01" in kept


def test_a_search_says_the_score_with_and_without():
    learner = sl.HillClimbing(score="bdeu").fit(ROWS)
    edge = learner.graph_.edges[0]
    without = sl.Graph(
        learner.graph_.nodes, directed=set(learner.graph_.directed) - {(edge.source, edge.target)}
    )
    gain = sl.score(learner.graph_, ROWS, "bdeu") - sl.score(without, ROWS, "bdeu")
    said = learner.graph_.why(edge.source, edge.target, data=ROWS)
    assert f"Without it the score would be {gain:,.2f} lower." in said.sentences
    assert (
        f"{edge.source} → {edge.target} changes the score 'bdeu' of {edge.target}'s family by {gain:+,.2f}."
        in said.sentences
    )


def test_the_table_says_what_a_missing_edge_would_bring():
    graph = ASIA.graph
    with_edge = sl.Graph(graph.nodes, directed=[*graph.directed, ("asia", "smoke")])
    gain = sl.score(with_edge, ROWS) - sl.score(graph, ROWS)
    said = str(graph.why("asia", "smoke", data=ROWS))
    assert f"asia → smoke changes the score 'bic' of smoke's family by {gain:+,.2f}." in said
    p_value = sl.test_independence(ROWS, "asia", "smoke").p_value
    assert f"Taken alone, the test of independence has p-value {p_value:.2g}." in said
    assert "dysp → smoke would close a directed cycle." in str(graph.why("dysp", "smoke", data=ROWS))


def test_a_direction_that_the_score_does_not_have_is_said_to_be_none():
    rng = np.random.default_rng(0)
    group = rng.choice(["a", "b"], 200)
    data = {"group": group, "size": rng.normal(size=200) + 3.0 * (group == "a")}

    said = str(sl.HillClimbing().fit(data).graph_.why("group", "size", data=data))

    assert "group → size changes the score" in said
    assert "size → group is not among what the score 'bic' compares: no such family is possible." in said


def test_an_edge_is_tested_given_what_would_separate_its_ends():
    said = str(ASIA.graph.why("smoke", "bronc", data=ROWS))
    assert said.count("the test of independence") == 1  # nothing else joins them: one test says it
    given_either = sl.test_independence(ROWS, "bronc", "dysp", given=["either"]).p_value
    smoked = str(ASIA.graph.why("bronc", "dysp", data=ROWS))
    assert f"Given either, the test of independence has p-value {given_either:.2g}" in smoked or (
        "Given smoke, the test of independence has p-value" in smoked
    )


def test_resamples_and_knowledge_are_said():
    knowledge = sl.Knowledge(forbidden=[("dysp", "asia")], required=[("smoke", "lung")])
    learner = sl.EdgeConfidence(sl.HillClimbing(knowledge=knowledge), n_resamples=5, random_state=0).fit(ROWS)
    assert "learned by EdgeConfidence of HillClimbing, has" in str(learner.graph_.why("dysp", "bronc"))
    shares = learner.confidence_["bronc", "dysp"]
    assert f"Of the resamples {shares.edge:.1%} join them" in str(learner.graph_.why("dysp", "bronc"))
    single = sl.HillClimbing(knowledge=knowledge).fit(ROWS).graph_
    assert "known beforehand requires smoke → lung." in str(single.why("smoke", "lung"))
    assert "known beforehand forbids dysp → asia." in str(single.why("asia", "dysp"))


def test_no_resample_is_said_too():
    graph = sl.Graph("ab").with_record(Record("EdgeConfidence", shares={("c", "d"): object()}))
    assert "None of the resamples joins them." in str(graph.why("a", "b"))


def test_unknown_nodes_and_one_node_twice_are_refused():
    with pytest.raises(sl.DataError, match="did you mean 'smoke'"):
        ASIA.graph.why("smok", "lung")
    with pytest.raises(sl.OptionError, match="named twice"):
        ASIA.graph.why("lung", "lung")


@pytest.mark.parametrize(
    "graph",
    [
        sl.Graph("abc", undirected=["ab", "bc"]),
        sl.Graph("abc", edges=["a o-> b", "c o-> b"]),
        sl.Graph("abc", edges=["a <-> b", "b --> c"]),
        sl.Graph("abc", directed=["ab", "ba", "bc"]),
        sl.Graph("abcd", directed=["ab", "cb"], undirected=["bd", "ac", "cd", "da"]),
    ],
    ids=lambda graph: graph.kind,
)
def test_every_kind_of_graph_answers_for_every_pair(graph):
    for a in graph.nodes:
        for b in graph.nodes:
            if a != b:
                said = graph.why(a, b)
                assert len(said.edges) == sum({e.source, e.target} == {a, b} for e in graph.edges)
                assert said.sentences


def test_a_path_is_read_from_either_end():
    graph = sl.Graph("abc", edges=["a o-> b", "b --> c"])
    assert "a o→ b → c" in str(graph.why("a", "c"))
    assert "c ← b ←o a" in str(graph.why("c", "a"))


def test_the_record_stays_with_what_is_made_of_the_graph_and_with_its_copies():
    learner = sl.PC().fit(ROWS)
    assert learner.graph_.skeleton().record.method == "PC"
    assert copy.deepcopy(learner.graph_).record.alpha == learner.alpha
    assert learner.graph_ == sl.PC().fit(ROWS).graph_


def test_names_are_escaped_in_a_notebook():
    graph = sl.Graph(["<b>", "x"], directed=[("<b>", "x")])
    assert "<li>The graph has &lt;b&gt; → x.</li>" in graph.why("<b>", "x")._repr_html_()


@settings(max_examples=10)
@given(st.integers(0, 1000))
def test_continuous_columns_have_gains_too(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=50)
    table = {"x": x, "y": x + rng.normal(size=50)}
    joined, empty = sl.Graph("xy", directed=["xy"]), sl.Graph("xy")
    gain = sl.score(joined, table) - sl.score(empty, table)
    assert math.isfinite(gain)
    assert f"y's family by {gain:+,.2f}." in str(empty.why("x", "y", data=table))


@pytest.mark.parametrize("which", range(0, 251, 10))
def test_what_a_pag_says_of_causes_is_true_of_every_member(which):
    classes = mag_classes.all_classes(4, with_lines=True)
    members = classes.marks[classes.of == which]
    above = mag_classes.descendants(members)
    pag = graph_of(4, mag_classes.edges_of(classes.pags[which]), "PAG")
    for i, j in permutations(range(4), 2):
        a, b = f"n{i}", f"n{j}"
        said = str(pag.why(*sorted((a, b))))
        if f"{a} is not a cause of {b}" in said:
            assert not above[:, i, j].any()
        if f"{a} is a cause of {b}, directly" in said:
            assert above[:, i, j].all()
        if "share a hidden common cause" in said:
            assert ((members[:, i, j] == 1) & (members[:, j, i] == 1)).all()


@pytest.mark.parametrize(
    ("edges", "hidden"),
    [
        (["a --> b"], "a hidden common cause is possible besides"),
        (["c o-> a", "a --> b"], "no hidden common cause joins them"),
        (["c o-> a", "a --> b", "c --> b"], "a hidden common cause is possible besides"),
        (["d o-> c", "c <-> a", "c --> b", "a --> b"], "no hidden common cause joins them"),
        (["d o-> c", "c o-> a", "c --> b", "a --> b"], "a hidden common cause is possible besides"),
    ],
)
def test_an_arrow_says_whether_a_hidden_cause_is_possible_besides(edges, hidden):
    graph = sl.Graph("abcd", edges=edges, kind="PAG")

    assert str(graph.why("a", "b")).endswith(
        f"a is a cause of b, directly or through others; b is not a cause of a; {hidden}."
    )


def test_the_other_edges_of_a_pag_say_what_is_open_and_what_decided_about_rows():
    graph = sl.Graph("abcdefg", edges=["a o-> b", "c o-o d", "e --o f", "f --- g"], kind="PAG")

    assert "b is not a cause of a. a may be a cause of b; a hidden common cause is possible." in str(
        graph.why("b", "a")
    )
    assert "c may be a cause of d, or d of c; a hidden common cause is possible." in str(graph.why("c", "d"))
    assert "e is a cause of f or of what decided which rows there are." in str(graph.why("e", "f"))
    assert "Both are causes of what decided which rows there are." in str(graph.why("f", "g"))
    assert "a is not a cause of c: no path may be directed from one to the other." in str(graph.why("a", "c"))
    longer = sl.Graph("abc", edges=["a o-o b", "b o-> c"])
    assert "a may be a cause of c, through others." in str(longer.why("c", "a"))


def test_a_mark_says_which_rule_set_it_and_by_what():
    truth = sl.Graph("abcdu", directed=["ab", "ub", "uc", "dc"])
    graph = sl.FCI(knowledge=sl.Knowledge(required=[("d", "c")])).fit(sl.Oracle(truth, latent="u")).graph_

    assert "The arrow at b comes from R0, a collider that shows in the tests: a, b, c." in str(
        graph.why("a", "b")
    )
    assert "The tail at d comes from what was known beforehand: d, c." in str(graph.why("c", "d"))
