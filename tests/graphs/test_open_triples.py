"""Triples found by whole arrays are those of the definition, however many are looked for at once."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from structlearn.graphs import open_triples
from tests.strategies import graphs


@pytest.mark.parametrize("at_once", [1, 2, 2**16])
@given(graph=graphs())
def test_the_ends_of_each_triple_are_in_the_row_of_its_middle_and_not_adjacent(graph, at_once):
    links, before = graph.links, open_triples.PAIRS_AT_ONCE
    open_triples.PAIRS_AT_ONCE = at_once
    try:
        found = np.concatenate([np.zeros((0, 3)), *open_triples.open_triples(links.adjacent_rows, links)])
    finally:
        open_triples.PAIRS_AT_ONCE = before

    wanted = [
        [a, b, c]
        for b in range(links.n_nodes)
        for a, c in combinations(links.adjacent(b).tolist(), 2)
        if c not in links.adjacent(a)
    ]
    assert found.tolist() == wanted
