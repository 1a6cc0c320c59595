"""Markov chains over orders of the nodes."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Literal

import joblib
import numpy as np

from structlearn.data import Knowledge
from structlearn.errors import OptionError
from structlearn.graphs import Graph
from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.order.chains.order_chain import USUAL_SHARES, MoveShares, OrderChain, shares_of
from structlearn.learners.order.chains.sampled_dags import MOST_NODES_TO_COUNT, SampledDAGs, arcs_by_name
from structlearn.learners.order.exact_posterior import BY_SORT
from structlearn.learners.order.families.constant_columns import without_constants
from structlearn.learners.order.families.family_rows import all_rows
from structlearn.learners.order.kernels.fitting_rows import FamilyRows
from structlearn.learners.order.permutations.node_orders import INITIAL, order_of_graph, random_order
from structlearn.numerics.chain_diagnostics import effective_sample_size, split_r_hat
from structlearn.options import Between, OneOf, OrNone, Rules, Whole
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.scores import SCORE, Score
from structlearn.search.candidates import COUNTED_CANDIDATES, CountedCandidates
from structlearn.search.promises import narrowed
from structlearn.search.space import Space
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import sort_of

FEWEST_STEPS = 5_000
MOST_FAMILIES = 2**23
MOST_RECORDS_PER_CALL = 256
ROWS_PER_CALL = 1e8  # looked at between two looks at the clock


class OrderMCMC(DAGSearch):
    """Draw orders of the nodes by their posterior probability, and from each all that it says of DAGs.

    Parameters
    ----------
    score : str, Score or None, default None
        The log marginal likelihood; None for "bdeu" with discrete columns, "bge" with continuous ones, and
        with both "bic", which is near it.
    steps : int or None, default None
        How many steps a chain takes; None for 6 n² ln n with n columns, at least 5,000.
    burn_in : float, default 0.25
        The share of them, at the start, that is not recorded.
    thin : int or None, default None
        Every how many steps the order is recorded; None for as many as there are columns.
    chains : int, default 4
        How many chains start, each from its own order.
    moves : mapping or None, default None
        How often each move is proposed: "swap" two neighbours, "flip" any two nodes, "cut" the order in two
        and exchange the parts. None for ``{"flip": 0.8, "cut": 0.2}``.
    uniform_over : {"orders", "graphs"}, default "orders"
        What is equally probable before the data are seen. With "graphs" the DAGs drawn are weighted by
        one over the number of their orders, for at most 20 columns.
    candidates : int, mapping, Graph or None, default 20
        The nodes that a node's parents are chosen from: so many of those that score most as the only
        parent; a mapping from each node to its candidates, where a node left out has none; or a
        graph, where they are the node's neighbours, whatever the direction. None for all.
    initial : Graph or None, default None
        A DAG whose order is the start of the first chain.
    max_parents : int or None, default 3
        The most parents a node may have; None for no limit.
    knowledge : Knowledge or None, default None
        Arcs that must or may not be there.
    n_jobs : int or None, default None
        How many threads count tables and run chains; -1 for all.
    random_state : int or None, default 0
        The seed of all draws.
    time_limit : float or None, default None
        Seconds after which what was drawn so far is returned.
    progress : bool or None, default None
        Whether to show a progress bar; by default only in a terminal.

    Attributes
    ----------
    graph_ : Graph
        The best DAG of all orders recorded; each edge has its posterior probability as `confidence`.
    score_ : float
        Its score.
    probabilities_ : dict
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
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

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

    rules: ClassVar[Rules] = {
        "score": OrNone(SCORE, "'bdeu' for discrete columns, 'bge' for continuous ones, 'bic' for both"),
        "steps": OrNone(Whole(1, "how many steps a chain takes"), "6 n² ln n, at least 5,000"),
        "burn_in": Between(0, 0.99, "the share of the steps, at the start, that is not recorded"),
        "thin": OrNone(Whole(1, "every how many steps the order is recorded"), "one per column"),
        "chains": Whole(1, "how many chains start"),
        "moves": OrNone(MoveShares("how often each move is proposed"), "0.8 flips and 0.2 cuts"),
        "uniform_over": OneOf(("orders", "graphs"), "what is equally probable before the data are seen"),
        "candidates": COUNTED_CANDIDATES,
        "initial": INITIAL,
    }

    def __init__(
        self,
        *,
        score: str | Score | None = None,
        steps: int | None = None,
        burn_in: float = 0.25,
        thin: int | None = None,
        chains: int = 4,
        moves: Mapping[str, float] | None = None,
        uniform_over: Literal["orders", "graphs"] = "orders",
        candidates: CountedCandidates | None = 20,
        initial: Graph | None = None,
        max_parents: int | None = 3,
        knowledge: Knowledge | None = None,
        n_jobs: int | None = None,
        random_state: int | None = 0,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.score = score
        self.steps = steps
        self.burn_in = burn_in
        self.thin = thin
        self.chains = chains
        self.moves = moves
        self.uniform_over = uniform_over
        self.candidates = candidates
        self.initial = initial
        self.max_parents = max_parents
        self.knowledge = knowledge
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.time_limit = time_limit
        self.progress = progress

    def _space(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Space:
        self._refuse_to_count_orders(len(statistics.names))
        space = super()._space(statistics, knowledge, run)
        return space.within(without_constants(space.limits, statistics))

    def _score(self, statistics: Statistics) -> str | Score:
        return self.score or BY_SORT[sort_of(statistics)]

    def _search(self, space: Space) -> Outcome:
        space = narrowed(space, self.candidates)
        rows = all_rows(space, most=MOST_FAMILIES)
        chains = self._start(space, rows)
        self._run(chains, rows, space.run)
        return self._outcome(space, chains)

    def _refuse_to_count_orders(self, n_columns: int) -> None:
        if self.uniform_over == "graphs" and n_columns > MOST_NODES_TO_COUNT:
            raise OptionError(
                f"OrderMCMC(uniform_over='graphs'): the orders of a DAG are counted for at most "
                f"{MOST_NODES_TO_COUNT} columns, and there are {n_columns}. Use uniform_over='orders'."
            )

    def _start(self, space: Space, rows: FamilyRows) -> list[OrderChain]:
        shares = shares_of(self.moves or USUAL_SHARES)
        rngs = space.rng.spawn(self.chains)
        orders = [random_order(space.limits, rng) for rng in rngs]
        if self.initial is not None:
            orders[0] = order_of_graph(space, self.initial)
        return [OrderChain(rows, order, shares, rng) for order, rng in zip(orders, rngs, strict=True)]

    def _run(self, chains: list[OrderChain], rows: FamilyRows, run: Run) -> None:
        n = len(rows.starts) - 1
        steps = self.steps or max(math.ceil(6 * n * n * math.log(n)), FEWEST_STEPS)
        thin = min(self.thin or n, steps)
        n_records = steps // thin
        n_burnt = int(self.burn_in * n_records)
        most = min(MOST_RECORDS_PER_CALL, 1 + int(ROWS_PER_CALL / (len(rows.scores) * thin)))
        self._record(chains, n_burnt, thin, most, run)
        for chain in chains:
            chain.forget()
        self._record(chains, n_records - n_burnt, thin, most, run)
        if not chains[0].log_weights:
            for chain in chains:
                chain.run(1, 0)

    def _record(self, chains: list[OrderChain], n_records: int, thin: int, most: int, run: Run) -> None:
        """Let all chains record so many orders, or as many as there is time for."""
        n_done = 0
        while n_done < n_records and not run.must_stop():
            run.show(f"{len(chains)} chains", n_done, n_records)
            n_more = min(most, n_records - n_done)
            joblib.Parallel(n_jobs=self.n_jobs or 1, require="sharedmem")(
                joblib.delayed(chain.run)(n_more, thin) for chain in chains
            )
            n_done += n_more

    def _outcome(self, space: Space, chains: list[OrderChain]) -> Outcome:
        names = space.names
        samples = SampledDAGs(names, np.concatenate([chain.parents for chain in chains]))
        arcs = np.array([chain.arcs for chain in chains])
        probabilities = arcs_by_name(names, arcs.mean(axis=0))
        if self.uniform_over == "graphs":
            samples.reweigh_by_orders()
            probabilities = samples.arc_probabilities()
        log_weights = np.array([chain.log_weights for chain in chains])
        found = space.outcome(
            max(chains, key=lambda chain: chain.best_score).best_parents,
            {"chain": np.indices(log_weights.shape)[0].ravel(), "score": log_weights.ravel()},
            probabilities=probabilities,
            samples=samples,
            r_hat=split_r_hat(log_weights),
            effective_sample_size=effective_sample_size(log_weights),
            disagreement=float(np.ptp(arcs, axis=0).max()),
        )
        confident = {
            arc: replace(known, confidence=probabilities[arc]) for arc, known in found.evidence.items()
        }
        return replace(found, evidence=confident)
