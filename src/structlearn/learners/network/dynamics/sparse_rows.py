"""Sparse regressions of many targets on the same columns, by the lasso on one Gram matrix."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.later import optimize
from structlearn.numerics.descent import largest_penalty, lasso, lasso_path
from structlearn.numerics.kernels.subsets import DEPENDENT, subset_residual

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
TOLERANCE = 1e-9  # of the duality gap, as a share of the variance; splines make columns much alike
ROUNDING = 1e-14  # share of a target's variance below which what is left is rounding: the fewest columns win
PATIENCE = 10  # sets of columns down the path, none better, after which those to come are not tried
MOST_OF_THE_ROWS = 1 / 4  # columns per row; the best of many fit noise with more, whatever the price
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
    return row_at(design, target, weights, float(optimize.brentq(excess, 0.0, most, xtol=1e-14, rtol=1e-12)))


def refitted(design: Design, target: int, members: Places) -> Floats:
    """Least squares on some columns, without shrinkage."""
    result = np.zeros(len(design.gram))
    gram, product = design.gram[np.ix_(members, members)], design.products[members, target]
    result[members] = np.linalg.lstsq(gram, product, rcond=DEPENDENT)[0]
    return result


def in_use(design: Design, coefficients: Floats, weights: Floats) -> Places:
    """The columns of a row: those not at zero, and those without a penalty, but for constant ones."""
    return np.flatnonzero(((coefficients != 0.0) | (weights == 0.0)) & (np.diag(design.gram) > 0.0))


def row_by_ebic(design: Design, target: int, weights: Floats, penalties: Floats, column_price: float) -> Row:
    """The row of the path with the least extended BIC, once refitted and thinned.

    The lasso lets columns in that stand for others, and leaves them in once the others are there. So what
    each point of the path chose is thinned: the column that is missed least goes, as long as that pays.
    """
    product = np.ascontiguousarray(design.products[:, target])
    path = lasso_path(
        design.gram, product, penalties=penalties, weights=weights, tolerance=TOLERANCE, total=1.0
    )
    supports = [in_use(design, row, weights) for row in path.coefficients]
    price = _Price(design, product, column_price)
    best, best_price, chosen, since = 0, np.inf, supports[0], 0
    for point, support in enumerate(supports):
        if point and np.array_equal(support, supports[point - 1]):
            continue
        members, found = price.thinned(support, weights == 0.0)
        since += 1
        if found < best_price:
            best, best_price, chosen, since = point, found, members, 0
        if since > PATIENCE:
            break
    coefficients = np.zeros(len(weights))
    coefficients[chosen] = path.coefficients[best][chosen]
    return Row(coefficients, float(path.penalties[best]), float(path.gaps[best]))


@dataclass(frozen=True, slots=True)
class _Price:
    """The extended BIC of least squares on some columns."""

    design: Design
    product: Floats
    of_one: float

    def of(self, members: Places) -> float:
        """The price of a set; infinite where it fits whatever the target is."""
        if len(members) > self.design.size * MOST_OF_THE_ROWS:
            return np.inf
        left = max(float(subset_residual(self.design.gram, self.product, 1.0, members)), ROUNDING)
        return float(self.design.size * np.log(left)) + self.of_one * len(members)

    def thinned(self, members: Places, is_kept: NDArray[np.bool_]) -> tuple[Places, float]:
        """Leave out what is missed least, again and again, while that lowers the price."""
        price = self.of(members)
        while (~is_kept[members]).any() and np.isfinite(price):
            fewer = np.delete(members, self._missed_least(members, is_kept))
            without = self.of(fewer)
            if without >= price:
                break
            members, price = fewer, without
        return members, price

    def _missed_least(self, members: Places, is_kept: NDArray[np.bool_]) -> int:
        """The column whose coefficient, squared, is least per its variance: least squares loses just that."""
        gram = self.design.gram[np.ix_(members, members)] + DEPENDENT * np.eye(len(members))
        inverse = np.linalg.inv(gram)
        losses = (inverse @ self.product[members]) ** 2 / np.diag(inverse)
        return int(np.argmin(np.where(is_kept[members], np.inf, losses)))


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
