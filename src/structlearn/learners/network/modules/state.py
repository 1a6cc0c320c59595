"""Where a search for modules stands: who is in which module, and the programme of each."""

import numpy as np

from structlearn.errors import OptionError
from structlearn.learners.network.modules.kernels.moves import mark_blocked, reassign
from structlearn.learners.network.modules.problem import Flags, Floats, Places, Problem
from structlearn.learners.network.modules.programs import Grower, Program, single_leaf

PROGRESS = 1e-10  # of the score that a change must gain: less is rounding


class State:
    """Modules with their programmes; every half-step raises the score or leaves it.

    `modules` has the module of each of the problem's members, in their order. Sums are taken from the values
    anew at each half-step, so that rounding does not add up.
    """

    def __init__(self, problem: Problem, modules: Places, n_modules: int) -> None:
        self.problem = problem
        self.modules = modules
        self.programs = [single_leaf(problem.n_arrays) for _ in range(n_modules)]
        self.has_settled = True
        self._member_of = np.full(len(problem.names), -1, dtype=np.int64)
        self._member_of[problem.members] = np.arange(len(problem.members))
        self._values = problem.values[problem.members]
        self._is_pinned = np.array([j in problem.required for j in problem.members.tolist()], dtype=np.bool_)
        for j, sources in problem.required.items():
            self._require(int(self._member_of[j]), sources)

    @property
    def n_modules(self) -> int:
        """How many modules there are, empty ones too."""
        return len(self.programs)

    @property
    def counts(self) -> Places:
        """How many columns each module has."""
        return np.bincount(self.modules, minlength=self.n_modules)

    @property
    def uses(self) -> Flags:
        """Whether each module has each member as a parent."""
        found = np.zeros((self.n_modules, len(self.modules)), dtype=np.bool_)
        for m, program in enumerate(self.programs):
            parents = self._member_of[program.parents]
            found[m, parents[parents >= 0]] = True
        return found

    @property
    def links(self) -> Places:
        """How many parents of the second module are in the first."""
        found = np.zeros((self.n_modules, self.n_modules), dtype=np.int64)
        for m, j in np.argwhere(self.uses).tolist():
            found[self.modules[j], m] += 1
        return found

    def score(self) -> float:
        """That of all leaves and splits, and of assignments that are all equally probable."""
        found = sum(map(self._likelihood, range(self.n_modules)))
        return found - len(self.modules) * float(np.log(self.n_modules))

    def gains(self, m: int) -> dict[int, float]:
        """What the splits on each regulator of a module gain."""
        return self._grower(m).gains(self.programs[m])

    def improve_program(self, m: int) -> bool:
        """Grow the tree of a module anew; it is taken where it is better than the one there is."""
        if not (self.modules == m).any():
            has_changed = self.programs[m].n_leaves > 1
            self.programs[m] = single_leaf(self.problem.n_arrays)
            return has_changed
        grower = self._grower(m)
        before = grower.likelihood(self.programs[m])
        grown = grower.grown(self._required_of(m), self._is_allowed(m))
        if grown is None or grower.likelihood(grown) <= before + PROGRESS * max(abs(before), 1.0):
            return False
        self.programs[m] = grown
        return True

    def release_regulator(self, m: int) -> bool:
        """Let a column go from a module to where it may regulate it, if that pays.

        Clusters have regulators together with what they regulate. Neither half-step alone gets them out: the
        column loses until the tree can ask for it.
        """
        grower = self._grower(m)
        here = self.problem.members[(self.modules == m) & ~self._is_pinned]
        is_own = np.isin(self.problem.regulators, here) & ~self._is_forbidden(m)
        column = grower.best_first(is_own)
        if column is None or grower.n_members < 2:
            return False
        j = int(self._member_of[column])
        target = self._best_home(j, m)
        if target is None:
            return False
        before = grower.likelihood(self.programs[m]) + self._likelihood(target)
        program = self.programs[m]
        self.modules[j] = target
        grown = self._grower(m).grown(self._required_of(m), self._is_allowed(m))
        if grown is not None:
            self.programs[m] = grown
            after = self._likelihood(m) + self._likelihood(target)
            if after > before + PROGRESS * max(abs(before), 1.0):
                return True
        self.modules[j], self.programs[m] = m, program
        return False

    def improve_modules(self, rng: np.random.Generator) -> int:
        """Let each column, in random order, go to the module where the score gains most; how many went."""
        leaf_of = np.array([program.leaf_of for program in self.programs])
        starts = np.cumsum([0, *(program.n_leaves for program in self.programs)])
        is_in_leaf = np.zeros((self.problem.n_arrays, int(starts[-1])))
        is_in_leaf[np.arange(self.problem.n_arrays), leaf_of + starts[:-1, None]] = 1.0
        parts = np.array([self._values @ is_in_leaf, self._values**2 @ is_in_leaf])
        module_of_leaf = np.repeat(np.arange(self.n_modules), np.diff(starts))
        is_home = module_of_leaf[None, :] == self.modules[:, None]
        sums, squares = np.where(is_home, parts, 0.0).sum(axis=1)
        n_moved, _ = reassign(
            rng.permutation(len(self.modules)), self.modules, parts, starts, is_in_leaf.sum(axis=0),
            self.counts, sums, squares, self.uses, self.links, self._forbids(), self.problem.prior,
            self.problem.tails[self.problem.members] > 0.0, self.problem.price_of_tails,
            PROGRESS * max(abs(self.score()), 1.0),
        )  # fmt: skip
        return int(n_moved)

    def worst_fitting(self, n_columns: int) -> Places:
        """The members whose values have the least likelihood in the leaves of their modules."""
        found = np.zeros(len(self.modules))
        for m, program in enumerate(self.programs):
            here = np.flatnonzero(self.modules == m)
            for leaf in range(program.n_leaves if len(here) else 0):
                values = self._values[np.ix_(here, program.leaf_of == leaf)]
                spread = values.var() + 1e-12
                found[here] -= 0.5 * (np.log(spread) + (values - values.mean()) ** 2 / spread).sum(axis=1)
        found[self._is_pinned] = np.inf
        return np.argsort(found, kind="stable")[:n_columns]

    def _best_home(self, j: int, m: int) -> int | None:
        """The module where a column of m costs least, of those from which it may regulate m."""
        users, links = self.uses[:, j], self.links
        links[m] -= users
        blocked = np.zeros(self.n_modules, dtype=np.bool_)
        mark_blocked(users | (np.arange(self.n_modules) == m), links, blocked)
        gains = {}
        for target in np.flatnonzero(~blocked).tolist():
            if self.problem.forbids[self.programs[target].parents, self.problem.members[j]].any():
                continue
            before = self._likelihood(target)
            self.modules[j] = target
            gains[target] = self._likelihood(target) - before
            self.modules[j] = m
        return max(gains, key=lambda target: gains[target]) if gains else None

    def _likelihood(self, m: int) -> float:
        return self._grower(m).likelihood(self.programs[m])

    def _grower(self, m: int) -> Grower:
        is_here = self.modules == m
        values, penalty = self._values[is_here], self.problem.penalty_of(self.problem.members[is_here])
        return Grower(self.problem, values.sum(axis=0), (values**2).sum(axis=0), len(values), penalty)

    def _is_allowed(self, m: int) -> Flags:
        """The regulators a module may have: of no module that it leads to, and forbidden by no member."""
        problem, blocked = self.problem, np.zeros(self.n_modules, dtype=np.bool_)
        mark_blocked(np.arange(self.n_modules) == m, self.links, blocked)
        home = self._member_of[problem.regulators]
        is_allowed = ~((home >= 0) & blocked[self.modules[home]])
        return np.asarray(is_allowed & ~self._is_forbidden(m), dtype=np.bool_)

    def _is_forbidden(self, m: int) -> Flags:
        """Which regulators some member may not have."""
        members = self.problem.members[self.modules == m]
        found = self.problem.forbids[np.ix_(self.problem.regulators, members)].any(axis=1)
        return np.asarray(found, dtype=np.bool_)

    def _forbids(self) -> Flags:
        """Whether each member may not be in each module: for one of its parents, or since it is bound."""
        found = np.zeros((len(self.modules), self.n_modules), dtype=np.bool_)
        for m, program in enumerate(self.programs):
            parents = np.array(program.parents, dtype=np.int64)
            found[:, m] = self.problem.forbids[np.ix_(parents, self.problem.members)].any(axis=0)
        found[self._is_pinned] = True
        return found

    def _required_of(self, m: int) -> list[int]:
        here = self.problem.members[self.modules == m].tolist()
        return sorted({source for j in here for source in self.problem.required.get(j, [])})

    def _require(self, j: int, sources: list[int]) -> None:
        """Give the module of a column with required parents a tree that asks for them."""
        m = int(self.modules[j])
        grown = self._grower(m).grown(sorted(sources), self._is_allowed(m))
        if grown is None:
            names = self.problem.names
            arcs = ", ".join(f"{names[i]} → {names[self.problem.members[j]]}" for i in sources)
            raise OptionError(
                f"Knowledge: {arcs} cannot all be in a regression tree of {self.problem.n_arrays} rows. "
                "Require fewer."
            )
        self.programs[m] = grown


def program_of(state: State, m: int) -> tuple[Program, Floats, Floats]:
    """The programme of a module, with the mean and the variance that its leaves have after the data."""
    program, prior = state.programs[m], state.problem.prior
    values = state.problem.values[state.problem.members[state.modules == m]]
    means, variances = np.empty(program.n_leaves), np.empty(program.n_leaves)
    for leaf in range(program.n_leaves):
        here = values[:, program.leaf_of == leaf]
        strength = prior[1] + here.size
        centre = here.mean()
        means[leaf] = (prior[1] * prior[0] + here.size * centre) / strength
        away = prior[1] * here.size * (centre - prior[0]) ** 2 / (2.0 * strength)
        rate = prior[3] + 0.5 * ((here - centre) ** 2).sum() + away
        variances[leaf] = rate / (prior[2] + 0.5 * here.size)
    return program, means, variances
