"""The names of nodes: which are allowed, and how messages list them."""

from collections import Counter
from collections.abc import Iterable

from structlearn.errors import DataError
from structlearn.naming import each_of, listed


def checked_names(nodes: Iterable[str]) -> tuple[str, ...]:
    """Give the names as a tuple, or refuse what is no text and what is there twice."""
    names = each_of(nodes)
    for name in names:
        if not isinstance(name, str):
            raise DataError(f"Node names are strings, not {name!r}; write str(name).")
    if len(set(names)) < len(names):
        repeated = [name for name, n_times in Counter(names).items() if n_times > 1]
        raise DataError(f"Node names must differ; more than once there is {listed(repeated)}.")
    return tuple(map(str, names))  # those of NumPy are texts of a kind of their own


def counted(n: int, noun: str) -> str:
    """Write a number with its noun, in the plural unless it is one."""
    return f"{n} {noun}" + ("" if n == 1 else "s")
