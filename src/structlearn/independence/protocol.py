"""What a learner asks of a test of independence."""

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Questions = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Answers:
    """The result of each test: arrays of equal length.

    Tests without a statistic or degrees of freedom of their own have NaN there.
    """

    statistic: NDArray[np.float64]
    dof: NDArray[np.float64]
    p_value: NDArray[np.float64]


@runtime_checkable
class IndependenceTest(Protocol):
    """A test of x ⊥ y | given; any object with this method is one.

    Two attributes are optional: `takes` is the kind of column it can use, and a method
    `separators(pairs, neighbors)` names separating sets at once, for a test that knows the truth.
    """

    def many(self, statistics: Any, questions: Questions) -> Answers:
        """Answer many questions with the same number of conditions.

        A row of `questions` is (x, y, given…). Questions that share x and the conditions cost
        least when they follow each other. Nothing is ever NaN among the p-values: what cannot be
        tested has p-value 1. `statistics` is None where the truth stands in place of data.
        """
