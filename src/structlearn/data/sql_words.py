"""Names and values as they stand in a statement of SQL, whatever is in them."""

from structlearn.data.columns import Label
from structlearn.errors import DataError


def quoted(*names: str) -> str:
    """A name that the database takes as it is, whatever is in it; several are joined by dots."""
    for name in names:
        if "\0" in name:
            raise DataError(f"The name {name!r} has a character of code 0, which no database takes.")
    return ".".join('"' + name.replace('"', '""') + '"' for name in names)


def literal(value: Label) -> str:
    """A value as it stands in a statement."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return repr(value) if isinstance(value, int) else f"CAST({value!r} AS DOUBLE PRECISION)"
