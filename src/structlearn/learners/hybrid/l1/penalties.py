"""The penalties of a path, and the price by which its sets are compared."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.regression.penalties.path import penalty_path


@dataclass(frozen=True, slots=True)
class Penalties:
    """How many penalties a path has and how far it falls; `price` is what each parameter costs after it."""

    price: float
    n_penalties: int
    smallest_share: float

    def below(self, largest: float) -> NDArray[np.float64]:
        """The penalties of a path that begins with the largest."""
        return penalty_path(largest, n_penalties=self.n_penalties, smallest_share=self.smallest_share)
