"""What the tests of contingency tables share."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.kernels.tables import table_statistics
from structlearn.independence.protocol import Answers, Questions
from structlearn.independence.sparse_tables import ChiSquareTails, matched_tails
from structlearn.options import Above, OneOf, OrNone, Rules, check_options
from structlearn.statistics import Statistics, Tables
from structlearn.statistics.blocks import in_blocks
from structlearn.statistics.column_sorts import Sort

Dof = Literal["adjusted", "full", "spirtes"]
Sparse = Literal["margins", "asymptotic"]
RULES: Rules = {
    "dof": OneOf(("adjusted", "full", "spirtes"), "how degrees of freedom are counted"),
    "sparse": OneOf(("margins", "asymptotic"), "what a table with small expected counts is compared with"),
    "min_rows_per_cell": OrNone(Above(0, "how many rows per cell a table needs to be tested"), "any number"),
    "unreliable": OneOf(("independent", "dependent"), "what a table with too few rows is taken for"),
}
# Up to this share of its standard deviation G² may be too large on average. Simulated in 340 settings of 10
# to 5,000 rows, 2 to 300 levels and 1 to 500 strata, it rejects in 4 to 6 % at 5 %; beyond, in up to 100 %.
MOST_EXCESS = 0.04
VISITS_OF_AN_ANSWER = 2e4  # rows that are counted while a table is judged
VISITS_OF_A_CELL = 50  # sparse tables have many cells, and each moment is worked out from all
PER_THREAD = 4  # blocks of tables: sparse ones take far longer than others, and each takes 0.15 ms of Python


@dataclass(frozen=True)
class TableStatistics:
    """Statistics of many tables: arrays of equal length.

    `adjusted` are the degrees of freedom that the margins leave, `seen` is the number of cells for
    which the margins expect anything, and `size` that of the rows. `excess` is by how much independence makes
    G² larger, on average, than its degrees of freedom.
    """

    statistic: NDArray[np.float64]
    adjusted: NDArray[np.float64]
    seen: NDArray[np.float64]
    size: NDArray[np.float64]
    excess: NDArray[np.float64]

    @property
    def is_sparse(self) -> NDArray[np.bool_]:
        """Whether a table is too sparse for the χ² distribution, or has nothing that could vary."""
        is_sparse: NDArray[np.bool_] = self.excess > MOST_EXCESS * np.sqrt(2.0 * self.adjusted)
        is_sparse |= self.adjusted == 0.0
        return is_sparse

    @classmethod
    def of(
        cls, tables: Tables, x_levels: NDArray[np.int64], y_levels: NDArray[np.int64], *, is_pearson: bool
    ) -> "TableStatistics":
        """G² or X² of each table, and what its margins say about it."""
        found = cls(*np.empty((5, len(tables.starts))))
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
            found.excess,
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
    sparse : "margins" or "asymptotic"
        What a table is compared with where counts are expected to be small. "margins" compares the
        statistic with a scaled χ² distribution that has its mean and its variance among all tables with
        the same margins [1]_ [2]_ (G² has that within a quarter), which holds the level in tables however
        sparse. "asymptotic" compares it with χ² as in other tables, and calls every answer reliable, as
        most programs do. With degrees of freedom other than "adjusted" a sparse table is compared with χ²
        too, but not reliable.
    min_rows_per_cell : float or None
        How many rows a table needs for each of its cells, counted over all levels; 5 is usual. By
        default tables of any size are tested.
    unreliable : "independent" or "dependent"
        What a table with fewer rows is taken for: its p-value is then 1 or 0.

    Notes
    -----
    An answer is not reliable where the rows are too few for p-values to be spread evenly: fewer than
    five rows differ from the commonest level of x or of y, or X² hardly varies among the tables with these
    margins, or only rare events move it. It then errs towards independence; X² is taken with half the
    correction for continuity of Yates [3]_.

    References
    ----------
    .. [1] Haldane (1940), The mean and variance of χ², when used as a test of homogeneity, when
       expectations are small, Biometrika 31.
    .. [2] Williams (1976), Improved likelihood ratio tests for complete contingency tables, Biometrika 63.
    .. [3] Yates (1934), Contingency tables involving small numbers and the χ² test, Supplement to the
       Journal of the Royal Statistical Society 1.
    """

    dof: Dof = "adjusted"
    sparse: Sparse = "margins"
    min_rows_per_cell: float | None = None
    unreliable: Literal["independent", "dependent"] = "independent"

    takes: ClassVar[tuple[Sort, ...]] = ("discrete",)
    is_pearson: ClassVar[bool] = False
    is_for_threads: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_options(type(self).__name__, RULES, {name: getattr(self, name) for name in RULES})

    def many(self, statistics: Statistics, questions: Questions) -> Answers:
        """Answer many questions with the same number of conditions."""
        # x and y by their places: moments of sparse tables are rounded otherwise with them exchanged.
        sets = np.concatenate([questions[:, 2:], np.sort(questions[:, :2], axis=1)], axis=1)
        levels, tables = statistics.levels[sets], statistics.tables(sets)
        parts: dict[int, Answers] = {}

        def judge(some: slice) -> None:
            own = Tables(tables.counts, tables.starts[some], tables.strata[some])
            parts[some.start] = self._judged(own, levels[some])

        cost = VISITS_OF_AN_ANSWER * len(sets) + VISITS_OF_A_CELL * len(tables.counts)
        in_blocks(judge, len(sets), cost=cost, n_jobs=statistics.n_jobs, per_thread=PER_THREAD)
        return Answers.joined([parts[start] for start in sorted(parts)])

    def _judged(self, tables: Tables, levels: NDArray[np.int64]) -> Answers:
        x_levels, y_levels = levels.T[-2:].copy()
        ends = x_levels, y_levels
        found = TableStatistics.of(tables, *ends, is_pearson=self.is_pearson)
        dof = self._degrees_of_freedom(found, levels)
        tails = self._tails(found, dof, tables, ends)
        answers = self._answers(found, dof, tails)
        if self.min_rows_per_cell is None:
            return answers
        n_cells = levels.astype(np.float64).prod(axis=1)
        return self._without_unreliable(answers, found.size >= self.min_rows_per_cell * n_cells)

    def _answers(self, found: TableStatistics, dof: NDArray[np.float64], tails: ChiSquareTails) -> Answers:
        return tails.answers(found.statistic, dof)

    def _tails(
        self,
        found: TableStatistics,
        dof: NDArray[np.float64],
        tables: Tables,
        ends: tuple[NDArray[np.int64], NDArray[np.int64]],
    ) -> ChiSquareTails:
        """What each statistic is compared with: χ² of its degrees of freedom, unless the table is sparse."""
        is_sparse = found.is_sparse
        if self.sparse == "asymptotic" or not is_sparse.any():
            return ChiSquareTails(found.statistic, dof)
        if self.dof != "adjusted":
            return ChiSquareTails(found.statistic, dof, ~is_sparse)
        which = np.flatnonzero(is_sparse)
        matched = matched_tails(tables, which, ends, None if self.is_pearson else found.statistic)
        tails = ChiSquareTails(found.statistic.copy(), dof.copy(), ~is_sparse)
        tails.put(which, matched)
        return tails

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

        return Answers(answers.statistic, answers.dof, p_value, log_tail, is_reliable & answers.is_reliable)
