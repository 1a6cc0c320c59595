"""The best transition network of all: lagged parents need no look at cycles, those within a step do."""

import numpy as np

from structlearn.learners.order.exact import dynamic_programme
from structlearn.learners.order.families.order_families import GreedyParents
from structlearn.learners.order.noise.parents_before import needed
from structlearn.run import Run
from structlearn.search.limits import Limits, count_families
from structlearn.search.local_scores import LocalScores, greedy_rows, score_all_families
from structlearn.search.parent_sets import ScoredSets
from structlearn.search.space import Space

MOST_FAMILIES = 50_000  # a second of scoring
MOST_VARIABLES = 18  # with arcs within a step: 2^18 sets of variables are searched in a second

MOST_COLUMNS = 1000  # for a search over all: it scores the pairs of all of them before its first step


def can_be_best(limits: Limits, n_variables: int, *, within_step: bool) -> bool:
    """Whether all families are quickly scored, and all orders within a step looked at."""
    return count_families(limits) <= MOST_FAMILIES and not (within_step and n_variables > MOST_VARIABLES)


def best_slices(space: Space, n_variables: int, run: Run) -> list[list[int]] | None:
    """The parents of every column in the best network; None where time is up before it is known.

    For each variable and each set of parents within the step the best lagged parents are chosen first; then
    the DAG within the step is the best of all by dynamic programming [1]_.

    References
    ----------
    .. [1] Silander and Myllymäki (2006), A simple approach for finding the globally optimal Bayesian network
       structure, UAI.
    """
    lists = score_all_families(space)
    if lists is None:
        return None
    parts = tuple(_within_step(each, n_variables) for each in lists.sets[:n_variables])
    within: list[list[int]] = [[] for _ in parts]
    if any(part.members.shape[1] for part in parts):
        now = LocalScores(space.names[:n_variables], parts)
        start = now.parents(greedy_rows(now))
        within = dynamic_programme.solve(now, start, run, n_jobs=space.statistics.n_jobs).parents
    may = np.ones((n_variables, space.n_nodes), dtype=np.bool_)
    may[:, :n_variables] = False
    found: list[list[int]] = [[] for _ in space.names]
    for child, members in enumerate(within):
        may[child, members] = True
        row = lists.sets[child].best_within(may[child])
        found[child] = lists.sets[child].parents(row) if row >= 0 else []  # no family has a finite score
    return found


def each_by_itself(space: Space, n_variables: int) -> list[list[int]]:
    """The lagged parents that greedy steps lead each variable to, as far as time allows.

    The one that raises the score most comes in while one does, then what has become needless goes.
    """
    found = [np.flatnonzero(row).tolist() for row in space.limits.frozen]
    chooser, is_past = GreedyParents(space), np.arange(space.n_nodes) >= n_variables
    for child in range(n_variables):
        space.run.show("variables", child, n_variables)
        if space.run.must_stop():
            space.run.note(f"Parents were chosen for {child:,} of {n_variables:,} variables.")
            break
        found[child] = needed(space, child, chooser.choose(child, is_past).parents, found[child])
    return found


def _within_step(sets: ScoredSets, n_variables: int) -> ScoredSets:
    """The parts of parent sets that are within the step, each with the best score of all that have it."""
    best: dict[tuple[int, ...], float] = {}
    for members, score in zip(sets.members.tolist(), sets.scores.tolist(), strict=True):
        best.setdefault(tuple(m for m in members if 0 <= m < n_variables), score)  # the best comes first
    ordered = sorted(best, key=lambda part: (len(part), part))
    width = max(map(len, ordered), default=0)
    filled = [[*part, *[-1] * (width - len(part))] for part in ordered]
    members = np.array(filled, dtype=np.int64).reshape(len(ordered), width)
    return ScoredSets.of(members, np.array([best[part] for part in ordered]))
