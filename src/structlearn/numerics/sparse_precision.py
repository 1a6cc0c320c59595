"""The sparse precision matrix of a covariance matrix: split into parts, each by its solver."""

from typing import Literal

import numpy as np

from structlearn.gpu import precision as on_cards
from structlearn.numerics.precision.block import block
from structlearn.numerics.precision.components import closed_form, parts_to_solve, precision_by_links
from structlearn.numerics.precision.nesterov import nesterov
from structlearn.numerics.precision.newton import newton
from structlearn.numerics.precision.penalised_likelihood import (
    Matrix,
    PrecisionFit,
)
from structlearn.run import MustStop, never

Solver = Literal["newton", "block", "nesterov"]
FINEST_GAP = 1e-12  # for each column; smaller ones are rounding, and no reason to try another solver
SURELY_NOT_REACHED = 10.0  # times the gap asked for: a solver may end a little above it by rounding
ROUGH = 0.01  # the gap, for each column, to which the smooth method goes alone
NEGLIGIBLE = 1e-4  # entries of the smooth method, beside the diagonal, that are set to zero


def sparse_precision(
    covariance: Matrix,
    penalties: Matrix,
    *,
    solver: Solver = "newton",
    start: Matrix | None = None,
    tolerance: float = 1e-8,
    must_stop: MustStop = never,
    on_card: bool = False,
) -> PrecisionFit:
    """Minimise the penalised likelihood to a gap of `tolerance` for each column.

    The Newton solver begins at `start`, where that is given and positive definite, or as if links had no
    cycle. Should it end above the gap where there is an optimum, the columns are solved one after the other.
    A graphics card does the steps of large parts if asked to.
    """
    variances = np.diag(covariance) + np.diag(penalties)
    precision, inverse = np.diag(1.0 / variances), np.diag(variances)
    size, gap, n_steps = -float(np.log(variances).sum()), 0.0, 0
    for columns in parts_to_solve(covariance, penalties):
        # A view of the whole where there is nothing to split: copies of large matrices take their time.
        is_whole = len(columns) == len(covariance)
        part = (slice(None), slice(None)) if is_whole else np.ix_(columns, columns)
        fit = _solve_part(
            covariance[part],
            penalties[part],
            solver=solver,
            start=None if start is None else start[part],
            tolerance=tolerance,
            must_stop=must_stop,
            on_card=on_card and len(columns) >= on_cards.SMALLEST,
        )
        if is_whole:
            return fit
        precision[part], inverse[part] = fit.precision, fit.covariance
        size += fit.log_determinant + float(np.log(variances[columns]).sum())
        gap, n_steps = gap + fit.gap, max(n_steps, fit.n_steps)
    return PrecisionFit(precision, inverse, size, gap, n_steps)


def _solve_part(
    covariance: Matrix,
    penalties: Matrix,
    *,
    solver: Solver,
    start: Matrix | None,
    tolerance: float,
    must_stop: MustStop,
    on_card: bool,
) -> PrecisionFit:
    exact = closed_form(covariance, penalties)
    if exact is not None:
        return exact
    if solver == "block":
        return block(covariance, penalties, tolerance=tolerance, must_stop=must_stop)
    if solver == "nesterov":
        start = _smooth_start(covariance, penalties, must_stop)
    if start is None:
        start = precision_by_links(covariance, penalties)
    if start is None:
        start = np.diag(1.0 / (np.diag(covariance) + np.diag(penalties)))
    visible = max(tolerance, FINEST_GAP)
    far = SURELY_NOT_REACHED * visible * len(covariance)
    if on_card:
        found = on_cards.newton_on_card(
            covariance, penalties, start, tolerance=tolerance, must_stop=must_stop
        )
        fit = PrecisionFit(*found)
        if fit.gap <= far or must_stop():
            return fit
        start = fit.precision
    fit = newton(covariance, penalties, start, tolerance=tolerance, must_stop=must_stop)
    if fit.gap <= far or must_stop() or not _has_optimum(penalties):
        return fit
    other = block(covariance, penalties, tolerance=visible, must_stop=must_stop)
    return other if other.gap < fit.gap else fit


def _has_optimum(penalties: Matrix) -> bool:
    """Whether there is an optimum whatever the covariances: every pair has a price."""
    return bool((penalties[~np.eye(len(penalties), dtype=np.bool_)] > 0.0).all())


def _smooth_start(covariance: Matrix, penalties: Matrix, must_stop: MustStop) -> Matrix:
    """The answer of the smooth method, which has no zeros, with those entries at zero that are nearly so."""
    enough = ROUGH * len(covariance)
    fit = nesterov(covariance, penalties, accuracy=enough, tolerance=enough, must_stop=must_stop)
    diagonal = np.diag(fit.precision)
    small = np.abs(fit.precision) <= NEGLIGIBLE * np.sqrt(np.outer(diagonal, diagonal))
    return np.where(small, 0.0, fit.precision)
