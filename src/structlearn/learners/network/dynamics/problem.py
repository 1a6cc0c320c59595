"""What there is to identify: courses or steady states, what was done, and which edges may be there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.errors import DataError, OptionError
from structlearn.learners.network.dynamics.options import SparsityOptions, SystemOptions
from structlearn.learners.network.dynamics.rates import Rates
from structlearn.learners.network.dynamics.side_tables import columns_of, refuse_other_names
from structlearn.statistics import Statistics
from structlearn.statistics.time_courses import Course, time_courses

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Movement:
    """One course, with what is known of its rates: the part that was done from outside, and measured ones."""

    course: Course
    pushes: Floats
    rates: Floats


@dataclass(frozen=True, slots=True)
class Structure:
    """Which edges may be there: `costs` is (targets, sources), 0 for free and infinite for never."""

    names: tuple[str, ...]
    costs: Floats
    is_input: NDArray[np.bool_]


def structure_of(
    owner: str, names: Sequence[str], system: SystemOptions, sparsity: SparsityOptions, knowledge: Knowledge
) -> Structure:
    """Costs by knowledge, self terms, inputs and the weights that were given."""
    knowledge.check(names)
    place = {name: j for j, name in enumerate(names)}
    costs = np.ones((len(names), len(names)))
    for (source, target), weight in (sparsity.penalty_weights or {}).items():
        refuse_other_names(owner, "penalty_weights", [source, target], names)
        if not weight >= 0.0:
            raise OptionError(
                f"{owner}(penalty_weights=…): {source} → {target} costs {weight}; give 0 or more."
            )
        costs[place[target], place[source]] = weight
    required, forbidden = knowledge.matrices(names)
    costs[required.T] = 0.0
    costs[forbidden.T] = np.inf
    inputs = system.inputs or []
    refuse_other_names(owner, "inputs", inputs, names)
    is_input = np.isin(np.array(names), np.array(inputs, dtype=object).astype(str))
    if system.self_term != "penalised" or system.decay is not None:
        np.fill_diagonal(costs, 0.0 if system.self_term == "free" and system.decay is None else np.inf)
    costs[is_input] = np.inf
    return Structure(tuple(names), costs, is_input)


def movements_of(
    owner: str,
    statistics: Statistics,
    names: Sequence[str],
    system: SystemOptions,
    *,
    time: str | None,
    series: str | None,
    fewest_times: int,
) -> list[Movement]:
    """The courses of the nodes, with perturbations and rates that stand in other columns."""
    pushed, measured = columns_of(system.perturbations), dict(system.rates or {})
    for option, given in (("perturbations", pushed), ("rates", measured)):
        refuse_other_names(owner, option, list(given), names)
    for name in {*pushed.values(), *measured.values()}:
        if statistics.kinds[statistics.names.index(name)] != "continuous":
            raise DataError(f"{owner}: column {name!r} holds something else than numbers.")
    aside = {name for name in (time, series) if name is not None}
    columns = [name for name in statistics.names if name not in aside]
    nodes = [columns.index(name) for name in names]
    found = []
    for course in time_courses(owner, statistics, time=time, series=series, fewest_times=fewest_times):
        pushes = np.zeros((len(course.times), len(names)))
        rates = np.full(pushes.shape, np.nan)
        for given, into in ((pushed, pushes), (measured, rates)):
            for node, column in given.items():
                into[:, names.index(node)] = course.states[:, columns.index(column)]
        found.append(Movement(replace(course, states=course.states[:, nodes]), pushes, rates))
    return found


def known_apart(
    rates: Rates, movements: Sequence[Movement], decay: float | None, *, at_midpoints: bool = False
) -> Rates:
    """Rates less what is known of them: what was done from outside, and decay; measured rates come first."""
    ends = np.bincount(rates.course, minlength=len(movements))  # a difference has no rate at the last time

    def at_rates(each: Iterable[Floats]) -> Floats:
        parts = zip(each, ends, strict=True)
        return np.concatenate(
            [(known[:-1] + known[1:]) / 2.0 if at_midpoints else known[:end] for known, end in parts]
        )

    pushes, measured = at_rates(m.pushes for m in movements), at_rates(m.rates for m in movements)
    found = np.where(np.isnan(measured), rates.rates, measured) - pushes
    return replace(rates, rates=found + (decay or 0.0) * rates.states)


def are_measured(movements: Sequence[Movement], is_input: NDArray[np.bool_]) -> bool:
    """Whether every rate was measured, so that none has to be estimated."""
    return all(bool(np.isfinite(movement.rates[:, ~is_input]).all()) for movement in movements)
