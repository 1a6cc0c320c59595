"""Families whose scores are known before a search, as from a file."""

from structlearn.data import Knowledge
from structlearn.errors import OptionError
from structlearn.search.candidates import GivenCandidates, candidate_matrix
from structlearn.search.limits import Limits
from structlearn.search.local_scores import LocalScores


def allowed_families(
    scores: LocalScores, knowledge: Knowledge, max_parents: int | None, candidates: GivenCandidates | None
) -> LocalScores:
    """Those of the families that the options of `ExactSearch` leave."""
    if knowledge.required:
        raise OptionError(
            "ExactSearch(knowledge=…): required arcs need data, since lists of scores leave out the "
            "families that only a requirement makes worth having. Use fit, or forbid arcs instead."
        )
    limits = Limits.of(scores.names, knowledge, max_parents)
    if candidates is not None:
        limits = limits.among(candidate_matrix("ExactSearch", scores.names, candidates))
    return scores.within(limits)
