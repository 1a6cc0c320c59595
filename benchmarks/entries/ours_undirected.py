"""structlearn's penalised learners, from a prepared Dataset."""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.entries.entry import Answer, Entry
from benchmarks.entries.ours import dataset
from benchmarks.tables import Table

COUPLINGS_TO_WEIGHTS = 2.0  # a coupling of the Ising model is half the logistic weight of a sign


def penalised(learner: str, **options: Any) -> Callable[[Table], Callable[[], Any]]:
    """Time `fit`, which computes the covariances too."""

    def prepare(table: Table) -> Callable[[], Any]:
        import structlearn as sl

        data = dataset(table)
        method = getattr(sl, learner)(penalty=table.penalty, progress=False, **options)
        return lambda: method.fit(data)

    return prepare


def read_precision(learner: Any, table: Table) -> Answer:  # noqa: ARG001, other libraries need the names
    return Answer([], [], estimate=learner.precision_)


def read_coefficients(learner: Any, table: Table) -> Answer:  # noqa: ARG001, as above
    return Answer([], [], estimate=learner.coefficients_)


def read_couplings(learner: Any, table: Table) -> Answer:
    """The weights with their intercepts, which the learner does not publish: they are fitted again."""
    weights = COUPLINGS_TO_WEIGHTS * learner.coefficients_
    fields = best_intercepts((2.0 * table.values - 1.0) @ weights.T, table.values.mean(axis=0))
    return Answer([], [], estimate=np.column_stack([weights, fields]))


def best_intercepts(linear: Any, means: Any) -> Any:
    """The intercepts at which the mean chance of each column is its mean, by Newton steps."""
    from scipy.special import expit

    found = np.zeros(len(means))
    for _ in range(50):
        chances = expit(linear + found)
        found += (means - chances.mean(axis=0)) / (chances * (1.0 - chances)).mean(axis=0)
    return found


def _entry(method: str, prepare: Callable[[Table], Any], read: Any, kind: str) -> Entry:
    return Entry("structlearn", method, "undirected", prepare, read, (kind,))


ENTRIES = (
    _entry("GraphicalLasso()", penalised("GraphicalLasso"), read_precision, "precision"),
    _entry("NeighborhoodSelection()", penalised("NeighborhoodSelection"), read_coefficients, "neighborhoods"),
    _entry("IsingNeighborhoods()", penalised("IsingNeighborhoods"), read_couplings, "ising"),
)
