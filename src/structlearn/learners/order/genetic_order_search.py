"""Genetic search over orders of the nodes."""

from typing import ClassVar

from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.option_groups import Limited, Narrowed, Scored, Seeded, TolerantByFamily
from structlearn.learners.order.families.order_families import OrderFamilies, ParentChoice
from structlearn.learners.order.permutations.crossovers import CROSSOVERS
from structlearn.learners.order.permutations.mutations import MUTATIONS
from structlearn.learners.order.permutations.node_orders import OrderStarted, order_of_graph
from structlearn.learners.order.permutations.order_population import OrderPopulation
from structlearn.learners.score.evolution.breeding import by_rank
from structlearn.options import Between, OneOf, Whole, option
from structlearn.outcome import Outcome
from structlearn.search.orders.random_orders import Order, parents_first, random_order
from structlearn.search.space import Space

MOST_REPEATS = 100  # orders in a row that are there already: few others can be left


class GeneticOrderSearch(
    Scored, ParentChoice, Narrowed, OrderStarted, Limited, Seeded, TolerantByFamily, DAGSearch
):
    """Breed orders of the nodes; an order is worth the DAG that K2 makes of it."""

    population: int = option(Whole(2), "How many orders are kept.", default=50)
    evaluations: int = option(Whole(1), "How many orders are scored in all.", default=1000)
    crossover: str = option(
        OneOf(tuple(CROSSOVERS)),
        'How orders make a new one. "voting" is of four orders.',
        default="order-based",
    )
    crossover_rate: float = option(
        Between(0, 1),
        "The probability of a crossover. Otherwise the new order is a copy of one.",
        default=1.0,
    )
    mutation: str = option(
        OneOf(tuple(MUTATIONS)),
        'How a new order changes. By "insertion" of one node elsewhere, "exchange" of two, "displacement", '
        '"inversion" or "scramble" of a block, or "inverted-displacement".',
        default="insertion",
    )
    mutation_rate: float = option(Between(0, 1), "The probability that a new order changes.", default=0.1)
    max_parents = 4
    random_state = 0

    def _search(self, space: Space) -> Outcome:
        families = OrderFamilies(space, self.parents)
        population = OrderPopulation(families, self.population)
        if self.initial is not None:
            population.add(order_of_graph(space, self.initial))
        self._evolve(population, space)
        best = population.ranked[0].order
        parents = [family.parents for family in families.of(best)]
        return space.outcome(parents, population.trace(), order=tuple(space.names[node] for node in best))

    def _evolve(self, population: OrderPopulation, space: Space) -> None:
        """Add random orders while there is room, then children of those that are there."""
        n_repeats = 0
        while population.n_added < self.evaluations and n_repeats < MOST_REPEATS:
            if population.n_added and (space.run.must_stop() or population.is_level):
                break
            is_new = population.add(self._new_order(population, space))
            n_repeats = 0 if is_new else n_repeats + 1
            space.run.show(f"score {population.ranked[0].score:.1f}", population.n_added, self.evaluations)

    def _new_order(self, population: OrderPopulation, space: Space) -> Order:
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

    details: ClassVar[str] = """
    Attributes
    ----------
    order_ : tuple of str
        The order it comes from.
    trace_ : dict of arrays
        Each order: its "score", and "best" and "mean" of the population that it joined, or did not.

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
