"""Kalman's filter for dynamic models: a normal distribution over the last few steps."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs.lags import slice_name
from structlearn.models.cpds import LinearGaussianCPD
from structlearn.models.dynamic_model import DynamicModel

if TYPE_CHECKING:
    from structlearn.inference.states_in_time import Observed

Floats = NDArray[np.float64]
Normals = tuple[float, dict[str, Floats], dict[str, Floats]]
Node = tuple[str, int]  # a variable at a step


class Window:
    """The joint normal distribution of some nodes; it grows by a node at a time, and forgets old ones."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.mean, self.covariance = np.zeros(0), np.zeros((0, 0))
        self.log_likelihood = 0.0

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

    def see(self, node: Node, value: float) -> None:
        """Condition on the value of a node, which leaves."""
        place = self.nodes.index(node)
        variance, across = self.covariance[place, place], self.covariance[:, place]
        error = value - self.mean[place]
        if variance > 0.0:
            self.log_likelihood -= 0.5 * (math.log(2.0 * math.pi * variance) + error * error / variance)
            self.mean = self.mean + across * (error / variance)
            self.covariance = self.covariance - np.outer(across, across) / variance
        self.mean[place], self.covariance[place], self.covariance[:, place] = value, 0.0, 0.0

    def forget(self, before: int) -> None:
        """Leave out the nodes of earlier steps."""
        kept = [i for i, (_, step) in enumerate(self.nodes) if step >= before]
        self.nodes = [self.nodes[i] for i in kept]
        self.mean, self.covariance = self.mean[kept], self.covariance[np.ix_(kept, kept)]


def filtered_normals(model: DynamicModel, observed: "Observed") -> Normals:
    """The log-likelihood, and the means and variances of each variable step by step."""
    window, order = Window(), model.order_of_step()
    means: dict[str, list[float]] = {variable: [] for variable in model.variables}
    variances: dict[str, list[float]] = {variable: [] for variable in model.variables}
    for step in range(observed.n_steps):
        for node, cpd, parents in _families_of(model, order, step):
            window.add(node, cpd, parents)
        for variable in model.variables:
            if observed.at(variable, step) is not None:
                window.see((variable, step), float(observed.at(variable, step)))
        for variable in model.variables:
            place = window.nodes.index((variable, step))
            means[variable].append(float(window.mean[place]))
            variances[variable].append(float(window.covariance[place, place]))
        window.forget(step - model.n_first + 1)
    arrays = [{name: np.array(values) for name, values in each.items()} for each in (means, variances)]
    return window.log_likelihood, arrays[0], arrays[1]


def smoothed_normals(model: DynamicModel, observed: "Observed") -> Normals:
    """The same given all that was seen, with no node forgotten."""
    window, order = Window(), model.order_of_step()
    for step in range(observed.n_steps):
        for node, cpd, parents in _families_of(model, order, step):
            window.add(node, cpd, parents)
    for variable, step in list(window.nodes):
        if observed.at(variable, step) is not None:
            window.see((variable, step), float(observed.at(variable, step)))
    place = {node: i for i, node in enumerate(window.nodes)}
    steps = range(observed.n_steps)
    means = {v: np.array([window.mean[place[v, s]] for s in steps]) for v in model.variables}
    variances = {
        v: np.array([window.covariance[place[v, s], place[v, s]] for s in steps]) for v in model.variables
    }
    return window.log_likelihood, means, variances


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
            {(p, step - lag): w for (p, lag), w in zip(parents, cpd.coefficients.values(), strict=True)},
        )
        for variable in order
        for cpd, parents in [by_variable[variable]]
    ]
