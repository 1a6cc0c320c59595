"""Candidate parents: what another method, a person or a quick look leaves for a search to choose from."""

from collections.abc import Iterable, Mapping
from copy import copy

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.graphs import Graph
from structlearn.learners.score.candidates import most_promising
from structlearn.learners.score.climb import Limits
from structlearn.options import Either, Instance, OrNone, Whole
from structlearn.scores import FamilyScores

CandidateParents = int | Mapping[str, Iterable[str]] | Graph
CANDIDATES = OrNone(
    Either(
        (Whole(1, ""), Instance(Mapping, ""), Instance(Graph, "")),
        "the nodes that parents are chosen from: how many, which ones by node, or the neighbours in a graph",
    ),
    "all",
)


def narrowed(
    owner: str,
    names: tuple[str, ...],
    limits: Limits,
    candidates: CandidateParents | None,
    scores: FamilyScores,
) -> Limits:
    """The limits, with every arc forbidden that comes from no candidate and is not required.

    A number stands for the nodes that score most as the only parent.
    """
    if candidates is None:
        return limits
    if isinstance(candidates, Graph | Mapping):
        is_candidate = _named(owner, names, _by_child(candidates))
    elif candidates < len(names) - 1:
        nobody: list[list[int]] = [[] for _ in names]
        is_candidate = most_promising(scores.toggles_without_parents(), nobody, limits, candidates)
    else:
        return limits
    found = copy(limits)
    found.closed = (limits.closed | ~is_candidate) & ~limits.frozen
    return found


def _by_child(candidates: Mapping[str, Iterable[str]] | Graph) -> Mapping[str, Iterable[str]]:
    if isinstance(candidates, Graph):
        return {node: candidates.adjacent(node) for node in candidates.nodes}
    return candidates


def _named(owner: str, names: tuple[str, ...], candidates: Mapping[str, Iterable[str]]) -> NDArray[np.bool_]:
    column = {name: j for j, name in enumerate(names)}
    is_candidate = np.zeros((len(names), len(names)), dtype=np.bool_)
    for child, parents in candidates.items():
        for name in (child, *parents):
            if name not in column:
                raise OptionError(
                    f"{owner}(candidates=…): there is no column {name!r}; the columns are {', '.join(names)}."
                )
        is_candidate[column[child], [column[parent] for parent in parents]] = True
    return is_candidate
