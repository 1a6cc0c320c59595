"""The score that averages over DAGs weigh them by."""

from structlearn.options import Configured, OrNone, option
from structlearn.scores import SCORE, Score
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import sort_of

BY_SORT = {"discrete": "bdeu", "continuous": "bge", "mixed": "bic"}


class ScoredByEvidence(Configured):
    """What DAGs are weighed by."""

    score: str | Score | None = option(
        OrNone(SCORE, "'bdeu' for discrete columns, 'bge' for continuous ones, 'bic' for both"),
        "The log marginal likelihood. A name of `structlearn.scores`, or any object with a `local` method; "
        "'bic' is near it.",
        default=None,
    )

    def _score(self, statistics: Statistics) -> str | Score:
        return self.score or BY_SORT[sort_of(statistics)]
