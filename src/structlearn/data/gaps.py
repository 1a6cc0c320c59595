"""Values that are not there, for methods that need them all."""

from collections.abc import Mapping

from structlearn.errors import DataError

SHOWN_COLUMNS = 8


def refuse_gaps(owner: str, missing: Mapping[str, int], n_rows: int, *, advice: str | None = None) -> None:
    """Raise a DataError in the name of `owner` if values are missing; `missing` counts them by column."""
    if not missing:
        return
    counts = [f"{name!r} ({count:,})" for name, count in missing.items()]
    more = f" and {len(counts) - SHOWN_COLUMNS} more" if len(counts) > SHOWN_COLUMNS else ""
    raise DataError(
        f"{owner} needs complete data, but values are missing (NaN, None or empty) in "
        f"{', '.join(counts[:SHOWN_COLUMNS])}{more} of {n_rows:,} rows. "
        + (advice or "Drop those rows or columns, or fill the gaps in, first.")
    )
