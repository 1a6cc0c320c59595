"""scikit-learn: one regression per node, and its graphical lasso."""

from collections.abc import Callable
from typing import Any

from benchmarks.entries.each_node import read, regress_each_node
from benchmarks.entries.entry import Entry
from benchmarks.objectives import correlation, signs, standardised
from benchmarks.tables import Table


def precision(table: Table) -> Callable[[], Any]:
    from sklearn.covariance import graphical_lasso

    covariance = correlation(table)
    return lambda: graphical_lasso(covariance, table.penalty, tol=1e-5, enet_tol=1e-7, max_iter=200)[1]


def lasso(table: Table) -> Callable[[], Any]:
    from sklearn.linear_model import Lasso

    columns = standardised(table)
    model = Lasso(table.penalty, fit_intercept=False, copy_X=False, tol=1e-7)
    return lambda: regress_each_node(model, columns, columns.copy(order="F"))


def logistic(solver: str, **options: Any) -> Callable[[Table], Callable[[], Any]]:
    """By coordinate descent with the intercept as one more column, or with a free one."""

    def prepare(table: Table) -> Callable[[], Any]:
        from sklearn.linear_model import LogisticRegression

        columns = signs(table)
        strength = 2.0 / (table.penalty * len(columns))
        model = LogisticRegression(C=strength, l1_ratio=1.0, solver=solver, max_iter=1000, **options)
        return lambda: regress_each_node(model, columns, table.values)

    return prepare


ENTRIES = (
    Entry("sklearn", "graphical_lasso", "undirected", precision, read, ("precision",)),
    Entry("sklearn", "Lasso per node", "undirected", lasso, read, ("neighborhoods",)),
    Entry("sklearn", "LogisticRegression, saga", "undirected", logistic("saga"), read, ("ising",)),
    Entry(
        "sklearn",
        "LogisticRegression, liblinear (penalises the intercept)",
        "undirected",
        logistic("liblinear"),
        read,
        ("ising",),
        is_same_work=False,
    ),
)
