"""Each rule of FCI alone, and what is lost without it.

The numbers are in docs/references/graphs-with-marks.md.
"""

import numpy as np
import pytest

from structlearn.data import Knowledge
from structlearn.graphs import Graph
from structlearn.independence import SeparationOracle
from structlearn.independence.asking import Asker
from structlearn.learners.constraint.directions.orientation import Colliders, as_triples
from structlearn.learners.constraint.marks import settling
from structlearn.learners.constraint.marks.arrow_rules import DiscriminatingPaths, discriminating_path
from structlearn.learners.constraint.marks.marked_edges import ARROW, CIRCLE, TAIL, MarkedEdges
from structlearn.learners.constraint.marks.tail_rules import along_a_chain
from structlearn.learners.constraint.marks.verdicts import Verdicts
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.constraint.skeletons.pruning_options import RULES
from structlearn.learners.constraint.skeletons.skeleton import prune_skeleton
from structlearn.run import Run, never
from tests.graphs.test_mags import graph_of
from tests.oracles import mag_classes

SIGNS = {"o": CIRCLE, ">": ARROW, "-": TAIL}


def marked(n_nodes, *edges, ambiguous=()):
    """Edges such as "0 o-> 1", by position."""
    graph = Graph([str(i) for i in range(n_nodes)], edges=edges)
    pairs = np.array([(int(e.source), int(e.target)) for e in graph.edges], dtype=np.int64)
    found = MarkedEdges(n_nodes, pairs.reshape(-1, 2), ambiguous)
    for e in graph.edges:
        a, b = int(e.source), int(e.target)
        found.at[b][a], found.at[a][b] = (SIGNS[mark] for mark in e.marks)
    return found


def after(name, edges):
    """The edges as text once a rule has been applied wherever it fits."""
    rule = (settling.ARROWS | settling.CYCLES | settling.LINES | settling.TAILS)[name]
    for wanted, nodes in rule(edges):
        edges.put(name, wanted, nodes)
    names = tuple(str(i) for i in range(len(edges.at)))
    return Graph(names, edges=edges.named(names), kind="PAG")


