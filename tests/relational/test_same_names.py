"""Names with dots, quotes and commas stay apart, or are refused where two things would have one."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.data.relational import features_of
from structlearn.data.relational.chains import chain_from_text, chain_text
from structlearn.models.relational import ProbabilisticRelationalModel
from tests.relational.databases import in_duckdb, schema_of

TWO = np.array(["u", "v"] * 10)
NUMBERS = [*range(20)]
EVIL = {
    "p": {"i": NUMBERS, "j": NUMBERS, "x": TWO, 'x"': TWO, "y.x": TWO, "x = u": TWO},
    "p.q": {"r": NUMBERS, "r.x": TWO, "[r].x": TWO, "i": NUMBERS, "j": NUMBERS, "i+j": NUMBERS},
}
EVIL_KEYS = {"p.q.r": "p.i", ("p.q.i", "p.q.j"): ("p.i", "p.j"), "p.q.i+j": "p.j"}


def test_features_and_chains_are_told_apart_by_their_text():
    schema = schema_of(EVIL, keys=EVIL_KEYS, kinds={"p.i": "discrete"})
    assert len(schema.slots) == 3
    for base in EVIL:
        features = features_of(schema, base, max_length=2)

        assert len({str(feature) for feature in features}) == len(features)
        for feature in features:
            assert chain_from_text(schema, base, chain_text(feature.chain)) == feature.chain


def test_a_column_called_as_a_reference_s_attribute_is_a_parent_beside_it():
    rng = np.random.default_rng(0)
    client = rng.integers(0, 30, 100)
    tables = {
        "client": {"id": np.arange(30), "name": rng.choice(["u", "v"], 30)},
        "buy": {"client": client, "client.name": rng.choice(["u", "v"], 100), "y": [*TWO] * 5},
    }
    needed = sl.Knowledge(required=[("client.name", "buy.y"), ("buy.client.name", "buy.y")])
    learner = sl.RelationalModel(
        keys={"buy.client": "client.id"}, knowledge=needed, max_chain=1, max_parents=2
    ).fit(tables)
    model = learner.model_

    assert set(learner.graph_.parents("buy.y")) == {"client.name", "buy.client.name"}
    assert {each.name for each in model.dependencies["buy.y"].parents} == {"client.name", '"client.name"'}
    assert ProbabilisticRelationalModel.from_dict(model.graph, model.to_dict()) == model
    assert set(model.ground(tables).graph.parents("buy[#1].y")) == {
        f"client[{client.min()}].name",  # objects without a key are numbered by their references
        "buy[#1].client.name",
    }


def test_two_attributes_of_one_name_are_refused():
    tables = {"a.b": {"id": [1, 2], "c": ["u", "v"]}, "a": {"ref": [1, 2, 1, 2], "b.c": ["u", "v"] * 2}}

    with pytest.raises(sl.DataError, match=r"'b\.c' of 'a' and 'c' of 'a\.b' are both called 'a\.b\.c'"):
        schema_of(tables, keys={"a.ref": "a.b.id"})
    with pytest.raises(sl.OptionError, match=r"kinds: 'a\.b\.c' may be 'b\.c' of 'a' and 'c' of 'a\.b'"):
        schema_of(tables, keys={"a.ref": "a.b.id"}, kinds={"a.b.c": "discrete"})


@pytest.mark.parametrize("name", ["count(q[r])", "mode(q[r].y)"])
def test_a_column_called_as_an_aggregate_is_refused(name):
    tables = {"p": {"id": [*range(20)], "x": TWO, name: TWO}, "q": {"r": [*range(20)] * 2, "y": [*TWO, *TWO]}}

    with pytest.raises(sl.DataError, match="has the name of what each 'p' sees"):
        sl.RelationalModel(keys={"q.r": "p.id"}).fit(tables)


def test_composite_keys_with_commas_stay_apart():
    keys = [("a, b", "c"), ("a", "b, c"), ('a"', "b"), ("a", '"b')]
    states = ["u", "v", "u", "v"]
    first, second = zip(*keys, strict=True)
    tables = {
        "p": {"i": first, "j": second, "x": states},
        "q": {"i": first * 5, "j": second * 5, "y": ["r", "s"] * 10},
    }
    needed = sl.Knowledge(required=[("p.x", "q.y")])
    model = (
        sl.RelationalModel(keys={("q.i", "q.j"): ("p.i", "p.j")}, knowledge=needed, smoothing=0)
        .fit(tables)
        .model_
    )

    assert len([node for node in model.ground(tables).nodes if node.endswith(".x")]) == len(keys)
    for key, state in zip(keys, states, strict=True):  # what is bought tells who bought it
        assert model.query(tables, "p", key, "x")[state] == 1


def test_a_column_that_refers_to_two_classes_is_read_back(tmp_path):
    statements = [
        "CREATE TABLE a (id INTEGER PRIMARY KEY, x VARCHAR)",
        "CREATE TABLE b (id INTEGER PRIMARY KEY, x VARCHAR)",
        "CREATE TABLE q (r INTEGER REFERENCES a (id) REFERENCES b (id), y VARCHAR)",
        *(f"INSERT INTO {name} VALUES (1, 'u'), (2, 'v')" for name in "abq"),
    ]
    schema = schema_of(in_duckdb(statements, tmp_path))

    assert {str(slot) for slot in schema.slots} == {"r→a", "r→b"}
    assert type(schema).from_dict(schema.to_dict()) == schema
