"""Modules that others load with themselves though nothing here needs them."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import get_ident
from typing import Any

from structlearn.later import Later


class _Nowhere:
    """Finds some modules missing, in one thread: the others may need them at the same time."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names, self._thread = names, get_ident()

    def find_spec(self, fullname: str, path: object, target: object = None, /) -> None:  # noqa: ARG002, Python's
        if fullname in self._names and get_ident() == self._thread:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


@contextmanager
def hidden(*names: str) -> Iterator[None]:
    """Keep modules from being loaded by those who can do without."""
    finder = _Nowhere(names)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _Postponed(Later):
    """Stands where modules are looked up, until it is used."""

    def _found(self, name: str) -> Any:
        self.leave()
        return super()._found(name)

    def leave(self) -> None:
        """Make room for the module itself."""
        if sys.modules.get(self._module) is self:  # type: ignore[comparison-overlap]  # a module it is not
            del sys.modules[self._module]


@contextmanager
def postponed(name: str) -> Iterator[None]:
    """Let whoever imports a module meanwhile have one that loads when it is used."""
    if name in sys.modules:
        yield
        return
    stand_in = _Postponed(name)
    sys.modules[name] = stand_in  # type: ignore[assignment]  # as above
    try:
        yield
    finally:
        stand_in.leave()
