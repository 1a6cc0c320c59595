"""A likelihood less a price for each parameter: log-likelihood, AIC and BIC for each kind of columns."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.scores.likelihoods import Likelihood, Regressions, Tables
from structlearn.scores.mixed_likelihoods import Mixtures
from structlearn.scores.prices import Akaike, Free, Price, Schwarz
from structlearn.scores.protocol import Families, SetTerms
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort


@dataclass(frozen=True, repr=False)
class Penalised:
    """The maximised log-likelihood of each family less a price for each of its parameters.

    Parameters
    ----------
    likelihood : Likelihood
        The form of the distributions: `Tables()`, `Regressions()` or `Mixtures()`.
    price : Price
        What a parameter costs: `Free()`, `Akaike()`, `Schwarz()` or `Bits(8)`.

    Examples
    --------
    >>> from structlearn.scores import BIC, Penalised
    >>> from structlearn.scores.likelihoods import Tables
    >>> from structlearn.scores.prices import Schwarz
    >>> Penalised(Tables(), Schwarz()) == BIC()
    True
    """

    likelihood: Likelihood
    price: Price

    @property
    def takes(self) -> Sort | tuple[Sort, ...]:
        """The kinds of columns that have such distributions."""
        return self.likelihood.takes

    @property
    def is_equivalent(self) -> bool:
        """Whether DAGs of one equivalence class score the same."""
        return self.likelihood.is_equivalent

    @property
    def is_quick(self) -> bool:
        """Whether of a few columns all families are scored in a moment."""
        return type(self.likelihood) in {Tables, Regressions, Mixtures}

    @property
    def is_for_threads(self) -> bool:
        """Whether several may score at once: others' likelihoods may remember something."""
        return type(self.likelihood) in {Tables, Regressions}

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        return self.likelihood.fit(statistics, families).less(self.price.nats(statistics.size))

    def most_gains(
        self, statistics: Statistics, family: tuple[int, ...], *, now: float, alone: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Bounds above what each column adds to a family as one more parent."""
        nats = self.price.nats(statistics.size)
        return self.likelihood.most_gains(statistics, family, now=now, alone=alone, price=nats)

    def set_terms(self, statistics: Statistics) -> SetTerms | None:
        """What the values of sets of columns are sums of, for tables."""
        cells = self.likelihood.cell_terms(statistics)
        return cells and SetTerms(cells, self.price.nats(statistics.size))

    def __repr__(self) -> str:
        if self.price.name:
            return f"{self.likelihood.prefix}{self.price.name}()"
        return f"Penalised({self.likelihood!r}, {self.price!r})"


def LogLikelihood() -> Penalised:
    """The maximised log-likelihood of discrete families, with no penalty: more parents never lose."""
    return Penalised(Tables(), Free())


def AIC() -> Penalised:
    """Log-likelihood of discrete families less one per free parameter [1]_.

    References
    ----------
    .. [1] Akaike (1974), A new look at the statistical model identification, IEEE Transactions
       on Automatic Control 19.
    """
    return Penalised(Tables(), Akaike())


def BIC() -> Penalised:
    """Log-likelihood of discrete families less half a log-size per free parameter [1]_.

    Every joint state of the parents has its parameters, whether or not it occurs: score
    equivalence needs it.

    References
    ----------
    .. [1] Schwarz (1978), Estimating the dimension of a model, Annals of Statistics 6.
    """
    return Penalised(Tables(), Schwarz())


def GaussianLogLikelihood() -> Penalised:
    """The maximised log-likelihood of linear regressions, with no penalty.

    Collinear and constant columns score as in `GaussianBIC`.
    """
    return Penalised(Regressions(), Free())


def GaussianAIC() -> Penalised:
    """Log-likelihood of linear regressions less one per parameter.

    Parameters, collinear and constant columns are those of `GaussianBIC`.
    """
    return Penalised(Regressions(), Akaike())


def GaussianBIC() -> Penalised:
    """Log-likelihood of linear regressions less half a log-size per parameter [1]_.

    A family has a slope per parent, an intercept and a variance. A collinear family has an
    unbounded likelihood and scores minus infinity. A constant column scores zero alone and
    minus infinity in any family with parents.

    References
    ----------
    .. [1] Schwarz (1978), Estimating the dimension of a model, Annals of Statistics 6.
    """
    return Penalised(Regressions(), Schwarz())


def ConditionalGaussianLogLikelihood() -> Penalised:
    """The maximised log-likelihood of families of both kinds, with no penalty.

    The families are those of `ConditionalGaussianBIC`.
    """
    return Penalised(Mixtures(), Free())


def ConditionalGaussianAIC() -> Penalised:
    """Log-likelihood of families of both kinds less one per parameter.

    The families are those of `ConditionalGaussianBIC`.
    """
    return Penalised(Mixtures(), Akaike())


def ConditionalGaussianBIC() -> Penalised:
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
    return Penalised(Mixtures(), Schwarz())
