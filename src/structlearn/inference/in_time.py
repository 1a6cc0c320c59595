"""Filtering, smoothing and forecasts, by messages over what the next steps depend on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Label
from structlearn.errors import DataError
from structlearn.graphs.lags import N_STEPS
from structlearn.inference.particles import courses_of_particles
from structlearn.inference.states_in_time import Observed, Table, TimeTables
from structlearn.inference.windows import filtered_normals, smoothed_normals
from structlearn.models.dynamic_model import DynamicModel, Evidence
from structlearn.options import check_options

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Course:
    """What is known of each variable, step by step.

    `probabilities` has by discrete variable an array (steps, states), in the order of its `labels`; `means`
    and `variances` have arrays of continuous ones. `log_likelihood` is that of all that was seen.
    """

    log_likelihood: float
    probabilities: Mapping[str, Floats]
    labels: Mapping[str, tuple[Label, ...]]
    means: Mapping[str, Floats]
    variances: Mapping[str, Floats]


def filtered(model: DynamicModel, evidence: Evidence) -> Course:
    """Each step given what was seen up to it."""
    observed = Observed.of(model, evidence)
    course, known = _filtered(model, observed), observed.all_known
    if known == 0:
        return course
    before = filtered(model, {name: seen[:known] for name, seen in evidence.items()})

    def joined(earlier: Mapping[str, Floats], later: Mapping[str, Floats]) -> dict[str, Floats]:
        return {name: np.concatenate([earlier[name], values[known:]]) for name, values in later.items()}

    return replace(
        course,
        probabilities=joined(before.probabilities, course.probabilities),
        means=joined(before.means, course.means),
        variances=joined(before.variances, course.variances),
    )


def _filtered(model: DynamicModel, observed: Observed) -> Course:
    if model.is_normal:
        likelihood, means, variances = filtered_normals(model, observed)
        return Course(likelihood, {}, {}, means, variances)
    if not model.is_discrete:
        return _by_particles(model, observed, smooth=False)
    tables = TimeTables(model, observed)
    found, message, likelihood = [], None, 0.0
    for step in range(observed.n_steps):
        parts = tables.of_step(step, message)
        scale = tables.total(parts)
        _refuse_impossible(scale, step)
        # Before all lags are there, each step is weighed from the beginning on.
        likelihood = float(np.log(scale)) + (likelihood if step >= model.n_first else 0.0)
        found.append([tables.marginal(parts, variable) for variable in model.variables])
        message = tables.message(parts) if step >= model.n_first - 1 else None
    return _course(model, likelihood, found)


def smoothed(model: DynamicModel, evidence: Evidence) -> Course:
    """Each step given all that was seen."""
    observed = Observed.of(model, evidence)
    if model.is_normal:
        likelihood, means, variances = smoothed_normals(model, observed)
        return Course(likelihood, {}, {}, means, variances)
    if not model.is_discrete:
        return _by_particles(model, observed, smooth=True)
    tables = TimeTables(model, observed)
    likelihood = _filtered(model, observed).log_likelihood
    forward: list[Table | None] = [None] * observed.n_steps
    for step in range(model.n_first - 1, observed.n_steps):
        before = forward[step - 1] if step >= model.n_first else None
        forward[step] = tables.message(tables.of_step(step, before))
    found: list[list[Floats]] = [[] for _ in range(observed.n_steps)]
    backward: Table | None = None
    for step in reversed(range(model.n_first, observed.n_steps)):
        parts = tables.with_later(tables.of_step(step, forward[step - 1]), backward)
        found[step] = [tables.marginal(parts, variable) for variable in model.variables]
        backward = tables.earlier_message(tables.with_later(tables.of_step(step, None), backward))
    last = min(model.n_first, observed.n_steps) - 1
    parts = tables.with_later(tables.of_step(last, None), backward)
    for step in range(last + 1):
        found[step] = [tables.marginal(parts, variable, last - step) for variable in model.variables]
    return _course(model, likelihood, found)


def forecast(model: DynamicModel, evidence: Evidence, n_steps: int) -> Course:
    """The steps after those that were seen."""
    check_options("forecast", {"n_steps": N_STEPS}, {"n_steps": n_steps})
    seen = Observed.of(model, evidence).n_steps
    course = filtered(model, {name: [*values, *[None] * n_steps] for name, values in evidence.items()})

    def later(by_name: Mapping[str, Floats]) -> dict[str, Floats]:
        return {name: values[seen:] for name, values in by_name.items()}

    return replace(
        course,
        probabilities=later(course.probabilities),
        means=later(course.means),
        variances=later(course.variances),
    )


def _by_particles(model: DynamicModel, observed: Observed, *, smooth: bool) -> Course:
    likelihood, shares, moments = courses_of_particles(model, observed, smooth=smooth)
    labels = {variable: cpd.labels for variable, cpd, _ in model.families() if cpd.labels}
    means, variances = ({name: found[:, j] for name, found in moments.items()} for j in (0, 1))
    return Course(likelihood, shares, labels, means, variances)


def _course(model: DynamicModel, likelihood: float, found: Sequence[Sequence[Floats]]) -> Course:
    probabilities = {
        variable: np.array([each[place] for each in found]) for place, variable in enumerate(model.variables)
    }
    labels = {variable: cpd.labels for variable, cpd, _ in model.families()}
    return Course(likelihood, probabilities, labels, {}, {})


def _refuse_impossible(scale: Any, step: int) -> None:
    if not scale > 0.0:
        raise DataError(
            f"The evidence is impossible: what was seen at step {step} cannot follow what was before."
        )
