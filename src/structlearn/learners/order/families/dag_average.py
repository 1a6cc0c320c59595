"""What averages over all DAGs have in common."""

from collections.abc import Mapping

from structlearn.data import Knowledge
from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.order.families.constant_columns import without_constants
from structlearn.options import OrNone, option, result
from structlearn.outcome import Pair
from structlearn.run import Run
from structlearn.scores import SCORE, Score
from structlearn.search.space import Space
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import sort_of

BY_SORT = {"discrete": "bdeu", "continuous": "bge", "mixed": "bic"}


class DAGAverage(DAGSearch):
    """A learner that weighs DAGs by the evidence for them; constant columns have no part in it."""

    score: str | Score | None = option(
        OrNone(
            SCORE,
            "'bdeu' for discrete columns, 'bge' for continuous ones, 'bic' for both; in its extended form "
            "with fewer than 10 rows per column",
        ),
        "The log marginal likelihood. A name of `structlearn.scores`, or any object with a `local` method; "
        "'bic' is near it.",
        default=None,
    )
    probabilities_: Mapping[Pair, float] = result()

    def _score(self, statistics: Statistics) -> str | Score:
        return self.score or BY_SORT[sort_of(statistics)]

    def _space(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Space:
        space = super()._space(statistics, knowledge, run)
        return space.within(without_constants(space.limits, statistics))
