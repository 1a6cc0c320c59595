"""A tree for each column that tests the others, grown by its score."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from structlearn.learners.network.dependency.local import Columns, Flags, Floats, Local
from structlearn.learners.network.dependency.options import GrowsTrees
from structlearn.learners.network.dependency.tree_gains import gains_by_parent, with_required_tests
from structlearn.scores import K2
from structlearn.scores.kernels.leaves import Rule
from structlearn.scores.tree_growth import GrownTree, Items, grow_tree, growth_rule, normal_rule

USUAL_KAPPA = 0.01  # the luckiest of more than a hundred columns of noise passes it
LEAST_VARIANCE = 1e-10  # of a leaf, as a share of the column's: above what rounding leaves of nothing


@dataclass(frozen=True, eq=False, slots=True)
class TreeGrower:
    """Grows the tree of any column of a table."""

    columns: Columns
    options: GrowsTrees
    by_tails: Floats  # what a free parameter of each column's tree costs more

    def local(self, child: int, *, max_depth: int | None) -> Local:
        """The tree of one column; with a `max_depth` of 0 its distribution alone."""
        mean, variance = (0.0, 1.0) if self.columns.levels[child] else self.columns.mean_and_variance(child)
        if variance == 0.0:
            return Local({"form": "point", "value": mean}, {}, 0.0)
        rule = self._rule(child, variance, max_depth)
        items = Items(self.columns.values, self._tallies(child, mean))
        is_open = self.columns.is_allowed[child] & (max_depth != 0)
        grown = self._grown(items, is_open, rule)
        if self.options.max_parents is not None:
            chosen = self._strongest(child, items, grown, rule)
            grown = grown if chosen is None else self._grown(items, is_open & chosen, rule)
        if max_depth != 0:
            required = np.flatnonzero(self.columns.is_required[child]).tolist()
            grown = with_required_tests(grown, items, self.columns.levels, required, rule)
        gains = gains_by_parent(grown, items, self.columns.levels, rule)
        return Local(self._conditional(child, grown, mean), gains, grown.score)

    def _grown(self, items: Items, is_open: Flags, rule: Rule) -> GrownTree:
        # A column of one state is never tested.
        return grow_tree(items, np.where(is_open, self.columns.levels, 1), rule)

    def _strongest(self, child: int, items: Items, grown: GrownTree, rule: Rule) -> Flags | None:
        """The parents to grow again with, where the tree has more than are allowed; required ones stay."""
        most, gains = self.options.max_parents, gains_by_parent(grown, items, self.columns.levels, rule)
        is_required = self.columns.is_required[child]
        free = [j for j in gains if not is_required[j]]
        n_free = max((most or 0) - int(is_required.sum()), 0)
        if len(free) <= n_free:
            return None
        chosen: Flags = is_required.copy()
        chosen[sorted(free, key=lambda j: -gains[j])[:n_free]] = True
        return chosen

    def _rule(self, child: int, variance: float, max_depth: int | None) -> Rule:
        how: dict[str, Any] = {"splits": "one-value", "lookahead": False, "max_depth": max_depth}
        how["min_rows"] = float(self.options.min_rows)
        if self.columns.levels[child]:
            rule = growth_rule(K2(), self.columns.size, **how)._replace(prior=float(self.options.prior_rows))
        else:
            rule = normal_rule(self.columns.size, LEAST_VARIANCE * variance, **how)
        kappa = self.options.kappa
        if kappa is None:
            n_columns = int(np.count_nonzero(self.columns.is_allowed[child]))
            kappa = min(USUAL_KAPPA, 1.0 / max(n_columns, 1))
        return rule._replace(price=rule.price - math.log(kappa) + float(self.by_tails[child]))

    def _tallies(self, child: int, mean: float) -> Floats:
        """What each row adds to its leaf: one to the count of its state, or to size, sum and squares."""
        weights, values = self.columns.weights, self.columns.values[child]
        if not self.columns.levels[child]:
            away = values - mean
            return np.column_stack([weights, weights * away, weights * away**2])
        tallies = np.zeros((len(values), int(self.columns.levels[child])))
        tallies[np.arange(len(values)), values.astype(np.int64)] = weights
        return tallies

    def _conditional(self, child: int, grown: GrownTree, mean: float) -> dict[str, Any]:
        columns = self.columns
        tested = sorted(set(grown.parents[grown.parents >= 0].tolist()))
        known: dict[str, Any] = {"parents": columns.states_of(tested)}
        if columns.levels[child]:
            cells = grown.tallies + float(self.options.prior_rows)
            leaves = cells / cells.sum(axis=1, keepdims=True)
            known |= {"form": "tree", "labels": list(columns.labels[child])}
        else:
            sizes, sums, squares = grown.tallies.T
            away = sums / sizes
            leaves = np.column_stack([mean + away, squares / sizes - away**2])
            known["form"] = "gaussian-tree"
        return {**known, "tree": self._plain(grown, leaves)}

    def _plain(self, grown: GrownTree, leaves: Floats) -> Any:
        """The tree as nested tests, as files have it."""
        built: dict[int, Any] = {}
        for vertex in reversed(range(len(grown.parents))):
            parent, first = int(grown.parents[vertex]), int(grown.first[vertex])
            if parent < 0:
                built[vertex] = leaves[vertex].tolist()
                continue
            at = float(grown.at[vertex])
            states = self.columns.labels[parent]
            built[vertex] = {
                "parent": self.columns.names[parent],
                "branches": [built[first], built[first + 1]],
                "at": states[int(at)] if states else at,
            }
        return built[0]
