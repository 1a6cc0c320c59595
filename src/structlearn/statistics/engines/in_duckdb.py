"""Tables in DuckDB: files larger than memory, tables of a database, relations."""

import itertools
import math
import weakref
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind, Label
from structlearn.data.columns import RawTable
from structlearn.data.kinds import MOST_LEVELS, are_whole
from structlearn.data.readers import checked_names
from structlearn.data.relations import columns_of, refuse_rounding
from structlearn.data.sql_words import literal
from structlearn.errors import needing
from structlearn.rounding import LARGEST_WHOLE
from structlearn.statistics.engines.choice import Choice, checked_size
from structlearn.statistics.engines.duckdb_columns import (
    clear_errors,
    drop,
    holds_of,
    is_whole,
    refuse_many_words,
    refuse_unusable,
    value_in,
    weight_in,
)
from structlearn.statistics.engines.grouped_sums import GroupedSums, batches, blocks_of_pairs, counted, where
from structlearn.statistics.engines.power_sums import N_POWERS, PowerSums, sums_of_powers
from structlearn.statistics.engines.protocol import (
    MISSING,
    Coding,
    Groups,
    Ledger,
    Look,
    PackedRows,
    Sample,
    Survey,
    end_of,
)

with needing("duckdb", "A table in DuckDB"):
    import duckdb

Answer = dict[str, NDArray[Any]]
Question = tuple[int, str]  # the column that it is about, and the words
WEIGHT = -1  # where the weights stand among the columns
OF_WEIGHTS = ("count", "sum", "min", "max")
ROWS = "structlearn_rows"  # what the table is called in a statement
GLANCE = 100_000  # rows, of which most show whether a column is one of codes
MOST_KEPT = 1 << 22  # different rows that are kept beside the table, so that it is read but once
WIDEST = 200  # columns of rows that may repeat each other
FIELDS_AT_ONCE = 100  # the time and the memory of a query grow with the square of its expressions
COLUMNS_OF_POWERS = FIELDS_AT_ONCE // N_POWERS
ESTIMATE = 1.2  # the share by which an estimate of different rows may be too low
_numbers = itertools.count()


def engine_of(
    relation: duckdb.DuckDBPyRelation, choice: Choice, names: Sequence[str] | None = None
) -> "DuckDBEngine":
    """The engine of a relation, or of a part of it; `names` are other names of its columns."""
    with clear_errors():
        known = checked_names(names or relation.columns)
        field = dict(zip(known, relation.columns, strict=True))
        chosen = choice.names(known)
        kept = relation if choice.filter is None else relation.filter(choice.filter)
        types = dict(zip(known, relation.types, strict=True))
        for name in chosen:
            refuse_unusable(name, types[name])
        wanted = [f"{value_in(field[name], types[name])} AS c{j}" for j, name in enumerate(chosen)]
        weight = "1" if choice.weights is None else weight_in(field[choice.weights])
        wanted.append(f"{weight} AS w")
        kept = kept if choice.weights is None else kept.filter(f"{weight} IS DISTINCT FROM 0")
        refuse_rounding(kept, {name: field[name] for name in chosen})
        return DuckDBEngine(kept, wanted, chosen, [types[name] for name in chosen], weights=choice.weights)


