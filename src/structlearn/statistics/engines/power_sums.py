"""Fourth moments from sums of powers, as engines give them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.statistics.engines.protocol import Engine
from structlearn.statistics.protocol import FourthMoments

N_POWERS = 5  # from 0, the weight of the rows that have a column, to 4
NEGLIGIBLE = 1e-14  # of the squares: what rounding leaves of a column that is constant
PowerSums = NDArray[np.float64]


def sums_of_powers(number: str, weight: str) -> list[str]:
    """The sums of the powers of a number in SQL, which leaves rows out that miss it."""
    present = f"sum(CASE WHEN {number} IS NULL THEN 0 ELSE {weight} END)"
    return [present, *(f"sum({' * '.join([weight, *[number] * power])})" for power in range(1, N_POWERS))]


def fourth_moments(sums: PowerSums) -> FourthMoments:
    """The fourth moments of columns, each a row of its sums of powers of distances from about its mean."""
    sizes, (mean, second, third, fourth) = sums[:, 0], (sums[:, 1:] / sums[:, :1]).T
    variance = second - mean**2
    away = fourth - 4.0 * mean * third + 6.0 * mean**2 * second - 3.0 * mean**4
    varies = variance > NEGLIGIBLE * second
    return FourthMoments(sizes, np.divide(away, variance**2, out=np.zeros_like(away), where=varies))


@dataclass(frozen=True, slots=True)
class Tails:
    """Fourth moments of columns at these places of an engine, of the rows that have the `complete` ones."""

    engine: Engine
    places: Sequence[int]
    complete: Sequence[int]

    def of(self, columns: Sequence[int]) -> FourthMoments:
        """Those of some of the columns, by their numbers here."""
        return fourth_moments(self.engine.power_sums([int(self.places[j]) for j in columns], self.complete))
