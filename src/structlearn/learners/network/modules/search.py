"""The alternation of programmes and assignments, from several starts and with several numbers of modules."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from structlearn.errors import OptionError
from structlearn.later import hierarchy, vq
from structlearn.learners.network.modules.options import ModuleOptions, Start
from structlearn.learners.network.modules.problem import Floats, Places, Problem
from structlearn.learners.network.modules.state import State
from structlearn.run import Run
from structlearn.statistics.blocks import each_by_a_worker, n_workers

WORSE_IN_A_ROW = 2  # numbers of modules, after which no larger one is tried
TRIES = 10  # of k-means, whose single ends are often poor


Step = tuple[int, str, float, int]


class End(NamedTuple):
    """Where the alternation from one start ended: the state, its score, and every half-step."""

    state: State
    score: float
    steps: list[Step]


@dataclass
class Search:
    """Finds modules; `trace` has every half-step, from every start."""

    problem: Problem
    options: ModuleOptions
    seed: int
    run: Run
    n_jobs: int
    trace: list[tuple[int, int, str, float, int]] = field(default_factory=list)
    n_starts: int = 0

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
        """Go from every start, by as many workers as there are; of equal ends the first is the best."""
        n_starts = self.options.restarts + 1
        n_blocks = min(4 * n_workers(None if self.n_jobs == 1 else self.n_jobs), n_starts)
        cuts = [n_starts * b // n_blocks for b in range(n_blocks + 1)]
        go = partial(self._best_of_some, n_modules)
        found = each_by_a_worker(go, [range(a, b) for a, b in pairwise(cuts)], n_jobs=self.n_jobs)
        best = [end for end, _ in found if end is not None]
        for _, steps in found:
            for each in steps:
                self.trace += [(self.n_starts, *step) for step in each]
                self.n_starts += 1
        chosen = max(best, key=_score)
        return chosen.state, chosen.score

    def _best_of_some(self, n_modules: int, starts: range) -> tuple[End | None, list[list[Step]]]:
        """The best end of some starts, the others are let go, and the steps of all."""
        best: End | None = None
        steps: list[list[Step]] = []
        for k in starts:
            if k and self.run.must_stop():
                break
            ends = self._from_start(n_modules, k)
            steps += [end.steps for end in ends]
            best = max([*([] if best is None else [best]), *ends], key=_score)
        return best, steps

    def _from_start(self, n_modules: int, k: int) -> list[End]:
        """Where one start leads: the first is from clusters, others from modules at random."""
        rng = np.random.default_rng([self.seed, n_modules, k])  # whatever else is tried, in whatever order
        members = self.problem.values[self.problem.members]
        if k:
            return [self._alternated(self._state(n_modules, rng.integers(0, n_modules, len(members))), rng)]
        clusters = clusters_of(members, n_modules, self.options.start, rng)
        end = self._alternated(self._state(n_modules, clusters), rng)
        return [end, *self._refilled(end, rng)] if self.options.refill else [end]

    def _alternated(self, state: State, rng: np.random.Generator) -> End:
        """Improve programmes and assignments in turn until neither changes."""
        score = state.score()
        steps: list[Step] = [(state.n_modules, "start", score, 0)]
        for iteration in range(self.options.max_iterations):
            most = self.options.max_iterations
            self.run.show(f"{state.n_modules} modules, round {iteration + 1}", iteration, most)
            n_changed = 0
            for m in rng.permutation(state.n_modules).tolist():
                if self.run.must_stop():
                    break
                n_changed += state.improve_program(m) + state.release_regulator(m)
            steps.append((state.n_modules, "programs", state.score(), n_changed))
            n_moved = 0 if self.run.must_stop() else state.improve_modules(rng)
            score = state.score()
            steps.append((state.n_modules, "modules", score, n_moved))
            if self.run.must_stop() or n_moved == n_changed == 0:
                break
        else:
            state.has_settled = False
        return End(state, score, steps)

    def _refilled(self, end: End, rng: np.random.Generator) -> list[End]:
        """Where it leads to put the columns that fit worst into the modules that are empty, if some are."""
        empty = np.flatnonzero(end.state.counts == 0)
        if not len(empty) or self.run.must_stop():
            return []
        modules = end.state.modules.copy()
        share = max(len(modules) // len(end.state.counts), 1)
        worst = end.state.worst_fitting(share * len(empty))
        modules[worst] = empty[np.arange(len(worst)) % len(empty)]
        return [self._alternated(State(self.problem, modules, end.state.n_modules), rng)]

    def _state(self, n_modules: int, modules: Places) -> State:
        """Columns with required parents have modules of their own, behind the others."""
        bound = [k for k, j in enumerate(self.problem.members.tolist()) if j in self.problem.required]
        modules[bound] = n_modules + np.arange(len(bound))
        return State(self.problem, modules, n_modules + len(bound))


def _score(end: End) -> float:
    return end.score


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
        tries = [vq.kmeans2(values, n_clusters, minit="++", rng=rng) for _ in range(TRIES)]
    _, labels = min(tries, key=lambda each: float(((values - each[0][each[1]]) ** 2).sum()))
    return np.asarray(labels, dtype=np.int64)