class DuckDBEngine:
    """Groups and sums by SQL over a relation with the columns c0, c1, … and w, the weights.

    Where the different rows are few, they are kept in a temporary table of the connection with their
    numbers, and the rows are gone through no more.
    """

    title = "DuckDB"

    def __init__(
        self,
        source: duckdb.DuckDBPyRelation,
        wanted: Sequence[str],
        names: tuple[str, ...],
        types: Sequence[Any],
        *,
        weights: str | None,
    ) -> None:
        self._source, self._wanted, self.names, self._types = source, wanted, names, types
        self._relation = source.project(", ".join(wanted))
        self._holds = [holds_of(kind) for kind in types]
        self._weights, self._is_weighted, self.ledger = weights, weights is not None, Ledger()
        self._from, self._n_rows, self._n_from = ROWS, 0, 0
        self._coding = Coding((), ())

    def survey(self, kinds: Mapping[str, Kind]) -> Survey:
        """Look at every column once; the different rows are kept where they are few."""
        is_key = self._keys(kinds)
        keys = [j for j, is_code in enumerate(is_key) if is_code]
        size = self._size(keys if all(is_key) and len(keys) <= WIDEST else [])
        values, totals = self._values(keys), self._totals()
        looks = (self._look(j, totals, values.get(j), kinds) for j in range(len(self.names)))
        return Survey(self._n_rows, size, tuple(looks))

    def code_by(self, coding: Coding) -> None:
        """Count and sum in this way from here on."""
        self._coding = coding

    def groups(
        self, discrete: Sequence[int], continuous: Sequence[int], complete: Sequence[int], most: int
    ) -> Groups | None:
        """The groups of the rows that have all of the `complete` columns; None if more than `most`."""
        if self._expected(discrete, complete, most) > most:
            return None
        keys = [f"c{j}" for j in discrete]
        gaps = [f"c{j} IS NULL AS g{j}" for j in continuous]
        numbers = [f"{self._scaled(j)} AS u{j}" for j in continuous]
        rows, size = ("n", "w") if self._is_kept else ("1", "w")
        inner = (
            f"SELECT {', '.join([*keys, *gaps, *numbers, f'{rows} AS n', f'{size} AS w'])} FROM {self._from}"
        )
        inner += where(complete)
        by = [*keys, *(f"g{j}" for j in continuous)]
        sums = GroupedSums(len(discrete), len(continuous))
        for block in blocks_of_pairs(len(continuous)):
            asked = [f"sum({self._weighted(f'u{continuous[i]} * u{continuous[j]}')})" for i, j in block]
            if not sums.has_begun:
                asked += [f"sum({self._weighted(f'u{j}')})" for j in continuous]
            columns = [
                *by,
                "sum(n) AS rows",
                "sum(w) AS size",
                *(f"{sql} AS s{i}" for i, sql in enumerate(asked)),
            ]
            grouped = f"SELECT {', '.join(columns)} FROM ({inner})" + (
                f" GROUP BY {', '.join(by)}" if by else ""
            )
            coded = ", ".join(
                [*(self._code(j) for j in discrete), f"* EXCLUDE ({', '.join(keys)})" if keys else "*"]
            )
            order = f" ORDER BY {', '.join(by)}" if by else ""
            answer = self._ask(f"SELECT {coded} FROM ({grouped}){order}", rows=self._n_from)
            if len(answer["rows"]) > most:
                return None
            sums.add(answer, block, discrete=self._codes(answer, discrete), continuous=continuous)
        return sums.groups()

    def tables(self, sets: Sequence[Sequence[int]], complete: Sequence[int]) -> list[Groups]:
        """The groups by each of several sets of discrete columns, in as few passes as there can be."""
        found: list[Groups] = []
        for some in batches(sets):
            found += self._tables(some, complete)
        return found

    def packed(
        self, discrete: Sequence[int], continuous: Sequence[int], complete: Sequence[int]
    ) -> PackedRows:
        """The rows that have all of the `complete` columns."""
        wanted = [self._code(j) for j in discrete] + [f"{self._number(j)} AS u{j}" for j in continuous]
        wanted += ["w AS size"] if self._is_weighted else []
        rows = f"SELECT {', '.join(wanted)} FROM {ROWS}{where(complete)}"
        answer = self._ask(rows, rows=self._n_rows)
        codes = [self._code_of(answer, j) for j in discrete]
        weights = np.ma.getdata(answer["size"]) if self._is_weighted else None
        return PackedRows(codes, [answer[f"u{j}"] for j in continuous], weights)

    def power_sums(self, columns: Sequence[int], complete: Sequence[int]) -> PowerSums:
        """The sums of the powers 0 to 4 of continuous columns, on their scales, by weight; a row each."""
        found = []
        for start in range(0, len(columns), COLUMNS_OF_POWERS):
            some = columns[start : start + COLUMNS_OF_POWERS]
            sums = [sql for j in some for sql in sums_of_powers(f"({self._scaled(j)})", "w")]
            asked = ", ".join(f"{sql} AS p{i}" for i, sql in enumerate(sums))
            answer = self._ask(f"SELECT {asked} FROM {self._from}{where(complete)}", rows=self._n_from)
            found += [float(answer[f"p{i}"][0]) for i in range(len(sums))]
        return np.array(found).reshape(-1, N_POWERS)

    def sample(self, n_rows: int, seed: int) -> Sample:
        """That many rows drawn at random without replacement, or all in their order if there are fewer."""
        drawn = f"SELECT * FROM {ROWS}"
        if n_rows < self._n_rows:
            drawn += f" USING SAMPLE reservoir({n_rows} ROWS) REPEATABLE ({seed})"
        with clear_errors():
            columns = columns_of(self._query(drawn), (*self.names, "w"))
        self.ledger.note(rows=self._n_rows, answer=sum(column.present.nbytes for column in columns))
        weights = columns[-1].present.astype(np.float64) if self._is_weighted else None
        return Sample(RawTable(columns[:-1]), weights)

    @property
    def _is_kept(self) -> bool:
        return self._from != ROWS

    def _ask(self, statement: str, *, rows: int, relation: duckdb.DuckDBPyRelation | None = None) -> Answer:
        with clear_errors():
            answer: Answer = self._query(statement, relation).fetchnumpy()
        self.ledger.note(rows=rows, answer=sum(column.nbytes for column in answer.values()))
        return answer

    def _ask_all(self, asked: Sequence[Question], table: str, *, rows: int) -> Answer:
        """The answers to many questions of one row each, so many at a time."""
        found: Answer = {}
        for start in range(0, len(asked), FIELDS_AT_ONCE):
            some = asked[start : start + FIELDS_AT_ONCE]
            statement = f"SELECT {', '.join(sql for _, sql in some)} FROM {table}"
            found |= self._ask(statement, rows=rows, relation=self._only({column for column, _ in some}))
        return found

    def _only(self, columns: AbstractSet[int]) -> duckdb.DuckDBPyRelation:
        """The relation with these columns at least: DuckDB plans all that there are for each statement."""
        if len(self.names) <= WIDEST:
            return self._relation
        return self._source.project(", ".join(self._wanted[j] for j in sorted(columns | {WEIGHT})))

    def _query(
        self, statement: str, relation: duckdb.DuckDBPyRelation | None = None
    ) -> duckdb.DuckDBPyRelation:
        found = (relation or self._relation).query(ROWS, statement)
        assert found is not None  # noqa: S101, every statement here has an answer
        return found

    def _keys(self, kinds: Mapping[str, Kind]) -> list[bool]:
        """Which columns are discrete by their type or by what was said, or may be by their first rows."""
        unsure = [j for j, name in enumerate(self.names) if self._holds[j] == "numbers" and name not in kinds]
        asked = [
            (j, sql)
            for j in unsure
            for sql in (f"count(DISTINCT c{j}) AS d{j}", f"{self._broken(j)} AS b{j}")
        ]
        glance = f"(SELECT * FROM {ROWS} LIMIT {GLANCE})"
        first = self._ask_all(asked, glance, rows=GLANCE)
        may_be = {j: first[f"d{j}"][0] <= MOST_LEVELS and not first[f"b{j}"][0] for j in unsure}
        return [
            self._holds[j] != "numbers" or may_be.get(j, kinds.get(name) == "discrete")
            for j, name in enumerate(self.names)
        ]

    def _broken(self, column: int) -> str:
        """How many numbers of a column are not whole, or so large that a float cannot tell."""
        if is_whole(self._types[column]):
            return "0"
        number = f"c{column}::DOUBLE"
        return f"count(*) FILTER (WHERE {number} <> floor({number}) OR abs({number}) >= {LARGEST_WHOLE!r})"

    def _size(self, keys: Sequence[int]) -> float:
        """The sum of the weights; where few of the rows differ in these columns, those are kept."""
        words = [j for j, holds in enumerate(self._holds) if holds == "text"]
        together = ", ".join(f"c{j}" for j in keys)
        asked = [(WEIGHT, "count(*) AS rows"), *((WEIGHT, f"{fact}(w) AS {fact}") for fact in OF_WEIGHTS)]
        asked += [(j, f"approx_count_distinct(c{j}) AS d{j}") for j in words]
        asked += [(WEIGHT, f"approx_count_distinct(({together})) AS different")] if keys else []
        found = self._ask_all(asked, ROWS, rows=0)
        self._n_rows = self._n_from = int(found["rows"][0])
        self.ledger.rows_scanned += self._n_rows
        size = checked_size(self._weights, self._n_rows, *(found[fact][0] for fact in OF_WEIGHTS))
        for j in words:
            refuse_many_words(self.names[j], int(found[f"d{j}"][0]), self._n_rows)
        if keys and found["different"][0] < min(self._n_rows / 2, MOST_KEPT / ESTIMATE):
            self._keep_different_rows()
        return size

    def _totals(self) -> Answer:
        """How many values each column has, and of numbers the ends and the mean."""
        asked = []
        for j, holds in enumerate(self._holds):
            n = f"sum(n) FILTER (WHERE c{j} IS NOT NULL)" if self._is_kept else f"count(c{j})"
            asked.append((j, f"{n} AS n{j}"))
            if holds == "numbers":
                asked += [(j, f"min(c{j}) AS a{j}"), (j, f"max(c{j}) AS z{j}")]
                asked.append((j, f"avg(CASE WHEN isfinite(c{j}::DOUBLE) THEN c{j}::DOUBLE END) AS m{j}"))
        return self._ask_all(asked, self._from, rows=self._n_from)

    def _keep_different_rows(self) -> None:
        """Go through the rows once more, for a table of the different ones with their numbers and weights."""
        table = f"temp.structlearn_rows_{next(_numbers)}"
        keys = ", ".join(f"c{j}" for j in range(len(self.names)))
        numbers = "count(*) AS n, " + ("sum(w)" if self._is_weighted else "count(*)") + " AS w"
        different = f"SELECT {keys}, {numbers} FROM {ROWS} GROUP BY {keys}"
        self._ask(f"CREATE TEMP TABLE {table.removeprefix('temp.')} AS {different}", rows=self._n_rows)
        weakref.finalize(self, drop, self._relation, table)
        self._from = table
        self._n_from = int(self._ask(f"SELECT count(*) AS n FROM {table}", rows=0)["n"][0])

    def _values(self, keys: Sequence[int]) -> dict[int, tuple[Label, ...]]:
        """The different values of the columns that may be discrete; an enumeration has its own."""
        found = {
            j: tuple(dict(self._types[j].children)["values"]) for j in keys if self._types[j].id == "enum"
        }
        asked = [
            (j, f"list(DISTINCT c{j}) FILTER (WHERE c{j} IS NOT NULL) AS v{j}")
            for j in keys
            if j not in found
        ]
        if asked:
            answer = self._ask_all(asked, self._from, rows=self._n_from)
            for name, [values] in answer.items():
                found[int(name[1:])] = () if values is None or values is np.ma.masked else tuple(values)
        return found

    def _look(
        self, column: int, totals: Answer, values: tuple[Label, ...] | None, kinds: Mapping[str, Kind]
    ) -> Look:
        name, holds = self.names[column], self._holds[column]
        n_present = int(np.ma.filled(np.ma.asarray(totals[f"n{column}"]), 0)[0])
        if holds != "numbers":
            return Look(name, holds, n_present, values, has_order=self._types[column].id == "enum")
        is_code = values is not None and len(values) <= MOST_LEVELS and are_whole(np.array(values))
        smallest, largest, mean = (end_of(totals[f"{s}{column}"][0] or 0.0) for s in "azm")
        known = values if is_code or kinds.get(name) == "discrete" else None
        return Look(name, holds, n_present, known, smallest=smallest, largest=largest, mean=mean)

    def _expected(self, discrete: Sequence[int], complete: Sequence[int], most: int) -> float:
        """How many groups there may be: at most, or about so many where that is more than asked for."""
        possible = math.prod(len(self._coding.labels[j] or ()) + 1 for j in discrete)
        possible = min(possible, self._n_from)
        if possible <= most:
            return possible
        if len(discrete) > WIDEST:
            return math.inf
        together = ", ".join(f"c{j}" for j in discrete)
        asked = f"SELECT approx_count_distinct(({together})) AS n FROM {self._from}{where(complete)}"
        return float(self._ask(asked, rows=self._n_from)["n"][0])

    def _scaled(self, column: int) -> str:
        scale = self._coding.scales[column]
        assert scale is not None  # noqa: S101, only columns of numbers are summed
        return f"({self._number(column)} - {scale.origin!r}::DOUBLE) / {scale.unit!r}::DOUBLE"

    def _number(self, column: int) -> str:
        """A number as a float; whole ones beyond 2^53 are counted from the smallest first."""
        scale = self._coding.scales[column]
        if scale is None or scale.start is None:
            return f"c{column}::DOUBLE"
        return f"(c{column}::HUGEINT - '{scale.start}'::HUGEINT)::DOUBLE"

    def _weighted(self, value: str) -> str:
        return f"w * {value}" if self._is_weighted or self._is_kept else value

    def _code(self, column: int) -> str:
        """What stands for a value in an answer: the code of a word; numbers and truth values themselves."""
        if self._holds[column] != "text":
            return (
                f"c{column}::INTEGER AS k{column}"
                if self._holds[column] == "truth"
                else f"c{column} AS k{column}"
            )
        labels = self._coding.labels[column] or ()
        return (
            f"enum_code(c{column}::ENUM({', '.join(literal(str(label)) for label in labels)})) AS k{column}"
        )

    def _codes(self, answer: Answer, columns: Sequence[int]) -> NDArray[np.int64]:
        codes = np.empty((len(answer["rows"]), len(columns)), dtype=np.int64)
        for i, j in enumerate(columns):
            codes[:, i] = np.ma.filled(self._code_of(answer, j).astype(np.int64), MISSING)
        return codes

    def _code_of(self, answer: Answer, column: int) -> NDArray[np.integer]:
        """The codes of a column in an answer, masked where it is missing."""
        values = np.ma.asarray(answer.pop(f"k{column}"))
        if self._holds[column] == "text":
            return values
        labels = np.array(self._coding.labels[column]).astype(values.dtype)
        codes = np.searchsorted(labels, values.data).astype(np.min_scalar_type(len(labels)))
        return np.ma.array(codes, mask=values.mask)

    def _tables(self, sets: Sequence[Sequence[int]], complete: Sequence[int]) -> list[Groups]:
        columns = sorted({j for columns in sets for j in columns})
        keys = ", ".join(f"c{j}" for j in columns)
        by = ", ".join("(" + ", ".join(f"c{j}" for j in some) + ")" for some in sets)
        rows = "n" if self._is_kept else "1"
        grouped = (
            f"SELECT {keys}, GROUPING_ID({keys}) AS id, sum({rows}) AS rows, sum(w) AS size "
            f"FROM {self._from}{where(complete)} GROUP BY GROUPING SETS ({by})"
        )
        coded = ", ".join(self._code(j) for j in columns)
        answer = self._ask(f"SELECT {coded}, id, rows, size FROM ({grouped})", rows=self._n_from)
        codes, place = self._codes(answer, columns), {j: i for i, j in enumerate(columns)}
        found = []
        for some in sets:
            # A bit is set for each column that is not grouped by, the first column's the highest.
            number = sum(1 << (len(columns) - 1 - place[j]) for j in columns if j not in some)
            mine = codes[:, [place[j] for j in some]]
            used = (answer["id"] == number) & (mine != MISSING).all(axis=1)
            found.append(counted(mine[used], answer["rows"][used], answer["size"][used]))
        return found
