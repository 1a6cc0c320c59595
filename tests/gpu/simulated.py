"""Checks under numba's simulator of CUDA: `NUMBA_ENABLE_CUDASIM=1 python -m tests.gpu.simulated MODULE`.

The simulator has to be chosen before numba is loaded, so the checks of a module are a process of their own.
"""

import sys
from importlib import import_module

import numpy as np
from numba.cuda.simulator import kernelapi

import structlearn as sl
from structlearn.gpu import families, subsets
from structlearn.search.parent_sets import drop_bit


def random_families(n, rng, n_low):
    """A few parent sets of each node with gains, and the same as the kernel takes them."""
    lists, starts = [], [0]
    for node in range(n):
        masks = np.unique(rng.integers(0, 1 << n, 5) & ~(1 << node))
        gains = np.sort(-rng.exponential(size=len(masks)))[::-1]
        lists.append((rng.permutation(masks), gains - gains[0]))
        starts.append(starts[-1] + len(masks))
    low_bits = (1 << n_low) - 1
    lows = [drop_bit(masks & low_bits, 1 << node) for node, (masks, _) in enumerate(lists)]
    highs = [masks >> n_low for masks, _ in lists]
    gains = np.concatenate([gains for _, gains in lists])
    packed = subsets.PackedFamilies(
        np.array(starts), np.concatenate(lows).astype(np.int32), np.concatenate(highs).astype(np.int32), gains
    )
    return lists, packed


def plain_totals(n, lists):
    """The recursion itself: the best last node of every set, and its best parents among the others."""
    totals = np.full(1 << n, -np.inf)
    totals[0] = 0.0
    for members in range(1, 1 << n):
        for node in (node for node in range(n) if members >> node & 1):
            others = members & ~(1 << node)
            masks, gains = lists[node]
            fitting = gains[(masks & ~others) == 0]
            totals[members] = max(totals[members], totals[others] + fitting.max(initial=-np.inf))
    return totals


def check_totals_of_all_subsets():
    rng = np.random.default_rng(0)
    for trial in range(60):
        n = 1 + trial % 5
        subsets.N_LOW = 1 + trial % 3
        lists, packed = random_families(n, rng, min(n, subsets.N_LOW))
        found = subsets.fill_totals(packed, n, lambda: False)
        np.testing.assert_array_equal(np.asarray(found), plain_totals(n, lists))


def check_a_run_that_must_stop():
    _, packed = random_families(4, np.random.default_rng(1), 2)
    assert subsets.fill_totals(packed, 4, lambda: True) is None


def check_exact_search():
    for seed in range(3):
        data = sl.example("cancer").sample(300, random_state=seed)
        here, there = (sl.ExactSearch(device=device).fit(data) for device in ("cpu", "cuda"))
        assert there.graph_ == here.graph_
        assert (there.score_, there.bound_, there.gap_) == (here.score_, here.bound_, 0.0)
        assert there.proof_ == here.proof_


def one_array_for_all_threads(self, shape, dtype):
    """In place of the simulator's own way, in which two threads that ask at once have one each."""
    caller = sys._getframe(1)
    return self._allocations.setdefault((caller.f_code, caller.f_lineno), np.empty(shape, dtype))


if __name__ == "__main__":
    kernelapi.FakeCUDAShared.array = one_array_for_all_threads
    subsets.N_LOW = subsets.N_THREADS = families.N_THREADS = 2  # each thread is one of Python's
    sys.setswitchinterval(1e-6)  # at barriers a thread waits for the others to have their turn
    for name, check in list(vars(import_module(sys.argv[1])).items()):
        if name.startswith("check_"):
            check()
