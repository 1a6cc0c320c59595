"""Reading evidence as users write it: a label, or a text that reads like it, or a number."""

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Label
from structlearn.data.states import NOWHERE, places_of
from structlearn.errors import DataError
from structlearn.naming import has_no

SOFT = (Mapping, list, tuple, np.ndarray)


def code_of(name: str, labels: Sequence[Label], state: Any) -> int:
    """The place of a state among the labels; the number 1 and the text "1" are the same state."""
    [code] = places_of([state], labels) if isinstance(state, Hashable) else [NOWHERE]
    if code == NOWHERE:
        raise DataError(has_no(repr(name), "state", state, labels))
    return code


def number_of(name: str, said: Any) -> float:
    """The number that evidence says of a continuous node."""
    try:
        value = float(said)
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if not math.isfinite(value):
        raise DataError(f"{name!r} is continuous: its evidence is a finite number, not {said!r}.")
    return value


def likelihood_of(name: str, labels: Sequence[Label], said: Any) -> NDArray[np.float64]:
    """A likelihood of each state from {label: likelihood} (0 where left out) or one number per label."""
    if isinstance(said, Mapping):
        weights = np.zeros(len(labels))
        for state, weight in said.items():
            weights[code_of(name, labels, state)] = _number(name, weight)
    else:
        weights = np.array([_number(name, weight) for weight in said])
    if len(weights) != len(labels):
        raise DataError(
            f"The evidence on {name!r} has {len(weights)} likelihoods, and the node has {len(labels)} states."
        )
    # Written so that NaN fails too.
    if not (np.isfinite(weights) & (weights >= 0)).all() or not weights.any():
        raise DataError(f"The likelihoods of {name!r} must be finite, none below 0, and not all 0.")
    return weights


def is_soft(said: Any) -> bool:
    """Whether evidence is a likelihood of each state rather than one state."""
    return not isinstance(said, Label) and isinstance(said, SOFT)


def _number(name: str, weight: Any) -> float:
    try:
        return float(weight)
    except (TypeError, ValueError):
        raise DataError(f"The evidence on {name!r} has {weight!r} where a likelihood belongs.") from None
