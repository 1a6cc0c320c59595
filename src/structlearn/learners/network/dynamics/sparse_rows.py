"""Sparse regressions of many targets on the same columns, by the lasso on one Gram matrix."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from structlearn.numerics.descent import largest_penalty, lasso, lasso_path
from structlearn.numerics.extended_bic import extended_bic
from structlearn.numerics.kernels.subsets import DEPENDENT, subset_residual

Floats = NDArray[np.float64]
TOLERANCE = 1e-9  # of the duality gap, as a share of the variance; splines make columns much alike
ROUNDING = 1e-14  # share of a target's variance below which what is left is rounding: the fewest columns win
CONSTANT = 1e-13  # spread per size below which a column has only rounding


@dataclass(frozen=True, slots=True)
class Design:
    """Targets and columns, centred where there is an intercept and scaled to variance 1.

    `gram` is (columns, columns), `products` (columns, targets); both are means over the `size` rows. Columns
    and targets that do not vary have zeros.
    """

    gram: Floats
    products: Floats
    column_means: Floats
    target_means: Floats
    column_scales: Floats
    target_scales: Floats
    size: float

    @classmethod
    def of(cls, columns: Floats, targets: Floats, weights: Floats, *, intercept: bool) -> "Design":
        """The design of weighted rows."""
        share = weights / weights.sum()
        column_means = share @ columns if intercept else np.zeros(columns.shape[1])
        target_means = share @ targets if intercept else np.zeros(targets.shape[1])
        x, column_scales = _scaled(columns - column_means, columns, share)
        y, target_scales = _scaled(targets - target_means, targets, share)
        # The size of weighted rows is that of as many equal ones (Kish, 1965).
        size = weights.sum() ** 2 / (weights**2).sum()
        x_weighted = x * share[:, None]
        return cls(
            x_weighted.T @ x, x_weighted.T @ y, column_means, target_means, column_scales, target_scales, size
        )

    def unscaled(self, coefficients: Floats) -> tuple[Floats, Floats]:
        """Coefficients (targets, columns) and intercepts on the scale of the table."""
        ratio = np.divide(
            self.target_scales[:, None],
            self.column_scales[None, :],
            out=np.zeros_like(coefficients),
            where=self.column_scales[None, :] > 0.0,
        )
        matrix = coefficients * ratio
        return matrix, self.target_means - matrix @ self.column_means


@dataclass(frozen=True, slots=True)
class Row:
    """One target's regression: scaled coefficients, the penalty, and how far it can be from the optimum."""

    coefficients: Floats
    penalty: float
    gap: float


def _scaled(centred: Floats, raw: Floats, share: Floats) -> tuple[Floats, Floats]:
    scales = np.sqrt(share @ centred**2)
    scales[scales <= CONSTANT * np.abs(raw).max(axis=0, initial=0.0)] = 0.0
    return np.divide(centred, scales, out=np.zeros_like(centred), where=scales > 0.0), scales


def penalties_below(largest: float, n_penalties: int, smallest_share: float) -> Floats:
    """Penalties from the largest down, in equal ratios."""
    return np.asarray(largest * np.geomspace(1.0, smallest_share, n_penalties))


def row_at(design: Design, target: int, weights: Floats, penalty: float) -> Row:
    """The lasso of one target at a penalty."""
    fit = lasso(
        design.gram,
        design.products[:, target],
        penalty=penalty,
        weights=weights,
        tolerance=TOLERANCE,
        total=1.0,
    )
    return Row(fit.coefficients, penalty, fit.gap)


def row_within(design: Design, target: int, weights: Floats, bound: float) -> Row:
    """The lasso in its other form: least squares where the weighted L1 norm is `bound` at most.

    The norm falls while the penalty grows, so that one number decides which penalty is meant.
    """
    counted = np.where(np.isfinite(weights), weights, 0.0)

    def excess(penalty: float) -> float:
        return float(counted @ np.abs(row_at(design, target, weights, penalty).coefficients)) - bound

    most = largest_penalty(design.products[:, target], weights)
    if most == 0.0 or excess(0.0) <= 0.0:
        return row_at(design, target, weights, 0.0)
    return row_at(design, target, weights, float(brentq(excess, 0.0, most, xtol=1e-14, rtol=1e-12)))


def refitted(design: Design, target: int, members: NDArray[np.int64]) -> Floats:
    """Least squares on some columns, without shrinkage."""
    result = np.zeros(len(design.gram))
    gram, product = design.gram[np.ix_(members, members)], design.products[members, target]
    result[members] = np.linalg.lstsq(gram, product, rcond=DEPENDENT)[0]
    return result


def in_use(design: Design, coefficients: Floats, weights: Floats) -> NDArray[np.int64]:
    """The columns of a row: those not at zero, and those without a penalty, but for constant ones."""
    return np.flatnonzero(((coefficients != 0.0) | (weights == 0.0)) & (np.diag(design.gram) > 0.0))


def row_by_ebic(design: Design, target: int, weights: Floats, penalties: Floats, gamma: float) -> Row:
    """The row of the path whose refit has the least extended BIC."""
    path_target = np.ascontiguousarray(design.products[:, target])
    path = lasso_path(
        design.gram, path_target, penalties=penalties, weights=weights, tolerance=TOLERANCE, total=1.0
    )
    members = [in_use(design, row, weights) for row in path.coefficients]
    sizes = np.array([len(places) for places in members])
    left = np.array([subset_residual(design.gram, path_target, 1.0, places) for places in members])
    left = np.where(sizes >= design.size - 1.0, np.nan, np.maximum(left, ROUNDING))
    n_candidates = float(np.isfinite(weights).sum())
    criterion = extended_bic(
        -0.5 * design.size * np.log(left), sizes, size=design.size, n_candidates=n_candidates, gamma=gamma
    )
    best = int(criterion.argmin())
    return Row(path.coefficients[best], float(path.penalties[best]), float(path.gaps[best]))


def penalty_by_parts(
    parts: Sequence[tuple[Design, Callable[[int, Floats], Floats]]],
    target: int,
    weights: Floats,
    penalties: Floats,
) -> float:
    """The penalty whose rows predict best what was left out, by the design and the errors of each part."""
    errors = np.zeros(len(penalties))
    for design, held_out in parts:
        path = lasso_path(
            design.gram,
            design.products[:, target],
            penalties=penalties,
            weights=weights,
            tolerance=TOLERANCE,
            total=1.0,
        )
        errors += held_out(target, path.coefficients)
    return float(np.sort(penalties)[::-1][int(errors.argmin())])
