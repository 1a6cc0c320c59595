"""Random distributions on a given graph: the truth of a simulation study."""

from typing import Literal

import numpy as np

from structlearn.errors import OptionError
from structlearn.graphs import Graph
from structlearn.models.bayesian_network import BayesianNetwork
from structlearn.models.cpds import LinearGaussianCPD, TableCPD
from structlearn.models.cpds.table import refuse_large_table
from structlearn.options import Above, Flag, OneOf, Rules, check_options
from structlearn.options.seeds import generator_of

ModelKind = Literal["discrete", "gaussian"]
Span = tuple[float, float]

RULES: Rules = {
    "kind": OneOf(("discrete", "gaussian"), "the kind of distributions"),
    "concentration": Above(0, "the Dirichlet parameter of every probability"),
    "standardise": Flag("whether every node gets variance 1"),
}


def random_model(  # noqa: PLR0913, a table and a regression have different parameters
    graph: Graph,
    *,
    kind: ModelKind = "discrete",
    levels: int | tuple[int, int] = (2, 4),
    concentration: float = 1.0,
    weights: Span = (0.5, 1.0),
    noise: float | Span = 1.0,
    standardise: bool = False,
    random_state: int | np.random.Generator | None = None,
) -> BayesianNetwork:
    """Give every node of a DAG a random distribution.

    Parameters
    ----------
    graph : Graph
        A DAG, or a partially directed graph; then `graph.to_dag()` is used.
    kind : "discrete" or "gaussian", default "discrete"
        Tables of probabilities, or linear regressions with normal noise.
    levels : int or (int, int), default (2, 4)
        The number of states of each node, or the smallest and largest to draw it from.
    concentration : float, default 1.0
        Each row of a table is drawn from a Dirichlet distribution with this parameter for every
        state: below 1 rows are near certainty, far above 1 near uniform.
    weights : (float, float), default (0.5, 1.0)
        The range of the sizes of regression coefficients; their signs are random.
    noise : float or (float, float), default 1.0
        The standard deviation of the noise, or the range to draw it from.
    standardise : bool, default False
        Whether to rescale so that every node has variance 1. Without it variances grow along the
        arrows, and methods can exploit that.
    random_state : int, numpy Generator or None, default None
        Reproduces a draw.

    Examples
    --------
    >>> import structlearn as sl
    >>> from structlearn.models.random_models import random_model
    >>> graph = sl.random_dag(10, random_state=0)
    >>> data = random_model(graph, random_state=0).sample(1000, random_state=0)
    >>> data.n_rows
    1000
    """
    checked = {"kind": kind, "concentration": concentration, "standardise": standardise}
    check_options("random_model", RULES, checked)
    generator = generator_of("random_model", random_state)
    dag = graph.to_dag()
    if kind == "discrete":
        return BayesianNetwork(dag, _tables(dag, _whole_range(levels), concentration, generator))
    deviations = (noise, noise) if isinstance(noise, int | float) else noise
    cpds = _regressions(dag, _range("weights", weights), _range("noise", deviations), generator)
    return BayesianNetwork(dag, _standardised(dag, cpds) if standardise else cpds)


def _tables(
    dag: Graph, levels: tuple[int, int], concentration: float, generator: np.random.Generator
) -> dict[str, TableCPD]:
    drawn = generator.integers(levels[0], levels[1] + 1, len(dag)).tolist()
    n_levels = dict(zip(dag.nodes, drawn, strict=True))
    cpds = {}
    for node in dag.nodes:
        parents = dag.parents(node)
        shape = [n_levels[name] for name in (*parents, node)]
        refuse_large_table(node, shape)
        table = generator.dirichlet(np.full(shape[-1], concentration), size=shape[:-1])
        cpds[node] = TableCPD(table, labels=[f"s{k}" for k in range(shape[-1])], parents=parents)
    return cpds


def _regressions(
    dag: Graph, weights: Span, deviations: Span, generator: np.random.Generator
) -> dict[str, LinearGaussianCPD]:
    cpds = {}
    for node in dag.nodes:
        parents = dag.parents(node)
        sizes = generator.uniform(*weights, len(parents)) * generator.choice([-1.0, 1.0], len(parents))
        coefficients = dict(zip(parents, sizes.tolist(), strict=True))
        cpds[node] = LinearGaussianCPD(0.0, coefficients, variance=float(generator.uniform(*deviations)) ** 2)
    return cpds


def _standardised(dag: Graph, cpds: dict[str, LinearGaussianCPD]) -> dict[str, LinearGaussianCPD]:
    """Measure every node in its own standard deviation."""
    place = {name: i for i, name in enumerate(dag.nodes)}
    covariance = np.zeros((len(dag), len(dag)))
    for node in dag.topological_order():
        i, cpd = place[node], cpds[node]
        parents = [place[parent] for parent in cpd.parents]
        slopes = np.array(list(cpd.coefficients.values()))
        covariance[i] = slopes @ covariance[parents]
        covariance[:, i] = covariance[i]
        covariance[i, i] = slopes @ covariance[parents, i] + cpd.variance
    deviation = dict(zip(dag.nodes, np.sqrt(np.diag(covariance)).tolist(), strict=True))
    return {
        node: LinearGaussianCPD(
            0.0,
            {
                parent: slope * deviation[parent] / deviation[node]
                for parent, slope in cpd.coefficients.items()
            },
            variance=cpd.variance / deviation[node] ** 2,
        )
        for node, cpd in cpds.items()
    }


def _whole_range(levels: int | tuple[int, int]) -> tuple[int, int]:
    low, high = (levels, levels) if isinstance(levels, int) else levels
    if isinstance(low, int) and isinstance(high, int) and 1 <= low <= high:
        return low, high
    raise OptionError(
        f"random_model(levels={levels!r}): levels is the number of states of a node, a whole number from 1 "
        "on, or the smallest and the largest to draw it from."
    )


def _range(name: str, span: Span) -> Span:
    low, high = span
    if 0 < low <= high < float("inf"):
        return low, high
    raise OptionError(
        f"random_model({name}={span!r}): {name} is the smallest and the largest size, both larger than 0."
    )
