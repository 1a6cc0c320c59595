"""References that are declared acyclic are, each alone and all of a class together."""

import networkx as nx
import numpy as np
import pytest

import structlearn as sl
from structlearn.data.relational import SchemaOptions, cycles, opened_database, read_schema
from structlearn.data.relational.cycles import refuse_cycles
from tests.relational.databases import FAMILY_KEYS, MAKERS, inserted

BOTH = list(FAMILY_KEYS)


def checked(tables, names=BOTH, keys=FAMILY_KEYS):
    """Look for cycles of slots of a database."""
    with opened_database(tables) as database:
        schema = read_schema(database, SchemaOptions(keys=keys))
        refuse_cycles(database, [schema.slot(name) for name in names])


def persons(mothers, fathers):
    """Persons 0, 1, 2, … with the numbers of their parents."""
    n = len(mothers)
    return {
        "person": {
            "id": np.arange(n),
            "mother": np.array(mothers, dtype=object),
            "father": np.array(fathers, dtype=object),
            "eyes": np.array(["blue", "green"])[np.arange(n) % 2],
        }
    }


def test_a_mother_s_father_is_not_her_child():
    # 0's mother is 1, whose father is 0: neither slot comes back alone. 2 has them behind, 3 and 4 have not.
    circle = persons([1, None, 0, 4, None], [None, 0, None, None, None])

    checked(circle, BOTH[:1])
    checked(circle, BOTH[1:])
    with pytest.raises(
        sl.DataError,
        match=r"'person\.father' and 'person\.mother' together lead back to the same object in 3 of 5 cases",
    ):
        sl.RelationalModel(keys=FAMILY_KEYS, acyclic=BOTH).fit(circle)


def n_endless(tables, slots):
    """How many persons are on a cycle or lead to one, by going through the graph of all references."""
    person = tables["person"]
    graph = nx.DiGraph()
    graph.add_nodes_from(person["id"].tolist())
    for slot in slots:
        graph.add_edges_from((i, to) for i, to in enumerate(person[slot]) if to is not None)
    cyclic = {node for part in nx.strongly_connected_components(graph) if len(part) > 1 for node in part}
    cyclic |= set(nx.nodes_with_selfloops(graph))
    return len(cyclic.union(*(nx.ancestors(graph, node) for node in cyclic)))


@pytest.mark.parametrize("seed", range(12))
def test_cycles_are_those_of_the_graph_of_all_references(seed):
    rng = np.random.default_rng(seed)
    n = 7
    parents = [[None if rng.random() < 0.7 else int(rng.integers(n)) for _ in range(n)] for _ in range(2)]
    tables = persons(*parents)
    expected = n_endless(tables, ["mother"]) or n_endless(tables, ["father"])
    expected = expected or n_endless(tables, ["mother", "father"])

    if expected:
        with pytest.raises(sl.DataError, match=f"in {expected} of {n} cases"):
            checked(tables)
    else:
        checked(tables)


def test_chains_longer_than_the_first_look_are_followed_to_their_end():
    # Mothers and fathers take turns along a line of 60; then its end refers to its beginning.
    line = [[i - 1 if i and i % 2 == turn else None for i in range(60)] for turn in (1, 0)]
    checked(persons(*line))

    line[1][0] = 59
    with pytest.raises(sl.DataError, match="together lead back to the same object in 60 of 60 cases"):
        checked(persons(*line))


@pytest.mark.parametrize("maker", MAKERS)
def test_composite_keys_and_two_keys_of_one_class_make_cycles_too(maker, tmp_path):
    statements = [
        "CREATE TABLE part (a INTEGER, b INTEGER, code VARCHAR(9) UNIQUE, up_a INTEGER, up_b INTEGER, "
        "inside VARCHAR(9), kind VARCHAR(9), PRIMARY KEY (a, b))",
        inserted(
            "part",
            [
                (1, 1, "p", None, None, "q", "x"),
                (1, 2, "q", 1, 1, None, "y"),
                (2, 1, "r", 1, 2, None, "x"),
                (2, 2, "s", None, None, None, "y"),
            ],
        ),
    ]
    keys = {("part.up_a", "part.up_b"): ("part.a", "part.b"), "part.inside": "part.code"}
    path = MAKERS[maker](statements, tmp_path)

    checked(path, ["part.up_a+up_b"], keys)
    checked(path, ["part.inside"], keys)
    with pytest.raises(sl.DataError, match="in 3 of 4 cases"):  # p and q on the cycle, r behind it
        checked(path, ["part.inside", "part.up_a+up_b"], keys)


def test_a_slot_named_twice_is_one_slot():
    checked(persons([None, 0, 1], [None, None, None]), ["person.mother", "person.mother"])


def test_chains_of_several_references_longer_than_are_followed_are_taken_on_trust_in_words(
    monkeypatch,
):
    monkeypatch.setattr(cycles, "MOST_STEPS", cycles.FIRST_STEPS)
    parents = [None, *range(cycles.FIRST_STEPS + 5)]
    learner = sl.RelationalModel(keys=FAMILY_KEYS, acyclic=BOTH, max_chain=0)

    long = learner.fit(persons(parents, parents)).status_
    short = learner.fit(persons(parents[:9], parents[:9])).status_

    assert "'person.father', 'person.mother' together make no cycle is taken on trust" in long
    assert "trust" not in short
