"""The first look at a table of ibis: what its columns hold, in a statement for some hundreds of them."""

from collections.abc import Collection, Mapping, Sequence
from itertools import islice

from structlearn.data import Kind, Label
from structlearn.data.kinds import MOST_LEVELS
from structlearn.data.values import rounded_refused
from structlearn.errors import DataError
from structlearn.rounding import LARGEST_WHOLE
from structlearn.statistics.engines.choice import checked_size
from structlearn.statistics.engines.ibis_questions import AT_ONCE, ROWS, Questions, blocks
from structlearn.statistics.engines.protocol import Holds, Look, Survey, end_of

GLANCE = 10_000  # rows, of which most show whether a column is one of codes
MOST_WORDS = 100_000  # a text of more different values names the rows
LARGE = 1e150  # numbers whose squares can be summed
# Values of SQLite that their column was not declared for; k is the type that a value has.
STRAYS: Mapping[Holds, str] = {
    "numbers": "k{j} IN ('text', 'blob')",
    "truth": "k{j} NOT IN ('integer', 'null') OR c{j} NOT IN (0, 1)",
}


class IbisSurvey:
    """A look at every column; `kinds` are those that are known already."""

    def __init__(self, asked: Questions, kinds: Mapping[str, Kind]) -> None:
        self._asked, self._columns, self._names = asked, asked.columns, asked.columns.names
        self._kinds = kinds

    def taken(self) -> Survey:
        """What there is to see."""
        coded = self._may_be_coded()
        size, facts = self._facts(set(coded))
        self._refuse_rounding()
        n_rows = self._asked.n_rows
        whole = [j for j in coded if self._names[j] in self._kinds or not facts[j].get("broken")]
        values = self._values(whole if n_rows else [])
        looks = tuple(self._look(j, facts[j], values.get(j)) for j in range(len(self._names)))
        return Survey(n_rows, size, looks)

    def _may_be_coded(self) -> list[int]:
        """The columns that are discrete by type or by what was said, or may be by their first rows."""
        everything = range(len(self._names))
        unsure = [
            j for j in everything if self._columns.holds[j] == "numbers" and self._names[j] not in self._kinds
        ]
        few = set()
        for some in blocks(unsure, AT_ONCE // 2):
            asked = [f"count(DISTINCT c{j}), {self._broken(j)}" for j in some]
            glance = f"(SELECT * FROM {ROWS} LIMIT {GLANCE}) AS glance"
            [answer] = self._asked.ask(f"SELECT {', '.join(asked)} FROM {glance}", some)
            few |= {j for i, j in enumerate(some) if answer[2 * i] <= MOST_LEVELS and not answer[2 * i + 1]}
        is_text = {j for j in everything if self._columns.holds[j] != "numbers"}
        given = {j for j in everything if self._kinds.get(self._names[j]) == "discrete"}
        return sorted(is_text | given | few)

    def _facts(self, coded: Collection[int]) -> tuple[float, dict[int, dict[str, float]]]:
        """The weight of all rows, and of each column how many values it has, and where its numbers lie."""
        found: dict[int, dict[str, float]] = {}
        size = 0.0
        for some in blocks(range(len(self._names)), AT_ONCE // 6):
            asked = {j: self._fact(j, is_coded=j in coded) for j in some}
            strays = [f"typeof({self._columns.raw(j)}) AS k{j}" for j in some if "strays" in asked[j]]
            totals = (
                "count(*)" if self._columns.weights is None else "count(*), count(w), sum(w), min(w), max(w)"
            )
            wanted = ", ".join([totals, *(sql for each in asked.values() for sql in each.values())])
            [answer] = self._asked.ask(f"SELECT {wanted} FROM {ROWS}", some, more=strays)
            values = iter(answer)
            self._asked.n_rows = int(next(values))
            weights = self._columns.weights
            size = checked_size(weights, self._asked.n_rows, *islice(values, 0 if weights is None else 4))
            for j, each in asked.items():
                facts = dict(zip(each, values, strict=False))
                self._refuse_strays(j, facts.get("strays"))
                found[j] = {name: end_of(value or 0) for name, value in facts.items()}
        return size, found

    def _fact(self, column: int, *, is_coded: bool) -> dict[str, str]:
        asked = {"n": f"count(c{column})"}
        holds = self._columns.holds[column]
        if self._asked.name == "sqlite" and holds in STRAYS:  # which stores anything anywhere
            asked["strays"] = f"count(CASE WHEN {STRAYS[holds].format(j=column)} THEN 1 END)"
        if holds != "numbers":
            return asked
        number = f"CAST(c{column} AS DOUBLE PRECISION)"
        stored = f"c{column}" if self._columns.is_integer(column) else number
        asked |= {"smallest": f"min({stored})", "largest": f"max({stored})"}
        asked["mean"] = f"avg(CASE WHEN abs({number}) < {LARGE!r} THEN {number} END)"
        if is_coded:
            asked["broken"] = self._broken(column)
        return asked

    def _refuse_strays(self, column: int, n_strays: int | None) -> None:
        if n_strays:
            is_truth = self._columns.holds[column] == "truth"
            declared, found = ("true or false", "neither 0 nor 1") if is_truth else ("numbers", "text")
            raise DataError(
                f"Column {self._names[column]!r} is declared as {declared}, and {n_strays:,} of its values "
                f"are {found}. Make it a column of numbers or of text (CAST in a view), or leave it out: "
                "columns=[…]."
            )

    def _refuse_rounding(self) -> None:
        """Refuse decimals that differ only in digits that floats lack."""
        decimals = [j for j in range(len(self._names)) if self._columns.is_decimal(j)]
        for some in blocks(decimals, AT_ONCE):
            # Most have no such digits, which costs less to see than how many are different.
            asked = (f"count(CASE WHEN r{j} <> CAST(c{j} AS NUMERIC) THEN 1 END)" for j in some)
            stored = {j: f"{self._columns.raw(j)} AS r{j}" for j in some}
            [n_long] = self._asked.ask(
                f"SELECT {', '.join(asked)} FROM {ROWS}", some, more=list(stored.values())
            )
            for j in (j for j, n in zip(some, n_long, strict=True) if n):
                different = f"count(DISTINCT r{j}) - count(DISTINCT c{j})"
                present = f"SELECT {different} FROM {ROWS} WHERE c{j} IS NOT NULL"
                [[n_lost]] = self._asked.ask(present, [j], more=[stored[j]])
                if n_lost:
                    raise rounded_refused(self._names[j])

    def _broken(self, column: int) -> str:
        """How many numbers of a column are not whole."""
        if self._columns.is_whole(column):
            return "0"
        is_sqlite = self._asked.name == "sqlite"
        floor = f"CAST(c{column} AS INTEGER)" if is_sqlite else f"floor(c{column})"
        is_broken = f"c{column} <> {floor} OR abs(c{column}) >= {LARGEST_WHOLE!r}"
        # In SQLite each value has a type of its own, and to take abs of the smallest integer is an error.
        but = f"WHEN typeof(c{column}) = 'integer' THEN NULL " if is_sqlite else ""
        return f"count(CASE {but}WHEN {is_broken} THEN 1 END)"

    def _values(self, columns: Sequence[int]) -> dict[int, tuple[Label, ...]]:
        """The different values of columns that may be discrete; of those with too many codes, none."""
        found: dict[int, tuple[Label, ...]] = {}
        counts = self._asked.counts([(j,) for j in columns], (), MOST_WORDS + 1) if columns else []
        coded = [j for j, rows in zip(columns, counts, strict=True) if not self._is_measured(j, len(rows))]
        if len(coded) < len(columns) and max(map(len, counts)) > MOST_WORDS:
            return self._values(coded)  # values of others may have been cut off
        for j, rows in zip(columns, counts, strict=True):
            if j in coded and len(rows) > MOST_WORDS:
                raise DataError(
                    f"Column {self._names[j]!r} has more than {MOST_WORDS:,} different values in "
                    f"{self._asked.n_rows:,} rows. It looks like an identifier; leave it out: columns=[…]."
                )
            is_truth = self._columns.holds[j] == "truth"
            found[j] = tuple(bool(row[0]) if is_truth else row[0] for row in rows)
        return {j: found[j] for j in coded}

    def _is_measured(self, column: int, n_values: int) -> bool:
        """Whether numbers are too many for codes, and nobody said that they are."""
        is_number = self._columns.holds[column] == "numbers"
        return is_number and self._names[column] not in self._kinds and n_values > MOST_LEVELS

    def _look(self, column: int, facts: Mapping[str, float], values: tuple[Label, ...] | None) -> Look:
        smallest, largest = facts.get("smallest", 0.0), facts.get("largest", 0.0)
        mean = min(max(facts.get("mean", 0.0), smallest), largest)  # numbers too large for it are left out
        n_present, holds = int(facts["n"]), self._columns.holds[column]
        return Look(
            self._names[column], holds, n_present, values, smallest=smallest, largest=largest, mean=mean
        )
