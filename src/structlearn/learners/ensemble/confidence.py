"""How often each edge, and each direction of it, was found."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.ensemble.pattern import Pattern
from structlearn.outcome import Pair

FORWARD, BACKWARD, UNDIRECTED = range(3)


@dataclass(frozen=True, slots=True)
class PairConfidence:
    """Shares of the resamples for a pair (a, b): a → b, b → a, and a — b without a direction.

    The share with an `edge` is their sum, less the resamples in which both act on each other.
    """

    forward: float
    backward: float
    undirected: float
    edge: float

    @property
    def direction(self) -> float:
        """The share of a → b among the resamples with the edge, an undirected one counted half."""
        return (self.forward + self.undirected / 2) / self.edge


Confidence = dict[Pair, PairConfidence]
ROUNDED = 1e-9  # of a share: more is a resample


def confidence_of(names: Sequence[str], patterns: Sequence[Pattern]) -> Confidence:
    """The confidence of every pair that some pattern joins; the first of a pair is first in `names`."""
    n_nodes, n_patterns = len(names), len(patterns)
    of_patterns = [_codes(pattern, n_nodes) for pattern in patterns]
    codes = np.concatenate(of_patterns)
    pairs, where = np.unique(codes // 3, return_inverse=True)
    counts = np.bincount(3 * where + codes % 3, minlength=3 * len(pairs)).reshape(-1, 3)
    joined = np.concatenate([np.unique(each // 3) for each in of_patterns])
    n_joined = np.bincount(np.searchsorted(pairs, joined), minlength=len(pairs))
    shares = np.column_stack([counts, n_joined]) / n_patterns
    return {
        (names[pair // n_nodes], names[pair % n_nodes]): PairConfidence(*ways)
        for pair, ways in zip(pairs.tolist(), shares.tolist(), strict=True)
    }


def goes_by_arrow(confidence: Confidence, *, is_cyclic: bool) -> bool:
    """Whether arrows stand for themselves: cycles are meant, or nodes act on themselves or on each other.

    Edges without a direction have no arrow to stand for.
    """
    if any(shares.undirected for shares in confidence.values()):
        return False
    return is_cyclic or any(
        a == b or shares.forward + shares.backward > shares.edge + ROUNDED
        for (a, b), shares in confidence.items()
    )


def shares_of_arrows(confidence: Confidence) -> dict[Pair, float]:
    """That of each arrow by itself, whatever is the other way round."""
    forward = {pair: shares.forward for pair, shares in confidence.items()}
    both = {pair[::-1]: shares.backward for pair, shares in confidence.items()} | forward
    return {pair: share for pair, share in both.items() if share}


def _codes(pattern: Pattern, n_nodes: int) -> NDArray[np.int64]:
    """A number per edge: three times that of its pair, and in which way it is joined."""
    low, high = pattern.arrows.min(axis=1), pattern.arrows.max(axis=1)
    way = np.where(pattern.arrows[:, 0] == low, FORWARD, BACKWARD)
    lines = np.sort(pattern.lines, axis=1)
    of_arrows = 3 * (low * n_nodes + high) + way
    return np.concatenate([of_arrows, 3 * (lines[:, 0] * n_nodes + lines[:, 1]) + UNDIRECTED])
