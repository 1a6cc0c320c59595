"""The best of all DAGs."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

import structlearn as sl
from benchmarks.on_cards.measuring import best_of
from structlearn.gpu.card import free_bytes
from structlearn.gpu.subsets import bytes_needed

COLUMNS = (26, 28, 30, 32, 33, 34)
MOST_ON_PROCESSOR = 30  # a minute, and 8 GiB
ROWS = 1000
HEAD = f"""## The best of all DAGs

Gaussian tables of {ROWS:,} rows from random DAGs, BIC, at most 3 parents. *Search* begins with the scored
families and ends with the DAG and its proof, the way to the card and back included; *fit* scores the families
on the processor first. Scores and graphs were equal wherever both ran.

| columns | families kept | card's memory, GiB | search, card, s | search, processor, s | fit, card, s |
| ---: | ---: | ---: | ---: | ---: | ---: |
"""


def rows() -> Iterator[str]:
    """The lines of the table, as far as the card's memory goes."""
    sl.ExactSearch(device="cuda", max_parents=2).fit(gaussian_table(12))  # compiles what there is to compile
    for n in COLUMNS:
        if bytes_needed(n) > free_bytes():
            return
        yield _row(n)


def _row(n: int) -> str:
    data = gaussian_table(n)
    learner = sl.ExactSearch(device="cuda", max_parents=3)
    fit_s = best_of(lambda: learner.fit(data))
    lists, score = learner.local_scores_, learner.score_
    card_s = best_of(lambda: learner.fit_scores(lists))
    here_s = "–"
    if n <= MOST_ON_PROCESSOR:
        here = sl.ExactSearch(solver="dp", n_jobs=-1)
        here_s = f"{best_of(lambda: here.fit_scores(lists)):.2f}"
        if (here.score_, here.graph_.edges) != (score, learner.graph_.edges):
            raise AssertionError(f"{n} columns: the card and the processor differ")
    n_families = sum(len(of_node.scores) for of_node in lists.sets)
    memory = bytes_needed(n) / 2**30
    return f"| {n} | {n_families:,} | {memory:.1f} | {card_s:.3f} | {here_s} | {fit_s:.2f} |"


def gaussian_table(n: int) -> NDArray[np.float64]:
    """Rows of a linear Gaussian model over a random DAG with two parents a node on average."""
    rng = np.random.default_rng(n)
    weights = np.triu(rng.uniform(0.3, 0.9, (n, n)) * (rng.random((n, n)) < 4.0 / n), 1)
    found = np.zeros((ROWS, n))
    for j in range(n):
        found[:, j] = found @ weights[:, j] + rng.normal(size=ROWS)
    return found
