"""Information of the columns of a table, and of permuted and resampled ones."""

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.gpu.card import Device
from structlearn.gpu.pairs import MatrixOnCard
from structlearn.learners.network.matrix_of_pairs import matrix_of_pairs, refuse_chance
from structlearn.numerics.information.chance import Chance, chance_of, permuted_sample
from structlearn.numerics.information.columns import (
    Columns,
    Matrix,
    columns_without_gaps,
    pairs_with_gaps,
    read_columns,
)
from structlearn.numerics.information.estimators import (
    BY_RANKS,
    EstimatorName,
    check_kinds,
    information_of,
)
from structlearn.numerics.information.on_card import ON_CARD, takes_pairs
from structlearn.numerics.information.settings import Settings
from structlearn.run import Run
from structlearn.statistics import Statistics


def usual_estimator(statistics: Statistics) -> EstimatorName:
    """From ranks where all columns are continuous, otherwise from tables less their bias.

    Without the bias, tables of few and of many levels can be compared.
    """
    return "miller-madow" if "discrete" in statistics.kinds else "rank"


@dataclass(frozen=True)
class Estimates:
    """One estimator at work on one table; estimates below zero count as zero, and so does the diagonal."""

    statistics: Statistics
    name: EstimatorName
    settings: Settings
    run: Run
    device: Device = "cpu"

    def __post_init__(self) -> None:
        check_kinds(self.run.owner, self.name, self.statistics)

    @property
    def label(self) -> str:
        """What was done, in a word."""
        return self.name

    @cached_property
    def columns(self) -> Columns:
        """The rows themselves, or their ranks where those are all that counts: of permuted ones too."""
        columns = read_columns(self.run.owner, self.statistics)
        return columns.ranked() if self.name in BY_RANKS else columns

    @cached_property
    def on_card(self) -> MatrixOnCard | None:
        """The information of the table in the memory of a card, where one does the work."""
        takes, why_not = takes_pairs(self.run.owner, self.device, self.name, self.statistics, self.settings)
        if why_not:
            self.run.note(why_not)
        return ON_CARD[self.name](self.columns, self.settings) if takes else None

    @cached_property
    def _of_table(self) -> tuple[Matrix, int]:
        if self.on_card is not None:
            return _of_edges(self.on_card.to_host()), self.statistics.n_rows
        if self.statistics.is_complete:
            return self._of(self.columns), self.statistics.n_rows
        return pairs_with_gaps(self.run.owner, self.statistics, self._of, must_stop=self.run.must_stop)

    @property
    def information(self) -> Matrix:
        """Of every two columns."""
        return self._of_table[0]

    def resampled(self, rows: NDArray[np.int64]) -> Matrix:
        """The same of some of the rows."""
        return self._of(Columns(np.ascontiguousarray(self.columns.values[:, rows]), self.columns.levels))

    def refuse(self, *, resamples: bool, no_threshold: bool) -> None:  # noqa: ARG002, chance gives one
        """Refuse to draw rows again where that means nothing."""
        if not resamples:
            return
        if not self.statistics.is_complete:
            raise OptionError(
                f"{self.run.owner}(n_resamples=…, missing='testwise'): rows with gaps cannot be drawn again. "
                "Use missing='drop'."
            )
        if self.name == "kraskov":
            raise OptionError(
                f"{self.run.owner}(n_resamples=…, estimator='kraskov'): rows that are drawn twice are "
                "nearest neighbours of themselves, which looks like information. Take another estimator."
            )

    def chance(self, rng: np.random.Generator) -> Chance:
        """Information by chance; where values are missing, that of the pair with fewest rows."""
        if self.run.must_stop():
            return chance_of(np.zeros(0))
        if self.statistics.is_complete:
            columns = self.columns
        else:
            columns = columns_without_gaps(self.run.owner, self.statistics, self._of_table[1], rng)
        return chance_of(permuted_sample(columns, self._of, rng))

    def _of(self, columns: Columns) -> Matrix:
        found = information_of(
            columns,
            self.name,
            self.settings,
            n_jobs=self.statistics.n_jobs,
            must_stop=self.run.must_stop,
            show=partial(self.run.show, "information of columns"),
        )
        return _of_edges(found)


class GivenInformation(Estimates):
    """A matrix of information that somebody has estimated; there are no rows to draw from."""

    def __post_init__(self) -> None:
        """Any matrix will do."""

    @property
    def label(self) -> str:
        """What was done, in a word."""
        return "precomputed"

    @property
    def on_card(self) -> None:
        """A matrix that is given stays where it is."""
        if self.device == "cuda":
            raise OptionError(f"{self.run.owner}(precomputed=True, device='cuda'): pass device='cpu'.")

    @cached_property
    def _of_table(self) -> tuple[Matrix, int]:
        return _of_edges(matrix_of_pairs(self.run.owner, self.statistics)), 0

    def refuse(self, *, resamples: bool, no_threshold: bool) -> None:
        """Refuse what rows are needed for."""
        if resamples:
            refuse_chance(self.run.owner, "n_resamples=…", "Give the table itself.")
        if no_threshold:
            refuse_chance(self.run.owner, "threshold=None", "Give a threshold, such as 0.")

    def chance(self, rng: np.random.Generator) -> Chance:  # noqa: ARG002, others draw
        """Nothing is known of it."""
        return chance_of(np.zeros(0))


def _of_edges(information: Matrix) -> Matrix:
    np.maximum(information, 0.0, out=information)
    np.fill_diagonal(information, 0.0)
    return information
