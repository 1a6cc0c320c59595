"""G² and Pearson's X², the tests of contingency tables."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc

from structlearn.data import Kind
from structlearn.independence.kernels.tables import table_statistics
from structlearn.independence.protocol import Answers, Questions
from structlearn.options import OneOf, check_options
from structlearn.statistics import Statistics

Dof = Literal["adjusted", "full"]
RULES = {"dof": OneOf(("adjusted", "full"), "how degrees of freedom are counted")}


@dataclass(frozen=True)
class ContingencyTest:
    """Compare a table with what independence within each stratum would make of its margins.

    Parameters
    ----------
    dof : "adjusted" or "full"
        Whether levels that a stratum does not have give it degrees of freedom. "adjusted" counts
        (x levels seen - 1)(y levels seen - 1) per stratum; "full" counts all levels of all strata.
    """

    dof: Dof = "adjusted"

    takes: ClassVar[Kind] = "discrete"
    is_pearson: ClassVar[bool]

    def __post_init__(self) -> None:
        check_options(type(self).__name__, RULES, {"dof": self.dof})

    def many(self, statistics: Statistics, questions: Questions) -> Answers:
        """Answer many questions with the same number of conditions."""
        sets = np.concatenate([questions[:, 2:], questions[:, :2]], axis=1)
        tables = statistics.tables(sets)
        x_levels, y_levels = statistics.levels[sets[:, -2]], statistics.levels[sets[:, -1]]
        statistic, dof = np.empty(len(sets)), np.empty(len(sets))
        table_statistics(
            tables.counts, tables.starts, tables.strata, x_levels, y_levels, self.is_pearson, statistic, dof
        )
        if self.dof == "full":
            strata = np.prod(statistics.levels[sets[:, :-2]].astype(np.float64), axis=1)
            dof = (x_levels - 1) * (y_levels - 1) * strata
        return Answers(statistic, dof, _upper_tail(statistic, dof))


class G2(ContingencyTest):
    """Likelihood-ratio test of a contingency table.

    References
    ----------
    .. [1] Wilks (1938), The large-sample distribution of the likelihood ratio for testing
       composite hypotheses, Annals of Mathematical Statistics 9.
    """

    is_pearson = False


class Chi2(ContingencyTest):
    """Pearson's test of a contingency table.

    References
    ----------
    .. [1] Pearson (1900), On the criterion that a given system of deviations … is such that it can
       be reasonably supposed to have arisen from random sampling, Philosophical Magazine 50.
    """

    is_pearson = True


def _upper_tail(statistic: NDArray[np.float64], dof: NDArray[np.float64]) -> NDArray[np.float64]:
    """The χ² probability of at least this statistic; 1 where nothing can be tested."""
    p_value: NDArray[np.float64] = np.where(dof > 0, chdtrc(np.maximum(dof, 1.0), statistic), 1.0)
    return p_value
