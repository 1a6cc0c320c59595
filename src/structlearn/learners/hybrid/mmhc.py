"""Max-min hill-climbing."""

from dataclasses import replace
from typing import ClassVar

from structlearn.independence import test_for
from structlearn.independence.asking import Asker
from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.hybrid.max_min.options import MaxMin
from structlearn.learners.hybrid.max_min.parents_and_children import find_parents_and_children
from structlearn.learners.hybrid.skeletons.joins import Joins
from structlearn.learners.hybrid.skeletons.restricted_climb import RestrictedClimb, restricted_climb
from structlearn.learners.option_groups import Counted, Limited
from structlearn.options import OrNone, option
from structlearn.outcome import Outcome
from structlearn.scores import SCORE, BDeu, Score
from structlearn.search.space import Space
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import sort_of


class MMHC(MaxMin, RestrictedClimb, Limited, Counted, DAGSearch):
    """Find the parents and children of every column by tests, then climb among them by a score."""

    score: str | Score | None = option(
        OrNone(
            SCORE,
            "BDeu with a prior worth ten rows; BIC unless all columns are discrete; either in its extended "
            "form with fewer than 10 rows per column",
        ),
        "What to maximise. A name of `structlearn.scores`, or any object with a `local` method.",
        default=None,
    )
    tabu = 100

    def _score(self, statistics: Statistics) -> str | Score:
        usual = BDeu(ess=10.0) if sort_of(statistics) == "discrete" else "bic"
        return usual if self.score is None else self.score

    def _search(self, space: Space) -> Outcome:
        test = test_for("MMHC", self.test, space.statistics)
        asker = Asker(test, space.statistics, alpha=self.alpha, must_stop=space.run.must_stop)
        found = find_parents_and_children(asker, Joins.of(space.limits), self, space.run)
        outcome = restricted_climb(space, found.is_neighbor, self)
        p_values = found.p_values(space.names)
        return replace(
            outcome,
            evidence={
                ends: replace(known, p_value=p_values.get(frozenset(ends)))
                for ends, known in outcome.evidence.items()
            },
            n_tests=asker.n_tests,
            extra={"skeleton": found.graph(space.names), "n_skipped": found.n_skipped},
        )

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        The DAG with the best score found; edge weights are what the score loses without them.
    score_ : float
        Its score.
    skeleton_ : Graph
        The edges that the tests left.
    n_tests_ : int
        How many tests were made.
    n_skipped_ : int
        How many were not, for want of rows.
    evidence_ : dict
        For each arc the score it brings, and the largest p-value of the tests that it survived.
    trace_ : dict of arrays
        Each move: "move", "source", "target", "gain" and "score". Those past the best graph were taken
        back.

    Notes
    -----
    The tests are those of `sl.MMPC`; the climb adds, removes and reverses arcs of their skeleton only, so
    that few families are scored [1]_. What the tests miss cannot come back: where a column is
    determined by others, its neighbours look independent, and an unrestricted search scores better.

    References
    ----------
    .. [1] Tsamardinos, Brown and Aliferis (2006), The max-min hill-climbing Bayesian network structure
       learning algorithm, Machine Learning 65.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("cancer").sample(20_000, random_state=0)
    >>> print(sl.MMHC().fit(data).graph_.skeleton())
    Graph with 5 nodes and 4 edges
      Pollution — Cancer
      Smoker — Cancer
      Cancer — Xray
      Cancer — Dyspnoea
    """
