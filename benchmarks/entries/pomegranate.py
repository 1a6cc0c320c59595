"""pomegranate, whose exact search takes an array of codes."""

from collections.abc import Callable
from typing import Any

from benchmarks.entries.entry import Answer, Entry
from benchmarks.entries.ours import most_parents
from benchmarks.tables import Table


def exact(table: Table) -> Callable[[], Any]:
    """The exact search of its Bayesian network; it has no name for its score, which is a BIC."""
    import torch
    from pomegranate.bayesian_network import BayesianNetwork

    rows = torch.from_numpy(table.values.astype("int64"))
    torch.set_num_threads(1)
    return lambda: BayesianNetwork(algorithm="exact", max_parents=most_parents(table)).fit(rows)


def read(model: Any, table: Table) -> Answer:
    """`structure[b]` has the parents of b."""
    names = table.names
    return Answer([(names[a], names[b]) for b, parents in enumerate(model.structure) for a in parents], [])


ENTRIES = (Entry("pomegranate", 'algorithm="exact"', "exact", exact, read, ("discrete",)),)
