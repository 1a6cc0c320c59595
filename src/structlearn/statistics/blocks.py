"""Sharing a batch of independent pieces of work among threads, or among the workers that a user chose."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeVar

from structlearn.later import joblib

Piece = TypeVar("Piece")
Found = TypeVar("Found")
COST_OF_A_THREAD = 5e6  # row visits; below this, starting threads costs more than they save


def in_blocks(work: Callable[[slice], None], n_pieces: int, *, cost: float, n_jobs: int) -> None:
    """Call `work` on slices of 0 … n_pieces that cover it, in threads where that pays.

    The slices are contiguous, and what they compute must not depend on where they are cut.
    """
    pays = cost >= COST_OF_A_THREAD and n_jobs != 1
    n_blocks = min(joblib.effective_n_jobs(n_jobs) * 4, n_pieces) if pays else 1
    if n_blocks <= 1:
        work(slice(0, n_pieces))
        return
    cuts = [n_pieces * b // n_blocks for b in range(n_blocks + 1)]
    blocks = [slice(a, b) for a, b in pairwise(cuts)]
    joblib.Parallel(n_jobs=n_jobs, require="sharedmem")(joblib.delayed(work)(block) for block in blocks)


def each_by_a_worker(work: Callable[[Piece], Found], pieces: Sequence[Piece], *, n_jobs: int) -> list[Found]:
    """What `work` gives for each piece: by what `joblib.parallel_config` says, or by threads.

    Workers may be other processes, so that all there is to know of the work is in what it is given and gives.
    One job is what nobody asked for, and leaves the number to the user's choice of workers too.
    """
    wanted = None if n_jobs == 1 else n_jobs
    if joblib.effective_n_jobs(wanted) == 1 or len(pieces) == 1:
        return [work(piece) for piece in pieces]
    found: list[Found] = joblib.Parallel(n_jobs=wanted, prefer="threads")(
        joblib.delayed(work)(piece) for piece in pieces
    )
    return found
