"""A table that stays where it is: its columns are known here, its rows are not."""

import copy
import math
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import numpy as np

from structlearn.data import Dataset, Kind, Label
from structlearn.data.columns import RawColumn, RawTable
from structlearn.data.describe import ColumnSummary, Description, summary_of_counts
from structlearn.data.interpretation import interpreted
from structlearn.data.kinds import FEWEST_ROWS_PER_LEVEL, MOST_LEVELS, check_kinds, warn_of_labels
from structlearn.data.readers import checked_names
from structlearn.data.values import plain, sorted_labels
from structlearn.errors import DataError, DataNote
from structlearn.reading import Reading
from structlearn.rounding import LARGEST_WHOLE
from structlearn.statistics.engines.account import Account
from structlearn.statistics.engines.asked import AskedStatistics, Scope
from structlearn.statistics.engines.collapsed import Measures, Part, from_groups, weighted_rows
from structlearn.statistics.engines.packed import from_rows
from structlearn.statistics.engines.power_sums import Tails
from structlearn.statistics.engines.protocol import Coding, Engine, Groups, Look, PacksRows, Scale
from structlearn.statistics.missing import Missing
from structlearn.statistics.protocol import Statistics
from structlearn.statistics.units import MOST_BITS, log_units, origins

MOST_BYTES = 1 << 29  # of groups that come over: half a gibibyte
MOST_SPREAD_BITS = 1000  # of numbers whose sums are numbers
WIDE = 100  # columns: as many squares in sums, and rows that seldom repeat each other
MOST_PACKED = 1 << 29  # of rows that come over as codes: thrice as much is in use while they are counted


