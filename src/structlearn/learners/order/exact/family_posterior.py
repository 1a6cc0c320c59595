"""The posterior probabilities of all families, and what follows from them."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.learners.order.exact.order_sums import on_a_card, on_the_processor
from structlearn.search.parent_sets import ParentSets, ScoredSets
from structlearn.search.space import Space

WORTH_MENTIONING = 0.001
Prior = Literal["sets", "sizes"]


@dataclass(frozen=True, slots=True)
class FamilyPosterior:
    """For every column its parent sets, their probabilities, and the log of the sum over all orders.

    Contexts have no place in an order: they act on columns, and nothing acts on them.
    """

    sets: list[ScoredSets]
    probabilities: list[NDArray[np.float64]]
    log_total: float

    def arcs(self) -> NDArray[np.float64]:
        """The probability of u → v, at [u, v]."""
        n = len(self.sets)
        arcs = np.zeros((n + 1, n))  # the last row takes what the −1 of short sets point to
        for node, (of_node, shares) in enumerate(zip(self.sets, self.probabilities, strict=True)):
            for members in of_node.members.T:
                arcs[:, node] += np.bincount(members % (n + 1), weights=shares, minlength=n + 1)
        return np.minimum(arcs[:n], 1.0)

    def likely_sets(self, names: tuple[str, ...]) -> dict[str, dict[tuple[str, ...], float]]:
        """For every node the parent sets that are not negligible, the most probable first."""
        return {name: dict(self._likely_sets(node, names)) for node, name in enumerate(names)}

    def _likely_sets(self, node: int, names: tuple[str, ...]) -> list[tuple[tuple[str, ...], float]]:
        shares = self.probabilities[node]
        rows = [row for row in np.argsort(-shares, kind="stable") if shares[row] >= WORTH_MENTIONING]
        return [
            (tuple(names[member] for member in self.sets[node].parents(row)), float(shares[row]))
            for row in rows
        ]


def family_posterior(space: Space, *, prior: Prior, on_card: bool = False) -> FamilyPosterior | None:
    """Score all families and find their probabilities; None where the run must stop before.

    A graphics card may do the sums over orders.
    """
    columns, run = space.limits.columns, space.run
    n, parent_sets = len(columns), ParentSets(space)
    may_be = ~space.limits.of_columns().closed & ~np.eye(n, dtype=np.bool_)
    n_joined = int(np.count_nonzero(may_be.any(axis=0) | may_be.any(axis=1)))  # less constant columns
    sets: list[ScoredSets] = []
    for child in columns.tolist():
        if run.must_stop():
            return None
        run.show(f"families of {space.names[child]}", len(sets), n)
        sets.append(_with_prior(parent_sets.all_of(child).among(columns, space.n_nodes), n_joined, prior))
    found = on_a_card(sets, run) if on_card else on_the_processor(sets, run, space.statistics.n_jobs)
    if found is None:
        return None
    probabilities, log_total = found
    if log_total == -math.inf:
        raise DataError("No DAG that honours the knowledge has a finite score; require fewer arcs.")
    return FamilyPosterior(sets, probabilities, log_total + space.score_of_contexts)


def _with_prior(of_node: ScoredSets, n_nodes: int, prior: Prior) -> ScoredSets:
    """The sets with log weights in place of scores."""
    if prior == "sets":
        return of_node
    log_sets = np.log([math.comb(n_nodes - 1, size) for size in range(n_nodes)])
    return ScoredSets(of_node.members, of_node.scores - log_sets[of_node.sizes()], of_node.ranks)
