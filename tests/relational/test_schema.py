"""Classes, attributes and slots are read from whatever a database declares, and what is wrong is said."""

import hashlib
import sqlite3
import stat

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import structlearn as sl
from structlearn.data.relational import Schema, opened_database, proposed_keys
from tests.relational.databases import MAKERS, UNIVERSITY, in_duckdb, in_sqlite, inserted, schema_of


@pytest.fixture(params=MAKERS)
def make(request, tmp_path):
    """A function from statements to the path of a database."""
    return lambda statements: MAKERS[request.param](statements, tmp_path)


def slots_of(schema):
    return {slot.full_name: (slot.target, slot.target_columns) for slot in schema.slots}


def test_keys_become_slots_and_the_other_columns_attributes(make):
    schema = schema_of(make(UNIVERSITY))

    assert schema.nodes == ("course.diff", "registration.grade", "student.intel")
    assert schema.attribute("registration.grade").labels == ("A", "B", "C")
    assert slots_of(schema) == {
        "registration.student": ("student", ("id",)),
        "registration.course": ("course", ("id",)),
    }
    assert [entity.n_objects for entity in schema.classes] == [3, 8, 4]
    assert Schema.from_dict(schema.to_dict()) == schema


def test_composite_keys_are_one_slot(make):
    schema = schema_of(
        make(
            [
                "CREATE TABLE term (year INTEGER, half VARCHAR(9), fee VARCHAR(9), PRIMARY KEY (year, half))",
                "CREATE TABLE stay (y INTEGER, h VARCHAR(9), mood VARCHAR(9), "
                "FOREIGN KEY (y, h) REFERENCES term (year, half))",
                inserted("term", [(2020, "a", "x"), (2020, "b", "y"), (2021, "a", "x")]),
                inserted("stay", [(2020, "a", "p"), (2021, "a", "q"), (2020, None, "p"), (None, None, "q")]),
            ]
        )
    )

    assert slots_of(schema) == {"stay.y+h": ("term", ("year", "half"))}
    assert schema.nodes == ("stay.mood", "term.fee")
    assert schema.slot("stay.y+h").n_null == 2  # a part that is missing is enough


def test_a_class_may_refer_to_itself_and_twice_to_another(make):
    schema = schema_of(
        make(
            [
                "CREATE TABLE town (id INTEGER PRIMARY KEY, size VARCHAR(9))",
                "CREATE TABLE person (id INTEGER PRIMARY KEY, mother INTEGER REFERENCES person (id), "
                "born INTEGER REFERENCES town (id), lives INTEGER REFERENCES town (id), eyes VARCHAR(9))",
                inserted("town", [(1, "big"), (2, "small")]),
                inserted("person", [(1, None, 1, 1, "blue")]),
                inserted("person", [(2, 1, 1, 2, "brown"), (3, 1, 2, 2, "blue")]),
            ]
        )
    )

    assert slots_of(schema) == {
        "person.mother": ("person", ("id",)),
        "person.born": ("town", ("id",)),
        "person.lives": ("town", ("id",)),
    }
    assert schema.slot("person.mother").n_null == 1


def test_a_table_that_only_links_is_a_class_without_attributes(make):
    schema = schema_of(
        make(
            [
                "CREATE TABLE actor (id INTEGER PRIMARY KEY, sex VARCHAR(9))",
                "CREATE TABLE film (id INTEGER PRIMARY KEY, genre VARCHAR(9))",
                "CREATE TABLE plays (actor INTEGER REFERENCES actor (id), film INTEGER REFERENCES film (id), "
                "PRIMARY KEY (actor, film))",
                inserted("actor", [(1, "f"), (2, "m")]),
                inserted("film", [(1, "a"), (2, "b")]),
                inserted("plays", [(1, 1), (1, 2), (2, 2)]),
            ]
        )
    )

    assert schema.nodes == ("actor.sex", "film.genre")
    assert schema.entity("plays").attributes == ()
    assert {slot.owner for slot in schema.slots} == {"plays"}


NASTY = [
    'CREATE TABLE "select" ("ключ" INTEGER PRIMARY KEY, "a""b; DROP TABLE x" VARCHAR(9), '
    '"o\'clock.x" VARCHAR(9))',
    'CREATE TABLE "größe.x" ("from" INTEGER REFERENCES "select" ("ключ"), "group by" VARCHAR(9))',
    """INSERT INTO "select" VALUES (1, 'it''s', 'ü'), (2, '"', '--'), (3, 'it''s', '--')""",
    """INSERT INTO "größe.x" VALUES (1, ';'), (2, '0'), (2, ';'), (3, '0')""",
]


