"""Loopy belief propagation: messages between nodes and factors, exact on a tree.

Pearl (1988), Probabilistic reasoning in intelligent systems. Kschischang, Frey and Loeliger (2001), Factor
graphs and the sum-product algorithm. Yedidia, Freeman and Weiss (2005), Constructing free-energy
approximations and generalized belief propagation algorithms.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

import numpy as np

from structlearn.errors import DataError, warn
from structlearn.inference.approximate_answers import LoopyAnswer
from structlearn.inference.contraction import Table
from structlearn.inference.elimination import Problem, none_found, with_known
from structlearn.inference.parts import Floats, Integers
from structlearn.inference.questions import Question
from structlearn.inference.tables_only import refuse_densities
from structlearn.numerics.belief_propagation import (
    DAMPING,
    LOG_ZERO,
    MOST_SWEEPS,
    Beliefs,
    Factors,
    propagate,
)

TOLERANCE = 1e-8  # of a message: probabilities that are printed with four digits do not change


@dataclass(frozen=True)
class Patience:
    """The damping to try, one after the other; how many sweeps; and which change is none."""

    dampings: tuple[float, ...]
    sweeps: int
    tolerance: float


@dataclass(frozen=True, eq=False)
class Settled:
    """What the messages on a factor graph say in the end, and the damping that they had."""

    graph: "FactorGraph"
    beliefs: Beliefs
    damping: float

    @property
    def log_z(self) -> float:
        """Bethe's approximation of the logarithm of the sum over all states."""
        return self.beliefs.log_z + self.graph.log_scale


@dataclass(frozen=True, eq=False)
class FactorGraph:
    """Variables, a log table for each of them alone, and the factors of several, by their shapes.

    `homes` has each factor of several variables: its scope, group, and place in the group.
    """

    variables: tuple[int, ...]
    unary: Floats
    groups: tuple[Factors, ...]
    homes: tuple[tuple[tuple[int, ...], int, int], ...]
    log_scale: float

    @classmethod
    def of(cls, tables: Sequence[Table], variables: Sequence[int], sizes: dict[int, int]) -> Self:
        """Sort the tables; a zero becomes a logarithm so small that its exponential is zero."""
        place = {variable: i for i, variable in enumerate(variables)}
        unary = np.full((len(place), max((sizes[v] for v in variables), default=1)), -np.inf)
        for variable, i in place.items():
            unary[i, : sizes[variable]] = 0.0
        log_scale = 0.0
        groups: dict[tuple[int, ...], list[Table]] = {}
        for axes, table in tables:
            logs, scale = _logarithms(table)
            log_scale += scale
            if len(axes) == 1:
                unary[place[axes[0]], : logs.size] += logs
            elif axes:
                groups.setdefault(logs.shape, []).append((axes, logs))
        factors = [
            Factors(
                np.array([[place[v] for v in axes] for axes, _ in group]), np.stack([t for _, t in group])
            )
            for group in groups.values()
        ]
        homes = [(axes, g, k) for g, group in enumerate(groups.values()) for k, (axes, _) in enumerate(group)]
        return cls(tuple(variables), unary, tuple(factors), tuple(homes), log_scale)

    def settled(self, patience: Patience) -> Settled:
        """Send messages until they settle."""
        if not self.variables:
            return Settled(self, Beliefs(0.0, self.unary, (), (), 0, converged=True), 0.0)
        for damping in patience.dampings:
            found = propagate(
                self.unary,
                self.groups,
                damping=damping,
                tolerance=patience.tolerance,
                most_sweeps=patience.sweeps,
            )
            if found.converged:
                break
        return Settled(self, found, damping)

    def is_possible(self, found: Beliefs) -> bool:
        """Whether no belief lies where a factor is zero: only a contradiction puts one there."""
        if self.log_scale == -np.inf:
            return False
        pairs = zip(
            (self.unary, *(group.tables for group in self.groups)),
            (found.columns, *found.factors),
            strict=True,
        )
        return not any((belief[np.isfinite(logs) & (logs <= LOG_ZERO)] > 0.0).any() for logs, belief in pairs)

    def belief(self, found: Beliefs, query: Sequence[int]) -> Floats | None:
        """The probabilities of one variable, or of several; None where no factor has them all."""
        if len(query) == 1:
            own = self.variables.index(query[0])
            states: Floats = found.columns[own][np.isfinite(self.unary[own])]
            return states
        for axes, group, k in self.homes:
            if set(query) <= set(axes):
                others = tuple(i for i, axis in enumerate(axes) if axis not in query)
                table = found.factors[group][k].sum(axis=others)
                kept = [axis for axis in axes if axis in query]
                return np.asarray(table.transpose([kept.index(v) for v in query]), dtype=np.float64)
        return None


