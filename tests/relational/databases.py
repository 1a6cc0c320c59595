"""Small databases as statements that DuckDB, SQLite and PostgreSQL take alike, and where to put them."""

import sqlite3
import tempfile
from functools import cache
from pathlib import Path

import duckdb
import numpy as np

from structlearn.data.relational import SchemaOptions, opened_database, read_schema

# Four students, three courses, eight registrations: small enough to count by hand.
UNIVERSITY = [
    "CREATE TABLE student (id INTEGER PRIMARY KEY, intel VARCHAR(9))",
    "CREATE TABLE course (id INTEGER PRIMARY KEY, diff VARCHAR(9))",
    "CREATE TABLE registration (student INTEGER REFERENCES student (id), "
    "course INTEGER REFERENCES course (id), grade VARCHAR(9))",
    "INSERT INTO student VALUES (1, 'hi'), (2, 'hi'), (3, 'lo'), (4, 'lo')",
    "INSERT INTO course VALUES (1, 'easy'), (2, 'hard'), (3, 'hard')",
    "INSERT INTO registration VALUES (1, 1, 'A'), (1, 2, 'A'), (2, 1, 'A'), (2, 3, 'B'), (3, 1, 'B'), "
    "(3, 2, 'C'), (4, 3, 'C'), (4, 1, 'A')",
]
GRADES = {"registration.grade": {"A": 4, "B": 3, "C": 2}}


def in_duckdb(statements, folder):
    """The path of a DuckDB file in which they were executed."""
    path = folder / "made.duckdb"
    path.write_bytes(_duckdb_file(tuple(statements)))
    return path


@cache
def _duckdb_file(statements):
    """The bytes of such a file; it costs more to make than all that a test asks of it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "made.duckdb")
        with duckdb.connect(path) as connection:
            connection.execute(";".join(["BEGIN", *statements, "COMMIT"]))
        return path.read_bytes()


def in_sqlite(statements, folder):
    """The path of an SQLite file in which they were executed."""
    path = folder / "made.sqlite"
    connection = sqlite3.connect(path)
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()
    return path


MAKERS = {"duckdb": in_duckdb, "sqlite": in_sqlite}


def schema_of(source, **options):
    """The schema of a database."""
    with opened_database(source) as database:
        return read_schema(database, SchemaOptions(**options))


def inserted(table, rows):
    """A statement that puts rows into a table."""
    literals = ", ".join(f"({', '.join(map(_literal, row))})" for row in rows)
    return f"INSERT INTO {table} VALUES {literals}"


def _literal(value):
    if value is None:
        return "NULL"
    return f"'{value}'" if isinstance(value, str) else repr(value)


# Of a grade A, B or C, for intelligence hi or lo and difficulty easy or hard.
GRADE_OF = {
    ("hi", "easy"): (0.8, 0.15, 0.05),
    ("hi", "hard"): (0.4, 0.4, 0.2),
    ("lo", "easy"): (0.3, 0.4, 0.3),
    ("lo", "hard"): (0.05, 0.25, 0.7),
}


def sampled_university(n_registrations, seed, n_students=None, n_courses=50):
    """A university with grades drawn by intelligence and difficulty, and a decoy in every class."""
    rng = np.random.default_rng(seed)
    n_students = n_students or max(2, n_registrations // 6)
    intel = rng.choice(["hi", "lo"], n_students)
    diff = rng.choice(["easy", "hard"], n_courses)
    student = rng.integers(0, n_students, n_registrations)
    course = rng.integers(0, n_courses, n_registrations)
    likely = np.array([GRADE_OF[pair] for pair in zip(intel[student], diff[course], strict=True)])
    grade = (rng.random(n_registrations)[:, None] > np.cumsum(likely, axis=1)).sum(axis=1)
    return {
        "student": {
            "id": np.arange(n_students),
            "intel": intel,
            "hair": rng.choice(["fair", "dark"], n_students),
        },
        "course": {
            "id": np.arange(n_courses),
            "diff": diff,
            "room": rng.choice(["east", "west"], n_courses),
        },
        "registration": {
            "student": student,
            "course": course,
            "grade": np.array(list("ABC"))[np.minimum(grade, 2)],
            "day": rng.choice(["mon", "tue", "wed"], n_registrations),
        },
    }


UNIVERSITY_KEYS = {"registration.student": "student.id", "registration.course": "course.id"}


def sampled_family(n_persons, seed):
    """Persons in order of birth, the first tenth without parents; a child has a parent's blood type."""
    rng = np.random.default_rng(seed)
    n_first = max(2, n_persons // 10)
    blood = rng.choice(["A", "B", "0"], n_persons)
    mother, father = [None] * n_persons, [None] * n_persons
    for child in range(n_first, n_persons):
        mother[child], father[child] = int(rng.integers(0, child)), int(rng.integers(0, child))
        if rng.random() < 0.95:
            blood[child] = blood[mother[child]] if rng.random() < 0.6 else blood[father[child]]
    return {
        "person": {
            "id": np.arange(n_persons),
            "mother": np.array(mother, dtype=object),
            "father": np.array(father, dtype=object),
            "blood": blood,
            "hair": rng.choice(["fair", "dark"], n_persons),
        }
    }


FAMILY_KEYS = {"person.mother": "person.id", "person.father": "person.id"}
