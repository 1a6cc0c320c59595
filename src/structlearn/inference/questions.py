"""A question to a model, in the model's own terms."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.inference.parts import Parts, parts_of
from structlearn.inference.states import code_of, is_soft, likelihood_of, number_of
from structlearn.naming import as_names, has_no, listed, no_such

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Question:
    """Which nodes are asked for, and what is known.

    `known` has the observed code (or number) of each node of the evidence, and of each that is set from
    outside; `actions` names the latter. `likelihoods` has the soft evidence.
    """

    parts: Parts
    names: tuple[str, ...]
    known: dict[str, int | float]
    likelihoods: dict[str, Floats]
    actions: frozenset[str]

    @property
    def asked(self) -> list[str]:
        """The names whose state is not known already."""
        return [name for name in self.names if name not in self.known]

    def evidence_in_words(self) -> str:
        """The evidence as a message shows it."""
        said = [f"{name} = {self._state(name)!r}" for name in self.known]
        said += [f"{name} (soft)" for name in self.likelihoods]
        return ", ".join(said[:8]) + (f" and {len(said) - 8} more" if len(said) > 8 else "")

    def _state(self, name: str) -> Any:
        value = self.known[name]
        return self.parts.labels[name][int(value)] if name in self.parts.labels else value


def read_question(
    model: Any,
    names: str | Sequence[str],
    evidence: Mapping[str, Any] | None = None,
    do: Mapping[str, Any] | None = None,
) -> Question:
    """Check what a user asks and look up its states."""
    parts = parts_of(model)
    asked = as_names(names)
    for name in asked:
        _refuse_unknown(parts, name)
    if len(set(asked)) < len(asked):
        raise DataError(f"A name is asked for twice in {listed(asked)}.")
    known: dict[str, int | float] = {}
    likelihoods: dict[str, Floats] = {}
    for name, said in items_of("evidence", evidence):
        _refuse_unknown(parts, name)
        if is_soft(said):
            likelihoods[name] = _likelihood(parts, name, said)
        else:
            known[name] = _value(parts, name, said)
    # What has always the same number, such as a node of a network acted upon, is as if it were set again.
    points = {name: value for name, value in parts.points.items() if name not in known}
    actions = points | _read_actions(parts, do, {*known, *likelihoods})
    return Question(parts, asked, known | actions, likelihoods, frozenset(actions))


def _read_actions(parts: Parts, do: Mapping[str, Any] | None, evidence: set[str]) -> dict[str, int | float]:
    actions: dict[str, int | float] = {}
    for name, said in items_of("do", do):
        _refuse_unknown(parts, name)
        if parts.directed is None:
            raise DataError("do takes a directed model; in an undirected one nothing has a cause.")
        if name in evidence:
            raise DataError(f"{name!r} is in the evidence and in do; it can be in one of them.")
        actions[name] = _value(parts, name, said)
    return actions


def items_of(what: str, said: Mapping[str, Any] | None) -> Any:
    """The items of a mapping that a user gave; none of nothing."""
    if said is None:
        return ()
    if isinstance(said, Mapping):
        return said.items()
    raise DataError(f"{what} is a mapping of names to states, not {said!r}.")


def _refuse_unknown(parts: Parts, name: Any) -> None:
    if not isinstance(name, str) or name not in parts.index:
        raise DataError(no_such("node", name, parts.names))


def _value(parts: Parts, name: str, said: Any) -> int | float:
    """The code of a state, or the number of a continuous node."""
    codes = parts.codes.get(name)
    if codes is None:
        return number_of(name, said)
    if not isinstance(said, Hashable):
        raise DataError(has_no(repr(name), "state", said, parts.labels[name]))
    code = codes.get(said, codes.get(str(said)))
    return code_of(name, parts.labels[name], said) if code is None else code


def _likelihood(parts: Parts, name: str, said: Any) -> Floats:
    if name not in parts.labels:
        raise DataError(f"{name!r} is continuous: its evidence is a number, not {said!r}.")
    return likelihood_of(name, parts.labels[name], said)
