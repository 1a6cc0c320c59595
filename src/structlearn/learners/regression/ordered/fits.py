"""All regressions of an order of columns together, and the precision matrix that they imply."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.regression.ordered.column_orders import Order
from structlearn.learners.regression.ordered.regressions import (
    NodeData,
    NodeFit,
    VariancePrior,
    adaptive,
    most_probable,
    posterior_draws,
    precision_of,
    variance_mode,
)

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class OrderFit:
    """Row i of `coefficients` is the regression of column i, with zeros for what is not before it."""

    coefficients: Floats
    variances: Floats

    @property
    def precision(self) -> Floats:
        """The precision matrix that the regressions imply."""
        return precision_of(self.coefficients, self.variances)


class OrderProblem:
    """Standardised columns, an order of them, and the prior of their regressions.

    Parameters
    ----------
    correlation : array of shape (p, p)
        Of the columns.
    order : array of int
        Each column may depend on those before it.
    is_forbidden : array of shape (p, p)
        Which two columns may not.
    n_rows, degrees, scale : float
        The number of rows, and the prior's δ and θ₀.
    price : float
        What a coefficient costs where the criterion chooses.
    must_stop : callable
        Whether time is up; the regressions left are then without coefficients.
    """

    def __init__(
        self,
        correlation: Floats,
        order: Order,
        is_forbidden: NDArray[np.bool_],
        *,
        n_rows: float,
        price: float,
        degrees: float,
        scale: float,
        must_stop: Callable[[], bool],
    ) -> None:
        self.order, self.n_rows = order, n_rows
        self._correlation, self._gram = correlation, n_rows * correlation
        self._is_forbidden, self._must_stop = is_forbidden, must_stop
        self._degrees, self._scale, self._price = degrees, scale, price

    def largest_penalty(self) -> float:
        """The smallest λ at which no column has an effect: there √(λψ) is the largest product of two."""
        pull = np.abs(self._gram * ~self._is_forbidden)
        np.fill_diagonal(pull, 0.0)
        variances = [
            variance_mode(self._node(place), self._prior(place, 0.0), np.zeros(len(self.order)))
            for place in range(len(self.order))
        ]
        return float(pull.max(initial=0.0)) ** 2 / min(variances)

    def most_probable(self, penalty: float, start: OrderFit | None = None) -> OrderFit:
        """The mode of every regression."""
        zeros = np.zeros((len(self.order), len(self.order)))
        before = zeros if start is None else start.coefficients

        def fit(place: int) -> NodeFit:
            return most_probable(self._node(place), self._prior(place, penalty), before[self.order[place]])

        return self._each(fit)

    def adaptive(self) -> OrderFit:
        """The mode of every regression under Jeffreys' prior."""
        return self._each(lambda place: adaptive(self._node(place)))

    def draws(self, penalty: float, generator: np.random.Generator) -> Iterator[OrderFit]:
        """Draws of all regressions from their posterior, without end."""
        chains = [
            posterior_draws(self._node(place), self._prior(place, penalty), generator)
            for place in range(len(self.order))
        ]
        while True:
            yield self._each(lambda place: next(chains[place]))

    def extended_bic(self, fit: OrderFit) -> float:
        """The criterion of the columns chosen, each regression without shrinkage; least is best."""
        n_chosen = np.count_nonzero(fit.coefficients, axis=1)
        unexplained = np.array([self._unexplained(row, i) for i, row in enumerate(fit.coefficients)])
        unexplained[n_chosen >= self.n_rows - 1] = np.nan
        criterion = float(self.n_rows * np.log(unexplained).sum()) + self._price * int(n_chosen.sum())
        return np.inf if np.isnan(criterion) else criterion

    def _unexplained(self, coefficients: Floats, column: int) -> float:
        """The share of a column's variance that least squares on the columns chosen leave."""
        chosen = np.flatnonzero(coefficients)
        own = self._correlation[chosen, column]
        try:
            explained = float(own @ np.linalg.solve(self._correlation[np.ix_(chosen, chosen)], own))
        except np.linalg.LinAlgError:
            return np.nan
        return 1.0 - explained if explained < 1.0 else np.nan

    def _each(self, fit: Callable[[int], NodeFit]) -> OrderFit:
        coefficients = np.zeros((len(self.order), len(self.order)))
        variances = np.ones(len(self.order))
        for place, column in enumerate(self.order.tolist()):
            if self._must_stop():
                break
            found = fit(place)
            coefficients[column], variances[column] = found.coefficients, found.variance
        return OrderFit(coefficients, variances)

    def _node(self, place: int) -> NodeData:
        column = self.order[place]
        is_allowed = np.zeros(len(self.order), dtype=np.bool_)
        is_allowed[self.order[:place]] = True
        is_allowed &= ~self._is_forbidden[column]
        total = float(self._gram[column, column])
        return NodeData(self._gram, self._gram[column], total, self.n_rows, is_allowed)

    def _prior(self, place: int, penalty: float) -> VariancePrior:
        return VariancePrior.of_place(place, penalty=penalty, degrees=self._degrees, scale=self._scale)
