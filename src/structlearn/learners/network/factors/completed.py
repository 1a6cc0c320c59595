"""Tables with unknown entries, completed by matrices of low norm."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError, OptionError
from structlearn.learners.network.factors.chance import largest_by_chance
from structlearn.learners.network.factors.options import FactorOptions
from structlearn.learners.network.factors.table import Found, cosines, standardised
from structlearn.numerics.factorization.low_norm import factorised, hinge, small_start, soft_imputed
from structlearn.numerics.factorization.margins import graded, shifted, symmetric
from structlearn.run import Run

Floats = NDArray[np.float64]
Known = NDArray[np.bool_]

USUAL_RANK = 10
COSTS = (0.1, 0.3, 1.0, 3.0, 10.0)  # of a sign that does not fit
SHARES = (0.5, 0.25, 0.1, 0.05, 0.02)  # penalties of squares, per largest singular value
HELD_OUT = 0.1
MOST_GRADES = 10


class Problem(NamedTuple):
    """What is fitted: signs, standardised numbers or grades from 0 on, and the values of the grades."""

    labels: Floats
    is_known: Known
    loss: str
    levels: Floats


def by_low_norm(rows: Floats, options: FactorOptions, rng: np.random.Generator, run: Run) -> Found:
    """Columns are joined that the fitted matrix makes alike: by cosine for signs, else by correlation."""
    problem = _problem(rows, options, run)
    cost = options.cost or _best_cost(problem, options, rng, run)
    fitted, completed = _fitted(problem, cost, options, rng, run)
    parts = _parts(fitted)
    if problem.loss == "squared" and options.reading != "links":
        means = np.nanmean(rows, axis=0)
        completed = completed * np.sqrt(np.nanmean((rows - means) ** 2, axis=0)) + means
    is_carried = problem.loss == "squared" and options.likeness != "cosine"
    return Found(
        pairs=fitted.T @ fitted / len(fitted) if is_carried else cosines(fitted.T),
        pair_threshold=_threshold(problem.is_known, options) if is_carried else 0.5,
        parts=parts,
        part_threshold=0.5,
        extra={"completed": completed, "cost": cost, "used_loss": problem.loss, "rank": parts.shape[1]},
    )


def _problem(rows: Floats, options: FactorOptions, run: Run) -> Problem:
    is_known = ~np.isnan(rows)
    loss, levels = _loss(rows[is_known], options, run), np.unique(rows[is_known])
    if loss == "hinge":
        return Problem(np.where(rows > levels[0], 1.0, -1.0), is_known, loss, levels)
    if loss == "ordinal":
        places = np.searchsorted(levels, np.nan_to_num(rows)).astype(np.float64)
        return Problem(places, is_known, loss, levels)
    is_raw = options.reading == "links"
    labels = np.nan_to_num(standardised(rows, center=not is_raw, scale=not is_raw))
    return Problem(labels, is_known, loss, levels)


def _loss(values: Floats, options: FactorOptions, run: Run) -> str:
    levels = np.unique(values)
    are_signs = len(levels) <= 2 and (levels[0] in {-1.0, 0.0}) and levels[-1] == 1.0
    if options.loss in {"euclidean", "kl"}:
        raise OptionError(
            f"{run.owner}(loss={options.loss!r}): it is for non-negative factors. Use 'hinge', 'squared' or "
            "'ordinal'."
        )
    if options.loss == "hinge" and not are_signs:
        raise DataError(
            f"{run.owner}(loss='hinge'): it is for entries that are −1 and 1, or 0 and 1, and unknown ones. "
            "Use loss='squared' for other numbers."
        )
    loss = options.loss or ("hinge" if are_signs else "squared")
    if loss == "ordinal" and (len(levels) > MOST_GRADES or options.reading == "links"):
        raise DataError(
            f"{run.owner}(loss='ordinal'): it is for grades of at most {MOST_GRADES} values, not "
            f"{len(levels)}, and not for reading='links', where a sign is read."
        )
    if options.bias + options.symmetric + (loss == "ordinal") > 1 and loss != "squared":
        raise OptionError(
            f"{run.owner}(loss={loss!r}): of bias=True, symmetric=True and grades, which have thresholds of "
            "their own, only one can be used."
        )
    return loss


def _threshold(is_known: Known, options: FactorOptions) -> float:
    """What the largest correlation of independent columns exceeds by chance, over the rows of any pair."""
    n_rows, n_columns = is_known.shape
    both = (is_known.T.astype(np.float64) @ is_known)[~np.eye(n_columns, dtype=np.bool_)]
    n_pairs = n_columns * (n_columns - 1) // 2
    return largest_by_chance(options.alpha, float(both.min(initial=n_rows)), n_pairs)


def _fitted(
    problem: Problem, cost: float, options: FactorOptions, rng: np.random.Generator, run: Run
) -> tuple[Floats, Floats]:
    """The fitted matrix, and the table as it is completed: grades by their values."""
    labels, is_known, loss, levels = problem
    rank = options.rank if isinstance(options.rank, int) else USUAL_RANK
    start = small_start(labels.shape, min(rank, *labels.shape), rng)
    if loss == "ordinal":
        found = graded(labels.astype(np.int64), is_known, start, cost, len(levels))
        return found.matrix, levels[found.grades()]
    if loss == "squared":
        if options.symmetric:
            labels, is_known = _both_ways(labels, is_known)
        fitted = soft_imputed(labels, is_known, 1.0 / cost, run.must_stop, shifts=options.bias)
        return fitted, fitted
    if options.symmetric:
        fitted, _ = symmetric(labels, is_known, start[0], cost, hinge())
    elif options.bias:
        fitted, _ = shifted(labels, is_known, start, cost, hinge())
    else:
        fitted = factorised(labels, is_known, start, cost, hinge()).matrix()
    fitted[:, ~is_known.any(axis=0)] = 0.0  # of what is not known at all nothing is said
    fitted[~is_known.any(axis=1)] = 0.0
    return fitted, fitted


def _both_ways(labels: Floats, is_known: Known) -> tuple[Floats, Known]:
    """Entries that are known one way are known the other way; where both are, their mean."""
    total = np.where(is_known, labels, 0.0)
    count = is_known.astype(np.float64) + is_known.T
    return (total + total.T) / np.maximum(count, 1.0), count > 0.0


def _best_cost(problem: Problem, options: FactorOptions, rng: np.random.Generator, run: Run) -> float:
    """The cost that predicts a tenth of the known entries best."""
    labels, is_known, loss, _ = problem
    is_out = is_known & (rng.random(labels.shape) < HELD_OUT)
    left = problem._replace(is_known=is_known & ~is_out)
    costs = list(COSTS)
    if loss == "squared":
        largest = float(np.linalg.norm(np.where(left.is_known, labels, 0.0), 2))
        costs = [1.0 / max(share * largest, np.finfo(float).tiny) for share in SHARES]
    errors = []
    for cost in costs:
        _, fitted = _fitted(left, cost, options, rng, run)
        errors.append(float(_missed(left, fitted)[is_out].sum()))
        run.show("costs", len(errors), len(costs))
        if run.must_stop():
            break
    return costs[int(np.argmin(errors))]


def _missed(problem: Problem, fitted: Floats) -> Floats:
    """How far each entry is off: a wrong sign counts 1, grades count by their places."""
    if problem.loss == "hinge":
        return (fitted * problem.labels <= 0.0).astype(np.float64)
    if problem.loss == "ordinal":
        return np.abs(np.searchsorted(problem.levels, fitted) - problem.labels)
    return np.asarray((fitted - problem.labels) ** 2)


def _parts(fitted: Floats) -> Floats:
    """The column factors that matter, each with a largest size of 1."""
    _, values, right = np.linalg.svd(fitted, full_matrices=False)
    parts = right[values > 1e-6 * max(float(values[0]), np.finfo(float).tiny)].T
    largest = np.abs(parts).max(axis=0)
    signs = np.sign(parts[np.abs(parts).argmax(axis=0), np.arange(parts.shape[1])])
    return np.asarray(parts * signs / largest)
