"""Going over all nodes, in blocks that threads share."""

from collections.abc import Callable
from typing import Protocol

from structlearn.run import Pace, Run
from structlearn.statistics.blocks import in_blocks

FIRST_NODES, MOST_NODES = 1, 4096  # before it is known how long a node takes, and however little it does


class Go(Protocol):
    """Calls a piece of work on slices of nodes that cover them all."""

    must_stop: Callable[[], bool]

    def __call__(self, work: Callable[[slice], None]) -> None:
        """Do the work for every node, unless the run must stop before."""


class NodeBlocks:
    """Goes over the nodes of a table of so many rows until the run must stop."""

    def __init__(self, n_nodes: int, n_rows: int, *, n_jobs: int, run: Run) -> None:
        self.n_nodes, self.run, self.note = n_nodes, run, "regressions"
        self._cost, self._n_jobs = float(n_nodes) * n_rows, n_jobs
        self._pace = Pace(FIRST_NODES, most=MOST_NODES)
        self.must_stop = run.must_stop

    def __call__(self, work: Callable[[slice], None]) -> None:
        """Do the work for every node, unless the run must stop before."""
        start = 0
        while start < self.n_nodes and not self.run.must_stop():
            n_here = min(self._pace.n_at_once, self.n_nodes - start)

            def shifted(nodes: slice, start: int = start) -> None:
                work(slice(start + nodes.start, start + nodes.stop))

            with self._pace.keep(n_here):
                in_blocks(shifted, n_here, cost=self._cost * n_here, n_jobs=self._n_jobs)
            start += n_here
            self.run.show(self.note, start, self.n_nodes)
