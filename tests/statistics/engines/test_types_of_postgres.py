"""Columns of types that only PostgreSQL has are what the same table of plain types says."""

import pytest

import structlearn as sl
from tests.contracts.engines import connection_to
from tests.postgres import shared_server

pytest.importorskip("ibis")

PLAIN = {"price": "(i * 37 % 101) / 4.0 - 9", "kind": "i % 4", "x": "(i * 13 % 29) / 8.0"}
OWN = {"price": "money", "kind": "oid", "x": "float8"}


def learnt(source):
    """What is known of the columns, and the score of the best graph."""
    return source.kinds, source.labels, source.n_rows, sl.HillClimbing().fit(source).score_


@pytest.fixture
def backend():
    backend = connection_to(shared_server())
    chosen = ", ".join(f"(({PLAIN[name]})::numeric::{kind}) AS {name}" for name, kind in OWN.items())
    chosen = chosen.replace("::numeric::oid", "::int::oid")
    backend.raw_sql("DROP TABLE IF EXISTS own_types").close()
    made = f"SELECT {chosen}, point(i, 1) AS place FROM generate_series(0, 199) AS t(i)"  # noqa: S608, our own words
    backend.raw_sql(f"CREATE TABLE own_types AS {made}").close()
    return backend


@pytest.mark.parametrize("wanted", [None, "x > 1.0"])
@pytest.mark.parametrize("chosen", [["price", "x"], ["kind", "x"], ["price", "kind", "x"]], ids=str)
def test_money_and_oid_are_numbers_and_a_point_beside_them_is_nobodys_business(backend, chosen, wanted):
    rows = backend.raw_sql("SELECT price::numeric::float8, kind::int, x FROM own_types").fetchall()
    plain = {name: [row[j] for row in rows if wanted is None or row[2] > 1.0] for j, name in enumerate(OWN)}

    found = learnt(sl.source(backend.table("own_types"), columns=chosen, filter=wanted))

    *expected, score = learnt(sl.Dataset({name: plain[name] for name in chosen}))
    assert list(found[:3]) == expected
    assert found[3] == pytest.approx(score)


def test_a_point_that_is_chosen_is_refused_and_one_that_a_function_asks_about_is_not(backend):
    table = backend.table("own_types")

    with pytest.raises(sl.DataError, match="Column 'place' holds point:geometry"):
        sl.source(table, columns=["x", "place"])
    assert sl.source(table, columns=["x"], filter=lambda rows: rows.place.notnull()).n_rows == 200
