"""Genetic search over structures."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.errors import OptionError
from structlearn.graphs import Graph
from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.score.evolution.breeding import (
    CROSSOVERS,
    SELECTIONS,
    Arcs,
    Random,
    mutated,
    random_arcs,
    repaired,
)
from structlearn.learners.score.evolution.population import Individual, fittest
from structlearn.options import Between, Flag, ListOf, OneOf, OrNone, Rules, Whole
from structlearn.outcome import Outcome
from structlearn.rounding import ENOUGH, slack
from structlearn.run import Run
from structlearn.scores import SCORE, Score
from structlearn.search.candidates import CANDIDATES, GivenCandidates
from structlearn.search.climbing import climb
from structlearn.search.dag_state import DAGState
from structlearn.search.space import Space
from structlearn.search.starts import INITIAL, start_from
from structlearn.statistics import Counting, Statistics

MOST_DRAWS = 10  # for each member of the first population


class GeneticSearch(DAGSearch):
    """Keep a population of DAGs, cross the better ones, and let the best survive.

    Parameters
    ----------
    score : str or Score, default "bic"
        What to maximise: "bic", "bdeu", or any object with a `local` method.
    population : int, default 50
        How many DAGs are kept, and how many new ones a generation makes.
    generations : int, default 100
        The most generations.
    patience : int, default 10
        How many generations in a row may bring no better graph.
    crossover : "parents" or "one-point", default "parents"
        What two graphs exchange: all parents of a random half of the nodes, or the ends of their
        strings of arcs, sorted by source and target, from a random place on.
    crossover_rate : float, default 0.9
        The probability that they do; else both are copied.
    mutation_rate : float or None, default None
        The probability with which each possible arc is then turned on or off; None for one
        over the square of the number of nodes.
    selection : "rank" or "tournament", default "rank"
        How parents are drawn: with a probability proportional to the rank, or as the better
        of two.
    elitist : bool, default True
        Whether the best of parents and offspring survive; if not, only the best parent does.
    local_steps : int, default 3
        How many steps each new graph may climb.
    polish : bool, default True
        Whether to climb from the best graph at the end, and drop arcs that bring nothing.
    order : list of str or None, default None
        An order of all columns. Then arcs go only from earlier to later ones, and no crossover
        makes a cycle.
    candidates : Graph or mapping or None, default None
        Which columns may be parents of which, as another method has chosen them: the ends of an edge
        of a graph, in either direction, or for each name its possible parents; None for all.
    initial : Graph or None, default None
        A DAG of the first population, which is random but for it; by default that with only
        the required arcs.
    max_parents : int or None, default None
        The most parents a node may have.
    knowledge : Knowledge or None, default None
        Arcs that must or may not be there.
    statistics : {"memory", "adtree"}, default "memory"
        Whether tables are counted from the rows or from an AD-tree grown once.
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
    evidence_ : dict
        For each arc the score it brings.
    trace_ : dict of arrays
        Each generation, the first population included: "score" (the best), "mean" and "worst"
        of the survivors, and "size", how many of them there are: no DAG is kept twice, and
        few columns have few DAGs.
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

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
    >>> print(sl.GeneticSearch().fit(data).graph_.skeleton())
    Graph with 5 nodes and 4 edges
      Pollution — Cancer
      Smoker — Cancer
      Cancer — Xray
      Cancer — Dyspnoea
    """

    rules: ClassVar[Rules] = {
        "score": SCORE,
        "population": Whole(2, "how many DAGs are kept"),
        "generations": Whole(0, "the most generations"),
        "patience": Whole(1, "how many generations in a row may bring no better graph"),
        "crossover": OneOf(tuple(CROSSOVERS), "what two graphs exchange"),
        "crossover_rate": Between(0, 1, "the probability of an exchange"),
        "mutation_rate": OrNone(Between(0, 1, "the probability that an arc changes"), "1 / nodes²"),
        "selection": OneOf(tuple(SELECTIONS), "how parents are drawn"),
        "elitist": Flag("whether the best of parents and offspring survive"),
        "local_steps": Whole(0, "how many steps each new graph may climb"),
        "polish": Flag("whether to climb from the best graph at the end"),
        "order": OrNone(ListOf(str, "the columns, those first that come first"), "any order"),
        "candidates": CANDIDATES,
        "initial": INITIAL,
    }

    def __init__(
        self,
        *,
        score: str | Score = "bic",
        population: int = 50,
        generations: int = 100,
        patience: int = 10,
        crossover: str = "parents",
        crossover_rate: float = 0.9,
        mutation_rate: float | None = None,
        selection: str = "rank",
        elitist: bool = True,
        local_steps: int = 3,
        polish: bool = True,
        order: Sequence[str] | None = None,
        candidates: GivenCandidates | None = None,
        initial: Graph | None = None,
        max_parents: int | None = None,
        knowledge: Knowledge | None = None,
        statistics: Counting = "memory",
        n_jobs: int | None = None,
        random_state: int | None = 0,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.score = score
        self.population = population
        self.generations = generations
        self.patience = patience
        self.crossover = crossover
        self.crossover_rate = crossover_rate
        self.mutation_rate = mutation_rate
        self.selection = selection
        self.elitist = elitist
        self.local_steps = local_steps
        self.polish = polish
        self.order = order
        self.candidates = candidates
        self.initial = initial
        self.max_parents = max_parents
        self.knowledge = knowledge
        self.statistics = statistics
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.time_limit = time_limit
        self.progress = progress

    def _space(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Space:
        return super()._space(statistics, _with_order(knowledge, self.order, statistics.names), run)

    def _search(self, space: Space) -> Outcome:
        state = start_from(space, self.initial)
        generations = self._evolve(state)
        if self.polish:
            climb(state)
        return space.outcome(state.parents(), _trace(generations))

    def _evolve(self, state: DAGState) -> list[list[float]]:
        """Leave in `state` the best graph of all generations; the scores of each."""
        run, population = state.space.run, self._first_population(state)
        generations = [_scores(population)]
        n_since_best = 0
        for generation in range(self.generations):
            if not population or n_since_best == self.patience or run.must_stop():
                break
            best = population[0].score
            run.show(f"score {best:.1f}", generation, self.generations)
            population = self._next_generation(population, state)
            generations.append(_scores(population))
            n_since_best = 0 if population[0].score > best + slack(best) else n_since_best + 1
        if population:
            state.become(population[0].arcs)
        return generations

    def _first_population(self, state: DAGState) -> list[Individual]:
        """The start and random DAGs; those with an impossible family are drawn again."""
        space = state.space
        members = [Individual(state.arcs.copy(), state.score)]
        for _ in range(MOST_DRAWS * self.population):
            if len(members) == self.population or space.run.must_stop():
                break
            one = Individual.of(repaired(random_arcs(space.n_nodes, space.rng), space), space)
            if one.score > -np.inf:
                members.append(one)
        return fittest(members, self.population)

    def _next_generation(self, population: list[Individual], state: DAGState) -> list[Individual]:
        offspring = []
        for arcs in self._litter(population, state.space.rng):
            if state.space.run.must_stop():
                break
            offspring.append(self._raised(repaired(arcs, state.space), state))
        survivors = population if self.elitist else population[:1]
        return fittest([*survivors, *offspring], self.population)

    def _litter(self, population: list[Individual], rng: Random) -> Iterator[Arcs]:
        """New strings of arcs, which may have cycles, from a population with the best first."""
        n_pairs = (self.population + 1) // 2
        rate = 1 / len(population[0].arcs) ** 2 if self.mutation_rate is None else self.mutation_rate
        drawn = SELECTIONS[self.selection](len(population), 2 * n_pairs, rng).reshape(n_pairs, 2)
        for mother, father in drawn.tolist():
            pair = population[mother].arcs, population[father].arcs
            if rng.random() < self.crossover_rate:
                pair = CROSSOVERS[self.crossover](*pair, rng)
            for arcs in pair:
                yield mutated(arcs, rate, rng)

    def _raised(self, arcs: Arcs, state: DAGState) -> Individual:
        """A DAG after its first steps; `state` is where it takes them."""
        born = Individual.of(arcs, state.space)
        if self.local_steps == 0 or born.score == -np.inf:
            return born
        state.become(arcs)
        for _ in range(self.local_steps):
            move = state.best_move()
            if move is None or move.gain <= ENOUGH:
                break
            state.apply(move)
        return Individual(state.arcs.copy(), state.score)


def _with_order(knowledge: Knowledge, order: Sequence[str] | None, names: tuple[str, ...]) -> Knowledge:
    """The knowledge, and that no arc goes from a later to an earlier column."""
    if order is None:
        return knowledge
    if sorted(order) != sorted(names):
        raise OptionError(
            f"GeneticSearch(order={order!r}): the order names every column once: {', '.join(names)}."
        )
    backwards = [(late, early) for early, late in itertools.combinations(order, 2)]
    return Knowledge(
        required=knowledge.required, forbidden=[*knowledge.forbidden, *backwards], tiers=knowledge.tiers
    )


def _scores(population: list[Individual]) -> list[float]:
    return [one.score for one in population]


def _trace(generations: list[list[float]]) -> dict[str, NDArray[Any]]:
    """The best, mean and worst score of every generation, and its size."""
    scores = [of_all for of_all in generations if of_all]
    return {
        "score": np.array([max(of_all) for of_all in scores]),
        "mean": np.array([sum(of_all) / len(of_all) for of_all in scores]),
        "worst": np.array([min(of_all) for of_all in scores]),
        "size": np.array([len(of_all) for of_all in scores]),
    }
