"""What becomes of a long table before its rows stand beside those of earlier steps."""

import math
from typing import TypeVar

from structlearn.data import Dataset, Kind
from structlearn.errors import DataError
from structlearn.learners.time.options import AS_PREPARED, Lagged
from structlearn.statistics import Source
from structlearn.statistics.even_steps import differenced, resampled
from structlearn.statistics.missing import complete_cases
from structlearn.statistics.source import numbers_as_measurements
from structlearn.statistics.trends import detrended

S = TypeVar("S", bound=Source)


def prepared(
    owner: str, source: S, options: Lagged, *, only: Kind | None, until: float = math.inf
) -> S | Dataset:
    """The table at even steps, without trend and season, and its changes, as far as that is asked for.

    A trend and a season are those of the time before `until`.
    """
    if options.preparation() == AS_PREPARED:
        return source
    if not isinstance(source, Dataset):
        raise DataError(
            f"{owner}: rows are resampled and differenced, and trends taken out, in memory only. Read the "
            "table first."
        )
    table = numbers_as_measurements(source) if only == "continuous" else source
    when, season = options.when(), options.season
    if options.resample:
        drops = getattr(options, "missing", "error") == "drop"
        table = resampled(owner, complete_cases(table, owner) if drops else table, when)
    if options.trend or season is not None:
        table = detrended(owner, table, when, trend=options.trend, season=season, until=until)
    return differenced(owner, table, when) if options.difference else table
