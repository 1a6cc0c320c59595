"""What to do about missing values and how to count, and statistics that do it."""

from typing import Literal

import numpy as np

from structlearn.data import Dataset
from structlearn.errors import DataError, OptionError
from structlearn.options import OneOf, check_options
from structlearn.statistics.adtree import ADTreeStatistics
from structlearn.statistics.gaps import GappedStatistics
from structlearn.statistics.memory import MemoryStatistics

Missing = Literal["error", "drop", "testwise"]
MISSING = OneOf(("error", "drop", "testwise"), "what to do about missing values")
Counting = Literal["memory", "adtree"]
COUNTING = OneOf(("memory", "adtree"), "how discrete columns are counted")
RULES = {"missing": MISSING, "statistics": COUNTING}


def from_dataset(
    dataset: Dataset,
    *,
    n_jobs: int = 1,
    missing: Missing = "error",
    statistics: Counting = "memory",
    owner: str = "from_dataset",
) -> MemoryStatistics:
    """Statistics of a table in memory.

    Parameters
    ----------
    dataset : Dataset
        The table.
    n_jobs : int, default 1
        How many threads share a large batch.
    missing : "error", "drop" or "testwise", default "error"
        What to do about missing values: refuse them, leave out every row that has one, or let each
        question use the rows that have a value in all of its columns. The last keeps most rows;
        answers then come from different rows, which is sound for tests of independence (where
        values are missing completely at random) but not for scores that are compared.
    statistics : "memory" or "adtree", default "memory"
        How discrete columns are counted: from the rows for each question, or off an AD-tree that is
        grown first. The answers are the same.
    owner : str
        In whose name to refuse.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.Dataset({"a": ["x", "y", None, "y"], "b": ["u", None, "v", "v"]})
    >>> from_dataset(data, missing="drop").n_rows
    2
    >>> from_dataset(data, missing="testwise").counts([0])
    array([1, 2])
    """
    check_options(owner, RULES, {"missing": missing, "statistics": statistics})
    if missing == "testwise" and dataset.missing:
        return _with_gaps(dataset, n_jobs, statistics, owner)
    complete = dataset.complete(owner) if missing == "error" else complete_cases(dataset, owner)
    engine = ADTreeStatistics if statistics == "adtree" else MemoryStatistics
    return engine(complete, n_jobs=n_jobs)


def _with_gaps(dataset: Dataset, n_jobs: int, statistics: Counting, owner: str) -> GappedStatistics:
    if statistics == "adtree":
        raise OptionError(
            f"{owner}(statistics='adtree', missing='testwise'): an AD-tree counts the same rows for every "
            "question. Use missing='drop' with it, or statistics='memory'."
        )
    return GappedStatistics(dataset, n_jobs=n_jobs)


def complete_cases(dataset: Dataset, owner: str) -> Dataset:
    """The rows that miss nothing; a DataError in the name of `owner` if there is none."""
    masks = [column.missing for column in dataset.columns if column.missing is not None]
    if not masks:
        return dataset
    is_complete = ~np.logical_or.reduce(masks)
    if not is_complete.any():
        raise DataError(
            f"{owner}: each of the {dataset.n_rows:,} rows misses a value, so missing='drop' leaves none. "
            "Leave out the columns with most gaps, or use missing='testwise'."
        )
    return dataset.take(is_complete)
