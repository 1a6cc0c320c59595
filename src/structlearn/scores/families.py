"""Local scores by family, remembered, and what one parent more or less would change."""

import math
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from structlearn.run import MustStop, never
from structlearn.scores.all_families import all_family_scores
from structlearn.scores.checked import checked_scores
from structlearn.scores.counted_tables import CountedTables, counted_tables
from structlearn.scores.protocol import BoundedScore, Score, is_equivalent_on
from structlearn.statistics import Statistics

CACHE_BYTES = 256 * 2**20  # the gains of 100,000 families among 300 columns
MOST_LOCALS = 2**18  # about 55 MB: a family takes some 210 bytes (measured)
FIRST_BLOCK = 256  # families: interpreted they take a tenth of a second, and a kernel may be compiled then
LARGEST_BLOCK = 1 << 16  # families between two looks at the clock
Parents = tuple[int, ...]
Family = tuple[int, Parents]
Scored = tuple[NDArray[np.int64], NDArray[np.float64]]
Toggles = tuple[NDArray[np.float64], NDArray[np.bool_]]


class FamilyScores:
    """A score on given data, with a bounded memory: asks for whole batches, and seldom for a family twice."""

    def __init__(self, score: Score, statistics: Statistics) -> None:
        self.n_nodes = len(statistics.names)
        self.n_rows = statistics.n_rows
        self._score = score
        self._statistics = statistics
        # Bounds compare families on the same rows.
        self._bounds = score if isinstance(score, BoundedScore) and statistics.is_complete else None
        self._locals: dict[Family, float] = {}
        self._fresh: list[Scored] = []
        self._n_fresh = 0
        self._with_one_more: OrderedDict[Family, NDArray[np.float64]] = OrderedDict()
        self.of_all: NDArray[np.float64] | None = None  # [child, set of parents], where they are so few
        self._most_remembered = max(64, CACHE_BYTES // (8 * max(self.n_nodes, 1)))

    def score_all(self) -> NDArray[np.float64] | None:
        """Score all families at once, where that is done in no time; a search comes to most of them."""
        if self.of_all is None:
            self.of_all = all_family_scores(self._score, self._statistics)
        return self.of_all

    def local(self, child: int, parents: Iterable[int]) -> float:
        """The score of one family."""
        members = tuple(sorted(parents))
        score = self._known(child, members)
        return self._locals_of(child, [members])[0] if math.isnan(score) else score

    def many(self, families: NDArray[np.int64]) -> NDArray[np.float64]:
        """The scores of families with the same number of parents, which are not remembered."""
        if self.of_all is None:
            return checked_scores(self._score, self._statistics, families)
        found: NDArray[np.float64] = self.of_all[families[:, 0], (1 << families[:, 1:]).sum(axis=1)]
        return found

    def total(self, parents: Sequence[Iterable[int]]) -> float:
        """The score of a DAG, given the parents of every node."""
        families = [(child, tuple(sorted(members))) for child, members in enumerate(parents)]
        self._score_unknown(families)
        return math.fsum(self.local(child, members) for child, members in families)

    def remember(self, parents: Sequence[Iterable[int]]) -> None:
        """Score the families of a DAG, and those with one parent less, in batches.

        Where all were scored at once, these are so again: each of itself, to the last digit.
        """
        wanted = [(child, tuple(sorted(members))) for child, members in enumerate(parents)]
        wanted += [(child, less) for child, members in wanted for less in _without_one(members)]
        unknown = [family for family in dict.fromkeys(wanted) if family not in self._locals]
        if self.of_all is None:
            unknown = [family for family in unknown if math.isnan(self._known(*family))]
        self._score_each(unknown)

    def prepare_losses(self, families: Iterable[Family]) -> None:
        """Score what `losses` of families asks, those of one size in one batch; parents are sorted."""
        wanted = list(families)
        wanted += [(child, less) for child, members in wanted for less in _without_one(members)]
        self._score_unknown(wanted)

    def prepare_toggles(self, families: Sequence[Family]) -> None:
        """The same for `toggles`, which are those of the families with one parent more as well."""
        for size in sorted({len(members) for _, members in families}):
            some = [(child, members) for child, members in families if len(members) == size]
            self.prepare_losses(some)
            self._score_larger(some)

    def losses(self, child: int, parents: Iterable[int]) -> dict[int, float]:
        """What the family's score would lose without each of its parents."""
        members = tuple(sorted(parents))
        now, without = self.local(child, members), self._locals_of(child, _without_one(members))
        return {parent: now - score for parent, score in zip(members, without, strict=True)}

    def toggles(self, child: int, parents: Iterable[int]) -> NDArray[np.float64]:
        """What adding each node to the parents, or removing it, does to the family's score."""
        members = tuple(sorted(parents))
        gains, is_unknown = self._known_toggles(child, members)
        others = np.flatnonzero(is_unknown)
        if len(others):
            gains[others] = self.gains_of(child, members, others)
        return gains

    def toggles_at_most(self, child: int, parents: Iterable[int]) -> Toggles:
        """The toggles as far as they are known: the gains, and which of them are only upper bounds."""
        members = tuple(sorted(parents))
        gains, is_bound = self._known_toggles(child, members)
        if is_bound.any():
            gains[is_bound] = self._most_gains(child, members, self.local(child, members))[is_bound]
        return gains, is_bound

    def _known_toggles(self, child: int, members: Parents) -> Toggles:
        """The toggles that are known, and which of them are not."""
        if self.of_all is not None:
            return self._toggles_of_all(child, _as_set(members))
        now = self.local(child, members)
        larger = self._with_one_more.get((child, members))
        if larger is None:
            larger = np.full(self.n_nodes, math.nan)
        gains, is_unknown = gained(larger, now), np.isnan(larger)
        gains[child], is_unknown[child] = 0.0, False
        for parent, score in zip(members, self._locals_of(child, _without_one(members)), strict=True):
            gains[parent], is_unknown[parent] = (-math.inf if score == -math.inf else score - now), False
        return gains, is_unknown

    def _toggles_of_all(self, child: int, parents: int) -> Toggles:
        assert self.of_all is not None  # noqa: S101, whoever asks has seen it
        scores, others = self.of_all[child], 1 << np.arange(self.n_nodes)
        gains = gained(scores[parents ^ others], float(scores[parents]))
        gains[child] = 0.0
        return gains, np.zeros(self.n_nodes, dtype=np.bool_)

    def gains_of(self, child: int, parents: Iterable[int], others: NDArray[np.int64]) -> NDArray[np.float64]:
        """What each of these nodes adds to the family's score as one more parent."""
        members = tuple(sorted(parents))
        larger = self._larger(child, members)
        unknown = others[np.isnan(larger[others])]
        if len(unknown):
            larger[unknown] = self._scored(_families(child, members, unknown))
        return gained(larger[others], self.local(child, members))

    def toggles_without_parents(self, must_stop: MustStop = never) -> NDArray[np.float64]:
        """The toggles of every child while it has no parents: one row per child; zeros it did not come to."""
        if must_stop():
            return np.zeros((self.n_nodes, self.n_nodes))
        gains, is_unknown = self._lone_toggles(None, must_stop)
        gains[is_unknown] = 0.0
        return gains

    def toggles_at_most_without_parents(self, must_stop: MustStop = never) -> Toggles:
        """As `toggles_at_most`, for every child while it has no parents: one row per child."""
        if self.of_all is not None:
            return self._lone_toggles(None, must_stop)
        alone = self.alone.tolist()
        most = np.array([self._most_gains(child, (), now) for child, now in enumerate(alone)])
        gains, is_bound = self._lone_toggles(most, must_stop)
        np.copyto(gains, most, where=is_bound)
        return gains, is_bound

    def _lone_toggles(self, most: NDArray[np.float64] | None, must_stop: MustStop) -> Toggles:
        """What lone arcs bring, and which of them are unknown: those that could bring nothing, by `most`."""
        n = self.n_nodes
        if self.of_all is not None:
            gains = np.array([self._toggles_of_all(child, 0)[0] for child in range(n)])
            return gains, np.zeros((n, n), dtype=np.bool_)
        larger = np.array(self._score_pairs(most, must_stop))
        gains, is_unknown = gained(larger, self.alone[:, None]), np.isnan(larger)
        np.fill_diagonal(gains, 0.0)
        np.fill_diagonal(is_unknown, val=False)
        return gains, is_unknown

    def tables(self) -> CountedTables | None:
        """What the scores are made of, where a kernel can score families from it; it tells what by `note`."""
        return counted_tables(self._score, self._statistics, self.alone)

    def take_fresh(self) -> list[Scored]:
        """What was scored since this was last asked: families of one size, rows of (child, parents…).

        The smaller ones come first, and some twice; of very many, the last.
        """
        by_size: dict[int, list[Scored]] = {}
        for families, scores in self._fresh:
            by_size.setdefault(families.shape[1], []).append((families, scores))
        self._fresh.clear()
        self._n_fresh = 0
        return [
            (np.concatenate([each for each, _ in found]), np.concatenate([each for _, each in found]))
            for _, found in sorted(by_size.items())
        ]

    def note(self, families: NDArray[np.int64], scores: NDArray[np.float64]) -> None:
        """Hand out families of one size, which were scored, with what is fresh."""
        self._n_fresh += len(families)
        if self._n_fresh > MOST_LOCALS:
            self._fresh.clear()
            self._n_fresh = len(families)
        self._fresh.append((families, scores))

    def _score_pairs(
        self, most: NDArray[np.float64] | None, must_stop: MustStop
    ) -> list[NDArray[np.float64]]:
        """Score the columns alone and, of the pairs that could gain, those that there is time for."""
        n, alone = self.n_nodes, self.alone
        for child, score in enumerate(alone.tolist()):
            self._remember((child, ()), score)
        larger = [self._larger(child, ()) for child in range(n)]
        is_wanted = np.isnan(larger) & ~np.eye(n, dtype=np.bool_)
        is_equivalent = is_equivalent_on(self._statistics, self._score)
        if is_equivalent:
            is_wanted = np.triu(is_wanted | is_wanted.T)
        if most is not None:
            is_wanted &= most > 0.0
        # Parent after parent: what is regressed within the states of one is scored together.
        parents, children = np.nonzero(is_wanted.T)
        if not len(children):
            return larger
        scores = self._scored(np.column_stack([children, parents]), must_stop)
        children, parents = children[: len(scores)], parents[: len(scores)]
        found = np.full((n, n), math.nan)
        found[children, parents] = scores
        if is_equivalent:  # it gains the same from either direction of a lone edge
            gains = gained(scores, alone[children])
            found[children, parents] = alone[children] + gains
            found[parents, children] = alone[parents] + gains
            self.note(np.column_stack([parents, children]), found[parents, children])
        for row, scores_of_one in zip(larger, found, strict=True):
            np.copyto(row, scores_of_one, where=np.isnan(row))
        return larger

    @cached_property
    def alone(self) -> NDArray[np.float64]:
        """The scores of the columns without parents."""
        return self._scored(np.arange(self.n_nodes, dtype=np.int64)[:, None])

    def _most_gains(self, child: int, parents: Parents, now: float) -> NDArray[np.float64]:
        if self._bounds is None or now == -math.inf:
            return np.full(self.n_nodes, math.inf)
        return self._bounds.most_gains(self._statistics, (child, *parents), now=now, alone=self.alone)

    def _larger(self, child: int, parents: Parents) -> NDArray[np.float64]:
        """The scores with each other node as one more parent; NaN where it has not been scored."""
        family = (child, parents)
        if family in self._with_one_more:
            self._with_one_more.move_to_end(family)
            return self._with_one_more[family]
        self._with_one_more[family] = np.full(self.n_nodes, math.nan)
        if len(self._with_one_more) > self._most_remembered:
            self._with_one_more.popitem(last=False)
        return self._with_one_more[family]

    def _locals_of(self, child: int, sets: list[Parents]) -> list[float]:
        """The scores of several parent sets of one size, of which the unknown are one batch."""
        known = {parents: self._known(child, parents) for parents in sets}
        unknown = [parents for parents, score in known.items() if math.isnan(score)]
        if unknown:
            scores = self._scored(np.array([(child, *parents) for parents in unknown], dtype=np.int64))
            known |= zip(unknown, scores.tolist(), strict=True)
            for parents in unknown:
                self._remember((child, parents), known[parents])
        return [known[parents] for parents in sets]

    def _known(self, child: int, parents: Parents) -> float:
        """The score of a family that has been scored, alone or in a row; NaN where it has not."""
        if (child, parents) in self._locals:
            return self._locals[child, parents]
        if self.of_all is not None:
            return float(self.of_all[child, _as_set(parents)])
        for last, smaller in zip(parents, _without_one(parents), strict=True):
            larger = self._with_one_more.get((child, smaller))
            if larger is not None and not math.isnan(larger[last]):
                self._remember((child, parents), float(larger[last]))
                return float(larger[last])
        return math.nan

    def _score_unknown(self, families: Sequence[Family]) -> None:
        self._score_each([family for family in dict.fromkeys(families) if math.isnan(self._known(*family))])

    def _score_each(self, families: Sequence[Family]) -> None:
        for size in {len(members) for _, members in families}:
            rows = [(child, *members) for child, members in families if len(members) == size]
            scores = self._scored(np.array(rows, dtype=np.int64)).tolist()
            for (child, *members), score in zip(rows, scores, strict=True):
                self._remember((child, tuple(members)), score)

    def _score_larger(self, families: Sequence[Family]) -> None:
        """Score families of one size with each other node as one more parent."""
        rows, asked = [], []
        for child, members in families:
            row = self._larger(child, members)
            is_unknown = np.isnan(row)
            is_unknown[[child, *members]] = False
            if len(others := np.flatnonzero(is_unknown)):
                rows.append((row, others))
                asked.append(_families(child, members, others))
        if rows:
            scores = self._scored(np.concatenate(asked))
            for row, others in rows:
                row[others], scores = scores[: len(others)], scores[len(others) :]

    def _remember(self, family: Family, score: float) -> None:
        self._locals[family] = score
        if len(self._locals) > MOST_LOCALS:
            del self._locals[next(iter(self._locals))]

    def _scored(self, families: NDArray[np.int64], must_stop: MustStop = never) -> NDArray[np.float64]:
        """The scores of families; where it must stop, of the first of them."""
        found: list[NDArray[np.float64]] = []
        for block in _growing_blocks(families):
            if found and must_stop():
                break
            found.append(checked_scores(self._score, self._statistics, block))
        scores = np.concatenate(found) if len(found) > 1 else found[0]
        self.note(families[: len(scores)], scores)
        return scores


def _growing_blocks(families: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """The families in blocks, each twice the one before: a kernel is compiled before one that is large."""
    end, n_next = FIRST_BLOCK, 2 * FIRST_BLOCK
    yield families[:end]
    while end < len(families):
        yield families[end : end + n_next]
        end, n_next = end + n_next, min(2 * n_next, LARGEST_BLOCK)


def _as_set(parents: Parents) -> int:
    """A number with a bit for each of them."""
    return sum(1 << parent for parent in parents)


def _without_one(parents: Parents) -> list[Parents]:
    return [parents[:place] + parents[place + 1 :] for place in range(len(parents))]


def _families(child: int, parents: Parents, others: NDArray[np.int64]) -> NDArray[np.int64]:
    families = np.empty((len(others), len(parents) + 2), dtype=np.int64)
    families[:, 0] = child
    families[:, 1:-1] = parents
    families[:, -1] = others
    return families


def gained(after: NDArray[np.float64], before: NDArray[np.float64] | float) -> NDArray[np.float64]:
    """The difference of scores; an impossible family stays impossible, whatever it replaces."""
    if isinstance(before, float) and math.isfinite(before):
        return after - before
    with np.errstate(invalid="ignore"):
        gains = after - before
    gains[after == -math.inf] = -math.inf
    return gains
