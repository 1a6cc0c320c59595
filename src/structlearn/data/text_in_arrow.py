"""Text of frames as arrays of arrow, without a copy where that can be."""

from typing import Any


def is_in_arrow(native: Any) -> bool:
    """Whether a series of pandas keeps text as arrow does."""
    return getattr(native.dtype, "storage", "") == "pyarrow"


def in_one_piece(native: Any) -> Any:
    """A chunked array of arrow as an array, which one of a single chunk is without a copy."""
    if getattr(native, "num_chunks", 0) == 1:
        return native.chunk(0)
    return native.unify_dictionaries().combine_chunks()


def in_views(native: Any) -> Any:
    """A series of polars as it is; before version 1.1 it is turned into other text."""
    import polars as pl  # noqa: PLC0415, its series is in hand

    newest = {"compat_level": pl.CompatLevel.newest()} if hasattr(pl, "CompatLevel") else {}
    return native.to_arrow(**newest)
