"""Skeletons of PC on a card and on the processor."""

from collections.abc import Iterator

from benchmarks.gpu_pairs import SKELETONS as HEAD
from benchmarks.gpu_pairs import skeleton_row

__all__ = ["HEAD", "rows"]


def rows() -> Iterator[str]:
    """A line for each number of columns."""
    for n_columns in (2000, 5000, 20_000):
        yield skeleton_row(n_columns)
