"""Exact answers from discrete models: prune, reduce by the evidence, sum out the rest."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.inference.answers import Answer, MostProbable
from structlearn.inference.contraction import InaccurateError, Table, TooLargeError, contracted, laid_out
from structlearn.inference.kernels.buckets import DONE, INACCURATE, TOO_LARGE, ZERO, sum_product
from structlearn.inference.kernels.relevance import ancestral_nodes, connected_factors, required_nodes
from structlearn.inference.log_domain import maximised, summed_out
from structlearn.inference.parts import Factors, Parts, Scope
from structlearn.inference.questions import Question

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]

CELL_LIMIT = 2**27  # 1 GiB
QUICK_CELLS = 2**16  # up to here the compiled engine is quicker than opt_einsum (grids of 14 by 14 and less)
KEPT_TABLES = 8  # how many tables of the largest size elimination may hold at once
IMPOSSIBLE = -math.inf


@dataclass(frozen=True, eq=False)
class Problem:
    """The factors of a model and what is known of its variables, in arrays.

    `codes` is -1 where a node is unknown; `soft` marks nodes with a likelihood, `cut` those set from outside.
    """

    parts: Parts
    factors: Factors
    codes: Integers
    soft: Flags
    cut: Flags

    @classmethod
    def of(cls, question: Question) -> "Problem":
        """Write down the evidence."""
        parts = question.parts
        codes = np.full(len(parts.names), -1, dtype=np.int64)
        nowhere = soft = cut = parts.nowhere
        for name, code in question.known.items():
            codes[parts.index[name]] = code if name in parts.labels else 0
        if question.actions:
            cut = nowhere.copy()
            cut[[parts.index[name] for name in question.actions]] = True
        if not question.likelihoods:
            return cls(parts, parts.factors, codes, soft, cut)
        vectors: dict[Scope, Floats] = {
            (parts.index[name],): vector for name, vector in question.likelihoods.items()
        }
        soft = nowhere.copy()
        soft[[scope[0] for scope in vectors]] = True
        return cls(parts, parts.factors.with_tables(vectors), codes, soft, cut)

    def columns(self, names: list[str]) -> Integers:
        """The numbers of some variables."""
        return np.array([self.parts.index[name] for name in names], dtype=np.int64)

    def required(self, query: Integers) -> Flags:
        """The factors that the posterior of the query depends on."""
        if self.parts.directed is None:
            connected: Flags = connected_factors(self.factors.arrays, query, self.codes)
            return connected
        return self._with_vectors(required_nodes(self.parts.directed, query, self.codes, self.soft, self.cut))

    def ancestral(self, query: Integers) -> Flags:
        """The factors that the joint probability of the query and the evidence depends on."""
        if self.parts.directed is None:
            return np.ones(len(self.factors.has_zeros), dtype=np.bool_)
        return self._with_vectors(
            ancestral_nodes(self.parts.directed, query, self.codes, self.soft, self.cut)
        )

    def tables(self, used: Flags) -> list[Table]:
        """What the evidence leaves of the factors used; axes of one state are dropped."""
        return self._left(used, self.factors.table)

    def log_tables(self, used: Flags) -> list[Table]:
        """The logarithms of that."""
        return self._left(used, self.factors.log_table)

    def _left(self, used: Flags, table_of: Callable[[int, Integers], Floats]) -> list[Table]:
        levels, codes = self.parts.levels, self.codes
        left = []
        for f in np.flatnonzero(used).tolist():
            scope = self.factors.scope(f)
            where = tuple(slice(None) if codes[v] < 0 else int(codes[v]) for v in scope)
            axes = tuple(v for v in scope if codes[v] < 0 and levels[v] > 1)
            table = table_of(f, levels)[where]
            left.append((axes, table.reshape([int(levels[v]) for v in axes])))
        return left

    @property
    def sizes(self) -> dict[int, int]:
        """The number of states of each variable."""
        return dict(enumerate(self.parts.levels.tolist()))

    def _with_vectors(self, nodes: Flags) -> Flags:
        """Mark the likelihood of each node that is marked, too; they come behind the tables."""
        n_vectors = len(self.factors.has_zeros) - len(nodes)
        if n_vectors == 0:
            return nodes
        return np.concatenate([nodes, nodes[self.factors.scopes[-n_vectors:]]])


def discrete_answer(question: Question, *, cell_limit: int = CELL_LIMIT) -> Answer:
    """The posterior of the names, each axis in the order of the labels."""
    problem = Problem.of(question)
    asked = question.asked
    query = problem.columns(asked)
    used = problem.required(query)
    table, log_scale = sum_out(problem, used, query, cell_limit)
    if log_scale == IMPOSSIBLE or not _rest_is_possible(problem, used, query, cell_limit):
        raise impossible(question)
    table = table / table.sum()
    labels = question.parts.labels
    return Answer(
        question.names,
        {name: labels[name] for name in question.names},
        table if len(asked) == len(question.names) else with_known(question, table),
        find_log_evidence=partial(log_evidence, question, cell_limit=cell_limit),
    )


def log_evidence(question: Question, *, cell_limit: int = CELL_LIMIT) -> float:
    """The logarithm of the probability of the evidence; -inf where it is impossible."""
    if not question.known and not question.likelihoods:
        return 0.0
    return _log_sum(Problem.of(question), cell_limit) - log_partition(question, cell_limit=cell_limit)


def log_partition(question: Question, *, cell_limit: int = CELL_LIMIT) -> float:
    """The logarithm of the sum of the product of all factors, as they are scaled; 0 for a network."""
    free = replace(question, known={}, likelihoods={}, actions=frozenset())
    return 0.0 if question.parts.directed is not None else _log_sum(Problem.of(free), cell_limit)


def most_probable(question: Question, *, cell_limit: int = CELL_LIMIT) -> MostProbable:
    """The most probable joint state of the names: the others are summed out first, then maxima are taken."""
    problem = Problem.of(question)
    tables = problem.log_tables(problem.ancestral(problem.columns(question.asked)))
    codes, log_probability = best_codes(question, problem, tables, cell_limit)
    labels = problem.parts.labels
    return MostProbable(
        {name: labels[name][codes[name]] for name in question.names},
        log_probability - log_partition(question, cell_limit=cell_limit),
        partial(log_evidence, question, cell_limit=cell_limit),
    )


def best_codes(
    question: Question, problem: Problem, tables: list[Table], cell_limit: int
) -> tuple[dict[str, int], float]:
    """The code of each discrete name where the product of log tables is largest, and its logarithm."""
    parts = problem.parts
    discrete = [name for name in question.names if name in parts.labels]
    asked = [parts.index[name] for name in discrete if name not in question.known]
    kept = [v for v in asked if parts.levels[v] > 1]
    left = summed_out(tables, kept, problem.sizes, cell_limit=cell_limit)
    found, log_probability = maximised(left, problem.sizes, cell_limit=cell_limit)
    if log_probability == IMPOSSIBLE:
        raise impossible(question)
    codes = {parts.names[v]: code for v, code in found.items()} | question.known
    return {name: int(codes.get(name, 0)) for name in discrete}, log_probability


def sum_out(problem: Problem, used: Flags, query: Integers, cell_limit: int) -> tuple[Floats, float]:
    """The product of the factors used, an axis per query variable, and the logarithm of its divisor.

    The divisor is -inf where the product is zero everywhere.
    """
    try:
        return _summed_in_floats(problem, used, query, cell_limit)
    except InaccurateError:
        return summed_in_logarithms(problem, used, query, cell_limit)


def log_sum_out(problem: Problem, used: Flags, query: Integers, cell_limit: int) -> Floats:
    """The logarithm of that product, also of cells that are next to nothing beside others."""
    try:
        table, log_scale = _summed_in_floats(problem, used, query, cell_limit)
    except InaccurateError:
        return _logarithms(problem, used, query, cell_limit)
    with np.errstate(divide="ignore"):
        return np.log(table) + (0.0 if log_scale == IMPOSSIBLE else log_scale)


def _summed_in_floats(
    problem: Problem, used: Flags, query: Integers, cell_limit: int
) -> tuple[Floats, float]:
    """The size of the largest table says which engine it takes: our own for small ones, else opt_einsum.

    Refused where floats do not reach.
    """
    if problem.factors.is_beyond_floats:
        raise InaccurateError
    summed = partial(sum_product, problem.factors.arrays, problem.parts.levels, used, problem.codes, query)
    status, table, log_scale, largest = summed(float(min(QUICK_CELLS, cell_limit)))
    try:
        if status == TOO_LARGE:
            table, log_scale = contracted_tables(problem, used, query, cell_limit)
            status = DONE if table.any() else ZERO
    except TooLargeError:
        # Its order is another one, now and then the narrower; but it keeps all its tables.
        if largest > cell_limit / KEPT_TABLES:
            raise
        status, table, log_scale, _ = summed(float(cell_limit))
    if status == INACCURATE:
        raise InaccurateError
    shape = problem.parts.levels[query]
    return (table.reshape(shape), log_scale) if status == DONE else (np.zeros(shape), IMPOSSIBLE)


def contracted_tables(
    problem: Problem, used: Flags, query: Integers, cell_limit: int
) -> tuple[Floats, float]:
    """The same by opt_einsum."""
    levels = problem.parts.levels
    kept = tuple(v for v in query.tolist() if levels[v] > 1)
    table, log_scale = contracted(problem.tables(used), kept, problem.sizes, cell_limit=cell_limit)
    return table.reshape(levels[query]), log_scale


def impossible(question: Question) -> DataError:
    """The error for evidence of probability zero."""
    return DataError(
        f"The evidence {question.evidence_in_words()} has probability 0 in this model, so nothing is known "
        "given it. Correct a state, or fit with smoothing=…"
    )


def none_found(question: Question) -> DataError:
    """The error where no state seems possible to a method that goes by tables, not by their logarithms."""
    if question.parts.factors.is_beyond_floats:
        return DataError("query: the weights of this model are too far apart for floats. Use method='exact'.")
    return impossible(question)


def summed_in_logarithms(
    problem: Problem, used: Flags, query: Integers, cell_limit: int
) -> tuple[Floats, float]:
    """The same where floats do not reach: slower, and right for numbers of any size."""
    total = _logarithms(problem, used, query, cell_limit)
    highest = float(total.max())
    if highest == IMPOSSIBLE:
        return np.zeros(total.shape), IMPOSSIBLE
    return np.exp(total - highest), highest


def _logarithms(problem: Problem, used: Flags, query: Integers, cell_limit: int) -> Floats:
    levels, sizes = problem.parts.levels, problem.sizes
    kept = tuple(v for v in query.tolist() if levels[v] > 1)
    left = summed_out(problem.log_tables(used), kept, sizes, cell_limit=cell_limit)
    total = np.zeros([sizes[v] for v in kept])
    for axes, table in left:
        total = total + laid_out(axes, table, kept, sizes)
    return total.reshape(levels[query])


def with_known(question: Question, table: Floats) -> Floats:
    """The table with an axis for each name that is known, all its weight on the state it has."""
    levels = [len(question.parts.labels[name]) for name in question.names]
    where = tuple(
        int(question.known[name]) if name in question.known else slice(None) for name in question.names
    )
    full = np.zeros(levels)
    full[where] = table
    return full


def _log_sum(problem: Problem, cell_limit: int) -> float:
    """The logarithm of the sum over all states that agree with the evidence."""
    nothing = np.empty(0, dtype=np.int64)
    table, log_scale = sum_out(problem, problem.ancestral(nothing), nothing, cell_limit)
    return log_scale if log_scale == IMPOSSIBLE else log_scale + math.log(float(table))


def _rest_is_possible(problem: Problem, used: Flags, query: Integers, cell_limit: int) -> bool:
    """Whether the evidence that does not bear on the query is possible; only zeros can say no."""
    if not problem.factors.any_zeros:
        return True
    rest = problem.ancestral(query) & ~used
    if not problem.factors.has_zeros[rest].any():
        return True
    try:
        return sum_out(problem, rest, query[:0], cell_limit)[1] != IMPOSSIBLE
    except TooLargeError:
        return True
