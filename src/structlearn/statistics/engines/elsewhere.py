"""What stands for rows that are in an engine, told without loading what knows engines."""

from typing import Any

# By the package that an object comes from: the module here that knows it, and the extra that brings it.
MODULES = {
    "duckdb": ("in_duckdb", "duckdb"),
    "_duckdb": ("in_duckdb", "duckdb"),
    "ibis": ("through_ibis", "structlearn[sql]"),
    "dask": ("in_dask", "structlearn[dask]"),
    "pyspark": ("in_spark", "structlearn[spark]"),
}


def is_elsewhere(data: Any) -> bool:
    """Whether an object stands for rows that are in an engine."""
    return package_of(data) in MODULES


def package_of(data: Any) -> str:
    """The package that brings the type of an object."""
    return type(data).__module__.partition(".")[0]
