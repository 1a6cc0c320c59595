"""What objects see, worked out in memory as `structlearn.statistics.relational` does it inside a database."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.data.relational import Attribute, CodedFeature
from structlearn.errors import DataError

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Tally:
    """How often some objects see each state, and the sum of the numbers that they see, in steps.

    Ways to objects without a value have the code of the last column, so that counts know of them.
    """

    counts: Codes
    totals: Floats

    @classmethod
    def of(cls, starts: Codes, codes: Codes, steps: Floats, shape: tuple[int, int]) -> "Tally":
        """Tally what `shape[0]` objects see along ways that start at some of them."""
        n_objects, n_states = shape
        counts = np.bincount(starts * n_states + codes, minlength=n_objects * n_states)
        totals: Floats = np.bincount(starts, weights=steps, minlength=n_objects).astype(np.float64)
        return cls(counts.reshape(shape), totals)


def aggregated(coded: CodedFeature, tally: Tally) -> Codes:
    """The state that a feature has for each object; that for none where an object sees no value."""
    aggregate, seen = coded.feature.aggregate, tally.counts[:, :-1]
    n_seen = seen.sum(axis=1)
    if aggregate == "count":
        return _cut(coded, tally.counts.sum(axis=1).astype(np.float64))
    attribute = coded.feature.attribute
    assert attribute is not None  # noqa: S101, only counts have none
    if aggregate == "mean":
        found = _cut(coded, tally.totals / np.maximum(n_seen, 1) / attribute.n_steps)
    elif aggregate == "mode":
        found = seen.argmax(axis=1)
    elif aggregate == "median":
        found = (2 * seen.cumsum(axis=1) >= n_seen[:, None]).argmax(axis=1)
    elif aggregate == "min":
        found = (seen > 0).argmax(axis=1)
    elif aggregate == "max":
        found = seen.shape[1] - 1 - (seen[:, ::-1] > 0).argmax(axis=1)
    else:
        found = (seen[:, attribute.labels.index(coded.feature.value)] > 0).astype(np.int64)
    return np.where(n_seen > 0, found, coded.n_values)


def in_steps(attribute: Attribute, numbers: Floats) -> Floats:
    """Numbers of an attribute as means take them: whole steps, whose sum is the same in any order."""
    return np.rint(numbers * attribute.n_steps)


def refuse_unseen(node: str, coded: CodedFeature, codes: Codes) -> None:
    """Refuse objects that see nothing where the model has never seen that."""
    if codes.size and codes.max() >= len(coded.labels):
        base = coded.feature.base
        raise DataError(
            f"Some {base} sees nothing as {coded.name!r}, and the model of {node!r} has never seen that. "
            "Learn from a database where it occurs."
        )


def _cut(coded: CodedFeature, numbers: Floats) -> Codes:
    return np.searchsorted(coded.cuts, numbers, side="left").astype(np.int64)
