"""The second half of a hybrid: a tabu climb among candidate parents."""

from dataclasses import dataclass

from structlearn.data import Knowledge
from structlearn.graphs import Graph
from structlearn.learners.score.candidates import Candidates
from structlearn.learners.score.climb import DAGState, Limits, Move, graph_of, score_evidence
from structlearn.learners.score.given_candidates import AmongCandidates, candidate_matrix, narrowed
from structlearn.learners.score.move_trace import MoveTrace
from structlearn.learners.score.starts import start_state
from structlearn.learners.score.tabu_climb import tabu_climb
from structlearn.options import Rules, Whole
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.scores import FamilyScores, Score
from structlearn.statistics import Statistics

CLIMB_RULES: Rules = {
    "tabu": Whole(0, "how many past graphs may not be visited again"),
    "patience": Whole(1, "how many moves in a row may bring no new best graph"),
}


@dataclass(frozen=True, slots=True)
class RestrictedClimb:
    """A climb that adds arcs between columns and their candidates only.

    `initial` is the DAG to start from, the required arcs alone if None; its arcs are candidates too.
    """

    owner: str
    score: Score
    tabu: int
    patience: int
    initial: Graph | None
    max_parents: int | None

    def outcome(self, statistics: Statistics, knowledge: Knowledge, chosen: Candidates, run: Run) -> Outcome:
        """The best DAG that the climb visits."""
        names = statistics.names
        if self.initial is not None:
            chosen = chosen | candidate_matrix(self.owner, names, self.initial)
        limits = narrowed(Limits(names, knowledge, self.max_parents), chosen)
        scores = FamilyScores(AmongCandidates(self.score, ~limits.closed), statistics)
        state = start_state(self.owner, names, scores, limits, self.initial)
        trace = MoveTrace(names)
        self._climb(state, run, trace)
        parents = state.parents()
        return Outcome(
            graph=graph_of(names, parents),
            status=run.status,
            score=scores.total(parents),
            trace=trace.columns(),
            evidence=score_evidence(names, scores, parents),
        )

    def _climb(self, state: DAGState, run: Run, trace: MoveTrace) -> None:
        def note(move: Move) -> None:
            trace.add(move, state.score)
            run.show(f"score {state.score:.1f} after {len(trace)} moves")

        tabu_climb(state, run, note, tabu=self.tabu, patience=self.patience)
