"""Slot chains lead where they say, and a class graph is safe exactly where no objects can make a cycle."""

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.data.relational import chains_from, features_of
from structlearn.data.relational.acyclicity import Arrow, is_safe
from structlearn.data.relational.chains import chain_from_text, chain_text
from tests.relational.databases import FAMILY_KEYS, GRADES, UNIVERSITY, in_duckdb, sampled_family, schema_of


@pytest.fixture(scope="module")
def university(tmp_path_factory):
    return schema_of(in_duckdb(UNIVERSITY, tmp_path_factory.mktemp("university")), order=GRADES)


def test_chains_go_along_slots_and_against_them_but_not_straight_back(university):
    assert [chain_text(chain) for chain in chains_from(university, "student", 3)] == [
        "",
        "registration[student]",
        "registration[student].course",
        "registration[student].course.registration[course]",
    ]
    assert [chain_text(chain) for chain in chains_from(university, "registration", 2)] == [
        "",
        "course",
        "student",
        "course.registration[course]",
        "student.registration[student]",
    ]


def test_a_chain_can_be_read_back_from_its_text(university):
    for name in ("student", "course", "registration"):
        for chain in chains_from(university, name, 3):
            assert chain_from_text(university, name, chain_text(chain)) == chain
    with pytest.raises(KeyError):
        chain_from_text(university, "student", "nobody")


def test_only_states_with_an_order_have_means_and_extremes(tmp_path):
    plain = schema_of(in_duckdb(UNIVERSITY, tmp_path))
    every = [str(feature) for feature in features_of(plain, "student", max_length=1)]

    assert every == [
        "intel",
        "count(registration[student])",
        "mode(registration[student].grade)",
        "exists(registration[student].grade = A)",
        "exists(registration[student].grade = B)",
        "exists(registration[student].grade = C)",
    ]


def test_states_with_an_order_have_all_aggregates(university):
    found = {feature.aggregate for feature in features_of(university, "student", max_length=1)}

    assert found == {None, "mode", "count", "mean", "min", "max", "median", "exists"}


def arrows(*words):
    """Arrows written as "a>b any"."""
    sorts = {"same": "same object", "sure": "guaranteed", "any": "any"}
    ends = [word.replace(">", " ").split() for word in words]
    return [Arrow(source, target, sorts[sort]) for source, target, sort in ends]


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (arrows("s.intel>r.grade any", "c.diff>r.grade any"), True),
        (arrows("s.intel>r.grade any", "c.diff>r.grade any", "r.grade>s.intel any"), False),
        (arrows("p.bt>p.bt sure"), True),
        (arrows("p.bt>p.bt any"), False),
        (arrows("a>b same", "b>a same"), False),
        (arrows("a>b same", "b>a sure"), True),
        (arrows("a>b same", "b>a sure", "b>c any"), True),
        (arrows("a>b sure", "b>a any"), False),
        ([], True),
    ],
)
def test_the_class_graphs_of_the_papers_are_judged_as_there(made, expected):
    assert is_safe(made) == expected


ARROWS = st.lists(
    st.builds(Arrow, *[st.sampled_from("abc")] * 2, st.sampled_from(["same object", "guaranteed", "any"])),
    max_size=7,
    unique=True,
)


@settings(deadline=None, max_examples=150)
@given(ARROWS)
def test_every_cycle_of_a_safe_graph_has_a_guaranteed_arrow_and_no_other_between_objects(made):
    graph = nx.MultiDiGraph()
    graph.add_edges_from((arrow.source, arrow.target, arrow.sort) for arrow in made)
    sorts = {}
    for arrow in made:
        sorts.setdefault((arrow.source, arrow.target), []).append(arrow.sort)
    expected = True
    for cycle in nx.simple_cycles(nx.DiGraph(graph)):
        steps = [sorts[pair] for pair in zip(cycle, [*cycle[1:], cycle[0]], strict=True)]
        if any("any" in step for step in steps) or all("same object" in step for step in steps):
            expected = False

    assert is_safe(made) == expected


def test_a_reference_that_leads_back_is_not_taken_for_acyclic():
    tables = {"person": {"id": [1, 2, 3, 4], "mother": [2, 3, 1, 3], "eyes": ["b", "g", "b", "g"]}}
    learner = sl.RelationalModel(keys={"person.mother": "person.id"}, acyclic=["person.mother"])

    with pytest.raises(sl.DataError, match=r"'person\.mother' leads back to the same object in 4 of 4 cases"):
        learner.fit(tables)


def test_a_reference_to_another_class_needs_no_guarantee(tmp_path):
    path = in_duckdb(UNIVERSITY, tmp_path)
    with pytest.raises(sl.OptionError, match="leads to another class, 'student'"):
        sl.RelationalModel(acyclic=["registration.student"]).fit(path)
    with pytest.raises(sl.OptionError, match=r"no slot 'registration\.nobody'"):
        sl.RelationalModel(acyclic=["registration.nobody"]).fit(path)


def test_blood_types_come_from_parents_only_where_their_references_are_known_to_be_acyclic():
    tables = sampled_family(400, seed=1)
    options = {"keys": FAMILY_KEYS, "max_chain": 1, "aggregates": ["mode"]}

    assert sl.RelationalModel(**options).fit(tables).graph_.parents("person.blood") == ()
    known = sl.RelationalModel(**options, acyclic=list(FAMILY_KEYS)).fit(tables)
    assert known.graph_.kind == "cyclic"
    assert known.graph_.parents("person.blood") == ("person.blood",)
    assert set(known.graph_.facts["person.blood"]["parents"]) == {"mother.blood", "father.blood"}
