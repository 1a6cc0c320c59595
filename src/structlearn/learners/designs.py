"""Columns that somebody laid out, as factors of designs: their order says nothing of the rows."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int64]

FEWEST_REGULAR = 2  # columns that a fraction of a design is balanced against; with one, chance often is


def factors_among(columns: Sequence[Codes]) -> list[bool]:
    """Which columns, of fewer than 2¹⁶ states, are regular, or balanced against all that are.

    The latter are those of fractions of a design: each state stands as often beside each state of a factor.
    """
    regular = [is_regular(column) for column in columns]
    others = [column for column, is_one in zip(columns, regular, strict=True) if is_one and column.any()]
    return [
        is_one or (len(others) >= FEWEST_REGULAR and all(_is_balanced(column, other) for other in others))
        for column, is_one in zip(columns, regular, strict=True)
    ]


def is_regular(column: Codes) -> bool:
    """Whether states come in a cycle, twice or more often, or once each in runs of one length above 1."""
    if _has_cycle(column):
        return True
    if np.count_nonzero(column[1:] != column[:-1]) > column.max():  # more runs than states
        return False
    lengths = np.diff(np.flatnonzero(np.diff(column, prepend=-1, append=-1)))
    return bool(len(lengths) == len(np.unique(column)) and lengths.min() == lengths.max() > 1)


def _has_cycle(column: Codes) -> bool:
    """Whether the column goes on as it began after half of its rows at most."""
    text = column.astype(np.uint16).tobytes()
    half = text[: 2 * ((len(column) + 1) // 2)]
    place = text.find(half, 1)
    while place > 0 and (place % 2 or not text.startswith(text[place:])):
        place = text.find(half, place + 1)
    return place > 0


def _is_balanced(one: Codes, other: Codes) -> bool:
    n_states, n_others = one.max() + 1, other.max() + 1
    counts = np.bincount(one * n_others + other, minlength=n_states * n_others)
    return bool(counts.min() == counts.max())
