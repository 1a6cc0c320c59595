"""What was changed in a row as nodes of their own, contexts, that act on what was changed.

A column that was only changed still follows its parents, by other parameters in each set of targets that
has it. A context has these sets as its states: all rows count then, and what depends on the context
follows what was changed [1]_. Columns that are always changed together share one.

References
----------
.. [1] Mooij, Magliacane and Claassen (2020), Joint causal inference from multiple contexts, JMLR 21.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from structlearn.data import Dataset, DiscreteColumn, Knowledge
from structlearn.data.knowledge import Arrow
from structlearn.data.targets import Rows
from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.outcome import MarkEvidence, Outcome


@dataclass(frozen=True, init=False, repr=False)
class KnownInContexts(Knowledge):
    """Knowledge of a table with contexts, which no limit of a person counts among the parents."""

    contexts: frozenset[str] = frozenset()

    def __init__(self, contexts: Iterable[str], *known: Iterable[Any]) -> None:
        super().__init__(*known)
        object.__setattr__(self, "contexts", frozenset(contexts))

    def forbidding(self, arrows: Iterable[Arrow]) -> Knowledge:
        """The same knowledge, and that these arrows are forbidden, too."""
        return KnownInContexts(self.contexts, self.required, [*self.forbidden, *arrows], self.tiers)


@dataclass(frozen=True)
class Contexts:
    """The table with a column for each context, what each acts on, and how many rows each set has."""

    table: Dataset
    acts_on: Mapping[str, tuple[str, ...]]
    experiments: Mapping[tuple[str, ...], int]

    @classmethod
    def of(cls, owner: str, table: Dataset, rows_set: Mapping[str, Rows]) -> "Contexts":
        """Those of a table, of whose columns some were changed in some rows."""
        changed = sorted(rows_set)
        is_changed = np.zeros((table.n_rows, len(changed)), dtype=np.bool_)
        for place, name in enumerate(changed):
            is_changed[:, place] = rows_set[name]
        sets, condition, n_rows = np.unique(is_changed, axis=0, return_inverse=True, return_counts=True)
        names_of = [tuple(name for name, is_in in zip(changed, each, strict=True) if is_in) for each in sets]
        shared: dict[bytes, list[str]] = {}
        for name in changed:
            states = np.unique(np.where(rows_set[name], 1 + condition.ravel(), 0), return_inverse=True)[1]
            shared.setdefault(states.tobytes(), []).append(name)
        columns, acts_on = list(table.columns), {}
        for codes, names in shared.items():
            of_rows = np.frombuffer(codes, dtype=np.intp).astype(np.uint32)
            name = f"context of {', '.join(names)}"
            if name in table.names:
                raise DataError(f"{owner}: the table has a column {name!r} already. Give it another name.")
            if n_others := int(of_rows.max(initial=0)):  # where there is but one, all rows are alike
                columns.append(DiscreteColumn(name, of_rows, tuple(range(n_others + 1))))
                acts_on[name] = tuple(names)
        made = Dataset.from_columns(
            columns, weights=table.weights, inferred=table.inferred, notes=table.notes, rows=table.rows
        )
        return cls(made, acts_on, dict(zip(names_of, n_rows.tolist(), strict=True)))

    def known(self, knowledge: Knowledge, *, by_score: bool) -> Knowledge:
        """The knowledge, and that contexts act on what was changed and nothing acts on them.

        A search by score is told that they act on nothing else; tests find it, as what separates a
        context from a column says whether they meet in a third.
        """
        required = {(context, name) for context, names in self.acts_on.items() for name in names}
        names, contexts = self.table.names, list(self.acts_on)
        forbidden = {(name, context) for context in contexts for name in names if name != context}
        if by_score:
            forbidden |= {(context, name) for name, context in forbidden} - required
        known = knowledge.required | required, knowledge.forbidden | forbidden, knowledge.tiers
        return KnownInContexts(contexts, *known)

    def left_out(self, outcome: Outcome) -> Outcome:
        """The outcome of the other nodes, those of the user's table.

        Only what separates two of them may name contexts: without these it would be false.
        """
        is_kept = [node not in self.acts_on for node in outcome.graph.nodes]
        conflicts = outcome.conflicts and tuple(
            said for said in outcome.conflicts if not any(context in said for context in self.acts_on)
        )
        return replace(
            outcome,
            graph=self._less(outcome.graph),
            separating_sets=self._less(outcome.separating_sets),
            conflicts=conflicts,
            by_node={name: values[is_kept] for name, values in outcome.by_node.items()},
            by_pair={name: values[..., is_kept, :][..., is_kept] for name, values in outcome.by_pair.items()},
            extra={**self._less(outcome.extra), "experiments": self.experiments},
            claims=None,
        )

    def _less(self, found: Any) -> Any:
        """What was found, without contexts as nodes of graphs, among names, or in the keys of a mapping."""
        if isinstance(found, Graph):
            return found.subgraph([node for node in found.nodes if node not in self.acts_on])
        if isinstance(found, Mapping):
            return {
                key: self._less(value)
                for key, value in found.items()
                if self.acts_on.keys().isdisjoint(key if isinstance(key, tuple) else (key,))
            }
        if isinstance(found, MarkEvidence):
            return replace(found, nodes=self._less(found.nodes))
        if type(found) is tuple:
            return tuple(each for each in found if not isinstance(each, str) or each not in self.acts_on)
        return found
