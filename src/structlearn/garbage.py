"""Python's search for garbage, left out where it finds none: as modules load, and as a process ends."""

import atexit
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

# What is left of these when a process ends, nobody waits for: the system takes it back.
LEFT_BEHIND = ("llvmlite", "numba")


@contextmanager
def none_collected() -> Iterator[None]:
    """Look for no garbage meanwhile; what modules make when they load stays."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@cache
def end_at_once() -> None:
    """Let this process end without a search through all that was loaded, 0.15 s of a short script's second.

    Python looks four times for what only refers to itself. That matters to files which nobody has closed
    and to whatever else acts when it is deleted: where there is any such thing, all goes as it always does.
    """
    atexit.register(_spare_the_search)


def _spare_the_search() -> None:
    if not _acts_when_deleted():
        gc.freeze()


def _acts_when_deleted() -> bool:
    """Whether something does so, beside what libraries leave behind and Python's own streams."""
    found = gc.get_objects()
    kinds = {kind for kind in set(map(type, found)) if _is_waited_for(kind)}
    streams = set(map(id, _own_streams()))
    return any(type(each) in kinds and id(each) not in streams for each in found)


def _is_waited_for(kind: type) -> bool:
    if str(kind.__module__).partition(".")[0] in LEFT_BEHIND:
        return False
    return any("__del__" in vars(base) for base in kind.__mro__)


def _own_streams() -> Iterator[object]:
    """The streams that Python opens and flushes, each with the layers below."""
    for stream in (sys.__stdin__, sys.__stdout__, sys.__stderr__):
        layer: object = stream
        while layer is not None:
            yield layer
            layer = getattr(layer, "buffer", None) or getattr(layer, "raw", None)
