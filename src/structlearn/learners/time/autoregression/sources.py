"""Which lags of which variables each variable follows from: by penalties, or by tests."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.learners.time.autoregression.forecasts import CLOSE, Forecasts, shares_of_largest
from structlearn.learners.time.autoregression.options import SelectionOptions
from structlearn.learners.time.learner import KnownInTime
from structlearn.numerics.autoregression import (
    GrangerTests,
    LaggedRows,
    bivariate_tests,
    granger_tests,
    least_squares,
)
from structlearn.numerics.extended_bic import price_of_one
from structlearn.numerics.grouped_targets import FEW_GROUPS, GroupedTargets, Shape
from structlearn.numerics.multiplicity import adjusted
from structlearn.numerics.robust_tests import robust_tests
from structlearn.run import Run, Status
from structlearn.scores.extended import ROWS_PER_COLUMN
from structlearn.search.chance_price import price_of_rows
from structlearn.statistics.lagged import LaggedTable

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

SHAPES: dict[str, Shape] = {
    "lasso": "group",
    "group-lasso": "group",
    "sparse-group-lasso": "sparse-group",
    "hierarchical-lasso": "hierarchical",
}
EXACT = 1e-9  # conditions of the optimum of a penalty that was given
VARIABLES_AT_ONCE = 16  # of many: they share few of their sources, and a step of all takes a moment
IN_VAIN = 5  # penalties that make no set of many sources better: those below take most of the time
MANY_COLUMNS, COLUMNS_AT_ONCE = 500, 128  # fewer take a moment; a trial of so many as well
WORK_BESIDE = 4.0  # products are a fourth of what a regression on many columns takes
PERFECT_FIT = "a variable follows from the past without any error; its p-values are 0 or mean nothing."
LEFT_BY_ROUNDING = 1e-12  # share of a variance: less is a perfect fit


@dataclass(frozen=True, slots=True)
class Chosen:
    """The columns of the past that each variable keeps, (columns, targets), and how they were chosen.

    `weights` are those of least squares on these columns, standardised.
    """

    is_in: Flags
    weights: Floats
    penalties: Floats | None = None
    tests: GrangerTests | None = None


def by_tests(
    table: LaggedTable, rows: LaggedRows, known: KnownInTime, options: SelectionOptions, run: Run
) -> Chosen:
    """Keep all lags of the sources whose F test is significant."""
    if options.method == "bivariate-granger":
        tests = _tests_of_pairs(rows, known, run)
    else:
        tests = _tests(table, rows, known, run, robust=options.robust)
    may_act = known.may_act.T
    is_tested = may_act & ~np.eye(len(may_act), dtype=np.bool_)
    p_value = tests.p_value.copy()
    p_value[is_tested] = adjusted(tests.p_value[is_tested], options.correction)
    is_source = (p_value < options.alpha) & may_act | known.required.T
    is_in = np.tile(is_source.T, (rows.n_lags, 1)) & known.acting(table.lags).reshape(-1, 1)
    return Chosen(is_in, refitted(rows, is_in, ridge=options.ridge), tests=GrangerTests(tests.f, p_value))


def _tests(
    table: LaggedTable, rows: LaggedRows, known: KnownInTime, run: Run, *, robust: bool
) -> GrangerTests:
    """Those of each variable beside what may act on it, and nothing else."""
    n, n_variables, n_columns = rows.n_rows, rows.now.shape[1], rows.past.shape[1]
    parts = list(known.regressions(table.lags))
    most = max(int(chosen.sum()) for _, chosen in parts)
    if n <= most + 1:
        raise DataError(
            f"{run.owner}(method='granger'): {n:.0f} rows with all lags are too few for {most} lagged "
            f"columns, each of which is in every test; {most + 2} are needed. Use fewer lags, or "
            "method='group-lasso'."
        )
    some, n_blocks = rows.past[:, :COLUMNS_AT_ONCE], n_columns / COLUMNS_AT_ONCE
    found = GrangerTests(np.zeros((n_variables, n_variables)), np.ones((n_variables, n_variables)))
    if n_columns > MANY_COLUMNS and not run.has_time_for(WORK_BESIDE * n_blocks, lambda: some.T @ rows.past):
        run.note(f"The sources of 0 of {n_variables:,} variables were tested.")
        return found
    for targets, chosen in parts:
        part = rows.only(chosen)
        fitted = least_squares(part)
        if ((fitted.squares == 0.0) & (rows.now != 0.0).any(axis=0))[targets].any():
            run.warn(PERFECT_FIT)
        tests = (
            robust_tests(part, fitted, table.moments(), run.must_stop)
            if robust
            else granger_tests(part, fitted, run.must_stop)
        )
        found.f[targets], found.p_value[targets] = tests.f[targets], tests.p_value[targets]
    return found


def _tests_of_pairs(rows: LaggedRows, known: KnownInTime, run: Run) -> GrangerTests:
    if rows.n_rows <= 2 * rows.n_lags + 1:
        raise DataError(
            f"{run.owner}(method='bivariate-granger'): {rows.n_rows:.0f} rows with all lags are too few for "
            f"the {rows.n_lags} lags of two variables; {2 * rows.n_lags + 2} are needed. Use fewer lags."
        )
    if rows.now.shape[1] > 2:
        run.warn(
            "each source was tested beside the own past of its target alone: what acts through others, or on "
            "both, makes arrows too. method='granger' and PCMCI take others into account."
        )
    return bivariate_tests(rows, run.must_stop, may_act=known.may_act)


def by_penalties(
    table: LaggedTable, rows: LaggedRows, known: KnownInTime, options: SelectionOptions, run: Run
) -> Chosen:
    """Keep the lags that a penalised regression keeps, at the penalty given or at the best by criterion.

    Some variables at a time, so that time which is up has found all sources of the first.
    """
    n_variables, n_columns = rows.now.shape[1], rows.past.shape[1]
    n_groups = n_columns if options.method == "lasso" else n_variables
    products = rows.past.T @ rows.past / rows.n_rows, rows.past.T @ rows.now / rows.n_rows
    acting = known.acting(table.lags)
    first = known.first_places(table.lags) if options.method == "lasso" else np.zeros(n_variables, np.int64)
    acts = acting.reshape(-1, n_groups)
    prices = _prices(acts, first, known, options)
    problem = GroupedTargets(*products, n_groups, SHAPES[options.method], acts)
    given = None if options.penalty is None else np.full(n_variables, options.penalty)
    if options.criterion == "forward":
        given = Forecasts(table, rows, problem, prices).penalties(options.n_penalties, run)
    price = _price_of_one(rows, int(acting.sum()), options)
    if given is None and options.gamma is None and rows.n_rows < ROWS_PER_COLUMN * acting.sum():
        price = price_of_rows(np.hstack([rows.now, rows.past]), price, run)
    paths = _Paths(problem, prices, acting.ravel(), rows, options, given, price)
    is_in = np.zeros((n_columns, n_variables), dtype=np.bool_)
    weights, penalties = np.zeros(is_in.shape), np.full(n_variables, np.nan)
    step = n_variables if n_groups <= FEW_GROUPS else VARIABLES_AT_ONCE
    for start in range(0, n_variables, step):
        if not run.must_stop():
            some = slice(start, start + step)
            is_in[:, some], penalties[some] = paths.chosen(some, run)
            weights[:, some] = refitted(rows, is_in[:, some], some, ridge=options.ridge)
        if run.status is not Status.COMPLETE:
            n_done = f"{start:,} of {n_variables:,}"
            run.note(f"The sources of {n_done} variables were looked for to the end.")
            break
    return Chosen(is_in, weights, penalties)


def refitted(rows: LaggedRows, is_in: Flags, targets: slice = slice(None), *, ridge: float = 0.0) -> Floats:
    """Least squares of some variables on the columns that each keeps, (columns, variables), standardised.

    With a `ridge` it minimises (1/n)‖y − Zb‖² + ridge ‖b‖².
    """
    found = np.zeros(is_in.shape)
    for kept, weights, now in zip(is_in.T, found.T, rows.now[:, targets].T, strict=True):
        columns = np.flatnonzero(kept)
        if len(columns):
            past, target = rows.past[:, columns], now
            if ridge > 0.0:  # rows that say 0 of each coefficient
                past = np.vstack([past, np.sqrt(ridge * rows.n_rows) * np.eye(len(columns))])
                target = np.concatenate([now, np.zeros(len(columns))])
            weights[columns] = np.linalg.lstsq(past, target)[0]
    return found


@dataclass(frozen=True, slots=True)
class _Paths:
    """The regressions of all variables, at falling penalties."""

    problem: GroupedTargets
    prices: Floats
    acts: Flags
    rows: LaggedRows
    options: SelectionOptions
    given: Floats | None
    price: float

    def chosen(self, some: slice, run: Run) -> tuple[Flags, Floats]:
        """The columns that some variables keep, and the penalty of each."""
        problem, prices = self.problem.of_targets(some), self.prices[:, some]
        weights = np.zeros(problem.cross.shape)
        if self.given is not None:
            given = self.given[some]
            weights = problem.minimum(given * prices, weights, tolerance=EXACT, must_stop=run.must_stop)
            return (weights != 0.0) & (not run.must_stop()), given
        largest = problem.largest(prices)
        is_free = (problem.by_column(prices) == 0.0) & self.acts[:, None]
        best = _Best(problem, is_free, self.rows.n_rows, self.price)
        shares = shares_of_largest(self.options.n_penalties)
        for place, share in enumerate(shares):
            n_done = some.start + prices.shape[1] * place / len(shares)
            run.show("variables", n_done, self.problem.cross.shape[1])
            at = np.where(largest > 0.0, share * largest, 1.0)
            weights = problem.minimum(at * prices, weights, tolerance=CLOSE * share, must_stop=run.must_stop)
            if run.must_stop():
                break
            best.consider(weights, at)
            if problem.n_groups > FEW_GROUPS and best.n_in_vain >= IN_VAIN:
                break
        return best.is_in, best.penalties


def _price_of_one(rows: LaggedRows, n_columns: int, options: SelectionOptions) -> float:
    """What a column costs in the extended BIC."""
    is_wide = rows.n_rows < n_columns
    gamma = options.gamma if options.gamma is not None else 1.0 if is_wide else 0.5
    # Chen and Chen's number of candidates, for all targets: one false source in the whole graph is one.
    return price_of_one(rows.n_rows, n_columns * rows.now.shape[1], gamma)


def _prices(acting: Flags, first: NDArray[np.int64], known: KnownInTime, options: SelectionOptions) -> Floats:
    """What a group costs a target at the penalty 1: √ of its size or 1, nothing, or more than anything.

    `acting` says which columns of each group may act, and `first` which group of a variable comes first.
    """
    n = len(known.required)
    source = np.arange(acting.shape[1]) % n
    sizes = acting.sum(axis=0).astype(np.float64)
    each = np.minimum(sizes, 1.0) if options.method == "hierarchical-lasso" else np.sqrt(sizes)
    prices: Floats = np.tile(each[:, None], n)
    if options.own_lags_free:
        prices[source[:, None] == np.arange(n)] = 0.0
    prices[known.forbidden[source] | (sizes == 0.0)[:, None]] = np.inf
    required, target = np.nonzero(known.required)
    prices[first[required] * n + required, target] = 0.0
    return prices


class _Best:
    """The sets of columns with the best extended BIC so far, one for each of some targets."""

    def __init__(self, problem: GroupedTargets, is_free: Flags, n_rows: float, price: float) -> None:
        n_targets = is_free.shape[1]
        self._problem, self._n_rows, self._price = problem, n_rows, price
        self.is_in = is_free
        self.penalties, self.n_in_vain = np.full(n_targets, np.nan), 0
        self._criteria = np.array([self._criterion(j, self.is_in[:, j]) for j in range(n_targets)])

    def consider(self, weights: Floats, penalties: Floats) -> None:
        """Take these sets where they are better."""
        self.n_in_vain += 1
        for target in np.flatnonzero(((weights != 0.0) != self.is_in).any(axis=0)).tolist():
            criterion = self._criterion(target, weights[:, target] != 0.0)
            if criterion < self._criteria[target]:
                self.n_in_vain = 0
                self._criteria[target], self.penalties[target] = criterion, penalties[target]
                self.is_in[:, target] = weights[:, target] != 0.0

    def _criterion(self, target: int, is_in: Flags) -> float:
        n, n_in = self._n_rows, int(is_in.sum())
        if 2 * n_in > n - 2 and n_in:  # a fit with as many columns as rows is no evidence
            return np.inf
        _, explained = self._problem.refitted(target, np.flatnonzero(is_in))
        left = max(1.0 - explained, LEFT_BY_ROUNDING)
        return float(n * np.log(left)) + self._price * n_in
