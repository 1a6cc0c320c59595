"""Some rows of a table in parts, drawn alike wherever the parts are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.statistics.engines.partitions.looking import Fields


@dataclass(frozen=True, slots=True)
class Drawn:
    """Rows as their cluster has them, and the random number that each was drawn by."""

    keys: NDArray[np.float64]
    table: Any


def drawn_from(table: Any, number: int, *, fields: Fields, n_rows: int, seed: int) -> Drawn:
    """The rows of one part with the smallest random numbers, which depend on the seed and the part alone."""
    table = fields.counted(table)
    keys = np.random.default_rng([seed, number]).random(len(table))
    return _smallest(keys, table, n_rows)


def joined_draws(parts: Sequence[Drawn], *, n_rows: int) -> Drawn:
    """Those with the smallest random numbers of several parts."""
    import narwhals as nw  # noqa: PLC0415, only for data frames

    tables = nw.concat([nw.from_native(part.table, eager_only=True) for part in parts])
    return _smallest(np.concatenate([part.keys for part in parts]), tables.to_native(), n_rows)


def _smallest(keys: NDArray[np.float64], table: Any, n_rows: int) -> Drawn:
    import narwhals as nw  # noqa: PLC0415, only for data frames

    chosen = np.sort(np.argsort(keys, kind="stable")[:n_rows])
    return Drawn(keys[chosen], nw.from_native(table, eager_only=True)[chosen].to_native())