class SourceTable:
    """The columns of a table in an engine, which every `fit` takes in the place of a table.

    Made by `sl.source`. `kinds`, `labels`, `missing` and `n_rows` are those that the table would have in
    memory without its rows of weight 0; `inferred` are the columns whose kind nobody gave.
    """

    rows_are_elsewhere = True

    def __init__(self, engine: Engine, *, kinds: Mapping[str, Kind] | None = None) -> None:
        given = {} if kinds is None else kinds
        self.engine, self.names = engine, checked_names(engine.names)
        check_kinds(given, self.names)
        survey = engine.survey(given)
        if not survey.n_rows:
            raise DataError(
                f"{engine.title}: the table has no rows. Look at the filter, or choose another table."
            )
        self.n_rows, self.size = survey.n_rows, survey.size
        self._looks = survey.looks
        for look in survey.looks:
            _check(look, survey.n_rows, given.get(look.name))
        self.inferred = frozenset(self.names) - frozenset(given)
        self.kinds: dict[str, Kind] = {
            look.name: given.get(look.name) or _kind(look) for look in survey.looks
        }
        self._known = tuple(None if look.values is None else _labels(look) for look in survey.looks)
        self._scales = tuple(_scale(look) if look.holds == "numbers" else None for look in survey.looks)
        engine.code_by(Coding(self._known, self._scales))
        self._collapses: dict[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]], Groups | None] = {}
        self._way = ""

    @property
    def labels(self) -> dict[str, tuple[Label, ...]]:
        """The labels of every discrete column, in the order of their codes."""
        known = zip(self.names, self._known, strict=True)
        return {name: labels or () for name, labels in known if self.kinds[name] == "discrete"}

    @property
    def missing(self) -> dict[str, int]:
        """How many values are missing, for the columns where some are."""
        gaps = {look.name: self.n_rows - look.n_present for look in self._looks}
        return {name: n for name, n in gaps.items() if n}

    @property
    def looks(self) -> tuple[Look, ...]:
        """What the first pass over each column showed."""
        return self._looks

    @property
    def account(self) -> Account:
        """What was asked of the engine so far, and how."""
        return Account.of(self.engine.title, self._way, self.engine.ledger)

    def measurements(self) -> frozenset[str]:
        """The columns of numbers whose kind nobody gave: measurements, where a method takes no other."""
        return frozenset(look.name for look in self._looks if look.holds == "numbers") & self.inferred

    def statistics(
        self,
        columns: Sequence[str],
        *,
        kinds: Mapping[str, Kind],
        missing: Missing = "error",
        n_jobs: int = 1,
    ) -> Statistics:
        """The statistics of some columns in this order, by the cheapest way that there is."""
        places = tuple(self.names.index(name) for name in columns)
        labels = tuple(self._labels_of(j) if kinds[self.names[j]] == "discrete" else () for j in places)
        part = Part(tuple(columns), labels, self._measures(places, labels))
        has_gaps = any(self._looks[j].n_present < self.n_rows for j in places)
        complete = places if missing == "drop" and has_gaps else ()
        discrete = tuple(j for j, known in zip(places, labels, strict=True) if known)
        continuous = tuple(j for j, known in zip(places, labels, strict=True) if not known)
        n_bytes = self.n_rows * (len(discrete) + 8 * len(continuous))
        can_pack = isinstance(self.engine, PacksRows) and n_bytes <= MOST_PACKED
        groups = None if can_pack and len(places) > WIDE else self._collapsed(discrete, continuous, complete)
        if groups is not None:
            self._way = "collapsed"
            return from_groups(part, groups, Tails(self.engine, places, complete), n_jobs=n_jobs)
        if can_pack and isinstance(self.engine, PacksRows):
            self._way = "packed"
            return from_rows(part, self.engine.packed(discrete, continuous, complete), n_jobs=n_jobs)
        self._way = "asked"
        scope = self._scope(complete, is_complete=bool(complete) or not has_gaps)
        return AskedStatistics(self.engine, places, part, scope, n_jobs=n_jobs)

    def collapsed(self) -> Dataset | None:
        """The different rows with their numbers for weights, if all columns are discrete and they are few."""
        if "continuous" in self.kinds.values():
            return None
        groups = self._collapsed(tuple(range(len(self.names))), (), ())
        places = range(len(self.names))
        labels = tuple(self.labels[name] for name in self.names)
        part = Part(self.names, labels, self._measures(places, labels))
        if groups is None:
            return None
        self._way = "collapsed"
        return weighted_rows(part, groups)

    def sample(self, n_rows: int, *, seed: int = 0) -> Dataset:
        """That many rows, drawn at random without replacement, as a table in memory."""
        drawn = self.engine.sample(n_rows, seed)
        found = Dataset(drawn.table, kinds=self.kinds, weights=drawn.weights).align(self.labels)
        drawn_by = f"rows of {self.engine.title}, drawn at random (seed {seed})."
        notes = (f"{found.n_rows:,} of {self.n_rows:,} {drawn_by}",) if found.n_rows < self.n_rows else ()
        return Dataset.from_columns(found.columns, weights=found.weights, inferred=self.inferred, notes=notes)

    def describe(self) -> Description:
        """Summarise every column; `print` it for a table."""
        found = self.statistics(self.names, kinds=self.kinds, missing="testwise")
        discrete = [j for j, kind in enumerate(found.kinds) if kind == "discrete"]
        margins = dict(zip(discrete, found.margins(discrete), strict=True))
        moments = found.moments() if len(discrete) < len(self.names) else None
        columns = []
        for j, look in enumerate(self._looks):
            known = (look.name, found.kinds[j], look.name in self.inferred, self.n_rows - look.n_present)
            if j in margins:
                columns.append(summary_of_counts(*known, found.labels[j], margins[j]))
            else:
                assert moments is not None  # noqa: S101, there is a continuous column
                bits = round(log_units(found)[j] / math.log(2.0))  # of which the power may be infinite
                mean = float(np.ldexp(moments.mean[j], bits) + origins(found)[j])
                ends = float(look.smallest), mean, float(look.largest)
                deviation = _deviation(moments.covariance[j, j], look.n_present, bits)
                columns.append(ColumnSummary(*known, None, (), *ends, deviation))
        return Description(self.n_rows, tuple(columns))

    def reweighted(self, draw: Callable[[int, int, Any], Any]) -> Self:
        """The same table, its rows counted as `draw` says of the number of a part, its rows and weights.

        For engines whose workers can do so.
        """
        other = copy.copy(self)
        other.engine = self.engine.reweighted(draw)  # type: ignore[attr-defined]  # only those are asked
        other._collapses = {}  # noqa: SLF001, of the same class
        every = other.engine.groups((), (), (), 1)
        other.size = 0.0 if every is None else float(every.sizes.sum())
        return other

    def __len__(self) -> int:
        return self.n_rows

    def __repr__(self) -> str:
        return f"<{self.engine.title}: {self.n_rows:,} rows, {len(self.names)} columns>"

    def _labels_of(self, column: int) -> tuple[Label, ...]:
        found = self._known[column]
        if found is None:  # somebody gives a kind that the survey did not know
            raise DataError(
                f"column {self.names[column]!r} was looked at as numbers; give its kind to sl.source."
            )
        return found

    def _collapsed(
        self, discrete: tuple[int, ...], continuous: tuple[int, ...], complete: tuple[int, ...]
    ) -> Groups | None:
        key = (discrete, continuous, complete)
        if key not in self._collapses:
            bytes_each = 8 * (2 + len(discrete) + len(continuous) * (1 + len(continuous)))
            self._collapses[key] = self.engine.groups(*key, MOST_BYTES // bytes_each)
        return self._collapses[key]

    def _scope(self, complete: tuple[int, ...], *, is_complete: bool) -> Scope:
        if not complete:
            return Scope(self.n_rows, self.size, complete, is_complete)
        every = self.engine.groups((), (), complete, 1)
        assert every is not None  # noqa: S101, there is one group at most
        return Scope(int(every.rows.sum()), float(every.sizes.sum()), complete, is_complete)

    def _measures(self, places: Sequence[int], labels: Sequence[tuple[Label, ...]]) -> Measures:
        """How numbers on the engine's scale become those of the columns, or of fair units of theirs."""
        origins, log_units, starts = (np.zeros(len(places)) for _ in range(3))
        units = np.ones(len(places))
        for i, (j, known) in enumerate(zip(places, labels, strict=True)):
            scale = self._scales[j]
            if known or scale is None:
                continue
            bits = math.frexp(scale.unit)[1] - 1
            fair = 2.0**bits if abs(bits) > MOST_BITS else 1.0
            origins[i], units[i], log_units[i] = scale.origin / fair, scale.unit / fair, math.log(fair)
            starts[i] = scale.start or 0.0
        return Measures(origins, units, log_units, starts)


def _deviation(variance: float, n_rows: int, bits: int) -> float | None:
    """The square root of the unbiased variance, which one row has none of, times a power of two."""
    return float(np.ldexp(math.sqrt(variance * n_rows / (n_rows - 1)), bits)) if n_rows > 1 else None


def _kind(look: Look) -> Kind:
    """The kind of a column by the rule of `data.kinds`."""
    if look.holds != "numbers":
        return "discrete"
    if look.values is None or len(look.values) > MOST_LEVELS:
        return "continuous"
    few = len(look.values) <= 2 or 2 * len(look.values) <= look.n_present
    return "discrete" if few else "continuous"


def _labels(look: Look) -> tuple[Label, ...]:
    values = look.values or ()
    return tuple(plain(value) for value in values) if look.has_order else sorted_labels(values)


def _scale(look: Look) -> Scale:
    """Numbers of the size of one around zero, so that their squares lose no digits when summed."""
    start = _start(look)
    if start is not None:
        span = int(look.largest) - start
        mean = min(max(int(look.mean) - start, 0), span)  # which floats round to a neighbour, if not further
        return Scale(float(mean), 2.0 ** span.bit_length(), start)
    spread = look.largest / 2.0 - look.smallest / 2.0
    if spread == 0.0:
        return Scale(look.smallest, 1.0)
    bits = math.frexp(spread)[1]
    if bits > MOST_SPREAD_BITS:  # the mean may be infinite there, and so may the distances from it
        return Scale(look.smallest / 2.0 + look.largest / 2.0, 2.0 ** min(bits, sys.float_info.max_exp - 1))
    return Scale(look.mean, 2.0**bits)


def _start(look: Look) -> int | None:
    """What to count whole numbers from that a float cannot hold: the smallest of them."""
    ends = look.smallest, look.largest
    if not any(isinstance(end, int) for end in ends):
        return None
    return int(look.smallest) if all(isinstance(e, int) or abs(e) <= LARGEST_WHOLE for e in ends) else None


def _check(look: Look, n_rows: int, given: Kind | None) -> None:
    """Refuse a column that cannot be used, and warn as of a table in memory."""
    if given == "continuous" and look.holds != "numbers":
        raise DataError(
            f"Column {look.name!r} is given as continuous and holds {look.holds} where it is. Make it a "
            "column of numbers there (CAST in a view)."
        )
    if not look.n_present and not look.has_order:
        raise DataError(
            f"Column {look.name!r} has no values: all {n_rows:,} are missing. Leave it out: columns=[…]."
        )
    if math.isinf(look.smallest) or math.isinf(look.largest):
        raise DataError(
            f"Column {look.name!r} has infinite values. Leave out those rows with filter=…, or replace them."
        )
    if given or look.holds != "text" or look.has_order or look.values is None:
        return
    # As often as they come again, as far as any rule asks: codes such as "0" and "1" are labels then.
    n_times = min(max(look.n_present // len(look.values), 1), FEWEST_ROWS_PER_LEVEL)
    words = RawColumn(look.name, np.tile(np.arange(len(look.values)), n_times), None, words=look.values)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataNote)
        [read] = interpreted(RawTable((words,)), {}, Reading()).columns
    if not read.is_object:
        raise DataError(
            f"Column {look.name!r} holds text that is numbers or dates in writing, such as "
            f"{look.values[0]!r}. Make it a column of numbers where it is (CAST in a view), or read the "
            "rows into memory, where such text is read: one file or relation with where='memory' and no "
            "filter, others as a frame of pandas; "
            f'kinds={{"{look.name}": "discrete"}} keeps its words as labels.'
        )
    warn_of_labels(words)
