"""What a Markov network is made of: tables over a few nodes, and weighted features of their states."""

import math
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from structlearn.data import Label
from structlearn.errors import DataError
from structlearn.models.cpds.table import refuse_large_table

HIGHEST_LOG = 700.0  # the exponential of 709.8 is the largest float


@dataclass(frozen=True, eq=False, init=False)
class Factor:
    """A table of numbers, none below 0, for the joint states of a few nodes.

    Parameters
    ----------
    names : iterable of str
        The nodes, one for each axis of the table.
    table : array of shape (levels of node 1, …, levels of node k)
        What each joint state is multiplied by; larger means more likely. It need not sum to 1.

    Examples
    --------
    >>> from structlearn.models.factors import Factor
    >>> Factor(["a", "b"], [[30, 5], [1, 10]])
    <Factor: a, b; 2 × 2>
    """

    names: tuple[str, ...]
    table: NDArray[np.float64]

    def __init__(self, names: Iterable[str], table: ArrayLike) -> None:
        object.__setattr__(self, "names", _different_names(names))
        object.__setattr__(self, "table", _as_table(self.names, table))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Factor):
            return NotImplemented
        return self.names == other.names and np.array_equal(self.table, other.table)

    def __hash__(self) -> int:
        return hash((self.names, self.table.tobytes()))

    def __repr__(self) -> str:
        return f"<Factor: {', '.join(self.names)}; {' × '.join(map(str, self.table.shape))}>"


@dataclass(frozen=True, init=False)
class Feature:
    """A weight for the rows in which some nodes are in given states.

    Parameters
    ----------
    states : mapping of str to label
        The state that each of some nodes must have.
    weight : float, default 0.0
        What is added to the log probability of such a row; `MarkovNetwork.fit` estimates it.

    Examples
    --------
    >>> from structlearn.models.factors import Feature
    >>> Feature({"smoke": "yes", "bronc": "yes"}, weight=0.7)
    Feature({'smoke': 'yes', 'bronc': 'yes'}, weight=0.7)
    """

    states: Mapping[str, Label]
    weight: float

    def __init__(self, states: Mapping[str, Label], weight: float = 0.0) -> None:
        if not isinstance(states, Mapping) or not states:
            raise DataError(f"Feature: states are a mapping of one node or more to a label, not {states!r}.")
        object.__setattr__(self, "states", dict(states))
        object.__setattr__(self, "weight", _finite(weight))

    def __hash__(self) -> int:
        return hash((frozenset(self.states.items()), self.weight))

    def __repr__(self) -> str:
        return f"Feature({self.states!r}, weight={self.weight:g})"


def exponentials(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """A table of its logarithms, divided by the largest number where floats do not reach that."""
    highest = logs.max()
    return np.exp(logs - highest if highest > HIGHEST_LOG else logs)


def _finite(weight: Any) -> float:
    if isinstance(weight, Real) and not isinstance(weight, bool):
        with suppress(OverflowError):
            number = float(weight)
            if math.isfinite(number):
                return number
    raise DataError(f"Feature: the weight must be a finite number, not {weight!r}.")


def _different_names(names: Any) -> tuple[str, ...]:
    found = tuple(names)
    if found and all(isinstance(name, str) for name in found) and len(set(found)) == len(found):
        return found
    raise DataError(f"Factor: names are one or more different nodes, not {names!r}.")


def _as_table(names: tuple[str, ...], table: ArrayLike) -> NDArray[np.float64]:
    try:
        numbers = np.array(table, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise DataError(f"Factor of {', '.join(names)}: the table must be a rectangular array.") from None
    if numbers.ndim != len(names) or not numbers.size:
        raise DataError(
            f"Factor of {', '.join(names)}: the table needs an axis for each of the {len(names)} names, and "
            f"its shape is {numbers.shape}."
        )
    refuse_large_table(names[-1], numbers.shape)
    # Written so that NaN fails too.
    if not (numbers >= 0).all() or not np.isfinite(numbers).all():
        raise DataError(f"Factor of {', '.join(names)}: every number must be finite and not below 0.")
    if not numbers.any():
        raise DataError(f"Factor of {', '.join(names)}: all numbers are 0, so that no row is possible.")
    numbers.setflags(write=False)
    return numbers
