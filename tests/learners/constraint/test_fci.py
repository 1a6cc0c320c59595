"""FCI: the PAG of every class of MAGs from an oracle, by enumeration; knowledge, limits, data.

The numbers are in docs/references/graphs-with-marks.md.
"""

from itertools import combinations

import numpy as np
import pytest

import structlearn as sl
from structlearn.independence import Answers, SeparationOracle
from tests.graphs.test_mags import graph_of
from tests.oracles import mag_classes, mixed_graphs


def one_of_each(classes):
    """The first MAG of each class, and the PAG of the class."""
    _, first = np.unique(classes.of, return_index=True)
    return zip(classes.marks[first], classes.pags, strict=True)


def marks_of(graph, n_nodes):
    """The edges of a graph over n0, n1, … as the oracles write them."""
    ordered = graph.reordered([f"n{i}" for i in range(n_nodes)])
    return mixed_graphs.canonical(mixed_graphs.of_graph(ordered))


def n_wrong(learner, n_nodes, *, with_lines, each=1):
    """How many classes have another PAG than the enumeration says, of every so many."""
    found = list(one_of_each(mag_classes.all_classes(n_nodes, with_lines=with_lines)))[::each]
    return sum(
        marks_of(learner.fit(sl.Oracle(graph_of(n_nodes, mag_classes.edges_of(mag), "MAG"))).graph_, n_nodes)
        != mag_classes.edges_of(pag)
        for mag, pag in found
    )


@pytest.mark.parametrize("with_lines", [True, False], ids=["with selection", "without"])
def test_an_oracle_gives_the_pag_of_every_class_of_four_nodes(with_lines):
    assert n_wrong(sl.FCI(selection=with_lines), 4, with_lines=with_lines) == 0


@pytest.mark.parametrize("rule", ["conservative", "majority", "max-p"])
def test_every_collider_rule_gives_the_pag_with_an_oracle(rule, monkeypatch):
    monkeypatch.delattr("structlearn.independence.separation_oracle.SeparationOracle.separators")
    assert n_wrong(sl.FCI(collider_rule=rule), 4, with_lines=True, each=5) == 0


@pytest.mark.slow
@pytest.mark.parametrize("with_lines", [True, False], ids=["with selection", "without"])
def test_an_oracle_gives_the_pag_of_every_class_of_five_nodes(with_lines):
    assert n_wrong(sl.FCI(selection=with_lines), 5, with_lines=with_lines) == 0


@pytest.mark.slow
def test_every_subset_tried_gives_the_pag_of_five_nodes_and_a_second_stage_removes_60_edges(monkeypatch):
    monkeypatch.delattr("structlearn.independence.separation_oracle.SeparationOracle.separators")
    n_removed = 0
    for mag, pag in one_of_each(mag_classes.all_classes(5, with_lines=True)):
        truth = graph_of(5, mag_classes.edges_of(mag), "MAG")
        learner = sl.FCI().fit(sl.Oracle(truth))
        assert marks_of(learner.graph_, 5) == mag_classes.edges_of(pag)
        sizes = learner.trace_["conditions"]
        is_second = np.cumsum(np.diff(sizes, prepend=0) < 1) > 1
        n_removed += learner.trace_["removed"][is_second].any()
    assert n_removed == 60


def pag_of(dag, latent, classes):
    """The PAG of a DAG by enumeration of all MAGs that separate the same."""
    mag = dag.to_mag(latent=latent)
    names = [f"n{i}" for i in range(len(mag))]
    renamed = sl.Graph(names, edges=[(names[a], s, names[b]) for a, s, b in positions(mag)], kind="MAG")
    bits = mag_classes.bits_of(len(mag), marks_of(renamed, len(mag)))
    return mag_classes.edges_of(classes.pags[mag_classes.class_of(classes, bits)])


def positions(graph):
    place = {name: i for i, name in enumerate(graph.nodes)}
    return [(place[edge.source], edge.sign, place[edge.target]) for edge in graph.edges]


def with_hidden(n_observed, seed):
    """A random DAG with one to three hidden nodes that come early, so that they have children."""
    n_hidden = 1 + seed % 3
    dag = sl.random_dag(n_observed + n_hidden, expected_degree=2 + seed % 3, random_state=seed)
    roots = sorted(dag.nodes, key=lambda node: (-len(dag.children(node)), node))
    return dag, roots[:n_hidden]


def learned_marks(dag, latent):
    graph = sl.FCI().fit(sl.Oracle(dag, latent=latent)).graph_
    return mixed_graphs.canonical(mixed_graphs.of_graph(graph))


