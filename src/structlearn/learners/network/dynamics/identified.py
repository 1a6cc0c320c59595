"""What a method of identification finds, made into an outcome."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Label
from structlearn.graphs import Edge, Graph
from structlearn.learners.network.dynamics.problem import Movement, Structure
from structlearn.numerics.linear_systems import growth_factor, growth_rate, steps, trajectory
from structlearn.outcome import EdgeEvidence, Outcome
from structlearn.run import Run

Floats = NDArray[np.float64]
STANDS_STILL = 1e-9  # share of the largest coefficient below which growth is rounding


@dataclass(frozen=True, slots=True, eq=False)
class Trajectory:
    """A course as it was measured, and as the fitted system runs from its first state."""

    series: Label | None
    times: Floats
    measured: Mapping[str, Floats]
    fitted: Mapping[str, Floats]


@dataclass(frozen=True, slots=True)
class Identified:
    """A system: rows of `matrix` are targets, its columns sources.

    `in_steps` says whether it leads from one time to the next, or gives rates of change. `p_values` and
    `confidences` are those of the edges, where the method has them.
    """

    matrix: Floats
    constant: Floats
    in_steps: bool = False
    p_values: Floats | None = None
    confidences: Floats | None = None
    by_node: Mapping[str, Any] = field(default_factory=dict)
    by_pair: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)


def outcome_of(found: Identified, structure: Structure, movements: Sequence[Movement], run: Run) -> Outcome:
    """The cyclic graph of the system, how stable it is, and how it runs beside the data."""
    names, inner = structure.names, ~structure.is_input
    evidence = {
        (names[j], names[i]): EdgeEvidence(
            float(found.matrix[i, j]),
            None if found.p_values is None else float(found.p_values[i, j]),
            None if found.confidences is None else float(found.confidences[i, j]),
        )
        for i, j in np.argwhere(found.matrix != 0.0).tolist()
    }
    own = found.matrix[np.ix_(inner, inner)]
    stability = growth_factor(own) if found.in_steps else growth_rate(own)
    _warn_of_growth(own, stability, run, in_steps=found.in_steps)
    runs = [_beside(found, structure, movement) for movement in movements]
    return Outcome(
        graph=Graph.from_edges(
            names, [Edge(source, target, "directed") for source, target in evidence], kind="cyclic"
        ),
        status=run.status,
        evidence=evidence,
        by_node={"intercept": found.constant, **found.by_node},
        by_pair={"matrix": found.matrix, **found.by_pair},
        extra={
            "stability": stability,
            "trajectories": tuple(runs),
            "trajectory_error": _relative_error(runs),
            **found.extra,
        },
    )


def run_of(
    matrix: Floats,
    constant: Floats,
    start: Floats,
    times: Floats,
    *,
    in_steps: bool,
    slopes: Floats | None = None,
) -> Floats:
    """The states at these times; in steps, each is one after the other."""
    if in_steps:
        return steps(matrix, constant, start, len(times) - 1, pushes=slopes)
    return trajectory(matrix, constant, start, times, slopes=slopes)


def _beside(found: Identified, structure: Structure, movement: Movement) -> Trajectory:
    """Run the system from the first state of a course; inputs go as they were measured."""
    course, is_input = movement.course, structure.is_input
    slopes = movement.pushes[:-1].copy()
    changes = np.diff(course.states[:, is_input], axis=0)
    if found.in_steps:  # nothing of an input is kept from one step to the next
        changes = course.states[1:, is_input]
    else:
        slopes = (movement.pushes[:-1] + movement.pushes[1:]) / 2.0
        changes = changes / np.diff(course.times)[:, None]
    slopes[:, is_input] = changes
    fitted = run_of(
        found.matrix, found.constant, course.states[0], course.times, in_steps=found.in_steps, slopes=slopes
    )
    return Trajectory(
        course.series,
        course.times,
        dict(zip(structure.names, course.states.T, strict=True)),
        dict(zip(structure.names, fitted.T, strict=True)),
    )


def _relative_error(runs: Sequence[Trajectory]) -> float:
    """The size of all differences per the size of all measurements."""
    if not runs:
        return np.nan
    measured = np.concatenate([column for run in runs for column in run.measured.values()])
    fitted = np.concatenate([column for run in runs for column in run.fitted.values()])
    size = np.linalg.norm(measured)
    with np.errstate(over="ignore", invalid="ignore"):
        return float(np.linalg.norm(fitted - measured) / size) if size > 0.0 else np.nan


def _warn_of_growth(matrix: Floats, stability: float, run: Run, *, in_steps: bool) -> None:
    limit = 1.0 if in_steps else 0.0
    if stability <= limit + STANDS_STILL * np.abs(matrix).max(initial=0.0):
        return
    what = "modulus" if in_steps else "real part"
    run.warn(
        f"the system is not stable: its largest eigenvalue has {what} {stability:.3g}, above {limit:g}, so "
        "that it runs away from where it began. Beyond the times of the table, do not simulate it."
    )
