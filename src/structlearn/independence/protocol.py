"""What a learner asks of a test of independence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Questions = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Answers:
    """The result of each test: arrays of equal length.

    Tests without a statistic or degrees of freedom of their own have NaN there. `log_tail` works
    out the logarithms of the p-values, for tests that can where the p-values themselves are too
    small for a float. `reliable` says which tests had data enough; None means that all had.
    """

    statistic: NDArray[np.float64]
    dof: NDArray[np.float64]
    p_value: NDArray[np.float64]
    log_tail: Callable[[], NDArray[np.float64]] | None = field(default=None, repr=False, compare=False)
    reliable: NDArray[np.bool_] | None = None

    @classmethod
    def joined(cls, parts: Sequence["Answers"]) -> "Answers":
        """The answers of several batches, one behind the other."""
        if len(parts) == 1:
            return parts[0]
        return cls(
            np.concatenate([part.statistic for part in parts]),
            np.concatenate([part.dof for part in parts]),
            np.concatenate([part.p_value for part in parts]),
            lambda: np.concatenate([part.log_p for part in parts]),
            np.concatenate([part.is_reliable for part in parts]),
        )

    @property
    def log_p(self) -> NDArray[np.float64]:
        """The natural logarithms of the p-values, which order even those that are 0 as floats."""
        if self.log_tail is not None:
            return self.log_tail()
        with np.errstate(divide="ignore"):
            return np.log(self.p_value)

    @property
    def is_reliable(self) -> NDArray[np.bool_]:
        """Which tests had data enough."""
        return np.ones(self.p_value.size, dtype=np.bool_) if self.reliable is None else self.reliable


@runtime_checkable
class IndependenceTest(Protocol):
    """A test of x ⊥ y | given; any object with this method is one.

    Two attributes are optional: `takes` lists the tables it can use, of "discrete", "continuous"
    and "mixed"; and a method `separators(pairs, neighbors)` names separating sets at once, for a
    test that knows the truth.
    """

    def many(self, statistics: Any, questions: Questions) -> Answers:
        """Answer many questions with the same number of conditions.

        A row of `questions` is (x, y, given…). Questions that share x and the conditions cost
        least when they follow each other. Nothing is ever NaN among the p-values: what cannot be
        tested has p-value 1. `statistics` is None where the truth stands in place of data.
        """
