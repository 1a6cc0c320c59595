"""What a search asks of a score."""

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from structlearn.statistics import Statistics

Families = NDArray[np.int64]


@runtime_checkable
class Score(Protocol):
    """A decomposable score: the score of a DAG is the sum over its families.

    Any object with this method is a score. Two attributes are optional: `is_equivalent` (False
    where absent) says that DAGs of one equivalence class score the same, `takes` is the kind
    of columns it can use, "discrete", "continuous" or "mixed", or several of these (all where absent).
    """

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents; larger is better.

        A row of `families` is (child, parents…). Families that share all but their last
        parent cost least when they follow each other.
        """
