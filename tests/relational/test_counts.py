"""Counts made inside databases are what following every reference by hand gives, on any schema."""

import sqlite3

import duckdb
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from structlearn.data.relational import (
    AGGREGATES,
    Feature,
    SchemaOptions,
    features_of,
    opened_database,
    read_schema,
)
from structlearn.data.sql_words import quoted
from structlearn.statistics.relational import ClassView, TargetStatistics, ViewQuery
from tests.oracles import relational as oracle
from tests.relational.databases import GRADES, UNIVERSITY, in_duckdb

LETTERS = ("x", "y", "z")


@st.composite
def databases(draw):
    """Up to three tables that refer to each other or to themselves, with gaps everywhere."""
    names = ["a", "b", "c"][: draw(st.integers(1, 3))]
    sizes = {name: draw(st.integers(1, 5)) for name in names}
    slots = {name: draw(st.lists(st.sampled_from(names), max_size=2)) for name in names}
    tables = {}
    for name in names:
        rows = []
        for key in range(sizes[name]):
            row = {"id": key, "letter": draw(st.sampled_from([*LETTERS, None]))}
            row["number"] = draw(st.sampled_from([1, 2, 4, None]))
            for place, target in enumerate(slots[name]):
                row[f"to{place}"] = draw(st.one_of(st.none(), st.integers(0, sizes[target] - 1)))
            rows.append(row)
        # One value of each at least, so that every column is an attribute.
        rows[0] |= {"letter": "x", "number": 2}
        tables[name] = rows
    keys = {f"{name}.to{i}": f"{target}.id" for name in names for i, target in enumerate(slots[name])}
    return tables, keys


def filled(connection, tables):
    """The tables in a database, their columns in a type for whole numbers or for text."""
    for name, rows in tables.items():
        columns = ", ".join(f"{c} {'VARCHAR' if c == 'letter' else 'INTEGER'}" for c in rows[0])
        connection.execute(f"CREATE TABLE {name} ({columns}, PRIMARY KEY (id))")
        holes = ", ".join("?" for _ in rows[0])
        connection.executemany(f"INSERT INTO {name} VALUES ({holes})", [tuple(row.values()) for row in rows])
    return connection


def discrete(tables):
    """All attributes as states, in the order in which they are written here."""
    kinds = {f"{name}.{column}": "discrete" for name in tables for column in ("letter", "number")}
    present = {
        (name, column): sorted({row[column] for row in rows if row[column] is not None})
        for name, rows in tables.items()
        for column in ("letter", "number")
    }
    order = {f"{name}.letter": present[name, "letter"] for name in tables}
    return {"kinds": kinds, "order": order}


FEW = settings(
    deadline=None, max_examples=3, phases=[Phase.generate], suppress_health_check=[HealthCheck.too_slow]
)
MANY = settings(FEW, max_examples=150)


@FEW
@given(databases())
def test_objects_see_what_following_each_reference_gives(made):
    check_values(*made)


@pytest.mark.slow
@MANY
@given(databases())
def test_many_objects_see_what_following_each_reference_gives(made):
    check_values(*made)


def check_values(tables, keys):
    for connection in (filled(duckdb.connect(), tables), filled(sqlite3.connect(":memory:"), tables)):
        with opened_database(connection) as database:
            schema = read_schema(database, SchemaOptions(keys=keys, **discrete(tables)))
            for base, rows in tables.items():
                features = features_of(schema, base, max_length=2)
                if not features:
                    continue
                query = ViewQuery(base, features).sql({"id": quoted("o", "id")})
                found = {row[-1]: row[:-1] for row in database.rows(query)}
                for row in rows:
                    for feature, seen in zip(features, found[row["id"]], strict=True):
                        expected = oracle.value(tables, row, feature)
                        assert label_of(feature, seen) == expected, (str(feature), row)
        connection.close()


