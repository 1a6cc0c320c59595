"""The engine of a table in parts, whatever cluster has them."""

import copy
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind
from structlearn.data.columns import RawTable
from structlearn.errors import DataError
from structlearn.statistics.engines.choice import checked_size
from structlearn.statistics.engines.partitions.answering import (
    ByGroups,
    PartialTables,
    groups_in,
    joined_groups,
    joined_tables,
    powers_in,
    tables_in,
)
from structlearn.statistics.engines.partitions.looking import Fields, joined_surveys, survey_of
from structlearn.statistics.engines.partitions.piece import Piece, packed
from structlearn.statistics.engines.partitions.sampling import drawn_from, joined_draws
from structlearn.statistics.engines.partitions.travelling import Told
from structlearn.statistics.engines.power_sums import PowerSums
from structlearn.statistics.engines.protocol import Coding, Groups, Ledger, Sample, Survey

OfTable = Callable[[Any, int], Any]  # of the rows of a part, and its number
OfPiece = Callable[[Piece], Any]
Join = Callable[[Sequence[Any]], Any]
# How much each row of a piece counts: of the number of the piece, that of its rows and their own weights.
Draw = Callable[[int, int, NDArray[np.float64] | None], NDArray[np.float64]]


class Parts(Protocol):
    """The parts of a table on a cluster."""

    title: str

    def ask_tables(self, work: OfTable, join: Join) -> Told:
        """Let workers look at the rows of their parts, and join what they tell in a tree."""

    def keep(self, pack: OfTable) -> None:
        """Let workers pack their parts, and keep that."""

    def ask_pieces(self, work: OfPiece, join: Join) -> Told:
        """Let workers look at what they keep, and join what they tell in a tree."""


class PartitionedEngine:
    """Groups and sums of a table in parts: workers count, and only tables and moments travel."""

    def __init__(self, parts: Parts, names: tuple[str, ...], weights: str | None) -> None:
        self.title, self.names, self.ledger = parts.title, names, Ledger()
        self._parts, self._fields = parts, Fields(names, (None,) * len(names), weights)
        self._levels, self._n_rows = np.zeros(0, dtype=np.int64), 0
        self._draw: Draw | None = None

    def survey(self, kinds: Mapping[str, Kind]) -> Survey:
        """Look at every column once; `kinds` are those that are known already."""
        self._fields = Fields(self.names, tuple(map(kinds.get, self.names)), self._fields.weights)
        work = partial(survey_of, fields=self._fields)
        found: Survey = self._noted(self._parts.ask_tables(work, joined_surveys)).whole()
        checked_size(self._fields.weights, found.n_rows, found.n_rows, found.size)
        self._n_rows = found.n_rows
        self.ledger.rows_scanned += found.n_rows
        return found

    def code_by(self, coding: Coding) -> None:
        """Let workers code their parts in this way, and keep that."""
        self._levels = np.array([len(labels or ()) for labels in coding.labels], dtype=np.int64)
        self._parts.keep(partial(packed, fields=self._fields, coding=coding))

    def groups(
        self, discrete: Sequence[int], continuous: Sequence[int], complete: Sequence[int], most: int
    ) -> Groups | None:
        """The groups of the rows that have all of the `complete` columns; None if more than `most`."""
        question = ByGroups(tuple(discrete), tuple(continuous), tuple(complete), most, self._n_rows)
        found = self._asked(partial(groups_in, question=question), partial(joined_groups, most=most))
        return None if found is None else found.whole(self._levels[list(discrete)])

    def tables(self, sets: Sequence[Sequence[int]], complete: Sequence[int]) -> list[Groups]:
        """The groups by each of several sets of discrete columns, in one go."""
        asked = tuple(map(tuple, sets))
        work = partial(tables_in, sets=asked, complete=tuple(complete))
        found: PartialTables = self._asked(work, joined_tables)
        return found.whole(asked, self._levels)

    def power_sums(self, columns: Sequence[int], complete: Sequence[int]) -> PowerSums:
        """The sums of the powers 0 to 4 of continuous columns, on their scales, by weight; a row each."""
        work = partial(powers_in, columns=tuple(columns), complete=tuple(complete))
        found: PowerSums = self._asked(work, sum)
        return found

    def sample(self, n_rows: int, seed: int) -> Sample:
        """That many rows drawn at random without replacement, or all if there are fewer."""
        work = partial(drawn_from, fields=self._fields, n_rows=n_rows, seed=seed)
        drawn = self._noted(self._parts.ask_tables(work, partial(joined_draws, n_rows=n_rows))).table
        columns, weights = self._fields.read(drawn)
        return Sample(RawTable(columns), weights)

    def reweighted(self, draw: Draw) -> Self:
        """The same table, where each row counts as often as `draw` says."""
        other = copy.copy(self)
        other._draw = draw  # noqa: SLF001, of the same class
        return other

    def _asked(self, work: OfPiece, join: Join) -> Any:
        chosen = work if self._draw is None else partial(_of_drawn, draw=self._draw, work=work)
        return self._noted(self._parts.ask_pieces(chosen, join))

    def _noted(self, told: Told) -> Any:
        """What was told, written down; an error is raised here."""
        self.ledger.note(rows=self._n_rows, answer=told.n_bytes)
        if isinstance(told.answer, DataError):
            raise told.answer
        return told.answer


def _of_drawn(piece: Piece, *, draw: Draw, work: OfPiece) -> Any:
    return work(piece.weighted(draw(piece.number, piece.n_rows, piece.weights)))
