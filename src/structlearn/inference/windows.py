"""Kalman's filter and its smoother for dynamic models: a normal distribution over the last few steps."""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs.lags import slice_name
from structlearn.models.cpds import LinearGaussianCPD
from structlearn.models.dynamic_model import DynamicModel, summed

if TYPE_CHECKING:
    from structlearn.inference.states_in_time import Observed

Floats = NDArray[np.float64]
Normals = tuple[float, dict[str, Floats], dict[str, Floats]]
Node = tuple[str, int]  # a variable at a step


class Window:
    """The joint normal distribution of some nodes; it grows by a node at a time, and forgets old ones.

    `tape` has for each change how what later evidence says of the nodes is told of those before it.
    """

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.mean, self.covariance = np.zeros(0), np.zeros((0, 0))
        self.log_likelihood = 0.0
        self.tape: list[Callable[[Later], Later]] = []

    def add(self, node: Node, cpd: LinearGaussianCPD, parents: Mapping[Node, float]) -> None:
        """Add a node that is linear in others."""
        weights = np.array([parents.get(each, 0.0) for each in self.nodes])
        across = self.covariance @ weights
        self.mean = np.append(self.mean, cpd.intercept + weights @ self.mean)
        self.covariance = np.block(
            [
                [self.covariance, across[:, None]],
                [across[None], np.array([[weights @ across + cpd.variance]])],
            ]
        )
        self.nodes.append(node)
        self.tape.append(lambda later: later.before_adding(weights))

    def see(self, node: Node, value: float) -> None:
        """Condition on the value of a node."""
        place = self.nodes.index(node)
        variance, across = float(self.covariance[place, place]), self.covariance[:, place].copy()
        error = value - self.mean[place]
        if variance > 0.0:
            self.log_likelihood -= 0.5 * (math.log(2.0 * math.pi * variance) + error * error / variance)
            self.mean = self.mean + across * (error / variance)
            self.covariance = self.covariance - np.outer(across, across) / variance
            self.tape.append(lambda later: later.before_seeing(place, error, variance, across / variance))
        self.mean[place], self.covariance[place], self.covariance[:, place] = value, 0.0, 0.0

    def keep(self, nodes: Collection[Node]) -> None:
        """Forget all nodes but some."""
        size, kept = len(self.nodes), [i for i, node in enumerate(self.nodes) if node in nodes]
        self.nodes = [self.nodes[i] for i in kept]
        self.mean, self.covariance = self.mean[kept], self.covariance[np.ix_(kept, kept)]
        self.tape.append(lambda later: later.before_forgetting(kept, size))


@dataclass(frozen=True, slots=True)
class Later:
    """What later evidence says of nodes whose covariance is P: P·pull more mean, P·grip·P less covariance.

    This needs no inverse of P, which has none where nodes are known (Bryson and Frazier, 1963, Smoothing for
    linear and nonlinear dynamic systems).
    """

    pull: Floats
    grip: Floats

    def before_adding(self, weights: Floats) -> "Later":
        """Of the nodes before the last one came, which is linear in them."""
        across, own = np.outer(weights, self.grip[-1, :-1]), self.grip[-1, -1]
        grip = self.grip[:-1, :-1] + across + across.T + own * np.outer(weights, weights)
        return Later(self.pull[:-1] + weights * self.pull[-1], grip)

    def before_seeing(self, place: int, error: float, variance: float, gain: Floats) -> "Later":
        """Of the nodes before the value of one was seen, and this evidence with it."""
        pull, grip = self.pull.copy(), self.grip.copy()
        pull[place] += error / variance - gain @ pull
        grip[:, place] -= grip @ gain
        grip[place] -= gain @ grip
        grip[place, place] += 1.0 / variance
        return Later(pull, grip)

    def before_forgetting(self, kept: list[int], size: int) -> "Later":
        """Of all nodes while none was forgotten: what is later follows from the kept ones alone."""
        pull, grip = np.zeros(size), np.zeros((size, size))
        pull[kept], grip[np.ix_(kept, kept)] = self.pull, self.grip
        return Later(pull, grip)


def filtered_normals(model: DynamicModel, observed: "Observed") -> Normals:
    """The log-likelihood, and the means and variances of each variable step by step."""
    window, means, variances = Window(), [], []
    for places in _moved(window, model, observed):
        means.append(window.mean[places])
        variances.append(window.covariance[places, places])
        window.tape.clear()
    return window.log_likelihood, _by_variable(model, means), _by_variable(model, variances)


def smoothed_normals(model: DynamicModel, observed: "Observed") -> Normals:
    """The same given all that was seen: the filter forwards, then what each step hears from later ones."""
    window = Window()
    known = [
        (window.mean[places], window.covariance[places], places, len(window.tape))
        for places in _moved(window, model, observed)
    ]
    later = Later(np.zeros(len(window.nodes)), np.zeros_like(window.covariance))
    means, variances = [], []
    for mean, covariance, places, n_changes in reversed(known):
        while len(window.tape) > n_changes:
            later = window.tape.pop()(later)
        means.append(mean + covariance @ later.pull)
        less = np.einsum("ij,ij->i", covariance @ later.grip, covariance)
        variances.append(np.maximum(covariance[np.arange(len(places)), places] - less, 0.0))
    return window.log_likelihood, _by_variable(model, means[::-1]), _by_variable(model, variances[::-1])


def _moved(window: Window, model: DynamicModel, observed: "Observed") -> Iterator[list[int]]:
    """Let a window go through the steps: at each, where the variables stand, once what was seen is known."""
    order = model.order_of_step()
    for step in range(observed.n_steps):
        for node, cpd, parents in _families_of(model, order, step):
            window.add(node, cpd, parents)
        now = [model.node(variable, step) for variable in model.variables]
        for variable, at in now:
            if at == step and observed.at(variable, step) is not None:
                window.see((variable, step), float(observed.at(variable, step)))
        yield [window.nodes.index(node) for node in now]
        later = range(step - model.n_first + 1, step + 1)
        window.keep({model.node(variable, s) for variable in model.variables for s in later if s >= 0})


def _by_variable(model: DynamicModel, steps: Sequence[Floats]) -> dict[str, Floats]:
    return dict(zip(model.variables, np.array(steps).T, strict=True))


def _families_of(
    model: DynamicModel, order: list[str], step: int
) -> list[tuple[Node, LinearGaussianCPD, dict[Node, float]]]:
    if step < model.n_first:
        found: list[Any] = []
        at = {slice_name(v, s): (v, s) for s in range(model.n_first) for v in model.variables}
        for name in model.initial.graph.topological_order():
            if at[name][1] == step:
                cpd: Any = model.initial.cpds[name]
                found.append((at[name], cpd, {at[p]: w for p, w in cpd.coefficients.items()}))
        return found
    by_variable: dict[str, Any] = {variable: (cpd, parents) for variable, cpd, parents in model.families()}
    return [
        (
            (variable, step),
            cpd,
            summed([model.node(p, step - lag) for p, lag in parents], cpd.coefficients.values()),
        )
        for variable in order
        if variable not in model.context
        for cpd, parents in [by_variable[variable]]
    ]
