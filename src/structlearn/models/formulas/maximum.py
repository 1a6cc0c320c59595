"""The parameters of formulas from counts: the gradient by the chain rule, projected to [0, 1]."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from structlearn.models.formulas.dual import Floats, Point
from structlearn.models.formulas.terms import Formula, with_atoms
from structlearn.numerics.quasi_newton import quasi_newton

N_RANDOM_STARTS = 4  # the likelihood of a formula may have several maxima
GRIDS = {1: 33, 2: 9, 3: 5}  # by the number of parameters, how many values of each are looked at beforehand
MARGIN = 1e-9  # how near a bound a search goes
SNAP = 1e-8  # how near a bound a parameter is put on it, if the likelihood allows: a little beyond the margin
IMPOSSIBLE = 1e-12  # in place of a probability of 0, so that impossible rows cost much and still have a slope


@dataclass(frozen=True, slots=True)
class Counted:
    """A formula, the states of its atoms in each cell, and how often the node is off and on there."""

    formula: Formula
    atoms: Mapping[str, Floats]
    counts: Floats

    def log_likelihood(self, values: Mapping[str, float]) -> tuple[float, Floats]:
        """The log-likelihood and its derivatives by the parameters; impossible rows cost a lot."""
        dual = self.formula.evaluate(Point(len(self.counts), self.atoms, values))
        on, (n_off, n_on) = np.clip(dual.value, IMPOSSIBLE, 1 - IMPOSSIBLE), self.counts.T
        per_value = n_on / on - n_off / (1 - on)
        return float(n_on @ np.log(on) + n_off @ np.log1p(-on)), dual.slopes @ per_value


def pooled(problems: Iterable[Counted]) -> list[Counted]:
    """One problem for all that differ in the names of their atoms only, with the cells of each."""
    alike: dict[Formula, list[Counted]] = {}
    for problem in problems:
        numbers = {name: f"#{number}" for number, name in enumerate(problem.atoms)}
        renamed = {numbers[name]: states for name, states in problem.atoms.items()}
        formula = with_atoms(problem.formula, numbers)
        alike.setdefault(formula, []).append(Counted(formula, renamed, problem.counts))
    return [_joined(group) for group in alike.values()]


def _joined(group: Sequence[Counted]) -> Counted:
    first = group[0]
    atoms = {name: np.concatenate([problem.atoms[name] for problem in group]) for name in first.atoms}
    return Counted(first.formula, atoms, np.concatenate([problem.counts for problem in group]))


def best_parameters(problems: Sequence[Counted], start: Mapping[str, float]) -> dict[str, float]:
    """The parameters of largest likelihood, the same name being the same number in all formulas.

    The likelihood may have several maxima: the search goes from the start, from four random points, and with
    few parameters from the best of a grid.
    """
    if not start:
        return {}
    names = tuple(start)
    random = np.random.default_rng(0).uniform(0.05, 0.95, (N_RANDOM_STARTS, len(start)))
    given = np.clip(np.array(list(start.values())), 0.01, 0.99)
    starts = [given, *random, *_best_of_grid(problems, names)]
    best = _best(problems, names, [_climbed(problems, names, point) for point in starts])
    return dict(zip(start, _snapped(problems, names, best).tolist(), strict=True))


def _best_of_grid(problems: Sequence[Counted], names: tuple[str, ...]) -> list[Floats]:
    if len(names) not in GRIDS:
        return []
    values = np.linspace(0.01, 0.99, GRIDS[len(names)])
    return [_best(problems, names, [np.array(point) for point in product(values, repeat=len(names))])]


def _best(problems: Sequence[Counted], names: tuple[str, ...], points: Sequence[Floats]) -> Floats:
    return points[int(np.argmax([_total(problems, names, point)[0] for point in points]))]


def _total(problems: Sequence[Counted], names: tuple[str, ...], point: Floats) -> tuple[float, Floats]:
    values = dict(zip(names, point.tolist(), strict=True))
    parts = [problem.log_likelihood(values) for problem in problems]
    slope = np.sum([slope for _, slope in parts], axis=0)
    return sum(value for value, _ in parts), slope


def _climbed(problems: Sequence[Counted], names: tuple[str, ...], start: Floats) -> Floats:
    size = sum(problem.counts.sum() for problem in problems)

    def per_row(point: Floats) -> tuple[float, Floats]:
        value, slope = _total(problems, names, point)
        return -value / size, -slope / size

    return quasi_newton(per_row, start, bounds=(MARGIN, 1 - MARGIN))


def _snapped(problems: Sequence[Counted], names: tuple[str, ...], point: Floats) -> Floats:
    snapped = np.where(point < SNAP, 0.0, np.where(point > 1 - SNAP, 1.0, point))
    kept = _total(problems, names, snapped)[0] >= _total(problems, names, point)[0]
    return snapped if kept else point
