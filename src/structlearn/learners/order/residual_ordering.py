"""Residual ordering (RESIT): an order of the columns by additive noise, along curves of any shape."""

from typing import ClassVar

import numpy as np

from structlearn.data import Kind, Knowledge
from structlearn.errors import DataError
from structlearn.learners.base import Learner
from structlearn.learners.option_groups import Informed, Timed
from structlearn.learners.order.noise.known_order import known_order
from structlearn.learners.order.noise.long_tails import USUAL_LEVEL, level_by_tails
from structlearn.learners.order.noise.sinks import Residuals, needed_parents, order_of_sinks
from structlearn.numerics.blas_threads import threads_for
from structlearn.options import Between, OrNone, Whole, option, result
from structlearn.outcome import EdgeEvidence, Outcome
from structlearn.run import Run
from structlearn.search.dags import graph_of
from structlearn.search.limits import Limits
from structlearn.statistics import Statistics, rows_of


class ResidualOrdering(Informed, Timed, Learner):
    """Put last, again and again, the column of which curves leave what is independent of the others."""

    only: ClassVar[Kind] = "continuous"
    tells_direction: ClassVar[str] = (
        "Its direction comes from curves: what they leave of an effect is independent of its causes."
    )
    alpha: float | None = option(
        OrNone(Between(0, 1), "0.01, or less where tails are long"),
        "The level of each test of independence. A parent stays without which what is left depends on a "
        "column before it.",
        default=None,
    )
    max_rows: int = option(
        Whole(20),
        "How many rows are used. Of more, evenly spaced ones, as time grows with the cube.",
        default=300,
    )
    order_: tuple[str, ...] = result()

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        names = statistics.names
        rows = rows_of(run.owner, statistics, range(len(names)))
        if rows.weights is not None:
            raise DataError("ResidualOrdering takes no weights of rows. Use DirectLiNGAM, or leave them out.")
        limits = Limits.of(names, knowledge)
        varies = np.diag(statistics.moments().covariance) > 0.0
        residuals = Residuals(rows.values, self.max_rows)
        with threads_for(len(names)):
            order, p_values = order_of_sinks(residuals, known_order(names, knowledge), run)
            run.round_off()
            allowed = ~limits.closed & np.outer(varies, varies)
            given = self.alpha
            level = level_by_tails(statistics, residuals, self.max_rows, run) if given is None else given
            parents, evidence = needed_parents(residuals, order, allowed, limits.frozen, level, run)
        self._warn(names, order.tolist(), p_values, residuals, run)
        independence = np.full(len(names), np.nan)
        independence[order] = p_values
        return Outcome(
            graph=graph_of(names, parents),
            status=run.status,
            evidence={
                (names[u], names[v]): EdgeEvidence(p_value=evidence.get((u, v)))
                for v, members in enumerate(parents)
                for u in members
            },
            by_node={"independence": independence},
            extra={"order": tuple(names[j] for j in order)},
        )

    def _warn(
        self, names: tuple[str, ...], order: list[int], p_values: np.ndarray, residuals: Residuals, run: Run
    ) -> None:
        alpha = USUAL_LEVEL if self.alpha is None else self.alpha
        of_each = alpha / max(len(names) - 1, 1)
        wrong = [names[j] for j, p_value in zip(order, p_values, strict=True) if p_value < of_each]
        if wrong and not run.must_stop():
            run.warn(
                f"nothing that is left is independent of other columns at {', '.join(wrong[:5])}: a common "
                "cause may be missing from the table, or noise is not added."
            )
        if len(names) == 2 and residuals.is_enough and not run.must_stop():
            first, last = order
            back, _ = residuals.independence(first, [last], [last])
            joined, _ = residuals.independence(last, [], [first])
            if back > alpha and p_values[-1] > alpha and joined < alpha:
                run.warn(
                    f"either direction of {names[first]} and {names[last]} fits: nothing tells them apart."
                )

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        A DAG.
    order_ : tuple of str
        The columns, causes first.
    independence_ : array
        For each column the p-value of independence with which it was put in its place: of what the columns
        before it leave of it, and these columns. NaN for the first.
    evidence_ : dict
        For each arc the p-value of what is left without it; None where it is required.

    Notes
    -----
    Each column is a function of others, of any smooth shape, plus noise of its own that is independent of
    them; then, but for a few cases such as lines with Gaussian noise, the whole DAG can be told [1]_.
    Regressions are by kernels, with a ridge that generalised cross-validation chooses; each half of the rows
    is predicted by the other. Tests are by the Hilbert–Schmidt criterion and its gamma approximation. Parents
    are then tried one by one: where what is left without one stays independent of every column before, it
    goes.

    References
    ----------
    .. [1] Peters, Mooij, Janzing and Schölkopf (2014), Causal discovery with continuous additive noise
       models, JMLR 15.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> rng = np.random.default_rng(0)
    >>> x = rng.uniform(-2, 2, size=400)
    >>> y = np.sin(2 * x) + 0.5 * rng.normal(size=400)
    >>> print(sl.ResidualOrdering().fit({"y": y, "x": x}).graph_)
    Graph with 2 nodes and 1 edge
      x → y
    """
