"""Discrete models, many rows at once: rows with the same gaps share their factors and their order.

Gaps that no factor joins say nothing of each other, and are filled each with those of other rows. With full
evidence the factors that are left are those of the Markov blanket. Rows that agree on all that bears on the
answer are one row; sums and maxima run over an axis of rows, in logarithms.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.inference.elimination import CELL_LIMIT, Problem
from structlearn.inference.log_domain import elimination_order
from structlearn.inference.parts import Parts
from structlearn.inference.predictions.known_rows import (
    Flags,
    Integers,
    by_pattern,
    different_rows,
    refuse_impossible,
)

Floats = NDArray[np.float64]
Axes = tuple[int, ...]
Table = tuple[Axes, Floats]
"""The axes that are unknown, and logarithms with an axis of rows before those."""

BATCH_CELLS = 2**22  # 32 MiB for the largest product of a batch


@dataclass(frozen=True, eq=False)
class Step:
    """A variable that was eliminated, the product it was taken from, and what that product depends on."""

    axis: int
    others: Axes
    product: Floats


def posterior_shares(owner: str, parts: Parts, codes: Integers, target: int) -> Floats:
    """The probability of each state of a node in each row, (rows, states); its own code is not used."""
    unknown = codes < 0
    unknown[:, target] = True
    shares = np.empty((len(codes), int(parts.levels[target])))
    for pattern, rows in by_pattern(unknown):
        known = np.where(pattern, -1, 0)
        problem = Problem(parts, parts.factors, known, parts.nowhere, parts.nowhere)
        used = np.flatnonzero(problem.required(np.array([target], dtype=np.int64))).tolist()
        for batch, number, tables in _batches(parts, codes, pattern, rows, used, (target,)):
            _, left = _eliminated(parts, tables, (target,), _log_sum)
            logs = _product(left, (target,), parts)
            total = _log_sum(logs)
            refuse_impossible(owner, batch[np.isneginf(total)[number]])
            shares[batch] = np.exp(logs - total[:, None])[number]
    return shares


def filled_codes(owner: str, parts: Parts, codes: Integers, rng: np.random.Generator | None) -> Integers:
    """The codes with gaps filled: by a row's most probable joint state or, with a generator, by a draw."""
    filled = codes.copy()
    scopes = [parts.factors.scope(f) for f in range(len(parts.factors.has_zeros))]
    for pattern, rows in _joined_gaps(scopes, codes < 0):
        used = [f for f, scope in enumerate(scopes) if pattern[scope].any()]
        for batch, number, tables in _batches(parts, codes, pattern, rows, used, ()):
            steps, left = _eliminated(parts, tables, (), _highest if rng is None else _log_sum)
            total = _product(left, (), parts)
            refuse_impossible(owner, batch[np.broadcast_to(np.isneginf(total), number.max() + 1)[number]])
            for axis, states in _traced(steps, number, rng).items():
                filled[batch, axis] = states
    return filled


def _joined_gaps(scopes: list[list[int]], unknown: Flags) -> Iterator[tuple[Flags, Integers]]:
    """Each set of unknown columns that hang together by factors, and the rows in which it does so."""
    first = np.where(
        unknown, np.arange(unknown.shape[1]), -1
    )  # the first column that each hangs together with
    is_settled = False
    while not is_settled:
        before = first.copy()
        for scope in (scope for scope in scopes if len(scope) > 1):
            here = first[:, scope]
            lowest = np.where(here < 0, unknown.shape[1], here).min(axis=1, keepdims=True)
            first[:, scope] = np.where(here < 0, here, lowest)
        is_settled = np.array_equal(before, first)
    for column in np.flatnonzero(unknown.any(axis=0)).tolist():
        rows = np.flatnonzero(first[:, column] == column)
        for pattern, places in by_pattern(first[rows] == column):
            yield pattern, rows[places]


