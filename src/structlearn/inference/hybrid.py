"""Exact answers where continuous nodes matter: a normal distribution for each state of the discrete ones.

Lauritzen and Wermuth (1989), Graphical models for associations between variables, some of which are
qualitative and some quantitative. The discrete nodes that no continuous one depends on, and nobody asks
for, are summed out first; of the others every joint state is a regime.
"""

import math
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from structlearn.data import Label
from structlearn.inference.answers import Answer, GaussianAnswer, MixtureAnswer
from structlearn.inference.elimination import CELL_LIMIT, IMPOSSIBLE, Problem, impossible, log_sum_out
from structlearn.inference.gaussian import LinearNetwork, Normal, Regression, conditioned
from structlearn.inference.questions import Question
from structlearn.inference.regressions import NotExactError, regression_of

Floats = NDArray[np.float64]

REGIME_LIMIT = 2**16  # each has a covariance matrix: of 30 nodes, half a GiB


@dataclass(frozen=True, eq=False)
class Regimes:
    """The possible joint states of some discrete nodes, each with its log weight and normal distribution.

    `states` is (regimes, nodes of `discrete`); the weight is the probability of the state and the evidence.
    """

    discrete: tuple[str, ...]
    states: NDArray[np.int64]
    log_weights: Floats
    normal: Normal


def hybrid_answer(question: Question) -> Answer | GaussianAnswer | MixtureAnswer:
    """The posterior of the names: a table, a normal distribution or a mixture."""
    regimes = _regimes(question)
    total = _total(question, regimes)
    weights = np.exp(regimes.log_weights - total)
    weights = weights / weights.sum()
    labels = question.parts.labels
    discrete = tuple(name for name in question.names if name in labels)
    continuous = tuple(name for name in question.names if name not in labels)
    table = _table(question, discrete, regimes, weights) if discrete or not continuous else None
    if table is not None and not continuous:
        return replace(table, find_log_evidence=partial(float, total))
    normal = regimes.normal
    if table is None and len(weights) == 1:
        return GaussianAnswer(continuous, normal.mean[0], normal.covariance[0], log_evidence=total)
    return MixtureAnswer(
        continuous,
        weights,
        normal.mean,
        normal.covariance,
        log_evidence=total,
        discrete=table,
        states=None if table is None else _states(question, discrete, regimes),
    )


def hybrid_log_evidence(question: Question) -> float:
    """The logarithm of the density of the evidence, -inf where it is impossible."""
    regimes = _regimes(question)
    return float(logsumexp(regimes.log_weights)) if len(regimes.log_weights) else IMPOSSIBLE


def _regimes(question: Question) -> Regimes:
    parts, problem = question.parts, Problem.of(question)
    used = problem.ancestral(problem.columns(list(question.names)))
    numeric = Numeric.of(question, problem, used)
    asked = [name for name in question.asked if name in parts.labels]
    discrete = tuple(dict.fromkeys([*asked, *numeric.switches]))
    states, log_weights = _possible_states(question, problem, used, discrete)
    if not len(states):
        wanted = numeric.asked
        nothing = Normal(wanted, np.zeros((0, len(wanted))), np.zeros((0, len(wanted), 0)))
        return Regimes(discrete, states, log_weights, nothing)
    normal, log_densities = numeric.conditioned(question, discrete, states)
    possible = log_densities > IMPOSSIBLE
    return Regimes(
        discrete,
        states[possible],
        (log_weights + log_densities)[possible],
        Normal(normal.names, normal.mean[possible], normal.root[possible]),
    )


@dataclass(frozen=True, eq=False)
class Numeric:
    """The continuous nodes that bear on a question, parents first.

    `asked` are those asked for, `switches` the discrete parents of all whose states are not known.
    """

    names: tuple[str, ...]
    asked: tuple[str, ...]
    switches: tuple[str, ...]

    @classmethod
    def of(cls, question: Question, problem: Problem, used: NDArray[np.bool_]) -> "Numeric":
        """Those among the factors used, or set from outside."""
        parts = question.parts
        involved = used[: len(parts.names)] | problem.cut
        names = tuple(
            name for name in parts.order if involved[parts.index[name]] and name not in parts.labels
        )
        above = [parent for name in names for parent in _discrete_parents(question, name)]
        return cls(
            names,
            tuple(name for name in question.names if name not in parts.labels),
            tuple(dict.fromkeys(parent for parent in above if parent not in question.known)),
        )

    def conditioned(
        self, question: Question, discrete: tuple[str, ...], states: NDArray[np.int64]
    ) -> tuple[Normal, Floats]:
        """Those asked for in each joint state of some discrete nodes, and the log density of the numbers."""
        known, n = question.known, len(states)
        above = {parent for name in self.names for parent in _discrete_parents(question, name)}
        codes = {name: states[:, k] for k, name in enumerate(discrete)}
        codes |= {name: np.array([int(known[name])]) for name in above if name in known}
        regressions = {name: _regression(question, name, codes, n) for name in self.names}
        numbers = {
            name: float(known[name]) for name in self.names if name in known and name not in question.actions
        }
        return conditioned(LinearNetwork.of(regressions, n), numbers, self.asked)


def _discrete_parents(question: Question, name: str) -> list[str]:
    parents = () if name in question.actions else question.parts.cpds[name].parents
    return [parent for parent in parents if parent in question.parts.labels]


