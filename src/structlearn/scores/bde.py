"""The Bayesian Dirichlet score with a prior network."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from structlearn.errors import OptionError
from structlearn.options import Instance, OrNone, Rules, check_options
from structlearn.scores.dirichlet import PRIOR_SIZE, BDeu
from structlearn.scores.protocol import Families
from structlearn.statistics import Counts, Statistics
from structlearn.statistics.column_sorts import Sort

SUM_ERROR = 1e-9  # of a table of up to millions of probabilities, each rounded to a double


@runtime_checkable
class PriorDistribution(Protocol):
    """What somebody expects of the columns before the data; any object with this method is one."""

    def marginal(self, names: Sequence[str]) -> NDArray[np.float64]:
        """The probability of each joint state of these columns: an axis per column.

        States are in the order of the columns' labels.
        """


@dataclass(frozen=True, eq=False)
class JointTable:
    """A prior distribution in full, for a few columns: a probability for every joint state.

    Parameters
    ----------
    names : tuple of str
        The columns, an axis of the table each.
    probabilities : array
        One per joint state, states in the order of the columns' labels; they sum to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from structlearn.scores import JointTable
    >>> JointTable(("rain", "wet"), np.array([[0.5, 0.25], [0.0, 0.25]])).marginal(["wet"])
    array([0.5, 0.5])
    """

    names: tuple[str, ...]
    probabilities: NDArray[np.float64]

    def __post_init__(self) -> None:
        table = np.asarray(self.probabilities, dtype=np.float64)
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "probabilities", table)
        if table.ndim != len(set(self.names)) or len(set(self.names)) != len(self.names):
            raise OptionError(f"JointTable: {table.ndim} axes cannot stand for the columns {self.names}.")
        if not (table >= 0.0).all() or abs(table.sum() - 1.0) > SUM_ERROR:
            raise OptionError("JointTable: probabilities are numbers from 0 to 1 that sum to 1.")

    def marginal(self, names: Sequence[str]) -> NDArray[np.float64]:
        """The probability of each joint state of these columns: an axis per column."""
        unknown = [name for name in names if name not in self.names]
        if unknown:
            raise OptionError(f"JointTable has no column {unknown[0]!r}; it has {', '.join(self.names)}.")
        axes = [self.names.index(name) for name in names]
        others = tuple(axis for axis in range(len(self.names)) if axis not in axes)
        kept: NDArray[np.float64] = self.probabilities.sum(axis=others)
        return kept.transpose(np.argsort(np.argsort(axes)))


RULES: Rules = {
    "prior": OrNone(Instance(PriorDistribution, "what is expected of the columns"), "all states alike"),
    "prior_size": PRIOR_SIZE,
}


@dataclass(frozen=True)
class BDe:
    """Log marginal likelihood under the Dirichlet prior of a prior network [1]_.

    The prior is worth `prior_size` rows, spread over the cells of each family's table as `prior`
    expects them. Score-equivalent, whatever the prior.

    Parameters
    ----------
    prior : PriorDistribution or None, default None
        A `sl.BayesianNetwork`, a `JointTable`, or any object with their method `marginal`; None
        expects all states alike, and the score is `BDeu`.
    prior_size : float, default 1.0
        How many rows the prior is worth.

    Notes
    -----
    A state that the prior rules out and the data have scores minus infinity.

    References
    ----------
    .. [1] Heckerman, Geiger and Chickering (1995), Learning Bayesian networks: the combination
       of knowledge and statistical data, Machine Learning 20.
    """

    prior: PriorDistribution | None = None
    prior_size: float = 1.0

    takes: ClassVar[Sort] = "discrete"
    is_equivalent: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_options("BDe", RULES, {"prior": self.prior, "prior_size": self.prior_size})

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        if self.prior is None:
            return BDeu(self.prior_size).local(statistics, families)
        scores = np.empty(len(families))
        for i, (child, *parents) in enumerate(families.tolist()):
            columns = [*parents, child]
            counts = statistics.counts(columns)
            expected = self.prior.marginal([statistics.names[j] for j in columns])
            _check_shape(statistics, columns, expected.shape, counts.shape)
            scores[i] = _evidence(counts, self.prior_size * expected)
        return scores


def _check_shape(
    statistics: Statistics, columns: list[int], expected: tuple[int, ...], counted: tuple[int, ...]
) -> None:
    for column, in_prior, in_data in zip(columns, expected, counted, strict=True):
        if in_prior != in_data:
            raise OptionError(
                f"BDe: the prior has {in_prior} states of {statistics.names[column]!r} and the data "
                f"{in_data}. Declare all labels of the column, in the order of the prior."
            )


def _evidence(counts: Counts, prior: NDArray[np.float64]) -> float:
    """The log marginal likelihood of a table whose last axis is the child."""
    if np.any((prior == 0.0) & (counts > 0)):
        return -math.inf
    return _log_rising(prior, counts) - _log_rising(prior.sum(axis=-1), counts.sum(axis=-1))


def _log_rising(start: NDArray[np.float64], steps: Counts) -> float:
    """The sum of ln Γ(start + steps) - ln Γ(start), over places with any steps."""
    some = steps > 0
    return float((gammaln(start[some] + steps[some]) - gammaln(start[some])).sum())
