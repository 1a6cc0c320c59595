"""Answers as they come from any test, checked to be ones that can be compared."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from structlearn.errors import OptionError
from structlearn.independence.protocol import Answers, IndependenceTest, Questions
from structlearn.naming import listed, quoted
from structlearn.rounding import TIE


def checked_answers(test: IndependenceTest, statistics: Any, questions: Questions) -> Answers:
    """Answer questions with the same number of conditions; what are no p-values is refused by name."""
    found = test.many(statistics, questions)
    if not isinstance(found, Answers) or not all(
        _has_numbers(each, len(questions)) for each in (found.statistic, found.dof, found.p_value)
    ):
        raise OptionError(
            f"The test {test!r} was asked {len(questions)} questions, and did not return structlearn."
            "independence.Answers(statistic, dof, p_value) of arrays with a number for each."
        )
    is_wrong = ~(np.abs(found.p_value - 0.5) <= 0.5 + TIE)  # so written that NaN is wrong
    if is_wrong.any():
        place = int(is_wrong.argmax())
        asked = questions[place].tolist()
        x, y, *given = asked if statistics is None else (statistics.names[column] for column in asked)
        raise no_p_value(test, x, y, given, found.p_value[place])
    return found


def no_p_value(test: object, x: object, y: object, given: Sequence[object], value: object) -> OptionError:
    """What to say of an answer that is no p-value."""
    conditions = f" given {listed(given)}" if given else ""
    return OptionError(
        f"The test {test!r} returned {value} for {quoted(x)} and {quoted(y)}{conditions}; a p-value is a "
        "number from 0 to 1, and 1 where nothing can be tested."
    )


def _has_numbers(found: Any, size: int) -> bool:
    return isinstance(found, np.ndarray) and found.shape == (size,) and found.dtype.kind in "fiub"
