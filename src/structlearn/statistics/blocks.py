"""Sharing a batch of independent pieces of work among threads, or among the workers that a user chose."""

import math
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextvars import copy_context
from functools import cache
from itertools import pairwise
from threading import local
from typing import TypeVar

from structlearn.later import joblib

Piece = TypeVar("Piece")
Found = TypeVar("Found")
COST_OF_A_THREAD = 1e6  # row visits; below this, threads cost more than they save
BLOCKS_PER_THREAD = (
    2  # a thread with an easy one takes another; more would work out twice what neighbours share
)
_here = local()


def in_blocks(
    work: Callable[[slice], None],
    n_pieces: int,
    *,
    cost: float,
    n_jobs: int,
    per_thread: int = BLOCKS_PER_THREAD,
) -> None:
    """Call `work` on slices of 0 … n_pieces that cover it, in threads where that pays.

    The slices are contiguous, `per_thread` for each of them, and what they compute must not depend on where
    they are cut. This thread does its share; what a thread does is not divided again.
    """
    pays = cost >= COST_OF_A_THREAD and n_jobs != 1 and not getattr(_here, "is_shared", False)
    n_threads = joblib.effective_n_jobs(n_jobs) if pays else 1
    n_blocks = min(n_threads * per_thread, n_pieces)
    if COST_OF_A_THREAD > 0.0:  # to hand over what is soon done takes longer
        n_blocks = min(n_blocks, math.ceil(cost / COST_OF_A_THREAD))
    if n_threads == 1 or n_blocks <= 1:
        work(slice(0, n_pieces))
        return
    cuts = [n_pieces * b // n_blocks for b in range(n_blocks + 1)]
    first, *others = (slice(a, b) for a, b in pairwise(cuts))
    pool = _pool(n_threads - 1, os.getpid())
    # With the context, in which numpy keeps what it does not warn of.
    waiting = [pool.submit(copy_context().run, work, block) for block in others]
    try:
        _here.is_shared = True
        work(first)
        # What no thread has begun is done here, the last first: to be woken takes a thread a while.
        for each, block in zip(waiting[::-1], others[::-1], strict=True):
            if each.cancel():
                work(block)
            else:
                each.result()
    finally:  # whatever happened, nobody writes any more
        _here.is_shared = False
        for each in waiting:
            each.cancel()
        wait(waiting)


@cache
def _pool(n_threads: int, _process: int) -> ThreadPoolExecutor:
    """Threads that wait for work: to start them takes longer than many a batch. A fork has its own."""

    def begin() -> None:
        _here.is_shared = True

    return ThreadPoolExecutor(n_threads, "structlearn", initializer=begin)


def n_workers(n_jobs: int | None) -> int:
    """How many workers joblib would take; while nobody has loaded it, nobody has chosen any."""
    if n_jobs in (None, 1) and "joblib" not in sys.modules:
        return 1
    return int(joblib.effective_n_jobs(n_jobs))


def each_by_a_worker(work: Callable[[Piece], Found], pieces: Sequence[Piece], *, n_jobs: int) -> list[Found]:
    """What `work` gives for each piece: by what `joblib.parallel_config` says, or by threads.

    Workers may be other processes, so that all there is to know of the work is in what it is given and gives.
    One job is what nobody asked for, and leaves the number to the user's choice of workers too.
    """
    wanted = None if n_jobs == 1 else n_jobs
    if len(pieces) == 1 or n_workers(wanted) == 1:
        return [work(piece) for piece in pieces]
    found: list[Found] = joblib.Parallel(n_jobs=wanted, prefer="threads")(
        joblib.delayed(work)(piece) for piece in pieces
    )
    return found