@pytest.mark.parametrize("seed", range(40))
def test_an_oracle_gives_the_pag_of_a_dag_with_hidden_nodes(seed):
    dag, latent = with_hidden(4, seed)

    assert learned_marks(dag, latent) == pag_of(dag, latent, mag_classes.all_classes(4, with_lines=True))


@pytest.mark.slow
def test_an_oracle_gives_the_pags_of_500_dags_with_hidden_nodes():
    classes = mag_classes.all_classes(5, with_lines=True)
    for seed in range(500):
        dag, latent = with_hidden(5, seed)
        assert learned_marks(dag, latent) == pag_of(dag, latent, classes)


@pytest.mark.parametrize(
    "seed", [*range(20), *(pytest.param(s, marks=pytest.mark.slow) for s in range(20, 520))]
)
def test_no_mark_contradicts_the_mag_of_a_larger_dag_and_edges_are_the_same(seed):
    dag, latent = with_hidden(6 + seed % 5, seed)
    mag = dag.to_mag(latent=latent)

    pag = sl.FCI().fit(sl.Oracle(dag, latent=latent)).graph_

    assert pag.skeleton() == mag.skeleton()
    for edge in pag.edges:
        true = mag.edge(edge.source, edge.target) or mag.edge(edge.target, edge.source)
        for node in (edge.source, edge.target):
            assert edge.mark_at(node) in ("o", true.mark_at(node))
    member = pag.to_mag()
    assert sl.FCI().fit(sl.Oracle(member)).graph_ == pag


def test_the_second_stage_removes_what_no_neighbours_separate():
    smallest = sl.Graph(
        "01234", edges=["0 --> 3", "0 --> 4", "3 --> 1", "4 --> 2", "1 <-> 4", "2 <-> 3"], kind="MAG"
    )
    wanted = sl.Graph("01234", edges=["0 o-> 3", "0 o-> 4", "3 --> 1", "4 --> 2", "1 <-> 4", "2 <-> 3"])

    assert sl.FCI().fit(sl.Oracle(smallest)).graph_ == wanted


@pytest.mark.parametrize(
    ("mag", "pag"),
    [
        ("3 --> 1, 2 --> 3, 1 --> 0, 2 --> 0", "1 o-o 3, 2 o-o 3, 1 --> 0, 2 --> 0"),
        (
            "3 --> 1, 1 --> 4, 2 --> 3, 2 --> 4, 1 --> 0, 3 --> 0, 4 --> 0",
            "1 o-o 3, 2 o-o 3, 1 --> 4, 2 --> 4, 1 --> 0, 3 --> 0, 4 --> 0",
        ),
        ("0 --- 2, 2 --- 1, 1 --- 3, 3 --- 0, 1 --> 4", "0 --- 2, 2 --- 1, 1 --- 3, 3 --- 0, 1 --o 4"),
        (
            "0 --- 2, 2 --- 1, 1 --- 3, 3 --- 0, 2 --- 4, 4 --- 3",
            "0 --- 2, 2 --- 1, 1 --- 3, 3 --- 0, 2 --- 4, 4 --- 3",
        ),
        ("0 --- 2, 2 --- 3, 3 --- 4, 4 --- 0", "0 --- 2, 2 --- 3, 3 --- 4, 4 --- 0"),
    ],
    ids=["R9", "R10", "R6", "R7", "R5"],
)
def test_graphs_that_need_one_rule_are_right(mag, pag):
    nodes = sorted({name for name in mag if name.isdigit()})
    truth = sl.Graph(nodes, edges=mag.split(", "), kind="MAG")

    assert sl.FCI().fit(sl.Oracle(truth)).graph_ == sl.Graph(nodes, edges=pag.split(", "))


def consistent_pag(classes, which, is_forbidden):
    """The PAG of those members of a class in which no forbidden node is an ancestor; None without any."""
    members = classes.marks[classes.of == which]
    below = mag_classes.descendants(members)
    members = members[~(below & is_forbidden).any(axis=(1, 2))]
    return mag_classes.edges_of(np.bitwise_or.reduce(members)) if len(members) else None


