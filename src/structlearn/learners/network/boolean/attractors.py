"""Where a network settles: the cycles of a map of states on states, and what leads to each."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Label

Codes = NDArray[np.int64]
MOST_STEPS = 10_000  # a chaotic network of a hundred nodes would go on for longer than anybody waits


@dataclass(frozen=True)
class Attractor:
    """A fixed point or a cycle, in the order in which its states follow each other.

    `basin` is the share of all states that lead there, or of those that were tried where `is_exact` is
    False.
    """

    states: tuple[dict[str, Label], ...]
    basin: float
    is_exact: bool

    @property
    def is_fixed_point(self) -> bool:
        """Whether it is a single state."""
        return len(self.states) == 1


def all_cycles(follower: Codes, limit: int | None = None) -> list[tuple[list[int], float]]:
    """Each cycle from its least state on, with the share of states that lead to it; largest first.

    Leaps of 1, 2, 4, … steps carry every state into its cycle, and the least state of that cycle to it.
    """
    leap, least = follower, np.arange(len(follower))
    for _ in range(len(follower).bit_length()):
        least = np.minimum(least, least[leap])
        leap = leap[leap]
    leasts, sizes = np.unique(least[leap], return_counts=True)
    order = np.lexsort((leasts, -sizes))[:limit]
    return [(_cycle(follower, int(leasts[c])), float(sizes[c] / len(follower))) for c in order]


def _cycle(follower: Codes, first: int) -> list[int]:
    cycle = [first]
    while (state := int(follower[cycle[-1]])) != first:
        cycle.append(state)
    return cycle


def cycle_from(
    state: Codes,
    follower: Callable[[Codes], Codes],
    seen: dict[bytes, bytes],
    cycles: dict[bytes, tuple[Codes, ...]],
) -> bytes | None:
    """Follow a state into its cycle, and give that one's name: its least state; None if it is too far.

    `seen` has the cycle of each state that was passed, so that no way is gone twice; `cycles` has the states
    of each cycle.
    """
    way: dict[bytes, Codes] = {}
    while (key := _key(state)) not in seen and key not in way:
        if len(way) == MOST_STEPS:
            return None
        way[key] = state
        state = follower(state)
    if key in seen:
        name = seen[key]
    else:
        keys = list(way)
        cycle = keys[keys.index(key) :]
        name = min(cycle)
        first = cycle.index(name)
        cycles[name] = tuple(way[each] for each in cycle[first:] + cycle[:first])
    seen.update(dict.fromkeys(way, name))
    return name


def _key(state: Codes) -> bytes:
    return state.astype(">i8").tobytes()  # in the order of numbers
