"""A toy score: the criterion of Hannan and Quinn, a likelihood with a price of its own."""

import math
from dataclasses import dataclass
from typing import ClassVar

from structlearn.scores import Penalised
from structlearn.scores.likelihoods import Tables


@dataclass(frozen=True)
class LogOfLog:
    """The logarithm of the logarithm of the number of rows."""

    name: ClassVar[str] = "HannanQuinn"

    def nats(self, size: float) -> float:
        """The price of a parameter in data of so many rows."""
        return math.log(math.log(size))


def hannan_quinn() -> Penalised:
    """Log-likelihood of discrete families less ln ln n for each parameter (Hannan and Quinn, 1979)."""
    return Penalised(Tables(), LogOfLog())