@pytest.mark.parametrize(
    ("rule", "n_nodes", "before", "wanted"),
    [
        ("R1", 3, ["0 o-> 1", "1 o-o 2"], ["0 o-> 1", "1 --> 2"]),
        ("R2", 3, ["0 --> 1", "1 o-> 2", "0 o-o 2"], ["0 --> 1", "1 o-> 2", "0 o-> 2"]),
        ("R2", 3, ["0 o-> 1", "1 --> 2", "0 o-o 2"], ["0 o-> 1", "1 --> 2", "0 o-> 2"]),
        ("R2", 3, ["0 o-> 1", "1 o-> 2", "0 o-o 2"], ["0 o-> 1", "1 o-> 2", "0 o-o 2"]),
        (
            "R3",
            4,
            ["0 o-> 1", "2 o-> 1", "0 o-o 3", "2 o-o 3", "3 o-o 1"],
            ["0 o-> 1", "2 o-> 1", "0 o-o 3", "2 o-o 3", "3 o-> 1"],
        ),
        ("R5", 4, ["0 o-o 1", "1 o-o 2", "2 o-o 3", "3 o-o 0"], ["0 --- 1", "1 --- 2", "2 --- 3", "3 --- 0"]),
        (
            "R5",  # a chord shields two of its corners
            4,
            ["0 o-o 1", "1 o-o 2", "2 o-o 3", "3 o-o 0", "0 o-o 2"],
            ["0 o-o 1", "1 o-o 2", "2 o-o 3", "3 o-o 0", "0 o-o 2"],
        ),
        ("R6", 3, ["0 --- 1", "1 o-> 2"], ["0 --- 1", "1 --> 2"]),
        ("R7", 3, ["0 --o 1", "1 o-> 2"], ["0 --o 1", "1 --> 2"]),
        ("R7", 3, ["0 --o 1", "1 o-> 2", "0 o-o 2"], ["0 --o 1", "1 o-> 2", "0 o-o 2"]),
        ("R8", 3, ["0 --> 1", "1 --> 2", "0 o-> 2"], ["0 --> 1", "1 --> 2", "0 --> 2"]),
        ("R8", 3, ["0 --o 1", "1 --> 2", "0 o-> 2"], ["0 --o 1", "1 --> 2", "0 --> 2"]),
        ("R8", 3, ["0 o-> 1", "1 --> 2", "0 o-> 2"], ["0 o-> 1", "1 --> 2", "0 o-> 2"]),
        (
            "R9",
            4,
            ["0 o-> 3", "0 o-o 1", "1 o-o 2", "2 o-> 3"],
            ["0 --> 3", "0 o-o 1", "1 o-o 2", "2 --> 3"],
        ),
        (
            "R9",  # 0, 1, 2 is covered
            4,
            ["0 o-> 3", "0 o-o 1", "1 o-o 2", "2 --> 3", "0 o-o 2"],
            ["0 o-> 3", "0 o-o 1", "1 o-o 2", "2 --> 3", "0 o-o 2"],
        ),
        (
            "R10",
            4,
            ["0 o-> 3", "0 o-o 1", "0 o-o 2", "1 --> 3", "2 --> 3"],
            ["0 --> 3", "0 o-o 1", "0 o-o 2", "1 --> 3", "2 --> 3"],
        ),
        (
            "R10",  # 1 and 2 are joined
            4,
            ["0 o-> 3", "0 o-o 1", "0 o-o 2", "1 --> 3", "2 --> 3", "1 o-o 2"],
            ["0 o-> 3", "0 o-o 1", "0 o-o 2", "1 --> 3", "2 --> 3", "1 o-o 2"],
        ),
    ],
)
def test_a_rule_sets_its_marks_and_no_others(rule, n_nodes, before, wanted):
    names = [str(i) for i in range(n_nodes)]

    assert after(rule, marked(n_nodes, *before)) == Graph(names, edges=wanted, kind="PAG")


@pytest.mark.parametrize(
    ("rule", "before", "ambiguous"),
    [
        ("R1", ["0 o-> 1", "1 o-o 2"], (0, 1, 2)),
        ("R3", ["0 o-> 1", "2 o-> 1", "0 o-o 3", "2 o-o 3", "3 o-o 1"], (0, 3, 2)),
        ("R5", ["0 o-o 1", "1 o-o 2", "2 o-o 3", "3 o-o 0"], (0, 1, 2)),
        ("R7", ["0 --o 1", "1 o-> 2"], (0, 1, 2)),
        ("R9", ["0 o-> 3", "0 o-o 1", "1 o-o 2", "2 --> 3"], (0, 1, 2)),
        ("R9", ["0 o-> 3", "0 o-o 1", "1 o-o 2", "2 --> 3"], (1, 0, 3)),
        ("R10", ["0 o-> 3", "0 o-o 1", "0 o-o 2", "1 --> 3", "2 --> 3"], (1, 0, 2)),
    ],
)
def test_a_rule_does_not_use_a_triple_that_nobody_knows_of(rule, before, ambiguous):
    a, b, c = ambiguous
    edges = marked(4, *before, ambiguous=[(min(a, c), b, max(a, c))])

    assert after(rule, edges) == Graph("0123", edges=before, kind="PAG")


def test_a_mark_is_never_overwritten_and_what_asked_for_it_is_kept():
    edges = marked(3, "0 o-> 1", "1 o-- 2")

    assert after("R1", edges) == Graph("012", edges=["0 o-> 1", "1 o-- 2"], kind="PAG")
    assert list(edges.conflicts) == [("R1", (0, 1, 2))]
    assert not edges.reasons


DISCRIMINATING = ["0 o-> 1", "1 <-> 2", "1 --> 3", "2 o-o 3"]


