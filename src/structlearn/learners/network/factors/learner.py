"""What networks by factors read, and how each method is called; which edges follow is said elsewhere."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError, OptionError
from structlearn.learners.base import Learner
from structlearn.learners.network.factors.completed import by_low_norm
from structlearn.learners.network.factors.modules import by_non_negative_factors
from structlearn.learners.network.factors.options import FactorOptions
from structlearn.learners.network.factors.reading import names_of_rows
from structlearn.learners.network.factors.singular import by_singular_values
from structlearn.learners.network.factors.table import Found, embedded, entries_of, is_varying
from structlearn.learners.option_groups import InformedOfPairs, Seeded, Timed
from structlearn.learners.preconditions import warn_of_few_rows
from structlearn.options import result
from structlearn.run import Run
from structlearn.statistics import Source, Statistics, statistics_of
from structlearn.statistics.time_courses import check_names_aside
from structlearn.statistics.units import log_units, origins, refuse_other_units

Floats = NDArray[np.float64]


class FactorLearner(FactorOptions, InformedOfPairs, Seeded, Timed, Learner):
    """Reads a table, with unknown entries where the method takes them, and factorises it."""

    random_state = 0
    strength_: Mapping[str, Mapping[str, float]] = result()
    loadings_: Mapping[str, Floats] = result()
    rank_: int = result()
    threshold_: float = result()

    def columns_aside(self) -> dict[str, str]:
        """The column that names the rows becomes no node."""
        return super().columns_aside() | ({} if self.row_names is None else {"row_names": self.row_names})

    def _statistics(self, source: Source, run: Run) -> Statistics:
        if self.method != "mmmf":
            return super()._statistics(source, run)
        check_names_aside(run.owner, self.columns_aside(), source.names)
        aside = list(self.columns_aside().values())
        nodes = sorted(set(source.names) - set(aside))
        missing = "testwise" if self.missing == "error" else self.missing
        found = statistics_of(
            source, [*nodes, *aside], owner=run.owner, only=self.only, missing=missing, aside=aside
        )
        if found.n_rows < 2:
            raise DataError(
                f"{run.owner}: the table has 1 row (n_samples = 1); entries are completed by others."
            )
        if self.reading != "links":  # a table of interactions has as many rows as there are things
            warn_of_few_rows(found, run)
        return found

    def _entries(self, statistics: Statistics, names: tuple[str, ...], run: Run) -> Floats:
        """The rows, NaN where a value is missing; in units of the table where these matter."""
        if not self.scale or self.reading == "links":
            refuse_other_units(run.owner, statistics, "with scale=False and for links units matter")
        rows = entries_of(run.owner, statistics, names)
        if self._centres:
            return rows
        return rows + origins(statistics)[[statistics.names.index(name) for name in names]]

    @property
    def _centres(self) -> bool:
        """Whether it does not matter where columns are counted from."""
        return self.method == "svd" and self.center != "none"

    def _row_names(self, statistics: Statistics, run: Run) -> list[str]:
        """What the rows are called, where links lead from them."""
        if self.reading != "links":
            return []
        if self.method != "mmmf":
            raise OptionError(
                f"{run.owner}(reading='links'): it is for method='mmmf', which completes tables."
            )
        return names_of_rows(run.owner, statistics, self.row_names)

    def _factors(self, rows: Floats, names: tuple[str, ...], rng: np.random.Generator, run: Run) -> Found:
        is_nmf = self.method in {"nmf", "sparse-nmf"}
        if self.likeness == ("carried" if is_nmf else "consensus"):
            raise OptionError(
                f"{run.owner}(likeness={self.likeness!r}): it is not for method={self.method!r}. Use "
                f"{'consensus' if is_nmf else 'carried'!r} or 'cosine'."
            )
        if self.reading == "links":
            return self._found(rows, [*names], rng, run)
        is_there = is_varying(rows)
        if is_there.sum() < 2:
            nothing = np.zeros((len(names), 0))
            return Found(nothing @ nothing.T, 1.0, nothing, 1.0, {"rank": 0})
        varying = [name for name, is_in in zip(names, is_there, strict=True) if is_in]
        found = self._found(rows[:, is_there], varying, rng, run)
        for kind in {"filtered", "completed"} & found.extra.keys():
            found.extra[kind] = dict(zip(varying, np.asarray(found.extra[kind]).T, strict=True))
        return embedded(found, is_there)

    def _found(self, rows: Floats, names: list[str], rng: np.random.Generator, run: Run) -> Found:
        """What the method makes of the rows; what it draws goes by their values, not by their order."""
        order = np.arange(len(rows)) if self.symmetric else np.lexsort(rows.T)
        if self.method == "svd":
            found = by_singular_values(rows[order], self, rng, run)
        elif self.method == "mmmf":
            found = by_low_norm(rows[order], self, rng, run)
        else:
            found = by_non_negative_factors(rows[order], names, self, rng, run)
        for kind in {"filtered", "completed", "courses"} & found.extra.keys():
            found.extra[kind] = np.asarray(found.extra[kind])[np.argsort(order)]
        return found

    def _one_set(self, rows: Floats, names: tuple[str, ...], row_names: list[str], run: Run) -> Floats:
        """The rows in the order of the columns, where they are the same things."""
        if self.reading != "links" or set(row_names) != set(names):
            raise DataError(
                f"{run.owner}(symmetric=True): it is for reading='links' where the rows have the names of "
                "the columns."
            )
        return rows[[row_names.index(name) for name in names]]

    def _links(self, found: Found, names: tuple[str, ...], row_names: list[str], run: Run) -> Floats:
        """The fitted entries, whose rows are in the order of the columns where both are the same things."""
        completed = np.asarray(found.extra["completed"])
        rows = [names.index(name) for name in row_names] if self.symmetric else range(len(row_names))
        found.extra["completed"] = dict(zip(names, completed[rows].T, strict=True))
        n_silent = int((~completed.any(axis=1)).sum())
        if n_silent:
            run.note(f"Of {n_silent} rows nothing is known: their links are unknown, not absent.")
        return completed

    def _published(self, found: Found, names: tuple[str, ...], statistics: Statistics) -> dict[str, Any]:
        units = dict(zip(statistics.names, np.exp(log_units(statistics)), strict=True))
        starts = dict(zip(statistics.names, self._centres * origins(statistics), strict=True))
        for kind in {"filtered", "completed"} & found.extra.keys():
            table: Any = found.extra[kind]
            found.extra[kind] = {name: units[name] * column + starts[name] for name, column in table.items()}
        pairs, parts = found.pairs.tolist(), dict(zip(names, found.parts, strict=True))
        strengths = {a: dict(zip(names, row, strict=True)) for a, row in zip(names, pairs, strict=True)}
        return found.extra | {"strength": strengths, "loadings": parts}
