"""Scores of all families with at most three parents."""

from collections.abc import Iterator

import numpy as np

import structlearn as sl
from benchmarks.on_cards.measuring import best_of, peak_gib
from structlearn.gpu.card import free_bytes
from structlearn.gpu.families import bytes_needed
from structlearn.run import Run
from structlearn.search.limits import count_families
from structlearn.search.local_scores import LocalScores, score_all_families
from structlearn.search.parent_sets import ParentSets
from structlearn.search.space import Space
from structlearn.statistics import Statistics, from_dataset

COLUMNS = (100, 200, 500)
ROWS = 10_000
MOST_ON_PROCESSOR = 100  # columns; 200 take minutes
MOST_ON_PROCESSOR_S = 60
HEAD = f"""## All families with at most three parents

Tables of {ROWS:,} rows and columns of three levels, each like two of those before it; BIC. *All* begins with
the table in the machine's memory and ends there with the families that score more than those with fewer
parents; *values of sets* is the part of it that counts, upload included. The families were the same wherever
both ran, and the scores to eleven digits.

| columns | families | kept | card's memory, GiB | all, card, s | values of sets, s | all, processor, s |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: |
"""


def rows() -> Iterator[str]:
    """The lines of the table, as far as the card's memory goes."""
    score_all_families(space_of(table(60), "cuda"))  # compiles what there is to compile
    for p in COLUMNS:
        if bytes_needed(np.full(p, 3), ROWS, 4) > free_bytes():
            return
        yield _row(p)


def _row(p: int) -> str:
    statistics = table(p)
    there: list[LocalScores | None] = []
    memory = peak_gib(lambda: there.append(score_all_families(space_of(statistics, "cuda"))))
    found = there[0]
    if found is None:
        raise AssertionError("nothing must stop")
    card_s = best_of(lambda: score_all_families(space_of(statistics, "cuda")))
    sums_s = best_of(lambda: ParentSets(space_of(statistics, "cuda")).on_card)
    n_families = count_families(space_of(statistics, "cpu").limits)
    here_s = "–" if p > MOST_ON_PROCESSOR else _on_processor(statistics, found)
    return (
        f"| {p} | {n_families:,} | {found.n_families:,} | {memory:.1f} | {card_s:.2f} | {sums_s:.2f} "
        f"| {here_s} |"
    )


def _on_processor(statistics: Statistics, there: LocalScores) -> str:
    found: list[LocalScores | None] = []
    seconds = best_of(lambda: found.append(score_all_families(space_of(statistics, "cpu"))))
    if found[0] is None:
        return f"over {MOST_ON_PROCESSOR_S}"
    for one, other in zip(found[0].sets, there.sets, strict=True):
        np.testing.assert_array_equal(one.members, other.members)
        np.testing.assert_allclose(one.scores, other.scores, rtol=1e-11)
    return f"{seconds:.2f}"


def space_of(statistics: Statistics, device: str) -> Space:
    """All DAGs with at most three parents; the processor has a limited time."""
    run = Run("benchmark", time_limit_s=MOST_ON_PROCESSOR_S if device == "cpu" else None, progress=False)
    return Space.of("benchmark", statistics, sl.Knowledge(), run, score="bic", max_parents=3, device=device)


def table(p: int) -> Statistics:
    """Columns of three levels, each the sum of two of those before it, often at random."""
    rng = np.random.default_rng(p)
    columns = [rng.integers(0, 3, ROWS) for _ in range(2)]
    for j in range(2, p):
        one, other = rng.choice(j, 2, replace=False)
        is_random = rng.random(ROWS) < 0.5
        columns.append(np.where(is_random, rng.integers(0, 3, ROWS), (columns[one] + columns[other]) % 3))
    kinds = {f"x{j}": "discrete" for j in range(p)}
    data = sl.Dataset(dict(zip(kinds, columns, strict=True)), kinds=kinds)
    return from_dataset(data, n_jobs=-1)
