"""What libraries do with a model: load, fit, sample and answer, each in its own words."""

from importlib.util import find_spec

from benchmarks.model_work.work import Library, Question

__all__ = ["LIBRARIES", "Library", "Question", "library"]

LIBRARIES = ("structlearn", "pyagrum", "pgmpy")


def library(name: str) -> Library | None:
    """The work of a library, or None where it is not installed."""
    if find_spec(name) is None:
        return None
    if name == "structlearn":
        from benchmarks.model_work import ours as found
    elif name == "pyagrum":
        from benchmarks.model_work import pyagrum_work as found
    else:
        from benchmarks.model_work import pgmpy_work as found
    return found.WORK
