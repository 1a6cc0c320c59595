"""One Markov chain over orders."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.learners.order.families.family_rows import members_at
from structlearn.learners.order.kernels.fitting_rows import FamilyRows
from structlearn.learners.order.kernels.order_sampling import Chain, Room, sample, weigh_places
from structlearn.search.orders.random_orders import Order, Random

MOVE_WORDS = ("swap", "flip", "cut")
USUAL_SHARES = {"flip": 0.8, "cut": 0.2}  # mostly small steps, and now and then one out of a mode
# Looked at in a call: interpreted they take up to half a second, and the kernel may be compiled then.
ROWS_PER_CALL = 1e7


@dataclass(frozen=True)
class MoveShares:
    """A mapping from the names of moves to how often they are made."""

    meaning: str = ""
    allowed: str = "a mapping from 'swap', 'flip' and 'cut' to shares, not all 0"

    def accepts(self, value: Any) -> bool:
        """Whether `value` is one."""
        if not isinstance(value, Mapping) or not set(value) <= set(MOVE_WORDS):
            return False
        are_numbers = all(isinstance(share, int | float) and share >= 0 for share in value.values())
        return are_numbers and 0 < sum(value.values()) < np.inf


def shares_of(moves: Mapping[str, float]) -> NDArray[np.float64]:
    """The probability of each move, in the order of their words."""
    shares = np.array([moves.get(word, 0.0) for word in MOVE_WORDS], dtype=np.float64)
    shares /= shares.sum()
    return shares


class OrderChain:
    """A chain, the DAGs drawn from its orders, and the log weights of these."""

    def __init__(self, rows: FamilyRows, order: Order, shares: NDArray[np.float64], rng: Random) -> None:
        self._rows = rows
        self._shares = shares
        self._rng = rng
        self._chain, self._room = _start(rows, order)
        weigh_places(rows, self._room, order, self._chain.terms, 0, len(order) - 1)
        if not np.isfinite(self._chain.terms).all():
            raise DataError(
                "OrderMCMC: in the order that a chain starts from no DAG has a score above −∞. Use another "
                "score, or ExactSearch."
            )
        self.log_weights: list[float] = []
        self.drawn: list[NDArray[np.int64]] = []

    def run(self, n_records: int, thin: int) -> None:
        """Record so many orders, each after `thin` steps."""
        n = len(self._chain.order)
        sampled, log_weights = np.empty((n_records, n), dtype=np.int64), np.empty(n_records)
        step_draws = self._rng.random((n_records, thin if n > 1 else 0, 4))
        family_draws = self._rng.random((n_records, n))
        most = 1 + int(ROWS_PER_CALL / (self.n_rows * max(thin, 1)))
        for first in range(0, n_records, most):
            records = slice(first, first + most)
            sample(
                self._rows,
                self._chain,
                self._room,
                self._shares,
                step_draws[records],
                family_draws[records],
                sampled[records],
                log_weights[records],
            )
        self.log_weights += log_weights.tolist()
        self.drawn.append(sampled)

    def walked(self, n_steps: int) -> "OrderChain":
        """The chain, or its copy in another process, so many steps on, of which nothing is recorded."""
        nowhere = np.empty((0, len(self._chain.order)))
        steps = self._rng.random((1, n_steps, 4))
        no_rows, no_weights = nowhere.astype(np.int64), np.empty(0)
        sample(self._rows, self._chain, self._room, self._shares, steps, nowhere, no_rows, no_weights)
        return self

    def after(self, n_records: int, thin: int) -> "OrderChain":
        """The chain, or its copy in another process, when it has recorded so many orders more."""
        self.run(n_records, thin)
        return self

    def forget(self) -> None:
        """Drop what was recorded, but for the best DAG."""
        self.log_weights.clear()
        self.drawn.clear()
        self._chain.arc_sums[:] = 0.0

    @property
    def n_rows(self) -> int:
        """How many parent sets a step may have to look at."""
        return len(self._rows.scores)

    @property
    def arcs(self) -> NDArray[np.float64]:
        """The mean probability of every arc over the orders recorded, at [child, parent]."""
        return self._chain.arc_sums / len(self.log_weights)

    @property
    def parents(self) -> NDArray[np.int16]:
        """The parents of every node in the DAGs drawn, filled up with −1."""
        return self._rows.members[np.concatenate(self.drawn)]

    @property
    def best_score(self) -> float:
        """The score of the best DAG of all orders recorded."""
        return float(self._chain.best_score[0])

    @property
    def best_parents(self) -> list[list[int]]:
        """The parents of every node in it."""
        return [members_at(self._rows, row) for row in self._chain.best_rows.tolist()]


def _start(rows: FamilyRows, order: Order) -> tuple[Chain, Room]:
    n, most_sets = len(order), int(np.diff(rows.starts).max())
    chain = Chain(
        order=order.copy(),
        terms=np.empty(n),
        arc_sums=np.zeros((n, n)),
        best_rows=np.empty(n, dtype=np.int64),
        best_score=np.full(1, -np.inf),
    )
    room = Room(
        proposed=np.empty(n, dtype=np.int64),
        proposed_terms=np.empty(n),
        before=np.zeros(rows.masks.shape[1], dtype=np.uint64),
        found=np.empty(most_sets, dtype=np.int64),
        weights=np.empty(most_sets),
        first_rows=np.empty(n, dtype=np.int64),
    )
    return chain, room
