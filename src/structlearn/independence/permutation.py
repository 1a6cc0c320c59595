"""Tests by permutation, for tables too sparse and samples too small for asymptotics."""

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError, OptionError
from structlearn.independence.permuted import PermutedResiduals, PermutedTable
from structlearn.independence.protocol import Answers, Questions
from structlearn.independence.tails import chi2_tail
from structlearn.options import Flag, OneOf, OrNone, Rules, Whole, check_options
from structlearn.rounding import TIE, tie
from structlearn.statistics import Statistics, rows_of
from structlearn.statistics.blocks import in_blocks
from structlearn.statistics.column_sorts import Sort

RULES: Rules = {
    "statistic": OrNone(
        OneOf(("g2", "chi2", "mi", "correlation"), "what is compared"), "g2, or correlation for numbers"
    ),
    "n_permutations": Whole(1, "how many permutations to draw"),
    "stop_after": OrNone(Whole(1, "after how many permutations as extreme as the data to stop"), "never"),
    "semi_parametric": Flag("whether permutations only fit the degrees of freedom of a χ² distribution"),
    "seed": Whole(0, "the seed of all permutations"),
}

LEVEL, LEAST_LEVEL = 0.05, 0.03  # the usual level, and the least that a reliable test attains at it


class Permuted(Protocol):
    """One question under permutation."""

    @property
    def observed(self) -> float:
        """The statistic of the data, on the scale of a likelihood ratio; larger is more extreme."""

    @property
    def statistic(self) -> float:
        """The statistic as it is reported."""

    @property
    def is_testable(self) -> bool:
        """Whether permutations can change anything."""

    @property
    def most_at_once(self) -> int:
        """How many permutations to hold in memory."""

    def draw(self, rng: np.random.Generator, n: int) -> NDArray[np.float64]:
        """The statistics of n permutations, on the scale of `observed`."""


