"""Filtering and smoothing by particles, for networks in time of states and numbers together."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.graphs.lags import slice_name
from structlearn.inference.states_in_time import Observed
from structlearn.models.cpds import CPD, Rows
from structlearn.models.dynamic_model import DynamicModel

Floats = NDArray[np.float64]
Node = tuple[str, int]

N_PARTICLES = 10_000  # shares are within .01 of what they stand for
FEWEST = 0.5  # share of particles that count, below which they are drawn anew


@dataclass(eq=False)
class Particles:
    """Courses that the model might have taken, each with the logarithm of its weight."""

    model: DynamicModel
    observed: Observed
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))
    log_likelihood: float = 0.0

    def __post_init__(self) -> None:
        self.values: dict[Node, Rows] = {}
        self.weights: Floats = np.full(N_PARTICLES, 1.0 / N_PARTICLES)

    def move(self, step: int) -> None:
        """Draw what was not seen at a step, and weigh what was."""
        logs = np.zeros(N_PARTICLES)
        for variable, cpd, parents in self._families(step):
            given = [self.values[parent] for parent in parents]
            seen = self.observed.at(variable, step)
            if seen is None:
                self.values[variable, step] = cpd.sample(given, N_PARTICLES, self.rng)
            else:
                value = np.full(N_PARTICLES, _read(variable, cpd, seen, step))
                self.values[variable, step] = value
                logs += cpd.log_probability(value, given)
        highest = float(logs.max())
        total = float(self.weights @ np.exp(logs - highest)) if np.isfinite(highest) else 0.0
        if not total > 0.0:
            raise DataError(
                f"The evidence is impossible: what was seen at step {step} cannot follow what was before, in "
                f"any of {N_PARTICLES:,} courses that were drawn."
            )
        self.log_likelihood += highest + float(np.log(total))
        self.weights = self.weights * np.exp(logs - highest) / total

    def draw_anew(self) -> None:
        """Where few courses count, take each as often as its weight says; whole courses stay together."""
        if 1.0 / float(np.square(self.weights).sum()) < FEWEST * N_PARTICLES:
            places = (self.rng.random() + np.arange(N_PARTICLES)) / N_PARTICLES
            chosen = np.minimum(np.searchsorted(np.cumsum(self.weights), places), N_PARTICLES - 1)
            self.values = {node: values[chosen] for node, values in self.values.items()}
            self.weights = np.full(N_PARTICLES, 1.0 / N_PARTICLES)

    def shares(self, variable: str, step: int, n_states: int) -> Floats:
        """The probability of each state."""
        values = self.values[self.model.node(variable, step)]
        counts = np.bincount(values, weights=self.weights, minlength=n_states)
        return counts.astype(np.float64)

    def moments(self, variable: str, step: int) -> tuple[float, float]:
        """The mean and the variance of a number."""
        values = self.values[self.model.node(variable, step)]
        mean = float(self.weights @ values)
        return mean, float(self.weights @ np.square(values - mean))

    def _families(self, step: int) -> list[tuple[str, CPD, list[Node]]]:
        """The variables of a step, parents first, with where in time their parents are."""
        model = self.model
        if step < model.n_first:
            at = {slice_name(v, s): (v, s) for s in range(model.n_first) for v in model.variables}
            ordered = [name for name in model.initial.graph.topological_order() if at[name][1] == step]
            cpds = model.initial.cpds
            return [(at[n][0], cpds[n], [at[p] for p in cpds[n].parents]) for n in ordered]
        families = {variable: (cpd, parents) for variable, cpd, parents in model.families()}
        return [
            (variable, families[variable][0], [model.node(p, step - lag) for p, lag in families[variable][1]])
            for variable in model.order_of_step()
            if variable not in model.context
        ]


def courses_of_particles(model: DynamicModel, observed: Observed, *, smooth: bool) -> tuple[float, Any, Any]:
    """The log-likelihood; by discrete variable shares, (steps, states); by others moments, (steps, 2).

    Each step given what was seen up to it or, to smooth, given all: the weights at the end count for whole
    courses, of which few are left far before the end of a long series.
    """
    particles = Particles(model, observed)
    labels = {variable: cpd.labels for variable, cpd, _ in model.families()}
    shares: dict[str, list[Floats]] = {variable: [] for variable in model.variables if labels[variable]}
    moments: dict[str, list[tuple[float, float]]] = {v: [] for v in model.variables if not labels[v]}

    def look(step: int) -> None:
        for variable, found in shares.items():
            found.append(particles.shares(variable, step, len(labels[variable])))
        for variable, known in moments.items():
            known.append(particles.moments(variable, step))

    for step in range(observed.n_steps):
        particles.move(step)
        if not smooth:
            look(step)
        particles.draw_anew()
    for step in range(observed.n_steps if smooth else 0):
        look(step)
    return (
        particles.log_likelihood,
        {variable: np.array(found) for variable, found in shares.items()},
        {variable: np.array(known) for variable, known in moments.items()},
    )


def _read(variable: str, cpd: CPD, seen: Any, step: int) -> Any:
    """A number, or the place of a state among the labels."""
    if not cpd.labels:
        return float(seen)
    if seen not in cpd.labels:
        raise DataError(
            f"evidence: at step {step} there is {seen!r}, and {variable!r} is one of {list(cpd.labels)}."
        )
    return cpd.labels.index(seen)
