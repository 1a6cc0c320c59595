"""Approximate inference by messages between columns and factors, exact where they form a tree."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.later import special

Floats = NDArray[np.float64]
MOST_SWEEPS = 500  # messages that have not settled by then go round in circles
DAMPING = 0.5  # calms messages that take turns between two values, at the price of twice the sweeps
# Stands for the logarithm of 0 in tables and messages: its exponential is 0, and it has differences.
LOG_ZERO = -1e5


@dataclass(frozen=True, eq=False)
class Factors:
    """Factors of one shape: `columns` is (factors, k), `tables` (factors, states of each of the k)."""

    columns: NDArray[np.int64]
    tables: Floats


@dataclass(frozen=True, eq=False)
class Beliefs:
    """What the messages say; `log_z` is Bethe's, and all is approximate where there are cycles.

    `columns` is (columns, most states), zero past a column's own; `factors` has tables like those given.
    """

    log_z: float
    columns: Floats
    factors: tuple[Floats, ...]
    messages: tuple[Floats, ...]
    n_sweeps: int
    converged: bool


def propagate(
    unary: Floats,
    factors: Sequence[Factors],
    *,
    start: tuple[Floats, ...] | None = None,
    damping: float = 0.0,
    tolerance: float = 1e-10,
    most_sweeps: int = MOST_SWEEPS,
) -> Beliefs:
    """Send all messages at once, again and again, until they no longer change.

    `unary` is (columns, most states), logarithms, -inf past a column's own states. Messages keep
    a share `damping` of what they said before. See `propagate_safely`.
    """
    messages = _silence(factors) if start is None else start
    n_sweeps, change = 0, np.inf
    while change > tolerance and n_sweeps < most_sweeps:
        before, messages = messages, _swept(unary, factors, messages, damping)
        change = max((float(np.abs(new - old).max()) for new, old in _pairs(messages, before)), default=0.0)
        n_sweeps += 1
    return _read(unary, factors, messages, n_sweeps, converged=change <= tolerance)


def propagate_safely(
    unary: Floats, factors: Sequence[Factors], start: tuple[Floats, ...] | None = None
) -> Beliefs:
    """Propagate, and once more with damping where the messages do not settle."""
    found = propagate(unary, factors, start=start)
    return found if found.converged else propagate(unary, factors, damping=DAMPING)


def _silence(factors: Sequence[Factors]) -> tuple[Floats, ...]:
    """Messages that say nothing: for each group and each of its axes, (factors, states)."""
    return tuple(
        np.full((len(group.tables), n_states), -np.log(n_states))
        for group in factors
        for n_states in group.tables.shape[1:]
    )


def _swept(
    unary: Floats, factors: Sequence[Factors], messages: tuple[Floats, ...], damping: float
) -> tuple[Floats, ...]:
    heard = _heard(unary, factors, messages)
    said = []
    for group, own in _by_group(factors, messages):
        incoming = _incoming(heard, group, own)
        together = _together(group, incoming)
        for axis, old in enumerate(own):
            others = tuple(a + 1 for a in range(len(own)) if a != axis)
            new = _log_sums(together, others) - incoming[axis]
            new -= _log_sums(new, (1,))[:, None]
            said.append(np.maximum((1.0 - damping) * new + damping * old, LOG_ZERO))
    return tuple(said)


def _heard(unary: Floats, factors: Sequence[Factors], messages: tuple[Floats, ...]) -> Floats:
    """The sum of all messages to each column, with its own table."""
    heard = unary.copy()
    for group, own in _by_group(factors, messages):
        for axis, message in enumerate(own):
            np.add.at(heard[:, : message.shape[1]], group.columns[:, axis], message)
    return heard


def _incoming(heard: Floats, group: Factors, own: Sequence[Floats]) -> list[Floats]:
    """What each column tells each factor: all it heard but from that factor."""
    return [heard[group.columns[:, axis], : message.shape[1]] - message for axis, message in enumerate(own)]


def _together(group: Factors, incoming: Sequence[Floats]) -> Floats:
    together = group.tables
    for axis, message in enumerate(incoming):
        shape = [len(message), *(n if a == axis else 1 for a, n in enumerate(group.tables.shape[1:]))]
        together = together + message.reshape(shape)
    return together


def _read(
    unary: Floats, factors: Sequence[Factors], messages: tuple[Floats, ...], n_sweeps: int, *, converged: bool
) -> Beliefs:
    heard = _heard(unary, factors, messages)
    columns = np.exp(heard - _log_sums(heard, (1,))[:, None])
    seen = columns > 0.0
    n_factors = np.zeros(len(unary))
    log_z = float((columns[seen] * unary[seen]).sum())
    tables = []
    for group, own in _by_group(factors, messages):
        together = _together(group, _incoming(heard, group, own))
        rest = tuple(range(1, together.ndim))
        belief = np.exp(together - _log_sums(together, rest).reshape(-1, *[1] * len(rest)))
        log_z += float((belief * group.tables).sum() + special.entr(belief).sum())
        np.add.at(n_factors, group.columns.ravel(), 1.0)
        tables.append(belief)
    log_z -= float((n_factors - 1.0) @ special.entr(columns).sum(axis=1))
    return Beliefs(log_z, columns, tuple(tables), messages, n_sweeps, converged)


def _log_sums(table: Floats, axes: tuple[int, ...]) -> Floats:
    """Logarithms of sums of exponentials; every sum has a finite member."""
    highest = table.max(axis=axes, keepdims=True)
    sums: Floats = np.log(np.exp(table - highest).sum(axis=axes)) + highest.squeeze(axis=axes)
    return sums


def _by_group(
    factors: Sequence[Factors], messages: tuple[Floats, ...]
) -> list[tuple[Factors, tuple[Floats, ...]]]:
    groups, start = [], 0
    for group in factors:
        end = start + group.columns.shape[1]
        groups.append((group, messages[start:end]))
        start = end
    return groups


def _pairs(new: tuple[Floats, ...], old: tuple[Floats, ...]) -> list[tuple[Floats, Floats]]:
    return [(a, b) for a, b in zip(new, old, strict=True) if a.size]
