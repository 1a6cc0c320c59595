"""The tables that learners are recorded on: small ones of every kind, and some of published networks."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import structlearn as sl
from benchmarks.entries.ours import dataset
from benchmarks.tables import Table
from benchmarks.workloads import (
    SEED,
    Workload,
    gaussian,
    ising_chain,
    neighborhoods,
    network,
    random_discrete,
    scale_free,
)

WORKLOADS: dict[str, Workload] = {
    "asia": network("asia", 5_000, 8),
    "earthquake": network("earthquake", 1_000, 5),
    "alarm": network("alarm", 2_000, 37),
    "insurance": network("insurance", 1_000, 27),
    "hailfinder": network("hailfinder", 1_000, 56),
    "andes": network("andes", 1_000, 223),
    "random network": random_discrete(10, 1_000, degree=3),
    "gaussian": gaussian(8, 500, degree=3),
    "wide gaussian": gaussian(30, 1_000, degree=3),
    "hubs": scale_free(100, 300),
    "markov": neighborhoods(40, 300, penalty=0.15),
    "spins": ising_chain(10, 1_000, penalty=0.1),
}
SMALL = {"discrete": "asia", "continuous": "gaussian", "mixed": "mixed", "oracle": "oracle"}


def data(name: str) -> Any:
    """The table of that name, made anew, as a learner takes it."""
    return OTHERS[name]() if name in OTHERS else dataset(table(name))


@cache
def table(name: str) -> Table:
    """The rows of a table of one kind, with the graph they were drawn from."""
    return WORKLOADS[name].draw()


def truth(name: str) -> sl.Graph:
    """The graph that a table was drawn from."""
    drawn = table(name)
    return sl.Graph(drawn.names, directed=drawn.truth)


def _mixed() -> sl.Dataset:
    """The Gaussian table; each second column is cut at its thirds."""
    drawn = table("gaussian")
    columns: dict[str, Any] = dict(zip(drawn.names, drawn.values.T, strict=True))
    for name in drawn.names[::2]:
        places = np.searchsorted(np.quantile(columns[name], [1 / 3, 2 / 3]), columns[name])
        columns[name] = np.array(["low", "middle", "high"])[places]
    return sl.Dataset(columns)


def _with_gaps() -> Any:
    """Asia as text, where one value in ten is missing."""
    frame = table("asia").frame_of_text().head(1_000)
    return frame.mask(np.random.default_rng(SEED).random(frame.shape) < 0.1)


def _weighted() -> sl.Dataset:
    frame = table("asia").frame().head(2_000)
    return sl.Dataset(frame, weights=np.random.default_rng(SEED).integers(0, 4, len(frame)))


OTHERS: dict[str, Callable[[], Any]] = {
    "mixed": _mixed,
    "gaps": _with_gaps,
    "weighted": _weighted,
    "text": lambda: table("asia").frame_of_text(),
    "oracle": lambda: sl.Oracle(sl.example("asia").graph),
}
