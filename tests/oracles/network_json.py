"""The networks of the JSON files in tests/data, whose tables have the first parent change fastest."""

import json

import numpy as np

from structlearn.graphs import Graph
from structlearn.models import BayesianNetwork, ConditionalGaussianCPD, LinearGaussianCPD, TableCPD

SMALLEST_VARIANCE = 1e-12
"""Stands for the zeros of the files: our normal distributions have a density."""


def network_from_json(path):
    """The network of such a file."""
    known = json.loads(path.read_text(encoding="utf-8"))
    read = {"discrete": _table, "gaussian": _gaussian, "conditional_gaussian": _conditional_gaussian}
    cpds = {node: read[cpd["type"]](cpd) for node, cpd in known["cpds"].items()}
    return BayesianNetwork(Graph(known["nodes"], directed=known["arcs"]), cpds)


def _table(cpd):
    levels = [len(cpd["parent_levels"][parent]) for parent in cpd["parents"]]
    table = np.empty([*levels, len(cpd["levels"])])
    for number, row in enumerate(cpd["prob"]):
        table[_state(number, levels)] = np.array(row) / np.sum(row)
    return TableCPD(table, labels=cpd["levels"], parents=cpd["parents"])


def _gaussian(cpd):
    return LinearGaussianCPD(cpd["intercept"], cpd["coefficients"], variance=_variance(cpd["sd"]))


def _conditional_gaussian(cpd):
    levels = [len(cpd["discrete_levels"][parent]) for parent in cpd["discrete_parents"]]
    return ConditionalGaussianCPD(
        _by_regime(cpd["intercept"], levels),
        {parent: _by_regime(values, levels) for parent, values in cpd["coefficients"].items()},
        variances=_by_regime([_variance(sd) for sd in cpd["sd"]], levels),
        regimes=cpd["discrete_parents"],
    )


def _by_regime(values, levels):
    table = np.empty(levels)
    for number, value in enumerate(values):
        table[_state(number, levels)] = value
    return table


def _state(number, levels):
    """The joint state with this number, of which the first coordinate changes fastest."""
    state = []
    for level in levels:
        number, code = divmod(number, level)
        state.append(code)
    return tuple(state)


def _variance(sd):
    return max(sd**2, SMALLEST_VARIANCE)
