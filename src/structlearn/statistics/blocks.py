"""Sharing a batch of independent pieces of work among threads."""

from collections.abc import Callable
from itertools import pairwise

from structlearn.later import joblib

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
