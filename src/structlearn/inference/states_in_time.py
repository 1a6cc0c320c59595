"""Tables of a dynamic model and what was seen, multiplied and summed out a step at a time."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.graphs.lags import slice_name
from structlearn.inference.questions import items_of
from structlearn.models.cpds import CPD, TableCPD
from structlearn.models.dynamic_model import DynamicModel, Evidence
from structlearn.naming import no_such

Floats = NDArray[np.float64]
Axis = tuple[str, int]  # a variable, and how many steps ago
Table = tuple[tuple[Axis, ...], Floats]
MOST_AXES = 52  # of one product: numpy has a letter for each


@dataclass(frozen=True, slots=True)
class Observed:
    """By variable what was seen at each step; None where nothing was.

    What never changes was seen at all steps if at one: from the step `all_known` on nothing of it comes new.
    """

    n_steps: int
    values: Mapping[str, Sequence[Any]]
    all_known: int = 0

    @classmethod
    def of(cls, model: DynamicModel, evidence: Evidence) -> "Observed":
        """Check names and lengths; what is not a number was not seen."""
        for name, seen in items_of("evidence", evidence):
            if name not in model.variables:
                raise DataError(no_such("variable", name, model.variables, owner="evidence"))
            if isinstance(seen, str) or not isinstance(seen, Iterable):
                raise DataError(f"evidence[{name!r}] has a value for each step, and is not {seen!r}.")
        values = {
            name: [None if v is None or v != v else v for v in seen]  # noqa: PLR0124, NaN
            for name, seen in items_of("evidence", evidence)
        }
        numbers = {variable for variable, cpd, _ in model.families() if not cpd.labels}
        for name, seen in values.items():
            if name in numbers:
                _refuse_no_numbers(name, seen)
        lengths = {len(seen) for seen in values.values()}
        if len(lengths) != 1 or 0 in lengths:
            raise DataError("evidence: give each variable as many steps as the others, one or more.")
        n_steps, all_known = lengths.pop(), 0
        for name in model.context.intersection(values):
            steps = [step for step, value in enumerate(values[name]) if value is not None]
            if steps:
                _refuse_changes(name, [values[name][step] for step in steps])
                values[name] = [values[name][steps[0]]] * n_steps
                all_known = max(all_known, steps[0])
        return cls(n_steps, values, all_known)

    def at(self, variable: str, step: int) -> Any:
        """What was seen of a variable at a step."""
        seen = self.values.get(variable)
        return None if seen is None else seen[step]


class TimeTables:
    """The tables of each step; what later steps depend on is handed on in a message."""

    def __init__(self, model: DynamicModel, observed: Observed) -> None:
        self._model, self._observed = model, observed
        self._families = [_stays(each) if each[0] in model.context else each for each in model.families()]
        reach: dict[str, int] = {}
        for _, _, parents in self._families:
            for parent, lag in parents:
                reach[parent] = max(reach.get(parent, 0), lag)
        self._interface = [(v, age) for v in model.variables for age in range(reach.get(v, 0))]

    def of_step(self, step: int, message: Table | None) -> list[Table]:
        """The tables of a step, with the message of the step before; of an early one, all from the first."""
        n_first = self._model.n_first
        if step < n_first:
            return [part for earlier in range(step + 1) for part in self._of_first(earlier, step)]
        parts = [
            (((*parents, (variable, 0))), np.asarray(cpd.as_table()))
            for variable, cpd, parents in self._families
        ]
        parts += self._seen(step, 0)
        return parts if message is None else [*parts, _older(message)]

    def with_later(self, parts: Sequence[Table], message: Table | None) -> list[Table]:
        """The tables with a message from the steps after."""
        return [*parts, *([] if message is None else [message])]

    def total(self, parts: Sequence[Table]) -> float:
        """The sum of the product of tables."""
        return float(_summed(parts, ()))

    def marginal(self, parts: Sequence[Table], variable: str, age: int = 0) -> Floats:
        """The distribution of a variable."""
        found = _summed(parts, ((variable, age),))
        shares: Floats = found / found.sum()
        return shares

    def message(self, parts: Sequence[Table]) -> Table:
        """The distribution of what later steps depend on."""
        axes = tuple(self._interface)
        found = _summed(parts, axes)
        return axes, found / found.sum()

    def earlier_message(self, parts: Sequence[Table]) -> Table:
        """How likely all from this step on is, given what it depends on; but for a factor."""
        there = {axis for axes, _ in parts for axis in axes}
        older = tuple((v, age + 1) for v, age in self._interface if (v, age + 1) in there)
        found = _summed(parts, older)
        return tuple((v, age - 1) for v, age in older), found / found.sum()

    def _of_first(self, step: int, now: int) -> list[Table]:
        place = {slice_name(v, s): (v, s) for s in range(self._model.n_first) for v in self._model.variables}
        parts = []
        for variable in self._model.variables:
            if self._model.node(variable, step)[1] < step:
                continue
            cpd = self._model.initial.cpds[slice_name(variable, step)]
            axes = [(name, now - s) for name, s in (place[parent] for parent in cpd.parents)]
            parts.append(((*axes, (variable, now - step)), np.asarray(cpd.as_table())))
        for variable, cpd, _ in self._families if step else ():
            if variable in self._model.context:
                parts.append(
                    (((variable, now - step + 1), (variable, now - step)), np.asarray(cpd.as_table()))
                )
        return [*parts, *self._seen(step, now - step)]

    def _seen(self, step: int, age: int) -> list[Table]:
        found: list[Table] = []
        for variable, cpd, _ in self._families:
            value = self._observed.at(variable, step)
            if value is None:
                continue
            assert isinstance(cpd, TableCPD)  # noqa: S101, checked when the model was made
            if value not in cpd.labels:
                raise DataError(
                    f"evidence[{variable!r}]: at step {step} there is {value!r}, not one of {cpd.labels}."
                )
            found.append((((variable, age),), np.array([float(label == value) for label in cpd.labels])))
        return found


def _refuse_no_numbers(name: str, seen: Sequence[Any]) -> None:
    for step, value in enumerate(seen):
        if value is not None and not (isinstance(value, Real) and math.isfinite(value)):
            raise DataError(f"evidence[{name!r}]: at step {step} there is {value!r}, not a finite number.")


def _refuse_changes(name: str, seen: Sequence[Any]) -> None:
    other = next((value for value in seen if value != seen[0]), None)
    if other is not None:
        raise DataError(
            f"evidence[{name!r}]: it never changes within a series, and there are {seen[0]!r} and {other!r}."
        )


def _stays(family: tuple[str, CPD, list[Axis]]) -> tuple[str, CPD, list[Axis]]:
    """The family of a state that is what it was a step ago."""
    variable, cpd, _ = family
    return variable, TableCPD(np.eye(len(cpd.labels)), labels=cpd.labels, parents=[variable]), [(variable, 1)]


def _older(table: Table) -> Table:
    return tuple((variable, age + 1) for variable, age in table[0]), table[1]


def _summed(parts: Sequence[Table], kept: tuple[Axis, ...]) -> Floats:
    """The product of tables, summed over all axes but some."""
    axes = list(dict.fromkeys(axis for each, _ in parts for axis in each))
    if len(axes) > MOST_AXES:
        raise DataError(f"{len(axes)} variables of two steps are in one product; {MOST_AXES} are the most.")
    place = {axis: i for i, axis in enumerate(axes)}
    operands: list[Any] = []
    for each, table in parts:
        operands += [table, [place[axis] for axis in each]]
    found: Floats = np.einsum(*operands, [place[axis] for axis in kept], optimize="greedy")
    return found
