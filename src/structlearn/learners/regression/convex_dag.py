"""Parameters, parents and an order of the columns in one convex programme."""

from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np

from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.option_groups import Narrowed, Seeded
from structlearn.learners.regression.soft_order.conic import relax_by_cones
from structlearn.learners.regression.soft_order.gradient import relax_by_gradients
from structlearn.learners.regression.soft_order.relaxation import Relaxation, SoftProblem
from structlearn.learners.regression.soft_order.rounding import Order, Rounding, order_of, without_choice
from structlearn.options import Above, Flag, OrNone, Whole, one_of, option
from structlearn.outcome import Outcome
from structlearn.search.space import Space
from structlearn.statistics.column_sorts import only_kind

Solver = Literal["conic", "gradient"]
MOST_CONIC = 25  # columns, up to which cones of squares take seconds; those of softmax take minutes


class ConvexDAG(Narrowed, Seeded, DAGSearch):
    """Relax the choice of parents and of an order into one convex programme, then round it to a DAG."""

    edge_price: float | None = option(
        OrNone(Above(0), "what the BIC asks, or the extended BIC where rows are few"),
        "What an arc costs, in units of the log-likelihood.",
        default=None,
    )
    ridge: float | None = option(
        OrNone(Above(0), "eight times the price of a parameter"),
        "What squared weights cost, times two. With a small ridge the order stays open.",
        default=None,
    )
    standardise: bool = option(
        Flag(),
        "Whether continuous columns are divided by their standard deviations. If not, every column is taken "
        "to have noise of variance 1, and variances tell the order.",
        default=True,
    )
    solver: Solver | None = option(
        OrNone(one_of(Solver), "cones for up to 25 continuous columns"),
        "How the programme is solved. As a conic one by cvxpy, or by gradients without the transitivity of "
        "the order, for many columns.",
        default=None,
    )
    n_roundings: int = option(
        Whole(1), "How many orders are tried, those after the first at random near it.", default=1
    )
    polish: bool = option(
        Flag(), "Whether neighbours of the order are swapped while that makes the DAG cheaper.", default=True
    )
    random_state = 0

    def _search(self, space: Space) -> Outcome:
        only_kind(space.owner, space.statistics, "soft order")
        problem = SoftProblem.of(space, price=self.edge_price, ridge=self.ridge, standardise=self.standardise)
        if problem is None:
            return without_choice(space)
        relaxation = self._relaxed(problem, space)
        if relaxation.is_undecided and not self.standardise and space.n_nodes > 1:
            space.run.warn(
                "the relaxed order is open, so that rounding it is arbitrary; take a larger ridge."
            )
        space.run.round_off()
        rounding = Rounding(problem, space.run)
        orders = self._orders(relaxation, problem, space.rng)
        costs = [rounding.cost(each) for each in orders]
        order = orders[int(np.argmin(costs))]
        if self.polish:
            order = rounding.swapped(order)
        cost = rounding.cost(order)
        found = {"bound": relaxation.bound, "cost": cost, "gap": cost - relaxation.bound}
        outcome = space.outcome(rounding.parents(order), {"cost": np.array(costs)}, **found)
        soft = {"shares": relaxation.shares, "precedence": relaxation.precedence}
        return replace(outcome, by_pair=soft)

    def _relaxed(self, problem: SoftProblem, space: Space) -> Relaxation:
        is_easy = problem.n_columns <= MOST_CONIC and not space.statistics.levels.any()
        by_cones = is_easy if self.solver is None else self.solver == "conic"
        if by_cones and problem.is_open.any() and not space.run.must_stop():
            return relax_by_cones(problem, space.run)
        return relax_by_gradients(problem, space.run)

    def _orders(self, soft: Relaxation, problem: SoftProblem, rng: np.random.Generator) -> list[Order]:
        """The order of the relaxed optimum, and others with a predecessor more or less here and there."""
        noises = [None, *rng.normal(size=(self.n_roundings - 1, problem.n_columns))]
        return [order_of(soft, problem, noise) for noise in noises]

    details: ClassVar[str] = """
    Attributes
    ----------
    bound_ : float
        The value of the relaxed programme: no DAG costs less.
    cost_, gap_ : float
        What the DAG costs (loss, ridge and the price of its arcs), and how much more that is than the bound.
    shares_, precedence_ : array
        How much of each arc the relaxed optimum takes, and how much its source comes before its target.
    trace_ : dict of arrays
        The "cost" of the best DAG along each order tried, before any swap.

    Notes
    -----
    An arc has a share between 0 and 1 that costs its price; its squared weights cost the ridge over the
    share; a share is at most as large as its source comes before its target, and of two columns one comes
    before the other, transitively [1]_. Rounding sorts columns by what comes before them and chooses the
    best parents among earlier columns. A continuous column is predicted by least squares, a discrete one by
    a softmax regression on indicators, without interactions. `score_` is the BIC, extended where rows are
    few, so that graphs compare with those of other methods.

    References
    ----------
    .. [1] Guo and Schuurmans (2006), Convex structure learning for Bayesian networks: polynomial feature
       selection and approximate ordering, UAI.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("cancer").sample(2_000, random_state=0)
    >>> learner = sl.ConvexDAG().fit(data)
    >>> learner.gap_ >= 0
    True
    """
