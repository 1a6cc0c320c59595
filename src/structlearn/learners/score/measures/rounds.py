"""The rounds of a search among candidates that are chosen anew, and when they end."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.rounding import is_better
from structlearn.search.candidates import Candidates
from structlearn.search.dag_state import DAGState

Stop = Literal["score", "candidates"]


class Rounds:
    """What each round has come to, and whether there should be another."""

    def __init__(self, stop: Stop, most_idle: int, start_score: float) -> None:
        self.ended_by = ""
        self._score = start_score
        self._stop = stop
        self._most_idle = most_idle
        self._latest: Candidates | None = None
        self._seen: set[bytes] = set()
        self._n_idle = 0
        self._scores: list[float] = []
        self._n_new: list[int] = []
        self._noises: list[float] = []

    def are_again(self, chosen: Candidates) -> bool:
        """Whether candidates are those of the round before: climbing among them would change nothing."""
        if self._latest is not None and (self._latest == chosen).all():
            self.ended_by = "candidates"
        return bool(self.ended_by)

    def add(self, chosen: Candidates, state: DAGState, noise: float) -> None:
        """Note where a round among these candidates ended."""
        before = np.zeros_like(chosen) if self._latest is None else self._latest
        self._n_idle = 0 if is_better(state.score, self._score) else self._n_idle + 1
        self._score, self._latest = state.score, chosen
        self._scores.append(state.score)
        self._n_new.append(int((chosen & ~before).sum()))
        self._noises.append(noise)
        self._end(np.packbits([chosen, state.arcs]).tobytes())

    def columns(self) -> dict[str, NDArray[Any]]:
        """The rounds as columns."""
        return {
            "score": np.array(self._scores, dtype=np.float64),
            "new": np.array(self._n_new, dtype=np.int64),
            "noise": np.array(self._noises, dtype=np.float64),
        }

    def _end(self, key: bytes) -> None:
        if self._n_idle and self._stop == "score":
            self.ended_by = "score"
        elif key in self._seen:
            self.ended_by = "loop"
        elif self._n_idle >= self._most_idle:
            self.ended_by = "idle rounds"
        self._seen.add(key)
