"""Mutual information of all pairs, what is indirect and the heaviest tree, on a card and on the processor."""

from collections.abc import Iterator

from benchmarks.gpu_pairs import INFORMATION as HEAD
from benchmarks.gpu_pairs import information_row

__all__ = ["HEAD", "rows"]


def rows() -> Iterator[str]:
    """A line for each number of columns and each way to estimate."""
    for n_columns in (5000, 20_000):
        yield information_row(n_columns, "plug-in")
        yield information_row(n_columns, "rank")