def label_of(feature, seen):
    """A code as the label it stands for; numbers as they are."""
    if seen is None:
        return None
    if feature.is_number:
        return pytest.approx(float(seen), rel=1e-12)
    return ("no", "yes")[int(seen)] if feature.aggregate == "exists" else feature.attribute.labels[int(seen)]


@FEW
@given(databases(), st.data())
def test_joint_counts_are_those_of_the_array_path_in_every_database(made, data):
    tables, keys = made
    base = data.draw(st.sampled_from(sorted(tables)))
    answers = []
    for connection in (filled(duckdb.connect(), tables), filled(sqlite3.connect(":memory:"), tables)):
        with opened_database(connection) as database:
            schema = read_schema(database, SchemaOptions(keys=keys, **discrete(tables)))
            own = [Feature(base, (), attribute) for attribute in schema.entity(base).attributes]
            others = [f for f in features_of(schema, base, max_length=2) if f.chain and not f.is_number]
            chosen = others[:: max(1, len(others) // 3)][:3]
            view = ClassView(database, [*own, *chosen], n_intervals=3)
            statistics = TargetStatistics(view, 0)
            columns = [*range(3, 3 + len(chosen)), 0]
            answers.append(statistics.counts(columns))
            assert answers[-1].tolist() == expected_counts(
                tables, base, own[0], chosen, statistics.labels, columns
            )
            view.close()
        connection.close()

    np.testing.assert_array_equal(*answers)


def expected_counts(tables, base, own, chosen, labels, columns):
    """The oracle's counts as an array, what sees nothing last."""
    table = np.zeros([len(labels[column]) for column in columns], dtype=int)
    for (*seen, value), n in oracle.counts(tables, base, [*chosen, own]).items():
        if value is None:
            continue
        at = [
            labels[c].index("none" if each is None else each)
            for c, each in zip(columns, [*seen, value], strict=True)
        ]
        table[tuple(at)] += n
    return table.tolist()


def test_many_sets_are_counted_in_one_statement(tmp_path, monkeypatch):
    with opened_database(in_duckdb(UNIVERSITY, tmp_path)) as database:
        schema = read_schema(database, SchemaOptions())
        view = ClassView(database, features_of(schema, "registration", max_length=1), n_intervals=4)
        statistics = TargetStatistics(view, 0)
        asked = []
        rows = database.rows
        monkeypatch.setattr(database, "rows", lambda query: asked.append(query) or rows(query))

        tables = statistics.tables(np.array([[0, 2], [0, 3]]))

    assert len(asked) == 1
    assert tables.strata.tolist() == [1, 1]
    # (3, 1, 0) of either parent's first state, (1, 1, 2) of its other, by grade.
    assert tables.counts.tolist() == [3, 1, 1, 1, 0, 2] * 2


def test_means_of_states_take_the_numbers_that_they_stand_for(tmp_path):
    with opened_database(in_duckdb(UNIVERSITY, tmp_path)) as database:
        schema = read_schema(database, SchemaOptions(order=GRADES))
        [mean] = features_of(schema, "student", max_length=1, aggregates=["mean"])[1:]
        query = ViewQuery("student", [mean]).sql({"id": quoted("o", "id")})

        assert sorted((key, value) for value, key in database.rows(query)) == [
            (1, 4.0),
            (2, 3.5),
            (3, 2.5),
            (4, 3.0),
        ]


def test_the_courses_of_a_student_are_counted_as_the_registrations_are(tmp_path):
    with opened_database(in_duckdb(UNIVERSITY, tmp_path)) as database:
        schema = read_schema(database, SchemaOptions())
        counts = [f for f in features_of(schema, "student", max_length=2) if f.aggregate == "count"]
        query = ViewQuery("student", counts).sql({"id": quoted("o", "id")})

        assert [str(feature) for feature in counts] == [
            "count(registration[student])",
            "count(registration[student].course)",
        ]
        assert all(one == other == 2 for one, other, _ in database.rows(query))


def test_every_aggregate_has_a_place():
    assert set(AGGREGATES) == {"mode", "count", "mean", "min", "max", "median", "exists"}
