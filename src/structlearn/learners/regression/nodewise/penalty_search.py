"""Finding the penalty of each node's regression along a path."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.regression.nodewise.joined import Rule, joined
from structlearn.learners.regression.nodewise.node_blocks import Go, NodeBlocks
from structlearn.learners.regression.penalties.chooser import PATIENCE, Choice, LeastLoss, MostStable
from structlearn.learners.regression.penalties.row_parts import folds, subsamples
from structlearn.numerics.extended_bic import extended_bic

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
Criterion = Literal["ebic", "stars", "cv", "cv-1se"]


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

    def rows_by_value(self) -> Rows:
        """The places of the rows, sorted by what they have."""

    def losses(self, fitted: Fitted, trained_on: Rows, held_out: Rows) -> Floats:
        """The mean loss of each node's regression on rows that were held out."""

    def reweighted(self, coefficients: Floats) -> Self:
        """The same rows where each column is penalised by the inverse of its coefficient."""


@dataclass(eq=False)
class PenaltySearch:
    """Follows the path of penalties over a table, and over parts of its rows.

    `best` has the coefficients of each node where its own extended BIC is least.

    Parameters
    ----------
    table : Table
        The rows.
    path : array
        The penalties, from large to small.
    go : NodeBlocks
        Goes over all nodes.
    rule : {"and", "or"}
        How the choices of two nodes make an edge.
    gamma : float
        That of the extended BIC.
    n_candidates : int
        How many columns a node could choose.
    is_shared : bool
        Whether all nodes get the same penalty.
    generator : Generator
        Draws folds and subsamples.
    is_patient : bool
        Whether every node goes to the end of the path. Otherwise one stays where its extended BIC has not
        become better for some penalties.
    """

    table: Table[Any]
    path: Floats
    go: NodeBlocks
    rule: Rule
    gamma: float
    n_candidates: int
    is_shared: bool
    generator: np.random.Generator
    is_patient: bool = True

    def __post_init__(self) -> None:
        self.n_edges = np.zeros(len(self.path), dtype=np.int64)
        self.best: Floats = np.zeros((self.go.n_nodes, self.go.n_nodes))
        self._is_over = np.zeros(self.go.n_nodes, dtype=np.bool_)

    def choose(self, by: Criterion) -> Choice:
        """The penalties that this criterion likes best."""
        by_criterion = self._least_loss()
        fitted = self.table.everything()
        for k in self._follow(fitted, "path"):
            self.n_edges[k] = len(joined(fitted.coefficients, self.rule))
            if by == "ebic":
                by_criterion.note(k, self._extended_bic(fitted))
                self._keep_the_best(fitted, by_criterion.n_idle())
        if by == "ebic":
            return by_criterion.choice()
        return self._most_stable() if by == "stars" else self._most_predictive(by)

    def _extended_bic(self, fitted: Regressions) -> Floats:
        n_parameters, likelihoods = fitted.refitted_likelihoods(self.go)
        return extended_bic(
            likelihoods, n_parameters, size=fitted.size, n_candidates=self.n_candidates, gamma=self.gamma
        )

    def _most_stable(self) -> Choice:
        drawn = subsamples(self.table.rows_by_value(), self.generator)
        chooser = MostStable(len(self.path), n_nodes=self.go.n_nodes)
        for i, rows in enumerate(drawn):
            fitted = self.table.of(rows)
            for k in self._follow(fitted, f"subsample {i + 1} of {len(drawn)}"):
                chooser.note(k, joined(fitted.coefficients, self.rule))
        return chooser.choice()

    def _most_predictive(self, by: Criterion) -> Choice:
        parts = folds(self.table.rows_by_value(), self.generator)
        chooser = self._least_loss(n_parts=len(parts), one_standard_error=by == "cv-1se")
        everything = np.arange(self.table.n_rows)
        for i, held_out in enumerate(parts):
            kept = np.setdiff1d(everything, held_out)
            fitted = self.table.of(kept)
            for k in self._follow(fitted, f"fold {i + 1} of {len(parts)}"):
                chooser.note(k, self.table.losses(fitted, kept, held_out), part=i)
        return chooser.choice()

    def _least_loss(self, *, n_parts: int = 1, one_standard_error: bool = False) -> LeastLoss:
        return LeastLoss(
            len(self.path),
            n_parts=n_parts,
            n_nodes=self.go.n_nodes,
            one_standard_error=one_standard_error,
            is_shared=self.is_shared,
        )

    def _keep_the_best(self, fitted: Regressions, n_idle: NDArray[np.int64]) -> None:
        self.best = np.where((n_idle == 0)[:, None], fitted.coefficients, self.best)
        self._is_over |= (n_idle >= PATIENCE) & (not self.is_patient)

    def _follow(self, fitted: Regressions, note: str) -> Iterator[int]:
        """The places on the path, the regressions moved to each, as long as there is time."""
        penalties = self.path[:1]
        for k, penalty in enumerate(self.path.tolist()):
            if self.go.run.must_stop():
                return
            self.go.note = f"{note}, penalty {k + 1} of {len(self.path)}"
            penalties = np.where(self._is_over, penalties, penalty)
            fitted.move_to(penalties, self.go)
            yield k


def adaptive_weights(coefficients: Floats) -> Floats:
    """The inverse of each coefficient's size; what was left out stays out."""
    size = np.abs(coefficients)
    return np.divide(1.0, size, out=np.full_like(size, np.inf), where=size > 0.0)
