"""Kernels in two tiers: interpreted until the compiler pays, compiled from then on.

A kernel is a plain function over arrays. Renting is cheaper than buying as long as little is needed: it runs
interpreted until the time it has spent so reaches what compiling it would cost, or until its arguments are so
large that one call could; then it is compiled, alone. Both tiers give the same results to the bit.
"""

import ctypes
import dis
import functools
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from time import monotonic, thread_time
from types import ModuleType
from typing import Any, ClassVar, cast

import numpy as np

from structlearn.garbage import none_collected
from structlearn.steps import MOST_STEPS, are_few, most_steps

Function = Callable[..., Any]

# Measured with numba 0.68 on the kernels of the default method: compiling takes 0.1 s for a function and 2 ms
# for each word of its bytecode, loading what is in the cache on disk 5 ms. Before the first of either, numba
# is imported and gets ready, which takes 0.3 s.
SECONDS_PER_FUNCTION = 0.1
SECONDS_PER_WORD = 0.002
SECONDS_TO_LOAD = 0.005
SECONDS_TO_GET_READY = 0.3
# Of interpreted kernels in all, before which numba is not loaded: where there is machine code on disk, that
# takes 0.3 s; where there is none it is compiled for 3 to 15 s, by any method that has come so far.
SECONDS_BEFORE_LOADING = 0.1
# The default method on 10,000 rows of ALARM takes 2 to 5 s so, by how busy the cores are, and 14 to 28 s
# where it comes upon the compiler.
SECONDS_NOBODY_MINDS = 6.0
# Of interpreted kernels, for each pair of columns: hill-climbing on ALARM takes 0.6 s so, and 0.03 on asia.
SECONDS_PER_PAIR = 0.0009
# Of the cost that one process bears: what is run once is run again, and finds the machine code on disk. With
# a half, the default method on ALARM stayed at 1.8 times its compiled speed in every later process, with a
# tenth at 1.2 times in the third; the first fit took 13 to 14 s with either.
SHARE = 0.1
SECONDS_PER_STEP = 5e-7
SECONDS_PER_STEP_OF_ARRAYS = 1e-9  # where numpy takes them: 13 million in 15 ms, counting all pairs of ALARM
# Calls between two that are timed, of a kernel within an interpreted one: taking the time of each made the
# interpreted walks over orders 2.7 times as slow.
MOST_UNTIMED = 15
SECONDS_OF_SILENCE = 1.0  # of compiling, before a person is told

HAS_COMPILER = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
# For servers and benchmarks, where every call shall be as quick as the next.
IS_EAGER = os.environ.get("STRUCTLEARN_COMPILE", "") == "always"


class _Thread(threading.local):
    """How many interpreted kernels a thread is in, one within the other, and how long it has compiled."""

    depth = 0
    compiled = 0.0


class _Spending:
    """What all kernels have cost: interpreted, and compiled beside what was expected."""

    interpreted = 0.0
    expected_in_all = 0.0
    foreseen = 0.0
    compiled = 0.0
    expected = 0.0
    by_kernel: ClassVar[dict[str, float | None]] = {}
    waited = 0.0  # for the compiler, by the clock on the wall

    @property
    def slowness(self) -> float:
        """How many times as long compiling takes here as where its costs were measured."""
        return self.compiled / self.expected if self.expected > 0.0 else 1.0


_thread = _Thread()
_spending = _Spending()
Listener = Callable[[str | None], None]
_listeners: list[Listener] = []


