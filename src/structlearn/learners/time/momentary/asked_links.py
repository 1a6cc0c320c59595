"""Tests of links in time, with any number of conditions, as time allows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.asking import Asker
from structlearn.statistics.lagged import LaggedTable

Lag = tuple[int, int]  # a variable, and how many steps ago
Link = tuple[int, int, int]  # a variable, how many steps ago, and the variable now that it acts on


@dataclass(frozen=True, slots=True)
class LinkTests:
    """Asks about links of a lagged table, and counts the rows that the largest condition leaves each of."""

    table: LaggedTable
    asker: Asker

    def ask(
        self, links: Sequence[Link], given: Sequence[Sequence[Lag]]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The p-value of each link given these, and minus its logarithm: how strong the link is.

        What time leaves unasked has p-value 1.
        """
        place = self.table.place
        questions = [
            [place(source, lag), place(target, 0), *(place(*other) for other in others)]
            for (source, lag, target), others in zip(links, given, strict=True)
        ]
        sizes = np.array([len(question) for question in questions])
        p_value, strength = np.ones(len(links)), np.zeros(len(links))
        for size in np.unique(sizes):
            rows = np.flatnonzero(sizes == size)
            start = 0
            while start < len(rows) and not self.asker.must_stop():
                some = rows[start : start + self.asker.pace.n_at_once]
                answers = self.asker.ask(np.array([questions[row] for row in some], dtype=np.int64))
                p_value[some], strength[some] = answers.p_value, -answers.log_p
                start += len(some)
        return p_value, strength


def shifted(lags: Sequence[Lag], steps: int) -> list[Lag]:
    """The same so many steps earlier."""
    return [(variable, lag + steps) for variable, lag in lags]


def conditions(
    link: Link, parents: Sequence[Sequence[Lag]], *, most_of_source: int | None = None
) -> list[Lag]:
    """The parents of both ends of a link, without the link itself; of the source the strongest few."""
    source, lag, target = link
    of_source = shifted(parents[source][:most_of_source], lag)
    return [
        each
        for each in dict.fromkeys([*parents[target], *of_source])
        if each not in {(source, lag), (target, 0)}
    ]
