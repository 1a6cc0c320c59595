"""Checks of what a CPD is made of; a message starts with the class that was called."""

import math
from collections.abc import Iterable, Mapping
from contextlib import suppress
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Label
from structlearn.errors import DataError


def checked_labels(owner: str, labels: Any) -> tuple[Label, ...]:
    """Give the states as a tuple of different labels."""
    if isinstance(labels, Iterable) and not isinstance(labels, str):
        states = tuple(labels)
        if all(isinstance(state, Label) for state in states) and 0 < len(set(states)) == len(states):
            return states
    raise DataError(f"{owner}: labels are one or more different texts or numbers, not {labels!r}.")


def two_labels(owner: str, labels: Any) -> tuple[Label, ...]:
    """Give the two states of a node that is off or on."""
    states = checked_labels(owner, labels)
    if len(states) == 2:
        return states
    raise DataError(f"{owner}: the node has two states, off and on, and {states} are {len(states)}.")


def checked_mapping(owner: str, what: str, known: Any) -> dict[str, Any]:
    """Give a mapping whose keys are names of parents."""
    if isinstance(known, Mapping) and all(isinstance(name, str) for name in known):
        return dict(known)
    raise DataError(f"{owner}: {what} are a mapping from the name of each parent, not {known!r}.")


def checked_names(owner: str, what: str, names: Any, parents: Iterable[str]) -> tuple[str, ...]:
    """Give some of the parents' names as a tuple."""
    if isinstance(names, Iterable) and not isinstance(names, str):
        found = tuple(names)
        if set(found) <= set(parents):
            return found
    raise DataError(f"{owner}: the {what} parents are some of {', '.join(parents)}, not {names!r}.")


def finite(owner: str, what: str, value: Any) -> float:
    """Give a finite number."""
    if isinstance(value, Real) and not isinstance(value, bool):
        with suppress(OverflowError):
            number = float(value)
            if math.isfinite(number):
                return number
    raise DataError(f"{owner}: the {what} must be a finite number, not {value!r}.")


def finite_array(owner: str, what: str, values: Any) -> NDArray[np.float64]:
    """Give an array of finite numbers, a copy."""
    with suppress(TypeError, ValueError, OverflowError):
        numbers = np.array(values, dtype=np.float64)
        if np.isfinite(numbers).all():
            return numbers
    raise DataError(f"{owner}: the {what} must be finite numbers in a rectangular array.")


def probability(owner: str, what: str, value: Any) -> float:
    """Give a number from 0 to 1."""
    number = finite(owner, what, value)
    if 0 <= number <= 1:
        return number
    raise DataError(f"{owner}: the {what} is a probability, a number from 0 to 1, not {value!r}.")


def refuse_other_levels(form: str, child: str, parents: Mapping[str, int], levels: Mapping[str, int]) -> None:
    """Refuse parents that do not have the number of states (0: continuous) that a CPD expects."""
    for parent, expected in parents.items():
        if levels[parent] != expected:
            raise DataError(
                f"The {form} CPD of {child!r} takes {parent!r} as {_described(expected)}, and it is "
                f"{_described(levels[parent])}."
            )


def _described(levels: int) -> str:
    if levels == 0:
        return "a continuous node"
    return f"a node of {levels} state{'s' if levels > 1 else ''}"
