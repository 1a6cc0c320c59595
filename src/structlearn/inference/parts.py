"""A model as inference reads it: names, states, and factors in a few long arrays."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Label
from structlearn.errors import DataError
from structlearn.models import CPD, BayesianNetwork, PointCPD
from structlearn.models.cpds.table import LargeTableError
from structlearn.rounding import TINY

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Scope = tuple[int, ...]

HIGHEST_LOG = 30.0  # of a table as it is: the product of twenty such is still a float


class FactorModel(Protocol):
    """What an undirected discrete model shows of itself."""

    @property
    def labels(self) -> dict[str, tuple[Label, ...]]:
        """The states of each node."""

    def factors(self) -> Sequence[tuple[tuple[str, ...], Floats]]:
        """Tables whose product is the distribution but for a constant, each with the names of its axes.

        A model may have `log_factors()` too, their logarithms, which say more where floats do not reach.
        """


@dataclass(frozen=True, eq=False)
class Factors:
    """Tables over some variables, one behind the other: the scope of f is scopes[scope_starts[f] : …].

    `known_logs` has their logarithms where those were known before the tables, and `log_scale` the sum of
    what was taken off them.
    """

    scope_starts: Integers
    scopes: Integers
    table_starts: Integers
    tables: Floats
    has_zeros: Flags
    known_logs: Floats | None = None
    log_scale: float = 0.0

    @classmethod
    def of(cls, scopes: Sequence[Scope], tables: Sequence[Floats]) -> "Factors":
        """Line up the tables."""
        flat = [np.ascontiguousarray(table, dtype=np.float64).ravel() for table in tables]
        return cls(
            *compressed(scopes),
            _starts([table.size for table in flat]),
            np.concatenate([*flat, np.empty(0)]),
            np.array([bool((table == 0.0).any()) for table in flat], dtype=np.bool_),
        )

    @cached_property
    def logs(self) -> Floats:
        """The logarithms of the tables."""
        if self.known_logs is not None:
            return self.known_logs
        with np.errstate(divide="ignore"):
            return np.log(self.tables)

    @cached_property
    def is_beyond_floats(self) -> bool:
        """Whether a cell that is possible is next to nothing in its table: only its logarithm tells."""
        if self.known_logs is None:
            return False
        return bool(np.any((self.tables < TINY) & ~np.isneginf(self.known_logs)))

    @cached_property
    def any_zeros(self) -> bool:
        """Whether any table has a zero."""
        return bool(self.has_zeros.any())

    @property
    def arrays(self) -> tuple[Integers, Integers, Integers, Floats]:
        """What the kernels take."""
        return self.scope_starts, self.scopes, self.table_starts, self.tables

    def scope(self, f: int) -> list[int]:
        """The variables of a factor."""
        variables: list[int] = self.scopes[self.scope_starts[f] : self.scope_starts[f + 1]].tolist()
        return variables

    def table(self, f: int, levels: Integers) -> Floats:
        """The table of a factor, an axis per variable."""
        return self._cells(self.tables, f, levels)

    def log_table(self, f: int, levels: Integers) -> Floats:
        """The logarithms of the table of a factor."""
        return self._cells(self.logs, f, levels)

    def _cells(self, numbers: Floats, f: int, levels: Integers) -> Floats:
        cells = numbers[self.table_starts[f] : self.table_starts[f + 1]]
        return cells.reshape([int(levels[variable]) for variable in self.scope(f)])

    def with_tables(self, tables: Mapping[Scope, Floats]) -> "Factors":
        """The same and more tables, each for a scope."""
        return self._joined(Factors.of(list(tables), list(tables.values())))

    def with_log_tables(self, logs: Mapping[Scope, Floats]) -> "Factors":
        """The same and more tables, each for a scope, by their logarithms."""
        more = Factors.of(list(logs), [np.exp(table) for table in logs.values()])
        known = np.concatenate([*(table.ravel() for table in logs.values()), np.empty(0)])
        return self._joined(replace(more, known_logs=known))

    def _joined(self, more: "Factors") -> "Factors":
        knows_no_logs = self.known_logs is None and more.known_logs is None
        return Factors(
            np.concatenate([self.scope_starts, more.scope_starts[1:] + self.scope_starts[-1]]),
            np.concatenate([self.scopes, more.scopes]),
            np.concatenate([self.table_starts, more.table_starts[1:] + self.table_starts[-1]]),
            np.concatenate([self.tables, more.tables]),
            np.concatenate([self.has_zeros, more.has_zeros]),
            None if knows_no_logs else np.concatenate([self.logs, more.logs]),
            self.log_scale,
        )


@dataclass(frozen=True, eq=False)
class Parts:
    """The parts of a model, made once for many questions.

    `cpds` has the distributions of a network; an undirected model has none, and `directed`, the parents and
    children of each node in compressed rows, is None. Factor i of a network is the table of node i, empty
    where it has none; `levels` is 0 where the node is continuous. `order` has parents before children.
    `points` has the numbers of nodes that have always the same.
    """

    names: tuple[str, ...]
    index: dict[str, int]
    labels: dict[str, tuple[Label, ...]]
    codes: dict[str, dict[Any, int]]
    levels: Integers
    factors: Factors
    without_table: Flags
    cpds: dict[str, CPD]
    order: tuple[str, ...]
    directed: tuple[Integers, Integers, Integers, Integers] | None = None
    points: Mapping[str, float] = field(default_factory=dict)

    @cached_property
    def is_tabular(self) -> bool:
        """Whether every node has a table."""
        return not self.without_table.any()

    @property
    def nowhere(self) -> Flags:
        """No node marked."""
        return np.zeros(len(self.names), dtype=np.bool_)


def parts_of(model: Any) -> Parts:
    """Take a model apart; a network keeps its parts until it is fitted again."""
    if not isinstance(model, BayesianNetwork):
        return _parts_of_factors(model)
    return model.prepared(_parts_of_network)


def compressed(lists: Sequence[Sequence[int]]) -> tuple[Integers, Integers]:
    """Many lists as one, and where each starts."""
    flat = [member for members in lists for member in members]
    return _starts([len(members) for members in lists]), np.array(flat, dtype=np.int64)


def _parts_of_network(model: BayesianNetwork) -> Parts:
    cpds, labels = model.cpds, model.labels
    index = {name: i for i, name in enumerate(cpds)}
    tables = [_table_of(cpd) for cpd in cpds.values()]
    families = [(*(index[parent] for parent in cpd.parents), i) for i, cpd in enumerate(cpds.values())]
    children: list[list[int]] = [[] for _ in cpds]
    for *parents, child in families:
        for parent in parents:
            children[parent].append(child)
    return Parts(
        names=tuple(cpds),
        index=index,
        labels=labels,
        codes=_codes(labels),
        levels=np.array([len(labels.get(name, ())) for name in cpds], dtype=np.int64),
        factors=Factors.of(
            [() if table is None else family for family, table in zip(families, tables, strict=True)],
            [np.empty(0) if table is None else table for table in tables],
        ),
        without_table=np.array([table is None for table in tables], dtype=np.bool_),
        cpds=cpds,
        order=tuple(model.graph.topological_order()),
        directed=(*compressed([family[:-1] for family in families]), *compressed(children)),
        points={name: cpd.value for name, cpd in cpds.items() if isinstance(cpd, PointCPD)},
    )


def _table_of(cpd: CPD) -> Floats | None:
    """The table of a node; None where there can be none, or one that is too large for any question."""
    try:
        return cpd.as_table()
    except LargeTableError:
        return None


def _parts_of_factors(model: FactorModel) -> Parts:
    try:
        labels = dict(model.labels)
        index = {name: i for i, name in enumerate(labels)}
        factors = _factors_of(model, index)
    except AttributeError:
        raise DataError(f"A {type(model).__name__} has no factors to answer questions from.") from None
    return Parts(
        names=tuple(labels),
        index=index,
        labels=labels,
        codes=_codes(labels),
        levels=np.array([len(states) for states in labels.values()], dtype=np.int64),
        factors=factors,
        without_table=np.zeros(len(labels), dtype=np.bool_),
        cpds={},
        order=tuple(labels),
    )


def _factors_of(model: FactorModel, index: Mapping[str, int]) -> Factors:
    named = list(model.factors())
    scopes = [tuple(index[name] for name in names) for names, _ in named]
    if not hasattr(model, "log_factors"):
        return Factors.of(scopes, [table for _, table in named])
    logs = [log for _, log in model.log_factors()]
    shifts = [float(log.max()) if log.max() > HIGHEST_LOG else 0.0 for log in logs]
    tables = [
        np.exp(log - shift) if shift else table
        for (_, table), log, shift in zip(named, logs, shifts, strict=True)
    ]
    flat = [(log - shift).ravel() for log, shift in zip(logs, shifts, strict=True)]
    known = np.concatenate([*flat, np.empty(0)])
    return replace(Factors.of(scopes, tables), known_logs=known, log_scale=float(sum(shifts)))


def _codes(labels: Mapping[str, tuple[Label, ...]]) -> dict[str, dict[Any, int]]:
    """The code of each state, also by its text; a label goes before a text that reads like another."""
    return {
        name: {str(label): code for code, label in enumerate(states)}
        | {label: code for code, label in enumerate(states)}
        for name, states in labels.items()
    }


def _starts(lengths: Iterable[int]) -> Integers:
    return np.concatenate([[0], np.cumsum(np.array(list(lengths), dtype=np.int64))]).astype(np.int64)