@pytest.mark.parametrize(
    ("tiers", "n_known"),
    [
        ([[0, 1], [2, 3]], 186),
        ([[0], [1, 2, 3]], 230),
        ([[0], [1], [2], [3]], 155),
        ([[0, 1, 2], [3]], 181),
    ],
    ids=["two and two", "one first", "an order", "one last"],
)
def test_tiers_give_the_marks_that_all_consistent_members_share(tiers, n_known):
    tier = np.empty(4, dtype=int)
    for i, members in enumerate(tiers):
        tier[members] = i
    classes = mag_classes.all_classes(4, with_lines=False)
    learner = sl.FCI(selection=False, knowledge=sl.Knowledge(tiers=[[f"n{i}" for i in t] for t in tiers]))
    n_consistent = 0
    for which in range(len(classes.pags)):
        wanted = consistent_pag(classes, which, tier[:, None] > tier[None, :])
        if wanted is not None:
            truth = graph_of(4, mag_classes.edges_of(classes.marks[classes.of == which][0]), "MAG")
            assert marks_of(learner.fit(sl.Oracle(truth)).graph_, 4) == wanted
            assert learner.status_ == "The method ran to its end."
            n_consistent += 1
    assert n_consistent == n_known


HIDDEN = sl.Graph("abcdu", directed=["ab", "ub", "uc", "dc"])


def test_required_and_forbidden_arrows_speak_of_causes():
    oracle = sl.Oracle(HIDDEN, latent="u")

    required = sl.FCI(knowledge=sl.Knowledge(required=[("a", "b")])).fit(oracle).graph_
    forbidden = sl.FCI(knowledge=sl.Knowledge(forbidden=[("a", "b")])).fit(oracle).graph_

    assert required == sl.Graph("abcd", edges=["a --> b", "b <-> c", "d o-> c"])
    assert forbidden == sl.Graph("abcd", edges=["a <-> b", "b <-> c", "d o-> c"])
    assert sl.FCI().fit(oracle).mark_evidence_["a", "b"].rule == "R0"


def test_knowledge_against_the_truth_of_an_oracle_is_refused():
    with pytest.raises(sl.OptionError, match=r"the Oracle says a \*→ b ←\* c, against it"):
        sl.FCI(knowledge=sl.Knowledge(required=[("b", "a")])).fit(sl.Oracle(HIDDEN, latent="u"))


def sample(graph, latent, n_rows, seed=0):
    """Gaussian rows of a DAG, each arrow with weight 1, without the hidden columns."""
    rng = np.random.default_rng(seed)
    columns = {}
    for node in graph.topological_order():
        columns[node] = sum((columns[p] for p in graph.parents(node)), rng.normal(size=n_rows))
    return {name: column for name, column in columns.items() if name not in latent}


def test_rows_of_a_hidden_common_cause_give_its_arc_where_pc_cannot():
    rows = sample(HIDDEN, "u", 2000)

    learner = sl.FCI(alpha=0.01).fit(rows)

    assert learner.graph_ == sl.FCI().fit(sl.Oracle(HIDDEN, latent="u")).graph_
    assert learner.graph_.kind == "PAG"
    assert learner.separating_sets_["a", "c"].given == ()
    assert learner.mark_evidence_["c", "b"].nodes == ("a", "b", "c")
    assert learner.trace_["edges"][-1] == 3


def test_columns_in_another_order_give_the_same_graph():
    dag = sl.random_dag(9, expected_degree=3, random_state=4)
    rows = sample(dag, dag.nodes[:2], 400, seed=1)
    turned = dict(reversed(rows.items()))

    one, two = sl.FCI().fit(rows), sl.FCI().fit(turned)

    assert one.graph_ == two.graph_
    assert one.mark_evidence_ == two.mark_evidence_
    assert one.n_tests_ == two.n_tests_


def test_a_tail_that_is_known_against_a_collider_of_the_rows_is_a_conflict():
    rows = sample(HIDDEN, "u", 2000)
    learner = sl.FCI(alpha=0.01, knowledge=sl.Knowledge(required=[("b", "a")])).fit(rows)

    assert "R0: a, b, c" in learner.conflicts_
    assert sl.Edge("b", "a") in {sl.Edge(e.source, e.target, e.kind) for e in learner.graph_.edges}


class Scripted:
    """Separates pairs by just the sets that it is told of."""

    def __init__(self, apart):
        self._apart = apart

    def many(self, _, questions):
        p = np.array([float(self._apart.get((q[0], q[1])) == tuple(q[2:])) for q in questions.tolist()])
        return Answers(p, p, p)


def test_marks_that_no_mag_has_are_said_in_the_status():
    a, b, c, d, e = range(5)
    apart = {(c, d): (), (a, e): (), (d, e): (), (b, d): (a,), (b, e): (c,)}
    knowledge = sl.Knowledge(required=[("a", "b"), ("b", "c")])
    rows = dict(zip("abcde", np.random.default_rng(0).normal(size=(5, 50)), strict=True))

    learner = sl.FCI(test=Scripted(apart), knowledge=knowledge).fit(rows)

    assert learner.graph_.edge("a", "c").kind == "bidirected"  # beside a → b → c
    assert learner.status_.endswith("The tests contradict each other: no MAG has all of these marks.")


