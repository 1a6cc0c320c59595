"""Which columns of a table are read: what was dropped, or not chosen, is not looked at."""

from collections.abc import Callable, Sequence

from structlearn.data.columns import RawTable
from structlearn.errors import DataError, OptionError
from structlearn.naming import no_such
from structlearn.reading import Reading

# Of the names of a table, those of the columns to read; readers return the others `unread`.
Choose = Callable[[Sequence[str]], Sequence[str]]


def all_of(names: Sequence[str]) -> Sequence[str]:
    """Every column."""
    return names


def chosen_by(reading: Reading) -> Choose:
    """The columns that were asked for, in that order, without those that were dropped."""

    def choose(names: Sequence[str]) -> Sequence[str]:
        kept = without(names, reading.drop)
        if reading.columns is None:
            return kept
        known = frozenset(kept)
        for name in reading.columns:
            if name not in known:
                raise DataError(no_such("column", name, kept))
        if not reading.columns:
            raise DataError("A data set needs at least one column.")
        return reading.columns

    return choose


def without(names: Sequence[str], drop: Sequence[str]) -> Sequence[str]:
    """The names that are not dropped."""
    if not drop:
        return names
    unknown = [name for name in drop if name not in names]
    if unknown:
        raise OptionError(no_such("column", unknown[0], names, owner="drop"))
    dropped = frozenset(drop)
    kept = [name for name in names if name not in dropped]
    if not kept:
        raise OptionError("drop: no column is left; keep at least one.")
    return kept


def wanted_of(names: Sequence[str], choose: Choose) -> frozenset[str]:
    """The names of the columns to read; those of a file that have none are always looked at."""
    named = [name for name in names if name]
    return frozenset(choose(named) if named else ()) | {""}


def only(table: RawTable, names: Sequence[str]) -> RawTable:
    """The columns of these names, in this order."""
    found = {column.name: column for column in table.columns}
    return RawTable(tuple(found[name] for name in names), table.notes)
