"""How new graphs are bred from a population: its options, and one litter."""

from collections.abc import Iterator
from typing import Literal

from structlearn.learners.score.evolution.breeding import CROSSOVERS, SELECTIONS, Arcs, Random, mutated
from structlearn.learners.score.evolution.population import Individual
from structlearn.options import Between, Configured, OrNone, one_of, option

Crossover = Literal["parents", "one-point"]
Selection = Literal["rank", "tournament"]


class Bred(Configured):
    """Which graphs are crossed, how, and what chance does to their children."""

    crossover: Crossover = option(
        one_of(Crossover),
        "What two graphs exchange. All parents of a random half of the nodes, or the ends of their strings "
        "of arcs, sorted by source and target, from a random place on.",
        default="parents",
    )
    crossover_rate: float = option(
        Between(0, 1), "The probability that they do. Else both are copied.", default=0.9
    )
    mutation_rate: float | None = option(
        OrNone(Between(0, 1), "one over the square of the number of nodes"),
        "The probability with which each possible arc is then turned on or off.",
        default=None,
    )
    selection: Selection = option(
        one_of(Selection),
        "How parents are drawn. With a probability proportional to the rank, or as the better of two.",
        default="rank",
    )

    def _litter(self, population: list[Individual], size: int, rng: Random) -> Iterator[Arcs]:
        """New strings of arcs, which may have cycles, from a population with the best first."""
        n_pairs = (size + 1) // 2
        rate = 1 / len(population[0].arcs) ** 2 if self.mutation_rate is None else self.mutation_rate
        drawn = SELECTIONS[self.selection](len(population), 2 * n_pairs, rng).reshape(n_pairs, 2)
        for mother, father in drawn.tolist():
            pair = population[mother].arcs, population[father].arcs
            if rng.random() < self.crossover_rate:
                pair = CROSSOVERS[self.crossover](*pair, rng)
            for arcs in pair:
                yield mutated(arcs, rate, rng)