def loopy_answer(
    question: Question,
    *,
    damping: float | None = None,
    sweeps: int = MOST_SWEEPS,
    tolerance: float = TOLERANCE,
) -> LoopyAnswer:
    """Send messages until they settle; once more with damping where they do not and none was asked for."""
    patience = Patience((0.0, DAMPING) if damping is None else (damping,), sweeps, tolerance)
    problem = Problem.of(question)
    query = problem.columns(question.asked)
    found = _settled(question, problem, query, patience)
    labels = question.parts.labels
    answer = LoopyAnswer(
        question.names,
        {name: labels[name] for name in question.names},
        with_known(question, _table(question, found, query)),
        method="loopy",
        find_log_evidence=partial(_log_evidence, question, found, patience),
        converged=found.beliefs.converged,
        n_sweeps=found.beliefs.n_sweeps,
        damping=found.damping,
        log_z=found.log_z,
    )
    _warn_of_unsettled(found)
    return answer


def _settled(question: Question, problem: Problem, query: Integers, patience: Patience) -> Settled:
    """The messages among all that the query and the evidence depend on."""
    used, sizes = problem.ancestral(query), problem.sizes
    refuse_densities(question, used, method="loopy")
    tables = problem.tables(used)
    asked = [v for v in query.tolist() if sizes[v] > 1]
    variables = sorted({*asked, *(axis for axes, _ in tables for axis in axes)})
    found = FactorGraph.of(tables, variables, sizes).settled(patience)
    if not found.graph.is_possible(found.beliefs):
        raise none_found(question)
    return found


def _table(question: Question, found: Settled, query: Integers) -> Floats:
    levels = question.parts.levels[query]
    asked = [v for v in query.tolist() if question.parts.levels[v] > 1]
    table = found.graph.belief(found.beliefs, asked) if asked else np.ones(())
    if table is None:
        raise DataError(
            "query(method='loopy'): several names are answered together only where one factor has them all. "
            "Ask for one at a time, or use method='exact' or 'gibbs'."
        )
    shares: Floats = (table / table.sum()).reshape(levels)
    return shares


def _log_evidence(question: Question, found: Settled, patience: Patience) -> float:
    """Bethe's approximation; in an undirected model without the evidence too, for the constant."""
    if question.parts.directed is not None:
        return found.log_z
    free = replace(question, known={}, likelihoods={})
    problem = Problem.of(free)
    return found.log_z - _settled(free, problem, np.empty(0, dtype=np.int64), patience).log_z


def _logarithms(table: Floats) -> tuple[Floats, float]:
    """The logarithms of a table beside its largest number, and that number's."""
    highest = table.max()
    if highest == 0.0:
        return np.zeros(table.shape), -np.inf
    with np.errstate(divide="ignore"):
        return np.maximum(np.log(table / highest), LOG_ZERO), float(np.log(highest))


def _warn_of_unsettled(found: Settled) -> None:
    if found.beliefs.converged:
        return
    warn(
        f"query(method='loopy'): the messages did not settle in {found.beliefs.n_sweeps} sweeps, so the "
        "probabilities mean little. Use more damping or sweeps, or method='gibbs' or 'exact'."
    )
