"""What to do about missing values."""

from typing import Literal

import numpy as np

from structlearn.data import Dataset
from structlearn.errors import DataError
from structlearn.options import OneOf

Missing = Literal["error", "drop", "testwise"]
MISSING = OneOf(("error", "drop", "testwise"), "what to do about missing values")


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
