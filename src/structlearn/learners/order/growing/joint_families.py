"""Families with a parent that brings something only beside others, which the search has not chosen."""

import numpy as np

from structlearn.rounding import ENOUGH
from structlearn.search.dag_state import DAGState
from structlearn.search.orders.family_pool import FamilyPool, Parents, ScoredFamilies
from structlearn.search.space import Space

FEWEST, MOST = 2, 3  # parents that a further one is sought for: all columns are tried beside each set
N_KEPT = 2  # of the columns that bring most
Family = tuple[int, Parents]


class JointFamilies:
    """Looks for one more parent, among all columns, of sets that a node nearly chose.

    A child has one of its mother's two alleles, and a switch, which tells nothing alone, says which. What
    the two make visible together is then a better parent than both of them, and hides the three: so a
    parent is replaced by its own parents, and the best pair that was scored is tried too.
    """

    def __init__(self, space: Space) -> None:
        self._space = space
        self._tried: set[Family] = set()

    def around(self, state: DAGState, pool: FamilyPool) -> list[ScoredFamilies]:
        """The families around those of a DAG that were not tried before, the smaller ones first."""
        fresh = (self._best_pairs(pool) | self._through_parents(state)) - self._tried
        by_size: dict[int, dict[Family, float]] = {}
        for child, parents in sorted(fresh):
            if self._space.run.must_stop():
                break
            self._tried.add((child, parents))
            for members, score in self._with_one_more(child, parents):
                by_size.setdefault(len(members), {})[child, members] = score
        return [
            ScoredFamilies(
                np.array([(child, *members) for child, members in found]), np.array(list(found.values()))
            )
            for _, found in sorted(by_size.items())
        ]

    def _best_pairs(self, pool: FamilyPool) -> set[Family]:
        lists, found = pool.lists, set()
        is_pair = (lists.members >= 0).sum(axis=1) == FEWEST
        for child in range(self._space.n_nodes):
            pairs = np.flatnonzero(is_pair[lists.first[child] : lists.first[child + 1]])
            if len(pairs):
                found.add((child, pool.parents_at(int(lists.first[child] + pairs[0]))))
        return found

    def _through_parents(self, state: DAGState) -> set[Family]:
        """Each node with the parents of one of its parents instead of that."""
        parents, limits, found = state.parents(), self._space.limits, set()
        for child, members in enumerate(parents):
            for between in members:
                others = tuple(sorted({*members, *parents[between]} - {between}))
                is_allowed = not (limits.closed[child, list(others)].any() or limits.frozen[child, between])
                if FEWEST <= len(others) <= min(MOST, limits.most_parents[child]) and is_allowed:
                    found.add((child, others))
        return found

    def _with_one_more(self, child: int, parents: Parents) -> list[tuple[Parents, float]]:
        """The set, and the best sets with one more, with their scores."""
        scores, limits = self._space.scores, self._space.limits
        found = [(parents, scores.local(child, parents))]
        most, _ = scores.toggles_at_most(child, parents)
        most[list(parents)] = -np.inf
        free = limits.free_parents(child)
        free = free[most[free] > ENOUGH]
        if len(parents) < limits.most_parents[child] and len(free):
            gains = scores.gains_of(child, parents, free)
            for place in np.argsort(-gains, kind="stable")[:N_KEPT].tolist():
                if gains[place] > ENOUGH:
                    found.append((tuple(sorted((*parents, int(free[place])))), found[0][1] + gains[place]))
        return found
