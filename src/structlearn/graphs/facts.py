"""What is known about nodes beside their names: a lag, a module, a class, a group."""

import math
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from structlearn.errors import DataError
from structlearn.naming import listed

Plain: TypeAlias = "str | int | float | bool | None | tuple[Plain, ...] | Facts"

# Far more than a class with its slot chain needs, and far less than Python can follow.
DEEPEST = 32


class Facts(Mapping[str, Any]):
    """Values by name that never change; lists inside have become tuples."""

    __slots__ = ("_known",)

    def __init__(self, known: Mapping[str, Any]) -> None:
        self._known = dict(known)

    def __getitem__(self, name: str) -> Any:
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def __hash__(self) -> int:
        return hash(frozenset(self._known.items()))

    def __repr__(self) -> str:
        return repr(self._known)


NOTHING = Facts({})


def checked_facts(facts: Mapping[str, Mapping[str, Any]] | None, nodes: Mapping[str, int]) -> Facts:
    """Give the facts of each node that has some, in the order of the nodes; refuse what JSON cannot hold."""
    if not facts:
        return NOTHING
    if not isinstance(facts, Mapping):
        raise DataError(f"facts are values by node and name, as {{'a': {{'lag': 1}}}}, not {facts!r}.")
    strangers = [node for node in facts if node not in nodes]
    if strangers:
        raise DataError(
            f"facts: the graph has no node {listed(strangers)}; its nodes are {listed(tuple(nodes))}."
        )
    if isinstance(facts, Facts):  # those of another graph are checked
        return Facts({node: facts[node] for node in nodes if node in facts})
    frozen = {node: _frozen(facts[node], f"facts[{node!r}]") for node in nodes if node in facts}
    for node, known in frozen.items():
        if not isinstance(known, Facts):
            raise DataError(f"facts[{node!r}] should have values by name, as {{'lag': 1}}, not {known!r}.")
    return Facts({node: known for node, known in frozen.items() if known})


def plain(value: Any) -> Any:
    """Give a fact as JSON takes it: dicts and lists."""
    if isinstance(value, Facts):
        return {name: plain(inner) for name, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, tuple) else value


def is_plain(value: Any) -> bool:
    """Whether a value can be a fact."""
    try:
        _frozen(value, "")
    except DataError:
        return False
    return True


def said(facts: Mapping[str, Any]) -> str:
    """Write facts in a line.

    Examples
    --------
    >>> said(Facts({"lag": 1, "group": "genes"}))
    'lag 1, group genes'
    """
    return ", ".join(f"{name} {_said(value)}" for name, value in facts.items())


def _said(value: Any) -> str:
    if isinstance(value, Facts):
        return f"({said(value)})"
    return " ".join(map(_said, value)) if isinstance(value, tuple) else str(value)


def _frozen(value: Any, where: str, depth: int = 0) -> Plain:
    if depth > DEEPEST:
        raise DataError(f"{where} nests too deeply, more than {DEEPEST} lists or dicts.")
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, list | tuple):
        return tuple(_frozen(inner, where, depth + 1) for inner in value)
    if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
        return Facts({name: _frozen(inner, where, depth + 1) for name, inner in value.items()})
    raise DataError(
        f"{where} has {value!r}. A fact is text, a finite number, a bool, None, or lists or dicts of them."
    )
