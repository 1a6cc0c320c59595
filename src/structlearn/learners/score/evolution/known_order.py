"""An order of the columns as knowledge."""

from collections.abc import Sequence
from itertools import combinations

from structlearn.data import Knowledge
from structlearn.errors import OptionError


def along_order(knowledge: Knowledge, order: Sequence[str] | None, names: tuple[str, ...]) -> Knowledge:
    """The knowledge, and that no arc goes from a later to an earlier column."""
    if order is None:
        return knowledge
    columns = [name for name in names if name not in knowledge.contexts]
    if sorted(order) != sorted(columns):
        raise OptionError(
            f"GeneticSearch(order={order!r}): the order names every column once: {', '.join(columns)}."
        )
    backwards = [(late, early) for early, late in combinations(order, 2)]
    return knowledge.forbidding(backwards)
