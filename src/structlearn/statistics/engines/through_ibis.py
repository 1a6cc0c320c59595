"""Tables in PostgreSQL, SQLite and other databases that ibis speaks: rows stay there, nothing is written."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind
from structlearn.data.readers import read
from structlearn.errors import DataError
from structlearn.statistics.engines.choice import Choice
from structlearn.statistics.engines.grouped_sums import GroupedSums, counted, pairs_of, where
from structlearn.statistics.engines.ibis_columns import IbisColumns, backend_of, filtered
from structlearn.statistics.engines.ibis_questions import AT_ONCE, ROWS, Answer, Questions, blocks
from structlearn.statistics.engines.ibis_survey import GLANCE, IbisSurvey
from structlearn.statistics.engines.power_sums import N_POWERS, PowerSums, sums_of_powers
from structlearn.statistics.engines.protocol import (
    MISSING,
    Coding,
    Engine,
    Groups,
    Sample,
    Survey,
)

MOST_GROUPS = 1 << 20  # that are fetched, as Python's objects at first
DRAWN_AT_ONCE = 50_000  # rows by their numbers, in one statement
TINY_TO_POWERS = 1e-60  # of a number of the size of one, of which four are multiplied
TINY = 1e-100  # of a column's scale: what PostgreSQL refuses to multiply, because it would be 0


def engine_of(table: Any, choice: Choice) -> Engine:
    """The engine of a table of ibis, or of a part of it; DuckDB is asked without ibis in between."""
    backend = backend_of(table)
    if backend.name != "duckdb":
        return IbisEngine(IbisColumns(table, choice))
    from structlearn.statistics.engines import in_duckdb  # noqa: PLC0415, only for DuckDB

    in_sql = isinstance(choice.filter, str)
    kept = table if in_sql else filtered(table, choice.filter)
    rest = replace(choice, filter=choice.filter if in_sql else None)
    return in_duckdb.engine_of(backend.con.sql(backend.compile(kept)), rest)


class IbisEngine:
    """Groups and sums by SQL: few statements, each of them of many columns."""

    def __init__(self, columns: IbisColumns) -> None:
        self._columns, self.names = columns, columns.names
        self._asked = Questions(columns)
        self.title, self.ledger = self._asked.title, self._asked.ledger
        self._coding, self._gappy = Coding((), ()), frozenset[int]()

    def survey(self, kinds: Mapping[str, Kind]) -> Survey:
        """Look at every column once."""
        found = IbisSurvey(self._asked, kinds).taken()
        self._gappy = frozenset(j for j, look in enumerate(found.looks) if look.n_present < found.n_rows)
        return found

    def code_by(self, coding: Coding) -> None:
        """Count and sum in this way from here on."""
        self._coding = coding
        self._codes_of: dict[int, dict[Any, int]] = {
            j: {label: code for code, label in enumerate(labels)} | {None: MISSING}
            for j, labels in enumerate(coding.labels)
            if labels is not None
        }

    def groups(
        self, discrete: Sequence[int], continuous: Sequence[int], complete: Sequence[int], most: int
    ) -> Groups | None:
        """The groups of the rows that have all of the `complete` columns; None if more than `most`."""
        most = min(most, MOST_GROUPS)
        if most < 1 or self._are_probably_more(discrete, most):
            return None
        gaps = [j for j in continuous if j in self._gappy and j not in complete]
        by = [*(f"c{j}" for j in discrete), *(f"g{j}" for j in gaps)]
        inner = ", ".join(
            [
                *(f"c{j}" for j in discrete),
                *(f"CASE WHEN c{j} IS NULL THEN 1 ELSE 0 END AS g{j}" for j in gaps),
                *(f"{self._scaled(j)} AS u{j}" for j in continuous),
                *([] if self._columns.weights is None else ["w"]),
            ]
        )
        source = f"FROM (SELECT {inner or '1'} FROM {ROWS}{where(complete)}) AS q"
        pairs = pairs_of(len(continuous))
        sums = [self._weighted(f"u{continuous[i]} * u{continuous[j]}") for i, j in pairs]
        sums += [self._weighted(f"u{j}") for j in continuous]
        asked = [f"sum({each})" for each in sums] + [f"{f}(u{j})" for f in ("min", "max") for j in continuous]
        used = {*discrete, *continuous, *complete}
        keys: list[tuple[Any, ...]] = []
        found: list[NDArray[np.float64]] = []
        asked = ["count(*)", self._asked.size, *asked]
        end = _grouped(by, most + 1, in_order=len(asked) > AT_ONCE - len(by))
        for block in blocks(asked, AT_ONCE - len(by)):
            answer = self._asked.ask(f"SELECT {', '.join([*by, *block])} {source}{end}", used)
            if len(answer) > most:
                return None
            if found and [row[: len(by)] for row in answer] != keys:
                raise self._changed()
            keys = [row[: len(by)] for row in answer]
            found.append(_numbers([row[len(by) :] for row in answer], len(block)))
        return self._gathered(discrete, continuous, gaps, keys, np.concatenate(found, axis=1))

    def tables(self, sets: Sequence[Sequence[int]], complete: Sequence[int]) -> list[Groups]:
        """The groups by each of several sets of discrete columns, in as few statements as there can be."""
        found = []
        for columns, rows in zip(sets, self._asked.counts(sets, complete), strict=True):
            values = [row[:-2] for row in rows]
            codes = self._coded(columns, values)
            sizes = _numbers([row[-2:] for row in rows], 2)
            found.append(counted(codes, sizes[:, 0], sizes[:, 1]))
        return found

    def power_sums(self, columns: Sequence[int], complete: Sequence[int]) -> PowerSums:
        """The sums of the powers 0 to 4 of continuous columns, on their scales, by weight; a row each."""
        weight = "1" if self._columns.weights is None else "w"
        found: list[PowerSums] = []
        for some in blocks(columns, AT_ONCE // N_POWERS):
            numbers = [f"CASE WHEN abs(u{j}) <= {TINY_TO_POWERS!r} THEN 0.0 ELSE u{j} END" for j in some]
            scaled = [f"{self._scaled(j)} AS u{j}" for j in some]
            inner = ", ".join([*scaled, *([] if self._columns.weights is None else ["w"])])
            asked = ", ".join(sql for number in numbers for sql in sums_of_powers(number, weight))
            source = f"FROM (SELECT {inner} FROM {ROWS}{where(complete)}) AS q"
            answer = self._asked.ask(f"SELECT {asked} {source}", {*some, *complete})
            found.append(_numbers(answer, N_POWERS * len(some)).reshape(-1, N_POWERS))
        return np.concatenate(found)

    def sample(self, n_rows: int, seed: int) -> Sample:
        """Rows by their numbers, drawn here: the same each time if the database gives rows in one order."""
        everyone = self._asked.n_rows
        drawn = np.random.default_rng(seed).choice(everyone, min(n_rows, everyone), replace=False) + 1
        chosen = [None] if n_rows >= everyone else blocks(np.sort(drawn).tolist(), DRAWN_AT_ONCE)
        table: dict[str, list[Any]] = {name: [] for name in self.names}
        weights: list[float] = []
        for numbers in chosen:
            for columns in blocks(range(len(self.names)), AT_ONCE):
                rows = self._drawn(columns, numbers)
                for i, j in enumerate(columns):
                    is_truth = self._columns.holds[j] == "truth"  # which SQLite stores as 0 and 1
                    values = [row[i] for row in rows]
                    table[self.names[j]] += [_truth(value) for value in values] if is_truth else values
                if self._columns.weights is not None and not columns[0]:
                    weights += [row[-1] for row in rows]
        return Sample(read(table), np.array(weights, dtype=np.float64) if weights else None)

    def _are_probably_more(self, discrete: Sequence[int], most: int) -> bool:
        """Whether there can be so many groups, and half of the first rows differ."""
        possible = math.prod(len(self._coding.labels[j] or ()) + 1 for j in discrete)
        if min(possible, self._asked.n_rows) <= most:
            return False
        keys = ", ".join(f"c{j}" for j in discrete)
        first = f"(SELECT DISTINCT {keys} FROM (SELECT {keys} FROM {ROWS} LIMIT {GLANCE}) AS q) AS d"
        [[n_different]] = self._asked.ask(f"SELECT count(*) FROM {first}", discrete)
        return int(n_different) > GLANCE // 2

    def _scaled(self, column: int) -> str:
        scale = self._coding.scales[column]
        assert scale is not None  # noqa: S101, only columns of numbers are summed
        # Digits enough for all integers of 64 bits: these alone would not hold the distance of two of them.
        long = "NUMERIC(20, 0)"
        number = f"c{column}"
        if scale.start is not None:
            number = f"CAST(c{column} AS {long}) - CAST('{scale.start}' AS {long})"
        distance = f"(CAST({number} AS DOUBLE PRECISION) - {_double(scale.origin)})"
        tiny = _double(TINY * scale.unit or 0.0)
        return f"CASE WHEN abs({distance}) <= {tiny} THEN 0.0 ELSE {distance} / {_double(scale.unit)} END"

    def _weighted(self, value: str) -> str:
        return value if self._columns.weights is None else f"w * {value}"

    def _coded(self, columns: Sequence[int], values: Sequence[tuple[Any, ...]]) -> NDArray[np.int64]:
        codes = np.empty((len(values), len(columns)), dtype=np.int64)
        for i, j in enumerate(columns):
            known = self._codes_of[j]
            try:
                codes[:, i] = [known[row[i]] for row in values]
            except KeyError:
                raise self._changed() from None
        return codes

    def _changed(self) -> DataError:
        return DataError(
            f"{self.title}: the table changed while it was learnt from: it has other values than before. "
            "Learn from a table that stays as it is, such as a copy."
        )

    def _gathered(
        self,
        discrete: Sequence[int],
        continuous: Sequence[int],
        gaps: Sequence[int],
        keys: Sequence[tuple[Any, ...]],
        found: NDArray[np.float64],
    ) -> Groups:
        """Groups of rows, sizes, sums of products, sums, smallest and largest numbers, in this order."""
        n_columns = len(continuous)
        pairs = pairs_of(n_columns)
        answer: dict[str, NDArray[Any]] = {"rows": found[:, 0], "size": found[:, 1]}
        answer |= {f"s{i}": found[:, 2 + i] for i in range(len(pairs) + n_columns)}
        place = {j: len(discrete) + i for i, j in enumerate(gaps)}
        for j in continuous:
            answer[f"g{j}"] = np.array([j in place and row[place[j]] == 1 for row in keys], dtype=np.bool_)
        sums = GroupedSums(len(discrete), n_columns)
        sums.add(answer, pairs, discrete=self._coded(discrete, keys), continuous=continuous)
        groups = sums.groups()
        least, most = np.split(found[found[:, 1] > 0.0, 2 + len(pairs) + n_columns :], 2, axis=1)
        constant = least == most  # which rounding may hide in sums of many rows
        groups.products[constant[:, :, None] | constant[:, None, :]] = 0.0
        return groups

    def _drawn(self, columns: Sequence[int], numbers: Sequence[int] | None) -> Answer:
        wanted = ", ".join([*(f"c{j}" for j in columns), *([] if self._columns.weights is None else ["w"])])
        if numbers is None:
            return self._asked.ask(f"SELECT {wanted} FROM {ROWS}", columns)
        numbered = f"(SELECT {wanted}, row_number() OVER () AS number FROM {ROWS}) AS q"
        chosen = ", ".join(map(str, numbers))
        return self._asked.ask(
            f"SELECT {wanted} FROM {numbered} WHERE number IN ({chosen}) ORDER BY number", columns
        )


def _grouped(by: Sequence[str], limit: int, *, in_order: bool) -> str:
    """The end of a statement that groups; in an order where another one gives more of the same groups."""
    keys = ", ".join(by)
    order = f" ORDER BY {keys}" if in_order else ""
    return f" GROUP BY {keys}{order} LIMIT {limit}" if by else ""


def _double(number: float) -> str:
    return f"CAST({number!r} AS DOUBLE PRECISION)"


def _numbers(rows: Sequence[Sequence[Any]], n_columns: int) -> NDArray[np.float64]:
    """Sums as numbers; a sum of nothing is 0."""
    given = [[0.0 if value is None else float(value) for value in row] for row in rows]
    return np.array(given, dtype=np.float64).reshape(len(rows), n_columns)


def _truth(value: Any) -> bool | None:
    return None if value is None else bool(value)
