"""The skeleton phase that constraint-based learners share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs.links import Links
from structlearn.independence.asking import Asker, SeparatedPairs, Show, Subsets, separate_pairs
from structlearn.learners.constraint.skeletons.by_correlation import ByCorrelation
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.constraint.skeletons.separators import Separators
from structlearn.learners.constraint.skeletons.tiers import Tiers, separate_level
from structlearn.run import Run
from structlearn.statistics.varying import are_constant


@dataclass(slots=True)
class Skeleton:
    """The pairs that no test separated, why the others are gone, and how it went, level by level.

    `impossible` are the arrows of pairs that no test separated but that can have no direction.
    """

    edges: NDArray[np.int64]
    largest_p: NDArray[np.float64]
    separators: Separators
    trace: Mapping[str, Sequence[object]] = field(default_factory=dict)
    impossible: list[tuple[int, int]] = field(default_factory=list)

    @property
    def lines(self) -> Links:
        """The edges, without directions."""
        return Links(self.separators.n_nodes, lines=self.edges)

    def without(self, asked: NDArray[np.int64], level: SeparatedPairs) -> "Skeleton":
        """What is left when further tests, of the edges at the places `asked`, separated some of them."""
        largest_p = self.largest_p.copy()
        largest_p[asked] = np.maximum(largest_p[asked], level.largest_p)
        is_left = np.ones(len(self.edges), dtype=np.bool_)
        is_left[asked[level.separated]] = False
        separators = self.separators.joined([(self.edges[asked], level)])
        return Skeleton(self.edges[is_left], largest_p[is_left], separators, self.trace)

    def after_level(self, size: int, n_tests: int) -> "Skeleton":
        """The same with a further row of its trace."""
        n_before = self.trace["edges"][-1] if self.trace["edges"] else 0
        row = size, n_tests, int(n_before) - len(self.edges), len(self.edges)  # type: ignore[call-overload]  # a number
        trace = {
            name: [*column, value] for (name, column), value in zip(self.trace.items(), row, strict=True)
        }
        return replace(self, trace=trace)


Conditions = Literal["stable", "original", "all"]


def prune_skeleton(
    asker: Asker,
    n_nodes: int,
    known_pairs: KnownPairs,
    *,
    conditions: Conditions,
    max_conditioning: int | None,
    run: Run,
    tiers: Tiers | None = None,
    by_correlation: ByCorrelation | None = None,
) -> Skeleton:
    """Remove edges that tests separate, with 0, 1, 2, … conditions; stable ones may go by correlations.

    `conditions` says which columns an edge is conditioned on: the neighbours that its ends had when
    the level began ("stable"), those they have by now ("original"), or any ("all"). With `tiers`, none
    that is later than both ends, unless pairs are taken in turn ("original").
    """
    found: list[tuple[NDArray[np.int64], SeparatedPairs]] = []
    trace: dict[str, list[int]] = {"conditions": [], "tests": [], "removed": [], "edges": []}
    if by_correlation is None:
        left, size = _Pairs.all_of(n_nodes, known_pairs, None if conditions == "original" else asker), 0
    else:
        left, size = _Pairs.of_level_0(by_correlation, known_pairs), 1
        n_left, n_pairs = int(left.is_edge.sum()), n_nodes * (n_nodes - 1) // 2
        first = 0, n_pairs, n_pairs - known_pairs.n_closed - n_left, n_left
        trace = {name: [value] for name, value in zip(trace, first, strict=True)}
    while max_conditioning is None or size <= max_conditioning:
        # Decisions of one size use the edges it began with, so that the order of columns cannot
        # change the answer (Colombo and Maathuis, 2014).
        if conditions == "all":  # two constants have no condition, and are tested without any
            neighbors = links_of_varying(asker, n_nodes) if size else complete_links(n_nodes)
        else:
            neighbors = left.neighbors(n_nodes)
        asked = left.open(neighbors, size)
        if not len(asked):
            break
        n_tests, n_edges = asker.n_tests, int(left.is_edge.sum())
        is_short_cut = size > 0 and asker.knows_separators and max_conditioning is None
        show = partial(run.show, f"{n_edges} edges, tests with {size} conditions")
        show(0, len(asked))
        if by_correlation is not None:
            level = by_correlation.separate(left.pairs[asked], left.must_stay[asked], neighbors, size, show)
        elif conditions == "original" and not is_short_cut:
            level = _separate_in_turn(asker, left, asked, n_nodes, size, show)
        else:
            level = separate_level(
                asker, left.pairs[asked], neighbors, None if is_short_cut else size, tiers=tiers, show=show
            )
        found.append((left.pairs[asked], level))
        n_done = asker.n_tests - n_tests
        left = _without_untested(left, asked, n_done, tiers, run) if size == 0 else left
        left = left.after(asked, level)
        n_left = int(left.is_edge.sum())
        for name, value in zip(trace, (size, n_done, n_edges - n_left, n_left), strict=True):
            trace[name].append(value)
        if is_short_cut or run.must_stop():
            break
        size += 1
    separators = by_correlation.separators(found) if by_correlation else Separators(n_nodes, found)
    return Skeleton(*left.edges(), separators, trace)


def _without_untested(
    left: "_Pairs", asked: NDArray[np.int64], n_tests: int, tiers: Tiers | None, run: Run
) -> "_Pairs":
    """Leave out the pairs behind those that there was time for, each of which took one test."""
    if n_tests >= len(asked):
        return left
    tell_of_untested(run, len(asked), n_tests)
    in_turn = asked if tiers is None else asked[tiers.in_turn(left.pairs[asked])]
    return left.without_edges(in_turn[n_tests:])


def tell_of_untested(run: Run, n_pairs: int, n_tests: int) -> None:
    """Say that pairs are not joined only because nobody had time to look at them."""
    run.note(
        f"There was time to test {n_tests:,} of {n_pairs:,} pairs of columns; the others have no edges, "
        "which says nothing. Allow more time, or use fewer columns."
    )


def _separate_in_turn(
    asker: Asker, left: "_Pairs", asked: NDArray[np.int64], n_nodes: int, size: int, show: Show
) -> SeparatedPairs:
    """Separate pair after pair, each conditioned on the neighbours that the pairs before it left."""
    results = []
    for i in asked:
        one = np.array([i])
        result = separate_pairs(asker, Subsets(left.pairs[one], left.neighbors(n_nodes), size))
        results.append(result)
        show(len(results), len(asked))
        if len(result.separated):
            left = left.without_edges(one)
        if asker.must_stop():
            break
    is_separated = [len(result.separated) > 0 for result in results]
    return SeparatedPairs(
        np.flatnonzero(is_separated),
        np.concatenate([result.given for result in results]),
        np.concatenate([result.p_value for result in results]),
        np.concatenate([*(result.largest_p for result in results), np.zeros(len(asked) - len(results))]),
    )


def skeleton_given_the_rest(asker: Asker, n_nodes: int, known_pairs: KnownPairs, run: Run) -> Skeleton:
    """Join the pairs that all other columns together do not separate."""
    pairs = np.column_stack(np.triu_indices(n_nodes, k=1)).astype(np.int64)
    varying = varying_nodes(asker, n_nodes)
    n_conditions = max(len(varying) - 2, 0)  # as many for a constant, which any of them separate
    rest = [[v for v in varying if v not in pair][:n_conditions] for pair in pairs.tolist()]
    conditions = np.array(rest, dtype=np.int64).reshape(len(pairs), n_conditions)
    questions = np.concatenate([pairs, conditions], axis=1)
    n_before, p_value = asker.n_tests, asker.p_values(questions)
    n_tests = asker.n_tests - n_before
    if n_tests < len(pairs):
        tell_of_untested(run, len(pairs), n_tests)
    separated = np.flatnonzero(p_value > asker.alpha)
    may_be_edge = known_pairs.may_be_edge(pairs)
    may_be_edge[n_tests:] = False
    is_edge = (p_value <= asker.alpha) & may_be_edge | known_pairs.must_be_edge(pairs)
    level = SeparatedPairs(separated, conditions[separated], p_value[separated], p_value)
    n_edges = int(is_edge.sum())
    trace = {
        "conditions": [conditions.shape[1]],
        "tests": [n_tests],
        "removed": [int(may_be_edge.sum()) - n_edges],
        "edges": [n_edges],
    }
    return Skeleton(pairs[is_edge], p_value[is_edge], Separators(n_nodes, [(pairs, level)]), trace)


def complete_links(n_nodes: int) -> Links:
    """Every node beside every other."""
    return Links(n_nodes, lines=np.column_stack(np.triu_indices(n_nodes, k=1)))


def links_of_varying(asker: Asker, n_nodes: int) -> Links:
    """Every node beside every other but the constants, which would count as conditions and say nothing."""
    varying = varying_nodes(asker, n_nodes)
    return Links(n_nodes, lines=np.array([*combinations(varying, 2)], dtype=np.int64).reshape(-1, 2))


def varying_nodes(asker: Asker, n_nodes: int) -> list[int]:
    """The columns with more than a single value."""
    if asker.statistics is None:
        return list(range(n_nodes))
    found: list[int] = np.flatnonzero(~are_constant(asker.statistics)).tolist()
    return found


@dataclass(frozen=True, slots=True)
class _Pairs:
    """The pairs that nothing has separated yet.

    A pair that knowledge keeps apart is no edge, but its separating set is looked for too: it
    says which of its common neighbours are colliders.
    """

    pairs: NDArray[np.int64]
    is_edge: NDArray[np.bool_]
    must_stay: NDArray[np.bool_]
    largest_p: NDArray[np.float64]

    @classmethod
    def all_of(cls, n_nodes: int, known_pairs: KnownPairs, asker: Asker | None) -> "_Pairs":
        """All pairs, in the order in which the test answers them soonest, if it is there."""
        pairs = np.column_stack(np.triu_indices(n_nodes, k=1)).astype(np.int64)
        pairs = pairs if asker is None else asker.in_order(pairs)
        return cls(
            pairs, known_pairs.may_be_edge(pairs), known_pairs.must_be_edge(pairs), np.zeros(len(pairs))
        )

    @classmethod
    def of_level_0(cls, by_correlation: ByCorrelation, known_pairs: KnownPairs) -> "_Pairs":
        pairs, p_value = by_correlation.dependent(known_pairs.required_pairs())
        return cls(pairs, known_pairs.may_be_edge(pairs), known_pairs.must_be_edge(pairs), p_value)

    def neighbors(self, n_nodes: int) -> Links:
        return Links(n_nodes, lines=self.pairs[self.is_edge])

    def open(self, neighbors: Links, size: int) -> NDArray[np.int64]:
        """The pairs of which an end has `size` neighbours besides the other end."""
        degree = np.diff(neighbors.neighbor_rows[0])
        most = np.maximum(degree[self.pairs[:, 0]], degree[self.pairs[:, 1]]) - self.is_edge
        return np.flatnonzero(most >= size)

    def after(self, asked: NDArray[np.int64], level: SeparatedPairs) -> "_Pairs":
        largest_p = self.largest_p.copy()
        largest_p[asked] = np.maximum(largest_p[asked], level.largest_p)
        is_left = np.ones(len(self.pairs), dtype=np.bool_)
        is_left[asked[level.separated]] = False
        is_left |= self.must_stay
        return _Pairs(self.pairs[is_left], self.is_edge[is_left], self.must_stay[is_left], largest_p[is_left])

    def edges(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Those that are edges, sorted, with their largest p-values."""
        places = np.flatnonzero(self.is_edge)
        places = places[np.lexsort(self.pairs[places, ::-1].T)]
        return self.pairs[places], self.largest_p[places]

    def without_edges(self, places: NDArray[np.int64]) -> "_Pairs":
        """The same less the edges in some places, but for those that must stay."""
        is_edge = self.is_edge.copy()
        is_edge[places] &= self.must_stay[places]
        return replace(self, is_edge=is_edge)