@pytest.mark.parametrize(("is_given", "wanted"), [(True, "2 --> 3"), (False, "2 <-> 3"), (None, "2 o-o 3")])
def test_a_discriminating_path_decides_by_the_set_that_separates_its_ends(is_given, wanted):
    edges, confirmed = marked(4, *DISCRIMINATING), []
    rule = DiscriminatingPaths(lambda *_: is_given, confirmed.append)

    for marks, nodes in rule(edges):
        edges.put("R4", marks, nodes)

    names = tuple("0123")
    assert Graph(names, edges=edges.named(names), kind="PAG") == Graph(
        names, edges=["0 o-> 1", "1 <-> 2", "1 --> 3", wanted], kind="PAG"
    )
    assert confirmed == ([] if is_given is None else [(0, 1, 2, 3)])


def test_every_node_of_a_discriminating_path_is_a_parent_of_its_end():
    longer = ["0 o-> 1", "1 <-> 2", "2 <-> 3", "2 --> 4", "3 o-o 4"]

    assert discriminating_path(marked(5, *longer, "1 --> 4"), 2, 3, 4) == (0, 1, 2, 3, 4)
    assert discriminating_path(marked(5, *longer, "1 o-> 4"), 2, 3, 4) is None


def test_a_line_of_o_and_arrow_fires_rule_eight_alone():
    """No PAG that was looked at needs R8, so it is tried by itself."""
    edges = marked(3, "0 --> 1", "1 --> 2", "0 o-> 2")

    assert list(along_a_chain(edges)) == [([(2, 0, TAIL)], (0, 1, 2))]


def asked(mag, n_nodes):
    """What the separating sets of a MAG say, asked one by one."""
    truth = SeparationOracle(graph_of(n_nodes, mag_classes.edges_of(mag), "MAG"))
    asker = Asker(truth, None, alpha=0.05)
    known = KnownPairs(tuple(f"n{i}" for i in range(n_nodes)), Knowledge())
    skeleton = prune_skeleton(
        asker, n_nodes, known, conditions="all", max_conditioning=None, run=Run("FCI", progress=False)
    )
    return Verdicts("first", skeleton, asker, None)


def n_wrong_without(n_nodes):
    """For each rule, how many classes have another PAG when it is left out."""
    classes = mag_classes.all_classes(n_nodes, with_lines=True)
    _, first = np.unique(classes.of, return_index=True)
    said = [asked(mag, n_nodes) for mag in classes.marks[first]]
    colliders = [verdicts.colliders() for verdicts in said]
    wanted = [mag_classes.edges_of(pag) for pag in classes.pags]
    lost = {}
    for left_out in RULES:
        applied = [rule for rule in RULES if rule != left_out]
        lost[left_out] = sum(
            settled_edges(verdicts, found, n_nodes, applied) != pag
            for verdicts, found, pag in zip(said, colliders, wanted, strict=True)
        )
    return {name: n for name, n in lost.items() if n}


def settled_edges(verdicts, colliders, n_nodes, applied):
    edges = MarkedEdges(n_nodes, verdicts.skeleton.edges)
    settling.mark_colliders(edges, Colliders(colliders.triples, as_triples(())))
    paths = DiscriminatingPaths(verdicts.is_given, lambda _: None)
    settling.settle(edges, paths, applied=applied, must_stop=never)
    signs = {CIRCLE: "o", ARROW: ">", TAIL: "-"}
    return frozenset(
        (a, signs[edges.at[b][a]], signs[mark], b)
        for a, around in enumerate(edges.at)
        for b, mark in around.items()
        if a < b
    )


def test_without_a_rule_so_many_classes_of_four_nodes_are_wrong():
    assert n_wrong_without(4) == {"R1": 60, "R3": 12, "R4": 48, "R5": 3, "R9": 12}


@pytest.mark.slow
def test_without_a_rule_so_many_classes_of_five_nodes_are_wrong():
    assert n_wrong_without(5) == {
        "R1": 16670,
        "R2": 2260,
        "R3": 2315,
        "R4": 11400,
        "R5": 307,
        "R6": 280,
        "R7": 55,
        "R9": 2990,
        "R10": 60,
    }