@pytest.mark.parametrize(("most", "n_edges", "is_said"), [(None, 6, False), (1, 7, True)])
def test_a_limit_on_the_second_stage_leaves_an_edge_and_says_so(most, n_edges, is_said):
    mag = sl.Graph(
        "01234", edges=["0 --> 3", "0 --> 4", "3 --> 1", "4 --> 2", "1 <-> 4", "2 <-> 3"], kind="MAG"
    )

    class Truth:
        """Answers as the graph, but knows no separators by itself."""

        def many(self, _, questions):
            return SeparationOracle(mag).many(None, questions)

    rows = dict(zip("01234", np.random.default_rng(0).normal(size=(5, 30)), strict=True))
    learner = sl.FCI(test=Truth(), max_pds=most).fit(rows)

    assert len(learner.graph_.edges) == n_edges
    assert ("max_pds" in learner.status_) == is_said


def around_the_smallest(seed):
    """The smallest graph that needs the second stage, with two nodes and edges of any kind between."""
    rng = np.random.default_rng(seed)
    order = list("03412")
    for node in "56":
        order.insert(int(rng.integers(len(order) + 1)), node)
    pairs = [pair for pair in combinations(order, 2) if set(pair) & set("56") and rng.random() < 0.3]
    is_arc = rng.random(len(pairs)) < 0.5
    arcs = [("1", "4"), ("2", "3"), *(pair for pair, arc in zip(pairs, is_arc, strict=True) if arc)]
    arrows = ["03", "04", "31", "42", *(pair for pair, arc in zip(pairs, is_arc, strict=True) if not arc)]
    called = dict(zip("0123456", map(str, rng.permutation(7)), strict=True))
    hidden = [f"u{i}" for i in range(len(arcs))]
    of_hidden = [(u, called[node]) for u, arc in zip(hidden, arcs, strict=True) for node in arc]
    directed = [*((called[a], called[b]) for a, b in arrows), *of_hidden]
    return sl.Graph([*"0123456", *hidden], directed=directed), hidden


@pytest.mark.parametrize("seed", range(12))
def test_subsets_of_one_list_in_a_block_remove_every_edge_that_is_not_there(seed, monkeypatch):
    monkeypatch.delattr("structlearn.independence.separation_oracle.SeparationOracle.separators")
    dag, hidden = around_the_smallest(seed)
    truth = dag.to_mag(latent=hidden).skeleton()

    assert sl.FCI(max_pds=None).fit(sl.Oracle(dag, latent=hidden)).graph_.skeleton() == truth
    if seed in (0, 1, 2):  # without the second stage an edge is left
        assert sl.FCI(max_pds=0).fit(sl.Oracle(dag, latent=hidden)).graph_.skeleton() != truth


# Where 0 o→ 1 ←o 2 meet, R1 has 1 → 3; R9 needs the arrows into 0 of a path around (test_rules.py).
COLLIDER = sl.Graph("abcd", directed=["ab", "cb", "bd"])


@pytest.mark.parametrize("method", [sl.FCI, sl.RFCI])
def test_marks_follow_by_the_rules_that_are_asked_for(method):
    after = {
        rules: str(method(orientation_rules=list(rules)).fit(sl.Oracle(COLLIDER)).graph_.edge("b", "d"))
        for rules in ((), ("R1",), ("R2", "R9"))
    }

    assert after == {(): "b o–o d", ("R1",): "b → d", ("R2", "R9"): "b o–o d"}
    assert (
        method(orientation_rules=None).fit(sl.Oracle(COLLIDER)).graph_
        == method().fit(sl.Oracle(COLLIDER)).graph_
    )


def test_rules_of_selection_are_left_out_without_it_and_no_others_are_known():
    square = sl.Oracle(sl.Graph("abcd", undirected=["ab", "bc", "cd", "da"], kind="MAG"))

    for rules, marks in (("R5",), "—"), (("R1",), "o–o"):
        assert str(sl.FCI(orientation_rules=rules).fit(square).graph_.edge("a", "b")) == f"a {marks} b"
    assert (
        str(sl.FCI(orientation_rules=["R5"], selection=False).fit(square).graph_.edge("a", "b")) == "a o–o b"
    )
    with pytest.raises(sl.OptionError, match=r"orientation_rules is .* a list of some of 'R1'"):
        sl.FCI(orientation_rules=["R11"]).fit(square)
