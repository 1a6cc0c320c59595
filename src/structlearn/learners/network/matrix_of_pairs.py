"""A matrix of pairs in place of a table, where somebody has measured them already."""

import numpy as np

from structlearn.errors import DataError, OptionError
from structlearn.learners.base import Learner
from structlearn.learners.free_memory import refuse_beyond_memory
from structlearn.numerics.information.columns import Matrix
from structlearn.options import Flag, option
from structlearn.run import Run
from structlearn.statistics import Source, Statistics, statistics_of
from structlearn.statistics.protocol import rows_of

# Measured: 25 to 42 by most rules, where few pairs are joined; 63 with false discoveries or resamples.
BYTES_PER_PAIR = 42
BYTES_WITH_CARD = 25  # what comes over, the same in the order of the table, and which pairs may be joined
SAME = 1e-9  # of the largest number: files are written with fewer digits than numbers have


class TakesMatrices(Learner):
    """The table may be a matrix of pairs."""

    precomputed: bool = option(
        Flag(),
        "Whether the table is no sample but a matrix that says of each column, in the rows in the order of "
        "the columns, what it has in common with the others. There is then no chance to compare with: give "
        "the threshold.",
        default=False,
    )

    def _statistics(self, source: Source, run: Run) -> Statistics:
        """Of a matrix the columns as they are: that some are alike, or say nothing, is no fault."""
        n_columns = len(source.names)
        refuse_beyond_memory(
            f"{run.owner}: the matrices of all pairs of {n_columns:,} columns",
            (BYTES_WITH_CARD if self._option("device") == "cuda" else BYTES_PER_PAIR) * n_columns**2,
            "take fewer columns, such as those that vary most",
        )
        if not self.precomputed:
            return super()._statistics(source, run)
        n_jobs = self._option("n_jobs")
        return statistics_of(source, source.names, owner=run.owner, only="continuous", n_jobs=n_jobs)


def matrix_of_pairs(owner: str, statistics: Statistics) -> Matrix:
    """The symmetric matrix that a table is; 0 on the diagonal."""
    names, values = statistics.names, rows_of(owner, statistics, range(len(statistics.names))).values
    if values.shape[0] != values.shape[1]:
        raise DataError(
            f"{owner}(precomputed=True): a matrix of pairs has as many rows as columns, and this table has "
            f"{values.shape[0]} rows and {values.shape[1]} columns. Leave `precomputed` out for a sample."
        )
    differs = np.abs(values - values.T) > SAME * np.abs(values).max(initial=0.0)
    if differs.any():
        i, j = np.argwhere(differs)[0]
        raise DataError(
            f"{owner}(precomputed=True): row {i} has {values[i, j]:g} for {names[j]!r}, and row {j} "
            f"has {values[j, i]:g} for {names[i]!r}. Give a symmetric matrix, "
            "its rows in the order of its columns."
        )
    matrix = np.ascontiguousarray((values + values.T) / 2.0)
    np.fill_diagonal(matrix, 0.0)
    return matrix


def refuse_chance(owner: str, what: str, instead: str) -> None:
    """Refuse what needs rows."""
    raise OptionError(f"{owner}(precomputed=True, {what}): that needs the rows of a sample. {instead}")
