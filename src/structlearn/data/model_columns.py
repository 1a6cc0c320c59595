"""What a model knows of the columns of a table that it reads: their kinds and states, and which it needs."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from structlearn.data.columns import Kind, Label


@dataclass(frozen=True)
class ModelColumns:
    """The kinds of some columns and the states of discrete ones; `unused` columns may hold anything."""

    kinds: Mapping[str, Kind] = field(default_factory=dict)
    labels: Mapping[str, tuple[Label, ...]] = field(default_factory=dict)
    unused: frozenset[str] = frozenset()

    def kinds_of(self, names: Iterable[str]) -> dict[str, Kind]:
        """The kinds of those columns that are there and used."""
        used = set(names) - self.unused
        return {name: kind for name, kind in self.kinds.items() if name in used}

    def states_of(self, name: str) -> tuple[Label, ...]:
        """The states of a column that is used, where they are known."""
        return () if name in self.unused else self.labels.get(name, ())

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read tables as this model needs them."""
        token = _reader.set(self)
        try:
            yield
        finally:
            _reader.reset(token)


_reader: ContextVar[ModelColumns | None] = ContextVar("_reader", default=None)


def is_as_written(name: str) -> bool:
    """Whether the fields of a column stay the text that they are: among the states is text, such as 1.0."""
    reader = _reader.get()
    return reader is not None and any(isinstance(label, str) for label in reader.states_of(name))


def is_unused(name: str) -> bool:
    """Whether what a column holds does not matter."""
    reader = _reader.get()
    return reader is not None and name in reader.unused
