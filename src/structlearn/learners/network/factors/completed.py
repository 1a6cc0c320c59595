"""Tables with unknown entries, completed by matrices of low norm."""

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError, OptionError
from structlearn.learners.network.factors.chance import largest_by_chance
from structlearn.learners.network.factors.options import FactorOptions
from structlearn.learners.network.factors.table import Found, standardised
from structlearn.numerics.factorization.low_norm import factorised, hinge, small_start, soft_imputed
from structlearn.run import Run

Floats = NDArray[np.float64]
Known = NDArray[np.bool_]

USUAL_RANK = 10
COSTS = (0.1, 0.3, 1.0, 3.0, 10.0)  # of a sign that does not fit
SHARES = (0.5, 0.25, 0.1, 0.05, 0.02)  # penalties of squares, per largest singular value
HELD_OUT = 0.1


def by_low_norm(rows: Floats, options: FactorOptions, rng: np.random.Generator, run: Run) -> Found:
    """Columns are joined that the fitted matrix makes alike: by cosine for signs, else by correlation."""
    is_known = ~np.isnan(rows)
    loss = _loss(rows[is_known], options, run)
    labels = np.where(is_known, rows, 0.0)
    if loss == "hinge":
        labels = np.where(rows > np.nanmin(rows), 1.0, -1.0)
        threshold = 0.5
    else:
        labels = np.nan_to_num(
            standardised(rows, center=options.reading != "links", scale=options.reading != "links")
        )
        n_columns = rows.shape[1]
        both = (is_known.T.astype(np.float64) @ is_known)[~np.eye(n_columns, dtype=np.bool_)]
        threshold = largest_by_chance(
            options.alpha, float(both.min(initial=len(rows))), n_columns * (n_columns - 1) // 2
        )
    cost = options.cost or _best_cost(labels, is_known, loss, options, rng, run)
    fitted = _fitted(labels, is_known, cost, loss, options, rng, run)
    parts = _parts(fitted)
    return Found(
        pairs=_cosines(fitted) if loss == "hinge" else fitted.T @ fitted / len(fitted),
        pair_threshold=threshold,
        parts=parts,
        part_threshold=0.5,
        extra={"completed": fitted, "cost": cost, "used_loss": loss, "rank": parts.shape[1]},
    )


def _loss(values: Floats, options: FactorOptions, run: Run) -> str:
    are_signs = len(np.unique(values)) <= 2 and (values.min() in {-1.0, 0.0}) and values.max() == 1.0
    if options.loss in {"euclidean", "kl"}:
        raise OptionError(
            f"{run.owner}(loss={options.loss!r}): it is for non-negative factors. Use 'hinge' or 'squared'."
        )
    if options.loss == "hinge" and not are_signs:
        raise DataError(
            f"{run.owner}(loss='hinge'): it is for entries that are −1 and 1, or 0 and 1, and unknown ones. "
            "Use loss='squared' for other numbers."
        )
    return options.loss or ("hinge" if are_signs else "squared")


def _fitted(
    labels: Floats,
    is_known: Known,
    cost: float,
    loss: str,
    options: FactorOptions,
    rng: np.random.Generator,
    run: Run,
) -> Floats:
    if loss == "squared":
        return soft_imputed(labels, is_known, 1.0 / cost, run.must_stop)
    rank = options.rank if isinstance(options.rank, int) else USUAL_RANK
    start = small_start(labels.shape, min(rank, *labels.shape), rng)
    found = factorised(labels, is_known, start, cost, hinge()).matrix()
    found[:, ~is_known.any(axis=0)] = 0.0  # of what is not known at all nothing is said
    found[~is_known.any(axis=1)] = 0.0
    return found


def _best_cost(
    labels: Floats, is_known: Known, loss: str, options: FactorOptions, rng: np.random.Generator, run: Run
) -> float:
    """The cost that predicts a tenth of the known entries best."""
    is_out = is_known & (rng.random(labels.shape) < HELD_OUT)
    is_left = is_known & ~is_out
    costs = list(COSTS)
    if loss == "squared":
        largest = float(np.linalg.norm(np.where(is_left, labels, 0.0), 2))
        costs = [1.0 / max(share * largest, np.finfo(float).tiny) for share in SHARES]
    errors = []
    for cost in costs:
        fitted = _fitted(labels, is_left, cost, loss, options, rng, run)
        wrong = (fitted * labels <= 0.0) if loss == "hinge" else (fitted - labels) ** 2
        errors.append(float(wrong[is_out].sum()))
        run.show("costs", len(errors), len(costs))
        if run.must_stop():
            break
    return costs[int(np.argmin(errors))]


def _cosines(fitted: Floats) -> Floats:
    lengths = np.linalg.norm(fitted, axis=0)
    lengths = np.where(lengths > 0.0, lengths, 1.0)
    return np.asarray((fitted / lengths).T @ (fitted / lengths))


def _parts(fitted: Floats) -> Floats:
    """The column factors that matter, each with a largest size of 1."""
    _, values, right = np.linalg.svd(fitted, full_matrices=False)
    parts = right[values > 1e-6 * max(float(values[0]), np.finfo(float).tiny)].T
    largest = np.abs(parts).max(axis=0)
    signs = np.sign(parts[np.abs(parts).argmax(axis=0), np.arange(parts.shape[1])])
    return np.asarray(parts * signs / largest)
