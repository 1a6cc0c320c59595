"""The blanket of every column, from its regression on all others."""

from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs import Graph
from structlearn.learners.hybrid.l1.families import Family, L1Families, Regressions
from structlearn.learners.hybrid.skeletons.joins import Joins
from structlearn.learners.hybrid.skeletons.named_skeleton import with_known_directions
from structlearn.outcome import EdgeEvidence, Outcome
from structlearn.search.limits import Limits
from structlearn.search.space import Space

Matrix = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class L1Blankets:
    """What the regression of each column uses; columns that time left out use what knowledge requires."""

    space: Space
    families: L1Families
    chosen: list[Family]

    @classmethod
    def of(cls, regressions: Regressions, space: Space, max_size: int) -> Self:
        """Regress every column on all others that knowledge lets it be joined to."""
        joins, n = Joins.of(space.limits), space.n_nodes
        pairs = Limits(joins.is_required, ~joins.is_possible, max_size)
        families = L1Families(regressions, pairs, space.run)
        chosen = list[Family]()
        while len(chosen) < n and not space.run.must_stop():
            chosen.append(families.best(len(chosen), np.ones(n, dtype=np.bool_)))
            space.run.show("regressions", len(chosen), n)
        late = joins.is_required[len(chosen) :]
        chosen += [Family(tuple(np.flatnonzero(is_required).tolist()), np.inf) for is_required in late]
        return cls(space, families, chosen)

    @property
    def is_chosen(self) -> Matrix:
        """Which columns each regression uses, with a row per regression."""
        used = np.zeros((len(self.chosen), len(self.chosen)), dtype=np.bool_)
        for child, family in enumerate(self.chosen):
            used[child, list(family.members)] = True
        return used

    def joined(self, rule: Literal["or", "and"]) -> Matrix:
        """Which columns are in each other's blanket."""
        used = self.is_chosen
        return used | used.T if rule == "or" else used & used.T

    def outcome(self, joined: Matrix) -> Outcome:
        """The blankets as a graph."""
        names = self.space.names
        links = with_known_directions(np.argwhere(np.triu(joined)).astype(np.int64), self.space.limits)
        arrows, lines = links.arrows.tolist(), links.lines.tolist()
        return Outcome(
            graph=Graph(
                names,
                directed=[(names[a], names[b]) for a, b in arrows],
                undirected=[(names[a], names[b]) for a, b in lines],
            ),
            status=self.space.run.status,
            trace={
                "node": np.array(names, dtype=object),
                "size": np.array([len(family.members) for family in self.chosen], dtype=np.int64),
                "cost": np.array([family.cost for family in self.chosen], dtype=np.float64),
            },
            evidence={(names[a], names[b]): EdgeEvidence(self._gain(a, b)) for a, b in arrows + lines},
        )

    def _gain(self, a: int, b: int) -> float:
        """By how much the description of one column gets shorter by the other, at most."""
        gains = [
            self.families.gain(child, self.chosen[child].members, other)
            for child, other in ((a, b), (b, a))
            if other in self.chosen[child].members
        ]
        return max(gains)
