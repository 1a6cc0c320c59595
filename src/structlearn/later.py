"""Modules of other libraries that load when something of them is first used: scipy.stats takes a second."""

from importlib import import_module
from typing import Any

from structlearn.errors import needing


class Later:
    """Stands for a module, which is imported with the first look at one of its names."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what copies and inspects may ask is not in the module
            raise AttributeError(name)
        with needing(self._module.split(".")[0], "This method"):
            found = getattr(import_module(self._module), name)
        self.__dict__[name] = found
        return found


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
special = Later("scipy.special")
stats = Later("scipy.stats")
vq = Later("scipy.cluster.vq")
