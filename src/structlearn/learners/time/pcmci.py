"""PCMCI and PCMCI+."""

from dataclasses import replace
from typing import ClassVar

from structlearn.errors import OptionError
from structlearn.independence import test_for
from structlearn.independence.asking import Asker
from structlearn.learners.option_groups import Tested, TolerantByTest
from structlearn.learners.time.learner import NOT_COMPARED, KnownInTime, TimeLearner
from structlearn.learners.time.momentary.asked_links import LinkTests
from structlearn.learners.time.momentary.lagged_parents import lagged_parents
from structlearn.learners.time.momentary.links import (
    lagged_links,
    refuse_short_series,
    stop_before_long_products,
)
from structlearn.learners.time.momentary.options import MomentaryOptions
from structlearn.learners.time.momentary.results import of_lagged_links, of_skeleton, parents_by_name
from structlearn.learners.time.momentary.within_a_step import Skeleton, colliders
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics.lagged import LaggedTable


class PCMCI(MomentaryOptions, Tested, TolerantByTest, TimeLearner):
    """Test each link in time given the parents of both its ends, so that autocorrelation fools no test."""

    def _learn_lagged(self, table: LaggedTable, known: KnownInTime, run: Run) -> Outcome:
        lags, known = table.asked, known.beside_context(table)
        refuse_short_series(run.owner, table, lags[-1])
        if self.alpha_pc is None and not table.statistics.is_complete:
            raise OptionError(f"{run.owner}(alpha_pc=None, missing='testwise'): {NOT_COMPARED}")
        test = test_for(run.owner, self.test, table.statistics)
        asker = Asker(test, table.statistics, alpha=self.alpha, must_stop=run.must_stop)
        tests = LinkTests(table, asker)
        stop_before_long_products(table, run)
        parents = lagged_parents(tests, lags, known, self.alpha_pc, run)
        if self.contemporaneous is True:
            skeleton = Skeleton(tests, parents, known, lags)
            skeleton.prune(self.alpha, run)
            triples = colliders(skeleton, tests, self.collider_rule, self.alpha)
            outcome = of_skeleton(tests, skeleton, triples, lags, known, run)
        else:
            links = lagged_links(
                tests,
                parents,
                (0, *lags) if self.contemporaneous else lags,
                known,
                run,
                correction=self.correction,
                most_of_source=self.max_px,
            )
            outcome = of_lagged_links(table, links, lags, known, self.alpha, run)
        extra = {"candidate_parents": parents_by_name(table, parents)}
        return replace(outcome, n_tests=asker.n_tests, extra=extra)

    def lags_of_table(self, lags: tuple[int, ...]) -> tuple[int, ...]:
        """Twice as many."""
        return tuple(range(1, 2 * lags[-1] + 1))  # the parents of the furthest source are as far behind it

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        Arrows from the past to the present, x[t-1] → y[t]; with `contemporaneous` also edges within a step,
        directed as far as that follows. `graph_.summary()` has a node for each variable.
    p_values_ : array of shape (lags, p, p)
        After `correction`: at [l, i, j] that of the link from variable j to variable i, lags in rising order
        and variables in that of the columns; 0 is among the lags with `contemporaneous="undirected"`. Not
        with `contemporaneous=True`.
    candidate_parents_ : dict of str to tuple
        What the first half found to condition on, the strongest first.
    conflicts_ : tuple of str
        With `contemporaneous`: colliders that the tests ask for but that contradict stronger ones.
    evidence_ : dict
        The p-value of each edge; with `contemporaneous` the largest of the tests that it survived.
    n_tests_ : int
        How many tests were made.

    Notes
    -----
    First every lagged column is a candidate for the parents of a variable, and is tested given the strongest
    others, one set a level; this keeps few. Then each link is tested given the parents of its target and
    those of its source: what both owe to their own past is out of the test, and its level holds however
    strong autocorrelation is [1]_. All tests use the same rows, those that have twice the lags.

    With `contemporaneous` links within a step are pruned given sets of neighbours within it beside those
    parents, and directed by colliders and what follows from them [2]_. What is known of tiers holds within a
    step, what is forbidden at all lags, and what is required is there at the smallest. A column that never
    changes within a series is context: it acts at the smallest lag, and follows from nothing. Both assume
    that no cause is hidden and that the same holds at all times; LPCMCI, for hidden causes, is not here.

    References
    ----------
    .. [1] Runge, Nowack, Kretschmer, Flaxman and Sejdinovic (2019), Detecting and quantifying causal
       associations in large nonlinear time series datasets, Science Advances 5.
    .. [2] Runge (2020), Discovering contemporaneous and lagged causal relations in autocorrelated nonlinear
       time series datasets, UAI.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> noise = np.random.default_rng(0).normal(size=(500, 2))
    >>> x, y = np.zeros(500), np.zeros(500)
    >>> for t in range(2, 500):
    ...     x[t] = 0.8 * x[t - 1] + noise[t, 0]
    ...     y[t] = 0.8 * y[t - 1] + 0.5 * x[t - 2] + noise[t, 1]
    >>> print(sl.PCMCI(lags=2).fit({"x": x, "y": y}).graph_)
    Graph with 6 nodes and 3 edges
      x[t-2] → y[t]
      x[t-1] → x[t]
      y[t-1] → y[t]
    """
