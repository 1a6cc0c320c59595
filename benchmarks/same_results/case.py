"""One piece of work whose result is recorded."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Case:
    """Work whose result a user would see.

    `prepare` makes, outside the clock, what the work reads; it is called anew for each run, because data may
    keep what was counted of them. Names are unique, and the same in every version of the library.
    """

    family: str
    name: str
    prepare: Callable[[], Callable[[], Any]]
