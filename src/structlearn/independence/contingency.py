"""What the tests of contingency tables share."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.kernels.tables import table_statistics
from structlearn.independence.protocol import Answers, Questions
from structlearn.independence.tails import chi2_tail, log_chi2_tail
from structlearn.options import Above, OneOf, OrNone, Rules, check_options
from structlearn.statistics import Statistics, Tables
from structlearn.statistics.column_sorts import Sort

Dof = Literal["adjusted", "full", "spirtes"]
RULES: Rules = {
    "dof": OneOf(("adjusted", "full", "spirtes"), "how degrees of freedom are counted"),
    "min_rows_per_cell": OrNone(Above(0, "how many rows per cell a table needs to be tested"), "any number"),
    "unreliable": OneOf(("independent", "dependent"), "what a table with too few rows is taken for"),
}


@dataclass(frozen=True)
class TableStatistics:
    """Statistics of many tables: arrays of equal length.

    `adjusted` are the degrees of freedom that the margins leave, `seen` is the number of cells for
    which the margins expect anything, and `size` that of the rows.
    """

    statistic: NDArray[np.float64]
    adjusted: NDArray[np.float64]
    seen: NDArray[np.float64]
    size: NDArray[np.float64]

    @classmethod
    def of(
        cls, tables: Tables, x_levels: NDArray[np.int64], y_levels: NDArray[np.int64], *, is_pearson: bool
    ) -> "TableStatistics":
        """G² or X² of each table, and what its margins say about it."""
        found = cls(*np.empty((4, len(tables.starts))))
        table_statistics(
            tables.counts,
            tables.starts,
            tables.strata,
            x_levels,
            y_levels,
            is_pearson,
            found.statistic,
            found.adjusted,
            found.seen,
            found.size,
        )
        return found


@dataclass(frozen=True)
class ContingencyTest:
    """Compare a table with what independence within each stratum would make of its margins.

    Parameters
    ----------
    dof : "adjusted", "full" or "spirtes"
        Whether levels that a stratum does not have give it degrees of freedom. "adjusted" counts
        (x levels seen - 1)(y levels seen - 1) per stratum; "full" counts all levels of all strata;
        "spirtes" takes one from "full" for each cell that the margins leave empty, which is too
        many, and is there for comparison only.
    min_rows_per_cell : float or None
        How many rows a table needs for each of its cells, counted over all levels; 5 is usual. By
        default tables of any size are tested.
    unreliable : "independent" or "dependent"
        What a table with fewer rows is taken for: its p-value is then 1 or 0.
    """

    dof: Dof = "adjusted"
    min_rows_per_cell: float | None = None
    unreliable: Literal["independent", "dependent"] = "independent"

    takes: ClassVar[tuple[Sort, ...]] = ("discrete",)
    is_pearson: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_options(type(self).__name__, RULES, {name: getattr(self, name) for name in RULES})

    def many(self, statistics: Statistics, questions: Questions) -> Answers:
        """Answer many questions with the same number of conditions."""
        sets = np.concatenate([questions[:, 2:], questions[:, :2]], axis=1)
        levels = statistics.levels[sets]
        tables = statistics.tables(sets)
        found = TableStatistics.of(tables, levels[:, -2], levels[:, -1], is_pearson=self.is_pearson)
        dof = self._degrees_of_freedom(found, levels)
        answers = self._answers(found, dof)
        if self.min_rows_per_cell is None:
            return answers
        n_cells = levels.astype(np.float64).prod(axis=1)
        return self._without_unreliable(answers, found.size >= self.min_rows_per_cell * n_cells)

    def _answers(self, found: TableStatistics, dof: NDArray[np.float64]) -> Answers:
        p_value = chi2_tail(found.statistic, dof)
        return Answers(
            found.statistic, dof, p_value, partial(log_chi2_tail, found.statistic, dof, p_value=p_value)
        )

    def _degrees_of_freedom(self, found: TableStatistics, levels: NDArray[np.int64]) -> NDArray[np.float64]:
        if self.dof == "adjusted":
            return found.adjusted
        strata = levels[:, :-2].astype(np.float64).prod(axis=1)
        full: NDArray[np.float64] = (levels[:, -2] - 1) * (levels[:, -1] - 1) * strata
        if self.dof == "full":
            return full
        n_empty = levels[:, -2] * levels[:, -1] * strata - found.seen
        return np.where(full > 0, np.maximum(full - n_empty, 1.0), 0.0)

    def _without_unreliable(self, answers: Answers, is_reliable: NDArray[np.bool_]) -> Answers:
        decided = 1.0 if self.unreliable == "independent" else 0.0
        p_value = np.where(is_reliable, answers.p_value, decided)

        def log_tail() -> NDArray[np.float64]:
            return np.where(is_reliable, answers.log_p, 0.0 if decided else -np.inf)

        return Answers(answers.statistic, answers.dof, p_value, log_tail, is_reliable)
