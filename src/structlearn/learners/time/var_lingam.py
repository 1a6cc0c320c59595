"""VAR-LiNGAM: the past by regression, the present by noise that is not Gaussian."""

from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind
from structlearn.learners.option_groups import Limited, Scored
from structlearn.learners.order.noise.parents_before import parents_before
from structlearn.learners.time.autoregression.structural import innovations, outcome_of_effects
from structlearn.learners.time.learner import KnownInTime, TimeLearner, space_in_time
from structlearn.numerics.autoregression import LaggedRows
from structlearn.numerics.dag_effects import effects_of
from structlearn.numerics.lingam import direct_order
from structlearn.options import result
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics.lagged import LaggedTable

Floats = NDArray[np.float64]


class VARLiNGAM(Scored, Limited, TimeLearner):
    """Take the past out of each variable, put what is left in order by its noise, then choose parents."""

    only: ClassVar[Kind] = "continuous"
    needs_full_rank: ClassVar[bool] = True
    weight_means: ClassVar[Literal["score gain", "weight"]] = "weight"
    tells_direction: ClassVar[str] = (
        "Its direction comes from noise that is not Gaussian and tells the order."
    )
    coefficients_: Floats = result()
    order_: tuple[str, ...] = result()
    normality_: Floats = result()

    @property
    def within_step(self) -> bool:
        """There always may."""
        return True

    def _learn_lagged(self, table: LaggedTable, known: KnownInTime, run: Run) -> Outcome:
        limits = known.limits(table, within_step=True, max_parents=self.max_parents)
        space = space_in_time(table, limits, self.score, run)
        weights, context = table.dataset.weights, np.flatnonzero(table.is_context)
        known = known.beside_context(table)
        rows = LaggedRows.of(*table.values(), weights).only(known.acting(table.lags).ravel())
        left = innovations(table, rows, known, run)
        varies = np.flatnonzero((left != left[:1]).any(axis=0) & ~table.is_context)
        waits = known.by_tiers[np.ix_(varies, varies)]
        places, penalties = direct_order(
            left[:, varies],
            weights,
            waits=waits,
            must_stop=run.must_stop,
            show=lambda n_placed: run.show("variables in order", n_placed, len(varies)),
        )
        placed = np.concatenate([context, varies[places]])
        order = np.concatenate([placed, np.setdiff1d(np.arange(left.shape[1]), placed)])
        if len(penalties) < len(varies):
            run.note(f"{len(penalties):,} of {len(varies):,} variables were put in order.")
        run.round_off()
        n, n_columns = left.shape[1], space.n_nodes
        in_time = np.concatenate([np.arange(n, n_columns), order])
        parents = parents_before(space, in_time, n_columns - n + len(context) + len(penalties))
        return outcome_of_effects(table, effects_of(table.statistics.moments(), parents), order, run)

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        A DAG of arrows from the past, x[t-1] → y[t], and within a step, x[t] → y[t]; weights are
        coefficients. `graph_.summary()` has a node for each variable.
    coefficients_ : array of shape (1 + lags, p, p)
        First what acts within a step, then lag by lag: entry [l, i, j] is what variable j does to variable i,
        in the units of the table, with variables in the order of its columns.
    reduced_ : array of shape (lags, p, p)
        What the past does in all, also through others within the step: what plain autoregression finds.
    order_ : tuple of str
        The variables within a step, causes first.
    normality_ : array of shape (p,)
        The p-value of Jarque and Bera for the noise of each variable, small where it is not Gaussian.
    evidence_ : dict
        The coefficient of each arrow.

    Notes
    -----
    Each variable is a linear function of the past and of others within the step plus noise of its own, which
    is not Gaussian. Least squares on the past leaves what acts within the step, and DirectLiNGAM puts that in
    order [1]_. Then each variable chooses its parents, in the past and before it in the order, by the score.
    With fewer rows than lagged columns the past is taken out by the group lasso. An arrow of plain
    autoregression may have another sign than the one here: part of it is what acts within the step.

    References
    ----------
    .. [1] Hyvärinen, Zhang, Shimizu and Hoyer (2010), Estimation of a structural vector autoregression model
       using non-Gaussianity, JMLR 11.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> noise = np.random.default_rng(0).uniform(-1, 1, size=(600, 2))
    >>> x, y = np.zeros(600), np.zeros(600)
    >>> for t in range(1, 600):
    ...     x[t] = 0.6 * x[t - 1] + noise[t, 0]
    ...     y[t] = 0.5 * x[t] - 0.4 * x[t - 1] + noise[t, 1]
    >>> print(sl.VARLiNGAM().fit({"x": x, "y": y}).graph_)
    Graph with 4 nodes and 3 edges
      x[t-1] → x[t]
      x[t-1] → y[t]
      x[t] → y[t]
    """
