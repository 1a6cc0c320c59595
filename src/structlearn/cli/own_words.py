"""What the user wrote: names, paths and values, which messages repeat whatever they look like."""

from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from functools import wraps
from pathlib import Path
from typing import Any

_KEPT: ContextVar[frozenset[str]] = ContextVar("kept", default=frozenset())


def own_words() -> frozenset[str]:
    """What the running command was told, and the names of columns in its table."""
    return _KEPT.get()


def keep_words(words: Iterable[str]) -> None:
    """Add what the user calls something; only what has an equals sign could be taken for an option."""
    _KEPT.set(_KEPT.get() | {word for word in words if "=" in word})


def keeping_words(command: Callable[..., None]) -> Callable[..., None]:
    """The command, with all that it was told kept while it runs."""

    @wraps(command)
    def run(**given: Any) -> None:
        before = _KEPT.set(frozenset())
        try:
            keep_words(word for value in given.values() for text in _texts(value) for word in _parts(text))
            command(**given)
        finally:
            _KEPT.reset(before)

    return run


def _texts(value: Any) -> Iterator[str]:
    """The texts among what a flag holds, one or several."""
    for each in value if isinstance(value, list | tuple) else [value]:
        if isinstance(each, str | Path):
            yield str(each)


def _parts(text: str) -> list[str]:
    """The text itself and the folders that it names."""
    return [text, *map(str, Path(text).parents)]
