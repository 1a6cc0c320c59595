"""Columns that say something of a row, such as its time: they are no variables, and read as what they say."""

import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from structlearn.reading import Way

_WAYS: Mapping[str, Way] = {"time": "steps"}  # the rest are labels
_dates_aside: ContextVar[Mapping[str, Way]] = ContextVar("_dates_aside", default={})  # noqa: B039, it is read only


@contextmanager
def setting_aside(columns: Mapping[str, str]) -> Iterator[None]:
    """Read a table with these columns, by what they say of a row.

    They may number or name the rows, and nothing is said about that; dates are times or labels, as it needs.
    """
    token = _dates_aside.set({name: _WAYS.get(role, "text") for role, name in columns.items()})
    try:
        with warnings.catch_warnings():
            for name in columns.values():
                column = re.escape(f"column {name!r} ")
                warnings.filterwarnings("ignore", f"{column}(has .*looks like|rises from)")
            yield
    finally:
        _dates_aside.reset(token)


def dates_aside() -> Mapping[str, Way]:
    """What becomes of the dates of columns that are set aside."""
    return _dates_aside.get()
