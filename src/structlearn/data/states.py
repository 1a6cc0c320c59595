"""States of two sources matched by label: a model and a table, a prior and the data."""

from collections import Counter
from collections.abc import Sequence
from numbers import Real
from typing import Any

from structlearn.data.columns import Label
from structlearn.data.kinds import is_mark
from structlearn.data.numerals import CODE, numeral

NOWHERE = -1


def places_of(labels: Sequence[Any], among: Sequence[Label]) -> list[int]:
    """The place of each label among others, NOWHERE if it is none of them.

    A label that is not there but reads like one that is (the number 1 and the text "1") is that one; so is
    a number that exactly one of them is in writing (the number 1 and the text "1.0").
    """
    by_text = {str(label): place for place, label in enumerate(among)}
    by_label = {label: place for place, label in enumerate(among)}
    found = [by_label.get(label, by_text.get(str(label), NOWHERE)) for label in labels]
    if NOWHERE not in found:
        return found
    numbers = [_number(label) for label in among]
    n_times = Counter(numbers)
    by_number = {n: place for place, n in enumerate(numbers) if n_times[n] == 1}
    by_number[None] = NOWHERE
    return [
        by_number.get(_number(label), NOWHERE) if place == NOWHERE else place
        for label, place in zip(labels, found, strict=True)
    ]


def marks_beside(labels: Sequence[Label], among: Sequence[Label]) -> list[Label]:
    """The labels that stand for missing values beside states that are numbers, and are none of them."""
    are_numbers = [_number(state) is not None for state in among]
    if not any(are_numbers) or not all(
        is_number or is_mark(str(state)) for state, is_number in zip(among, are_numbers, strict=True)
    ):
        return []
    places = places_of(labels, among)
    return [
        label for label, place in zip(labels, places, strict=True) if place == NOWHERE and is_mark(str(label))
    ]


def _number(label: Any) -> float | None:
    """The number that a label is, or that it is in writing; codes such as 007 are none."""
    if isinstance(label, Real) and not isinstance(label, bool):
        return float(label)
    read = numeral(label) if isinstance(label, str) and CODE.fullmatch(label) is None else None
    if read is None or read.unit:
        return None
    # Programs write 1.234 for 1.234; 1,234 may be that or a thousand and something.
    values = {read.readings["."]} if "." in read.readings and "," not in label else {*read.readings.values()}
    return float(values.pop()) if len(values) == 1 else None
