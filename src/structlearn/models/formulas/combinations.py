"""Combination functions: one probability from several formulas, or from one for many objects."""

from abc import abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from structlearn.errors import DataError
from structlearn.models.cpds.arguments import finite
from structlearn.models.formulas.conditions import Condition
from structlearn.models.formulas.dual import Dual, Floats, Point
from structlearn.models.formulas.scope import Scope
from structlearn.models.formulas.terms import Constant, Formula, Term, as_formula

TINY = 1e-300  # in place of a sum of weights that is 0, which nothing is divided by


@dataclass(frozen=True, init=False, repr=False)
class Combination(Formula):
    """A function of any number of probabilities, in any order.

    Parameters
    ----------
    *terms : Formula or float
        What is combined.
    over : str or iterable of str, default ()
        Variables: the terms are combined for all objects that these can stand for. Such a combination
        has to be grounded before it has a value; see `ground`.
    where : iterable of Same and Different, default ()
        Conditions on those objects, all of which must hold.
    """

    word: ClassVar[str]
    neutral: ClassVar[float | None] = None
    decisive: ClassVar[float | None] = None

    terms: tuple[Formula, ...]
    over: tuple[str, ...]
    where: tuple[Condition, ...]

    def __init__(self, *terms: Term, over: str | Iterable[str] = (), where: Iterable[Condition] = ()) -> None:
        object.__setattr__(self, "terms", tuple(as_formula(term) for term in terms))
        object.__setattr__(self, "over", (over,) if isinstance(over, str) else tuple(over))
        object.__setattr__(self, "where", tuple(where))
        if not all(isinstance(name, str) for name in self.over):
            raise DataError(f"{self.word}: `over` lists the names of variables, not {self.over!r}.")
        for condition in self.where:
            if not isinstance(condition, Condition):
                raise DataError(
                    f"{type(self).__name__}: `where` lists Same and Different, not {condition!r}."
                )

    @abstractmethod
    def combine(self, values: Floats) -> Floats:
        """The value of each column of `values`, (terms, rows)."""

    @abstractmethod
    def partials(self, values: Floats) -> Floats:
        """The derivative of each column's value by each term."""

    @property
    def parts(self) -> tuple[Formula, ...]:
        """The terms."""
        return self.terms

    def rebuilt(self, change: Callable[[Formula], Formula]) -> Formula:
        """The same combination of changed terms."""
        return self.of([change(term) for term in self.terms], over=self.over, where=self.where)

    def of(self, terms: Iterable[Term], **quantified: Any) -> Self:
        """The same combination function of other terms."""
        return type(self)(*terms, **quantified)

    def evaluate(self, point: Point) -> Dual:
        """Combine the values of the terms; the chain rule for slopes."""
        if self.over:
            raise DataError(
                f"{self} goes over {', '.join(self.over)} and has no value before it is grounded."
            )
        duals = [term.evaluate(point) for term in self.terms]
        values = np.array([dual.value for dual in duals]).reshape(len(duals), point.n_rows)
        slopes = np.zeros((len(point.values), point.n_rows))
        for dual, partial in zip(duals, self.partials(values), strict=True):
            slopes += partial * dual.slopes
        return Dual(self.combine(values), slopes)

    def grounded(self, scope: Scope) -> Formula:
        """The combination of all that the variables can stand for, without terms that change nothing."""
        terms = [
            term.grounded(inner)
            for inner in scope.every(self.over)
            if all(condition.holds(inner) for condition in self.where)
            for term in self.terms
        ]
        return self.simplified(terms)

    def simplified(self, terms: list[Formula]) -> Formula:
        """The combination of grounded terms: a constant where they decide it."""
        if self.decisive is not None and Constant(self.decisive) in terms:
            return Constant(self.decisive)
        if self.neutral is not None:
            terms = [term for term in terms if term != Constant(self.neutral)]
        if all(isinstance(term, Constant) for term in terms):
            return Constant(float(self.of(terms).evaluate(Point(1, {})).value[0]))
        return self.of(terms)

    def __str__(self) -> str:
        inside = ", ".join(map(str, self.terms))
        if self.over:
            inside += f" | {', '.join(self.over)}"
        if self.where:
            inside += f"; {', '.join(map(str, self.where))}"
        return f"{self.word}{{{inside}}}"


