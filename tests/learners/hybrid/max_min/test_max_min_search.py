"""Columns are chosen in the order of the paper, and pairs that a set separates are noted with it."""

import numpy as np

import structlearn as sl
from structlearn.independence import SeparationOracle
from structlearn.independence.asking import Asker
from structlearn.learners.hybrid.max_min.max_min_search import MaxMinSearch
from structlearn.learners.hybrid.max_min.reliable_asker import ReliableAsker

CHAIN = sl.Graph("abcd", directed=[("a", "b"), ("b", "c"), ("c", "d")])


def search_of(graph, *, possible=None, required=None, max_conditioning=None):
    n = len(graph.nodes)
    asker = Asker(SeparationOracle(graph), None, alpha=0.05)
    reliable = ReliableAsker(asker, reliability="skip", min_rows_per_cell=5.0)
    everything, nothing = ~np.eye(n, dtype=np.bool_), np.zeros((n, n), dtype=np.bool_)
    return MaxMinSearch(
        reliable,
        everything if possible is None else possible,
        nothing if required is None else required,
        max_conditioning,
    )


def run(search):
    search.ask_marginally()
    while search.grow():
        pass
    for place in range(search.members.shape[1]):
        search.shrink(place)
    return search.is_member


def test_a_chain_leaves_every_node_its_neighbors():
    found = run(search_of(CHAIN))

    assert found.tolist() == (np.eye(4, k=1) + np.eye(4, k=-1) > 0).tolist()


def test_pairs_are_noted_with_the_first_set_that_separates_them():
    search = search_of(CHAIN)
    run(search)

    noted = {
        tuple(pair): set(given)
        for pairs, level in search.separated
        for pair, given in zip(pairs.tolist(), level.given.tolist(), strict=True)
    }
    assert set(noted) == {(0, 2), (0, 3), (1, 3)}
    for (x, y), given in noted.items():
        names = [CHAIN.nodes[z] for z in given]
        assert CHAIN.d_separated(CHAIN.nodes[x], CHAIN.nodes[y], given=names)


def test_without_conditions_all_that_depends_stays():
    assert run(search_of(CHAIN, max_conditioning=0)).sum() == 12


def test_what_is_required_is_chosen_first_and_stays():
    required = np.zeros((4, 4), dtype=np.bool_)
    required[0, 3] = True
    search = search_of(CHAIN, required=required)
    search.ask_marginally()
    search.grow()

    assert search.members[0, 0] == 3
    assert run(search)[0].tolist() == [False, True, False, True]


def test_what_is_not_possible_is_never_chosen():
    possible = ~np.eye(4, dtype=np.bool_)
    possible[0, 1] = possible[1, 0] = False

    found = run(search_of(CHAIN, possible=possible))

    assert not found[0, 1]
    assert not found[1, 0]
