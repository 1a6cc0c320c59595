"""Columns of any kind as numbers, so that all are penalised alike."""

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.group_descent import Loss, SoftmaxLoss, SquaredLoss
from structlearn.numerics.softmax_groups import contrasts

Floats = NDArray[np.float64]


class Coding:
    """How columns become numbers: measurements as they are, states as contrasts, one less than there are.

    Contrasts are orthonormal, so that norms are those of one indicator for each state. All are centred, and
    the variances of a column's numbers sum to 1, so that columns of all kinds are penalised alike.
    """

    def __init__(self, values: Floats, levels: NDArray[np.int64], row_weights: Floats) -> None:
        self.levels = levels
        self.widths = np.maximum(levels - 1, 1)
        self.starts = np.concatenate([[0], np.cumsum(self.widths)]).astype(np.int64)
        shares = row_weights / row_weights.sum()
        raw = self._raw(values)
        self._mean = shares @ raw
        variances = shares @ (raw - self._mean) ** 2
        variances[(raw == raw[:1]).all(axis=0)] = 0.0
        self.spread: Floats = np.sqrt(np.add.reduceat(variances, self.starts[:-1]))
        inverse = np.divide(1.0, self.spread, out=np.zeros_like(self.spread), where=self.spread > 0.0)
        self._scale = np.repeat(inverse, self.widths)

    def numbers(self, values: Floats) -> Floats:
        """The columns of a table, coded."""
        return np.asarray((self._raw(values) - self._mean) * self._scale)

    def loss(self, values: Floats, column: int) -> Loss:
        """The loss of predicting one of the columns."""
        if self.levels[column]:
            return SoftmaxLoss(values[:, column].astype(np.int64), int(self.levels[column]))
        place = self.starts[column]
        return SquaredLoss((values[:, column] - self._mean[place]) * self._scale[place])

    def response_spread(self) -> Floats:
        """The standard deviation of each column as a response, over all of its states together."""
        binary = np.where(self.levels == 2, np.sqrt(2.0), 1.0)
        return np.where(self.levels > 0, self.spread * binary, 1.0)

    def _raw(self, values: Floats) -> Floats:
        parts = [
            values[:, [j]] if width == 1 else contrasts(width + 1)[values[:, j].astype(np.int64)]
            for j, width in enumerate(self.widths)
        ]
        return np.hstack(parts).astype(np.float64)
