"""From what a user has in hand to a table in an engine."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from structlearn.errors import needing
from structlearn.statistics.engines.choice import Choice
from structlearn.statistics.engines.protocol import Engine

# By the package that an object comes from: the module here that knows it, and the extra that brings it.
_MODULES = {
    "duckdb": ("in_duckdb", ""),
    "_duckdb": ("in_duckdb", ""),
    "ibis": ("through_ibis", "structlearn[sql]"),
    "dask": ("in_dask", "structlearn[dask]"),
    "pyspark": ("in_spark", "structlearn[spark]"),
}


def is_elsewhere(data: Any) -> bool:
    """Whether an object stands for rows that are in an engine."""
    return _package(data) in _MODULES


def engine_of(data: Any, choice: Choice) -> Engine:
    """The engine that has the rows of an object that stands for them."""
    module, extra = _MODULES[_package(data)]
    with needing(_package(data), f"A table of {_package(data)}", install=extra):
        found = import_module(f"structlearn.statistics.engines.{module}")
    made: Callable[[Any, Choice], Engine] = found.engine_of
    return made(data, choice)


def _package(data: Any) -> str:
    return type(data).__module__.partition(".")[0]
