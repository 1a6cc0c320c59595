"""HiGHS, the solver of linear programmes: an optional dependency."""

from importlib import import_module
from typing import Any

from structlearn.errors import PackageError


def load_highs() -> Any:
    """The module `highspy`, or an error that says how to get it."""
    try:
        return import_module("highspy")
    except ImportError as error:
        raise PackageError(
            "Integer programming, by ExactSearch(solver='ilp') and for proofs beyond 28 columns or so, needs "
            "highspy: pip install structlearn[exact]. With fewer columns solver='dp' does without."
        ) from error
