"""A question to a dependency network, checked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.inference.states import code_of, is_soft, number_of
from structlearn.naming import as_names, listed, no_such

if TYPE_CHECKING:
    from structlearn.models.dependency_model import DependencyModel

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class DependencyQuestion:
    """What is asked for, and what is known: the code of a state, or a number."""

    model: "DependencyModel"
    names: tuple[str, ...]
    known: Mapping[str, float]

    @property
    def open(self) -> tuple[str, ...]:
        """The names whose value is not known already."""
        return tuple(name for name in self.names if name not in self.known)

    def is_direct(self, name: str) -> bool:
        """Whether the evidence covers all that a node depends on."""
        return set(self.model.cpds[name].parents) <= set(self.known)

    def state(self) -> dict[str, NDArray[Any]]:
        """The evidence as one row."""
        return {name: np.array([value]) for name, value in self.known.items()}

    def with_known(self, cells: Floats) -> Floats:
        """A table of the open names, which are discrete, as one of all names: zero beside what is known."""
        shape = [len(self.model.labels[name]) for name in self.names]
        found = np.zeros(shape)
        place = tuple(int(self.known[name]) if name in self.known else slice(None) for name in self.names)
        found[place] = cells.reshape(found[place].shape)
        return found


def read_dependency_question(
    model: "DependencyModel", names: str | Sequence[str], evidence: Mapping[str, Any] | None
) -> DependencyQuestion:
    """Check what a user asks and look up its states."""
    asked = as_names(names)
    if not isinstance(evidence or {}, Mapping):
        raise DataError(f"evidence is a mapping of names to states, not {evidence!r}.")
    for name in (*asked, *(evidence or {})):
        if name not in model.nodes:
            raise DataError(no_such("node", name, model.nodes))
    if len(set(asked)) < len(asked) or not asked:
        raise DataError(f"Ask for one or more different names, not {listed(asked) or 'none'}.")
    known = {name: value_of(model, name, said) for name, said in (evidence or {}).items()}
    return DependencyQuestion(model, asked, known)


def value_of(model: "DependencyModel", name: str, said: Any) -> float:
    """The code of a state, or the number of a continuous node."""
    if name in model.labels:
        if is_soft(said):
            raise DataError(f"A dependency network takes one state of {name!r} as evidence, not {said!r}.")
        return code_of(name, model.labels[name], said)
    return number_of(name, said)
