"""The minimum description length."""

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.options import Above, Flag, OneOf, OrNone, Rules, check_options
from structlearn.scores.likelihoods import Tables
from structlearn.scores.penalised import Penalised
from structlearn.scores.prices import Bits, Price, Schwarz
from structlearn.scores.protocol import Families
from structlearn.scores.structure_priors import ShortCode
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort

RULES: Rules = {
    "graph_code": OneOf(("parent-sets", "parent-lists"), "how the parents of a column are written"),
    "tight": Flag("whether sets of parents are numbered without the child"),
    "bits_per_parameter": OrNone(Above(0, "how many bits a probability takes"), "half log₂ of the rows"),
}


@dataclass(frozen=True)
class MDL:
    """Minus the length of a code for the graph, the tables and the data, in nats [1]_ [2]_.

    Score-equivalent.

    Parameters
    ----------
    graph_code : "parent-sets" or "parent-lists", default "parent-sets"
        How the parents of a column are written: their number and which set of so many they are
        [1]_, or one after the other [2]_.
    tight : bool, default False
        Whether sets of parents are numbered without the child. The published code is not tight.
    bits_per_parameter : float or None, default None
        How many bits a probability takes; by default half the binary logarithm of the number of rows.

    Notes
    -----
    Divide by -ln 2 for bits. With `bits_per_parameter=None` it is BIC less the length of the graph's
    code.

    References
    ----------
    .. [1] Friedman and Goldszmidt (1996), Learning Bayesian networks with local structure, Uncertainty
       in Artificial Intelligence 12.
    .. [2] Lam and Bacchus (1994), Learning Bayesian belief networks: an approach based on the MDL
       principle, Computational Intelligence 10.
    """

    graph_code: Literal["parent-sets", "parent-lists"] = "parent-sets"
    tight: bool = False
    bits_per_parameter: float | None = None

    takes: ClassVar[Sort] = "discrete"
    is_equivalent: ClassVar[bool] = True

    def __post_init__(self) -> None:
        options = {name: getattr(self, name) for name in RULES}
        check_options("MDL", RULES, options)

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        length = self.graph_length(statistics, families.shape[1] - 1)
        return self._of_tables.local(statistics, families) - length

    def most_gains(
        self, statistics: Statistics, family: tuple[int, ...], *, now: float, alone: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Bounds above what each column adds to a family as one more parent."""
        alone_length, length, longer = (
            self.graph_length(statistics, n_parents) for n_parents in (0, len(family) - 1, len(family))
        )
        most = self._of_tables.most_gains(statistics, family, now=now + length, alone=alone + alone_length)
        return most - (longer - length)

    @property
    def price(self) -> Price:
        """The length of a parameter."""
        return Schwarz() if self.bits_per_parameter is None else Bits(self.bits_per_parameter)

    @property
    def _of_tables(self) -> Penalised:
        return Penalised(Tables(), self.price)

    def graph_length(self, statistics: Statistics, n_parents: int) -> float:
        """The length of a set of so many parents in nats."""
        if self.graph_code == "parent-sets":
            any_family = np.zeros((1, n_parents + 1), dtype=np.int64)
            return -float(ShortCode(tight=self.tight).local(statistics, any_family)[0])
        return n_parents * math.log(len(statistics.names))
