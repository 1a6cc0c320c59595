"""Whether a graphics card scores all small families of a space."""

import math
from dataclasses import replace

from structlearn.gpu import card, families
from structlearn.gpu.families import FamiliesOnCard, Terms
from structlearn.scores.protocol import SetScore, SetTerms
from structlearn.search.limits import count_families
from structlearn.search.space import Space
from structlearn.statistics.memory import MemoryStatistics
from structlearn.statistics.set_sums.counted import CountedSums
from structlearn.statistics.set_sums.sums import Kinds, numbers_of_cells


def families_on_card(space: Space, most_parents: int) -> FamiliesOnCard | None:
    """The families of a space, if the card that it may use takes them; None where the processor is to work.

    A card scores tables in memory without gaps or weights, with up to 16 levels, by scores that are made of
    values of sets; and not so few families that it would be the slower one.
    """
    statistics, score = space.statistics, space.score
    if space.device == "cpu" or type(statistics) is not MemoryStatistics or statistics.weights is not None:
        return None
    terms = score.set_terms(statistics) if isinstance(score, SetScore) else None
    largest = min(space.limits.max_parents, most_parents, space.n_nodes - 1) + 1
    if terms is None or not _pays(space, largest):
        return None
    takes, why_not = card.takes_card(
        space.device,
        f"the values of all sets of {largest} of {space.n_nodes} columns",
        families.bytes_needed(statistics.levels, statistics.n_rows, largest),
        "pass device='cpu', lower max_parents, or take fewer columns",
    )
    if why_not:
        space.run.note(why_not)
    return _summed(space, statistics, terms, largest) if takes else None


def _pays(space: Space, largest: int) -> bool:
    levels, limits = space.statistics.levels, space.limits
    n_sets = sum(math.comb(space.n_nodes, size) for size in range(largest + 1))
    return (
        1 < largest <= families.MOST_PARENTS + 1
        and 1 <= levels.min() <= levels.max() <= families.MOST_LEVELS
        and not limits.frozen.any()
        and n_sets >= families.FEWEST_SETS
        and count_families(replace(limits, max_parents=largest - 1)) >= n_sets
    )


def _summed(
    space: Space, statistics: MemoryStatistics, terms: SetTerms, largest: int
) -> FamiliesOnCard | None:
    """The families, once the values of all sets are known; None where the run must stop before."""
    levels, must_stop = statistics.levels, space.run.must_stop
    kinds = Kinds.of(terms.cells, numbers_of_cells(levels, largest))
    small = CountedSums(statistics, 1, terms.cells)
    empty, alone = (small.of_size(size, must_stop) for size in (0, 1))
    assert empty is not None and alone is not None  # noqa: PT018, S101, both are known from the start
    found = FamiliesOnCard(
        *statistics.masks, levels, Terms(*kinds, terms.price), (float(empty[0]), alone), largest
    )
    return found if found.sum_sets(must_stop) else None
