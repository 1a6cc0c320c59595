"""Likelihood weighting: rows drawn from a network, each with the probability of the evidence in it.

Fung and Chang (1990), Weighing and integrating evidence for stochastic simulation in Bayesian networks.
Shachter and Peot (1990), Simulation approaches to general probabilistic inference on belief networks.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from structlearn.errors import DataError, warn
from structlearn.inference.answers import Floats
from structlearn.inference.approximate_answers import SampleAnswer, WeightedAnswer
from structlearn.inference.elimination import Problem
from structlearn.inference.questions import Question
from structlearn.models.cpds import Rows

BATCH_ROWS = 2**14  # the columns of some hundred nodes stay in the cache of a core
FEW = 0.01  # of the rows, below which an effective size is worth a warning


@dataclass(frozen=True, eq=False)
class WeightedRows:
    """Values of the names asked for, weights that sum to 1, and the logarithm of the mean they had before."""

    values: Mapping[str, Rows]
    weights: Floats
    log_mean: float

    @property
    def effective_size(self) -> float:
        """How many rows of equal weight would be as good."""
        return float(1.0 / (self.weights @ self.weights))


def weighted_answer(
    question: Question, *, n: int = 100_000, random_state: int | np.random.Generator | None = None
) -> WeightedAnswer | SampleAnswer:
    """Draw `n` rows of a network of any distributions, and weigh them by the evidence."""
    if question.parts.directed is None:
        raise DataError(
            "query(method='weighting') takes a Bayesian network; use 'gibbs', 'loopy' or 'exact'."
        )
    rows = _drawn(question, n, np.random.default_rng(random_state))
    _warn_of_few(rows, n)
    labels = question.parts.labels
    continuous = tuple(name for name in question.names if name not in labels)
    discrete = tuple(name for name in question.names if name in labels)
    if not continuous:
        return _table(question, discrete, rows)
    values = np.stack([rows.values[name].astype(np.float64) for name in continuous], axis=1)
    mean: Floats = rows.weights @ values
    apart = values - mean
    return SampleAnswer(
        names=continuous,
        values=values,
        weights=rows.weights,
        mean=mean,
        covariance=(apart * rows.weights[:, None]).T @ apart,
        standard_error=np.sqrt(rows.weights**2 @ apart**2),
        effective_size=rows.effective_size,
        log_evidence=rows.log_mean,
        discrete=_table(question, discrete, rows) if discrete else None,
    )


def _drawn(question: Question, n: int, rng: np.random.Generator) -> WeightedRows:
    parts = question.parts
    problem = Problem.of(question)
    needed = problem.ancestral(problem.columns(list(question.names)))
    order = [name for name in parts.order if needed[parts.index[name]] or name in question.actions]
    batches = [_batch(question, order, min(BATCH_ROWS, n - start), rng) for start in range(0, n, BATCH_ROWS)]
    logs = np.concatenate([logs for _, logs in batches])
    if logs.max() == -np.inf:
        raise DataError(
            f"query(method='weighting'): the evidence {question.evidence_in_words()} was never supported by "
            f"{n:,} rows. Draw more, use method='exact', or correct a state."
        )
    values = {name: np.concatenate([drawn[name] for drawn, _ in batches]) for name in question.names}
    weights = np.exp(logs - logs.max())
    return WeightedRows(values, weights / weights.sum(), float(logsumexp(logs)) - math.log(n))


def _batch(
    question: Question, order: list[str], n: int, rng: np.random.Generator
) -> tuple[dict[str, Rows], Floats]:
    """Rows of the nodes in order, each after its parents, and their log weights."""
    drawn: dict[str, Rows] = {}
    logs = np.zeros(n)
    for name in order:
        if name in question.known:
            drawn[name] = np.full(n, question.known[name])
        if name in question.actions:
            continue
        cpd = question.parts.cpds[name]
        parents = [drawn[parent] for parent in cpd.parents]
        if name in question.known:
            logs += cpd.log_probability(drawn[name], parents)
            continue
        drawn[name] = cpd.sample(parents, n, rng)
        if name in question.likelihoods:
            with np.errstate(divide="ignore"):
                logs += np.log(question.likelihoods[name])[drawn[name]]
    return {name: drawn[name] for name in question.names}, logs


def _table(question: Question, names: tuple[str, ...], rows: WeightedRows) -> WeightedAnswer:
    labels = {name: question.parts.labels[name] for name in names}
    shape = [len(labels[name]) for name in names]
    cells = np.zeros(len(rows.weights), dtype=np.int64)
    for name, size in zip(names, shape, strict=True):
        cells = cells * size + rows.values[name]
    table, squares = (
        np.bincount(cells, weights, math.prod(shape)).reshape(shape).astype(np.float64)
        for weights in (rows.weights, rows.weights**2)
    )
    # The sum of w² (f − p)², where f is 1 in the cell and 0 elsewhere.
    spread: NDArray[np.float64] = squares * (1.0 - 2.0 * table) + table**2 * squares.sum()
    return WeightedAnswer(
        names,
        labels,
        table,
        method="weighting",
        error=np.sqrt(np.maximum(spread, 0.0)),
        find_log_evidence=lambda: rows.log_mean,
        n_rows=len(rows.weights),
        effective_size=rows.effective_size,
    )


def _warn_of_few(rows: WeightedRows, n: int) -> None:
    if rows.effective_size >= FEW * n:
        return
    warn(
        f"query(method='weighting'): the {n:,} rows are worth {rows.effective_size:,.0f} only, because the "
        "evidence is unlikely in most of them. Use method='exact' or 'gibbs', or draw more."
    )
