"""What takes part: a method of a library, and how to call it."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.tables import Table

Pairs = list[tuple[str, str]]
EITHER = ("discrete", "continuous")


@dataclass(frozen=True)
class Answer:
    """The graph that a library found, in plain names, and how many tests it made where it says so.

    Who solves a penalised problem gives the `estimate` instead, and the judge reads its edges: a precision
    matrix, or row by row the regression of each node on all others, the intercept last.
    """

    arrows: Pairs
    lines: Pairs
    n_tests: int | None = None
    estimate: NDArray[np.float64] | None = None


@dataclass(frozen=True)
class Entry:
    """A method of a library.

    Parameters
    ----------
    library : str
        The name it is imported by.
    method : str
        The call, as the table shows it.
    task : str
        Which of the tables it is in.
    prepare : callable
        Brings a table, outside the clock, into the form that the library likes best; returns the
        work to time, which takes no arguments.
    read : callable
        Turns what the work returned, outside the clock, into an Answer.
    kinds : tuple of str
        The workloads it can learn from, by their kind.
    is_same_work : bool
        Whether it does what the first entry of ours does, from equally prepared data. What does
        something else is in the table, but not in the summary.
    """

    library: str
    method: str
    task: str
    prepare: Callable[[Table], Callable[[], Any]]
    read: Callable[[Any, Table], Answer]
    kinds: tuple[str, ...] = EITHER
    is_same_work: bool = True

    @property
    def name(self) -> str:
        """What identifies it."""
        return f"{self.library}: {self.method}"

    @property
    def is_ours(self) -> bool:
        """Whether it is structlearn's, with kernels that are compiled once."""
        return self.library == "structlearn"

    @property
    def is_installed(self) -> bool:
        """Whether this interpreter has the library."""
        return find_spec(self.library) is not None
