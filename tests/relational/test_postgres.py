"""A real PostgreSQL server gives the model that embedded databases give; it lives in a throw-away folder."""

import pytest

import structlearn as sl
from tests.postgres import free_port, shared_server
from tests.relational.databases import UNIVERSITY, in_duckdb, in_sqlite, inserted, schema_of

ibis = pytest.importorskip("ibis")
psycopg = pytest.importorskip("psycopg")

WEIGHED = [(1, "a", 0.5), (1, "b", 1.25), (2, "a", 2.0), (None, "b", None), (3, "b", 3.5), (1, "a", 4.5)]
WEIGHED += [(4, "b", 5.25), (2, "a", 6.0), (4, "b", 7.0), (3, "b", 8.5)]
MORE = [
    *UNIVERSITY,
    'CREATE TABLE "größe.x" ("from" INTEGER REFERENCES student (id), "group by" VARCHAR(9), '
    "weight DOUBLE PRECISION)",
    inserted('"größe.x"', WEIGHED),
]
OPTIONS = {
    "max_chain": 1,
    "score": "aic",
    "aggregates": ["mode", "count", "mean", "min", "max", "median", "exists"],
    "order": {"registration.grade": ["C", "B", "A"]},
    "max_parents": 1,
}


@pytest.fixture(scope="module")
def server():
    """The address of a server with the tables, for a reader who may only select."""
    return filled(shared_server())


def filled(server):
    with psycopg.connect(server.owner, autocommit=True) as connection:
        connection.execute("CREATE DATABASE university")
    address = server.owner.replace("/postgres", "/university")
    with psycopg.connect(address, autocommit=True) as connection:
        for statement in MORE:
            connection.execute(statement)
        connection.execute("CREATE ROLE reader LOGIN")
        connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
        connection.execute("ALTER ROLE reader SET default_transaction_read_only = on")
    return address.replace("owner", "reader")


def test_the_schema_is_that_of_embedded_databases(server, tmp_path):
    found = schema_of(server)

    for path in (in_duckdb(MORE, tmp_path), in_sqlite(MORE, tmp_path)):
        expected = schema_of(path)
        assert [(each.name, each.key, each.n_objects) for each in found.classes] == [
            (each.name, each.key, each.n_objects) for each in expected.classes
        ]
        assert found.slots == expected.slots
        assert [(each.node, each.labels, each.cuts) for each in found.attributes] == [
            (each.node, each.labels, each.cuts) for each in expected.attributes
        ]


def test_the_model_is_that_of_embedded_databases_for_a_reader_who_may_only_select(server, tmp_path):
    found = sl.RelationalModel(**OPTIONS).fit(server)

    for path in (in_duckdb(MORE, tmp_path), in_sqlite(MORE, tmp_path)):
        expected = sl.RelationalModel(**OPTIONS).fit(path)
        assert found.graph_ == expected.graph_
        assert found.score_ == pytest.approx(expected.score_, abs=1e-9)
        assert found.model_.dependencies == expected.model_.dependencies
        assert found.model_.log_likelihood(server) == pytest.approx(
            expected.model_.log_likelihood(path), abs=1e-9
        )


def test_an_open_connection_of_ibis_is_taken_and_stays_open(server):
    backend = ibis.connect(server)
    graph = (
        sl.RelationalModel(
            max_chain=1, pairs=True, aggregates=["mode"], tables=["student", "course", "registration"]
        )
        .fit(backend)
        .graph_
    )

    assert set(graph.parents("registration.grade")) == {"student.intel", "course.diff"}
    assert "student" in backend.list_tables()
    backend.disconnect()


def test_a_server_that_does_not_answer_is_refused():
    with pytest.raises(sl.DataError, match=r"postgresql://nobody@127\.0\.0\.1:\d+/nothing cannot be opened"):
        schema_of(f"postgresql://nobody@127.0.0.1:{free_port()}/nothing")
