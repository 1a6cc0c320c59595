"""Numbers that stand far outside the rest: codes for missing values, and rows that are no cases."""

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data.columns import Column, DiscreteColumn, Kind, RawColumn
from structlearn.errors import warn
from structlearn.naming import listed

FEWEST_VALUES = 20  # among fewer, far ones are nothing special
GLANCE = 100  # values that mostly tell that none is far
MOST_CODES = 3  # of a column: for "unknown", "refused" and the like
FEWEST_MEASURED = 10  # different values, of which another far away is no level
FILL = 1e20  # and beyond are what programs write where nothing was measured
LIMITS = frozenset({-(2.0**15), 2.0**15 - 1, -(2.0**31), 2.0**31 - 1, -(2.0**63), 2.0**63})
FEWEST_OF_A_ROW, SHARE_OF_A_ROW = 3, 2 / 3  # of measured columns: outliers of each their own hardly share one

Numbers = NDArray[Any]
Codes = tuple[float, ...]


class FarValues:
    """What was seen far out, column by column: farther from all others than these from each other."""

    def __init__(self) -> None:
        self._columns_of: dict[Codes, list[tuple[str, Kind]]] = {}
        self._n_far: Counter[int] = Counter()
        self._n_measured = 0

    def look_at(self, column: RawColumn, coded: Column) -> None:
        """Look for them in a column whose kind nobody has given."""
        if not column.is_number or column.categories is not None:
            return
        if isinstance(coded, DiscreteColumn):
            for codes in _codes_at_an_end([float(label) for label in coded.labels]):
                self._columns_of.setdefault(codes, []).append((column.name, coded.kind))
            return
        self._n_measured += 1
        for is_far in _far(column.present):
            far, rest = column.present[is_far], column.present[~is_far]
            codes = tuple(np.unique(far).tolist())
            is_repeated = far.size > 1 == len(codes) and np.unique(rest[:GLANCE]).size >= FEWEST_MEASURED
            if is_repeated or any(_is_usual(code, float(rest[0])) for code in codes):
                self._columns_of.setdefault(codes, []).append((column.name, coded.kind))
            elif far.size == 1:
                self._n_far[column.row_of(int(is_far.argmax()))] += 1

    def warn(self) -> None:
        """Warn of numbers that look like codes for missing values, and of rows far out in most columns."""
        for codes, columns in self._columns_of.items():
            _warn_of_codes([f"{code:.17g}" for code in codes], dict(columns))
        for row, n_far in sorted(self._n_far.items()):
            if n_far >= max(FEWEST_OF_A_ROW, SHARE_OF_A_ROW * self._n_measured):
                warn(
                    f"row {row:,}, counted from 0, is far outside the others in {n_far:,} of "
                    f"{self._n_measured:,} measured columns: edges may hang on it alone. Leave it out if it "
                    "is a total, or a mistake."
                )


def _codes_at_an_end(levels: list[float]) -> Iterator[Codes]:
    """The first or the last levels, where they are far from the others, and one is a usual code."""
    for side in (levels, levels[::-1]):
        for n in range(1, min(MOST_CODES, len(levels) - 2) + 1):
            if abs(side[n] - side[n - 1]) > max(abs(side[-1] - side[n]), abs(side[n - 1] - side[0])):
                if any(_is_usual(code, side[-1]) for code in side[:n]):
                    yield tuple(sorted(side[:n]))
                break


def _far(values: Numbers) -> Iterator[NDArray[np.bool_]]:
    """Which values are far above or below all others: a few different ones, of at most half of the rows."""
    if values.size < FEWEST_VALUES:
        return
    low, high = float(values.min()), float(values.max())
    if not (low < high and math.isfinite(low) and math.isfinite(high)):
        return
    middle = low / 2 + high / 2
    if not _apart(values[:GLANCE], middle):  # more values only bring both sides nearer
        return
    for is_far in _apart(values, middle):
        far, rest = values[is_far], values[~is_far]
        if 0 < far.size <= rest.size and np.unique(far).size <= MOST_CODES and _width(rest) > 0.0:
            yield is_far


def _apart(values: Numbers, middle: float) -> list[NDArray[np.bool_]]:
    """The sides of the middle that may lie farther from the other than that is wide."""
    is_high = values > middle
    above, below = values[is_high], values[~is_high]
    if not (above.size and below.size):
        return [is_high, ~is_high]
    gap = float(above.min()) - float(below.max())
    return [side for side, rest in ((is_high, below), (~is_high, above)) if gap > _width(rest)]


def _width(values: Numbers) -> float:
    return float(values.max()) - float(values.min())


def _is_usual(code: float, other: float) -> bool:
    """Whether it is −9, 99, −999 and so on, the limit of a format, or beyond measure as others are not."""
    if abs(code) >= FILL > abs(other) or code in LIMITS:
        return True
    digits = f"{abs(code):.0f}"
    return code == round(code) and set(digits) == {"9"} and (code < 0 or len(digits) > 1)


def _warn_of_codes(codes: list[str], kinds: dict[str, Kind]) -> None:
    na = repr(codes[0]) if len(codes) == 1 else repr(codes)
    has, given = f"columns {listed(list(kinds))} have", "kinds={…}"
    if len(kinds) == 1:
        [(name, kind)] = kinds.items()
        has, given = f"column {name!r} has", f'kinds={{"{name}": "{kind}"}}'
    warn(
        f"{has} {', '.join(codes)} far outside the other numbers. If that means a missing value, pass "
        f"na={na}; pass {given} if it is a number like the others."
    )
