"""What searches over DAGs by score have in common."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from structlearn.data import Knowledge
from structlearn.learners.base import ATTRIBUTES, Learner
from structlearn.learners.option_groups import Informed, Targeted, Threaded, Timed
from structlearn.options import result
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.scores import Extended, Score, TreeScore, VariancesByChance, score_of_form
from structlearn.scores.interventional import Interventional
from structlearn.search.candidates import given_and_counted
from structlearn.search.space import Space
from structlearn.search.usual_score import usual_score
from structlearn.statistics import Statistics

if TYPE_CHECKING:
    from structlearn.search.parity import ParityScan

FORMS_FOR_TABLES = Extended | VariancesByChance | TreeScore  # that the name of a score does not tell
BEST_DAG = {
    "graph_": "graph_ : Graph\n"
    "    The DAG with the best score found; edge weights are what the score loses without them.",
    "score_": "score_ : float\n    The score of the graph.",
    "evidence_": "evidence_ : dict\n    For each arc the score it brings.",
}


class DAGSearch(Informed, Targeted, Threaded, Timed, Learner):
    """A learner that looks for the best DAG of a space; subclasses say how in `_search`.

    The space comes from the options: score, cpd, candidates, max_parents, knowledge, random_state and
    device, as far as a learner has them. Candidates that are only counted are left to the search.
    """

    attributes: ClassVar[Mapping[str, str]] = {**BEST_DAG, **ATTRIBUTES}
    parity_: "ParityScan" = result()

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        return self._search(self._space(statistics, knowledge, run))

    def _search(self, space: Space) -> Outcome:
        raise NotImplementedError

    def _space(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Space:
        given, _ = given_and_counted(self._option("candidates"))
        chosen = self._score(statistics)
        space = Space.of(
            type(self).__name__,
            statistics,
            knowledge,
            run,
            score=chosen,
            is_usual=self._option("score") is None,
            cpd=self._option("cpd") or "table",
            max_parents=self._option("max_parents"),
            candidates=given,
            seed=self._option("random_state"),
            device=self._option("device") or "cpu",
        )
        found = space.score.score if isinstance(space.score, Interventional) else space.score
        self._maximised = found if isinstance(found, FORMS_FOR_TABLES) else chosen
        return space

    def maximised_on(self, statistics: Statistics) -> str | Score:
        """What a fit to these columns and rows maximises."""
        chosen, owner = self._score(statistics), type(self).__name__
        found = score_of_form(owner, chosen, self._option("cpd") or "table", statistics)
        if self._option("score") is None:
            with Run(owner, progress=False, stops=False) as run:
                found = usual_score(found, statistics, run)
        return found if isinstance(found, FORMS_FOR_TABLES) else chosen

    def _score(self, statistics: Statistics) -> str | Score:  # noqa: ARG002, some choose by the columns
        """What to maximise."""
        return self._option("score") or "bic"
