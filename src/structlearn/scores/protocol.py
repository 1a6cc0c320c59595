"""What a search asks of a score."""

from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from structlearn.statistics import Statistics
from structlearn.statistics.set_sums import CellTerms

Families = NDArray[np.int64]


@runtime_checkable
class Score(Protocol):
    """A decomposable score: the score of a DAG is the sum over its families.

    Any object with this method is a score. Four attributes are optional: `is_equivalent` (False
    where absent) says that DAGs of one equivalence class score the same, `takes` is the kind
    of columns it can use, "discrete", "continuous" or "mixed", or several of these (all where absent),
    `takes_gaps` (False where absent) that families scored on different rows can be compared, and `is_quick`
    (False where absent) that of a few columns all families are scored in a moment.
    """

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents; larger is better.

        A row of `families` is (child, parents…). Families that share all but their last
        parent cost least when they follow each other.
        """


def is_equivalent_on(statistics: Statistics, score: Score) -> bool:
    """Whether DAGs of one equivalence class score the same; never where families have rows of their own."""
    return bool(getattr(score, "is_equivalent", False)) and statistics.is_complete


@runtime_checkable
class BoundedScore(Score, Protocol):
    """A score that knows, without counting, how much a parent can bring at most.

    The method is optional. With it a search leaves families uncounted that cannot be the best.
    """

    def most_gains(
        self,
        statistics: Statistics,
        family: tuple[int, ...],
        *,
        now: float,
        alone: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Bounds above what each column can add to the score of a family as one more parent.

        `family` is (child, parents…) and `now` its score, which is finite; `alone` has the score of each
        column without parents. It is asked only of data that miss nothing. Entries of the
        family's own columns mean nothing.
        """


class SetTerms(NamedTuple):
    """What cells add to the value of a set of columns, and what a free parameter of a family costs."""

    cells: CellTerms
    price: float


@runtime_checkable
class SetScore(Score, Protocol):
    """A score made of values of sets: that of the child with its parents less that of the parents.

    The value of a set is a sum over the cells of its table. The method is optional: with it, all families
    with few parents are scored by one table for each set. It gives None where there are no such values.
    """

    def set_terms(self, statistics: Statistics) -> SetTerms | None:
        """What the values of sets are sums of."""
