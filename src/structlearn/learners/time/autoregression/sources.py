"""Which lags of which variables each variable follows from: by penalties, or by tests."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.learners.time.autoregression.options import SelectionOptions
from structlearn.learners.time.learner import KnownInTime
from structlearn.numerics.autoregression import GrangerTests, LaggedRows, granger_tests, least_squares
from structlearn.numerics.extended_bic import extended_bic
from structlearn.numerics.grouped_targets import GroupedTargets
from structlearn.numerics.multiplicity import adjusted
from structlearn.run import Run

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

SMALLEST_SHARE = 0.05  # of the largest penalty: below, more than half of the sources are in
EXACT = 1e-9  # conditions of the optimum of a penalty that was given
LEFT_BY_ROUNDING = 1e-12  # share of a variance: less is a perfect fit


@dataclass(frozen=True, slots=True)
class Chosen:
    """The columns of the past that each variable keeps, (columns, targets), and how they were chosen."""

    is_in: Flags
    penalties: Floats | None = None
    weights: Floats | None = None
    tests: GrangerTests | None = None


def by_tests(rows: LaggedRows, known: KnownInTime, options: SelectionOptions, run: Run) -> Chosen:
    """Keep all lags of the sources whose F test is significant."""
    n, n_columns = rows.n_rows, rows.past.shape[1]
    if n <= n_columns + 1:
        raise DataError(
            f"{run.owner}(method='granger'): {n} rows with all lags are too few for {n_columns} lagged "
            f"columns, each of which is in every test; {n_columns + 2} are needed. Use fewer lags, or "
            "method='group-lasso'."
        )
    fitted = least_squares(rows)
    tests = granger_tests(rows, fitted)
    perfect = np.flatnonzero(fitted.squares == 0.0)
    if len(perfect) and (rows.now[:, perfect] != 0.0).any():
        run.warn("a variable follows from the past without any error; its p-values are 0 or mean nothing.")
    is_tested = ~np.eye(len(tests.f), dtype=np.bool_)
    p_value = tests.p_value.copy()
    p_value[is_tested] = adjusted(tests.p_value[is_tested], options.correction)
    is_source = (p_value < options.alpha) & ~known.forbidden.T | known.required.T
    return Chosen(np.tile(is_source.T, (rows.n_lags, 1)), tests=GrangerTests(tests.f, p_value))


def by_penalties(rows: LaggedRows, known: KnownInTime, options: SelectionOptions, run: Run) -> Chosen:
    """Keep the lags that a penalised regression keeps, at the penalty given or at the best by criterion."""
    n_variables, n_columns = rows.now.shape[1], rows.past.shape[1]
    n_groups = n_columns if options.method == "lasso" else n_variables
    products = rows.past.T @ rows.past / rows.n_rows, rows.past.T @ rows.now / rows.n_rows
    problem = GroupedTargets(*products, n_groups)
    prices = _prices(rows, problem, known, options)
    bound = problem.norms(problem.cross) / np.where((prices > 0.0) & np.isfinite(prices), prices, np.inf)
    largest = bound.max(axis=0)
    weights = np.zeros((n_columns, n_variables))
    if options.penalty is not None:
        weights = problem.minimum(options.penalty * prices, weights, tolerance=EXACT, must_stop=run.must_stop)
        return Chosen(weights != 0.0, np.full(n_variables, options.penalty), weights)
    gamma = options.gamma if options.gamma is not None else 1.0 if rows.n_rows < n_columns else 0.5
    best = _Best(problem, rows.n_rows, gamma, prices)
    for share in _shares(options.n_penalties, run):
        at = np.where(largest > 0.0, share * largest, 1.0)
        weights = problem.minimum(at * prices, weights, tolerance=1e-4 * share, must_stop=run.must_stop)
        if run.must_stop():
            break
        best.consider(weights, at)
    return Chosen(best.is_in, best.penalties)


def _shares(n_penalties: int, run: Run) -> Iterator[float]:
    for place, share in enumerate(np.geomspace(1.0, SMALLEST_SHARE, n_penalties).tolist()):
        run.show("penalties", place, n_penalties)
        if run.must_stop():
            return
        yield share


def _prices(
    rows: LaggedRows, problem: GroupedTargets, known: KnownInTime, options: SelectionOptions
) -> Floats:
    """What a group costs a target at the penalty 1: √ of its size, nothing, or more than anything."""
    source = np.arange(problem.n_groups) % rows.now.shape[1]
    size = len(problem.gram) // problem.n_groups
    prices = np.full((problem.n_groups, rows.now.shape[1]), np.sqrt(size))
    if options.own_lags_free:
        prices[source[:, None] == np.arange(rows.now.shape[1])] = 0.0
    prices[known.forbidden[source]] = np.inf
    prices[: rows.now.shape[1]][known.required] = 0.0
    return prices


class _Best:
    """The sets of columns with the best extended BIC so far, one for each target."""

    def __init__(self, problem: GroupedTargets, n_rows: int, gamma: float, prices: Floats) -> None:
        n_targets = problem.cross.shape[1]
        self._problem, self._n_rows, self._gamma = problem, n_rows, gamma
        self.is_in = problem.by_column(prices) == 0.0
        self.penalties = np.full(n_targets, np.nan)
        self._criteria = np.array([self._criterion(j, self.is_in[:, j]) for j in range(n_targets)])

    def consider(self, weights: Floats, penalties: Floats) -> None:
        """Take these sets where they are better."""
        for target in np.flatnonzero(((weights != 0.0) != self.is_in).any(axis=0)).tolist():
            criterion = self._criterion(target, weights[:, target] != 0.0)
            if criterion < self._criteria[target]:
                self._criteria[target], self.penalties[target] = criterion, penalties[target]
                self.is_in[:, target] = weights[:, target] != 0.0

    def _criterion(self, target: int, is_in: Flags) -> float:
        n, n_in = self._n_rows, int(is_in.sum())
        if 2 * n_in > n - 2 and n_in:  # a fit with as many columns as rows is no evidence
            return np.inf
        _, explained = self._problem.refitted(target, np.flatnonzero(is_in))
        left = max(1.0 - explained, LEFT_BY_ROUNDING)
        # Chen and Chen's number of candidates, for all targets: one false source in the whole graph is one.
        n_candidates = float(self._problem.cross.size)
        likelihood = np.array(-0.5 * n * np.log(left))
        return float(
            extended_bic(likelihood, np.array(n_in), size=n, n_candidates=n_candidates, gamma=self._gamma)
        )
