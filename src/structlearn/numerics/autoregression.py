"""Linear models of series: each variable by the earlier values of all."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from structlearn.later import csgraph, lapack, sparse, special
from structlearn.numerics.acyclic import acyclic_order

Floats = NDArray[np.float64]

PERFECT = 1e-13  # share of a variable's squares that rounding alone leaves
MANY_COLUMNS = 200  # with fewer, the surest way takes no time
NEARLY_DEPENDENT = 1e-6  # share of a column's squares: products of less have lost half of their digits
UNSEEN = 1e-8  # part of a column in what rows do not see, of 1; rounding alone makes less


@dataclass(frozen=True, slots=True)
class LaggedRows:
    """What is now, (rows, variables), and what was, (rows, lags · variables), both standardised.

    Columns of the past are lag by lag. `scales` are the standard deviations of what is now, `past_scales`
    those of the past; a constant column is 0 here, and its scale 1. Rows are multiplied by the root of their
    weight, so that sums of products are weighted, and `n_rows` is the sum of the weights. Where rows are not
    centred, means are 0 and deviations are from 0: regressions have no constant.
    """

    now: Floats
    past: Floats
    means: Floats
    past_means: Floats
    scales: Floats
    past_scales: Floats
    n_rows: float
    are_centred: bool = True

    @classmethod
    def of(
        cls, now: Floats, past: Floats, weights: Floats | None = None, *, centred: bool = True
    ) -> "LaggedRows":
        """Standardise; `past` is (rows, lags, variables)."""
        flat = past.reshape(len(past), -1)
        (now, means, scales), (flat, past_means, past_scales) = (
            _standard(columns, weights, centred=centred) for columns in (now, flat)
        )
        n_rows = len(now) if weights is None else float(weights.sum())
        return cls(now, flat, means, past_means, scales, past_scales, n_rows, centred)

    def only(self, chosen: NDArray[np.bool_]) -> "LaggedRows":
        """Those in which columns of the past that are not chosen say nothing."""
        past, scales = np.where(chosen, self.past, 0.0), np.where(chosen, self.past_scales, 1.0)
        return self if chosen.all() else replace(self, past=past, past_scales=scales)

    @property
    def n_lags(self) -> int:
        """How many lags there are."""
        return int(self.past.shape[1] // self.now.shape[1])

    def in_units(self, coefficients: Floats) -> tuple[Floats, Floats]:
        """Coefficients (lags · variables, targets) as (lags, targets, sources) in the units of the rows.

        And the intercepts.
        """
        scaled = coefficients * self.scales / self.past_scales[:, None]
        matrices = scaled.reshape(self.n_lags, -1, scaled.shape[1]).transpose(0, 2, 1)
        return matrices, self.means - self.past_means @ scaled


@dataclass(frozen=True, slots=True)
class Regression:
    """Least squares of all variables on the past: coefficients (columns, targets), squares left, rank.

    And the inverse of the products of the columns, where it is known.
    """

    coefficients: Floats
    squares: Floats
    rank: int
    inverse: Floats | None = None


def least_squares(rows: LaggedRows) -> Regression:
    """Regress each variable on the whole past; of many solutions the one of least norm."""
    if MANY_COLUMNS <= rows.past.shape[1] < rows.n_rows and (quick := _by_products(rows)) is not None:
        return quick
    found, _, rank, _ = np.linalg.lstsq(rows.past, rows.now)
    squares = ((rows.now - rows.past @ found) ** 2).sum(axis=0)
    is_perfect = squares <= PERFECT * rows.n_rows
    return Regression(found.astype(np.float64), np.where(is_perfect, 0.0, squares), int(rank))


def _by_products(rows: LaggedRows) -> Regression | None:
    """By the products of many columns, in a tenth of the time; None where some nearly depend on others."""
    products = rows.past.T @ rows.past
    factor, failed = lapack.dpotrf(products, lower=1)
    if failed or np.diag(factor).min() ** 2 < NEARLY_DEPENDENT * rows.n_rows:
        return None
    inverse, _ = lapack.dpotri(factor, lower=1)
    inverse = np.tril(inverse) + np.tril(inverse, -1).T
    across = rows.past.T @ rows.now
    found = inverse @ across
    squares = np.square(rows.now).sum(axis=0) - (found * across).sum(axis=0)
    if (squares < NEARLY_DEPENDENT * rows.n_rows).any():  # a difference of two that are nearly the same
        return None
    return Regression(found, squares, len(products), inverse)


@dataclass(frozen=True, slots=True)
class GrangerTests:
    """Of each source and target: the F statistic and its p-value; rows of `f` are targets."""

    f: Floats
    p_value: Floats


def granger_tests(
    rows: LaggedRows, fitted: Regression, must_stop: Callable[[], bool] = lambda: False
) -> GrangerTests:
    """Test whether the past of a source helps to predict a target, beside the past of all others.

    F = ((RSS₀ − RSS₁) / k) / (RSS₁ / (n − rank − 1)). Dropping a group of columns raises the squares by
    b'(G⁻¹ of the group)⁻¹b, so that one inverse serves all tests. Where columns depend on each other only
    what no others can stand in for counts.
    """
    n_variables, n_lags = rows.now.shape[1], rows.n_lags
    known = fitted.inverse
    inverse = np.asarray(np.linalg.pinv(rows.past.T @ rows.past, hermitian=True)) if known is None else known
    f = np.zeros((n_variables, n_variables))
    dof = rows.n_rows - fitted.rank - rows.are_centred
    n_free = np.full(n_variables, n_lags)
    unseen = np.zeros((len(inverse), 0))
    if fitted.rank < len(inverse):
        unseen = np.linalg.svd(rows.past, full_matrices=False)[2][fitted.rank :].T
    for source in range(n_variables):
        if must_stop():
            break
        group = np.arange(n_lags) * n_variables + source
        own = _determined(unseen[group])
        n_free[source] = max(own.shape[1], 1)
        block = np.linalg.pinv(own.T @ inverse[np.ix_(group, group)] @ own, hermitian=True)
        weights = own.T @ fitted.coefficients[group]
        raised = np.maximum(np.einsum("kt,kl,lt->t", weights, block, weights), 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = (raised / n_free[source]) / (fitted.squares / dof)
        f[:, source] = np.where(raised <= PERFECT * rows.n_rows, 0.0, ratio)
    tails = np.where(np.isinf(f), 0.0, special.fdtrc(n_free, dof, np.where(np.isinf(f), 0.0, f)))
    return GrangerTests(f, tails)


def bivariate_tests(
    rows: LaggedRows,
    must_stop: Callable[[], bool] = lambda: False,
    *,
    may_act: NDArray[np.bool_] | None = None,
) -> GrangerTests:
    """Test whether the past of a source helps to predict a target beside the target's own past alone.

    The own past of a target is tested beside nothing. `may_act` says which sources (rows) may act on which
    targets: others are in no regression. As far as time allows; then F is 0.
    """
    n_variables = rows.now.shape[1]
    groups = [rows.past[:, source::n_variables] for source in range(n_variables)]
    allowed = np.ones((n_variables, n_variables), dtype=np.bool_) if may_act is None else may_act
    f, p_value = np.zeros((n_variables, n_variables)), np.ones((n_variables, n_variables))
    for target in range(n_variables):
        if must_stop():
            break
        now, own = rows.now[:, target], groups[target] * allowed[target, target]
        alone, beside = (float(now @ now), 0), _left_by(own, now)
        for source in np.flatnonzero(allowed[:, target]).tolist():
            less, less_rank = alone if source == target else beside
            full, rank = beside if source == target else _left_by(np.hstack([own, groups[source]]), now)
            if rank > less_rank and less - full > PERFECT * rows.n_rows:
                n_free, dof = rank - less_rank, rows.n_rows - rank - rows.are_centred
                is_perfect = full <= PERFECT * rows.n_rows
                f[target, source] = np.inf if is_perfect else ((less - full) / n_free) / (full / dof)
                p_value[target, source] = 0.0 if is_perfect else special.fdtrc(n_free, dof, f[target, source])
    return GrangerTests(f, p_value)


def _left_by(columns: Floats, now: Floats) -> tuple[float, int]:
    """The squares that least squares leave, and the rank of the columns."""
    found, _, rank, _ = np.linalg.lstsq(columns, now)
    return float(np.square(now - columns @ found).sum()), int(rank)


def _determined(unseen: Floats) -> Floats:
    """The directions of a group, as columns, that no change which the rows do not see has a part in."""
    if not unseen.shape[1]:
        return np.eye(len(unseen))
    directions, sizes, _ = np.linalg.svd(unseen)
    return directions[:, int((sizes > UNSEEN).sum()) :]


def bic_of_order(now: Floats, past: Floats) -> tuple[float, float]:
    """The log-likelihood of least squares on the past (rows, lags, variables), and its BIC."""
    rows = LaggedRows.of(now, past)
    residuals = (rows.now - rows.past @ least_squares(rows).coefficients) * rows.scales
    n, p = now.shape
    sign, log_determinant = np.linalg.slogdet(residuals.T @ residuals / n)
    if sign <= 0:
        return math.inf, -math.inf
    likelihood = -0.5 * n * (p * math.log(2.0 * math.pi) + log_determinant + p)
    n_parameters = p * (rows.past.shape[1] + 1) + p * (p + 1) / 2
    return float(likelihood), float(likelihood - 0.5 * math.log(n) * n_parameters)


def spectral_radius(matrices: Floats, lags: tuple[int, ...]) -> float:
    """The largest modulus of an eigenvalue of the companion matrix: from 1 on a system runs away.

    Variables that no common cycle joins have eigenvalues of their own, so that few at a time are looked at.
    """
    joined = sparse.csr_matrix((matrices != 0.0).any(axis=0))
    n_parts, part = csgraph.connected_components(joined, connection="strong")
    ends = np.cumsum(np.bincount(part, minlength=n_parts))[:-1]
    parts = np.split(np.argsort(part, kind="stable"), ends)
    return max((_radius_of(matrices[:, of][:, :, of], lags) for of in map(np.ravel, parts)), default=0.0)


def _radius_of(matrices: Floats, lags: tuple[int, ...]) -> float:
    if not matrices.any():
        return 0.0
    n = matrices.shape[1]
    companion = np.eye(n * lags[-1], k=-n)
    companion[:n] = 0.0
    for lag, matrix in zip(lags, matrices, strict=True):
        companion[:n, (lag - 1) * n : lag * n] = matrix
    return float(np.abs(np.linalg.eigvals(companion)).max())


def _standard(columns: Floats, weights: Floats | None, *, centred: bool) -> tuple[Floats, Floats, Floats]:
    if weights is None and centred:
        means, deviations = columns.mean(axis=0), columns.std(axis=0)
    else:
        means = np.average(columns, axis=0, weights=weights) * centred
        deviations = np.sqrt(np.average(np.square(columns - means), axis=0, weights=weights))
    is_constant = (columns == columns[:1]).all(axis=0)
    scales = np.where(is_constant, 1.0, deviations)
    scales[scales == 0.0] = 1.0
    standard = np.where(is_constant, 0.0, (columns - means) / scales)
    return standard if weights is None else standard * np.sqrt(weights)[:, None], means, scales


def reduced_form(within: Floats, matrices: Floats) -> Floats:
    """What the past does in all, also through others within the step: (I − B₀)⁻¹B_l for each lag.

    What acts within the step, B₀, has no cycle, so that effects add up along its order.
    """
    order = acyclic_order(within != 0.0)
    assert order is not None, "what acts within a step has no cycle"  # noqa: S101, an invariant
    found = matrices.copy()
    for child in order.tolist():
        parents = np.flatnonzero(within[child])
        found[:, child] += within[child, parents] @ found[:, parents]
    return found
