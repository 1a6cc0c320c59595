"""What numba makes of kernels: the only place that knows it, and slow to load."""

import ctypes
import math
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from structlearn.compile import count_bits, count_common_bits, dot, log_gamma, write_common_bits
from structlearn.errors import needing, warn
from structlearn.garbage import end_at_once
from structlearn.unneeded import hidden, postponed

# numba asks the first which version it is, reads a file of settings with the second where there is one, and
# looks for what adds to it with the third, once it compiles.
_SETTINGS = Path(".numba_config.yaml")
_UNUSED = ("scipy",) if _SETTINGS.exists() else ("scipy", "yaml")
with needing("numba", "Compiling"), hidden(*_UNUSED), postponed("importlib.metadata"):
    from numba import _helperlib, types
    from numba.core import entrypoints, environment
    from numba.core.caching import CompileResultCacheImpl, FunctionCache, NullCache
    from numba.core.codegen import ll as llvm
    from numba.core.registry import CPUDispatcher
    from numba.core.runtime import _nrt_python
    from numba.core.typing.typeof import typeof
    from numba.extending import lower_builtin, overload, type_callable
    from numba.np import numpy_support

Function = Callable[..., Any]
end_at_once()

_rebuilt = environment._rebuild_env  # noqa: SLF001, numba has no other way


def _rebuilt_environment(module: str, constants: Any, name: str) -> Any:
    """What a function within machine code on disk knows: constants, and the globals of its module.

    The latter is for code that is interpreted. Of a module of numba it is only the name, because numpy's part
    of numba takes 0.1 s to import.
    """
    if module.startswith("numba.") and environment.lookup_environment(name) is None:
        made = environment.Environment({"__name__": module})
        made.consts[:], made.env_name = constants, name
        environment.Environment._memo[name] = made  # noqa: SLF001, as above
    return _rebuilt(module, constants, name)


environment._rebuild_env = _rebuilt_environment  # noqa: SLF001, as above

# Nobody calls kernels from C: 7 % of compiling the default method.
HOW = {"nopython": True, "nogil": True, "no_cfunc_wrapper": True}

log_gamma_in_c = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(_helperlib.c_helpers["lgamma"])  # type: ignore[attr-defined]  # has no stub


@cache
def _name_functions_of_runtime() -> None:
    """Let machine code on disk find what it calls in numba, which does this and compiles more: for 20 ms."""
    for name, address in _nrt_python.c_helpers.items():
        llvm.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)


class _ReadyCode(CompileResultCacheImpl):  # type: ignore[misc]  # numba has no types
    """Loads what runs, and keeps what other kernels link with as bytes: to read that takes twice as long."""

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        (name, kind, (code, linkable)), described, *rest = payload
        codegen = target_context.codegen()
        entries = described.llvm_func_name, described.llvm_cpython_wrapper_name
        codegen._engine._defined_symbols.update(entries)  # noqa: SLF001, it reads them off the bitcode
        library = (name, kind, (code, _nothing_to_link()))
        rebuilt = super().rebuild(target_context, (library, described, *rest))
        rebuilt.library._get_module_for_linking = cache(partial(llvm.parse_bitcode, linkable))  # noqa: SLF001, who links asks here
        return rebuilt


@cache
def _nothing_to_link() -> bytes:
    empty: bytes = llvm.parse_assembly("").as_bitcode()
    return empty


class MachineCode(FunctionCache):  # type: ignore[misc]  # numba has no types
    """What was compiled, on disk; what cannot be read there is compiled again, and saved if it can be."""

    _impl_class = _ReadyCode

    @property
    def is_there(self) -> bool:
        """Whether there is some, for some types of arguments."""
        try:
            return bool(self._cache_file._load_index())  # noqa: SLF001, numba has no other way to ask
        except Exception:  # noqa: BLE001, as below
            return False

    def has(self, signature: Any, codegen: Any) -> bool:
        """Whether there is some for these types of arguments, on this processor."""
        try:
            return self._index_key(signature, codegen) in self._cache_file._load_index()  # noqa: SLF001, as above
        except Exception:  # noqa: BLE001, as below
            return False

    def load_overload(self, sig: Any, target_context: Any) -> Any:  # noqa: D102, numba's
        found = self._loaded(sig, target_context)
        if found is None:
            _get_ready_to_compile()
        return found

    def _loaded(self, sig: Any, target_context: Any) -> Any:
        try:
            # Not as numba does it, which gets ready to compile first: that takes longer than to load ten.
            _name_functions_of_runtime()
            with self._guard_against_spurious_io_errors():
                return self._load_overload(sig, target_context)
        except Exception:  # noqa: BLE001, a damaged file raises what its bytes happen to mean
            with suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:  # noqa: D102, numba's
        try:
            super().save_overload(sig, data)
        except OSError as error:
            self.disable()
            _say_once(error.strerror or str(error))


