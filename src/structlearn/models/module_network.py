"""A module network: columns in modules, and one regression tree for all columns of each."""

import math
from collections.abc import Iterable, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset, Kind
from structlearn.errors import DataError, OptionError
from structlearn.graphs import Edge, Graph
from structlearn.models.cpds import GaussianTreeCPD
from structlearn.models.saved import Saved
from structlearn.naming import as_names
from structlearn.options import OrNone, Rules, Whole, check_options
from structlearn.statistics.weightless import without_weightless_rows

SAMPLE_RULES: Rules = {"n": Whole(1, "the number of samples"), "random_state": OrNone(Whole(0), "a new one")}
Floats = NDArray[np.float64]
Units = Mapping[str, tuple[float, float]]


class ModuleNetworkModel(Saved):
    """Modules of columns that share one programme, a regression tree over regulators.

    Parameters
    ----------
    modules : mapping of str to iterable of str
        The columns of each module.
    programs : mapping of str to GaussianTreeCPD
        The tree of each module. Thresholds are in the units of the regulators; leaves have the mean and the
        variance of a column in its own standard units.
    units : mapping of str to (float, float)
        The mean and the deviation of each column, which make its standard units.
    graph : Graph, optional
        The network of the columns; by default arrows from the regulators of each module to its columns.

    Examples
    --------
    >>> from structlearn.models import GaussianTreeCPD, Split
    >>> from structlearn.models.module_network import ModuleNetworkModel
    >>> tree = GaussianTreeCPD(Split("r", [(-1.0, 0.25), (1.0, 0.25)], at=0.0), parents={"r": []})
    >>> model = ModuleNetworkModel({"m": ["a", "b"]}, {"m": tree}, {"a": (10.0, 2.0), "b": (0.0, 1.0)})
    >>> {name: values.tolist() for name, values in model.predict({"r": [-0.5, 0.7]}).items()}
    {'a': [8.0, 12.0], 'b': [-1.0, 1.0]}
    """

    def __init__(
        self,
        modules: Mapping[str, Iterable[str]],
        programs: Mapping[str, GaussianTreeCPD],
        units: Units,
        *,
        graph: Graph | None = None,
    ) -> None:
        self.modules = {name: tuple(members) for name, members in modules.items()}
        self.programs = dict(programs)
        self.units = {name: (float(mean), float(deviation)) for name, (mean, deviation) in units.items()}
        self._check()
        self.graph = graph or ground_network(self.modules, self.programs)
        if not self.graph.is_dag:
            raise DataError("ModuleNetworkModel: modules regulate each other in a circle.")

    @property
    def nodes(self) -> tuple[str, ...]:
        """The columns: those of modules, and regulators outside."""
        return self.graph.nodes

    @property
    def kinds(self) -> dict[str, Kind]:
        """Every column has numbers."""
        return dict.fromkeys(self.nodes, "continuous")

    def predict(self, X: Any, names: str | Iterable[str] | None = None) -> dict[str, Floats]:  # noqa: N803, scikit-learn's name
        """Give the mean of each column in new samples, from the regulators in them.

        Parameters
        ----------
        X : data frame, dict of columns or Dataset
            The samples, with a column for each regulator of the columns asked for.
        names : str or iterable of str, optional
            Which columns; by default all that are in modules.

        Returns
        -------
        dict of str to array
            In the units of the columns.
        """
        rows = Dataset(X).to_dict()
        module_of = {name: module for module, members in self.modules.items() for name in members}
        asked = as_names(module_of if names is None else names)
        unknown = [name for name in asked if not isinstance(name, str) or name not in module_of]
        if unknown:
            raise OptionError(f"predict: {unknown[0]!r} is in no module.")
        leaves = {module: self._leaves(module, rows) for module in {module_of[name] for name in asked}}
        found = {}
        for name in asked:
            mean, deviation = self.units[name]
            found[name] = mean + deviation * self.programs[module_of[name]].means[leaves[module_of[name]]]
        return found

    def sample(
        self,
        n: int,
        *,
        given: Any = None,
        random_state: int | None = None,
    ) -> dict[str, Floats]:
        """Draw new samples of all columns, regulators before what they regulate.

        Parameters
        ----------
        n : int
            How many.
        given : data frame, dict of columns or Dataset, optional
            Values of the regulators that are in no module, and so have no distribution; it may have others
            too, which are kept as they are.
        random_state : int, optional
            The seed.

        Returns
        -------
        dict of str to array
            In the units of the columns.
        """
        check_options("sample", SAMPLE_RULES, {"n": n, "random_state": random_state})
        known = {} if given is None else Dataset(given).to_dict()
        drawn = {name: _column(known, name) for name in self.nodes if name in known}
        rng = np.random.default_rng(random_state)
        module_of = {name: module for module, members in self.modules.items() for name in members}
        for name in self.graph.topological_order():
            if name in drawn and len(drawn[name]) == n:
                continue
            if name in drawn or name not in module_of:
                raise DataError(f"sample: give {n} values of {name!r}, which has no distribution.")
            program, (mean, deviation) = self.programs[module_of[name]], self.units[name]
            leaves = program.leaves_of([drawn[parent] for parent in program.parents], n)
            spread = np.sqrt(program.variances[leaves])
            drawn[name] = mean + deviation * rng.normal(program.means[leaves], spread)
        return {name: drawn[name] for name in self.nodes}

    def log_likelihood_rows(self, X: Any) -> Floats:  # noqa: N803, scikit-learn's name
        """Give the log density of the columns of modules in each sample, given regulators outside."""
        rows = Dataset(X).to_dict()
        found = np.zeros(len(next(iter(rows.values()))))
        for module, members in self.modules.items():
            leaves, program = self._leaves(module, rows), self.programs[module]
            means, variances = program.means[leaves], program.variances[leaves]
            for name in members:
                mean, deviation = self.units[name]
                away = (_column(rows, name) - mean) / deviation - means
                found -= 0.5 * (np.log(2.0 * math.pi * variances) + away**2 / variances) + math.log(deviation)
        return found

    def log_likelihood(self, X: Any) -> float:  # noqa: N803, scikit-learn's name
        """Give the natural log density of all samples together, each as often as its weight says."""
        dataset = without_weightless_rows(Dataset(X))
        rows = self.log_likelihood_rows(dataset)
        return float(rows.sum() if dataset.weights is None else rows @ dataset.weights)

    def to_dict(self) -> dict[str, Any]:
        """Give modules, programmes and units as lists and mappings."""
        return {
            "modules": {name: list(members) for name, members in self.modules.items()},
            "programs": {name: program.to_dict() for name, program in self.programs.items()},
            "units": {name: list(each) for name, each in self.units.items()},
        }

    @classmethod
    def from_dict(cls, graph: Graph, known: Mapping[str, Any]) -> Self:
        """Make a model of what `to_dict` gave."""
        programs = {name: GaussianTreeCPD.from_dict(tree) for name, tree in known["programs"].items()}
        units = {name: (mean, deviation) for name, (mean, deviation) in known["units"].items()}
        return cls(known["modules"], programs, units, graph=graph)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ModuleNetworkModel):
            return NotImplemented
        return self.to_dict() == other.to_dict() and self.graph == other.graph

    __hash__ = None  # type: ignore[assignment]  # it holds dicts

    def __repr__(self) -> str:
        n_columns = sum(map(len, self.modules.values()))
        return f"<ModuleNetworkModel: {len(self.modules)} modules of {n_columns} columns>"

    def __str__(self) -> str:
        return "\n".join(
            f"{name}: {', '.join(self.modules[name])}\n{program}" for name, program in self.programs.items()
        )

    def _leaves(self, module: str, rows: Mapping[str, Any]) -> NDArray[np.int64]:
        parents = [_column(rows, name) for name in self.programs[module].parents]
        return self.programs[module].leaves_of(parents, len(next(iter(rows.values()))))

    def _check(self) -> None:
        if set(self.modules) != set(self.programs):
            raise DataError("ModuleNetworkModel: modules and programs must have the same names.")
        members = [name for each in self.modules.values() for name in each]
        if len(set(members)) < len(members):
            raise DataError("ModuleNetworkModel: a column is in two modules.")
        for name in members:
            if name not in self.units or not self.units[name][1] > 0.0:
                raise DataError(f"ModuleNetworkModel: column {name!r} needs a mean and a deviation above 0.")


