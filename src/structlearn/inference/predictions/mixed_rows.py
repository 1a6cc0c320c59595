"""Networks of discrete and continuous nodes with gaps: each different row is a question of its own.

Where there is no exact answer it comes from weighted rows, drawn with the same seed for each question.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.inference.answers import Answer
from structlearn.inference.approximate_answers import SampleAnswer
from structlearn.inference.predictions.known_rows import Integers, KnownRows
from structlearn.inference.queries import query
from structlearn.inference.regressions import NotExactError
from structlearn.inference.states import code_of
from structlearn.models import BayesianNetwork
from structlearn.models.cpds import Rows

Floats = NDArray[np.float64]
WEIGHTED_ROWS = 10_000  # of an answer without an exact one: shares are off by 0.005


def shares_one_by_one(model: BayesianNetwork, rows: KnownRows, at: Integers, target: str) -> Floats:
    """The probability of each state of a discrete node in some rows."""
    found = _asked(model, rows, at, target, lambda answer: answer.probabilities)
    return np.array(found).reshape(len(at), len(model.labels[target]))


def means_one_by_one(model: BayesianNetwork, rows: KnownRows, at: Integers, target: str) -> Floats:
    """The mean of a continuous node in some rows."""
    return np.array(_asked(model, rows, at, target, lambda answer: float(answer.mean[0])), dtype=np.float64)


def filled_one_by_one(
    model: BayesianNetwork, rows: KnownRows, rng: np.random.Generator, *, drawn: bool
) -> dict[str, Rows]:
    """The values of each node, gaps filled by a joint draw, or by most probable states and their means."""
    labels, ask = model.labels, _asking(model)
    filled = {node: np.array(values) for node, values in rows.values.items()}
    for row in np.flatnonzero(rows.unknown.any(axis=1)).tolist():
        names = [node for node, unknown in zip(rows.nodes, rows.unknown[row], strict=True) if unknown]
        evidence = rows.evidence(row, labels)
        discrete = tuple(name for name in names if name in labels)
        if discrete:
            states = _states(ask(discrete, evidence), rng if drawn else None)
            evidence |= dict(zip(discrete, states, strict=True))
            for name, state in zip(discrete, states, strict=True):
                filled[name][row] = code_of(name, labels[name], state)
        if numeric := tuple(name for name in names if name not in labels):
            numbers = _numbers(ask(numeric, evidence), rng if drawn else None)
            for name, number in zip(numeric, numbers.tolist(), strict=True):
                filled[name][row] = number
    return filled


def _asked(
    model: BayesianNetwork, rows: KnownRows, at: Integers, target: str, read: Callable[[Any], Any]
) -> list[Any]:
    """What is read of the answer for each row."""
    labels, ask = model.labels, _asking(model)
    return [read(ask((target,), rows.evidence(row, labels, without=target))) for row in at.tolist()]


def _asking(model: BayesianNetwork) -> Callable[[tuple[str, ...], dict[str, Any]], Any]:
    """Questions to the model; the same one is answered from memory."""

    @lru_cache(maxsize=2**12)
    def answered(names: tuple[str, ...], evidence: tuple[tuple[str, Any], ...]) -> Any:
        try:
            return query(model, names, dict(evidence))
        except NotExactError:
            return query(model, names, dict(evidence), method="weighting", n=WEIGHTED_ROWS, random_state=0)

    return lambda names, evidence: answered(names, tuple(evidence.items()))


def _states(answer: Answer, rng: np.random.Generator | None) -> tuple[Any, ...]:
    """The most probable joint state of discrete nodes or, with a generator, a draw."""
    shares = answer.probabilities.ravel()
    place = int(shares.argmax()) if rng is None else int(rng.choice(shares.size, p=shares / shares.sum()))
    codes = np.unravel_index(place, answer.probabilities.shape)
    return tuple(answer.labels[name][code] for name, code in zip(answer.names, codes, strict=True))


def _numbers(answer: Any, rng: np.random.Generator | None) -> Floats:
    """The means of continuous nodes or, with a generator, a joint draw."""
    if rng is None:
        means: Floats = answer.mean
        return means
    if isinstance(answer, SampleAnswer):
        row: Floats = answer.values[rng.choice(len(answer.weights), p=answer.weights)]
        return row
    k = rng.choice(len(answer.weights), p=answer.weights)
    drawn: Floats = answer.means[k] + _root(answer.covariances[k]) @ rng.standard_normal(len(answer.names))
    return drawn


def _root(covariance: Floats) -> Floats:
    """A matrix whose square is the covariance, also where that is singular.

    It is one of correlations: beside columns in large units the others would be rounding.
    """
    deviations = np.sqrt(np.diag(covariance))
    scale = np.where(deviations > 0.0, deviations, 1.0)
    strengths, directions = np.linalg.eigh(covariance / np.outer(scale, scale))
    root: Floats = deviations[:, None] * directions * np.sqrt(np.maximum(strengths, 0.0))
    return root
