"""A table of probabilities: a discrete node with discrete parents."""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from structlearn.data import Kind, Label
from structlearn.errors import DataError
from structlearn.models.cpds.family import Family
from structlearn.models.cpds.protocol import Rows
from structlearn.models.cpds.shown import ShownCPD, states_shown
from structlearn.models.kernels.drawing import draw_states
from structlearn.shown import Listing

CELL_LIMIT = 2**27  # 1 GiB
AXIS_LIMIT = 64  # of a numpy array
SUM_TOLERANCE = 1e-6  # tables are typed and printed with six digits or so


class TableCPD(ShownCPD):
    """The probability of each state of a node, for each joint state of its parents.

    Parameters
    ----------
    probabilities : array of shape (levels of parent 1, …, levels of parent k, levels of the node)
        Each row along the last axis sums to 1.
    labels : iterable of str, int, float or bool
        The states of the node.
    parents : iterable of str, default ()
        The names of the parents, one for each axis but the last.

    Examples
    --------
    >>> from structlearn.models import TableCPD
    >>> TableCPD([[0.9, 0.1], [0.2, 0.8]], labels=["dry", "wet"], parents=["rain"])
    <TableCPD: 2 states given rain, 2 parameters>

    In a network it knows the states of its parents, and shows them:

    >>> import structlearn as sl
    >>> print(sl.example("asia").cpds["lung"])
    smoke     yes      no
    yes    0.1000  0.9000
    no     0.0100  0.9900
    """

    form: ClassVar[str] = "table"
    kind: ClassVar[Kind] = "discrete"
    parent_kind: ClassVar[Kind | None] = "discrete"

    def __init__(
        self, probabilities: ArrayLike, *, labels: Iterable[Label], parents: Iterable[str] = ()
    ) -> None:
        self.labels = _as_labels(labels)
        self.parents = _as_names(parents)
        self.probabilities = _as_numbers(probabilities)
        self._check_shape()
        self._check_rows()
        self.probabilities.setflags(write=False)

    @classmethod
    def fit(cls, family: Family, *, smoothing: float = 0.0) -> Self:
        """Estimate the table from counts, with `smoothing` pseudo-rows spread evenly over its cells.

        A joint state of the parents that never occurs gets the uniform distribution.
        """
        shape = (*family.parent_levels, len(family.labels))
        refuse_large_table(family.name, shape)
        counts = family.counts() + smoothing / math.prod(shape)
        totals = counts.sum(axis=-1, keepdims=True)
        uniform = np.full(shape, 1 / shape[-1])
        table = np.divide(counts, totals, out=uniform, where=totals > 0)
        return cls(table, labels=family.labels, parents=family.parent_names)

    @property
    def n_parameters(self) -> int:
        """One less than the states, for each joint state of the parents."""
        return self.probabilities.size - self.probabilities.size // len(self.labels)

    def check(self, child: str, levels: Mapping[str, int]) -> None:
        """Refuse parents whose number of states is not the size of their axis."""
        for parent, size in zip(self.parents, self.probabilities.shape, strict=False):
            if levels[parent] != size:
                raise DataError(
                    f"The table of {child!r} has {size} rows for its parent {parent!r}, which has "
                    f"{levels[parent]} states."
                )

    def log_probability(self, values: Rows, parents: Sequence[Rows]) -> NDArray[np.float64]:
        """Look up each row; -inf where its probability is 0."""
        cells = self._configurations(parents, len(values)) * len(self.labels) + values
        found: NDArray[np.float64] = self._log_cells[cells]
        return found

    def sample(self, parents: Sequence[Rows], n: int, rng: np.random.Generator) -> Rows:
        """Draw codes by inverting the cumulative distribution of each row's parents."""
        states: Rows = draw_states(self._cumulative, self._configurations(parents, n), rng.random(n))
        return states

    def as_table(self) -> NDArray[np.float64]:
        """Give the probabilities, which cannot be changed."""
        return self.probabilities

    def to_dict(self) -> dict[str, Any]:
        """Give parents, labels and probabilities as lists."""
        return {
            "parents": list(self.parents),
            "labels": list(self.labels),
            "probabilities": self.probabilities.tolist(),
        }

    @classmethod
    def from_dict(cls, known: Mapping[str, Any]) -> Self:
        """Make a table of what `to_dict` gave."""
        return cls(known["probabilities"], labels=known["labels"], parents=known["parents"])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TableCPD):
            return NotImplemented
        return (self.parents, self.labels) == (other.parents, other.labels) and np.array_equal(
            self.probabilities, other.probabilities
        )

    def __hash__(self) -> int:
        return hash((self.parents, self.labels, self.probabilities.tobytes()))

    def shown(self) -> Listing:
        """A row for each joint state of the parents; without any a row for each state."""
        if not self.parents:
            rows = (
                [str(label), f"{p:.4f}"] for label, p in zip(self.labels, self.probabilities, strict=True)
            )
            return Listing.of(["state", "probability"], rows, n_rows=len(self.labels))
        sizes = self.probabilities.shape[:-1]
        states = product(*(self.states_of(name, n) for name, n in zip(self.parents, sizes, strict=True)))
        heads, n_shown = states_shown(self.labels)
        cut = [""] * (len(heads) - n_shown)
        shares = self.probabilities.reshape(-1, len(self.labels))[:, :n_shown]
        rows = (
            [*map(str, given), *(f"{p:.4f}" for p in row), *cut]
            for given, row in zip(states, shares, strict=True)
        )
        return Listing.of([*self.parents, *heads], rows, n_left=len(self.parents), n_rows=math.prod(sizes))

    def __repr__(self) -> str:
        given = f" given {', '.join(self.parents)}" if self.parents else ""
        return f"<TableCPD: {len(self.labels)} states{given}, {self.n_parameters} parameters>"

    @cached_property
    def _log_cells(self) -> NDArray[np.float64]:
        with np.errstate(divide="ignore"):
            return np.log(self.probabilities.ravel())

    @cached_property
    def _cumulative(self) -> NDArray[np.float64]:
        sums = np.cumsum(self.probabilities.reshape(-1, len(self.labels)), axis=1)
        # Dividing makes the last possible state exactly 1, so that no rounding can draw a state behind it.
        return sums / sums[:, -1:]

    def _configurations(self, parents: Sequence[Rows], n: int) -> NDArray[np.int64]:
        code = np.zeros(n, dtype=np.int64)
        for codes, size in zip(parents, self.probabilities.shape, strict=False):
            code *= size
            code += codes
        return code

    def _check_shape(self) -> None:
        axes, wanted = self.probabilities.ndim, len(self.parents) + 1
        if axes == wanted and self.probabilities.shape[-1] == len(self.labels) and self.probabilities.size:
            return
        raise DataError(
            f"TableCPD: {len(self.parents)} parents and {len(self.labels)} labels need an array with "
            f"{wanted} axes, the last of length {len(self.labels)}, not the shape {self.probabilities.shape}."
        )

    def _check_rows(self) -> None:
        # Written so that NaN fails too.
        if not (self.probabilities >= 0).all():
            raise DataError("TableCPD: every probability must be a number from 0 to 1.")
        off = np.abs(self.probabilities.sum(axis=-1) - 1)
        if not (off <= SUM_TOLERANCE).all():
            raise DataError(f"TableCPD: each row must sum to 1, and one is {off.max():g} off.")


