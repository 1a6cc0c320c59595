"""Modules of other libraries that load when something of them is first used: scipy.stats takes a second."""

from importlib import import_module
from typing import Any

from structlearn.errors import needing
from structlearn.special_functions import functions_in_c


class Later:
    """Stands for a module, which is imported with the first look at one of its names."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what copies and inspects may ask is not in the module
            raise AttributeError(name)
        with needing(self._module.split(".")[0], "This method"):
            found = self._found(name)
        self.__dict__[name] = found
        return found

    def _found(self, name: str) -> Any:
        return getattr(import_module(self._module), name)


class LaterInPart(Later):
    """Stands for scipy.special, of which mostly the functions in C are used."""

    def _found(self, name: str) -> Any:
        return getattr(functions_in_c(), name, None) or super()._found(name)


csgraph = Later("scipy.sparse.csgraph")
distance = Later("scipy.spatial.distance")
hierarchy = Later("scipy.cluster.hierarchy")
interpolate = Later("scipy.interpolate")
joblib = Later("joblib")
lapack = Later("scipy.linalg.lapack")
linalg = Later("scipy.linalg")
networkx = Later("networkx")
optimize = Later("scipy.optimize")
sparse = Later("scipy.sparse")
sparse_linalg = Later("scipy.sparse.linalg")
special = LaterInPart("scipy.special")
stats = Later("scipy.stats")
vq = Later("scipy.cluster.vq")
