"""What searches have in common that score all families."""

from structlearn.data import Knowledge
from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.order.exact.problem_size import refuse_too_many_families, with_affordable_sets
from structlearn.options import OrNone, Whole, option
from structlearn.run import Run
from structlearn.search.space import Space
from structlearn.statistics import Statistics


class AffordableSearch(DAGSearch):
    """A learner that scores all families; without a limit on their size, as many as are quickly scored."""

    max_parents: int | None = option(
        OrNone(
            Whole(0),
            "no limit up to 15 columns, and beyond the largest that leaves 300,000 families to score: 4 with "
            "20 columns, 3 with 28",
        ),
        "The most parents a node may have.",
        default=None,
    )

    def _space(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Space:
        space = super()._space(statistics, knowledge, run)
        limits = with_affordable_sets(space.limits)
        refuse_too_many_families(space.owner, limits)
        return space.within(limits)
