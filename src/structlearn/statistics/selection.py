"""Some columns of a source of statistics, in an order of one's own."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from structlearn.data import Kind, Label
from structlearn.errors import DataError
from structlearn.naming import no_such
from structlearn.statistics.protocol import (
    Columns,
    Counts,
    FourthMoments,
    GroupedMoments,
    HasFourthMoments,
    HasRows,
    Moments,
    Rows,
    Statistics,
    Tables,
)
from structlearn.statistics.units import log_units, origins


def selected(source: Statistics, names: Sequence[str]) -> Statistics:
    """The same source with these columns only, in this order."""
    if tuple(names) == source.names:
        return source
    place = {name: j for j, name in enumerate(source.names)}
    unknown = [name for name in names if name not in place]
    if unknown:
        raise DataError(no_such("column", unknown[0], source.names))
    places = [place[name] for name in names]
    if isinstance(source, HasRows):
        return SelectedRows(source, places)
    return SelectedTails(source, places) if isinstance(source, HasFourthMoments) else Selected(source, places)


class Selected:
    """Passes questions on, with columns by their places in the source."""

    def __init__(self, source: Statistics, places: Sequence[int]) -> None:
        self._source = source
        self._places = np.array(places, dtype=np.int64)
        self.names: tuple[str, ...] = tuple(source.names[j] for j in places)
        self.kinds: tuple[Kind, ...] = tuple(source.kinds[j] for j in places)
        self.labels: tuple[tuple[Label, ...], ...] = tuple(source.labels[j] for j in places)
        self.levels = np.asarray(source.levels)[self._places]
        self.n_rows, self.size = source.n_rows, source.size
        self.n_jobs, self.is_complete = source.n_jobs, source.is_complete
        self.log_units, self.origins = log_units(source)[self._places], origins(source)[self._places]

    def margins(self, columns: Sequence[int]) -> list[Counts]:
        """Count the states of each of these discrete columns, one by one."""
        return self._source.margins(self._there(columns))

    def counts(self, columns: Sequence[int]) -> Counts:
        """Count every joint state of discrete columns: one axis per column."""
        return self._source.counts(self._there(columns))

    def tables(self, sets: Columns) -> Tables:
        """Count many sets of two or more discrete columns, one per row of `sets`."""
        return self._source.tables(self._places[sets])

    def moments(self) -> Moments:
        """The moments of the continuous columns, computed once."""
        return self._moments

    def grouped_moments(self, discrete: Sequence[int], sets: Columns) -> GroupedMoments:
        """The moments of sets of continuous columns within the strata of discrete ones."""
        return self._source.grouped_moments(self._there(discrete), self._places[sets])

    def _there(self, columns: Sequence[int]) -> list[int]:
        return [int(self._places[j]) for j in columns]

    @cached_property
    def _moments(self) -> Moments:
        found, both = self._source.moments(), np.ix_(self._places, self._places)
        return Moments(found.size, found.mean[self._places], found.covariance[both], found.correlation[both])


class SelectedRows(Selected):
    """The same, of a source that has its rows too."""

    def rows(self, columns: Sequence[int]) -> Rows:
        """The rows of these columns."""
        assert isinstance(self._source, HasRows)  # noqa: S101, `selected` has seen to it
        return self._source.rows(self._there(columns))


class SelectedTails(Selected):
    """The same, of a source that has no rows and knows how long tails are."""

    def fourth_moments(self, columns: Sequence[int]) -> FourthMoments:
        """The fourth moments of these continuous columns."""
        assert isinstance(self._source, HasFourthMoments)  # noqa: S101, `selected` has seen to it
        return self._source.fourth_moments(self._there(columns))
