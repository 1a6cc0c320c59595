"""Markov blankets of single targets: grow a set of dependent columns, shrink it to what is needed."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs.links import Links
from structlearn.independence.asking import Asker
from structlearn.learners.constraint.blankets.by_correlation import ByCorrelation
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.run import Run

BlanketMethod = Literal["grow-shrink", "iamb", "inter-iamb", "fast-iamb"]
BLANKET_METHODS: tuple[BlanketMethod, ...] = ("grow-shrink", "iamb", "inter-iamb", "fast-iamb")


class BlanketSearch:
    """Searches the Markov blanket of one target after another, with one test.

    Parameters
    ----------
    asker : Asker
        What answers the tests.
    n_nodes : int
        How many columns there are.
    method : str
        "grow-shrink" takes candidates in the order of their association with the target and adds
        the first that is dependent [1]_; "iamb" adds the most dependent one [2]_; "inter-iamb" shrinks
        after each addition [2]_; "fast-iamb" adds all dependent ones at once, strongest first [3]_.
    max_conditioning : int or None
        The largest set to condition on.

    References
    ----------
    .. [1] Margaritis and Thrun (1999), Bayesian network induction via local neighborhoods, NIPS 12.
    .. [2] Tsamardinos, Aliferis and Statnikov (2003), Algorithms for large scale Markov blanket
       discovery, FLAIRS.
    .. [3] Yaramakala and Margaritis (2005), Speculative Markov blanket discovery for optimal
       feature selection, ICDM.
    """

    def __init__(
        self, asker: Asker, n_nodes: int, *, method: BlanketMethod, max_conditioning: int | None = None
    ) -> None:
        self._asker = asker
        self._n_nodes = n_nodes
        self._method = method
        self._most = n_nodes if max_conditioning is None else max_conditioning
        self._by_correlation = ByCorrelation.of(asker) if method == "grow-shrink" else None

    def blanket(self, target: int, always: Iterable[int] = ()) -> dict[int, float]:
        """The members of the blanket of `target`, each with its p-value given the others.

        What is in `always` is a member whatever the tests say.
        """
        fixed = set(always)
        members = sorted(fixed)
        candidates = self._by_association(target, [v for v in range(self._n_nodes) if v != target])
        if self._by_correlation is not None:
            members = self._by_correlation.grown(target, members, candidates, self._most)
            return self._shrunk(target, self._by_correlation.shrunk(target, members, fixed), fixed)
        visited: set[frozenset[int]] = set()
        while not self._asker.must_stop():
            added = self._grown(target, members, [v for v in candidates if v not in members])
            if not added:
                break
            members += added
            # Shrinking in between could go around in circles: not from where it has been before.
            if self._method == "inter-iamb" and frozenset(members) not in visited:
                visited.add(frozenset(members))
                members = list(self._shrunk(target, members, fixed))
        return self._shrunk(target, members, fixed)

    def _by_association(self, target: int, candidates: list[int]) -> list[int]:
        """The candidates, those with the smallest marginal p-value first."""
        if not candidates:
            return []
        order = _strongest_first(*self._p_values(target, candidates, []))
        return [candidates[i] for i in order]

    def _grown(self, target: int, members: list[int], candidates: list[int]) -> list[int]:
        """The columns to add: those that depend on the target given the members."""
        if len(members) > self._most or not candidates:
            return []
        if self._method == "grow-shrink":
            return self._first_dependent(target, members, candidates)
        p_value, statistic = self._p_values(target, candidates, members)
        order = [i for i in _strongest_first(p_value, statistic) if p_value[i] <= self._asker.alpha]
        return [candidates[i] for i in (order if self._method == "fast-iamb" else order[:1])]

    def _first_dependent(self, target: int, members: list[int], candidates: list[int]) -> list[int]:
        """Ask in batches that double, so that little is asked past the first success."""
        start, length = 0, 1
        while start < len(candidates):
            block = candidates[start : start + length]
            dependent = np.flatnonzero(self._p_values(target, block, members)[0] <= self._asker.alpha)
            if len(dependent):
                return [block[dependent[0]]]
            start, length = start + length, 2 * length
        return []

    def _shrunk(self, target: int, members: list[int], fixed: set[int]) -> dict[int, float]:
        """Leave out, one by one, what is least needed once the others are given."""
        p_values = dict.fromkeys(members, 0.0)
        while p_values and not self._asker.must_stop():
            left = list(p_values)
            questions = np.array([[target, v, *(u for u in left if u != v)] for v in left], dtype=np.int64)
            p_values = dict(zip(left, self._asker.ask(questions).p_value.tolist(), strict=True))
            least = max(set(left) - fixed, key=lambda v: (p_values[v], v), default=None)
            if least is None or p_values[least] <= self._asker.alpha:
                break
            del p_values[least]
        return p_values

    def _p_values(
        self, target: int, candidates: list[int], members: list[int]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        questions = np.empty((len(candidates), 2 + len(members)), dtype=np.int64)
        questions[:, 0] = target
        questions[:, 1] = candidates
        questions[:, 2:] = members
        answers = self._asker.ask(questions)
        return answers.p_value, answers.statistic


@dataclass(frozen=True, slots=True)
class Blankets:
    """The pairs of columns that are in each other's blanket, with the larger of their two p-values."""

    n_nodes: int
    pairs: NDArray[np.int64]
    largest_p: NDArray[np.float64]

    def by_name(self, names: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        """The blanket of each column."""
        links = Links(self.n_nodes, lines=self.pairs)
        return {name: tuple(names[v] for v in links.neighbors(i)) for i, name in enumerate(names)}


def all_blankets(
    asker: Asker,
    n_nodes: int,
    known_pairs: KnownPairs,
    *,
    symmetry: Literal["and", "or"],
    max_conditioning: int | None,
    run: Run,
) -> Blankets:
    """The blanket of every column by Grow-Shrink, made symmetric."""
    search = BlanketSearch(asker, n_nodes, method="grow-shrink", max_conditioning=max_conditioning)
    required = known_pairs.neighbors_that_must_be(n_nodes)
    found = []
    for target in range(n_nodes):
        blanket = search.blanket(target, always=required[target])
        if run.must_stop():  # what it has grown, nobody had time to shrink
            run.note(
                f"There was time for the blankets of {target:,} of {n_nodes:,} columns; the others have "
                "none, which says nothing. Allow more time, or use fewer columns."
            )
            found += [dict.fromkeys(members, 1.0) for members in required[target:]]
            break
        found.append(blanket)
        run.show(f"blanket {target + 1} of {n_nodes}", target + 1, n_nodes)
    says = {(target, v): p for target, blanket in enumerate(found) for v, p in blanket.items()}
    pairs = sorted({(min(pair), max(pair)) for pair in says})
    if symmetry == "and":
        pairs = [(a, b) for a, b in pairs if (a, b) in says and (b, a) in says]
    largest_p = [max(says.get((a, b), 0.0), says.get((b, a), 0.0)) for a, b in pairs]
    return Blankets(n_nodes, np.array(pairs, dtype=np.int64).reshape(-1, 2), np.array(largest_p))


def _strongest_first(p_value: NDArray[np.float64], statistic: NDArray[np.float64]) -> list[int]:
    """By p-value; where those are too small to tell apart, by the size of the statistic."""
    size = np.nan_to_num(np.abs(statistic))
    order: list[int] = np.lexsort((-size, p_value)).tolist()
    return order
