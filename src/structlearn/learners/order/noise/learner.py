"""What methods have in common that find an order by noise, and then parents along it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind, Knowledge
from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.option_groups import USUAL_SCORE, Limited
from structlearn.learners.order.noise.known_order import known_order
from structlearn.learners.order.noise.parents_before import parents_before
from structlearn.learners.order.noise.residuals import warn_of_noise, warn_of_ties
from structlearn.numerics.acyclic import Flags
from structlearn.numerics.blas_threads import threads_for
from structlearn.numerics.dag_effects import effects_of, in_units, total_effects
from structlearn.numerics.lingam.linear import Order
from structlearn.options import OrNone, option, result
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.scores import SCORE, Score
from structlearn.search.dags import Parents
from structlearn.search.space import Space
from structlearn.statistics import Statistics, rows_of
from structlearn.statistics.protocol import Rows
from structlearn.statistics.units import log_units

NAMES_FIRST = {
    "order_": "order_ : tuple of str\n    The columns, causes first.",
    "coefficients_": "coefficients_ : array\n"
    "    The linear effects: row i has those on column i, in the order of `graph_.nodes`.",
    "total_effects_": "total_effects_ : array\n    The same over all directed paths.",
    "normality_": "normality_ : array\n"
    "    The p-value of Jarque and Bera for what is left of each column; where it is small, noise is not "
    "Gaussian.",
}


class Placed(NamedTuple):
    """Columns in order, of which the first have a place of their own, and the steps to it."""

    order: Order
    n_placed: int
    trace: Mapping[str, NDArray[np.float64]]


class OrderedByNoise(Limited, DAGSearch):
    """A learner that puts the columns in order; subclasses say how in `_order`."""

    only: ClassVar[Kind] = "continuous"
    tells_direction: ClassVar[str] = (
        "Its direction comes from noise that is not Gaussian and tells the order."
    )
    refuses_targets = "the order comes from all rows alike. Use BOSS or HillClimbing."
    attributes: ClassVar[Mapping[str, str]] = {**NAMES_FIRST, **DAGSearch.attributes}
    score: str | Score | None = option(
        OrNone(SCORE, USUAL_SCORE),
        "By what each column's parents are chosen among those before it. A name of `structlearn.scores`, or "
        "any object with a `local` method.",
        default=None,
    )
    order_: tuple[str, ...] = result()
    coefficients_: NDArray[np.float64] = result()
    total_effects_: NDArray[np.float64] = result()
    normality_: NDArray[np.float64] = result()

    def _order(self, rows: Rows, waits: Flags, run: Run) -> Placed:
        raise NotImplementedError

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        space, names = self._space(statistics, knowledge, run), statistics.names
        rows = rows_of(run.owner, statistics, range(len(names)))
        varies = np.flatnonzero(np.diag(statistics.moments().covariance) > 0.0)
        warn_of_ties([names[j] for j in varies], rows.values[:, varies], run)
        among = Rows(rows.values[:, varies], rows.weights)
        waits = known_order(names, knowledge)[np.ix_(varies, varies)]
        with threads_for(len(names)):
            placed = self._order(among, waits, run) if len(varies) else Placed(varies, 0, {})
        order = np.concatenate([varies[placed.order], np.setdiff1d(np.arange(len(names)), varies)])
        run.round_off()
        parents = self._parents(space, rows, order, placed.n_placed)
        return self._described(space, parents, rows, order, placed.trace)

    def _parents(self, space: Space, rows: Rows, order: Order, n_placed: int) -> list[list[int]]:  # noqa: ARG002, others look at the rows
        return parents_before(space, order, n_placed)

    def _described(
        self,
        space: Space,
        parents: Parents,
        rows: Rows,
        order: Order,
        trace: Mapping[str, NDArray[np.float64]],
    ) -> Outcome:
        statistics, names = space.statistics, space.names
        effects = effects_of(statistics.moments(), parents)
        size = statistics.size
        shares = np.full(len(rows.values), 1.0 / size) if rows.weights is None else rows.weights / size
        left = rows.values - shares @ rows.values
        is_child = effects.any(axis=1)
        left[:, is_child] -= left @ effects[is_child].T
        deviation = np.sqrt(shares @ np.square(left))
        varies = np.diag(statistics.moments().covariance) > 0.0  # of a constant, rounding may be left
        is_noise = varies & (deviation > 0.0)
        normality = np.ones(len(names))
        normality[is_noise] = warn_of_noise(
            [names[j] for j in np.flatnonzero(is_noise)],
            left[:, is_noise] / deviation[is_noise],
            shares,
            size,
            space.run,
        )
        units = log_units(statistics)
        outcome = space.outcome(parents, trace, order=tuple(names[j] for j in order))
        by_pair = {
            "coefficients": in_units(effects, units),
            "total_effects": in_units(total_effects(effects), units),
        }
        return replace(outcome, by_pair=by_pair, by_node={"normality": normality})
