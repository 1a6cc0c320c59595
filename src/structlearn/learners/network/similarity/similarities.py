"""The similarity of the columns of a table, of permuted ones, and which pairs have enough."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError, OptionError
from structlearn.gpu.card import Device
from structlearn.gpu.pairs import products_of_rows
from structlearn.learners.network.matrix_of_pairs import matrix_of_pairs, refuse_chance
from structlearn.learners.network.similarity import measures, thresholds
from structlearn.learners.network.similarity.measures import (
    AS_THEY_ARE,
    MEASURES,
    ROWS,
    MeasureName,
    clip_in_place,
)
from structlearn.learners.network.similarity.options import JoinsTheSimilar
from structlearn.learners.network.similarity.thresholds import Verdict
from structlearn.numerics.information.columns import (
    Columns,
    Matrix,
    all_pairs,
    columns_without_gaps,
    pairs_with_gaps,
    read_columns,
)
from structlearn.numerics.information.estimators import EstimatorName, check_kinds, information_of
from structlearn.numerics.information.on_card import ON_CARD, takes_pairs
from structlearn.numerics.information.settings import Settings
from structlearn.run import Run
from structlearn.statistics import Statistics
from structlearn.statistics.varying import n_varying

BY_CHANCE = {"family-wise": thresholds.family_wise, "fdr": thresholds.false_discoveries}


@dataclass(frozen=True)
class Similarities:
    """One measure at work on one table."""

    statistics: Statistics
    measure: MeasureName
    signed: bool
    estimator: EstimatorName
    settings: Settings
    run: Run
    device: Device = "cpu"

    def __post_init__(self) -> None:
        if self.measure == "mutual-information":
            check_kinds(self.run.owner, self.estimator, self.statistics)
        elif "discrete" in self.statistics.kinds:
            name = self.statistics.names[self.statistics.kinds.index("discrete")]
            raise DataError(
                f"{self.run.owner}(measure={self.measure!r}) takes continuous columns only, and {name!r} is "
                "not. Take 'mutual-information', or say otherwise with kinds={…}."
            )

    @cached_property
    def _of_table(self) -> tuple[Matrix, int]:
        self.run.show(f"similarity of {len(self.statistics.names)} columns")
        owner, as_is = self.run.owner, self.measure in AS_THEY_ARE
        if self.statistics.is_complete:
            return self._of(read_columns(owner, self.statistics, from_zero=as_is)), self.statistics.n_rows
        must_stop = self.run.must_stop
        return pairs_with_gaps(owner, self.statistics, self._of, must_stop=must_stop, from_zero=as_is)

    @property
    def values(self) -> Matrix:
        """What the measure says of every two columns."""
        return self._of_table[0]

    @property
    def strength(self) -> Matrix:
        """The same, so that larger is more similar."""
        return measures.strengths(self.values, self.measure, signed=self.signed)

    @property
    def varies(self) -> NDArray[np.bool_]:
        """Which pairs have no constant column."""
        if self.statistics.is_complete:
            spans = np.ptp(read_columns(self.run.owner, self.statistics).values, axis=1) > 0
        else:
            each = [np.array([j]) for j in range(len(self.statistics.names))]
            columns = [read_columns(self.run.owner, self.statistics, place).values for place in each]
            spans = np.array([np.ptp(values) > 0 for values in columns])
        return np.asarray(np.logical_and.outer(spans, spans), dtype=np.bool_)

    def judged(self, options: JoinsTheSimilar, rng: np.random.Generator) -> Verdict:
        """Which pairs are joined by the rule that the options say."""
        strength, rule = self.strength, options.threshold
        if not isinstance(rule, str):
            return thresholds.beyond(strength, -rule if self.measure == "euclidean" else rule)
        if rule in BY_CHANCE:
            return BY_CHANCE[rule](strength, self._permuted(options, rng), options.alpha)
        if rule == "fisher":
            return thresholds.beyond(strength, self._fisher(options.alpha))
        if rule == "density":
            return thresholds.densest(strength, options.density)
        if rule == "mutual-neighbors":
            return thresholds.mutual_neighbors(strength, options.n_nearest)
        return Verdict(np.triu(measures.shares(self.values, self.measure, signed=self.signed) > 0, k=1))

    def weights(self, options: JoinsTheSimilar) -> Matrix:
        """What each edge weighs."""
        if options.threshold == "soft":
            return measures.shares(self.values, self.measure, signed=self.signed) ** options.power
        return measures.weights(self.values, self.measure)

    def _fisher(self, alpha: float) -> float:
        if self.measure not in ("pearson", "spearman"):
            raise OptionError(
                f"{self.run.owner}(threshold='fisher', measure={self.measure!r}): the theory is that of "
                "'pearson' and 'spearman'. Use 'family-wise' for others."
            )
        n_columns = n_varying(self.statistics)
        return thresholds.fisher_threshold(self._of_table[1], alpha, n_columns * (n_columns - 1) // 2)

    def _permuted(self, options: JoinsTheSimilar, rng: np.random.Generator) -> Iterator[Matrix]:
        owner, n_rows, as_is = self.run.owner, self._of_table[1], self.measure in AS_THEY_ARE
        if self.statistics.is_complete:
            columns = read_columns(owner, self.statistics, from_zero=as_is)
        else:
            columns = columns_without_gaps(owner, self.statistics, n_rows, rng, from_zero=as_is)

        def strength_of(values: Matrix) -> Matrix:
            found = self._of(Columns(values, columns.levels))
            return measures.strengths(found, self.measure, signed=self.signed)

        n_permutations = options.n_permutations
        for i, each in enumerate(thresholds.permutations(columns.values, strength_of, n_permutations, rng)):
            if self.run.must_stop():
                return
            self.run.show(f"permutation {i + 1} of {n_permutations}", i, n_permutations)
            yield each

    @cached_property
    def _takes_card(self) -> bool:
        """Whether a card does the work; products of rows are like the estimate from correlations to it."""
        name = self.estimator if self.measure == "mutual-information" else self.measure
        kind = "gaussian" if self.measure in ROWS else name
        takes, why_not = takes_pairs(self.run.owner, self.device, kind, self.statistics, self.settings)
        if why_not:
            self.run.note(why_not)
        return takes

    def _of(self, columns: Columns) -> Matrix:
        n_jobs, must_stop = self.statistics.n_jobs, self.run.must_stop
        if self._takes_card and self.measure in ROWS:
            return products_of_rows(ROWS[self.measure](columns), clip_in_place).to_host()
        if self._takes_card:
            return ON_CARD[self.estimator](columns, self.settings).to_host()
        if self.measure == "mutual-information":
            return information_of(columns, self.estimator, self.settings, n_jobs=n_jobs, must_stop=must_stop)
        fill = MEASURES[self.measure](columns)
        return all_pairs(fill, len(columns), n_jobs=n_jobs, must_stop=must_stop)


class GivenSimilarities(Similarities):
    """A matrix of similarities that somebody has measured; there are no rows to permute."""

    def __post_init__(self) -> None:
        """Any matrix will do."""

    @cached_property
    def _of_table(self) -> tuple[Matrix, int]:
        if self.device == "cuda":
            raise OptionError(f"{self.run.owner}(precomputed=True, device='cuda'): pass device='cpu'.")
        matrix = matrix_of_pairs(self.run.owner, self.statistics)
        if self.measure == "euclidean" and matrix.min(initial=0.0) < 0.0:
            raise DataError(
                f"{self.run.owner}(precomputed=True, measure='euclidean'): {matrix.min():g} is no distance. "
                "Leave `measure` out if the matrix has similarities."
            )
        return matrix, 0

    @property
    def varies(self) -> NDArray[np.bool_]:
        """All pairs: what does not vary, a matrix does not say."""
        return np.ones((len(self.values), len(self.values)), dtype=np.bool_)

    def judged(self, options: JoinsTheSimilar, rng: np.random.Generator) -> Verdict:
        """Which pairs are joined, by a rule that looks at them alone."""
        if options.threshold in (*BY_CHANCE, "fisher"):
            refuse_chance(
                self.run.owner,
                f"threshold={options.threshold!r}",
                "Give a number, or 'density', 'mutual-neighbors' or 'soft'.",
            )
        return super().judged(options, rng)
