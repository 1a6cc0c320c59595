"""An engine that goes through a list of rows in plain Python: slow, and plainly right."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from structlearn.data import Kind
from structlearn.data.readers import read
from structlearn.statistics.engines.protocol import (
    MISSING,
    Coding,
    Groups,
    Ledger,
    Look,
    Sample,
    Survey,
    end_of,
)


class RowEngine:
    """The rows of a dict of columns, None or NaN where a value is missing."""

    title = "Rows"

    def __init__(
        self, columns: Mapping[str, Sequence[Any]], *, weights: Sequence[float] | None = None
    ) -> None:
        self.names = tuple(columns)
        self.ledger = Ledger()
        whole = [[None if v is None or v != v else v for v in values] for values in columns.values()]  # noqa: PLR0124, NaN
        rows = list(zip(*whole, strict=True))
        counts = [1.0] * len(rows) if weights is None else list(weights)
        self.rows = [row for row, weight in zip(rows, counts, strict=True) if weight]
        self.weights = [weight for weight in counts if weight]

    def survey(self, kinds: Mapping[str, Kind]) -> Survey:
        self.ledger.note(rows=len(self.rows), answer=0)
        looks = tuple(self._look(j, kinds.get(name)) for j, name in enumerate(self.names))
        return Survey(len(self.rows), sum(self.weights), looks)

    def _look(self, column: int, kind: Kind | None) -> Look:
        values = [row[column] for row in self.rows if row[column] is not None]
        different = tuple(set(values))
        if all(isinstance(value, bool) for value in values):
            return Look(self.names[column], "truth", len(values), different)
        if any(isinstance(value, str) for value in values):
            return Look(self.names[column], "text", len(values), different)
        is_code = all(float(value).is_integer() for value in values) and len(different) <= 20
        return Look(
            self.names[column],
            "numbers",
            len(values),
            different if is_code or kind == "discrete" else None,
            smallest=end_of(min(values)),
            largest=end_of(max(values)),
            mean=sum(values) / len(values),
        )

    def code_by(self, coding: Coding) -> None:
        self.coding = coding

    def groups(
        self, discrete: Sequence[int], continuous: Sequence[int], complete: Sequence[int], most: int
    ) -> Groups | None:
        self.ledger.note(rows=len(self.rows), answer=0)
        members = defaultdict(list)
        for row, weight in zip(self.rows, self.weights, strict=True):
            if all(row[j] is not None for j in complete):
                state = tuple(self._code(j, row[j]) for j in discrete)
                has = tuple(row[j] is not None for j in continuous)
                members[state, has].append((weight, [self._scaled(j, row[j]) for j in continuous]))
        if len(members) > most:
            return None
        found = sorted(key for key, rows in members.items() if any(weight for weight, _ in rows))
        c = len(continuous)
        means, products = np.zeros((len(found), c)), np.zeros((len(found), c, c))
        for g, key in enumerate(found):
            total = math.fsum(weight for weight, _ in members[key])
            for i in range(c):
                means[g, i] = math.fsum(w * x[i] for w, x in members[key]) / total
            for i in range(c):
                for j in range(c):
                    products[g, i, j] = math.fsum(
                        w * (x[i] - means[g, i]) * (x[j] - means[g, j]) for w, x in members[key]
                    )
        shape = len(found), len(discrete)
        return Groups(
            np.array([state for state, _ in found], dtype=np.int64).reshape(shape),
            np.array([len(members[key]) for key in found], dtype=np.int64),
            np.array([math.fsum(w for w, _ in members[key]) for key in found], dtype=np.float64),
            np.array([has for _, has in found], dtype=bool).reshape(len(found), c),
            means,
            products,
        )

    def tables(self, sets: Sequence[Sequence[int]], complete: Sequence[int]) -> list[Groups]:
        found = [self.groups(columns, (), (*complete, *columns), len(self.rows)) for columns in sets]
        self.ledger.round_trips -= len(sets) - 1
        return found

    def power_sums(self, columns: Sequence[int], complete: Sequence[int]) -> np.ndarray:
        self.ledger.note(rows=len(self.rows), answer=0)
        sums = np.zeros((len(columns), 5))
        for row, weight in zip(self.rows, self.weights, strict=True):
            if all(row[j] is not None for j in complete):
                for i, j in enumerate(columns):
                    if row[j] is not None:
                        sums[i] += [weight * self._scaled(j, row[j]) ** power for power in range(5)]
        return sums

    def sample(self, n_rows: int, seed: int) -> Sample:
        drawn = np.random.default_rng(seed).permutation(len(self.rows))[:n_rows]
        rows = zip(*(self.rows[i] for i in drawn), strict=True)
        table = read({name: list(values) for name, values in zip(self.names, rows, strict=True)})
        return Sample(table, np.array(self.weights)[drawn])

    def _code(self, column: int, value: Any) -> int:
        return MISSING if value is None else self.coding.labels[column].index(value)

    def _scaled(self, column: int, value: Any) -> float:
        scale = self.coding.scales[column]
        return 0.0 if value is None else (value - (scale.start or 0) - scale.origin) / scale.unit