@dataclass(frozen=True)
class Permutation:
    """Compare a statistic with its values when x is permuted among rows alike in the conditions.

    Discrete columns: tables are drawn with the margins of each stratum. Continuous columns: what
    the conditions leave of x is permuted.

    Parameters
    ----------
    statistic : "g2", "chi2", "mi", "correlation" or None
        What is compared; by default G² for discrete columns and the correlation for continuous ones.
    n_permutations : int
        How many permutations to draw. The p-value is (1 + those as extreme as the data) / (1 + all).
    stop_after : int or None
        Stop after this many permutations as extreme as the data [1]_; the p-value is then this
        number divided by that of all permutations so far. Saves most work where nothing depends.
    semi_parametric : bool
        Take the mean of the permuted statistics as the degrees of freedom of a χ² distribution,
        which gives small p-values from few permutations, 100 say [2]_.
    seed : int
        Each question has random numbers of its own, from this seed and its columns, so that
        answers depend neither on the order of questions nor on the number of threads.

    Notes
    -----
    An answer is not reliable where permutations give so few different statistics, as in small tables, that
    fewer than 3 % could have a p-value of 5 %; its p-value errs towards independence.

    References
    ----------
    .. [1] Besag and Clifford (1991), Sequential Monte Carlo p-values, Biometrika 78.
    .. [2] Tsamardinos and Borboudakis (2010), Permutation testing improves Bayesian network
       learning, ECML PKDD.
    """

    statistic: Literal["g2", "chi2", "mi", "correlation"] | None = None
    n_permutations: int = 1000
    stop_after: int | None = None
    semi_parametric: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        check_options("Permutation", RULES, {name: getattr(self, name) for name in RULES})
        if self.semi_parametric and self.stop_after is not None:
            raise OptionError("Permutation: semi_parametric draws all permutations; leave stop_after out.")

    @property
    def takes(self) -> tuple[Sort, ...]:
        """The tables that it can use."""
        if self.statistic is None:
            return ("discrete", "continuous")
        return ("continuous",) if self.statistic == "correlation" else ("discrete",)

    def many(self, statistics: Statistics, questions: Questions) -> Answers:
        """Answer many questions with the same number of conditions."""
        # One order of the columns for each question, whichever way it is asked.
        ordered = np.concatenate(
            [np.sort(questions[:, :2], axis=1), np.sort(questions[:, 2:], axis=1)], axis=1
        )
        found = np.empty((4, len(ordered)))
        prepared = self._prepared(statistics, ordered)

        def fill(block: slice) -> None:
            for i in range(len(ordered))[block]:
                found[:, i] = self._answer(prepared[i], ordered[i])

        cost = float(len(ordered)) * self.n_permutations * 100
        in_blocks(fill, len(ordered), cost=cost, n_jobs=statistics.n_jobs)
        statistic, dof, p_value, is_reliable = found
        return Answers(statistic, dof, p_value, reliable=is_reliable > 0.0)

    def _prepared(self, statistics: Statistics, questions: Questions) -> "list[Permuted]":
        is_discrete = bool(statistics.levels[questions[0, 0]]) if len(questions) else True
        name = self.statistic or ("g2" if is_discrete else "correlation")
        if name == "correlation":
            return [PermutedResiduals(_without_weights(statistics, question)) for question in questions]
        sets = np.concatenate([questions[:, 2:], questions[:, :2]], axis=1)
        tables = statistics.tables(sets)
        sizes = tables.strata * statistics.levels[sets[:, -2]] * statistics.levels[sets[:, -1]]
        counts = [
            tables.counts[start : start + size] for start, size in zip(tables.starts, sizes, strict=True)
        ]
        shapes = np.column_stack([tables.strata, statistics.levels[sets[:, -2:]]])
        return [
            PermutedTable(_whole(table.reshape(shape)), name)
            for table, shape in zip(counts, shapes, strict=True)
        ]

    def _answer(self, permuted: Permuted, question: NDArray[np.int64]) -> tuple[float, float, float, bool]:
        """(statistic, degrees of freedom, p-value, whether that is reliable)."""
        if not permuted.is_testable:
            return permuted.statistic, np.nan, 1.0, False
        rng = np.random.default_rng([self.seed, *question.tolist()])
        if self.semi_parametric:
            dof = self._mean_draw(permuted, rng)
            p_value = chi2_tail(np.array([permuted.observed]), np.array([dof]))[0]
            return permuted.statistic, dof, float(p_value), True
        return permuted.statistic, np.nan, *self._share_as_extreme(permuted, rng)

    def _share_as_extreme(self, permuted: Permuted, rng: np.random.Generator) -> tuple[float, bool]:
        least = permuted.observed - tie(permuted.observed)
        n_extreme = n_drawn = 0
        drawn = []
        while n_drawn < self.n_permutations:
            n = min(permuted.most_at_once, self.n_permutations - n_drawn)
            n = n if self.stop_after is None else min(n, 4 * self.stop_after)
            drawn.append(permuted.draw(rng, n))
            is_extreme = drawn[-1] >= least
            n_new = int(is_extreme.sum())
            if self.stop_after is not None and n_extreme + n_new >= self.stop_after:
                last = np.flatnonzero(is_extreme)[self.stop_after - n_extreme - 1]
                return self.stop_after / (n_drawn + int(last) + 1), _is_spread(np.concatenate(drawn))
            n_extreme, n_drawn = n_extreme + n_new, n_drawn + n
        return (1 + n_extreme) / (1 + n_drawn), _is_spread(np.concatenate(drawn))

    def _mean_draw(self, permuted: Permuted, rng: np.random.Generator) -> float:
        total, n_drawn = 0.0, 0
        while n_drawn < self.n_permutations:
            n = min(permuted.most_at_once, self.n_permutations - n_drawn)
            total, n_drawn = total + float(permuted.draw(rng, n).sum()), n_drawn + n
        return total / n_drawn


def _is_spread(drawn: NDArray[np.float64]) -> bool:
    """Whether permutations tie so little that nearly a share of `LEVEL` can have a p-value of no more."""
    ordered = np.sort(drawn)
    least = ordered - TIE * np.maximum(1.0, np.abs(ordered))
    shares = 1.0 - np.searchsorted(ordered, least) / len(ordered)
    return bool(shares[shares <= LEVEL].max(initial=0.0) >= LEAST_LEVEL)


def _without_weights(statistics: Statistics, question: NDArray[np.int64]) -> NDArray[np.float64]:
    rows = rows_of("The permutation test", statistics, question.tolist())
    if rows.weights is not None:
        raise DataError(
            "Permutation: rows with weights cannot be permuted. Use test='t', or leave weights out."
        )
    return rows.values


def _whole(table: NDArray[np.int64] | NDArray[np.float64]) -> NDArray[np.int64]:
    counts = np.rint(table).astype(np.int64)
    if (counts != table).any():
        raise DataError(
            "Permutation: rows with weights that are no whole numbers cannot be permuted. "
            "Use test='g2', or whole weights."
        )
    return counts