def test_keywords_quotes_dots_and_unicode_are_names_like_others(make):
    path = make(NASTY)
    learner = sl.RelationalModel(max_chain=1, kinds={"größe.x.group by": "discrete"}).fit(path)

    assert learner.graph_.nodes[:3] == (
        "größe.x.group by",
        'select.a"b; DROP TABLE x',
        "select.o'clock.x",
    )
    assert slots_of(learner.schema_) == {"größe.x.from": ("select", ("ключ",))}
    assert learner.schema_.attribute('select.a"b; DROP TABLE x').labels == ('"', "it's")


def test_a_table_without_a_key_has_objects_that_nobody_refers_to(make):
    schema = schema_of(make(UNIVERSITY))

    assert schema.entity("registration").key == ()
    assert schema.slots_to("registration") == ()


def test_an_empty_table_is_left_out_and_said(make):
    path = make([*UNIVERSITY, "CREATE TABLE exam (course INTEGER REFERENCES course (id), mark VARCHAR(9))"])

    learner = sl.RelationalModel(max_chain=1).fit(path)

    assert learner.schema_.entity("exam").left_out == {"mark": "the table is empty"}
    assert "Left out: exam.mark (the table is empty)." in learner.status_
    assert learner.graph_.nodes[:3] == ("course.diff", "registration.grade", "student.intel")


def test_a_database_of_empty_tables_is_refused(make):
    with pytest.raises(sl.DataError, match=r"no attribute to learn from: a\.x \(the table is empty\)"):
        schema_of(make(["CREATE TABLE a (id INTEGER PRIMARY KEY, x VARCHAR(9))"]))


def test_no_tables_at_all_are_refused(make):
    with pytest.raises(sl.DataError, match="has no tables"):
        schema_of(make(["CREATE TABLE a (x INTEGER)", "DROP TABLE a"]))


DANGLING = [statement.replace(" REFERENCES student (id)", "") for statement in UNIVERSITY]
DANGLING += ["INSERT INTO registration VALUES (9, 1, 'A'), (NULL, 1, 'B')"]
BY_HAND = {"registration.student": "student.id"}


def test_references_to_nobody_are_refused_or_taken_for_none(make):
    path = make(DANGLING)

    with pytest.raises(
        sl.DataError, match=r"'registration.student': 1 objects refer to a student.*as 9.*dangling="
    ):
        schema_of(path, keys=BY_HAND)
    slot = schema_of(path, keys=BY_HAND, dangling="none").slot("registration.student")
    assert (slot.n_null, slot.n_dangling) == (1, 1)

    known = sl.Knowledge(required=[("student.intel", "registration.grade")])
    learner = sl.RelationalModel(keys=BY_HAND, dangling="none", max_chain=1, knowledge=known).fit(path)
    labels = {each.name: each.labels for each in learner.model_.dependencies["registration.grade"].parents}
    assert labels["student.intel"] == ("hi", "lo", "none")


def test_a_key_with_a_repeated_value_is_refused(make):
    path = make([*bare(), inserted("registration", [(1, 1, "A")])])

    with pytest.raises(
        sl.DataError, match=r"'registration\.course' cannot be a key: \d objects have the value"
    ):
        schema_of(path, keys={"student.id": "registration.course"})


def test_keys_that_are_not_declared_can_be_given(make):
    path = make(bare())
    keys = {"registration.student": "student.id", "registration.course": "course.id"}

    assert set(slots_of(schema_of(path, keys=keys))) == set(keys)


def bare():
    """The university without a word of its keys."""
    words = (" REFERENCES student (id)", " REFERENCES course (id)", " PRIMARY KEY")
    statements = UNIVERSITY
    for word in words:
        statements = [statement.replace(word, "") for statement in statements]
    return statements


def test_names_and_values_propose_keys(make):
    path = make(bare())

    with pytest.raises(sl.DataError, match="declares no foreign keys") as refused:
        schema_of(path)
    assert "'registration.student': 'student.id'" in str(refused.value)
    assert 'keys="proposed"' in str(refused.value)
    assert set(slots_of(schema_of(path, keys="proposed"))) == {"registration.student", "registration.course"}


