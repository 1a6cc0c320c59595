"""The alternation of programmes and assignments, from several starts and with several numbers of modules."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from scipy.cluster import hierarchy
from scipy.cluster.vq import kmeans2

from structlearn.errors import OptionError
from structlearn.learners.network.modules.options import ModuleOptions, Start
from structlearn.learners.network.modules.problem import Floats, Places, Problem
from structlearn.learners.network.modules.state import State
from structlearn.run import Run

WORSE_IN_A_ROW = 2  # numbers of modules, after which no larger one is tried
TRIES = 10  # of k-means, whose single ends are often poor


@dataclass
class Search:
    """Finds modules; `trace` has every half-step, from every start."""

    problem: Problem
    options: ModuleOptions
    seed: int
    run: Run
    trace: list[tuple[int, int, str, float, int]] = field(default_factory=list)
    n_starts: int = 0

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)

    def best(self) -> tuple[State, float, dict[int, float]]:
        """The best state, its score, and the best score for each number of modules."""
        found: tuple[State, float] | None = None
        scores: dict[int, float] = {}
        n_worse = 0
        for n_modules in self._numbers():
            state, score = self._best_of(n_modules)
            scores[n_modules] = score
            n_worse = 0 if found is None or score > found[1] else n_worse + 1
            if found is None or score > found[1]:
                found = state, score
            if self.run.must_stop() or (self.options.n_modules is None and n_worse >= WORSE_IN_A_ROW):
                break
        if found is None:
            raise AssertionError("one number of modules at least is tried")
        return *found, scores

    def _numbers(self) -> Iterator[int]:
        """The numbers of modules to try: what was given, or 1, 2, 3, 4, 6, 8, 12, … up to all columns."""
        n_columns, given = len(self.problem.members), self.options.n_modules
        if given is None:
            steps = [k * 2**power for power in range(40) for k in (2, 3)]
            yield from [
                1,
                *(step for step in steps if step < n_columns),
                *([n_columns] if n_columns > 1 else []),
            ]
            return
        for number in [given] if isinstance(given, int) else given:
            if not 1 <= number <= n_columns:
                raise OptionError(
                    f"{self.run.owner}(n_modules={given!r}): {n_columns} columns that vary make from 1 to "
                    f"{n_columns} modules."
                )
            yield number

    def _best_of(self, n_modules: int) -> tuple[State, float]:
        self.rng = np.random.default_rng([self.seed, n_modules])  # whatever other numbers are tried
        best = self._alternated(self._state(n_modules, self._clustered(n_modules)))
        if self.options.refill:
            best = self._refilled(best)
        for _ in range(self.options.restarts):
            if self.run.must_stop():
                break
            again = self._alternated(self._state(n_modules, self._at_random(n_modules)))
            best = again if again[1] > best[1] else best
        return best

    def _alternated(self, state: State) -> tuple[State, float]:
        """Improve programmes and assignments in turn until neither changes."""
        score, start = state.score(), self.n_starts
        self.n_starts += 1
        self.trace.append((start, state.n_modules, "start", score, 0))
        for iteration in range(self.options.max_iterations):
            self.run.show(f"{state.n_modules} modules, round {iteration + 1}")
            n_changed = 0
            for m in self.rng.permutation(state.n_modules).tolist():
                if self.run.must_stop():
                    break
                n_changed += state.improve_program(m) + state.release_regulator(m)
            self.trace.append((start, state.n_modules, "programs", state.score(), n_changed))
            n_moved = 0 if self.run.must_stop() else state.improve_modules(self.rng)
            score = state.score()
            self.trace.append((start, state.n_modules, "modules", score, n_moved))
            if self.run.must_stop() or n_moved == n_changed == 0:
                break
        else:
            state.has_settled = False
        return state, score

    def _refilled(self, best: tuple[State, float]) -> tuple[State, float]:
        """Put the columns that fit worst into the modules that are empty, and go on from there if it pays."""
        empty = np.flatnonzero(best[0].counts == 0)
        if not len(empty) or self.run.must_stop():
            return best
        modules = best[0].modules.copy()
        share = max(len(modules) // len(best[0].counts), 1)
        worst = best[0].worst_fitting(share * len(empty))
        modules[worst] = empty[np.arange(len(worst)) % len(empty)]
        again = self._alternated(State(self.problem, modules, best[0].n_modules))
        return again if again[1] > best[1] else best

    def _state(self, n_modules: int, modules: Places) -> State:
        """Columns with required parents have modules of their own, behind the others."""
        bound = [k for k, j in enumerate(self.problem.members.tolist()) if j in self.problem.required]
        modules[bound] = n_modules + np.arange(len(bound))
        return State(self.problem, modules, n_modules + len(bound))

    def _at_random(self, n_modules: int) -> Places:
        return self.rng.integers(0, n_modules, len(self.problem.members))

    def _clustered(self, n_modules: int) -> Places:
        return clusters_of(self.problem.values[self.problem.members], n_modules, self.options.start, self.rng)


def clusters_of(values: Floats, n_clusters: int, start: Start, rng: np.random.Generator) -> Places:
    """The cluster of each row of `values`."""
    if n_clusters >= len(values):
        return np.arange(len(values))
    if n_clusters == 1:
        return np.zeros(len(values), dtype=np.int64)
    if start != "k-means":
        found = hierarchy.cut_tree(hierarchy.linkage(values, start), n_clusters=n_clusters)[:, 0]
        return np.asarray(found, dtype=np.int64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a cluster may be empty: so may a module
        tries = [kmeans2(values, n_clusters, minit="++", rng=rng) for _ in range(TRIES)]
    _, labels = min(tries, key=lambda each: float(((values - each[0][each[1]]) ** 2).sum()))
    return np.asarray(labels, dtype=np.int64)
