"""Columns that say something of a row, such as its time: they are no variables, and read as what they say."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from structlearn.reading import Way

_WAYS: Mapping[str, Way] = {"time": "steps"}  # the rest are labels
_OF_NAMES = frozenset({"series", "targets", "replicates", "row_names"})  # their text is names
_roles: ContextVar[Mapping[str, str]] = ContextVar("_roles", default={})  # noqa: B039, it is read only


@contextmanager
def setting_aside(columns: Mapping[str, str]) -> Iterator[None]:
    """Read a table with these columns, by what they say of a row.

    They may number or name the rows, and nothing is said about that; dates are times or labels, as it needs.
    """
    token = _roles.set({name: role for role, name in columns.items()})
    try:
        yield
    finally:
        _roles.reset(token)


def is_aside(name: str) -> bool:
    """Whether a column is set aside: what is said of variables is not said of it."""
    return name in _roles.get()


def has_names(name: str) -> bool:
    """Whether a column is set aside that names something, such as series: digits are names there too."""
    return _roles.get().get(name) in _OF_NAMES


def has_targets(name: str) -> bool:
    """Whether a column is set aside that says what was set: nothing, or names that are looked at later."""
    return _roles.get().get(name) == "targets"


def dates_aside() -> Mapping[str, Way]:
    """What becomes of the dates of columns that are set aside."""
    return {name: _WAYS.get(role, "text") for name, role in _roles.get().items()}
