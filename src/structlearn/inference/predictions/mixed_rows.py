"""Networks of discrete and continuous nodes with gaps: each different row is a question of its own."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.inference.answers import Answer, GaussianAnswer
from structlearn.inference.predictions.known_rows import Integers, KnownRows
from structlearn.inference.queries import query
from structlearn.inference.states import code_of
from structlearn.models import BayesianNetwork
from structlearn.models.cpds import Rows

Floats = NDArray[np.float64]


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
        answer = ask(tuple(names), rows.evidence(row, labels))
        states, numbers = _drawn(answer, rng) if drawn else _most_probable(answer)
        discrete = [name for name in names if name in labels]
        for name, state in zip(discrete, states, strict=True):
            filled[name][row] = code_of(name, labels[name], state)
        for name, number in zip((name for name in names if name not in labels), numbers, strict=True):
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
        return query(model, names, dict(evidence))

    return lambda names, evidence: answered(names, tuple(evidence.items()))


def _most_probable(answer: Any) -> tuple[tuple[Any, ...], Floats]:
    if isinstance(answer, Answer):
        return _state(answer, int(answer.probabilities.argmax())), np.zeros(0)
    if isinstance(answer, GaussianAnswer):
        return (), answer.mean
    place = int(answer.discrete.probabilities.argmax())
    states = _state(answer.discrete, place)
    own = np.array([each == states for each in answer.states])
    weights = answer.weights[own] / answer.weights[own].sum()
    return states, weights @ answer.means[own]


def _drawn(answer: Any, rng: np.random.Generator) -> tuple[tuple[Any, ...], Floats]:
    if isinstance(answer, Answer):
        place = rng.choice(answer.probabilities.size, p=answer.probabilities.ravel())
        return _state(answer, int(place)), np.zeros(0)
    k = rng.choice(len(answer.weights), p=answer.weights)
    states = () if isinstance(answer, GaussianAnswer) else answer.states[k]
    return states, rng.multivariate_normal(answer.means[k], answer.covariances[k], method="eigh")


def _state(answer: Answer, place: int) -> tuple[Any, ...]:
    codes = np.unravel_index(place, answer.probabilities.shape)
    return tuple(answer.labels[name][code] for name, code in zip(answer.names, codes, strict=True))
