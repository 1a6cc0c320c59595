"""How long chains run, and which of their orders are recorded."""

import math
from operator import methodcaller

from structlearn.learners.order.chains.order_chain import OrderChain
from structlearn.run import Run
from structlearn.statistics.blocks import each_by_a_worker

FEWEST_STEPS = 5_000  # of a chain over few columns: not for mixing, but for a smooth estimate
MOST_RECORDS_PER_CALL = 256  # their draws are made before the call, one per step
ROWS_PER_CALL = 1e8  # looked at between two looks at the clock
STEP_ROWS_PER_CALL = 1e7  # where these are fewer than a record takes


def usual_steps(n_nodes: int) -> int:
    """6 n² ln n: the time to mix n things by swaps, n ln n, times a multiple of n for those not accepted."""
    return max(math.ceil(6 * n_nodes * n_nodes * math.log(n_nodes)), FEWEST_STEPS)


class Recording:
    """Runs chains side by side, as long as there is time.

    Parameters
    ----------
    chains : list of OrderChain
        What runs.
    run : Run
        When to stop.
    thin : int
        Every how many steps an order is recorded.
    n_jobs : int
        How many chains run at once.
    """

    def __init__(self, chains: list[OrderChain], run: Run, *, thin: int, n_jobs: int) -> None:
        self._chains = chains
        self._run = run
        self._thin = thin
        self._n_jobs = n_jobs
        n_rows = chains[0].n_rows * thin
        self._most = min(MOST_RECORDS_PER_CALL, 1 + int(ROWS_PER_CALL / n_rows))
        # Where there are very many rows, the steps to a single record take minutes, or hours uncompiled.
        self._stride = 1 + int(STEP_ROWS_PER_CALL / chains[0].n_rows)

    def make(self, n_records: int, n_burnt: int) -> None:
        """Record so many orders of every chain, and forget the first of them; at least one stays."""
        self._record(n_burnt)
        for chain in self._chains:
            chain.forget()
        self._record(n_records - n_burnt)
        if not self._chains[0].log_weights:
            for chain in self._chains:
                chain.run(1, 0)

    def _record(self, n_records: int) -> None:
        """Let all chains record so many orders, or as many as there is time for."""
        n_done = 0
        while n_done < n_records and not self._run.must_stop():
            self._run.show(f"{len(self._chains)} chains", n_done, n_records)
            n_more = min(self._most, n_records - n_done)
            left = self._thin
            while self._most == 1 and left > self._stride and not self._run.must_stop():
                self._let_all("walked", self._stride)
                left -= self._stride
            if left > self._stride and self._run.must_stop():
                break
            self._let_all("after", n_more, left)
            n_done += n_more

    def _let_all(self, do: str, *arguments: int) -> None:
        go = methodcaller(do, *arguments)
        # In place, as whoever made the chains reads them at the end.
        self._chains[:] = each_by_a_worker(go, self._chains, n_jobs=self._n_jobs)
