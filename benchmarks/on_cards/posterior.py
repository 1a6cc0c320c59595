"""Posterior probabilities of all arcs."""

from collections.abc import Iterator

import numpy as np

import structlearn as sl
from benchmarks.on_cards.exact import gaussian_table
from benchmarks.on_cards.measuring import best_of
from structlearn.gpu.card import free_bytes
from structlearn.gpu.order_sums import bytes_needed

COLUMNS = (22, 24, 26, 28, 30, 32)
MOST_ON_PROCESSOR = 24  # a minute, and 2 GiB
HEAD = """## Posterior probabilities of all arcs

The tables of the section before, at most 3 parents. A fit begins with the rows and ends with probabilities;
families are scored on the processor. Probabilities were equal to nine digits wherever both ran.

| columns | card's memory, GiB | fit, card, s | fit, processor, s |
| ---: | ---: | ---: | ---: |
"""


def rows() -> Iterator[str]:
    """The lines of the table, as far as the card's memory goes."""
    sl.ExactPosterior(device="cuda", max_parents=2).fit(gaussian_table(11))  # compiles
    for n in COLUMNS:
        if bytes_needed(n) > free_bytes():
            return
        yield _row(n)


def _row(n: int) -> str:
    data, here_s = gaussian_table(n), "–"
    there = sl.ExactPosterior(device="cuda", max_parents=3)
    card_s = best_of(lambda: there.fit(data))
    if n <= MOST_ON_PROCESSOR:
        here = sl.ExactPosterior(max_parents=3, n_jobs=-1)
        here_s = f"{best_of(lambda: here.fit(data)):.2f}"
        shares = [[each.probabilities_[arc] for arc in here.probabilities_] for each in (here, there)]
        np.testing.assert_allclose(*shares, rtol=1e-9, atol=1e-12)
    return f"| {n} | {bytes_needed(n) / 2**30:.1f} | {card_s:.2f} | {here_s} |"
