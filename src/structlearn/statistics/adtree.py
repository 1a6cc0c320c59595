"""Statistics of a table in memory, its counts cached in an AD-tree."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset
from structlearn.errors import DataError
from structlearn.options import Flag, OrNone, Rules, Whole, check_options
from structlearn.statistics.kernels import adtree as kernels
from structlearn.statistics.memory import Flags, MemoryStatistics
from structlearn.statistics.protocol import Columns, Counts

MOST_WORDS = 2**31 - 1  # links have 32 bits
BYTES_PER_WORD = 4
DEEPEST = 4  # a column more takes about twice as long to grow, and few tables have it
MOST_VISITS = 1e9  # of rows while the tree grows: some seconds


class ADTreeStatistics(MemoryStatistics):
    """Read discrete counts off a tree that is grown once, instead of counting rows for each question.

    Parameters
    ----------
    dataset : Dataset
        The table. It must have no missing values and no weights.
    leaf_size : int, default 32
        A node with fewer rows than this keeps a list of them in place of a subtree. Larger lists take
        longer to read, smaller ones make a larger tree.
    depth : int or None, default None
        The most columns of a table that the tree answers; larger tables are counted from the rows.
        By default as many as the tree can have within some seconds and `max_bytes`, but no more than 4.
    leave_out_most_common : bool, default True
        Whether the most common level of a column has no subtree: its counts are what the other levels
        leave. False makes a much larger tree.
    max_bytes : int, default 2**30
        The largest size of the tree. While it grows, up to twice as many may be in use.
    n_jobs : int, default 1
        How many threads share a large batch of tables.

    Attributes
    ----------
    depth : int
        The most columns of a table that the tree answers.
    n_nodes : int
        The nodes of the tree, those of lists among them.
    n_bytes : int
        The size of the tree.

    Notes
    -----
    Everything but the counts of discrete columns is as in `MemoryStatistics`, and so is every answer.
    Columns enter the tree by the share of their most common level, the largest first: then most nodes
    near the root have few rows.

    References
    ----------
    .. [1] Moore and Lee (1998), Cached sufficient statistics for efficient machine learning with large
       datasets, Journal of Artificial Intelligence Research 8.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.Dataset({"a": ["x", "y", "y", "y"], "b": ["u", "u", "v", "v"]})
    >>> ADTreeStatistics(data).counts([0, 1])
    array([[1, 0],
           [1, 2]])
    """

    rows_add_up = False
    rules: ClassVar[Rules] = {
        "leaf_size": Whole(1, "the count below which a node keeps a list of its rows"),
        "depth": OrNone(Whole(1, "the most columns of a table that the tree answers"), "what is quick"),
        "leave_out_most_common": Flag("whether the most common level of a column has no subtree"),
        "max_bytes": Whole(1, "the largest size of the tree"),
    }

    def __init__(
        self,
        dataset: Dataset,
        *,
        leaf_size: int = 32,
        depth: int | None = None,
        leave_out_most_common: bool = True,
        max_bytes: int = 2**30,
        n_jobs: int = 1,
    ) -> None:
        given = {"leaf_size": leaf_size, "depth": depth, "max_bytes": max_bytes}
        given["leave_out_most_common"] = leave_out_most_common
        check_options("ADTreeStatistics", self.rules, given)
        super().__init__(dataset.complete("ADTreeStatistics"), n_jobs=n_jobs)
        if self.weights is not None:
            raise DataError(
                "An AD-tree counts rows and has no place for their weights. Use statistics='memory', "
                "or leave the weights out."
            )
        self._leaf_size, self._leaves_out = leaf_size, leave_out_most_common
        self._most_words = min(max_bytes // BYTES_PER_WORD, MOST_WORDS)
        order = self._skewed_first()
        self._place = np.full(len(self.names), -1)
        self._place[order] = np.arange(order.size)
        self._tree_codes, self._tree_levels = self._codes[order], self.levels[order]
        self._tree, self.n_nodes, self.depth = self._grown(self._depths(order, depth))

    @property
    def n_bytes(self) -> int:
        """The size of the tree."""
        return self._tree.nbytes

    def _joint_counts(self, columns: Sequence[int]) -> Counts:
        if not 2 <= len(columns) <= self.depth:
            return super()._joint_counts(columns)
        counts = np.zeros(self.levels[list(columns)], dtype=np.int64)
        self._count_by_tree(np.array([columns], dtype=np.int64), np.zeros(1, dtype=np.int64), counts.ravel())
        return counts

    def _fill_dense(self, sets: Columns, starts: Columns, by_masks: Flags, counts: Counts) -> None:
        if sets.shape[1] > self.depth:
            super()._fill_dense(sets, starts, by_masks, counts)
        else:
            self._count_by_tree(sets, starts, counts)

    def _count_by_tree(self, sets: Columns, starts: Columns, counts: Counts) -> None:
        tree = self._tree, self._tree_codes, self._tree_levels, self._place
        kernels.count_by_tree(*tree, sets, starts, counts)

    def _skewed_first(self) -> NDArray[np.int64]:
        """The discrete columns, in the order of the tree."""
        discrete = np.flatnonzero(self.levels)
        most_common = np.array([self._margin(int(j)).max() for j in discrete])
        return discrete[np.argsort(-most_common, kind="stable")]

    def _depths(self, order: NDArray[np.int64], depth: int | None) -> Sequence[int]:
        """The depths to try: the one asked for, or else the deepest that is soon grown and then less."""
        if depth is not None:
            return [min(depth, max(order.size, 1))]
        kept = np.ones(order.size)
        if self._leaves_out:
            kept -= np.array([self._margin(int(j)).max() for j in order]) / self.n_rows
        return range(quick_depth(kept, self.n_rows), 0, -1)

    def _grown(self, depths: Sequence[int]) -> tuple[NDArray[np.int32], int, int]:
        """The first tree that is not too large, how many nodes it has, and its depth."""
        for depth in depths:
            rules = np.array([self._leaf_size, depth, self._leaves_out, self._most_words])
            rows = np.empty((depth, self.n_rows), dtype=np.uint32)
            rows[0] = np.arange(self.n_rows)
            path = np.zeros((depth, kernels.NODE_FIELDS), dtype=np.int64)
            used = np.array([0, 1])
            tree = kernels.grow_tree(self._tree_codes, self._tree_levels, rules, rows, path, used)
            if tree.size:
                return tree[: used[kernels.WORDS]].copy(), int(used[kernels.NODES]), depth
        raise DataError(
            f"An AD-tree of {self._tree_levels.size} columns and {self.n_rows:,} rows would have more than "
            f"{self._most_words * BYTES_PER_WORD:,} bytes with leaf_size={self._leaf_size} and "
            f"depth={depths[-1]}. Use a larger leaf_size or a smaller depth, allow more by max_bytes, "
            "or use statistics='memory'."
        )


def quick_depth(kept: NDArray[np.float64], n_rows: int) -> int:
    """The most columns, at least one, for which the tree of independent columns is soon grown.

    `kept` has, in the order of the tree, the share of each column's rows that go on to its subtrees.
    """
    below = np.zeros_like(kept)
    depth = 0
    while depth < min(DEEPEST, kept.size):
        visits = 1.0 + kept * below
        if n_rows * visits.sum() > MOST_VISITS:
            break
        below = visits[::-1].cumsum()[::-1] - visits
        depth += 1
    return max(depth, 1)
