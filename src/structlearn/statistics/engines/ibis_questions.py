"""Statements over the rows of a table of ibis, and their answers."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, nullcontext
from itertools import chain
from threading import Lock
from typing import Any

from structlearn.errors import DataError
from structlearn.statistics.engines.grouped_sums import SETS_AT_ONCE, batches, where
from structlearn.statistics.engines.ibis_columns import IbisColumns
from structlearn.statistics.engines.protocol import Ledger

Answer = list[tuple[Any, ...]]
TITLES = {"postgres": "PostgreSQL", "sqlite": "SQLite", "pyspark": "Spark SQL", "bigquery": "BigQuery"}
TITLES |= {"mysql": "MySQL", "mssql": "SQL Server", "snowflake": "Snowflake", "oracle": "Oracle"}
ALIKE = ("postgres", "sqlite")  # databases that read the statements here as they are written
SETS_IN_A_UNION = {"sqlite": 100}  # of grouped columns in one statement; it takes 500, and values of any type
# Those of ibis's databases that group by several sets in one pass.
GROUPS_BY_SETS = ("postgres", "pyspark", "bigquery", "snowflake", "mssql", "oracle", "trino", "databricks")
ROWS = "structlearn_rows"  # what the chosen rows are called in a statement
AT_ONCE = 1000  # results in one statement: PostgreSQL gives 1,664 columns, SQLite 2,000


class Questions:
    """What a table's database is asked; `n_rows` are those that it goes through each time."""

    def __init__(self, columns: IbisColumns) -> None:
        self.columns, self._backend = columns, columns.backend
        self.name = columns.backend.name
        self.title = f"{TITLES.get(self.name, self.name)} through ibis"
        self.ledger, self.n_rows, self._lock = Ledger(), 0, Lock()
        self.size = "count(*)" if columns.weights is None else "sum(w)"

    def ask(
        self, statement: str, columns: Iterable[int], *, more: Sequence[str] = (), scans: int = 1
    ) -> Answer:
        """The few rows that a statement over the chosen rows gives."""
        if self.name not in ALIKE:
            statement = self.columns.translated(statement)
        rows = self.columns.rows(sorted(columns), more)
        whole = statement.replace(ROWS, f"({rows}) AS {ROWS}")
        try:
            with self._lock:
                answer = _fetched(self._backend.raw_sql(whole))
        except Exception as error:  # each driver has errors of its own
            reason = str(error).strip().partition("\n")[0]
            raise DataError(f"{self.title} cannot answer: {reason}") from error
        self.ledger.note(rows=scans * self.n_rows, answer=sum(map(_bytes, chain.from_iterable(answer))))
        return answer

    def counts(
        self, sets: Sequence[Sequence[int]], complete: Sequence[int], most: int | None = None
    ) -> list[Answer]:
        """By set of columns, the joint values that rows have in all of them, with their rows and weights."""
        by_sets = self.name in GROUPS_BY_SETS
        ask = self._by_grouping_sets if by_sets else self._by_union
        n_sets = SETS_AT_ONCE if by_sets else SETS_IN_A_UNION.get(self.name, 1)
        return [rows for some in batches(sets, n_sets) for rows in ask(some, complete, most)]

    def _by_grouping_sets(
        self, sets: Sequence[Sequence[int]], complete: Sequence[int], most: int | None
    ) -> list[Answer]:
        columns = sorted({j for some in sets for j in some})
        # A bit is set for each column that is not grouped by.
        bits = " + ".join(f"CAST(GROUPING(c{j}) AS BIGINT) * {1 << i}" for i, j in enumerate(columns))
        keys = ", ".join(f"c{j}" for j in columns)
        by = ", ".join("(" + ", ".join(f"c{j}" for j in some) + ")" for some in sets)
        limit = "" if most is None else f" LIMIT {most * len(sets)}"
        statement = f"SELECT {bits}, {keys}, count(*), {self.size} FROM {ROWS}{where(complete)}"
        answer = self.ask(f"{statement} GROUP BY GROUPING SETS ({by}){limit}", {*columns, *complete})
        place = {j: 1 + i for i, j in enumerate(columns)}
        number = {
            sum(1 << i for i, j in enumerate(columns) if j not in some): k for k, some in enumerate(sets)
        }
        found: list[Answer] = [[] for _ in sets]
        for row in answer:
            k = number[int(row[0])]
            values = tuple(row[place[j]] for j in sets[k])
            if None not in values:
                found[k].append((*values, *row[-2:]))
        return found

    def _by_union(
        self, sets: Sequence[Sequence[int]], complete: Sequence[int], most: int | None
    ) -> list[Answer]:
        width = max(len(some) for some in sets)
        limit = "" if most is None else f" LIMIT {most}"
        parts = []
        for k, some in enumerate(sets):
            by = ", ".join(f"c{j}" for j in some)
            padded = ", ".join([*(f"c{j}" for j in some), *["NULL"] * (width - len(some))])
            source = f"FROM {ROWS}{where((*complete, *some))}"
            grouped = f"SELECT {k} AS k, {padded}, count(*), {self.size} {source} GROUP BY {by}{limit}"
            parts.append(grouped if len(sets) == 1 else f"SELECT * FROM ({grouped})")
        columns = {*complete, *(j for some in sets for j in some)}
        found: list[Answer] = [[] for _ in sets]
        for row in self.ask(" UNION ALL ".join(parts), columns, scans=len(sets)):
            found[row[0]].append((*row[1 : 1 + len(sets[row[0]])], *row[-2:]))
        return found


def blocks(values: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    """So many at a time."""
    return (values[start : start + size] for start in range(0, len(values), size))


def _bytes(value: Any) -> int:
    return len(value) if isinstance(value, str) else 1 if value is None else 8


def _fetched(result: Any) -> Answer:
    """All rows of what a connection gives for a statement: a cursor, or a frame of Spark."""
    with closing(result) if hasattr(result, "close") else nullcontext():
        rows = result.fetchall() if hasattr(result, "fetchall") else result.collect()
        return [tuple(row) for row in rows]