@contextmanager
def telling(listener: Listener) -> Iterator[None]:
    """Tell a listener which kernel keeps people waiting while it is compiled, and None when it is done."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


@contextmanager
def _told(name: str) -> Iterator[None]:
    """Tell whoever listens, unless it is done before anybody asks what is going on."""
    if not _listeners:
        yield
        return
    listener = _listeners[-1]
    timer = threading.Timer(SECONDS_OF_SILENCE, listener, [name])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        listener(None)


class Kernel(functools.partial[Any]):
    """A function that is interpreted first, and compiled once that pays.

    A call goes straight to `func`: to `_run` at first, later to numba's dispatcher, so that a call of a
    compiled kernel costs what it costs without tiers.
    """

    py_func: Function
    uncompiled: Function  # what runs in the first tier
    rent: float
    price: float
    is_being_compiled: bool
    n_untimed: int
    most_untimed: int
    targetoptions: dict[str, str]  # what numba asks for where another kernel calls this one

    def __new__(  # noqa: D102, above
        cls, function: Function, instead: Function | None = None, *, inline: bool = False
    ) -> "Kernel":
        self = super().__new__(cls, function)
        functools.update_wrapper(self, function)
        self.py_func = function
        self.uncompiled = instead or function
        self.rent = 0.0
        self.price = SECONDS_TO_LOAD
        self.is_being_compiled = False
        self.n_untimed = self.most_untimed = 0
        self.targetoptions = {"inline": "always"} if inline else {}
        self._send_to(self._run)
        return self

    @functools.cached_property
    def dispatcher(self) -> Any:
        """What numba makes of the function."""
        return _machine_code().dispatcher_of(self.py_func)

    @property
    def is_compiled(self) -> bool:
        """Whether there is machine code, for some types of arguments."""
        return "dispatcher" in self.__dict__ and bool(self.dispatcher.overloads)

    @property
    def is_at_hand(self) -> bool:
        """Whether no call waits for the compiler, but where all do: there is machine code, maybe on disk."""
        return IS_EAGER or self.is_compiled or self._seems_cached

    @property
    def _numba_type_(self) -> Any:
        """What numba asks for where a kernel that it compiles calls this one."""
        return self.dispatcher._numba_type_

    def __reduce__(self) -> str:
        return self.py_func.__qualname__  # a kernel is a global of its module, as functions are

    def _send_to(self, function: Function) -> None:
        self.__setstate__((function, (), {}, self.__dict__))  # type: ignore[attr-defined]  # it has one

    def _run(self, *arguments: Any) -> Any:
        if self.n_untimed < self.most_untimed and _thread.depth:
            self.n_untimed += 1
            return self.uncompiled(*arguments)
        pays = IS_EAGER or (self.rent >= self.price and self._pays())
        if pays or self._is_loaded_at_once(arguments) or self._could_run_long(arguments):
            return self._compile(arguments)(*arguments)
        return self.interpret(*arguments)

    def interpret(self, *arguments: Any) -> Any:
        """Run the function itself; what it calls runs in its own tier."""
        depth, start = _thread.depth, thread_time() - _thread.compiled
        _thread.depth = depth + 1
        try:
            if depth:
                return self.uncompiled(*arguments)
            # As compiled code: whole numbers wrap around in silence, and Python's own numbers come back.
            with np.errstate(all="ignore"):
                return _boxed(self.uncompiled(*arguments))
        finally:
            # With the kernels below, as the price is that of all of them.
            rent = thread_time() - _thread.compiled - start
            self.rent += rent * (1 + self.n_untimed)
            self.n_untimed, self.most_untimed = 0, MOST_UNTIMED
            _spending.interpreted += 0.0 if depth else rent
            _thread.depth = depth

    def _is_loaded_at_once(self, arguments: tuple[Any, ...]) -> bool:
        """Whether much is to come, and machine code for such arguments is there.

        To load it takes 3 ms, and one call by numpy mostly longer: hill-climbing on ALARM spent 0.2 s of a
        script's second so. What an interpreted kernel calls is within the machine code of that one.
        """
        if _thread.depth or _spending.foreseen < SECONDS_TO_GET_READY or not self._seems_cached:
            return False
        self._seems_cached = bool(_machine_code().is_cached_for(self.dispatcher, arguments))
        return self._seems_cached

    def _pays(self) -> bool:
        """Whether the rent has reached the price; if not, the price to ask again at."""
        if self._is_due:
            # While one thread compiles, the others go on until they too could have done it.
            self.price = SHARE * _spending.slowness * self._cost() * (2.0 if self.is_being_compiled else 1.0)
        else:
            self.price = self.rent + SECONDS_TO_LOAD
        return self.rent >= self.price

    @property
    def _is_due(self) -> bool:
        """Whether it is time for numba, or it is there already."""
        if _spending.expected > 0.0:
            return True
        if not self._seems_cached:
            return max(_spending.interpreted, _spending.expected_in_all) >= SECONDS_NOBODY_MINDS
        return _spending.foreseen >= SECONDS_TO_GET_READY or _spending.interpreted >= SECONDS_BEFORE_LOADING

    @functools.cached_property
    def _seems_cached(self) -> bool:
        """Whether a file looks like machine code of this kernel, where numba keeps it."""
        code, folder = self.py_func.__code__, os.environ.get("NUMBA_CACHE_DIR")
        file = Path(code.co_filename)
        name = f"{file.stem}.{self.py_func.__qualname__}-{code.co_firstlineno}.*.nbi"
        if folder:
            return any(Path(folder).glob(f"{file.parent.name}_*/{name}"))
        return any((file.parent / "__pycache__").glob(name))

    def _cost(self) -> float:
        """What machine code costs: to load it, or to compile it."""
        is_there = self.is_compiled or _machine_code().is_cached(self.dispatcher)
        return SECONDS_TO_LOAD if is_there else self._cost_of_compiling()

    def _cost_of_compiling(self) -> float:
        """What it costs to compile this and all kernels below."""
        needed, waiting = {self}, [self]
        while waiting:
            new = {callee for callee in waiting.pop().callees() if not callee.is_compiled} - needed
            needed |= new
            waiting.extend(new)
        n_words = sum(len(each.py_func.__code__.co_code) // 2 for each in needed)
        return len(needed) * SECONDS_PER_FUNCTION + n_words * SECONDS_PER_WORD

    def callees(self) -> "Iterator[Kernel]":
        """The kernels that this one calls."""
        names = self.py_func.__code__.co_names
        for name in names:
            value = self.py_func.__globals__.get(name)
            found = (
                [getattr(value, inner, None) for inner in names] if isinstance(value, ModuleType) else [value]
            )
            yield from (each for each in found if isinstance(each, Kernel))

    def _compile(self, arguments: tuple[Any, ...]) -> Any:
        is_there = self._cost() == SECONDS_TO_LOAD
        expected = self._cost() + (0.0 if _spending.expected else SECONDS_TO_GET_READY)
        start, began = thread_time(), monotonic()
        self.is_being_compiled = True
        try:
            with _told(self.py_func.__name__):
                self.dispatcher.compile_for(arguments)
        finally:
            self.is_being_compiled = False
            elapsed = thread_time() - start
            _thread.compiled += elapsed
            _spending.compiled += expected if is_there else elapsed  # a load says nothing of compiling
            _spending.expected += expected
            _spending.waited += monotonic() - began
            _spending.by_kernel[f"{self.py_func.__module__}.{self.py_func.__name__}"] = (
                None if is_there else elapsed
            )
        self._send_to(self.dispatcher)
        return self.dispatcher

    def _could_run_long(self, arguments: tuple[Any, ...]) -> bool:
        if are_few(arguments):
            return False
        if self.uncompiled is not self.py_func:
            seconds = most_steps(arguments, 3) * SECONDS_PER_STEP_OF_ARRAYS
            if seconds <= SECONDS_TO_GET_READY or self._seems_cached:
                return seconds > SECONDS_TO_GET_READY
            return seconds > self._cost_of_compiling()
        if most_steps(arguments, 4) <= MOST_STEPS or not self._n_loops:
            return False
        n_steps = most_steps(arguments, self._n_loops)
        if n_steps <= MOST_STEPS or self._seems_cached:
            return n_steps > MOST_STEPS
        return n_steps * SECONDS_PER_STEP > self._cost_of_compiling()

    @functools.cached_property
    def _n_loops(self) -> int:
        """How many loops are within each other, at most."""
        jumps = [each for each in dis.get_instructions(self.py_func) if "JUMP_BACKWARD" in each.opname]
        ends: dict[int, int] = {}
        for jump in jumps:
            ends[jump.argval] = jump.offset
        return max((sum(first <= at <= end for first, end in ends.items()) for at in ends), default=0)


def foresee(seconds: float) -> None:
    """Expect interpreted kernels to take so long from here on; if too long, they are compiled soon."""
    _spending.expected_in_all = max(_spending.expected_in_all, _spending.interpreted + seconds)


def foresee_columns(n_columns: int) -> None:
    """Expect work on so many columns: of many, machine code that is there is loaded at once."""
    _spending.foreseen = max(_spending.foreseen, n_columns * (n_columns - 1) / 2 * SECONDS_PER_PAIR)


@functools.cache
def _machine_code() -> Any:
    """What knows numba, which is slow to load; a fifth less where nobody looks for garbage meanwhile."""
    with none_collected():
        return import_module("structlearn.machine_code")


def seconds_of_compiling() -> float:
    """How long this process has waited for the compiler, by the clock on the wall."""
    return _spending.waited


def compiled() -> dict[str, float | None]:
    """The kernels that this process has compiled, with CPU seconds; None for those that were on disk."""
    return _spending.by_kernel


def kernel(function: Function | None = None, *, instead: Function | None = None, inline: bool = False) -> Any:
    """Compile `function` once that pays: serial, without the interpreter lock, cached on disk.

    Until then it is interpreted, or `instead` runs, which does the same by whole arrays. With `inline` its
    code is put where kernels call it: no arrays are handed on, or counted as in use, which takes longer than
    a loop over a few rows.
    """
    if function is None:
        return functools.partial(kernel, instead=instead, inline=inline)
    return Kernel(function, instead, inline=inline) if HAS_COMPILER else function


def _boxed(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, tuple):
        return tuple(map(_boxed, value)) if type(value) is tuple else type(value)(*map(_boxed, value))
    return value


def count_bits(word: int) -> int:
    """Count the set bits of a 64-bit word."""
    return int(word).bit_count()


def count_common_bits(left: Any, right: Any) -> int:
    """Count the bits that are set in both of two arrays of 64-bit words."""
    return int(np.bitwise_count(left & right).sum())


def write_common_bits(left: Any, right: Any, out: Any) -> None:
    """Write the bits that are set in both of two arrays of 64-bit words."""
    np.bitwise_and(left, right, out=out)


def log_gamma(x: float) -> float:
    """The logarithm of the gamma function, to the bit as compiled code has it: Python's own is another."""
    return float(_log_gamma_in_c()(x))


@functools.cache
def _log_gamma_in_c() -> Function:
    """What the C library has, as compiled code calls it; where that cannot be asked, numba's."""
    try:
        found = ctypes.CDLL(None).lgamma
    except (AttributeError, OSError, TypeError):
        return cast("Function", _machine_code().log_gamma_in_c)
    found.argtypes, found.restype = [ctypes.c_double], ctypes.c_double
    return found


def dot(left: Any, right: Any) -> float:
    """The inner product of two arrays by the library that compiled code calls; numpy has its own."""
    product = _blas().sdot if left.dtype == np.float32 else _blas().ddot
    return cast("float", product(left, right))


@functools.cache
def _blas() -> ModuleType:
    return import_module("scipy.linalg.blas")  # slow to load
