"""The cheapest sets of inputs where rules have to be functions of one kind."""

from collections.abc import Iterator
from itertools import combinations, islice

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError, OptionError
from structlearn.learners.network.boolean.functions import MOST_INPUTS, functions_of
from structlearn.learners.network.boolean.kernels.input_sets import ONE_ERROR
from structlearn.learners.network.boolean.pairs import Codes
from structlearn.learners.network.boolean.search import MUST, NEVER, NO_LIMIT, Cheapest, Costs, Search, Sets

AT_ONCE = 2**22  # numbers in one product of matrices: 16 MiB


class RestrictedSearch(Search):
    """Finds for each set the function of the kind with the fewest errors, by products of matrices.

    With n the times that a pattern is seen and n₁ those that the node is on thereafter, a function f makes
    Σ n₁ + Σ f·(n − 2n₁) errors.
    """

    def of_size(self, size: int, targets: Codes, costs: Costs, *, most: Codes | None = None) -> Cheapest:
        """The cheapest sets of a size; only those that cost no more than `most`, where it is given."""
        self._refuse(size)
        limits = np.full(len(targets), NO_LIMIT) if most is None else most
        found = np.stack([limits, limits], axis=1)
        kept: list[list[Codes]] = [[] for _ in targets]
        following = np.zeros((len(targets), size), dtype=np.int64)
        for sets in self._batches(size, len(targets)):
            if self.run.must_stop():
                break
            spent = ONE_ERROR * self._errors(sets, targets) + costs.units * 2**size
            spent = np.where(self._is_allowed(sets, targets), np.maximum(spent, costs.floors), NO_LIMIT)
            for t, column in enumerate(spent.T):
                # Of one batch the two least costs are all that can matter.
                for cost in np.unique(column[(column <= found[t, 1]) & (column < NO_LIMIT)])[:2].tolist():
                    _keep(cost, sets[column == cost], found[t], kept[t], following[t])
        chosen = tuple(np.array(each, dtype=np.int64).reshape(len(each), size) for each in kept)
        return Cheapest(targets, found, chosen, following)

    def _refuse(self, size: int) -> None:
        owner = f"{self.run.owner}(functions={self.functions!r})"
        if size > MOST_INPUTS:
            raise OptionError(f"{owner}: nodes have at most {MOST_INPUTS} inputs, and {size} are asked for.")
        many = np.flatnonzero(self.pairs.levels > 2)
        if len(many):
            name, n_states = self.pairs.names[many[0]], self.pairs.levels[many[0]]
            raise DataError(f"{owner}: nodes have two states, and {name!r} has {n_states}.")

    def _batches(self, size: int, n_targets: int) -> Iterator[Sets]:
        n_functions = len(functions_of(self.functions, size))
        n_sets = max(AT_ONCE // max(len(self.pairs) * 2**size, n_targets * n_functions), 1)
        sets = combinations(range(len(self.may)), size)
        while batch := list(islice(sets, n_sets)):
            yield np.array(batch, dtype=np.int64).reshape(len(batch), size)

    def _errors(self, sets: Sets, targets: Codes) -> Codes:
        """The fewest errors of each set (rows) for each target (columns)."""
        size = sets.shape[1]
        pattern = np.zeros((len(self.pairs), len(sets)), dtype=np.int64)
        for column in sets.T:
            pattern = 2 * pattern + self.pairs.before[:, column]
        # Counts are whole numbers that single precision holds.
        is_in = (pattern[:, :, None] == np.arange(2**size)).astype(np.float32)
        on = self.pairs.after[:, targets].astype(np.float32)
        n_on = np.tensordot(is_in, on, axes=(0, 0))  # sets, patterns, targets
        gains = is_in.sum(axis=0)[:, :, None] - 2.0 * n_on
        functions = functions_of(self.functions, size).T.astype(np.float32)
        best = (gains.transpose(0, 2, 1) @ functions).min(axis=2)
        return np.asarray(np.rint(on.sum(axis=0) + best), dtype=np.int64)

    def _is_allowed(self, sets: Sets, targets: Codes) -> NDArray[np.bool_]:
        """Whether a target may have all of the inputs of a set, and has all that it must have."""
        may, has = self.may[:, targets], np.zeros((len(sets), len(self.may)), dtype=np.int64)
        np.put_along_axis(has, sets, 1, axis=1)
        has_needed = has @ (may == MUST) == (may == MUST).sum(axis=0)
        allowed: NDArray[np.bool_] = has_needed & (has @ (may == NEVER) == 0)
        return allowed


def _keep(cost: int, sets: Sets, costs: Codes, kept: list[Codes], following: Codes) -> None:
    """Put sets of one cost where they belong: with the cheapest, before them, or next to them."""
    if cost < costs[0]:
        if kept:
            costs[1], following[:] = costs[0], kept[0]
        costs[0] = cost
        kept[:] = list(sets)
    elif cost == costs[0]:
        kept.extend(sets)
    elif cost < costs[1]:
        costs[1], following[:] = cost, sets[0]
