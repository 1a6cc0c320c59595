"""Which sets of nodes to adjust for, so that a regression tells the effect of one node on another.

A set is valid exactly if every possibly directed path from the cause to the effect begins with an arrow that
leaves no doubt, no node of the set is a possible descendant of a node on such a path, and it blocks all other
paths [1]_. Everything works on positions.

References
----------
.. [1] Perković, Textor, Kalisch and Maathuis (2018), Complete graphical characterization and construction of
   adjustment sets in Markov equivalence classes of ancestral graphs, Journal of Machine Learning Research 18.
.. [2] Henckel, Perković and Maathuis (2022), Graphical criteria for efficient total effect estimation via
   adjustment in causal linear models, Journal of the Royal Statistical Society B 84.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from structlearn.graphs.causes import (
    is_visible,
    possible_ancestors,
    possible_descendants,
    possible_links,
)
from structlearn.graphs.links import Links
from structlearn.graphs.separation import canonical_dag, d_separated

Nodes = frozenset[int]


@dataclass(frozen=True)
class Adjustment:
    """What adjusting can do for the effect of `causes` on `effects`.

    Parameters
    ----------
    links : Links
        A DAG, a CPDAG, a MAG or a PAG.
    member : Links
        A DAG or MAG of its class.
    causes, effects : frozenset of int
        Nodes; none is both.
    hides_causes : bool
        Whether the graph is a MAG or PAG.
    """

    links: Links
    member: Links
    causes: Nodes
    effects: Nodes
    hides_causes: bool

    @cached_property
    def causal(self) -> Nodes:
        """The nodes, but the causes, on possibly directed paths that leave the causes for good."""
        below = possible_descendants(self._beyond, self._first_steps)
        return frozenset(below & self._before_effects)

    @cached_property
    def forbidden(self) -> Nodes:
        """The possible descendants of these."""
        return frozenset(possible_descendants(self._possible, self.causal))

    @cached_property
    def doubtful_steps(self) -> list[tuple[int, int]]:
        """First steps of possibly directed paths that may be no effect, or have a hidden cause besides."""
        arrows = set(map(tuple, self.links.arrows.tolist()))
        return [
            (a, b)
            for a in sorted(self.causes)
            for b in self._possible.children(a).tolist()
            if b in self._before_effects
            and ((a, b) not in arrows or (self.hides_causes and not is_visible(self.links, a, b)))
        ]

    @property
    def is_amenable(self) -> bool:
        """Whether some set could be valid, as far as first steps are concerned."""
        return not self.doubtful_steps

    def is_valid(self, given: Iterable[int]) -> bool:
        """Whether adjusting for a set gives the effect."""
        given = frozenset(given)
        if not self.is_amenable or given & (self.forbidden | self.causes | self.effects):
            return False
        dag, selected = self._without_effects
        return d_separated(dag, self.causes, self.effects, given=[*given, *selected])

    @cached_property
    def canonical(self) -> Nodes | None:
        """All possible ancestors of causes and effects that are not forbidden; None where no set is valid."""
        ends = self.causes | self.effects
        found = frozenset(possible_ancestors(self._possible, ends)) - self.forbidden - ends
        return found if self.is_valid(found) else None

    @cached_property
    def minimal(self) -> Nodes | None:
        """A set of which nothing can be left out."""
        if self.canonical is None:
            return None
        kept = self.canonical
        for node in sorted(self.canonical):
            if self.is_valid(kept - {node}):
                kept -= {node}
        return kept

    @cached_property
    def optimal(self) -> Nodes | None:
        """The parents of the causal nodes that are not forbidden: no valid set has less variance [2]_.

        None of graphs with hidden causes, where there is no effect, and where no set is valid.
        """
        if self.hides_causes or not self.causal:
            return None
        parents = {parent for node in self.causal for parent in self.links.parents(node).tolist()}
        found = frozenset(parents) - self.forbidden - self.causes
        return found if self.is_valid(found) else None

    @cached_property
    def _possible(self) -> Links:
        return possible_links(self.links, lines_are_open=not self.hides_causes)

    @cached_property
    def _beyond(self) -> Links:
        """Possible steps between nodes that are no causes."""
        return self._kept([a not in self.causes and b not in self.causes for a, b in self._steps])

    @cached_property
    def _first_steps(self) -> set[int]:
        return {b for a, b in self._steps if a in self.causes and b not in self.causes}

    @cached_property
    def _before_effects(self) -> Nodes:
        """The nodes from which a possibly directed path leads to an effect without meeting a cause."""
        return frozenset(possible_ancestors(self._beyond, self.effects))

    @property
    def _steps(self) -> list[tuple[int, int]]:
        return [(a, b) for a, b in self._possible.arrows.tolist()]

    def _kept(self, is_kept: list[bool]) -> Links:
        return Links(self.links.n_nodes, arrows=self._possible.arrows[np.array(is_kept, dtype=bool)])

    @cached_property
    def _without_effects(self) -> tuple[Links, list[int]]:
        """The member as a DAG without the arrows by which effects leave the causes, and what is selected."""
        arrows = self.member.arrows.tolist()
        kept = [(a, b) for a, b in arrows if not (a in self.causes and b in self.causal)]
        links = Links(self.member.n_nodes, arrows=kept, lines=self.member.lines, arcs=self.member.arcs)
        dag, selected = canonical_dag(links)
        return dag, selected.tolist()
