"""Going over all nodes, in blocks that threads share."""

from collections.abc import Callable
from typing import Protocol

from structlearn.run import Run
from structlearn.statistics.blocks import in_blocks

AT_ONCE = 128  # between two looks at the clock


class Go(Protocol):
    """Calls a piece of work on slices of nodes that cover them all."""

    def __call__(self, work: Callable[[slice], None]) -> None:
        """Do the work for every node, unless the run must stop before."""


class NodeBlocks:
    """Goes over the nodes of a table of so many rows until the run must stop."""

    def __init__(self, n_nodes: int, n_rows: int, *, n_jobs: int, run: Run) -> None:
        self.n_nodes, self.run, self.note = n_nodes, run, "regressions"
        self._cost, self._n_jobs = float(n_nodes) * n_rows, n_jobs

    def __call__(self, work: Callable[[slice], None]) -> None:
        """Do the work for every node, unless the run must stop before."""
        for start in range(0, self.n_nodes, AT_ONCE):
            if self.run.must_stop():
                return
            n_here = min(AT_ONCE, self.n_nodes - start)

            def shifted(nodes: slice, start: int = start) -> None:
                work(slice(start + nodes.start, start + nodes.stop))

            in_blocks(shifted, n_here, cost=self._cost * n_here, n_jobs=self._n_jobs)
            self.run.show(self.note, start + n_here, self.n_nodes)
