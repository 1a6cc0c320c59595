"""The only way a learner reads data: contingency counts and moments."""

from structlearn.statistics.adtree import ADTreeStatistics
from structlearn.statistics.engines.elsewhere import is_elsewhere
from structlearn.statistics.engines.source_table import SourceTable
from structlearn.statistics.incomplete import IncompleteStatistics
from structlearn.statistics.memory import MemoryStatistics
from structlearn.statistics.missing import (
    ADVICE,
    MISSING,
    MISSING_BY_FAMILY,
    MISSING_BY_ROW,
    MISSING_OR_EXPECTED,
    Missing,
    complete_cases,
    refuse_missing,
    rows_by,
    without_empty_rows,
)
from structlearn.statistics.protocol import (
    Counts,
    GroupedMoments,
    HasRows,
    Moments,
    Rows,
    Statistics,
    Tables,
    rows_of,
)
from structlearn.statistics.source import (
    COUNTING,
    SOURCE_OPTIONS,
    Counting,
    Source,
    from_dataset,
    opened,
    statistics_beside_targets,
    statistics_of,
)

__all__ = [
    "ADVICE",
    "COUNTING",
    "MISSING",
    "MISSING_BY_FAMILY",
    "MISSING_BY_ROW",
    "MISSING_OR_EXPECTED",
    "SOURCE_OPTIONS",
    "ADTreeStatistics",
    "Counting",
    "Counts",
    "GroupedMoments",
    "HasRows",
    "IncompleteStatistics",
    "MemoryStatistics",
    "Missing",
    "Moments",
    "Rows",
    "Source",
    "SourceTable",
    "Statistics",
    "Tables",
    "complete_cases",
    "from_dataset",
    "is_elsewhere",
    "opened",
    "refuse_missing",
    "rows_by",
    "rows_of",
    "statistics_beside_targets",
    "statistics_of",
    "without_empty_rows",
]
