"""The penalty of a path to take, as its models are seen one after the other."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.regression.penalties.criteria import instability

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

MOST_INSTABILITY = 0.05  # the β of Liu, Roeder and Wasserman (2010)
PATIENCE = 5  # penalties without improvement that end a path: a few more edges may pay together later


@dataclass(frozen=True, slots=True)
class Choice:
    """The place on the path that each node takes, and the criterion at each place."""

    places: Places
    criterion: Floats


class Chooser(Protocol):
    """Takes a penalty of a path whose models it sees one after the other."""

    def has_seen_enough(self) -> bool:
        """Whether no smaller penalty will be taken."""

    def choice(self) -> Choice:
        """What to take of the penalties seen so far."""


class LeastLoss:
    """Takes the penalty of least loss: a criterion of all rows, or the error on rows held out.

    Parameters
    ----------
    n_penalties, n_parts, n_nodes : int
        The size of the table of losses: penalties from large to small, parts of the rows, and nodes
        that choose for themselves.
    one_standard_error : bool, default False
        Whether to take the largest penalty within a standard error, over the parts, of the least loss.
    is_shared : bool, default False
        Whether all nodes take the penalty that is best for their sum.
    last_of_equals : bool, default False
        Whether of equal losses that of the smallest penalty wins, not that of the largest.
    """

    def __init__(
        self,
        n_penalties: int,
        *,
        n_parts: int = 1,
        n_nodes: int = 1,
        one_standard_error: bool = False,
        is_shared: bool = False,
        last_of_equals: bool = False,
    ) -> None:
        self._losses = np.full((n_parts, n_penalties, n_nodes), np.inf)
        self._n_seen = np.zeros(n_parts, dtype=np.int64)
        self._one_standard_error, self._is_shared = one_standard_error, is_shared
        self._last_of_equals = last_of_equals
        self._is_closed = False

    def note(self, place: int, losses: Floats | float, *, part: int = 0) -> None:
        """The loss of each node at the next place of the path of some part."""
        self._losses[part, place] = losses
        self._n_seen[part] = place + 1

    def close(self) -> None:
        """No smaller penalty can be taken."""
        self._is_closed = True

    def has_seen_enough(self) -> bool:
        """Whether the loss, over all nodes, was less some penalties ago, or the path was closed."""
        if self._is_closed:
            return True
        total = self._of_whole_parts().sum(axis=2)
        return int(self._n_seen.max()) - 1 - self._best(total) >= PATIENCE

    def n_idle(self) -> Places:
        """How many penalties ago, on the path of the first part, the loss of each node was least."""
        n_seen = int(self._n_seen[0])
        found: Places = n_seen - 1 - self._losses[0, :n_seen].argmin(axis=0)
        return found

    def choice(self) -> Choice:
        """The best place for each node, or for all together."""
        losses = self._of_whole_parts()
        judged = losses.sum(axis=2, keepdims=True) if self._is_shared else losses
        has_error = self._one_standard_error and len(losses) > 1
        places = [
            within_one_standard_error(judged[:, :, node]) if has_error else self._best(judged[:, :, node])
            for node in range(judged.shape[2])
        ]
        everyone = np.broadcast_to(places, losses.shape[2]).astype(np.int64)
        return Choice(everyone, losses.sum(axis=2).mean(axis=0))

    def _of_whole_parts(self) -> Floats:
        """The losses of the parts that came as far as any: time may have run out in one."""
        is_whole = self._n_seen == self._n_seen.max()
        return np.compress(is_whole, self._losses, axis=0)

    def _best(self, losses: Floats) -> int:
        """The place of least mean loss over the parts; `losses` is (parts, penalties)."""
        seen = losses.mean(axis=0)[: max(int(self._n_seen.max()), 1)]
        return len(seen) - 1 - int(seen[::-1].argmin()) if self._last_of_equals else int(seen.argmin())


class MostStable:
    """Takes the smallest penalty up to which the graphs of subsamples agree.

    Liu, Roeder and Wasserman (2010), Stability approach to regularization selection (StARS).
    """

    def __init__(self, n_penalties: int, *, n_nodes: int) -> None:
        self._joined: list[list[NDArray[np.int64]]] = [[] for _ in range(n_penalties)]
        self._n_nodes = n_nodes

    def note(self, place: int, pairs: NDArray[np.int64]) -> None:
        """The pairs that a subsample joins at a place of the path."""
        self._joined[place].append(pairs)

    def instability(self, place: int) -> float:
        """How much the subsamples disagree there; entirely where none was seen."""
        found = self._joined[place]
        return instability(found, n_pairs=self._n_nodes * (self._n_nodes - 1) // 2) if found else 1.0

    def has_seen_enough(self) -> bool:
        """Whether a graph was too unstable: smaller penalties are not taken then."""
        seen = [place for place, found in enumerate(self._joined) if found]
        return bool(seen) and self.instability(seen[-1]) > MOST_INSTABILITY

    def choice(self) -> Choice:
        """The last place before disagreement was too much; the first, if it was from the start."""
        unstable = np.array([self.instability(place) for place in range(len(self._joined))])
        return Choice(np.full(self._n_nodes, stable_choice(unstable)), unstable)


def stable_choice(instabilities: Floats) -> int:
    """The smallest penalty up to which no graph was too unstable; the largest, if none."""
    is_stable = np.maximum.accumulate(instabilities) <= MOST_INSTABILITY
    return max(int(is_stable.sum()) - 1, 0)


def within_one_standard_error(losses: Floats) -> int:
    """The largest penalty whose mean loss is within a standard error of the least.

    `losses` is (parts, penalties), the penalties from large to small.
    """
    mean = losses.mean(axis=0)
    best = int(mean.argmin())
    allowed = mean[best] + losses[:, best].std(ddof=1) / np.sqrt(len(losses))
    return int(np.argmax(mean <= allowed))