def _regression(question: Question, name: str, codes: dict[str, NDArray[np.int64]], n: int) -> Regression:
    if name in question.actions:
        return Regression(np.full(n, float(question.known[name])), {}, np.zeros(n))
    numbers = {known: float(value) for known, value in question.known.items() if known not in codes}
    return regression_of(name, question.parts.cpds[name], codes, numbers, n)


def _possible_states(
    question: Question, problem: Problem, used: NDArray[np.bool_], discrete: tuple[str, ...]
) -> tuple[NDArray[np.int64], Floats]:
    """The joint states of some discrete nodes, and the log probability of each with the discrete evidence.

    None where that is impossible.
    """
    refuse_many_states(question, discrete)
    whole, with_tables = given_numbers(question, problem, used)
    logs = log_sum_out(whole, with_tables, problem.columns(list(discrete)), CELL_LIMIT)
    possible = logs > IMPOSSIBLE
    return np.argwhere(possible), logs[possible].ravel()


def refuse_many_states(question: Question, discrete: tuple[str, ...]) -> None:
    """Refuse a question with a normal distribution for each of too many joint states."""
    cells = math.prod(len(question.parts.labels[name]) for name in discrete)
    if cells > REGIME_LIMIT:
        raise NotExactError(
            f"The exact answer has a normal distribution for each of {cells:.3g} joint states of "
            f'{len(discrete)} discrete nodes; at most {REGIME_LIMIT:,} are computed. Use method="weighting".'
        )


def given_numbers(
    question: Question, problem: Problem, used: NDArray[np.bool_]
) -> tuple[Problem, NDArray[np.bool_]]:
    """The problem with a table of each discrete node that depends on numbers, and which tables to use."""
    parts, n = question.parts, len(question.parts.names)
    switches = {
        _scope(question, name): _logs_given_numbers(question, name)
        for name in parts.labels
        if used[parts.index[name]] and parts.without_table[parts.index[name]]
    }
    with_tables = np.concatenate(
        [used[:n] & ~parts.without_table, used[n:], np.ones(len(switches), np.bool_)]
    )
    return replace(problem, factors=problem.factors.with_log_tables(switches)), with_tables


def _scope(question: Question, name: str) -> tuple[int, ...]:
    """A discrete node after its discrete parents that are not known."""
    parts = question.parts
    return tuple(parts.index[node] for node in (*_open_parents(question, name), name))


def _open_parents(question: Question, name: str) -> list[str]:
    labels, known = question.parts.labels, question.known
    return [node for node in question.parts.cpds[name].parents if node in labels and node not in known]


def _logs_given_numbers(question: Question, name: str) -> Floats:
    """The log probabilities of a discrete node where its parents are what is known of them."""
    parts, cpd = question.parts, question.parts.cpds[name]
    unknown = [
        parent for parent in cpd.parents if parent not in parts.labels and parent not in question.known
    ]
    if unknown:
        raise NotExactError(
            f"{name!r} is discrete and depends on {unknown[0]!r}, which is continuous and not known, so "
            'there is no exact answer. Use method="weighting", or give the number as evidence.'
        )
    discrete = _open_parents(question, name)
    shape = [len(parts.labels[node]) for node in (*discrete, name)]
    if math.prod(shape) * len(shape) > CELL_LIMIT:  # all its joint states are written down
        raise NotExactError(
            f"The exact answer needs the table of {name!r} with its {len(discrete)} parents that are not "
            f'known, {math.prod(shape):,} cells, which is too large. Use method="weighting", or give more '
            "evidence."
        )
    *of_parents, own = np.indices(shape).reshape(len(shape), -1)
    codes = dict(zip(discrete, of_parents, strict=True))
    rows = [
        codes[parent] if parent in codes else np.full(len(own), question.known[parent])
        for parent in cpd.parents
    ]
    return cpd.log_probability(own, rows).reshape(shape)


def _total(question: Question, regimes: Regimes) -> float:
    if not len(regimes.log_weights):
        raise impossible(question)
    return float(logsumexp(regimes.log_weights))


def _table(question: Question, discrete: tuple[str, ...], regimes: Regimes, weights: Floats) -> Answer:
    """The probabilities of the discrete names asked for."""
    labels = question.parts.labels
    table = np.zeros([len(labels[name]) for name in discrete])
    first = np.zeros(len(weights), dtype=np.int64)  # an axis more, as there may be none
    np.add.at(table[None], (first, *_codes(question, discrete, regimes)), weights)
    return Answer(discrete, {name: labels[name] for name in discrete}, table)


def _states(question: Question, discrete: tuple[str, ...], regimes: Regimes) -> tuple[tuple[Label, ...], ...]:
    labels = question.parts.labels
    columns = [
        [labels[name][code] for code in codes.tolist()]
        for name, codes in zip(discrete, _codes(question, discrete, regimes), strict=True)
    ]
    return tuple(zip(*columns, strict=True))


def _codes(question: Question, discrete: tuple[str, ...], regimes: Regimes) -> list[NDArray[np.int64]]:
    """The code of each of these nodes in each regime."""
    n = len(regimes.states)
    return [
        regimes.states[:, regimes.discrete.index(name)]
        if name in regimes.discrete
        else np.full(n, int(question.known[name]))
        for name in discrete
    ]