def _type_of(value: Any) -> Any:
    """The type of an argument; numba loads numpy.ma to tell masked arrays, which no kernel takes."""
    if type(value) is np.ndarray:
        kind, layout = numpy_support.from_dtype(value.dtype), numpy_support.map_layout(value)
        return types.Array(kind, value.ndim, layout, readonly=not value.flags.writeable)
    if isinstance(value, tuple):
        return types.BaseTuple.from_types(tuple(map(_type_of, value)), type(value))
    return typeof(value)


class KernelDispatcher(CPUDispatcher):  # type: ignore[misc]  # numba has no types
    """A dispatcher that can be told to compile for arguments without a call."""

    def enable_caching(self) -> None:
        """Keep the machine code on disk, wherever there is a folder for it."""
        try:
            self._cache = MachineCode(self.py_func)
        except (RuntimeError, OSError):  # numba found no folder
            self._cache = NullCache()
            _get_ready_to_compile()
            _say_once("neither the folder of structlearn nor that of the user can be written to")

    def _compilation_chain_init_hook(self) -> None:
        """Nothing yet: what numba does here is for what is compiled."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Compile for the types of a call in another kernel: a constant there is no type of its own.

        Nor is what a variable is while numba has seen only the first number given to it.
        """
        return super().get_call_template(tuple(map(types.unliteral, args)), kws)

    def typeof_pyval(self, val: Any) -> Any:
        """The type of an argument, as numba has it."""
        found = _type_of(val)
        self._types_active_call.add(found)
        return found

    def compile_for(self, arguments: tuple[Any, ...]) -> None:
        """Compile for the types of some arguments, or load that from the cache."""
        self._compile_for_args(*arguments)


def dispatcher_of(function: Function) -> KernelDispatcher:
    """The dispatcher of a kernel: serial, without the interpreter lock, cached on disk."""
    dispatcher = KernelDispatcher(function, targetoptions=HOW)
    dispatcher.enable_caching()
    return dispatcher


@cache
def _get_ready_to_compile() -> None:
    """Load what others add to numba, for which it looks through all packages; what is on disk needs no such.

    And spare a compilation the import of scipy.linalg, 0.2 s, by which numba learns whether there is a BLAS:
    there is, and kernels that multiply load it when they do.
    """
    from numba.np import linalg  # noqa: PLC0415, slow to load

    linalg.ensure_blas = lambda: None
    entrypoints.init_all()


def is_cached(dispatcher: KernelDispatcher) -> bool:
    """Whether there is machine code on disk, for some types of arguments."""
    cache = dispatcher._cache  # noqa: SLF001, as above
    return isinstance(cache, MachineCode) and cache.is_there


def is_cached_for(dispatcher: KernelDispatcher, arguments: tuple[Any, ...]) -> bool:
    """Whether there is machine code on disk for the types of some arguments."""
    cache = dispatcher._cache  # noqa: SLF001, as above
    signature = tuple(map(_type_of, arguments))
    return isinstance(cache, MachineCode) and cache.has(signature, dispatcher.targetctx.codegen())


_said: list[str] = []  # one sentence is enough for all kernels


def _say_once(reason: str) -> None:
    if _said:
        return
    _said.append(reason)
    warn(
        f"Compiled code cannot be kept ({reason}), so that each run compiles it again. Set the environment "
        "variable NUMBA_CACHE_DIR to a folder that can be written to.",
        RuntimeWarning,
    )


@type_callable(count_bits)  # type: ignore[untyped-decorator]  # numba has no types
def _type_of_count_bits(context: Any) -> Function:  # noqa: ARG001, numba passes it
    return lambda word: types.uint64 if word == types.uint64 else None


@lower_builtin(count_bits, types.uint64)  # type: ignore[untyped-decorator]  # numba has no types
def _compile_count_bits(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001, numba passes it
    return builder.ctpop(arguments[0])


@overload(count_common_bits)
def _compile_count_common_bits(left, right):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202, ARG001
    def count(left, right):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        total = np.uint64(0)
        for w in range(left.size):
            total += count_bits(left[w] & right[w])
        return np.int64(total)

    return count


@overload(write_common_bits)
def _compile_write_common_bits(left, right, out):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202, ARG001
    def write(left, right, out):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        for w in range(left.size):
            out[w] = left[w] & right[w]

    return write


# numba compares the names of arguments without their types, so these have none.
@overload(log_gamma)
def _compile_log_gamma(x):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202, ARG001
    return lambda x: math.lgamma(x)


@overload(dot)
def _compile_dot(left, right):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202, ARG001
    return lambda left, right: np.dot(left, right)
