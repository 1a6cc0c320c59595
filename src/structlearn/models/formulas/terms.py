"""Probability formulas: constants, parameters, atoms, and choices between two formulas."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Union

from structlearn.errors import DataError
from structlearn.models.cpds.arguments import probability
from structlearn.models.formulas.dual import Dual, Point
from structlearn.models.formulas.scope import Scope

SUM_ERROR = 1e-12  # of two numbers that were written to add up to 1

Term = Union["Formula", float]
"""A formula, or a number from 0 to 1 that stands for itself."""


class Formula(ABC):
    """An expression whose value is a probability; never changes once made.

    Formulas multiply: `0.3 * Atom("smokes")`. `1 - f` is the opposite, and `f * g + (1 - f) * h` a
    choice: `g` with probability `f`, otherwise `h`. No other sum is sure to stay below 1, so none is
    allowed.
    """

    @property
    def parts(self) -> tuple["Formula", ...]:
        """The formulas that this one is made of."""
        return ()

    def rebuilt(self, change: Callable[["Formula"], "Formula"]) -> "Formula":  # noqa: ARG002, a leaf has no parts
        """The same formula of changed parts."""
        return self

    @abstractmethod
    def evaluate(self, point: Point) -> Dual:
        """Give the value for each row, and its derivatives by the parameters."""

    @abstractmethod
    def grounded(self, scope: Scope) -> "Formula":
        """Give the formula without variables, and without what follows from facts."""

    def __mul__(self, other: Term) -> "Formula":
        return Choice(self, other, 0.0)

    def __rmul__(self, other: Term) -> "Formula":
        return Choice(other, self, 0.0)

    def __rsub__(self, other: float) -> "Formula":
        if other != 1:
            raise DataError(f"{other!r} - ({self}) may leave [0, 1]; only 1 - formula is a formula.")
        return Choice(self, 0.0, 1.0)

    def __add__(self, other: Term) -> "Formula":
        for first, second in ((self, other), (other, self)):
            chosen = _as_choice(first, second)
            if chosen is not None:
                return chosen
        raise DataError(
            f"({self}) + ({other}) may exceed 1. A sum has the form f*g + (1 - f)*h; see also NoisyOr, Mean."
        )

    __radd__ = __add__

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, repr=False)
class Constant(Formula):
    """A probability that is known."""

    value: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", probability("Constant", "value", self.value))

    def evaluate(self, point: Point) -> Dual:
        """The same in every row."""
        return point.constant(self.value)

    def grounded(self, scope: Scope) -> Formula:  # noqa: ARG002, it has no variables
        """Itself."""
        return self

    def __str__(self) -> str:
        return f"{self.value:g}"


@dataclass(frozen=True, repr=False)
class Parameter(Formula):
    """A probability that a fit may change; the same name is the same number everywhere.

    Parameters
    ----------
    name : str
        What it is called.
    value : float, default 0.5
        What it is, or where a fit starts.
    """

    name: str
    value: float = 0.5

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise DataError(f"Parameter: the name is a text, not {self.name!r}.")
        object.__setattr__(self, "value", probability("Parameter", f"value of {self.name!r}", self.value))

    def evaluate(self, point: Point) -> Dual:
        """The same in every row, with a slope of 1 by itself."""
        return point.parameter(self.name, self.value)

    def grounded(self, scope: Scope) -> Formula:  # noqa: ARG002, it has no variables
        """Itself."""
        return self

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, init=False, repr=False)
class Atom(Formula):
    """A node: 1 where it is on, 0 where it is off.

    Parameters
    ----------
    relation : str
        The name of the node or, with arguments, of a relation.
    *arguments : str
        Variables, or members of the domain; `Atom("friend", "v", "w")` is friend(v,w).
    """

    relation: str
    arguments: tuple[str, ...]

    def __init__(self, relation: str, *arguments: str) -> None:
        if not all(isinstance(name, str) for name in (relation, *arguments)):
            raise DataError(f"Atom: a relation and its arguments are texts, not {(relation, *arguments)!r}.")
        object.__setattr__(self, "relation", relation)
        object.__setattr__(self, "arguments", arguments)

    @property
    def name(self) -> str:
        """The name of the node: relation(argument,…), or the relation alone."""
        return f"{self.relation}({','.join(self.arguments)})" if self.arguments else self.relation

    def evaluate(self, point: Point) -> Dual:
        """The state of the node in each row."""
        return point.atom(self.name)

    def grounded(self, scope: Scope) -> Formula:
        """The atom of the objects that its variables stand for; a number where facts say so."""
        objects = scope.objects(self.name, self.arguments)
        known = scope.fact(self.relation, objects)
        return Atom(self.relation, *objects) if known is None else Constant(float(known))

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, init=False, repr=False)
class Choice(Formula):
    """The convex combination f·g + (1 - f)·h: `g` with probability `f`, otherwise `h`.

    Parameters
    ----------
    condition, then, otherwise : Formula or float
        The three formulas f, g and h.
    """

    condition: Formula
    then: Formula
    otherwise: Formula

    def __init__(self, condition: Term, then: Term, otherwise: Term) -> None:
        for name, term in (("condition", condition), ("then", then), ("otherwise", otherwise)):
            object.__setattr__(self, name, as_formula(term))

    @property
    def parts(self) -> tuple[Formula, ...]:
        """The three formulas."""
        return self.condition, self.then, self.otherwise

    def rebuilt(self, change: Callable[[Formula], Formula]) -> Formula:
        """The same choice of changed formulas."""
        return Choice(*map(change, self.parts))

    def evaluate(self, point: Point) -> Dual:
        """The mean of both, weighted by the condition; the product rule for slopes."""
        f, g, h = (part.evaluate(point) for part in self.parts)
        value = f.value * g.value + (1 - f.value) * h.value
        slopes = f.slopes * (g.value - h.value) + f.value * g.slopes + (1 - f.value) * h.slopes
        return Dual(value, slopes)

    def grounded(self, scope: Scope) -> Formula:
        """The choice between grounded formulas, or what is left where it is decided."""
        f, g, h = (part.grounded(scope) for part in self.parts)
        if f == Constant(1) or g == h:
            return g
        if f == Constant(0):
            return h
        if isinstance(g, Constant) and isinstance(h, Constant):
            if (g.value, h.value) == (1, 0):
                return f
            if isinstance(f, Constant):
                return Constant(f.value * g.value + (1 - f.value) * h.value)
        return Choice(f, g, h)

    def __str__(self) -> str:
        f, g, h = self.parts
        if h == Constant(0):
            return f"{_factor(f)}*{_factor(g)}"
        if (g, h) == (Constant(0), Constant(1)):
            return f"(1 - {f})"
        return f"{_factor(f)}*{_factor(g)} + (1 - {f})*{_factor(h)}"


def as_formula(term: Term) -> Formula:
    """Give a formula as it is, and a number as a constant."""
    if isinstance(term, Formula):
        return term
    if isinstance(term, Real) and not isinstance(term, bool):
        return Constant(float(term))
    raise DataError(f"A formula is made of formulas and numbers from 0 to 1, not {term!r}.")


def walk(formula: Formula) -> Iterator[Formula]:
    """Every formula inside this one, itself first."""
    yield formula
    for part in formula.parts:
        yield from walk(part)


def parameters_of(formula: Formula) -> dict[str, float]:
    """The parameters by name; one name with two values is refused."""
    values: dict[str, float] = {}
    for part in walk(formula):
        if isinstance(part, Parameter) and values.setdefault(part.name, part.value) != part.value:
            raise DataError(
                f"The parameter {part.name!r} has the values {values[part.name]:g} and {part.value:g} in one "
                "formula. Give both the same, or different names."
            )
    return values


def with_parameters(formula: Formula, values: Mapping[str, float]) -> Formula:
    """The same formula with other values of its parameters."""
    if isinstance(formula, Parameter):
        return Parameter(formula.name, values.get(formula.name, formula.value))
    return formula.rebuilt(lambda part: with_parameters(part, values))


def with_atoms(formula: Formula, names: Mapping[str, str]) -> Formula:
    """The same formula of atoms with other names."""
    if isinstance(formula, Atom):
        return Atom(names[formula.name])
    return formula.rebuilt(lambda part: with_atoms(part, names))


def _as_choice(first: Term, second: Term) -> Formula | None:
    """The choice that f*g and (1 - f)*h add up to; None where they have another form."""
    zero = Constant(0)
    products = [part for part in (first, second) if isinstance(part, Choice) and part.otherwise == zero]
    if len(products) < 2:
        return None
    product, rest = products
    f = product.condition
    if rest.condition == Choice(f, 0.0, 1.0):
        return Choice(f, product.then, rest.then)
    if isinstance(f, Constant) and isinstance(rest.condition, Constant):
        adds_up = abs(f.value + rest.condition.value - 1) <= SUM_ERROR
        return Choice(f, product.then, rest.then) if adds_up else None
    return None


def _factor(formula: Formula) -> str:
    text = str(formula)
    return f"({text})" if " + " in text else text
