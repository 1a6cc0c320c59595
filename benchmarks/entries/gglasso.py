"""GGLasso, whose solver alternates between the likelihood and the penalty."""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.entries.each_node import read
from benchmarks.entries.entry import Entry
from benchmarks.objectives import correlation
from benchmarks.tables import Table


def precision(table: Table) -> Callable[[], Any]:
    from gglasso.solver.single_admm_solver import block_SGL

    covariance = correlation(table)
    start = np.eye(len(covariance))
    return lambda: block_SGL(covariance, table.penalty, start, tol=1e-7, rtol=1e-6)["Theta"]


ENTRIES = (Entry("gglasso", "block_SGL", "undirected", precision, read, ("precision",)),)
