"""How many steps the loops of a function take over its arguments, at most."""

from typing import Any

import numpy as np

# Of an inner loop, that any interpreted call may take; a step takes about 0.5 µs, so these take 0.25 s,
# as long as compiling a small kernel.
MOST_STEPS = 500_000
FEW = 700  # numbers of an array: four loops within each other take at most the square of it, fewer than those
Array = np.ndarray  # a name that is found at once: these are asked before every call
ENDLESS = 1 << 40  # no loop runs so often: a number like this is a limit that is none, or a set of bits


def are_few(arguments: tuple[Any, ...]) -> bool:
    """Whether no loops over them take many steps, for certain: to count them may take longer than a call."""
    for argument in arguments:
        if isinstance(argument, Array):
            if argument.size > FEW and _steps_of(argument, 4) > MOST_STEPS:
                return False
        elif isinstance(argument, tuple):
            for each in argument:
                if isinstance(each, Array) and each.size > FEW and _steps_of(each, 4) > MOST_STEPS:
                    return False
        elif isinstance(argument, int) and argument > MOST_STEPS:
            return False
    return True


def _steps_of(array: Array, n_loops: int) -> int:
    n_axes, size = array.ndim, array.size
    if n_axes <= 1 or n_loops <= 2 or not size:
        return size
    shorter = min(array.shape) if n_axes == 2 else sorted(array.shape)[-2]
    return int(size * shorter ** (n_loops - 2))


def most_steps(arguments: tuple[Any, ...], n_loops: int) -> int:
    """How many steps loops within each other take: over all of an array, and again along its shorter axis."""
    most = 0
    for argument in arguments:
        if isinstance(argument, Array):
            most = max(most, _steps_of(argument, n_loops))
        elif isinstance(argument, tuple):
            # A whole number among arrays is an option, and how often a loop runs is an argument of its own.
            arrays = tuple(each for each in argument if isinstance(each, Array))
            most = max(most, most_steps(arrays, n_loops))
        elif isinstance(argument, int) and argument < ENDLESS:
            most = max(most, argument)
    return most
