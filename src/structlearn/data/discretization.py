"""Where continuous columns are cut, so that new rows can be cut in the same places."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from structlearn.data.coding import smallest
from structlearn.data.columns import Column, ContinuousColumn, DiscreteColumn
from structlearn.data.dataset import Dataset
from structlearn.errors import OptionError
from structlearn.naming import no_such


@dataclass(frozen=True)
class Discretization:
    """The cuts of columns, in increasing order; a value that is equal to a cut lies below it.

    Parameters
    ----------
    cuts : mapping of str to sequence of float
        Where each column is cut.
    method : str
        How the cuts were found.

    Examples
    --------
    >>> import structlearn as sl
    >>> cut = sl.Discretization({"age": [18, 65]})
    >>> cut.apply({"age": [17.5, 18.0, 70.2, 40.1]}).to_dict()["age"].tolist()
    ['≤ 18', '≤ 18', '> 65', '18 to 65']
    """

    cuts: Mapping[str, Sequence[float]]
    method: str = "given"

    def __post_init__(self) -> None:
        for name, cuts in self.cuts.items():
            numbers = np.asarray(cuts, dtype=np.float64)
            if numbers.ndim != 1 or not np.isfinite(numbers).all() or (np.diff(numbers) <= 0).any():
                raise OptionError(
                    f"Discretization: the cuts of {name!r} are numbers that increase, not {list(cuts)!r}."
                )

    @property
    def labels(self) -> dict[str, tuple[str, ...]]:
        """What the bins of each column are called."""
        return {name: _labels(cuts) for name, cuts in self.cuts.items()}

    def apply(self, data: Any) -> Dataset:
        """The table with its columns cut; those that have no cuts stay, and missing values stay missing.

        Values beyond all that were seen are in the first or the last bin.
        """
        found = data if isinstance(data, Dataset) else Dataset(data)
        unknown = [name for name in self.cuts if name not in set(found.names)]
        if unknown:
            raise OptionError(no_such("column", unknown[0], found.names, owner="Discretization"))
        found = Dataset(found, kinds=dict.fromkeys(self.cuts, "continuous"))
        return Dataset.from_columns(
            [self._cut(column) for column in found.columns],
            weights=found.weights,
            inferred=found.inferred - set(self.cuts),
            notes=found.notes,
            discretization=self.joined_to(found.discretization),
        )

    def joined_to(self, earlier: "Discretization | None") -> "Discretization":
        """These cuts and those of columns that were cut before."""
        if earlier is None:
            return self
        methods = dict.fromkeys([*earlier.method.split(", "), self.method])
        return Discretization({**earlier.cuts, **self.cuts}, ", ".join(methods))

    def restricted(self, names: Sequence[str]) -> "Discretization | None":
        """The cuts of some columns; None if they have none."""
        kept = {name: cuts for name, cuts in self.cuts.items() if name in set(names)}
        return Discretization(kept, self.method) if kept else None

    def _cut(self, column: Column) -> Column:
        if column.name not in self.cuts or not isinstance(column, ContinuousColumn):
            return column
        cuts = np.asarray(self.cuts[column.name], dtype=np.float64)
        codes = np.searchsorted(cuts, column.values, side="left")
        if column.missing is not None:
            codes[column.missing] = 0
        labels = _labels(self.cuts[column.name])
        return DiscreteColumn(column.name, smallest(codes, len(labels)), labels, column.missing)


def _labels(cuts: Sequence[float]) -> tuple[str, ...]:
    """A name for each bin, with as many digits as tell the cuts apart, and four at least."""
    if not len(cuts):
        return ("all",)
    digits = next((n for n in range(4, 17) if len({f"{cut:.{n}g}" for cut in cuts}) == len(cuts)), 17)
    words = [_word(float(f"{cut:.{digits}g}")) for cut in cuts]
    between = [f"{low} to {high}" for low, high in pairwise(words)]
    return (f"≤ {words[0]}", *between, f"> {words[-1]}")


def _word(number: float) -> str:
    """A number without an exponent, where that is no longer than people write them."""
    if number and not 1e-4 <= abs(number) < 1e12:
        return f"{number:g}" if float(f"{number:g}") == number else repr(number)
    return np.format_float_positional(number, trim="-")
