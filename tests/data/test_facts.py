from copy import deepcopy

import structlearn as sl
from structlearn.data.facts import once

TABLE = {"a": ["x", "y", "y"], "b": ["u", "u", "v"], "c": ["s", "t", "t"]}


def test_a_fact_is_looked_for_once_for_each_table():
    one, other, looks = sl.Dataset(TABLE), sl.Dataset(TABLE), []

    found = [once(table, "n", lambda: looks.append(1) or len(looks)) for table in (one, one, other, other)]

    assert found == [1, 1, 2, 2]


def test_facts_of_other_names_are_others():
    table = sl.Dataset(TABLE)

    assert [once(table, "rows", lambda: 3), once(table, "columns", lambda: 4)] == [3, 4]


def test_facts_make_no_table_another_one():
    table = sl.Dataset(TABLE)
    once(table, "n", lambda: 1)
    table.select(["b", "a"])

    assert table == sl.Dataset(TABLE)
    assert deepcopy(table) == table


def test_the_same_columns_in_the_same_order_are_one_table_and_others_another():
    table = sl.Dataset(TABLE)
    chosen = table.select(["b", "a"])

    assert table.select(iter(["b", "a"])) is chosen
    assert table.select(["a", "b"]).names == ("a", "b")
    assert table.select(["c", "b"]).names == ("c", "b")
    assert chosen.names == ("b", "a")
