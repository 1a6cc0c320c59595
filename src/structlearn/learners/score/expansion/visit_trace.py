"""The graphs that best-first search visits."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.search.dag_state import MOVE_WORDS, Move
from structlearn.search.kernels import moves


class VisitTrace:
    """Every graph visited."""

    def __init__(self, names: tuple[str, ...], n_starts: int) -> None:
        self._names = (*names, "")  # a start has no arc: −1
        self._n_starts = n_starts
        self._rows: list[tuple[int, str, str, str, float, float, int]] = []
        self._row_of_best = 0

    def add_visit(self, step: np.void, best: float, n_open: int) -> None:
        """Note a graph, the best score so far and how many graphs wait."""
        word = "start" if step["kind"] == moves.NONE else MOVE_WORDS[step["kind"]]
        if not self._rows or best > self._rows[-1][5]:
            self._row_of_best = len(self._rows)
        origin, score = int(step["origin"]) - self._n_starts, float(step["score"])
        self._rows.append((origin, word, self._names[step["u"]], self._names[step["v"]], score, best, n_open))

    def add_climb(self, move: Move, score: float) -> None:
        """Note a move of the climb at the end."""
        ends = self._names[move.u], self._names[move.v]
        n_open = self._rows[-1][-1]
        self._rows.append((self._row_of_best, MOVE_WORDS[move.kind], *ends, score, score, n_open))
        self._row_of_best = len(self._rows) - 1

    def columns(self) -> dict[str, NDArray[Any]]:
        """All of them as columns."""
        kinds: dict[str, type] = {
            "parent": np.int64,
            "move": object,
            "source": object,
            "target": object,
            "score": np.float64,
            "best": np.float64,
            "open": np.int64,
        }
        columns = zip(*self._rows, strict=True)
        return {
            name: np.array(column, dtype=kind)
            for (name, kind), column in zip(kinds.items(), columns, strict=True)
        }
