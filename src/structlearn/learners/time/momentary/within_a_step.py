"""PCMCI+: what acts within a step, pruned by tests and directed by colliders."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, islice

import numpy as np

from structlearn.learners.constraint.directions.collider_votes import Votes, is_elected
from structlearn.learners.constraint.directions.orientation import Colliders, as_triples
from structlearn.learners.time.learner import KnownInTime
from structlearn.learners.time.momentary.asked_links import (
    Floats,
    LaggedParents,
    Link,
    LinkTests,
    Places,
    most_given,
)
from structlearn.learners.time.momentary.links import NONE_TESTED, note_untested, warn_of_few_rows
from structlearn.learners.time.momentary.options import ColliderRule
from structlearn.run import Run

SETS_AT_ONCE = 64  # of a link, before the answers are looked at


class Skeleton:
    """The links that are left, with the largest p-value of each, and what separated the others.

    A link within a step is there once, from the variable that comes first.
    """

    def __init__(
        self, tests: LinkTests, parents: LaggedParents, known: KnownInTime, lags: Sequence[int]
    ) -> None:
        self._tests, self._parents, self._known = tests, parents, known
        self._first_lag = np.array(lags)[known.first_places(lags)]
        required = np.argwhere(known.required).tolist()
        self.links: dict[Link, float] = {(i, int(self._first_lag[i]), j): 0.0 for i, j in required}
        self.strengths: defaultdict[Link, float] = defaultdict(lambda: float("inf"))
        self._separators: dict[Link, tuple[frozenset[int], float]] = {}
        self._given_the_past = np.ones(known.required.shape)  # p-values of links within the step

    def prune(self, alpha: float, run: Run) -> None:
        """Remove links that are independent given some neighbours within the step, smaller sets first.

        What a level removes leaves after it: which sets are tried does not depend on the order of columns.
        """
        if run.must_stop():
            run.note(NONE_TESTED)
            return
        self._begin(alpha, run)
        size = 1
        while not run.must_stop():
            run.show(f"links with {size} conditions within the step", size)
            near = self.neighbors()
            open_ = [link for link in self.links if self._has_sets(link, near, size)]
            if not open_:
                return
            gone = [link for link in open_ if self._is_separated(link, near, size, alpha)]
            for link in gone:
                del self.links[link]
            size += 1

    def _begin(self, alpha: float, run: Run) -> None:
        """Ask about all links given the past of both ends; those that depend, which are few, are listed."""
        links, most, n_asked = self._possible(), 0, 0
        for some, questions in self._parents.in_blocks(links):
            if run.must_stop():
                break
            run.show("links given the past", some.start, len(links))
            p_value, strength = self._tests.ask(questions)
            is_now = links[some, 1] == 0
            source, _, target = links[some][is_now].T
            self._given_the_past[source, target] = p_value[is_now]
            for row in np.flatnonzero((p_value <= alpha) | ~is_now & (p_value > alpha)).tolist():
                i, lag, j = links[some.start + row].tolist()
                link, p = (i, lag, j), float(p_value[row])
                if p > alpha:
                    self._separators[link] = frozenset(), p
                else:
                    self.links[link], self.strengths[link] = p, float(strength[row])
            most, n_asked = max(most, most_given(questions)), n_asked + int(np.isfinite(p_value).sum())
        note_untested(n_asked, len(links), run)
        warn_of_few_rows(self._tests.table.n_rows, most, run)

    def _possible(self) -> Places:
        """The links from candidates for parents, and all within a step, as rows (source, lag, target)."""
        n, is_context = len(self._known.required), self._tests.table.is_context
        target, place = np.nonzero(self._parents.columns >= 0)
        lag, source = np.divmod(self._parents.columns[target, place], n)
        is_open = ~((lag == self._first_lag[source]) & self._known.required[source, target])
        past = np.column_stack([source, lag, target])[is_open]
        never = self._known.forbidden_now & self._known.forbidden_now.T
        i, j = np.nonzero(np.triu(~(never | is_context | is_context[:, None]), k=1))
        return np.concatenate([past, np.column_stack([i, np.zeros_like(i), j])])

    def first_separator(self, link: Link) -> tuple[frozenset[int], float]:
        """The first set that separated the ends of a link, and its p-value."""
        alone = float(self._given_the_past[link[0], link[2]]) if link[1] == 0 else 1.0
        return self._separators.get(link, (frozenset(), alone))

    def neighbors(self) -> list[list[int]]:
        """The neighbours of each variable within the step, the strongest first."""
        found: list[list[tuple[float, int]]] = [[] for _ in self._parents.columns]
        for i, lag, j in self.links:
            if lag == 0:
                strength = -self.strengths[i, 0, j]
                found[i].append((strength, j))
                found[j].append((strength, i))
        return [[other for _, other in sorted(each)] for each in found]

    def votes(self, link: Link, near: Sequence[Sequence[int]], alpha: float) -> Votes:
        """Every set of neighbours within the step that separates the ends of a link, with its p-value."""
        found = []
        most = max(len(near[end]) for end in self._ends(link))
        for size in range(most + 1):
            for sets in self._sets(link, near, size):
                p_value, _ = self._ask(link, sets)
                found += [(frozenset(s), p) for s, p in zip(sets, p_value.tolist(), strict=True) if p > alpha]
        return found

    def _has_sets(self, link: Link, near: Sequence[Sequence[int]], size: int) -> bool:
        i, lag, j = link
        if lag == self._first_lag[i] and self._known.required[i, j]:
            return False
        return any(
            len(set(near[end]) - {i, j} if lag == 0 else near[end]) >= size for end in self._ends(link)
        )

    def _is_separated(self, link: Link, near: Sequence[Sequence[int]], size: int, alpha: float) -> bool:
        for sets in self._sets(link, near, size):
            p_value, strength = self._ask(link, sets)  # NaN where time is up, which max and min pass over
            self.links[link] = max(self.links[link], float(p_value.max()))
            self.strengths[link] = min(self.strengths[link], float(strength.min()))
            for within, p in zip(sets, p_value.tolist(), strict=True):
                if p > alpha:
                    self._separators[link] = frozenset(within), p
                    return not self._tests.asker.must_stop()
        return False

    def _ends(self, link: Link) -> tuple[int, ...]:
        return (link[2], link[0]) if link[1] == 0 else (link[2],)

    def _sets(self, link: Link, near: Sequence[Sequence[int]], size: int) -> Iterator[list[tuple[int, ...]]]:
        """Subsets of what is near the ends, a few at a time."""
        for end in self._ends(link):
            others = [k for k in near[end] if k != link[2] and (link[1] or k != link[0])]
            subsets = combinations(others, size)
            while sets := list(islice(subsets, SETS_AT_ONCE)):
                if self._tests.asker.must_stop():
                    return
                yield sets

    def _ask(self, link: Link, sets: Sequence[tuple[int, ...]]) -> tuple[Floats, Floats]:
        question = self._parents.questions(np.array([link]))
        within = np.array(sets, dtype=np.int64).reshape(len(sets), -1)
        return self._tests.ask(np.column_stack([np.repeat(question, len(sets), axis=0), within]))


def colliders(skeleton: Skeleton, tests: LinkTests, rule: ColliderRule, alpha: float) -> Colliders:
    """Triples a → b ← c whose last or both edges are within the step, by the sets that separate a and c."""
    near, place = skeleton.neighbors(), tests.table.place
    found: list[tuple[float, tuple[int, int, int]]] = []
    ambiguous: list[tuple[int, int, int]] = []
    for link, middle in _unshielded(skeleton, near):
        if tests.asker.must_stop():
            break
        i, lag, j = link
        votes = [skeleton.first_separator(link)] if rule == "first" else skeleton.votes(link, near, alpha)
        is_given = is_elected(middle, votes, "majority" if rule == "first" else rule)
        triple = place(i, lag), place(middle, 0), place(j, 0)
        if is_given is None:
            ambiguous.append(triple)
        elif not is_given:
            found.append((-max(p for _, p in votes), triple))
    found.sort()
    return Colliders(as_triples(triple for _, triple in found), as_triples(ambiguous))


def _unshielded(skeleton: Skeleton, near: Sequence[Sequence[int]]) -> Iterator[tuple[Link, int]]:
    """Each pair that is not linked, as a link, with a neighbour within the step that joins the two."""
    for i, lag, middle in list(skeleton.links):
        for j in near[middle]:
            if lag and (i, lag, j) not in skeleton.links:
                yield (i, lag, j), middle
    for middle, around in enumerate(near):
        for i, j in combinations(sorted(around), 2):
            if (i, 0, j) not in skeleton.links:
                yield (i, 0, j), middle
