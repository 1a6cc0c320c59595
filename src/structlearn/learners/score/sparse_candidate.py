"""Hill-climbing among a few candidate parents."""

from typing import ClassVar

import numpy as np

from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.option_groups import Counted, Limited, ParityChecked, Scored, Seeded, Started, Tabu
from structlearn.learners.score.measures.measure import MeasureName, measure_for
from structlearn.learners.score.measures.rounds import Rounds, Stop
from structlearn.options import OrNone, Whole, one_of, option
from structlearn.outcome import Outcome
from structlearn.run import Status
from structlearn.search.climbing import tabu_climb
from structlearn.search.move_trace import MoveTrace
from structlearn.search.parity import ParityCheck
from structlearn.search.promises import most_promising
from structlearn.search.space import Space
from structlearn.search.starts import start_from, state_with


class SparseCandidate(Scored, Tabu, ParityChecked, Started, Limited, Counted, Seeded, DAGSearch):
    """Climb with a few candidate parents per node, choose candidates anew by the network, and again."""

    candidates: int = option(
        Whole(1),
        "How many candidate parents a node has. It cannot have more parents than that, other than those of "
        "`initial` and of `knowledge`.",
        default=10,
    )
    measure: MeasureName = option(
        one_of(MeasureName),
        "What candidates are chosen by. The score with this parent more; how far the pair is in the data "
        "from what the network says of it; the information that both share given the parents; or without "
        "looking at the network.",
        default="score",
    )
    samples: int | None = option(
        OrNone(Whole(1), "a million, or none where exact numbers are quicker"),
        "How many rows of the network to draw for the discrepancy of discrete columns.",
        default=None,
    )
    stop: Stop = option(one_of(Stop), "What must stay the same for the search to stop.", default="score")
    idle_rounds: int = option(
        Whole(1),
        'How many rounds in a row may leave the score the same with ``stop="candidates"``.',
        default=5,
    )
    random_state = 0

    def _search(self, space: Space) -> Outcome:
        measure = measure_for(space, self.measure, samples=self.samples)
        parents = self._first_parents(space)
        trace = MoveTrace(space, round=0)
        rounds = Rounds(self.stop, self.idle_rounds, space.scores.total(parents))
        while not rounds.ended_by and not space.run.must_stop():
            promises = measure.of(parents, space.run)
            chosen = most_promising(promises.values, parents, space.limits, self.candidates)
            if space.run.must_stop() or rounds.are_again(chosen):
                break
            trace.at["round"] += 1
            state = state_with(space.among(chosen), parents)
            tabu_climb(state, trace.add, tabu=self.tabu, patience=self.patience)
            parents = state.parents()
            rounds.add(chosen, state, promises.noise)
        return space.outcome(
            parents,
            trace.columns(),
            rounds=rounds.columns(),
            ended_by=rounds.ended_by if space.run.status is Status.COMPLETE else "interruption",
            parity=ParityCheck(space, self.check_parity).scan_and_warn(parents),
        )

    def _first_parents(self, space: Space) -> list[list[int]]:
        if self.initial is None:
            return [np.flatnonzero(row).tolist() for row in space.limits.frozen]
        return start_from(space, self.initial).parents()

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        The DAG of the last round, which has the best score; edge weights are what the score loses
        without them.
    parity_ : ParityScan
        The sets with joint dependence that no pair shows, and how many sets were searched.
    trace_ : dict of arrays
        Each move: "move", "source", "target", "gain", "score" and "round". Moves past the best graph of
        a round are taken back at its end.
    rounds_ : dict of arrays
        Each round: the "score" at its end, how many candidates were "new" and the "noise", the largest
        error to expect of the measure in nats per row, 0 where nothing was drawn.
    ended_by_ : str
        Why there was no further round: "score" or "candidates" stayed the same, "loop" where candidates
        and graph came round again, "idle rounds", or "interruption".

    Notes
    -----
    A round chooses for each node its present parents and those others that promise most, and climbs
    from the present graph by adding, removing and reversing single arcs between nodes and their
    candidates [1]_. Because the present parents are among the candidates, the score never falls.

    The discrepancy of a pair is the Kullback-Leibler divergence of its table from that of the network
    with fitted probabilities; for continuous columns that of two normal distributions. It finds
    dependences that the network does not explain yet, and takes no account of what a table
    costs; the score does. Near a good fit the noise of drawn rows can decide the ranking: compare
    `rounds_["noise"]` with what an arc must bring, such as ln(n) / 2n per parameter for "bic".

    On the empty network the discrepancy, the shield and the mutual information are the same. With as
    many candidates as there are other columns this is plain hill-climbing.

    References
    ----------
    .. [1] Friedman, Nachman and Pe'er (1999), Learning Bayesian network structure from massive
       datasets: the "sparse candidate" algorithm, UAI.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("cancer").sample(20_000, random_state=0)
    >>> learner = sl.SparseCandidate(candidates=3, measure="discrepancy").fit(data)
    >>> print(learner.graph_.skeleton())
    Graph with 5 nodes and 4 edges
      Pollution — Cancer
      Smoker — Cancer
      Cancer — Xray
      Cancer — Dyspnoea
    >>> learner.ended_by_
    'score'
    """