@pytest.mark.parametrize(
    ("column", "table", "key"),
    [
        ("student_id", "student", "id"),
        ("StudentID", "Students", "StudentID"),
        ("id_student", "student", "nr"),
    ],
)
def test_the_usual_ways_to_name_a_key_are_known(tmp_path, column, table, key):
    statements = [
        f"CREATE TABLE {table} ({key} INTEGER PRIMARY KEY, x VARCHAR(9))",
        f"CREATE TABLE other ({column} INTEGER, y VARCHAR(9))",
        inserted(table, [(1, "a"), (2, "b")]),
        inserted("other", [(1, "p"), (2, "q"), (None, "q")]),
    ]

    assert slots_of(schema_of(in_duckdb(statements, tmp_path), keys="proposed")) == {
        f"other.{column}": (table, (key,))
    }


def test_a_name_alone_proposes_nothing_where_values_are_not_included(tmp_path):
    statements = [*bare(), "INSERT INTO registration VALUES (77, 1, 'A')"]

    with opened_database(in_duckdb(statements, tmp_path)) as database:
        proposals = proposed_keys(database, database.tables())

    assert [each.reference.columns for each in proposals] == [("course",)]


def test_text_is_proposed_by_its_values_alone_but_not_taken(tmp_path):
    statements = [
        "CREATE TABLE land (code VARCHAR(9) PRIMARY KEY, size VARCHAR(9))",
        "CREATE TABLE trip (goal VARCHAR(9), mood VARCHAR(9))",
        inserted("land", [("de", "x"), ("fr", "y"), ("it", "x")]),
        inserted("trip", [("de", "p"), ("fr", "q"), ("de", "q")]),
    ]
    path = in_duckdb(statements, tmp_path)

    with pytest.raises(sl.DataError, match=r"keys={'trip.goal': 'land.code'}; give those that are meant\."):
        schema_of(path, keys="proposed")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tables": ["nobody"]}, "there is no table 'nobody'"),
        ({"keys": {"registration.nobody": "student.id"}}, "there is no column 'registration.nobody'"),
        ({"keys": {("registration.student", "course.id"): "student.id"}}, "columns of one table"),
        (
            {"keys": {"registration.student": ("student.id", "student.intel")}},
            "has 1 columns, and what it refers",
        ),
        ({"kinds": {"student.nobody": "discrete"}}, "there is no column 'student.nobody'"),
        ({"kinds": {"student.intel": "red"}}, "is given as 'red'"),
        ({"kinds": {"student.intel": "continuous"}}, "holds text"),
        ({"order": {"student.intel": ["hi"]}}, "'lo' has no place"),
    ],
)
def test_wrong_options_are_refused_by_name(tmp_path, options, message):
    with pytest.raises(ValueError, match=message):
        schema_of(in_duckdb(UNIVERSITY, tmp_path), **options)


def test_tables_can_be_chosen_and_references_to_others_are_said(tmp_path):
    schema = schema_of(in_duckdb(UNIVERSITY, tmp_path), tables=["student", "registration"])

    assert [entity.name for entity in schema.classes] == ["registration", "student"]
    assert schema.entity("registration").left_out == {"course": "refers to 'course'"}


def many_columns():
    """A table with a column for each rule of what is an attribute, thirty rows."""
    return {
        "id": np.arange(30),
        "few": np.arange(30) % 3,
        "many": np.arange(30) * 7 % 31,
        "measured": np.linspace(0.0, 1.0, 30),
        "counted": np.arange(30) + 5,
        "name": [f"n{i}" for i in range(30)],
        "shade": [("light", "dark")[i % 2] for i in range(30)],
        "written": [str(i % 12) for i in range(30)],
        "is_on": np.arange(30) % 2 == 0,
        "day": pd.date_range("2020-01-01", periods=30),
        "empty": pd.array([None] * 30, dtype="Int64"),
        "one": ["same"] * 30,
    }


