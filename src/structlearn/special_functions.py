"""The functions of scipy.special that are written in C, without the rest of it, which takes 0.2 s to load."""

import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from threading import get_ident
from types import ModuleType

PACKAGE, IN_C = "scipy.special", "scipy.special._ufuncs"


@cache
def functions_in_c() -> ModuleType | None:
    """The module that has them; None where scipy has another shape."""
    if PACKAGE not in sys.modules:
        finder = _OfOneModule()
        sys.meta_path.insert(0, finder)
        try:
            with suppress(ImportError, AttributeError):  # it gives up; what is left is the module
                import_module(PACKAGE)
        finally:
            sys.meta_path.remove(finder)
    return sys.modules.get(IN_C)


class _OfOneModule:
    """Finds the package for this thread, loads one module of it, and gives up; the next import starts anew.

    Other threads wait for that, as for any import of the package, and then have all of it.
    """

    def __init__(self) -> None:
        self.thread = get_ident()
        found = find_spec(PACKAGE)
        self.folders = found.submodule_search_locations if found else None

    def find_spec(self, name: str, path: object, target: object = None) -> ModuleSpec | None:  # noqa: ARG002, Python's
        if name != PACKAGE or get_ident() != self.thread:
            return None
        spec = ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]  # has what is called
        spec.submodule_search_locations = self.folders
        return spec

    def create_module(self, spec: ModuleSpec) -> None:
        """None: Python makes it."""

    def exec_module(self, module: ModuleType) -> None:
        import_module(IN_C)
        raise ImportError(f"{module.__name__} is not needed any longer")
