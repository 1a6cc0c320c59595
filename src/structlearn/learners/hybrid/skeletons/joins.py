"""Which columns a skeleton may join."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from structlearn.search.limits import Limits


@dataclass(frozen=True, slots=True)
class Joins:
    """Which columns may be joined, and which must be, whatever the direction: symmetric matrices."""

    is_possible: NDArray[np.bool_]
    is_required: NDArray[np.bool_]

    @classmethod
    def of(cls, limits: Limits) -> Self:
        """What limits of arcs say about pairs."""
        is_itself = np.eye(len(limits.closed), dtype=np.bool_)
        return cls(~(limits.closed & limits.closed.T) & ~is_itself, limits.frozen | limits.frozen.T)
