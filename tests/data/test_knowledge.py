"""Knowledge is refused where it contradicts itself, and checked on graphs by its definition."""

import pickle
from itertools import permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from structlearn.data import Knowledge
from structlearn.errors import OptionError
from structlearn.graphs import Graph
from tests.oracles import tables as oracle
from tests.strategies import partially_directed_graphs

NAMES = ("n0", "n1", "n2", "n3")
PAIRS = st.sets(st.sampled_from(list(permutations(NAMES, 2))), max_size=4)


@st.composite
def statements(draw):
    """Required and forbidden pairs and tiers, consistent or not."""
    places = draw(st.lists(st.integers(-1, 2), min_size=4, max_size=4))
    tiers = [[name for name, place in zip(NAMES, places, strict=True) if place == i] for i in range(3)]
    return {"required": draw(PAIRS), "forbidden": draw(PAIRS), "tiers": tiers}


def made(statement):
    """The knowledge, or None where it contradicts itself."""
    try:
        return Knowledge(**statement)
    except OptionError:
        return None


@given(statement=statements())
def test_knowledge_is_refused_just_when_no_dag_honours_it(statement):
    required, forbidden, tiers = statement.values()
    consistent = oracle.is_consistent(NAMES, required=required, pairs=forbidden, tiers=tiers)

    assert (made(statement) is not None) == consistent


@given(statement=statements(), graph=partially_directed_graphs(min_nodes=4, max_nodes=4))
def test_a_graph_without_violations_is_one_that_honours_everything(statement, graph):
    knowledge = made(statement)
    assume(knowledge is not None)
    required, forbidden, tiers = statement.values()
    honoured = oracle.is_honoured(
        graph.directed, graph.undirected, required=required, pairs=forbidden, tiers=tiers
    )

    assert (knowledge.violations(graph) == []) == honoured


@given(statement=statements(), names=st.permutations(NAMES))
def test_matrices_say_the_same_pair_by_pair(statement, names):
    knowledge = made(statement)
    assume(knowledge is not None)
    required, forbidden = knowledge.matrices(names)

    for i, source in enumerate(names):
        for j, target in enumerate(names):
            expected = oracle.forbidden(
                source, target, pairs=statement["forbidden"], tiers=statement["tiers"]
            )
            assert required[i, j] == ((source, target) in statement["required"])
            assert forbidden[i, j] == knowledge.forbids(source, target) == expected


@given(statement=statements(), kept=st.sets(st.sampled_from(NAMES)))
def test_restricted_knowledge_says_the_same_of_what_is_left(statement, kept):
    knowledge = made(statement)
    assume(knowledge is not None)
    restricted = knowledge.restricted(kept)

    assert set(restricted.names) <= kept
    for source, target in permutations(sorted(kept), 2):
        assert restricted.forbids(source, target) == knowledge.forbids(source, target)
        assert ((source, target) in restricted.required) == ((source, target) in knowledge.required)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ({"required": [("a", "b")], "forbidden": [("a", "b")]}, "a → b is both required and forbidden"),
        ({"required": [("a", "b"), ("b", "c"), ("c", "a")]}, "form a cycle, a → b → c → a"),
        ({"required": [("a", "b"), ("b", "a")]}, "form a cycle, a → b → a"),
        (
            {"required": [("b", "a")], "tiers": [["a"], ["b"]]},
            "b → a is required, but 'a' is in an earlier tier",
        ),
        ({"required": [("a", "a")]}, r"required=….: 'a' cannot have an edge to itself"),
        ({"forbidden": [("a", "a")]}, r"forbidden=….: 'a' cannot have an edge to itself"),
        ({"tiers": [["a", "b"], ["b"]]}, "'b' is in two tiers"),
        ({"tiers": [["a", 1]]}, "a tier is a list of names, but one holds 1"),
        ({"required": ["ab"]}, "each edge is a pair of names, not 'ab'"),
        ({"forbidden": [("a", "b", "c")]}, "each edge is a pair of names"),
        ({"forbidden": [("a", 1)]}, "each edge is a pair of names"),
    ],
)
def test_a_contradiction_is_an_error_when_the_knowledge_is_made(statement, message):
    with pytest.raises(OptionError, match=message):
        Knowledge(**statement)


def test_an_unknown_column_is_named():
    knowledge = Knowledge(required=[("a", "b")], tiers=[["c"]])

    with pytest.raises(OptionError, match=r"no column 'b', 'c'; the columns are 'a', 'd'"):
        knowledge.check(["a", "d"])
    with pytest.raises(OptionError, match="no column 'b'"):
        knowledge.matrices(["a", "c"])
    with pytest.raises(OptionError, match="no column 'b'"):
        knowledge.violations(Graph(["a", "c"]))


def test_violations_are_sentences():
    knowledge = Knowledge(required=[("a", "b")], forbidden=[("b", "c")], tiers=[["a"], ["d"]])
    graph = Graph(["a", "b", "c", "d"], directed=[("b", "a"), ("d", "a")], undirected=[("b", "c")])

    assert knowledge.violations(graph) == [
        "required a → b is missing",
        "forbidden d → a is there ('a' is in an earlier tier than 'd')",
        "b — c is undirected, but b → c is forbidden",
    ]


def test_knowledge_is_true_when_there_is_some():
    assert not Knowledge()
    assert Knowledge(forbidden=[("a", "b")])
    assert Knowledge(tiers=[["a"]])
    assert not Knowledge(tiers=[[]])


def test_equality_does_not_depend_on_order():
    one = Knowledge(forbidden=[("a", "b"), ("b", "c")], tiers=[["a", "b"], ["c"]])
    other = Knowledge(forbidden=(("b", "c"), ("a", "b")), tiers=[("b", "a"), ("c",)])

    assert one == other
    assert hash(one) == hash(other)
    assert one != Knowledge(forbidden=[("a", "b")], tiers=[["a", "b"], ["c"]])


@pytest.mark.parametrize(
    "knowledge", [Knowledge(), Knowledge([("a", "b")], [("b", "a")], [["a"], ["b", "c"]])]
)
def test_the_repr_makes_the_same_knowledge_again(knowledge):
    assert eval(repr(knowledge)) == knowledge  # noqa: S307, our own words


def test_knowledge_is_frozen_and_survives_pickling():
    knowledge = Knowledge(required=[("a", "b")])

    assert pickle.loads(pickle.dumps(knowledge)) == knowledge  # noqa: S301, our own bytes
    with pytest.raises(AttributeError):
        knowledge.required = frozenset()
