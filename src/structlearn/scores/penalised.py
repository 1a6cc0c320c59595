"""Likelihoods less a price per parameter: log-likelihood, AIC and BIC for each kind of columns."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.scores.likelihoods import fit_regressions, fit_tables, most_gains_of_tables
from structlearn.scores.mixed_likelihoods import fit_mixtures
from structlearn.scores.protocol import Families
from structlearn.statistics import Statistics
from structlearn.statistics.kind import Sort


@dataclass(frozen=True)
class LogLikelihood:
    """The maximised log-likelihood of discrete families, with no penalty: more parents never lose."""

    takes: ClassVar[Sort] = "discrete"
    is_equivalent: ClassVar[bool] = True

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        return fit_tables(statistics, families).log_likelihoods

    def most_gains(
        self, statistics: Statistics, family: tuple[int, ...], *, now: float, alone: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Bounds above what each column adds to a family as one more parent."""
        return most_gains_of_tables(statistics, family, now=now, alone=alone, price=0.0)


@dataclass(frozen=True)
class AIC:
    """Log-likelihood of discrete families less one per free parameter [1]_.

    References
    ----------
    .. [1] Akaike (1974), A new look at the statistical model identification, IEEE Transactions
       on Automatic Control 19.
    """

    takes: ClassVar[Sort] = "discrete"
    is_equivalent: ClassVar[bool] = True

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        return fit_tables(statistics, families).less(1.0)

    def most_gains(
        self, statistics: Statistics, family: tuple[int, ...], *, now: float, alone: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Bounds above what each column adds to a family as one more parent."""
        return most_gains_of_tables(statistics, family, now=now, alone=alone, price=1.0)


@dataclass(frozen=True)
class BIC:
    """Log-likelihood of discrete families less half a log-size per free parameter [1]_.

    Every joint state of the parents has its parameters, whether or not it occurs: score
    equivalence needs it.

    References
    ----------
    .. [1] Schwarz (1978), Estimating the dimension of a model, Annals of Statistics 6.
    """

    takes: ClassVar[Sort] = "discrete"
    is_equivalent: ClassVar[bool] = True

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        return fit_tables(statistics, families).less(_half_log_size(statistics))

    def most_gains(
        self, statistics: Statistics, family: tuple[int, ...], *, now: float, alone: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Bounds above what each column adds to a family as one more parent."""
        return most_gains_of_tables(
            statistics, family, now=now, alone=alone, price=_half_log_size(statistics)
        )


@dataclass(frozen=True)
class GaussianLogLikelihood:
    """The maximised log-likelihood of linear regressions, with no penalty.

    Collinear and constant columns score as in `GaussianBIC`.
    """

    takes: ClassVar[Sort] = "continuous"
    is_equivalent: ClassVar[bool] = True

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        return fit_regressions(statistics, families).log_likelihoods


@dataclass(frozen=True)
class GaussianAIC:
    """Log-likelihood of linear regressions less one per parameter.

    Parameters, collinear and constant columns are those of `GaussianBIC`.
    """

    takes: ClassVar[Sort] = "continuous"
    is_equivalent: ClassVar[bool] = True

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        return fit_regressions(statistics, families).less(1.0)


@dataclass(frozen=True)
class GaussianBIC:
    """Log-likelihood of linear regressions less half a log-size per parameter [1]_.

    A family has a slope per parent, an intercept and a variance. A collinear family has an
    unbounded likelihood and scores minus infinity. A constant column scores zero alone and
    minus infinity in any family with parents.

    References
    ----------
    .. [1] Schwarz (1978), Estimating the dimension of a model, Annals of Statistics 6.
    """

    takes: ClassVar[Sort] = "continuous"
    is_equivalent: ClassVar[bool] = True

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        return fit_regressions(statistics, families).less(_half_log_size(statistics))


@dataclass(frozen=True)
class ConditionalGaussianLogLikelihood:
    """The maximised log-likelihood of families of both kinds, with no penalty.

    The families are those of `ConditionalGaussianBIC`.
    """

    takes: ClassVar[tuple[Sort, ...]] = ("mixed", "discrete", "continuous")
    is_equivalent: ClassVar[bool] = False

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        return fit_mixtures(statistics, families).log_likelihoods


@dataclass(frozen=True)
class ConditionalGaussianAIC:
    """Log-likelihood of families of both kinds less one per parameter.

    The families are those of `ConditionalGaussianBIC`.
    """

    takes: ClassVar[tuple[Sort, ...]] = ("mixed", "discrete", "continuous")
    is_equivalent: ClassVar[bool] = False

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        return fit_mixtures(statistics, families).less(1.0)


@dataclass(frozen=True)
class ConditionalGaussianBIC:
    """Log-likelihood of families of both kinds less half a log-size per parameter [1]_.

    A continuous column has a regression on its continuous parents for each joint state of its
    discrete ones, a discrete column a table. A discrete column with a continuous parent scores
    minus infinity, so that arcs between the two kinds point one way only: the score is not
    equivalent, though DAGs of one class without such arcs score the same while every state has rows
    enough. A state with no more rows than its regression has coefficients takes the regression on all
    rows instead. Columns of one kind score exactly as with `BIC` or `GaussianBIC`.

    References
    ----------
    .. [1] Lauritzen and Wermuth (1989), Graphical models for associations between variables, some of
       which are qualitative and some quantitative, Annals of Statistics 17.
    """

    takes: ClassVar[tuple[Sort, ...]] = ("mixed", "discrete", "continuous")
    is_equivalent: ClassVar[bool] = False

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        return fit_mixtures(statistics, families).less(_half_log_size(statistics))


def _half_log_size(statistics: Statistics) -> float:
    return 0.5 * math.log(statistics.size)