class LargeTableError(DataError):
    """A table of more cells than fit in memory with some ease."""


def refuse_large_table(child: str, shape: Sequence[int]) -> None:
    """Refuse a table with more cells than fit in memory with some ease."""
    if len(shape) > AXIS_LIMIT:
        raise LargeTableError(
            f"The table of {child!r} would have {len(shape) - 1} parents; {AXIS_LIMIT - 1} are possible."
        )
    cells = math.prod(shape)
    if cells <= CELL_LIMIT:
        return
    raise LargeTableError(
        f"The table of {child!r} with its {len(shape) - 1} parents would have {cells:,} cells; at most "
        f"{CELL_LIMIT:,} are possible. Give it fewer parents, or merge states."
    )


def _as_labels(labels: Any) -> tuple[Label, ...]:
    if isinstance(labels, Iterable) and not isinstance(labels, str):
        states = tuple(labels)
        if all(isinstance(state, Label) for state in states) and 0 < len(set(states)) == len(states):
            return states
    raise DataError(f"TableCPD: labels are one or more different texts or numbers, not {labels!r}.")


def _as_names(parents: Any) -> tuple[str, ...]:
    if isinstance(parents, Iterable) and not isinstance(parents, str):
        names = tuple(parents)
        if all(isinstance(name, str) for name in names) and len(set(names)) == len(names):
            return names
    raise DataError(f"TableCPD: parents are the different names of nodes, not {parents!r}.")


def _as_numbers(probabilities: ArrayLike) -> NDArray[np.float64]:
    try:
        return np.array(probabilities, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise DataError("TableCPD: the probabilities must be numbers in a rectangular array.") from None
