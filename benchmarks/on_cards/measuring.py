"""Seconds, and the card's memory."""

import threading
import time
from collections.abc import Callable

from structlearn.gpu.card import free_bytes

LONG_S = 3.0  # a run that is longer is not repeated
BETWEEN_LOOKS_S = 0.001


def best_of(call: Callable[[], object]) -> float:
    """The shortest time of three calls, or of one that is long."""
    seconds: list[float] = []
    while len(seconds) < 3 and not (seconds and seconds[0] > LONG_S):
        started = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def peak_gib(call: Callable[[], object]) -> float:
    """The most of the card's memory that was taken during a call, as a thread that looks often saw it."""
    before, ended, least = free_bytes(), threading.Event(), []

    def look() -> None:
        while not ended.is_set():
            least.append(free_bytes())
            ended.wait(BETWEEN_LOOKS_S)

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        call()
    finally:
        ended.set()
        watcher.join()
    return (before - min(least)) / 2**30
