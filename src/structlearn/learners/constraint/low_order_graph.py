"""Graphs of low-order dependence."""

from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge, Oracle
from structlearn.errors import DataError
from structlearn.independence import TEST, IndependenceTest, PairwiseTest, SeparationOracle, test_for
from structlearn.independence.asking import Asker
from structlearn.learners.base import Learner
from structlearn.learners.constraint.chance.first_order import first_order_p_values
from structlearn.learners.constraint.chance.low_orders import Found, joined, largest_p_values, pairs_among
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.option_groups import InformedOfPairs, Tested, Threaded, Timed, TolerantByTest
from structlearn.learners.preconditions import check_columns
from structlearn.numerics.multiplicity import CORRECTIONS, Correction, adjusted
from structlearn.options import Between, OneOf, Whole, option
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics import Statistics
from structlearn.statistics.selection import selected
from structlearn.statistics.varying import are_constant

BY_DEFAULT = "g2 for discrete columns, t for continuous ones, conditional-gaussian for both together"
FEWEST_ROWS = 5  # a t-test given one column has n - 3 degrees of freedom, and variances need more than one


class LowOrderGraph(Tested, TolerantByTest, InformedOfPairs, Threaded, Timed, Learner):
    """Join two columns unless they are independent, or independent given a few others."""

    needs_full_rank = False  # given one column, two others are determined only if they repeat it
    order: int = option(
        Whole(0),
        "The most columns to condition on: 0 for correlations alone, 1 for the 0-1 graph.",
        default=1,
    )
    test: str | IndependenceTest | PairwiseTest | None = option(
        replace(TEST, none_means=BY_DEFAULT),
        "The test of independence. By default the exact t-test for continuous columns, and the usual one for "
        "others.",
        default=None,
    )
    alpha: float = option(
        Between(0, 1), "The level: an edge is there when its adjusted p-value is below.", default=0.05
    )
    correction: Correction = option(
        OneOf(CORRECTIONS), "How p-values are adjusted for the number of pairs.", default="bh"
    )

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        if (size := round(statistics.size, 6)) < FEWEST_ROWS:  # a sum of weights may be just below
            raise DataError(f"LowOrderGraph: {size:g} rows are too few; it takes {FEWEST_ROWS}.")
        if self.order > 1:
            check_columns(statistics, run)
        # What never varies is neither tested nor conditioned on, nor among what is corrected for.
        is_constant = are_constant(statistics)
        tested = np.flatnonzero(~is_constant | is_constant.all())
        found = self._tested(selected(statistics, [statistics.names[j] for j in tested]), run)
        return self._outcome(statistics.names, found, tested, knowledge, run)

    def _tested(self, statistics: Statistics, run: Run) -> Found:
        by_t = self.test is None and set(statistics.kinds) == {"continuous"}
        if by_t and self.order == 1:
            return first_order_p_values(statistics, run)
        test = test_for(run.owner, "t" if by_t else self.test, statistics)
        asker = Asker(test, statistics, alpha=1.0, must_stop=run.must_stop)
        return largest_p_values(asker, len(statistics.names), self.order, run)

    def _learn_from_oracle(self, oracle: Oracle, knowledge: Knowledge, run: Run) -> Outcome:
        names = tuple(sorted(oracle.names))
        asker = Asker(SeparationOracle.of(oracle, names), None, alpha=1.0)
        found = largest_p_values(asker, len(names), self.order, run)
        return self._outcome(names, found, np.arange(len(names)), knowledge, run)

    def _outcome(
        self, names: tuple[str, ...], found: Found, tested: NDArray[np.int64], knowledge: Knowledge, run: Run
    ) -> Outcome:
        known_pairs = KnownPairs(names, knowledge)
        known_pairs.refuse_directions("LowOrderGraph", names)
        pairs, fair = pairs_among(tested), adjusted(found[0], self.correction)
        is_edge = (fair < self.alpha) & known_pairs.may_be_edge(pairs)
        return replace(joined(names, pairs, found, fair, is_edge), status=run.status)

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        An undirected graph; the p-value of an edge is the adjusted one.
    evidence_ : dict
        The adjusted p-value of each edge.
    p_values_ : array
        The largest p-value of each pair, not adjusted, as a matrix in the order of `graph_.nodes`.
    trace_ : dict of arrays
        Order by order: "conditions" and "tests".
    n_tests_ : int
        How many tests were made.

    Notes
    -----
    Meant for many more columns than rows, where conditioning on all others is out of reach [1]_. Under
    faithfulness to an undirected graph it contains that graph, and equals it for trees [2]_.

    References
    ----------
    .. [1] Wille et al. (2004), Sparse graphical Gaussian modeling of the isoprenoid gene network in
       Arabidopsis thaliana, Genome Biology 5.
    .. [2] Wille and Bühlmann (2006), Low-order conditional independence graphs for inferring
       genetic networks, Statistical Applications in Genetics and Molecular Biology 5.

    Examples
    --------
    >>> import structlearn as sl
    >>> chain = sl.Graph("abc", undirected=[("a", "b"), ("b", "c")])
    >>> sl.LowOrderGraph(order=1).fit(sl.Oracle(chain)).graph_ == chain
    True
    """
