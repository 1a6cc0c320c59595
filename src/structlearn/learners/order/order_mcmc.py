"""Markov chains over orders of the nodes."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from structlearn.learners.option_groups import Limited, NarrowedByNumber, Seeded
from structlearn.learners.order.chains.order_chain import USUAL_SHARES, MoveShares, OrderChain, shares_of
from structlearn.learners.order.chains.recording import Recording, usual_steps
from structlearn.learners.order.chains.results import chains_outcome
from structlearn.learners.order.chains.sampled_dags import refuse_to_count_orders
from structlearn.learners.order.families.dag_average import DAGAverage
from structlearn.learners.order.families.family_rows import all_rows
from structlearn.learners.order.kernels.fitting_rows import FamilyRows
from structlearn.learners.order.permutations.node_orders import OrderStarted, order_of_columns
from structlearn.options import Between, OneOf, OrNone, Whole, option
from structlearn.outcome import Outcome
from structlearn.search.orders.random_orders import random_order
from structlearn.search.promises import narrowed
from structlearn.search.space import Space

MOST_FAMILIES = 2**23  # all of them are kept and looked at: with their members and masks, half a GiB


class OrderMCMC(NarrowedByNumber, OrderStarted, Limited, Seeded, DAGAverage):
    """Draw orders of the nodes by their posterior probability, and from each all that it says of DAGs."""

    steps: int | None = option(
        OrNone(Whole(1), "6 n² ln n with n columns, at least 5,000"),
        "How many steps a chain takes.",
        default=None,
    )
    burn_in: float = option(
        Between(0, 0.99), "The share of the steps, at the start, that is not recorded.", default=0.25
    )
    thin: int | None = option(
        OrNone(Whole(1), "as many as there are columns"),
        "Every how many steps the order is recorded.",
        default=None,
    )
    chains: int = option(Whole(1), "How many chains start, each from its own order.", default=4)
    moves: Mapping[str, float] | None = option(
        OrNone(MoveShares(), "0.8 flips and 0.2 cuts"),
        'How often each move is proposed. "swap" two neighbours, "flip" any two nodes, "cut" the order in '
        "two and exchange the parts.",
        default=None,
    )
    uniform_over: Literal["orders", "graphs"] = option(
        OneOf(("orders", "graphs")),
        'What is equally probable before the data are seen. With "graphs" the DAGs drawn are weighted by one '
        "over the number of their orders, for at most 20 columns.",
        default="orders",
    )
    candidates = 20
    max_parents = 3
    random_state = 0

    def _search(self, space: Space) -> Outcome:
        if self.uniform_over == "graphs":
            refuse_to_count_orders(len(space.columns))
        space = narrowed(space, self.candidates)
        chains = self._start(space, all_rows(space, most=MOST_FAMILIES))
        n_columns = len(space.columns)
        steps = self.steps or usual_steps(n_columns)
        thin = min(self.thin or n_columns, steps)
        n_records = steps // thin
        recording = Recording(chains, space.run, thin=thin, n_jobs=self.n_jobs or 1)
        recording.make(n_records, int(self.burn_in * n_records))
        return chains_outcome(space, chains, are_graphs_alike=self.uniform_over == "graphs")

    def _start(self, space: Space, rows: FamilyRows) -> list[OrderChain]:
        shares = shares_of(self.moves or USUAL_SHARES)
        rngs, limits = space.rng.spawn(self.chains), space.limits.of_columns()
        orders = [random_order(limits, rng) for rng in rngs]
        if self.initial is not None:
            orders[0] = order_of_columns(space, self.initial)
        return [OrderChain(rows, order, shares, rng) for order, rng in zip(orders, rngs, strict=True)]

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        The best DAG of all orders recorded; each edge has its posterior probability as `confidence`.
    score_ : float
        Its score.
    probabilities_ : mapping
        The posterior probability of every arc, by (source, target).
    samples_ : SampledDAGs
        The DAGs drawn, one from each order recorded: a sequence of graphs with `weights`, and
        ``probability(has_feature)`` for whatever can be asked of a graph.
    r_hat_ : float
        How far the chains are from agreeing on the weights of their orders: 1 where they do, and above
        1.05 run them longer.
    effective_sample_size_ : float
        How many independent orders those recorded are worth.
    disagreement_ : float
        The largest difference between two chains in the probability of an arc.
    evidence_ : dict
        For each arc of the graph the score it brings, and its probability.
    trace_ : dict of arrays
        Each order recorded: its "chain" and its "score", the log of its weight.

    Notes
    -----
    Given an order, the probability of the data, and of an arc, is a product of sums over the parent
    sets of each node, so that a chain has to find its way among orders only [1]_. The probability of
    an arc is the mean over all orders recorded, without the noise of drawing DAGs.

    Orders are equally probable before the data are seen, which favours DAGs that many orders allow;
    ``uniform_over="graphs"`` removes this by weights [2]_, at the price of more noise:
    ``samples_.effective_size`` says how much. Probabilities of DAGs with more than `max_parents`, or
    with parents that are no candidates, are zero. For at most some 20 columns `ExactPosterior` needs
    no chain.

    References
    ----------
    .. [1] Friedman and Koller (2003), Being Bayesian about network structure: a Bayesian approach to
       structure discovery in Bayesian networks, Machine Learning 50.
    .. [2] Ellis and Wong (2008), Learning causal Bayesian network structures from experimental
       data, Journal of the American Statistical Association 103.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("cancer").sample(2000, random_state=0)
    >>> found = sl.OrderMCMC().fit(data)
    >>> found.probabilities_["Smoker", "Cancer"] + found.probabilities_["Cancer", "Smoker"] > 0.9
    True
    >>> found.r_hat_ < 1.05
    True
    """
