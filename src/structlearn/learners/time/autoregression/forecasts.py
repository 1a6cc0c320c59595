"""Penalties chosen by forecasts: what is kept of the first rows predicts those behind them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.numerics.autoregression import LaggedRows
from structlearn.numerics.grouped_targets import GroupedTargets
from structlearn.run import Run
from structlearn.statistics.lagged import LaggedTable

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

N_FOLDS = 5
FEWEST_BEFORE = 5  # rows, of which little can be learned
SMALLEST_SHARE = 0.05  # of the largest penalty: below, more than half of the sources are in
CLOSE = 1e-4  # to the optimum, times the share of the largest penalty


def shares_of_largest(n_penalties: int) -> list[float]:
    """The shares of the largest penalty that are tried, falling."""
    found: list[float] = np.geomspace(1.0, SMALLEST_SHARE, n_penalties).tolist()
    return found


@dataclass(frozen=True, slots=True)
class Forecasts:
    """The regressions of all variables on lagged rows, tried on what comes later."""

    table: LaggedTable
    rows: LaggedRows
    problem: GroupedTargets
    prices: Floats

    def penalties(self, n_penalties: int, run: Run) -> Floats:
        """For each variable the largest penalty whose errors exceed the least by no more than chance does.

        That is one standard error of the difference over the folds, in the spirit of Breiman, Friedman,
        Olshen and Stone (1984), who take that of the error.
        """
        largest, shares = self._largest(self.problem), shares_of_largest(n_penalties)
        errors = []
        for place, (before, after) in enumerate(folds(run.owner, self.table)):
            run.show("forecasts", place, N_FOLDS)
            errors.append(self._errors(before, after, shares, run))
            if run.must_stop():
                return largest
        best = np.mean(errors, axis=0).argmin(axis=0)
        excess = np.array(errors) - np.array(errors)[:, best, np.arange(len(best))][:, None]
        is_good = excess.mean(axis=0) <= excess.std(axis=0, ddof=1) / np.sqrt(N_FOLDS)
        found: Floats = np.array(shares)[is_good.argmax(axis=0)] * largest
        return found

    def _largest(self, problem: GroupedTargets) -> Floats:
        found = problem.largest(self.prices)
        return np.where(found > 0.0, found, 1.0)

    def _errors(self, before: Flags, after: Flags, shares: list[float], run: Run) -> Floats:
        """The mean squared error of each variable at shares of the largest penalty, (shares, variables).

        What the penalty keeps is fitted by least squares to the rows before, whose largest penalty counts.
        """
        rows, weights = self.rows, self.table.dataset.weights
        root = np.ones(len(rows.now)) if weights is None else np.sqrt(weights)
        each_now, each_past = rows.now / root[:, None], rows.past / root[:, None]
        part = LaggedRows.of(
            each_now[before],
            each_past[before].reshape(int(before.sum()), rows.n_lags, -1),
            None if weights is None else weights[before],
            centred=rows.are_centred,
        )
        gram, cross = (part.past.T @ each / part.n_rows for each in (part.past, part.now))
        problem = replace(self.problem, gram=gram, cross=cross)
        past = (each_past[after] - part.past_means) / part.past_scales
        now = (each_now[after] - part.means) / part.scales
        prices = self._largest(problem) * self.prices
        found, kept_weights = np.full((len(shares), now.shape[1]), np.inf), np.zeros(problem.cross.shape)
        for place, share in enumerate(shares):
            kept_weights = problem.minimum(
                share * prices, kept_weights, tolerance=CLOSE * share, must_stop=run.must_stop
            )
            if run.must_stop():
                break
            for target, kept in enumerate(kept_weights.T != 0.0):
                columns = np.flatnonzero(kept)
                fitted, _ = problem.refitted(target, columns)
                left = (now[:, target] - past[:, columns] @ fitted) * part.scales[target]
                found[place, target] = np.average(np.square(left), weights=np.square(root[after]))
        return found


def folds(owner: str, table: LaggedTable) -> Iterator[tuple[Flags, Flags]]:
    """Which lagged rows come before each of some parts of the time, with a gap of the lags, and are in it.

    Parts have as many rows each, or rows of as much weight.
    """
    step = np.empty(len(table.steps.order), dtype=np.int64)
    step[table.steps.order] = table.steps.index
    step = step[table.at[:, 0]]
    cuts = [part[0] if len(part) else 0 for part in np.array_split(np.sort(step), N_FOLDS + 1)[1:]]
    if table.dataset.weights is not None:
        order = np.argsort(step, kind="stable")
        weight = np.cumsum(table.dataset.weights[order])
        cuts = step[order][np.searchsorted(weight, weight[-1] * np.arange(1, N_FOLDS + 1) / (N_FOLDS + 1))]
    for begin, end in zip(cuts, [*cuts[1:], np.inf], strict=True):
        before, after = step < begin - table.lags[-1], (step >= begin) & (step < end)
        if before.sum() < FEWEST_BEFORE or not after.any():
            raise DataError(
                f"{owner}(criterion='forward'): {len(step)} rows with all lags, the latest of step "
                f"{int(step.max())}, are too few to look forward in. Use criterion='ebic'."
            )
        yield before, after