def test_columns_are_typed_as_those_of_tables_are():
    schema = schema_of({"t": pd.DataFrame(many_columns())})
    found = {attribute.name: attribute for attribute in schema.attributes}

    assert found["few"].labels == (0, 1, 2)
    assert found["few"].is_ordered
    assert found["measured"].kind == "continuous"
    assert len(found["measured"].labels) == 4
    assert found["many"].kind == "continuous"
    assert found["shade"].labels == ("dark", "light")
    assert not found["shade"].is_ordered
    assert found["written"].labels == tuple(
        str(i) for i in range(12)
    )  # text that reads as numbers has their order
    assert found["is_on"].labels == (False, True)
    assert found["one"].labels == ("same",)
    assert schema.entity("t").left_out == {
        "id": "an identifier: all numbers differ and follow each other",
        "counted": "an identifier: all numbers differ and follow each other",
        "name": "text with many different values",
        "day": "dates are no states",
        "empty": "no values",
    }


def test_a_kind_that_is_given_wins():
    kinds = {"t.name": "discrete", "t.few": "continuous", "t.counted": "continuous"}
    schema = schema_of({"t": pd.DataFrame(many_columns())}, kinds=kinds, bins=2)

    assert len(schema.attribute("t.name").labels) == 30
    assert schema.attribute("t.few").cuts == (1.5,)  # the fifteenth of ten 0, ten 1 and ten 2 is a 1
    assert schema.attribute("t.counted").cuts == (19.5,)  # 5 … 34, fifteen on either side


def test_cuts_have_as_many_objects_on_either_side_as_ties_allow(make):
    numbers = [0.0] * 6 + [1.0, 2.0, 3.0, 4.0, 5.0, 6.5]
    path = make(["CREATE TABLE t (x DOUBLE PRECISION)", inserted("t", [(x,) for x in numbers])])

    attribute = schema_of(path).attribute("t.x")

    # The quartiles of twelve are the third, sixth and ninth, of which the first two are 0.
    assert attribute.cuts == (0.5, 3.5)
    assert attribute.labels == ("≤ 0.5", "0.5 to 3.5", "> 3.5")


def test_numbers_that_are_not_finite_are_refused_by_name(tmp_path):
    statements = ["CREATE TABLE t (x DOUBLE)", "INSERT INTO t SELECT i + 0.5 FROM range(30) r(i)"]

    with pytest.raises(sl.DataError, match=r"'t\.x' has values that are no finite numbers"):
        schema_of(in_duckdb([*statements, "INSERT INTO t VALUES ('nan')"], tmp_path))


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, dict], ids=["pandas", "polars", "dict"])
def test_tables_in_memory_are_a_database_too(frame):
    tables = {
        "a": frame({"id": [1, 2, 3], "x": ["p", "q", "p"]}),
        "b": frame({"a": [1, 1, 3], "y": [0, 1, 1]}),
    }

    schema = schema_of(tables, keys={"b.a": "a.id"})

    assert schema.nodes == ("a.x", "b.y")


def test_open_connections_are_taken_and_stay_open(tmp_path):
    connections = [
        duckdb.connect(in_duckdb(UNIVERSITY, tmp_path)),
        sqlite3.connect(in_sqlite(UNIVERSITY, tmp_path)),
    ]
    for connection in connections:
        graph = sl.RelationalModel(max_chain=1, pairs=True).fit(connection).graph_

        assert set(graph.parents("registration.grade")) == {"student.intel", "course.diff"}
        assert connection.execute("SELECT COUNT(*) FROM registration").fetchone() == (8,)
        connection.close()


def test_nothing_is_written_and_a_reader_s_rights_are_enough(make):
    path = make(UNIVERSITY)
    path.chmod(stat.S_IRUSR)
    before = hashlib.sha256(path.read_bytes()).hexdigest()

    sl.RelationalModel().fit(path)

    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_what_is_no_database_is_refused(tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("a,b\n1,2\n")

    with pytest.raises(sl.DataError, match="is no DuckDB or SQLite database"):
        schema_of(table)
    with pytest.raises(sl.DataError, match="cannot be read: No such file"):
        schema_of(tmp_path / "nowhere.duckdb")
    with pytest.raises(sl.DataError, match="A int is no database"):
        schema_of(7)
    with pytest.raises(sl.DataError, match="Table 't' is no data frame"):
        schema_of({"t": object()})


def test_a_file_that_only_begins_like_a_database_is_refused(tmp_path):
    broken = tmp_path / "broken.sqlite"
    broken.write_bytes(b"SQLite format 3\0" + b"\1" * 200)

    with pytest.raises(sl.DataError, match="cannot"):
        schema_of(broken)
