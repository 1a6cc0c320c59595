"""Times of rows are in one zone: of clocks in two, which of two times comes first is not what they show."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import numpy as np

from structlearn.data.columns import Mask
from structlearn.errors import DataError

_ZONE = re.compile(r"\d(?:Z| ?([+-]\d\d):?(\d\d))\s*\Z")


def zone_of(item: Any) -> str:
    """The zone of a time, as an object or in writing; nothing where it says none."""
    if isinstance(item, str):
        found = _ZONE.search(item) if ":" in item else None
        return "" if found is None else "".join(found.groups(default="")) or "+0000"
    return str(item.tzinfo or "") if isinstance(item, datetime) else ""


def refuse_two_zones(name: str, items: Sequence[Any], missing: Mask | None) -> None:
    """Refuse times of rows, those that are not missing, of which two are of different zones."""
    zones = [zone_of(item) for item in items]
    other = next((i for i, zone in enumerate(zones) if zone != zones[0]), None)
    if other is None:
        return
    rows = np.arange(len(items)) if missing is None else np.flatnonzero(~missing)
    raise DataError(
        f"Column {name!r} has times of different zones: '{items[0]}' in row {rows[0]} and '{items[other]}' "
        f"in row {rows[other]}, counted from 0. Write all in one, such as UTC."
    )
