"""Dynamic Bayesian networks."""

from dataclasses import replace
from typing import Any, ClassVar

from structlearn.graphs import Graph
from structlearn.graphs.lags import unrolled
from structlearn.learners.option_groups import Limited, Scored
from structlearn.learners.time.learner import KnownInTime, TimeLearner, space_in_time
from structlearn.learners.time.slices.best_slices import (
    MOST_COLUMNS,
    best_slices,
    can_be_best,
    each_by_itself,
)
from structlearn.learners.time.slices.fitted import context_of, fitted_model, fitted_steps
from structlearn.learners.time.slices.options import SliceOptions
from structlearn.learners.time.slices.searching import NO_STEPS, can_score_pairs, outcome_of, searched
from structlearn.options import result
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics.lagged import LaggedTable


class DynamicNetwork(SliceOptions, Scored, Limited, TimeLearner):
    """Find the parents of each variable in the past, and within the step, whose network scores most."""

    initial_: Graph = result()
    context_: list[str] = result()

    def _learn_lagged(self, table: LaggedTable, known: KnownInTime, run: Run) -> Outcome:
        within = self.contemporaneous
        limits = known.limits(table, within_step=within, own_past=self.own_past, max_parents=self.max_parents)
        space = space_in_time(table, limits, self.score, run)
        best, trace = None, NO_STEPS
        if self.search is None and can_be_best(limits, len(table.variables), within_step=within):
            best = best_slices(space, len(table.variables), run)
        if best is not None:
            parents = best
        elif self.search is None and space.n_nodes > MOST_COLUMNS and not (within and can_score_pairs(space)):
            if within:
                run.note("There was no time to look for arcs within a step.")
            parents = each_by_itself(space, len(table.variables))
        else:
            parents, trace = searched(self.search, space)
        outcome = outcome_of(table, space, parents, trace, run, is_best=best is not None)
        return replace(outcome, extra={**outcome.extra, "context": context_of(table, outcome.graph)})

    def unrolled(self, n_slices: int) -> Graph:
        """The graph of so many steps, with nodes such as x[0]: first those of `initial_`, then `graph_`.

        A column that never changes within a series has that node only, which acts at all steps.
        """
        return unrolled(self.graph_, self.initial_, n_slices, context=self.context_)

    def model(self, data: Any, *, smoothing: float = 0.0) -> Any:
        """Fit the distributions of the network to a table, the same at all times.

        The first steps are as the series begin where there are 20 or more; else as any steps of them.

        Parameters
        ----------
        data : data frame, array, dict of columns, path or Dataset
            The long table, with the columns that `time` and `series` name.
        smoothing : float, default 0.0
            Pseudo-rows added to each table of probabilities.

        Returns
        -------
        DynamicModel
            It filters, smooths and forecasts.
        """
        return fitted_model(self, self.graph_, self.initial_, data, smoothing)

    def model_by_step(self, data: Any, n_steps: int, *, smoothing: float = 0.0) -> Any:
        """Fit the network of so many steps to many series, each step with distributions of its own.

        Parameters are those of `model`. It is a BayesianNetwork with nodes such as x[0]; a column that never
        changes within a series has that node only.
        """
        return fitted_steps(self, self.graph_, self.initial_, data, n_steps, smoothing)

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        A DAG with arrows from the past, x[t-1] → y[t], and with `contemporaneous` within a step; weights are
        what the score loses without them. `graph_.summary()` has a node for each variable.
    initial_ : Graph
        A DAG of the first steps, x[0] and so on, as many as the largest lag. It is learned from the
        beginnings of the series where there are 20 or more (`initial_is_learned_`), and has else in each step
        the arcs that there are within one.
    context_ : list of str
        The columns that never change within a series, and follow from nothing.
    score_ : float
        The score of the variables now, given their parents.
    is_best_ : bool
        Whether no other network scores more.
    evidence_ : dict
        For each arc the score it brings.

    Notes
    -----
    One set of rows serves all families, those that have the largest lag, so that their scores compare.
    Without arcs within a step no cycle is possible, and the best parents of each variable are found by
    themselves. With them, the best lagged parents of each variable for each set of parents within the step
    come first, and then the best DAG of all within the step [1]_. Where there are too many families, and
    with `search`, a search over the lagged table looks for the best, in which only what is now has parents.
    Beyond a thousand lagged columns and without arcs within a step, greedy steps choose for each variable.

    What is known of tiers holds within a step, what is forbidden at all lags, and what is required is there
    at the smallest. A column that never changes within a series is context: it may be a parent, and has none.

    References
    ----------
    .. [1] Friedman, Murphy and Russell (1998), Learning the structure of dynamic probabilistic networks, UAI.
    .. [2] Murphy (2002), Dynamic Bayesian networks: representation, inference and learning, PhD thesis,
       University of California, Berkeley.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> u = np.random.default_rng(0).integers(0, 2, size=100).tolist()
    >>> learner = sl.DynamicNetwork().fit({"u": u, "v": [0, *u[:-1]]})
    >>> print(learner.graph_)
    Graph with 4 nodes and 1 edge
      u[t-1] → v[t]
    """
