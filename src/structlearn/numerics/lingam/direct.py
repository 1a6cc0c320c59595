"""DirectLiNGAM: the column that is most independent of what it leaves of the others comes next."""

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.lingam.linear import Floats, LinearOrder, Order, coefficients_along, standardised
from structlearn.numerics.lingam.measures import VALUES_AT_ONCE, entropies, precedence, precedence_by_tails
from structlearn.rounding import COLLINEAR
from structlearn.run import MustStop, never

Flags = NDArray[np.bool_]
Measure = Literal["entropy", "tanh"]


def direct_lingam(rows: Floats) -> LinearOrder:
    """The order of the columns and their effects on each other, from more rows than columns."""
    order = direct_order(rows)[0]
    return LinearOrder(order, coefficients_along(rows, order))


def direct_order(
    rows: Floats,
    weights: Floats | None = None,
    *,
    measure: Measure = "entropy",
    waits: Flags | None = None,
    must_stop: MustStop = never,
    show: Callable[[int], None] = lambda _: None,
) -> tuple[Order, Floats]:
    """The columns, causes first, and how much speaks against each place, of those that were found.

    Parameters
    ----------
    rows : array of shape (n, p)
        The table; no column is constant.
    weights : array of shape (n,), optional
        How often each row counts.
    measure : "entropy" or "tanh"
        By what one of two columns comes first.
    waits : array of bool, shape (p, p), optional
        Which columns (of a row) come after which, without a cycle.
    must_stop, show
        Whether to end, and what to do with the number of columns that are placed.

    Returns
    -------
    order, penalties
        Columns that have no place, because others determine them or there was no time, are at the end of the
        order and have no penalty.
    """
    n, p = rows.shape
    shares = np.full(n, 1.0 / n) if weights is None else weights / weights.sum()
    columns = standardised(rows, shares)
    waits = np.zeros((p, p), dtype=np.bool_) if waits is None else waits
    left, guess = np.arange(p), np.zeros((p, p))
    order: list[int] = []
    found: list[float] = []
    while len(left) and not must_stop():
        is_ready: Flags = waits[np.ix_(left, left)].sum(axis=1) == 0
        if not is_ready.any():  # what others determine is gone, and something waits for it
            break
        chosen = _next(columns, is_ready, guess, shares, measure, must_stop)
        if chosen is None:
            break
        best, penalty = chosen
        order.append(int(left[best]))
        found.append(penalty)
        columns, is_kept = _residuals(columns, best, shares)
        left, guess = left[is_kept], guess[np.ix_(is_kept, is_kept)]
        show(len(order))
    return _with_the_rest(order, waits), np.array(found)


def _next(
    columns: Floats, is_ready: Flags, guess: Floats, shares: Floats, measure: Measure, must_stop: MustStop
) -> tuple[int, float] | None:
    """The column that least speaks against, and how much: the squares of what is negative of its measures.

    A measure counts for one column or the other, as R(y, x) = −R(x, y). So a column is looked at no longer
    once more speaks against it than against one that is known in full; that is most of them, as what told
    most against a column the last time, its `guess`, is looked at first. Of equals the first is taken. None
    where time is up.
    """
    m, at_once = len(columns), max(VALUES_AT_ONCE // (4 * columns.shape[1]), 4)
    own = entropies(columns, shares) if measure == "entropy" else None
    penalties, is_known = np.zeros(m), np.eye(m, dtype=np.bool_)
    expected = np.square(np.minimum(guess, 0.0)).sum(axis=1)
    while not must_stop():
        is_whole: Flags = np.asarray(is_known.all(axis=1))
        best = int(np.where(is_ready & is_whole, penalties, np.inf).argmin())
        least = penalties[best] if is_ready[best] and is_whole[best] else np.inf
        is_open = is_ready & ~is_whole & (penalties <= least)
        is_open[best:] &= penalties[best:] < least
        if not is_open.any():
            return best, float(penalties[best])
        x = int(np.where(is_open, expected, np.inf).argmin())
        others = np.flatnonzero(~is_known[x])
        others = others[np.argsort(guess[x, others], kind="stable")[:at_once]]
        if own is None:
            found = precedence_by_tails(columns, x, others, shares)
        else:
            found = precedence(columns, x, others, own, shares)
        penalties[others] += np.square(np.maximum(found, 0.0))
        penalties[x] += float(np.square(np.minimum(found, 0.0)).sum())
        guess[x, others], guess[others, x] = found, -found
        is_known[x, others] = is_known[others, x] = True
    return None


def _residuals(columns: Floats, source: int, shares: Floats) -> tuple[Floats, Flags]:
    """What a column leaves of the others, standardised, and of which it leaves something."""
    rho = columns @ (shares * columns[source])
    left = 1.0 - np.square(rho)
    is_kept = left > COLLINEAR
    is_kept[source] = False
    rest = columns[is_kept] - rho[is_kept, None] * columns[source]
    return rest / np.sqrt(left[is_kept])[:, None], is_kept


def _with_the_rest(order: list[int], waits: Flags) -> Order:
    """The order with the columns that have no place behind it, in their own order as far as they can."""
    found, is_placed = [*order], set(order)
    rest = [j for j in range(len(waits)) if j not in is_placed]
    if not waits.any():
        return np.array(found + rest, dtype=np.int64)
    while rest:
        ready = next((j for j in rest if not waits[j, rest].any()), rest[0])
        rest.remove(ready)
        found.append(ready)
    return np.array(found, dtype=np.int64)
