"""What a search over DAGs did, move by move."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.search.dag_state import MOVE_WORDS, Move
from structlearn.search.space import Space


class MoveTrace:
    """Every change of a run, in order.

    Parameters
    ----------
    space : Space
        What is searched; its run shows how far the search is.
    **at : int or float
        Where the run is, such as ``climb=0``: a column each. Every change is noted with the values of that
        time; the search moves them on in the attribute `at`.
    """

    def __init__(self, space: Space, **at: float) -> None:
        self.at = at
        self._names = space.names
        self._run = space.run
        self._steps: list[tuple[Any, ...]] = []
        self._kinds: dict[str, type] = {"move": object, "source": object, "target": object}
        self._kinds |= {"gain": np.float64, "score": np.float64}
        self._kinds |= {
            name: np.int64 if isinstance(value, int) else np.float64 for name, value in at.items()
        }

    def __len__(self) -> int:
        return len(self._steps)

    def add(self, move: Move, score: float) -> None:
        """Note a move that led to this score."""
        ends = self._names[move.u], self._names[move.v]
        self._note(MOVE_WORDS[move.kind], *ends, move.gain, score)
        self._run.show(f"score {score:.1f} after {len(self)} moves")

    def add_change(self, word: str, node: int, gain: float, score: float) -> None:
        """Note a change of all arcs of one node; it has no source."""
        self._note(word, "", self._names[node], gain, score)

    def columns(self) -> dict[str, NDArray[Any]]:
        """The changes as columns."""
        values = zip(*self._steps, strict=True) if self._steps else [()] * len(self._kinds)
        return {
            name: np.array(column, dtype=kind)
            for (name, kind), column in zip(self._kinds.items(), values, strict=True)
        }

    def _note(self, *step: Any) -> None:
        self._steps.append((*step, *self.at.values()))
