"""Genetic search over structures."""

from collections.abc import Sequence
from typing import ClassVar

from structlearn.data import Knowledge
from structlearn.graphs import Graph
from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.option_groups import Counted, Limited, Narrowed, Scored, Seeded, Started
from structlearn.learners.score.evolution.bred import Bred
from structlearn.learners.score.evolution.breeding import repaired
from structlearn.learners.score.evolution.known_order import along_order
from structlearn.learners.score.evolution.population import (
    Generations,
    Individual,
    first_population,
    fittest,
    raised,
)
from structlearn.options import Flag, Instance, ListOf, OrNone, Whole, option
from structlearn.outcome import Outcome
from structlearn.rounding import is_better
from structlearn.run import Run
from structlearn.search.climbing import climb
from structlearn.search.dag_state import DAGState
from structlearn.search.space import Space
from structlearn.search.starts import start_from
from structlearn.statistics import Statistics


class GeneticSearch(Bred, Scored, Narrowed, Started, Limited, Counted, Seeded, DAGSearch):
    """Keep a population of DAGs, cross the better ones, and let the best survive."""

    population: int = option(
        Whole(2), "How many DAGs are kept, and how many new ones a generation makes.", default=50
    )
    generations: int = option(Whole(0), "The most generations.", default=100)
    patience: int = option(Whole(1), "How many generations in a row may bring no better graph.", default=10)
    elitist: bool = option(
        Flag(),
        "Whether the best of parents and offspring survive. If not, only the best parent does.",
        default=True,
    )
    local_steps: int = option(Whole(0), "How many steps each new graph may climb.", default=3)
    polish: bool = option(
        Flag(),
        "Whether to climb from the best graph at the end, and drop arcs that bring nothing.",
        default=True,
    )
    order: Sequence[str] | None = option(
        OrNone(ListOf(str), "any order"),
        "An order of all columns. Then arcs go only from earlier to later ones, and no crossover makes a "
        "cycle.",
        default=None,
    )
    initial: Graph | None = option(
        OrNone(Instance(Graph), "that with only the required arcs"),
        "A DAG of the first population, which is random but for it.",
        default=None,
    )
    random_state = 0

    def _space(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Space:
        return super()._space(statistics, along_order(knowledge, self.order, statistics.names), run)

    def _search(self, space: Space) -> Outcome:
        state = start_from(space, self.initial)
        generations = Generations()
        self._evolve(state, generations)
        if self.polish:
            climb(state)
        return space.outcome(state.parents(), generations.columns())

    def _evolve(self, state: DAGState, generations: Generations) -> None:
        """Leave in `state` the best graph of all generations."""
        run, population = state.space.run, first_population(state, self.population)
        generations.add(population)
        n_since_best = 0
        for generation in range(self.generations):
            if not population or n_since_best == self.patience or run.must_stop():
                break
            best = population[0].score
            run.show(f"score {best:.1f}", generation, self.generations)
            population = self._next_generation(population, state)
            generations.add(population)
            n_since_best = 0 if is_better(population[0].score, best) else n_since_best + 1
        if population:
            state.become(population[0].arcs)

    def _next_generation(self, population: list[Individual], state: DAGState) -> list[Individual]:
        """The best of parents and offspring; each new graph is repaired and takes its first steps."""
        offspring = []
        for arcs in self._litter(population, self.population, state.space.rng):
            if state.space.run.must_stop():
                break
            offspring.append(raised(repaired(arcs, state.space), state, self.local_steps))
        survivors = population if self.elitist else population[:1]
        return fittest([*survivors, *offspring], self.population)

    details: ClassVar[str] = """
    Attributes
    ----------
    trace_ : dict of arrays
        Each generation, the first population included: "score" (the best), "mean" and "worst"
        of the survivors, and "size", how many of them there are: no DAG is kept twice, and
        few columns have few DAGs.

    Notes
    -----
    A DAG is a string of zeros and ones, one for each possible arc [1]_. Crossing and mutation can
    make cycles: as long as there is one, a random arc of it is removed. Where a node has too many
    parents, those go that the score misses least. Then the new graph climbs a few steps by single
    arcs, which most of the success depends on.

    References
    ----------
    .. [1] Larrañaga, Poza, Yurramendi, Murga and Kuijpers (1996), Structure learning of Bayesian
       networks by genetic algorithms: a performance analysis of control parameters, IEEE
       Transactions on Pattern Analysis and Machine Intelligence 18.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("cancer").sample(20_000, random_state=0)
    >>> sl.GeneticSearch().fit(data).graph_.adjacent("Cancer")
    ('Pollution', 'Smoker', 'Xray', 'Dyspnoea')
    """
