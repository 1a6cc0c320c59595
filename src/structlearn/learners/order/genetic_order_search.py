"""Genetic search over orders of the nodes."""

from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.graphs import Graph
from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.order.families.order_families import (
    CHOOSING,
    Choosing,
    OrderFamilies,
    total,
)
from structlearn.learners.order.permutations.crossovers import CROSSOVERS
from structlearn.learners.order.permutations.mutations import MUTATIONS
from structlearn.learners.order.permutations.node_orders import (
    INITIAL,
    Order,
    order_of_graph,
    parents_first,
    random_order,
)
from structlearn.learners.score.evolution.breeding import by_rank
from structlearn.options import Between, OneOf, Rules, Whole
from structlearn.outcome import Outcome
from structlearn.rounding import slack
from structlearn.scores import SCORE, Score
from structlearn.search.candidates import CANDIDATES, GivenCandidates
from structlearn.search.space import Space

MOST_REPEATS = 100  # orders in a row that are there already: few others can be left


class GeneticOrderSearch(DAGSearch):
    """Breed orders of the nodes; an order is worth the DAG that K2 makes of it.

    Parameters
    ----------
    score : str or Score, default "bic"
        What to maximise: "bic", "k2", "bdeu", another name of `structlearn.scores`, or any object with a
        `local` method.
    population : int, default 50
        How many orders are kept.
    evaluations : int, default 1000
        How many orders are scored in all.
    crossover : str, default "order-based"
        How orders make a new one: "order-based", "order", "partially-mapped", "position-based", "cycle",
        "alternating", or "voting" of four orders.
    crossover_rate : float, default 1.0
        The probability of a crossover; otherwise the new order is a copy of one.
    mutation : str, default "insertion"
        How a new order changes: "insertion" of one node elsewhere, "exchange" of two,
        "displacement", "inversion" or "scramble" of a block, or "inverted-displacement".
    mutation_rate : float, default 0.1
        The probability that a new order changes.
    parents : {"greedy", "exhaustive"}, default "greedy"
        How a node chooses its parents among the nodes before it, as in `K2`.
    candidates : Graph or mapping or None, default None
        Which columns may be parents of which, as another method has chosen them: the ends of an edge
        of a graph, in either direction, or for each name its possible parents; None for all.
    initial : Graph or None, default None
        A DAG whose order is one of the first; by default all are random.
    max_parents : int or None, default 4
        The most parents a node may have.
    knowledge : Knowledge or None, default None
        Arcs that must or may not be there.
    n_jobs : int or None, default None
        How many threads count tables; -1 for all.
    random_state : int or None, default 0
        The seed of all draws.
    time_limit : float or None, default None
        Seconds after which the best graph so far is returned.
    progress : bool or None, default None
        Whether to show a progress bar; by default only in a terminal.

    Attributes
    ----------
    graph_ : Graph
        The DAG with the best score found; edge weights are what the score loses without them.
    score_ : float
        Its score.
    order_ : tuple of str
        The order it comes from.
    evidence_ : dict
        For each arc the score it brings.
    trace_ : dict of arrays
        Each order: its "score", and "best" and "mean" of the population that it joined, or did not.
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

    Notes
    -----
    Two orders, drawn by rank, make a new one, which replaces the worst if it is better [1]_. An order
    that is in the population already is drawn again. The search ends after so many evaluations, or
    when all orders score the same. What a node chooses among the same predecessors is found once.

    References
    ----------
    .. [1] Larrañaga, Kuijpers, Murga and Yurramendi (1996), Learning Bayesian network structures by
       searching for the best ordering with genetic algorithms, IEEE Transactions on Systems, Man and
       Cybernetics A 26.

    Examples
    --------
    >>> import structlearn as sl
    >>> model = sl.example("asia")
    >>> data = model.sample(5_000, random_state=0)
    >>> found = sl.GeneticOrderSearch(evaluations=500).fit(data)
    >>> found.score_ >= sl.score(model.graph, data)
    True
    """

    rules: ClassVar[Rules] = {
        "score": SCORE,
        "population": Whole(2, "how many orders are kept"),
        "evaluations": Whole(1, "how many orders are scored in all"),
        "crossover": OneOf(tuple(CROSSOVERS), "how orders make a new one"),
        "crossover_rate": Between(0, 1, "the probability of a crossover"),
        "mutation": OneOf(tuple(MUTATIONS), "how a new order changes"),
        "mutation_rate": Between(0, 1, "the probability that a new order changes"),
        "parents": CHOOSING,
        "candidates": CANDIDATES,
        "initial": INITIAL,
    }

    def __init__(
        self,
        *,
        score: str | Score = "bic",
        population: int = 50,
        evaluations: int = 1000,
        crossover: str = "order-based",
        crossover_rate: float = 1.0,
        mutation: str = "insertion",
        mutation_rate: float = 0.1,
        parents: Choosing = "greedy",
        candidates: GivenCandidates | None = None,
        initial: Graph | None = None,
        max_parents: int | None = 4,
        knowledge: Knowledge | None = None,
        n_jobs: int | None = None,
        random_state: int | None = 0,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.score = score
        self.population = population
        self.evaluations = evaluations
        self.crossover = crossover
        self.crossover_rate = crossover_rate
        self.mutation = mutation
        self.mutation_rate = mutation_rate
        self.parents = parents
        self.candidates = candidates
        self.initial = initial
        self.max_parents = max_parents
        self.knowledge = knowledge
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.time_limit = time_limit
        self.progress = progress

    def _search(self, space: Space) -> Outcome:
        families = OrderFamilies(space, self.parents)
        population = _Population(families, self.population)
        if self.initial is not None:
            population.add(order_of_graph(space, self.initial))
        self._evolve(population, space)
        best = population.ranked[0].order
        parents = [family.parents for family in families.of(best)]
        return space.outcome(parents, population.trace(), order=tuple(space.names[node] for node in best))

    def _evolve(self, population: "_Population", space: Space) -> None:
        """Add random orders while there is room, then children of those that are there."""
        n_repeats = 0
        while population.n_added < self.evaluations and n_repeats < MOST_REPEATS:
            if population.n_added and (space.run.must_stop() or population.is_level):
                break
            is_new = population.add(self._new_order(population, space))
            n_repeats = 0 if is_new else n_repeats + 1
            space.run.show(f"score {population.ranked[0].score:.1f}", population.n_added, self.evaluations)

    def _new_order(self, population: "_Population", space: Space) -> Order:
        limits, rng = space.limits, space.rng
        if not population.is_full or len(limits.frozen) < 2:
            return random_order(limits, rng)
        crossover = CROSSOVERS[self.crossover]
        drawn = by_rank(len(population.ranked), crossover.n_parents, rng).tolist()
        parents = [population.ranked[place].order for place in drawn]
        child = crossover.make(parents, rng) if rng.random() < self.crossover_rate else parents[0]
        if rng.random() < self.mutation_rate:
            child = MUTATIONS[self.mutation](child, rng)
        return parents_first(child, limits.frozen)


class _Individual(NamedTuple):
    order: Order
    score: float


class _Population:
    """Distinct orders from the best to the worst."""

    def __init__(self, families: OrderFamilies, size: int) -> None:
        self.ranked: list[_Individual] = []
        self._families = families
        self._size = size
        self._keys: set[bytes] = set()
        self._steps: list[tuple[float, float, float]] = []

    @property
    def n_added(self) -> int:
        return len(self._steps)

    @property
    def is_full(self) -> bool:
        return len(self.ranked) == self._size

    @property
    def is_level(self) -> bool:
        best, worst = self.ranked[0].score, self.ranked[-1].score
        return self.is_full and best - worst <= slack(best)

    def add(self, order: Order) -> bool:
        """Score an order and keep it if it is among the best; False if it was there already."""
        if order.tobytes() in self._keys:
            return False
        found = _Individual(order, total(self._families.of(order)))
        if not self.is_full or found.score > self.ranked[-1].score:
            self._keep(found)
        scores = [one.score for one in self.ranked]
        self._steps.append((found.score, scores[0], sum(scores) / len(scores)))
        return True

    def trace(self) -> dict[str, NDArray[np.float64]]:
        columns = zip(*self._steps, strict=True)
        return {
            name: np.array(column) for name, column in zip(("score", "best", "mean"), columns, strict=True)
        }

    def _keep(self, found: _Individual) -> None:
        if self.is_full:
            self._keys.remove(self.ranked.pop().order.tobytes())
        self._keys.add(found.order.tobytes())
        place = sum(one.score >= found.score for one in self.ranked)
        self.ranked.insert(place, found)
