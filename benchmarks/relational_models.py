"""Relational models: time and memory of learning from universities of up to four million registrations.

`python -m benchmarks.relational_models` writes benchmarks/results/relational_models.md.
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb

import structlearn as sl
from benchmarks.machine import described
from structlearn.data.relational.databases.in_duckdb import MEMORY

RESULTS = Path(__file__).parent / "results" / "relational_models.md"
SIZES = (10_000, 100_000, 1_000_000, 4_000_000)
N_COURSES = 1000
TABLES = [
    "CREATE TABLE professor (id INTEGER PRIMARY KEY, popularity VARCHAR, ability VARCHAR)",
    "CREATE TABLE course (id INTEGER PRIMARY KEY, professor INTEGER REFERENCES professor (id), "
    "difficulty VARCHAR, rating INTEGER)",
    "CREATE TABLE student (id INTEGER PRIMARY KEY, intelligence VARCHAR, ranking INTEGER)",
    "CREATE TABLE registration (id INTEGER PRIMARY KEY, student INTEGER REFERENCES student (id), "
    "course INTEGER REFERENCES course (id), grade VARCHAR, satisfaction INTEGER, hours DOUBLE)",
    "INSERT INTO professor SELECT i, if(random() < 0.5, 'high', 'low'), if(random() < 0.4, 'high', 'low') "
    "FROM range(100) AS t(i)",
]
# Chances of an A, and of an A or a B, by intelligence and difficulty.
GRADES = """
CREATE TEMP TABLE chance AS FROM (VALUES ('hi', 'easy', 0.8, 0.95), ('hi', 'hard', 0.4, 0.8),
  ('lo', 'easy', 0.3, 0.7), ('lo', 'hard', 0.05, 0.3)) AS t(intelligence, difficulty, a, ab)
"""


def make(path, n):
    """A university in which grades depend on student and course, and satisfaction on grades."""
    n_students = n // 20
    with duckdb.connect(str(path)) as connection:
        for statement in ["SELECT setseed(0.5)", "SET threads = 1", *TABLES, GRADES]:
            connection.execute(statement)
        connection.execute(
            f"INSERT INTO course SELECT i, (random() * 99)::INTEGER, if(random() < 0.5, 'easy', 'hard'), "
            f"(random() * 2)::INTEGER FROM range({N_COURSES}) AS t(i)"
        )
        connection.execute(
            f"INSERT INTO student SELECT i, if(random() < 0.5, 'hi', 'lo'), (random() * 2)::INTEGER "
            f"FROM range({n_students}) AS t(i)"
        )
        connection.execute(
            f"""INSERT INTO registration
            SELECT i, student, course, ['A', 'B', 'C'][3 - points],
              if(random() < 0.7, points, (random() * 2)::INTEGER), random() * 10
            FROM (SELECT i, student, course, if(luck < a, 2, if(luck < ab, 1, 0)) AS points
              FROM (SELECT i, (random() * {n_students - 1})::INTEGER AS student,
                (random() * {N_COURSES - 1})::INTEGER AS course, random() AS luck
                FROM range({n}) AS t(i)) AS r
              JOIN student AS s ON s.id = r.student JOIN course AS c ON c.id = r.course
              JOIN chance USING (intelligence, difficulty)) AS drawn"""
        )


def measure(path):
    """Learn from a file in this process, and print what it took."""
    start = time.perf_counter()
    graph = sl.RelationalModel().fit(path).graph_
    wall = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    arrows = ", ".join(f"{a} → {b}" for a, b in sorted(graph.directed))
    print(f"{wall:.1f} | {time.process_time():.1f} | {peak:.0f} | {arrows}")


def main():
    lines = [
        "# Relational models",
        "",
        described(["structlearn", "duckdb"], "python -m benchmarks.relational_models"),
        "",
        "From a DuckDB file of four tables to a model, chains of up to two references, each in a process of "
        "its own: seconds, CPU seconds of all threads with imports, and the largest memory in MiB. Of that, "
        f"DuckDB may take {MEMORY} for tables, and what does not fit goes through a temporary file.",
        "",
        "| registrations | s | CPU s | MiB | arrows |",
        "| --- | --- | --- | --- | --- |",
    ]
    for n in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "university.duckdb"
            make(path, n)
            command = [sys.executable, "-m", "benchmarks.relational_models", str(path)]
            found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        lines.append(f"| {n:,} | {found} |")
        print(lines[-1], flush=True)
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    measure(sys.argv[1]) if len(sys.argv) > 1 else main()
