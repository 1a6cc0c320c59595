"""skglm: one regression per node, and its graphical lasso."""

from collections.abc import Callable
from typing import Any

from benchmarks.entries.each_node import read, regress_each_node
from benchmarks.entries.entry import Entry
from benchmarks.objectives import correlation, signs, standardised
from benchmarks.tables import Table


def precision(table: Table) -> Callable[[], Any]:
    from skglm.covariance import GraphicalLasso

    covariance = correlation(table)
    model = GraphicalLasso(alpha=table.penalty, tol=1e-5, inner_tol=1e-7)
    return lambda: model.fit(covariance, mode="precomputed").precision_


def lasso(table: Table) -> Callable[[], Any]:
    from skglm import Lasso

    columns = standardised(table)
    model = Lasso(table.penalty, fit_intercept=False)
    return lambda: regress_each_node(model, columns, columns.copy(order="F"))


def logistic(table: Table) -> Callable[[], Any]:
    from skglm import SparseLogisticRegression

    columns = signs(table)
    model = SparseLogisticRegression(table.penalty / 2.0)
    return lambda: regress_each_node(model, columns, table.values)


ENTRIES = (
    Entry("skglm", "GraphicalLasso", "undirected", precision, read, ("precision",)),
    Entry("skglm", "Lasso per node", "undirected", lasso, read, ("neighborhoods",)),
    Entry("skglm", "SparseLogisticRegression per node", "undirected", logistic, read, ("ising",)),
)