class NoisyOr(Combination):
    """One minus the product of the opposites: on unless each of independent causes fails; 0 of nothing.

    Examples
    --------
    >>> from structlearn.models.formulas import Atom, NoisyOr
    >>> NoisyOr(0.3 * Atom("smokes"), 0.1)
    noisy-or{0.3*smokes, 0.1}
    """

    word, neutral, decisive = "noisy-or", 0.0, 1.0

    def combine(self, values: Floats) -> Floats:
        """1 - Π (1 - p)."""
        return np.asarray(1 - (1 - values).prod(axis=0))

    def partials(self, values: Floats) -> Floats:
        """The product of the other opposites."""
        return _products_of_others(1 - values)


class NoisyAnd(Combination):
    """The product: on only if each of independent conditions holds; 1 of nothing."""

    word, neutral, decisive = "noisy-and", 1.0, 0.0

    def combine(self, values: Floats) -> Floats:
        """Π p."""
        return np.asarray(values.prod(axis=0))

    def partials(self, values: Floats) -> Floats:
        """The product of the others."""
        return _products_of_others(values)


class Max(Combination):
    """The largest; 0 of nothing."""

    word, neutral, decisive = "max", 0.0, 1.0

    def combine(self, values: Floats) -> Floats:
        """The largest value."""
        return np.asarray(values.max(axis=0, initial=0.0))

    def partials(self, values: Floats) -> Floats:
        """1 for the first of the largest."""
        return _ones_at(values, values.argmax(axis=0)) if len(values) else values


class Min(Combination):
    """The smallest; 1 of nothing."""

    word, neutral, decisive = "min", 1.0, 0.0

    def combine(self, values: Floats) -> Floats:
        """The smallest value."""
        return np.asarray(values.min(axis=0, initial=1.0))

    def partials(self, values: Floats) -> Floats:
        """1 for the first of the smallest."""
        return _ones_at(values, values.argmin(axis=0)) if len(values) else values


@dataclass(frozen=True, init=False, repr=False)
class Mean(Combination):
    """The mean, weighted where there are weights; 0 of nothing.

    Parameters
    ----------
    *terms : Formula or float
        What is averaged.
    weights : iterable of float, optional
        A number from 0 on for each term. By default all count the same.
    over, where
        As for every combination.
    """

    word = "mean"

    weights: tuple[float, ...] | None

    def __init__(
        self,
        *terms: Term,
        weights: Iterable[float] | None = None,
        over: str | Iterable[str] = (),
        where: Iterable[Condition] = (),
    ) -> None:
        super().__init__(*terms, over=over, where=where)
        given = None if weights is None else tuple(finite("Mean", "weight", weight) for weight in weights)
        if given is not None and (len(given) != len(terms) or min(given, default=0) < 0 or not sum(given)):
            raise DataError(
                f"Mean: {len(terms)} terms need as many weights from 0 on, not all 0; not {given}."
            )
        object.__setattr__(self, "weights", given)

    def of(self, terms: Iterable[Term], **quantified: Any) -> Self:
        """The mean of other terms, whose weights are these over and over."""
        known = tuple(terms)
        if self.weights is None or not known:
            return type(self)(*known, **quantified)
        repeats = len(known) // len(self.weights)
        return type(self)(*known, weights=self.weights * repeats, **quantified)

    def combine(self, values: Floats) -> Floats:
        """Σ w p / Σ w."""
        return np.asarray(self._shares(len(values)) @ values)

    def partials(self, values: Floats) -> Floats:
        """Each term's share of the weights."""
        return np.broadcast_to(self._shares(len(values))[:, None], values.shape)

    def _shares(self, n_terms: int) -> Floats:
        weights = np.ones(n_terms) if self.weights is None else np.array(self.weights)
        return np.asarray(weights / max(weights.sum(), TINY))


COMBINATIONS: dict[str, type[Combination]] = {
    combination.word: combination for combination in (NoisyOr, NoisyAnd, Max, Min, Mean)
}


def _products_of_others(values: Floats) -> Floats:
    """The product of each column without each of its values: no division, so that one may be 0."""
    ones = np.ones((1, values.shape[1]))
    before = np.cumprod(np.vstack([ones, values[:-1]]), axis=0) if len(values) else values
    after = np.cumprod(np.vstack([ones, values[:0:-1]]), axis=0)[::-1] if len(values) else values
    return np.asarray(before * after)


def _ones_at(values: Floats, positions: Any) -> Floats:
    found = np.zeros_like(values)
    found[positions, np.arange(values.shape[1])] = 1.0
    return found
