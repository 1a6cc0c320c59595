"""What becomes of a long table before its rows stand beside those of earlier steps."""

from typing import TypeVar

from structlearn.data import Dataset, Kind
from structlearn.errors import DataError
from structlearn.learners.time.options import Lagged
from structlearn.statistics import Source
from structlearn.statistics.even_steps import differenced, resampled
from structlearn.statistics.source import numbers_as_measurements

S = TypeVar("S", bound=Source)


def prepared(owner: str, source: S, options: Lagged, *, only: Kind | None) -> S | Dataset:
    """The table at even steps, and its changes, as far as that is asked for."""
    if not (options.resample or options.difference):
        return source
    if not isinstance(source, Dataset):
        raise DataError(f"{owner}: rows are resampled and differenced in memory only. Read the table first.")
    table = numbers_as_measurements(source) if only == "continuous" else source
    if options.resample:
        table = resampled(owner, table, options.when())
    return differenced(owner, table, options.when()) if options.difference else table
