"""Values of formulas for many rows, with their derivatives by the parameters."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Dual:
    """A value per row, and its slopes, (parameters, rows)."""

    value: Floats
    slopes: Floats


@dataclass(frozen=True, slots=True)
class Point:
    """Where formulas are evaluated: the state of each atom in each row, and values of parameters.

    Slopes are by the parameters of `values`; others have the value that is in the formula.
    """

    n_rows: int
    atoms: Mapping[str, Floats]
    values: Mapping[str, float] = field(default_factory=dict)

    def constant(self, value: float) -> Dual:
        """The same number in each row, with no slopes."""
        return Dual(np.full(self.n_rows, value), np.zeros((len(self.values), self.n_rows)))

    def parameter(self, name: str, value: float) -> Dual:
        """The value of a parameter, which has a slope of 1 by itself."""
        if name not in self.values:
            return self.constant(value)
        found = self.constant(self.values[name])
        found.slopes[list(self.values).index(name)] = 1.0
        return found

    def atom(self, name: str) -> Dual:
        """The states of an atom, with no slopes."""
        return Dual(self.atoms[name], np.zeros((len(self.values), self.n_rows)))
