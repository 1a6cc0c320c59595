"""Families that a compiled climb counts and scores itself, with room for them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.scores import FamilyScores
from structlearn.scores.counted_tables import CountedTables
from structlearn.search.kernels.climbing import place_all
from structlearn.search.kernels.counted_climbing import Known, Room, climb_counting, find_rows
from structlearn.statistics.kernels.counting import room_for_masks
from structlearn.statistics.memory import ALWAYS_DENSE_CELLS, DENSE_CELLS_PER_ROW, MOST_MASK_CELLS

MOST_NODES = 200  # with more, counting takes the time, and interpreted loops over nodes take too long
MOST_VISITS = 2e6  # rows times columns: of more, threads share the counting, and someone may want to stop it
MOST_MEMBERS = 10  # of a family
FIRST_FAMILIES, MOST_FAMILIES = 1 << 14, 1 << 19
BATCHES = 4  # of the largest table: so much room is there for counts


class CountedFamilies:
    """Scores of families by their keys; `climb` makes moves as long as it can score what it comes to."""

    def __init__(self, scores: FamilyScores, tables: CountedTables, sizes: NDArray[np.int64]) -> None:
        self._scores = scores
        self._tables = tables
        self._known = _empty(FIRST_FAMILIES, sizes)
        self._room = _room(scores.n_nodes, tables.codes.shape[1])
        self._n_told = 0

    @classmethod
    def of(cls, scores: FamilyScores, sizes: NDArray[np.int64]) -> "CountedFamilies | None":
        """Those of scores that are made of tables, where they are soon counted."""
        if not 1 < scores.n_nodes <= MOST_NODES or scores.n_nodes * scores.n_rows > MOST_VISITS:
            return None
        if not is_ready():
            return None
        tables = scores.tables()
        return None if tables is None else cls(scores, tables, sizes)

    def climb(self, *walk: Any) -> tuple[int, int, float]:
        """Climb on as `climbing.climb_on` does, with its arguments; why it ends, the moves made, the gain."""
        self._make_room()
        why, n_steps, gain = climb_counting(*walk, self._tables, self._known, self._room)
        self._tell()
        return why, n_steps, gain

    def find(self, *state: Any) -> None:
        """Bring the rows of families up to date, as far as there is room: arcs, present, rows and keys."""
        self._make_room()
        find_rows(*state, self._tables, self._known, self._room)

    def _make_room(self) -> None:
        old, n_known = self._known, int(self._known.sizes[1])
        if 2 * n_known < len(old.keys):
            return
        if len(old.keys) >= MOST_FAMILIES:
            old.slots[:] = -1
            self._n_told = old.sizes[1] = 0
            return
        self._known = _empty(2 * len(old.keys), old.sizes)
        for new, known in zip(self._known[1:4], old[1:4], strict=True):
            new[:n_known] = known[:n_known]
        place_all(self._known.slots, self._known.keys, n_known)

    def _tell(self) -> None:
        """Tell the scores which families are new."""
        new = slice(self._n_told, int(self._known.sizes[1]))
        families, scores = self._known.families[new], self._known.scores[new]
        # Column after column: sums of short rows take ten times as long.
        sizes = (np.ascontiguousarray(families.T) >= 0).sum(axis=0)
        for size in np.flatnonzero(np.bincount(sizes)).tolist():
            self._scores.note(families[sizes == size, :size], scores[sizes == size])
        self._n_told = new.stop


def is_ready() -> bool:
    """Whether the climb is compiled, or on disk: that takes ten seconds, longer than most climbs without."""
    return bool(getattr(climb_counting, "is_at_hand", True))


def _empty(n_families: int, sizes: NDArray[np.int64]) -> Known:
    return Known(
        slots=np.full(2 * n_families, -1, dtype=np.int64),
        keys=np.empty(n_families, dtype=np.uint64),
        scores=np.empty(n_families),
        families=np.empty((n_families, MOST_MEMBERS + 1), dtype=np.int64),
        sizes=sizes,
    )


def _room(n_nodes: int, n_rows: int) -> Room:
    n_cells = BATCHES * max(DENSE_CELLS_PER_ROW * n_rows, ALWAYS_DENSE_CELLS)
    numbers = {"strata": np.float64, "found": np.float64, "by_masks": np.bool_}
    lengths = {
        "family": MOST_MEMBERS + 1,
        "smaller": MOST_MEMBERS + 1,
        "others": n_nodes,
        "found": n_nodes,
        "sets": n_nodes * (MOST_MEMBERS + 1),
        "strata": n_nodes,
        "n_strata": n_nodes,
        "widths": n_nodes,
        "by_masks": n_nodes,
        "starts": n_nodes,
        "levels": 2 * n_nodes,
        "counts": n_cells,
        "states": n_rows,
    }
    arrays: dict[str, NDArray[Any]] = {
        name: np.empty(length, dtype=numbers.get(name, np.int64)) for name, length in lengths.items()
    }
    return Room(of_masks=room_for_masks(MOST_MASK_CELLS), **arrays)
