"""Rows of experiments: some nodes are set, shifted, or given another distribution, and the rest follows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from structlearn.data import Column, Dataset, DiscreteColumn
from structlearn.errors import DataError, OptionError
from structlearn.graphs import Graph
from structlearn.models.bayesian_network import BayesianNetwork
from structlearn.models.codes import drawn_column
from structlearn.models.cpds import CPD, Rows
from structlearn.naming import listed, no_such
from structlearn.options import Whole, check_options
from structlearn.options.seeds import generator_of

N_ROWS = Whole(1, "the number of rows to draw")


@dataclass(frozen=True, eq=False)
class Experiment:
    """Rows to draw while some nodes of a network are changed from outside.

    Parameters
    ----------
    n : int
        How many rows.
    do : mapping of str to a state, a number, or one for each row
        The nodes that are set, whatever their parents say.
    shift : mapping of str to float
        What is added to continuous nodes after their parents have had their say.
    soft : mapping of str to CPD
        The nodes that follow another distribution; it may have other parents, or none.

    Examples
    --------
    >>> import structlearn as sl
    >>> sl.Experiment(100, do={"smoke": "yes"}).targets
    ('smoke',)
    """

    n: int
    do: Mapping[str, ArrayLike] = field(default_factory=dict)
    shift: Mapping[str, float] = field(default_factory=dict)
    soft: Mapping[str, CPD] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_options("Experiment", {"n": N_ROWS}, {"n": self.n})
        named = [*self.do, *self.shift, *self.soft]
        if len(set(named)) < len(named):
            raise OptionError(
                f"Experiment: a node is named twice among {listed(named)}. Change it in one way."
            )

    @property
    def targets(self) -> tuple[str, ...]:
        """The nodes that are changed."""
        return (*self.do, *self.shift, *self.soft)


def sample(
    model: BayesianNetwork,
    experiments: int | Experiment | Sequence[int | Experiment],
    *,
    column: str = "targets",
    random_state: int | np.random.Generator | None = None,
) -> Dataset:
    """Draw rows of one experiment after the other, with a column that says what was changed in which.

    Parameters
    ----------
    model : BayesianNetwork
        What the rows follow.
    experiments : int, Experiment, or a sequence of both
        How many rows to draw, and what is changed in them; a number alone is rows of the model as it is.
    column : str, default "targets"
        The name of the column with the names of what was changed, several with commas, nothing where nothing
        was: what learners take by `targets=`. There is none where nothing was changed at all.
    random_state : int or Generator, optional
        The seed of all randomness.

    Examples
    --------
    >>> import structlearn as sl
    >>> model = sl.example("cancer")
    >>> data = sl.sample(model, [500, sl.Experiment(200, do={"Smoker": "True"})], random_state=0)
    >>> data.n_rows, data.names[-1]
    (700, 'targets')
    >>> sl.HillClimbing(targets="targets").fit(data).experiments_
    {(): 500, ('Smoker',): 200}
    """
    given = list(experiments) if isinstance(experiments, Iterable) else [experiments]
    asked = [Experiment(one) if isinstance(one, int | np.integer) else one for one in given]
    if not asked or not all(isinstance(one, Experiment) for one in asked):
        raise OptionError(f"sample({experiments!r}): experiments are numbers of rows, or of sl.Experiment.")
    _refuse_names(model, column, asked)
    rng = generator_of("sample", random_state)
    drawn = [_rows_of(model, one, rng) for one in asked]
    columns: list[Column] = [
        drawn_column(node, model.cpds[node], np.concatenate([rows[node] for rows in drawn]))
        for node in model.nodes
    ]
    said = [cell for one in asked for cell in [", ".join(one.targets)] * one.n]
    return Dataset.from_columns([*columns, *_targets_column(column, said)])


def _refuse_names(model: BayesianNetwork, column: str, experiments: Sequence[Experiment]) -> None:
    if column in model.nodes:
        raise OptionError(f"sample(column={column!r}): this is a node of the model. Choose another name.")
    for name in (name for one in experiments for name in one.targets):
        if name not in model.nodes:
            raise DataError(no_such("node", name, model.nodes))
    together = [one.targets for one in experiments if len(one.targets) > 1]
    mistaken = [name for names in together for name in (*names, ", ".join(names)) if "," in name]
    for name in mistaken:
        if name in model.nodes:
            raise DataError(
                f"sample: {name!r} has a comma, which stands between names set together. Rename it."
            )


def _rows_of(model: BayesianNetwork, experiment: Experiment, rng: np.random.Generator) -> dict[str, Rows]:
    """What is drawn of each node, after its parents."""
    acted = _with_other_distributions(model, experiment.soft)
    drawn: dict[str, Rows] = {}
    for node in acted.graph.topological_order():
        cpd = acted.cpds[node]
        if node in experiment.do:
            drawn[node] = _set_to(node, cpd, experiment.do[node], experiment.n)
            continue
        drawn[node] = cpd.sample([drawn[parent] for parent in cpd.parents], experiment.n, rng)
        if node in experiment.shift:
            drawn[node] = drawn[node] + _shift(node, cpd, experiment.shift[node])
    return drawn


def _with_other_distributions(model: BayesianNetwork, soft: Mapping[str, CPD]) -> BayesianNetwork:
    if not soft:
        return model
    cpds = model.cpds | dict(soft)
    for node, cpd in soft.items():
        was = model.cpds[node]
        if (cpd.kind, cpd.labels) != (was.kind, was.labels):
            raise DataError(
                f"Experiment(soft=…): the distribution of {node!r} has other states than its own."
            )
    arrows = [(parent, node) for node in model.nodes for parent in cpds[node].parents]
    graph = Graph(model.nodes, directed=arrows)
    if not graph.is_dag:
        raise DataError(f"Experiment(soft=…): the parents of {listed(list(soft))} make a cycle.")
    return BayesianNetwork(graph, cpds)


def _set_to(node: str, cpd: CPD, said: ArrayLike, n_rows: int) -> Rows:
    """The codes or numbers of the rows in which a node is set."""
    values = np.asarray(said)
    if values.shape not in {(), (n_rows,)}:
        raise DataError(
            f"Experiment(do=…): {node!r} is set to one value, or to one for each of {n_rows} rows."
        )
    if cpd.kind == "continuous":
        return np.broadcast_to(_finite(node, values), n_rows).copy()
    code_of = {label: code for code, label in enumerate(cpd.labels)}
    strangers = [value for value in np.atleast_1d(values).tolist() if value not in code_of]
    if strangers:
        raise DataError(no_such("state", strangers[0], cpd.labels, owner=f"Experiment(do=…), {node!r}"))
    codes = np.array([code_of[value] for value in np.atleast_1d(values).tolist()], dtype=np.int64)
    return np.broadcast_to(codes if values.shape else codes[0], n_rows).copy()


def _finite(node: str, values: NDArray[Any]) -> NDArray[np.float64]:
    if values.dtype.kind not in "iuf" or not np.isfinite(values).all():
        raise DataError(
            f"Experiment: {node!r} is continuous, and takes finite numbers, not {values.tolist()!r}."
        )
    return values.astype(np.float64)


def _shift(node: str, cpd: CPD, by: float) -> NDArray[np.float64]:
    if cpd.kind != "continuous":
        raise DataError(
            f"Experiment(shift=…): {node!r} has states, and only numbers can be shifted. Use soft."
        )
    return _finite(node, np.asarray(by))


def _targets_column(name: str, said: Sequence[str]) -> list[Column]:
    labels = tuple(sorted(set(said) - {""}))
    if not labels:
        return []
    codes = np.array([labels.index(cell) if cell else 0 for cell in said])
    is_missing = np.array([not cell for cell in said])
    smallest = codes.astype(np.min_scalar_type(len(labels)))
    return [DiscreteColumn(name, smallest, labels, is_missing if is_missing.any() else None)]
