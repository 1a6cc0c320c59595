"""How kernels are compiled: the only place that knows numba."""

from collections.abc import Callable
from typing import Any

import numba
from numba import config, types
from numba.extending import intrinsic

Kernel = Callable[..., Any]


def kernel(function: Kernel) -> Kernel:
    """Compile `function` on its first call; serial, without the interpreter lock, cached on disk."""
    compiled: Kernel = numba.njit(cache=True, nogil=True)(function)
    return compiled


def inlined(function: Kernel) -> Kernel:
    """Compile a small step of other kernels into each of its callers."""
    compiled: Kernel = numba.njit(cache=True, nogil=True, inline="always")(function)
    return compiled


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def _count_bits(typing_context: Any, word: Any) -> Any:  # noqa: ARG001, numba passes it
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


def _count_bits_without_compiler(word: int) -> int:
    return int(word).bit_count()


count_bits: Kernel = _count_bits_without_compiler if config.DISABLE_JIT else _count_bits
"""Count the set bits of a 64-bit word."""