def ground_network(
    modules: Mapping[str, Iterable[str]],
    programs: Mapping[str, GaussianTreeCPD],
    gains: Mapping[str, Mapping[str, float]] | None = None,
) -> Graph:
    """Arrows from the regulators of each module to its columns, which know the module they share."""
    members = {module: tuple(each) for module, each in modules.items()}
    parents = {module: program.parents for module, program in programs.items()}
    nodes = dict.fromkeys(name for each in (*members.values(), *parents.values()) for name in each)
    weights = gains or {}
    edges = [
        Edge(parent, name, "directed", weight=weights.get(module, {}).get(parent))
        for module in members
        for name in members[module]
        for parent in parents[module]
    ]
    shared = {module.removeprefix("module "): each for module, each in members.items() if len(each) > 1}
    facts = {name: {"module": module} for module, each in shared.items() for name in each}
    return Graph.from_edges(list(nodes), edges, facts=facts)


def _column(rows: Mapping[str, Any], name: str) -> Floats:
    if name not in rows:
        raise DataError(f"the samples have no column {name!r}, which a programme needs.")
    try:
        values = np.asarray(rows[name], dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"column {name!r} of the samples has other values than numbers.") from None
    if not np.isfinite(values).all():
        raise DataError(f"column {name!r} of the samples misses a value, or has an infinite one.")
    return values
