"""The space of DAGs that one fit searches."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.gpu.card import Device
from structlearn.outcome import EdgeEvidence, Outcome, Pair
from structlearn.run import Run
from structlearn.scores import CPDForm, FamilyScores, Score, is_equivalent_on, score_of_form
from structlearn.scores.in_contexts import in_contexts
from structlearn.scores.interventional import with_experiments
from structlearn.search.candidates import AmongCandidates, Candidates, GivenCandidates, candidate_matrix
from structlearn.search.dags import Parents, graph_of
from structlearn.search.limits import Limits
from structlearn.search.possible import refuse_gaps_for, refuse_impossible_arcs
from structlearn.search.usual_score import usual_score
from structlearn.statistics import MemoryStatistics, Statistics


@dataclass(frozen=True, slots=True)
class Space:
    """The DAGs that a fit may choose among, what they are worth, and the run that looks for the best.

    Inside a search a DAG is the parents of every node, by position; `outcome` gives the best its names.
    """

    owner: str
    statistics: Statistics
    score: Score
    scores: FamilyScores
    limits: Limits
    run: Run
    rng: np.random.Generator
    device: Device = "cpu"

    @classmethod
    def of(  # noqa: PLR0913, the options of a learner
        cls,
        owner: str,
        statistics: Statistics,
        knowledge: Knowledge,
        run: Run,
        *,
        score: str | Score,
        is_usual: bool = False,
        cpd: CPDForm = "table",
        max_parents: int | None = None,
        candidates: GivenCandidates | None = None,
        seed: int | None = None,
        device: Device = "cpu",
    ) -> "Space":
        """The space that the options of a learner, its owner, leave of all DAGs over the columns."""
        found = score_of_form(owner, score, cpd, statistics)
        found = usual_score(found, statistics, run) if is_usual else found
        refuse_gaps_for(owner, found, statistics)
        found = with_experiments(owner, found, statistics)
        found = in_contexts(found, statistics, knowledge.contexts) if knowledge.contexts else found
        limits = Limits.of(statistics.names, knowledge, max_parents)
        if candidates is not None:
            limits = limits.among(candidate_matrix(owner, statistics.names, candidates))
        scores = FamilyScores(found, statistics)
        refuse_impossible_arcs(owner, statistics, scores, limits)
        return cls(owner, statistics, found, scores, limits, run, np.random.default_rng(seed), device)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, which are the nodes of every DAG."""
        return self.statistics.names

    @property
    def columns(self) -> tuple[str, ...]:
        """The names less those of contexts: the columns of a person's table."""
        return tuple(self.names[node] for node in self.limits.columns.tolist())

    @property
    def score_of_contexts(self) -> float:
        """What contexts score, whatever the DAG: nothing acts on them."""
        return math.fsum(self.scores.local(context, []) for context in self.limits.contexts.tolist())

    @property
    def n_nodes(self) -> int:
        """How many there are."""
        return self.scores.n_nodes

    @property
    def is_equivalent(self) -> bool:
        """Whether DAGs of one equivalence class are worth the same."""
        return is_equivalent_on(self.statistics, self.score)

    def within(self, limits: Limits) -> "Space":
        """The same space with other limits."""
        return replace(self, limits=limits)

    def among(self, chosen: Candidates) -> "Space":
        """The DAGs whose arcs come from candidates; what is scored already stays known."""
        return self.within(self.limits.among(chosen))

    def scoring_candidates_only(self) -> "Space":
        """The same space, in which a search leaves families unscored that the limits forbid."""
        among = AmongCandidates(self.score, ~self.limits.closed)
        return replace(self, scores=FamilyScores(among, self.statistics))

    def of_sample(self, n_rows: int) -> "Space | None":
        """The same space over fewer of many rows; None where there are no more, or no rows to take."""
        statistics = self.statistics
        if type(statistics) is not MemoryStatistics or statistics.experiments or statistics.n_rows <= n_rows:
            return None
        sample = statistics.sample(n_rows)
        return replace(self, statistics=sample, scores=FamilyScores(self.score, sample))

    def evidence(self, parents: Parents) -> dict[Pair, EdgeEvidence]:
        """What the score would lose without each arc."""
        names = self.names
        self.scores.remember(parents)
        return {
            (names[u], names[v]): EdgeEvidence(score_gain=lost)
            for v, members in enumerate(parents)
            for u, lost in self.scores.losses(v, members).items()
        }

    def outcome(self, parents: Parents, trace: Mapping[str, NDArray[Any]], **extra: Any) -> Outcome:
        """What a search hands back that ends with this DAG; `extra` is what only this method has."""
        evidence = self.evidence(parents)
        return Outcome(
            graph=graph_of(self.names, parents),
            status=self.run.status,
            score=self.scores.total(parents),
            trace=trace,
            evidence=evidence,
            extra=extra,
        )
