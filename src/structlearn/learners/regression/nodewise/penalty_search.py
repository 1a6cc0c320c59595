"""Finding the penalty of each node's regression along a path."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.regression.nodewise.joined import Rule, joined
from structlearn.learners.regression.nodewise.node_blocks import Go, NodeBlocks
from structlearn.learners.regression.selection import (
    extended_bic,
    folds,
    instability,
    predictive_choice,
    stable_choice,
    subsamples,
)

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
Choices = NDArray[np.int64]
Criterion = Literal["ebic", "stars", "cv", "cv-1se"]

N_FOLDS = 10
N_SUBSAMPLES = 20


class Regressions(Protocol):
    """The regressions of all nodes at some penalty; `coefficients` has a row for each."""

    coefficients: Floats
    gaps: Floats
    size: float

    def largest_penalty(self) -> float:
        """The smallest penalty at which no node has a neighbour."""

    def move_to(self, penalties: Floats, go: Go) -> None:
        """Solve for these penalties, one per node, starting from the solutions at hand."""

    def refitted_likelihoods(self, go: Go) -> tuple[Floats, Floats]:
        """The number of parameters of each node, and its likelihood with them, without shrinkage."""


Fitted = TypeVar("Fitted", bound=Regressions)


class Table(Protocol[Fitted]):
    """Rows whose columns are regressed on each other."""

    n_rows: int

    def everything(self) -> Fitted:
        """The regressions on all rows."""

    def of(self, rows: Rows) -> Fitted:
        """The regressions on some of the rows."""

    def losses(self, fitted: Fitted, trained_on: Rows, held_out: Rows) -> Floats:
        """The mean loss of each node's regression on rows that were held out."""

    def reweighted(self, coefficients: Floats) -> Self:
        """The same rows where each column is penalised by the inverse of its coefficient."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The place on the path that each node takes, and the criterion at each place."""

    places: Choices
    criterion: Floats


class PenaltySearch:
    """Follows the path of penalties over a table, and over parts of its rows.

    `is_shared` asks for one penalty for all nodes.
    """

    def __init__(
        self,
        table: Table[Any],
        path: Floats,
        go: NodeBlocks,
        *,
        rule: Rule,
        gamma: float,
        is_shared: bool,
        generator: np.random.Generator,
    ) -> None:
        self.table, self.path, self.go, self.rule, self.gamma = table, path, go, rule, gamma
        self.is_shared, self.generator = is_shared, generator
        self.n_edges = np.zeros(len(path), dtype=np.int64)

    def choose(self, by: Criterion) -> Choice:
        """The penalties that this criterion likes best."""
        scores = self._follow_everything(is_scored=by == "ebic")
        if by == "ebic":
            return self._best_for(scores[None], scores.sum(axis=1))
        if by == "stars":
            return self._most_stable()
        return self._most_predictive(one_standard_error=by == "cv-1se")

    def _follow_everything(self, *, is_scored: bool) -> Floats:
        """Count the edges along the path; the extended BIC, where asked for, is (penalties, nodes)."""
        fitted = self.table.everything()
        scores = np.full((len(self.path), self.go.n_nodes), np.inf)
        for k in self._steps("path"):
            self._move(fitted, k)
            self.n_edges[k] = len(joined(fitted.coefficients, self.rule))
            if is_scored:
                scores[k] = self._scores(fitted)
        return scores

    def _scores(self, fitted: Regressions) -> Floats:
        n_parameters, likelihoods = fitted.refitted_likelihoods(self.go)
        n_candidates = self.go.n_nodes - 1
        return extended_bic(
            likelihoods, n_parameters, size=fitted.size, n_candidates=n_candidates, gamma=self.gamma
        )

    def _most_stable(self) -> Choice:
        drawn = subsamples(self.table.n_rows, n_subsamples=N_SUBSAMPLES, generator=self.generator)
        found: list[list[NDArray[np.int64]]] = [[] for _ in self.path]
        for i, rows in enumerate(drawn):
            fitted = self.table.of(rows)
            for k in self._steps(f"subsample {i + 1} of {len(drawn)}"):
                self._move(fitted, k)
                found[k].append(joined(fitted.coefficients, self.rule))
        n_pairs = self.go.n_nodes * (self.go.n_nodes - 1) // 2
        unstable = np.array([instability(pairs, n_pairs=n_pairs) if pairs else 1.0 for pairs in found])
        return Choice(np.full(self.go.n_nodes, stable_choice(unstable)), unstable)

    def _most_predictive(self, *, one_standard_error: bool) -> Choice:
        parts = folds(self.table.n_rows, n_folds=N_FOLDS, generator=self.generator)
        losses = np.full((len(parts), len(self.path), self.go.n_nodes), np.inf)
        everything = np.arange(self.table.n_rows)
        for i, held_out in enumerate(parts):
            kept = np.setdiff1d(everything, held_out)
            fitted = self.table.of(kept)
            for k in self._steps(f"fold {i + 1} of {len(parts)}"):
                self._move(fitted, k)
                losses[i, k] = self.table.losses(fitted, kept, held_out)
        done = losses[np.isfinite(losses).all(axis=(1, 2))]
        if not len(done):
            return Choice(np.zeros(self.go.n_nodes, dtype=np.int64), np.full(len(self.path), np.inf))
        criterion = done.sum(axis=2).mean(axis=0)
        return self._best_for(done, criterion, one_standard_error=one_standard_error and len(done) > 1)

    def _best_for(self, losses: Floats, criterion: Floats, *, one_standard_error: bool = False) -> Choice:
        """The best place for each node, or for all together; `losses` is (folds, penalties, nodes)."""
        n_nodes = losses.shape[2]
        judged = losses.sum(axis=2, keepdims=True) if self.is_shared else losses
        places = [
            predictive_choice(judged[:, :, node], one_standard_error=one_standard_error)
            for node in range(judged.shape[2])
        ]
        return Choice(np.broadcast_to(places, n_nodes).astype(np.int64), criterion)

    def _steps(self, note: str) -> Iterator[int]:
        """The places on the path, as long as there is time."""
        for k in range(len(self.path)):
            if self.go.run.must_stop():
                return
            self.go.note = f"{note}, penalty {k + 1} of {len(self.path)}"
            yield k

    def _move(self, fitted: Regressions, k: int) -> None:
        fitted.move_to(np.full(self.go.n_nodes, self.path[k]), self.go)


def adaptive_weights(coefficients: Floats) -> Floats:
    """The inverse of each coefficient's size; what was left out stays out."""
    size = np.abs(coefficients)
    return np.divide(1.0, size, out=np.full_like(size, np.inf), where=size > 0.0)
