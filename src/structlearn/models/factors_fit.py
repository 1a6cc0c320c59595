"""The tables of most likelihood whose product has the shares of the data on every scope."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from structlearn.models.cliques import decomposition, neighbor_sets
from structlearn.models.factors_layout import Floats, Layout, laid_out, summed_onto
from structlearn.numerics.junction_tree import Scope

MOST_SWEEPS = 1000  # a fit that needs more says how far from a match it is
MATCHED = 1e-10  # the largest distance of a probability from its share: a millionth of a row in 10,000


@dataclass(frozen=True)
class FittedTables:
    """Tables as a layout has them, how often all were visited, and how far off the worst one was."""

    tables: list[Floats]
    n_sweeps: int
    distance: float


def closed_form(layout: Layout, shares: Sequence[Floats]) -> list[Floats] | None:
    """The shares of each clique over those of what it shares with the cliques before it; 0 / 0 is 0.

    None where the scopes are not the maximal cliques of a chordal graph (Lauritzen, 1996, section 4.4).
    """
    cliques = decomposition(neighbor_sets(len(layout.levels), layout.scopes))
    if cliques is None or {clique for clique, _ in cliques} != set(layout.scopes):
        return None
    if len(cliques) != len(layout.scopes):
        return None
    separators = dict(cliques)
    return [
        _ratio(table, laid_out(summed_onto(table, scope, separators[scope]), separators[scope], scope))
        for scope, table in zip(layout.scopes, shares, strict=True)
    ]


def proportional_fit(
    layout: Layout, shares: Sequence[Floats], *, most_sweeps: int = MOST_SWEEPS, tolerance: float = MATCHED
) -> FittedTables:
    """Iterative proportional fitting: multiply each table by its shares over its probabilities, in turn.

    The probabilities are those of a junction tree, along which a sweep walks: only the clique that
    it comes to must know what changed (Jiroušek and Přeučil, 1995).
    """
    tables = [np.ones(layout.shape(scope)) for scope in layout.scopes]
    walk = _Walk(layout)
    for n_sweeps in range(1, most_sweeps + 1):  # noqa: B007, said in the end
        distance = 0.0
        for clique in walk.visits():
            for i in walk.guests[clique]:
                own = walk.marginal(clique, layout.scopes[i])
                distance = max(distance, float(np.abs(own - shares[i]).max()))
                ratio = _ratio(shares[i], own)
                tables[i] = tables[i] * ratio
                walk.multiply(clique, layout.scopes[i], ratio)
        if distance < tolerance:
            break
    return FittedTables(tables, n_sweeps, distance)


class _Walk:
    """A junction tree whose cliques are visited in turn, each told what changed on the way to it."""

    def __init__(self, layout: Layout) -> None:
        self._cliques = layout.tree.cliques
        self._steps = _steps(layout.tree.parents)
        # A state of the uniform distribution, with which all tables are 1.
        shapes = [layout.shape(clique) for clique in self._cliques]
        self._beliefs = [np.full(shape, 1.0 / np.prod(shape)) for shape in shapes]
        self._links = [layout.tree.separator(i) if i else () for i in range(len(shapes))]
        self._said = [self.marginal(i, link) for i, link in enumerate(self._links)]
        self.guests: list[list[int]] = [[] for _ in shapes]
        for i, home in enumerate(layout.homes):
            self.guests[home].append(i)

    def visits(self) -> Iterator[int]:
        """Each clique once, after the one it hangs from; then back to the first one."""
        yield 0
        for here, there, is_new in self._steps:
            self._tell(here, there)
            if is_new:
                yield there

    def marginal(self, clique: int, scope: Scope) -> Floats:
        """The probabilities of some columns of a clique that has been told everything."""
        return summed_onto(self._beliefs[clique], self._cliques[clique], scope)

    def multiply(self, clique: int, scope: Scope, ratio: Floats) -> None:
        """Multiply what a clique believes."""
        self._beliefs[clique] = self._beliefs[clique] * laid_out(ratio, scope, self._cliques[clique])

    def _tell(self, here: int, there: int) -> None:
        """Pass what is new on the columns that two cliques share."""
        link = max(here, there)
        news = self.marginal(here, self._links[link])
        self.multiply(there, self._links[link], _ratio(news, self._said[link]))
        self._said[link] = news


def _steps(parents: Sequence[int]) -> list[tuple[int, int, bool]]:
    """A way through all cliques and back: from, to, and whether for the first time."""
    left = [
        [child for child, above in enumerate(parents) if above == parent] for parent in range(len(parents))
    ]
    steps, path = [], [0]
    while path:
        here = path[-1]
        if left[here]:
            path.append(left[here].pop(0))
            steps.append((here, path[-1], True))
        else:
            path.pop()
            steps += [(here, path[-1], False)] if path else []
    return steps


def _ratio(above: Floats, below: Floats) -> Floats:
    """One table over another; 0 / 0 is 0."""
    shape = np.broadcast_shapes(above.shape, below.shape)
    return np.divide(above, below, out=np.zeros(shape), where=below > 0.0)