def _batches(
    parts: Parts, codes: Integers, pattern: Flags, rows: Integers, used: list[int], kept: Axes
) -> Iterator[tuple[Integers, Integers, list[Table]]]:
    """Rows, which different one each of them is, and what the evidence of the different ones leaves."""
    scopes = [parts.factors.scope(f) for f in used]
    bearing = sorted({v for scope in scopes for v in scope if not pattern[v]})
    first, number = different_rows(codes[rows][:, bearing], parts.levels[bearing].tolist())
    order = np.argsort(number, kind="stable")
    size = max(1, BATCH_CELLS // _largest(parts, scopes, pattern, kept))
    bounds = np.searchsorted(number[order], np.arange(0, len(first) + size, size))
    for i, start in enumerate(range(0, len(first), size)):
        own = codes[rows[first[start : start + size]]]
        inside = order[bounds[i] : bounds[i + 1]]
        tables = [_reduced(parts, f, scope, pattern, own) for f, scope in zip(used, scopes, strict=True)]
        yield rows[inside], number[inside] - start, tables


def _largest(parts: Parts, scopes: list[list[int]], pattern: Flags, kept: Axes) -> int:
    """The cells of the largest product for one row; a DataError where they do not fit."""
    left = [tuple(v for v in scope if pattern[v]) for scope in scopes]
    sizes = _sizes(parts)
    joined = [set(scope) for scope in left]
    largest = 1
    for axis in elimination_order(left, kept, sizes, CELL_LIMIT):
        around = set().union(*(scope for scope in joined if axis in scope))
        joined = [scope for scope in joined if axis not in scope] + [around - {axis}]
        largest = max(largest, int(np.prod([sizes[v] for v in around])))
    return largest


def _reduced(parts: Parts, f: int, scope: list[int], pattern: Flags, codes: Integers) -> Table:
    """What the evidence of each row leaves of a factor, in logarithms."""
    table = parts.factors.log_table(f, parts.levels)
    hidden = [k for k, v in enumerate(scope) if pattern[v]]
    given = [k for k, v in enumerate(scope) if not pattern[v]]
    logs = table.transpose([*given, *hidden])
    axes = tuple(scope[k] for k in hidden)
    if not given:
        return axes, logs[None]
    return axes, logs[tuple(codes[:, scope[k]] for k in given)]


def _eliminated(
    parts: Parts, tables: list[Table], kept: Axes, combine: Callable[[Floats], Floats]
) -> tuple[list[Step], list[Table]]:
    """Sum out, or maximise over, all axes but those kept."""
    left, steps = list(tables), []
    for axis in elimination_order([axes for axes, _ in tables], kept, _sizes(parts), CELL_LIMIT):
        touched = [table for table in left if axis in table[0]]
        others = tuple(dict.fromkeys(a for axes, _ in touched for a in axes if a != axis))
        product = _product(touched, (*others, axis), parts)
        steps.append(Step(axis, others, product))
        left = [table for table in left if axis not in table[0]] + [(others, combine(product))]
    return steps, left


def _traced(steps: list[Step], number: Integers, rng: np.random.Generator | None) -> dict[int, Integers]:
    """The state of each eliminated variable in each row, the last one first."""
    states: dict[int, Integers] = {}
    for step in reversed(steps):
        row = number if len(step.product) > 1 else np.zeros_like(number)
        logs = step.product[(row, *(states[other] for other in step.others))]
        if rng is None:
            states[step.axis] = logs.argmax(axis=1)
            continue
        sums = np.cumsum(np.exp(logs - logs.max(axis=1, keepdims=True)), axis=1)
        # Dividing makes the last possible state exactly 1, so that no rounding can draw a state behind it.
        below = (sums / sums[:, -1:])[:, :-1]
        states[step.axis] = (rng.random(len(number))[:, None] >= below).sum(axis=1)
    return states


def _product(tables: list[Table], axes: Axes, parts: Parts) -> Floats:
    """The sum of logarithms, with an axis of rows and then these axes."""
    total: Floats = np.zeros((1, *(int(parts.levels[a]) for a in axes)))
    for own, table in tables:
        order = sorted(range(len(own)), key=lambda k: axes.index(own[k]))
        shape = [int(parts.levels[a]) if a in own else 1 for a in axes]
        total = total + table.transpose(0, *(k + 1 for k in order)).reshape(len(table), *shape)
    return total


def _highest(product: Floats) -> Floats:
    highest: Floats = product.max(axis=-1)
    return highest


def _log_sum(product: Floats) -> Floats:
    """The logarithm of the sum over the last axis; scipy's takes ten times as long on small tables."""
    highest = product.max(axis=-1)
    base = np.where(np.isneginf(highest), 0.0, highest)
    with np.errstate(divide="ignore"):
        total: Floats = np.log(np.exp(product - base[..., None]).sum(axis=-1)) + base
    return total


def _sizes(parts: Parts) -> dict[int, int]:
    return dict(enumerate(parts.levels.tolist()))
