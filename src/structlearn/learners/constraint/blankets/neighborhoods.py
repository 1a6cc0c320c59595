"""What Grow-Shrink asks within blankets: which members are neighbours, and which share a child."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs.links import Links
from structlearn.independence.asking import Asker, SeparatedPairs, Subsets, separate_pairs
from structlearn.learners.constraint.directions.cycles import Arrow
from structlearn.learners.constraint.directions.orientation import unshielded_triples
from structlearn.learners.constraint.skeletons.separators import Separators

Positions = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RandomChoice:
    """How many subsets of a blanket to try where there are more, and the seed that chooses them."""

    n_subsets: int
    seed: int

    def subsets(self, members: list[int], key: tuple[int, ...]) -> list[tuple[int, ...]]:
        """All subsets where they are few; else a choice with the empty and the whole one in it."""
        if 2 ** len(members) <= self.n_subsets:
            return [s for size in range(len(members) + 1) for s in combinations(members, size)]
        rng = np.random.default_rng([self.seed, *key])
        chosen = {(), tuple(members)}
        while len(chosen) < self.n_subsets:
            chosen.add(tuple(np.array(members)[rng.random(len(members)) < 0.5].tolist()))
        return sorted(chosen, key=lambda subset: (len(subset), subset))


class Within:
    """Asks whether subsets of the smaller of two blankets separate a pair.

    Parameters
    ----------
    asker : Asker
        What answers the tests.
    blankets : Links
        A line between each two columns that are in each other's blanket.
    choice : RandomChoice or None
        Which subsets to try; None for all.
    """

    def __init__(self, asker: Asker, blankets: Links, choice: RandomChoice | None) -> None:
        self._asker, self.must_stop = asker, asker.must_stop
        self.blankets = blankets
        self._choice = choice
        self._n_before = asker.n_tests

    @property
    def n_tests(self) -> int:
        """How many tests were made."""
        return self._asker.n_tests - self._n_before

    def separate(
        self, pairs: Positions, always: Positions | None = None
    ) -> tuple[NDArray[np.float64], Separators]:
        """The largest p-value of each pair that nothing separates, NaN for the others; and what does.

        `always` is a further condition of each pair. What there was no time to look at has NaN as well.
        """
        pairs = self._smaller_blanket_first(pairs)
        given: list[tuple[int, ...]] = [()] * len(pairs)
        if always is not None:
            given = [(z,) for z in always.tolist()]
        members = [self._members(pair, z) for pair, z in zip(pairs.tolist(), given, strict=True)]
        n_members = np.array([len(m) for m in members], dtype=np.int64)
        chosen = self._chosen(pairs, given, members)
        largest_p = np.zeros(len(pairs))
        found: list[tuple[Positions, SeparatedPairs]] = []
        for size in range(int(n_members.max(initial=-1)) + 1):
            left = np.flatnonzero((n_members >= size) & ~np.isnan(largest_p))
            beside = None if always is None else always[left]
            subsets: Subsets | ListedSubsets
            if chosen is None:
                subsets = Subsets(pairs[left], self.blankets, size, always=beside, both_ends=False)
            else:
                subsets = ListedSubsets(pairs[left], [chosen[i] for i in left], size, always=beside)
            n_before = self.n_tests
            level = separate_pairs(self._asker, subsets)
            largest_p[left] = np.maximum(largest_p[left], level.largest_p)
            largest_p[left[level.separated]] = np.nan
            if size == 0:  # one test of each pair, in their order
                largest_p[self.n_tests - n_before :] = np.nan
            found.append((np.sort(pairs[left], axis=1), level))
        return largest_p, Separators(self.blankets.n_nodes, found)

    def _smaller_blanket_first(self, pairs: Positions) -> Positions:
        size = np.diff(self.blankets.neighbor_rows[0])[pairs]
        return np.where((size[:, 1] < size[:, 0])[:, None], pairs[:, ::-1], pairs)

    def _members(self, pair: list[int], given: tuple[int, ...]) -> list[int]:
        around: list[int] = self.blankets.neighbors(pair[0]).tolist()
        return [v for v in around if v not in (pair[1], *given)]

    def _chosen(
        self, pairs: Positions, given: Sequence[tuple[int, ...]], members: list[list[int]]
    ) -> list[list[tuple[int, ...]]] | None:
        if self._choice is None:
            return None
        keys = [(*sorted(pair), *z) for pair, z in zip(pairs.tolist(), given, strict=True)]
        return [self._choice.subsets(m, key) for m, key in zip(members, keys, strict=True)]


class ListedSubsets:
    """Given subsets to condition each of many pairs on: those of one size, in the order listed."""

    def __init__(
        self, pairs: Positions, listed: list[list[tuple[int, ...]]], size: int, *, always: Positions | None
    ) -> None:
        self.pairs = pairs
        self.size = size + (always is not None)
        self._left = []
        for i, (pair, subsets) in enumerate(zip(pairs.tolist(), listed, strict=True)):
            last = () if always is None else (int(always[i]),)
            self._left.append([(*pair, *subset, *last) for subset in subsets if len(subset) == size])

    def next(self, asking: Positions, most: int) -> tuple[Positions, Positions]:
        """Up to `most` further questions of each pair of `asking`, and which pair each is of."""
        questions, owners = [], []
        for a in asking.tolist():
            now, self._left[a] = self._left[a][:most], self._left[a][most:]
            questions += now
            owners += [a] * len(now)
        return np.array(questions, dtype=np.int64).reshape(-1, 2 + self.size), np.array(
            owners, dtype=np.int64
        )

    def is_exhausted(self, asking: Positions) -> NDArray[np.bool_]:
        """Whether no subset is left for each pair of `asking`."""
        return np.array([not self._left[a] for a in asking.tolist()], dtype=np.bool_)


def arrows_into_common_children(
    within: Within, lines: Links, known: set[Arrow]
) -> tuple[dict[Arrow, float], list[tuple[int, ...]]]:
    """The arrows a → b ← c of triples whose ends stay dependent given b and any subset of a blanket.

    Each comes with the largest p-value that it survived. Where both directions of an edge are
    asked for, the one with the smaller p-value stays. `known` arrows win, and what contradicts
    them is the second result.
    """
    triples = unshielded_triples(lines, within.must_stop)
    largest_p, _ = within.separate(triples[:, [0, 2]], triples[:, 1])
    found: dict[Arrow, float] = {}
    for (a, b, c), p in zip(triples.tolist(), largest_p.tolist(), strict=True):
        for arrow in ((a, b), (c, b)) if not np.isnan(p) else ():
            found[arrow] = min(p, found.get(arrow, 1.0))
    conflicts: list[tuple[int, ...]] = [arrow for arrow in sorted(found) if arrow[::-1] in known]
    kept = {
        arrow: p
        for arrow, p in found.items()
        if arrow[::-1] not in known and (p, arrow) <= (found.get(arrow[::-1], 1.0), arrow[::-1])
    }
    return kept | dict.fromkeys(sorted(known), 0.0), conflicts
