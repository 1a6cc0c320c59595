"""A model as inference reads it: names, states, and factors in a few long arrays."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Label
from structlearn.errors import DataError
from structlearn.models import CPD, BayesianNetwork

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Scope = tuple[int, ...]


class FactorModel(Protocol):
    """What an undirected discrete model shows of itself."""

    @property
    def labels(self) -> dict[str, tuple[Label, ...]]:
        """The states of each node."""

    def factors(self) -> Sequence[tuple[tuple[str, ...], Floats]]:
        """Tables whose product is the distribution but for a constant, each with the names of its axes."""


@dataclass(frozen=True, eq=False)
class Factors:
    """Tables over some variables, one behind the other: the scope of f is scopes[scope_starts[f] : …]."""

    scope_starts: Integers
    scopes: Integers
    table_starts: Integers
    tables: Floats
    has_zeros: Flags

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
        cells = self.tables[self.table_starts[f] : self.table_starts[f + 1]]
        return cells.reshape([int(levels[variable]) for variable in self.scope(f)])

    def with_tables(self, tables: Mapping[Scope, Floats]) -> "Factors":
        """The same and more tables, each for a scope."""
        more = Factors.of(list(tables), list(tables.values()))
        return Factors(
            np.concatenate([self.scope_starts, more.scope_starts[1:] + self.scope_starts[-1]]),
            np.concatenate([self.scopes, more.scopes]),
            np.concatenate([self.table_starts, more.table_starts[1:] + self.table_starts[-1]]),
            np.concatenate([self.tables, more.tables]),
            np.concatenate([self.has_zeros, more.has_zeros]),
        )


@dataclass(frozen=True, eq=False)
class Parts:
    """The parts of a model, made once for many questions.

    `cpds` has the distributions of a network; an undirected model has none, and `directed`, the parents and
    children of each node in compressed rows, is None. Factor i of a network is the table of node i, empty
    where it has none; `levels` is 0 where the node is continuous. `order` has parents before children.
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
    tables = [cpd.as_table() for cpd in cpds.values()]
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
    )


def _parts_of_factors(model: FactorModel) -> Parts:
    try:
        labels, factors = dict(model.labels), list(model.factors())
    except AttributeError:
        raise DataError(f"A {type(model).__name__} has no factors to answer questions from.") from None
    index = {name: i for i, name in enumerate(labels)}
    return Parts(
        names=tuple(labels),
        index=index,
        labels=labels,
        codes=_codes(labels),
        levels=np.array([len(states) for states in labels.values()], dtype=np.int64),
        factors=Factors.of(
            [tuple(index[name] for name in names) for names, _ in factors], [table for _, table in factors]
        ),
        without_table=np.zeros(len(labels), dtype=np.bool_),
        cpds={},
        order=tuple(labels),
    )


def _codes(labels: Mapping[str, tuple[Label, ...]]) -> dict[str, dict[Any, int]]:
    """The code of each state, also by its text; a label goes before a text that reads like another."""
    return {
        name: {str(label): code for code, label in enumerate(states)}
        | {label: code for code, label in enumerate(states)}
        for name, states in labels.items()
    }


def _starts(lengths: Iterable[int]) -> Integers:
    return np.concatenate([[0], np.cumsum(np.array(list(lengths), dtype=np.int64))]).astype(np.int64)
