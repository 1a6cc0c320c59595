"""A reference means for a network, an answer and a sample what it meant for the search."""

import sqlite3

import pytest

import structlearn as sl
from tests.relational.databases import inserted

KEYS = {"buy.client": "client.id"}
NEEDED = sl.Knowledge(required=[("client.rich", "buy.dear")])
BOUGHT_BY = [3, 1, 2, 2, 1, 3, 4, 4]
SPELLINGS = {
    "text": (int, str),
    "text with a zero": (int, "0{}".format),
    "a fraction": (int, float),
    "text keys": (str, int),
}


def shop(key, reference):
    """Clients and what they bought, with keys and references as these two write a number."""
    return {
        "client": {"id": [key(number) for number in (1, 2, 3, 4)], "rich": ["no", "yes", "no", "yes"]},
        "buy": {
            "client": [reference(number) for number in BOUGHT_BY],
            "dear": ["no", "no", "yes", "yes"] * 2,
        },
    }


def in_sqlite(tables):
    """The same tables where a declared type makes text of the references."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE client (id INTEGER PRIMARY KEY, rich TEXT)")
    connection.execute("CREATE TABLE buy (client TEXT, dear TEXT)")
    for name, columns in tables.items():
        connection.execute(inserted(name, zip(*columns.values(), strict=True)))
    return connection


def found(database):
    """The arrows of the network, an answer, and the dear buys of a drawn database."""
    model = sl.RelationalModel(keys=KEYS, knowledge=NEEDED).fit(database).model_
    answer = model.query(database, "buy", "#1", "dear", {"client[2].rich": None, "client[3].rich": None})
    drawn = model.sample(database, random_state=0)
    return model.ground(database).graph.directed, answer.to_dict(), drawn["buy"]["dear"]


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_a_number_is_the_same_reference_however_it_is_written(spelling):
    assert found(shop(*spelling)) == found(shop(int, int))


def test_text_that_the_database_joins_to_numbers_refers_to_them():
    connection = in_sqlite(shop(int, str))

    assert found(connection) == found(shop(int, int))
    connection.close()
