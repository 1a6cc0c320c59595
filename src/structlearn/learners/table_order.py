"""Matrices of a learner, whose columns are sorted by name, in the order of the table."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def places(names: Sequence[str]) -> NDArray[np.int64]:
    """Where each column of a table is among the same columns sorted by name."""
    place = {name: i for i, name in enumerate(sorted(names))}
    return np.array([place[name] for name in names], dtype=np.int64)


def in_table_order(matrix: Any, names: Sequence[str]) -> Any:
    """A dense or sparse matrix, or a stack of dense ones, with both last axes in the order of `names`."""
    order = places(names)
    return matrix[..., order, :][..., order] if isinstance(matrix, np.ndarray) else matrix[order][:, order]
