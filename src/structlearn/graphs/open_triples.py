"""Paths of two steps whose ends are not adjacent, by whole arrays: wide graphs have ten thousands."""

from collections.abc import Iterator

import numpy as np

from structlearn.graphs.links import Links, Positions

PAIRS_AT_ONCE = 2**16  # of ends that are looked up: half a megabyte for each array


def open_triples(rows: tuple[Positions, Positions], links: Links) -> Iterator[Positions]:
    """Each (a, b, c) with a < c in the row of b, and a, c not adjacent, by b, a, c, some at a time."""
    starts, others = rows
    owners, places = np.repeat(np.arange(links.n_nodes), np.diff(starts)), np.arange(len(others))
    n_after = starts[owners + 1] - places - 1
    ends = np.cumsum(n_after)
    adjacent = _codes(links)
    begin = 0
    while begin < len(others):
        n_before = int(ends[begin] - n_after[begin])
        end = max(int(np.searchsorted(ends, n_before + PAIRS_AT_ONCE, side="right")), begin + 1)
        repeats = n_after[begin:end]
        first = np.repeat(places[begin:end], repeats)
        second = first + 1 + np.arange(len(first)) - np.repeat(ends[begin:end] - repeats - n_before, repeats)
        a, c = others[first], others[second]
        codes = a * links.n_nodes + c
        is_open = adjacent[np.searchsorted(adjacent, codes)] != codes
        yield np.column_stack([a, owners[first], c])[is_open]
        begin = end


def _codes(links: Links) -> Positions:
    """Each pair of adjacent nodes as one number, both ways, sorted; behind them one that is no pair."""
    starts, others = links.adjacent_rows
    owners = np.repeat(np.arange(links.n_nodes), np.diff(starts))
    return np.append(owners * links.n_nodes + others, links.n_nodes**2)
