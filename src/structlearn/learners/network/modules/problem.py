"""The table of a module network: its columns in standard units, its regulators in order, and its prior."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from structlearn.later import special
from structlearn.learners.network.modules.options import ProgramOptions
from structlearn.numerics.fourth_moments import tails_of

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
Flags = NDArray[np.bool_]
QUARTILES = (0.25, 0.5, 0.75)
LEAST_PENALTY = 5.0


@dataclass(frozen=True)
class Problem:
    """What is learned from.

    `values` is (columns, arrays) in standard units, `measured` in those of the table; `regulators` are the
    places of those that may be parents, `members` those that belong to modules. `forbids[i, j]` says that i
    may be no parent of j, and `required` has the parents that a column must have. `price_of_tails` is what a
    split costs more in a module that has a column with long tails.
    """

    names: tuple[str, ...]
    values: Floats
    measured: Floats
    regulators: Places
    members: Places
    forbids: Flags
    required: dict[int, list[int]]
    options: ProgramOptions
    price_of_tails: float = 0.0

    @property
    def n_arrays(self) -> int:
        """How many samples there are."""
        return int(self.values.shape[1])

    @cached_property
    def prior(self) -> Floats:
        """Mean, strength, shape and rate of the normal-gamma prior."""
        options = self.options
        return np.array(
            [options.prior_mean, options.prior_strength, options.prior_shape, options.prior_rate],
            dtype=np.float64,
        )

    @cached_property
    def orders(self) -> Places:
        """For each regulator the arrays by rising value."""
        return np.argsort(self.values[self.regulators], axis=1, kind="stable")

    @cached_property
    def is_cut(self) -> Flags:
        """Behind which places of its order a regulator may be split: values differ there, or at quartiles."""
        ordered = np.take_along_axis(self.values[self.regulators], self.orders, axis=1)
        is_cut = np.zeros(ordered.shape, dtype=np.bool_)
        is_cut[:, :-1] = np.diff(ordered, axis=1) > 0.0
        if self.options.thresholds == "quartiles":
            kept = np.zeros_like(is_cut)
            for share in QUARTILES:
                ends = (ordered <= np.quantile(ordered, share, axis=1, keepdims=True)).sum(axis=1) - 1
                kept[np.arange(len(ends)), ends] = True
            is_cut &= kept
        return is_cut

    @cached_property
    def penalty(self) -> float:
        """What a split costs: as given, or the logarithm of their number, but no less than the least."""
        if self.options.penalty is not None:
            return float(self.options.penalty)
        return float(max(LEAST_PENALTY, np.log(max(int(self.is_cut.sum()), 1))))

    @cached_property
    def tails(self) -> Floats:
        """By how many deviations the tails of each column are longer than normal ones."""
        return tails_of(self.values, np.ones(self.n_arrays))

    def penalty_of(self, columns: Places) -> float:
        """What a split costs in a module of these columns."""
        return self.penalty + self.price_of_tails * bool((self.tails[columns] > 0.0).any())

    def constants(self, n_members: int) -> Floats:
        """The parts of the likelihood that depend on sizes only, for leaves of 0, 1, … arrays."""
        sizes = n_members * np.arange(self.n_arrays + 1, dtype=np.float64)
        return constants_of(sizes, self.prior)


def constants_of(sizes: Floats, prior: Floats) -> Floats:
    """The part of the normal-gamma likelihood that depends on the number of values only."""
    _, strength, shape, rate = prior
    return np.asarray(
        -0.5 * sizes * np.log(2.0 * np.pi)
        + 0.5 * np.log(strength / (strength + sizes))
        + special.gammaln(shape + 0.5 * sizes)
        - special.gammaln(shape)
        + shape * np.log(rate)
    )


def normal_gammas(sizes: Floats, sums: Floats, squares: Floats, prior: Floats) -> Floats:
    """The log marginal likelihood of many sets of values, by size, sum and sum of squares."""
    mean, strength, shape, rate = prior
    centre = sums / np.where(sizes > 0.0, sizes, 1.0)
    spread = np.maximum(squares - sums * centre, 0.0)
    grown = rate + 0.5 * spread + strength * sizes * (centre - mean) ** 2 / (2.0 * (strength + sizes))
    found = constants_of(sizes, prior) - (shape + 0.5 * sizes) * np.log(grown)
    return np.where(sizes > 0.0, found, 0.0)


def in_standard_units(rows: Floats) -> tuple[Floats, Floats, Floats]:
    """Columns with mean 0 and deviation 1, as (columns, arrays), with their means and deviations.

    Each is first divided by its largest size, so that no unit is too small or large for squares.
    """
    largest = np.abs(rows).max(axis=0, initial=0.0)
    largest = np.where(largest > 0.0, largest, 1.0)
    scaled = rows / largest
    mean = scaled.mean(axis=0)
    deviation = (scaled - mean).std(axis=0)
    safe = np.where(deviation > 0.0, deviation, 1.0)
    return np.ascontiguousarray(((scaled - mean) / safe).T), mean * largest, safe * largest
