"""Graphics cards: seconds and memory of the learners that have kernels for them, the processor beside.

`python -m benchmarks.gpu` writes docs/benchmarks/gpu.md; it needs a card. Each figure is the best of three
runs, or of one that takes over ten seconds; data start and results end in the machine's memory.
"""

import os
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import structlearn as sl
from structlearn.gpu.card import load_cuda
from structlearn.gpu.subsets import bytes_needed

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks" / "gpu.md"
COLUMNS = (26, 28, 30, 32, 33, 34)
MOST_ON_PROCESSOR = 30  # a minute, and 8 GiB
ROWS = 1000
HEAD = """# On a graphics card

Written by `python -m benchmarks.gpu` on one {card}; the processor beside it has {n_cores} cores, all in use.

## The best of all DAGs

Gaussian tables of {rows:,} rows from random DAGs, BIC, at most 3 parents. *Search* begins with the scored
families and ends with the DAG and its proof, the way to the card and back included; *fit* scores the families
on the processor first. Scores and graphs were equal wherever both ran.

| columns | families kept | card's memory, GiB | search, card, s | search, processor, s | fit, card, s |
| ---: | ---: | ---: | ---: | ---: | ---: |
"""


def main() -> None:
    """Measure, and write the page after each row."""
    warnings.simplefilter("ignore")
    cuda = load_cuda()
    card = cuda.get_current_device().name
    lines = [HEAD.format(card=card, n_cores=os.cpu_count(), rows=ROWS)]
    sl.ExactSearch(device="cuda", max_parents=2).fit(gaussian_table(12))  # compiles what there is to compile
    for n in COLUMNS:
        if bytes_needed(n) > cuda.current_context().get_memory_info()[0]:
            break
        lines.append(exact_row(n))
        print(lines[-1], flush=True)
        PAGE.write_text("\n".join([lines[0] + "\n".join(lines[1:]), ""]))


def exact_row(n: int) -> str:
    """One line of the table of exact searches."""
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
    rows = np.zeros((ROWS, n))
    for j in range(n):
        rows[:, j] = rows @ weights[:, j] + rng.normal(size=ROWS)
    return rows


def best_of(call: Callable[[], object]) -> float:
    """The shortest time of three calls, or of one that is long."""
    seconds: list[float] = []
    while len(seconds) < 3 and not (seconds and seconds[0] > 10.0):
        started = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


if __name__ == "__main__":
    main()
