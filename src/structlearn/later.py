"""Modules that load when something of them is first used: scipy.stats takes a second, forty tests 30 ms."""

from collections.abc import Callable, Iterator, Mapping
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


class NamedLater(Mapping[str, Any]):
    """Things by name, each in a module of a package of ours, which is imported when one is looked up."""

    def __init__(self, package: str, places: Mapping[str, str]) -> None:
        self._package, self._places = package, places

    def __getitem__(self, name: str) -> Any:
        module, attribute = self._places[name].split(".")
        return getattr(import_module(f"{self._package}.{module}"), attribute)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def names_of(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package, by its modules: what each has to be found there, in one string."""
    places = {name: f"{module}.{name}" for module, names in modules.items() for name in names.split()}
    found = NamedLater(package, places)

    def look_up(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return found[name]

    return look_up


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
