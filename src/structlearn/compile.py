"""How kernels are compiled: the only place that knows numba.

A kernel is a plain function over arrays. It runs interpreted until the time it has spent so reaches what
compiling it would cost, or its arguments are so large that one call could; then it is compiled, alone.
"""

import threading
from collections.abc import Callable, Iterator
from time import thread_time
from types import ModuleType
from typing import Any

import numpy as np
from numba import config, types
from numba.core.registry import CPUDispatcher
from numba.extending import lower_builtin, type_callable

Kernel = Callable[..., Any]

# Measured with numba 0.68 on the kernels of the default method: compiling takes 0.1 s for a function and 2 ms
# for each word of its bytecode; loading what is in the cache on disk takes 5 ms; and the first of either
# 0.3 s more, in which numba gets ready.
SECONDS_PER_FUNCTION = 0.1
SECONDS_PER_WORD = 0.002
SECONDS_TO_LOAD = 0.005
SECONDS_TO_GET_READY = 0.3
# A pass over so many elements takes about 0.05 s interpreted, as long as compiling the smallest function.
LARGE = 50_000
ENDLESS = 1 << 40  # no loop runs so often: a number like this is a limit that is none, or a set of bits


class _Elsewhere(threading.local):
    """The time that kernels called by the one that runs have spent: they pay for it themselves."""

    seconds = 0.0


_elsewhere = _Elsewhere()
_is_ready = threading.Event()


class TieredDispatcher(CPUDispatcher):  # type: ignore[misc]  # numba has no types
    """A dispatcher that compiles for new types of arguments only when that pays.

    numba's own code looks up what is compiled, so that a call of it costs what it always costs; it asks
    `_compile_for_args` for anything else, and calls what that returns.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.rent = 0.0
        self.is_being_compiled = False
        self.n_words = len(self.py_func.__code__.co_code) // 2
        self._price: float | None = None

    def _compile_for_args(self, *arguments: Any) -> Kernel:
        if self._price is None:
            self._price = self._find_price()
        # While one thread compiles, the others go on; those that would wait for longer than that wait.
        patience = 2.0 if self.is_being_compiled else 1.0
        if self.rent < patience * self._price and _largest(arguments) <= LARGE:
            return self._interpret
        start = thread_time()
        self.is_being_compiled = True
        try:
            compiled: Kernel = super()._compile_for_args(*arguments)
        finally:
            self.is_being_compiled = False
            _is_ready.set()
            self.rent, self._price = 0.0, None
            _elsewhere.seconds += thread_time() - start
        return compiled

    def _interpret(self, *arguments: Any) -> Any:
        before, _elsewhere.seconds = _elsewhere.seconds, 0.0
        start = thread_time()
        try:
            # As compiled code does: whole numbers wrap around, and nothing is said about it.
            with np.errstate(all="ignore"):
                return self.py_func(*arguments)
        finally:
            elapsed = thread_time() - start
            self.rent += elapsed - _elsewhere.seconds
            _elsewhere.seconds = before + elapsed

    def _find_price(self) -> float:
        """What compiling costs, with all kernels that it calls; less if there is something in the cache."""
        getting_ready = 0.0 if _is_ready.is_set() else SECONDS_TO_GET_READY
        if self._cache._cache_file._load_index():  # noqa: SLF001, numba has no other way to ask
            return SECONDS_TO_LOAD + getting_ready
        needed = {self}
        waiting = [self]
        while waiting:
            new = {callee for callee in _callees(waiting.pop().py_func) if not callee.overloads} - needed
            needed |= new
            waiting.extend(new)
        n_words = sum(each.n_words for each in needed)
        return getting_ready + len(needed) * SECONDS_PER_FUNCTION + n_words * SECONDS_PER_WORD

    def __reduce__(self) -> str:
        return str(self.py_func.__qualname__)


def kernel(function: Kernel) -> Kernel:
    """Compile `function` once that pays: serial, without the interpreter lock, cached on disk."""
    if config.DISABLE_JIT:
        return function
    dispatcher: Kernel = TieredDispatcher(function, targetoptions={"nopython": True, "nogil": True})
    dispatcher.enable_caching()  # type: ignore[attr-defined]
    return dispatcher


def _callees(function: Any) -> Iterator[TieredDispatcher]:
    names = function.__code__.co_names
    for name in names:
        value = function.__globals__.get(name)
        found = [getattr(value, inner, None) for inner in names] if isinstance(value, ModuleType) else [value]
        yield from (each for each in found if isinstance(each, TieredDispatcher))


def _largest(arguments: tuple[Any, ...]) -> int:
    """The number of elements of the largest array, or the largest number, among the arguments."""
    largest = 0
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            largest = max(largest, argument.size)
        elif isinstance(argument, tuple):
            largest = max(largest, _largest(argument))
        elif isinstance(argument, int) and argument < ENDLESS:
            largest = max(largest, argument)
    return largest


def count_bits(word: int) -> int:
    """Count the set bits of a 64-bit word."""
    return int(word).bit_count()


@type_callable(count_bits)  # type: ignore[untyped-decorator]  # numba has no types
def _type_of_count_bits(context: Any) -> Kernel:  # noqa: ARG001, numba passes it
    return lambda word: types.uint64 if word == types.uint64 else None


@lower_builtin(count_bits, types.uint64)  # type: ignore[untyped-decorator]
def _compile_count_bits(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
    return builder.ctpop(arguments[0])
