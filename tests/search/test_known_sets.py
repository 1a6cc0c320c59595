"""What is known of families is what sets in plain Python know of them."""

import numpy as np
import pytest

from structlearn.rounding import ENOUGH
from structlearn.search.kernels.climbing import place_all
from structlearn.search.kernels.known_sets import KnownSets, add_all, find_all

pytestmark = pytest.mark.kernels
N = 6


class Known:
    """Families with the best score of each and of its known subsets, by the sets themselves."""

    def __init__(self):
        self.most = {}

    def add(self, family, score):
        """Note a family; whether it is new and better than all of its subsets that are known."""
        child, *parents = family
        key = child, frozenset(parents)
        if key in self.most:
            return False
        smaller = [self.most.get((child, key[1] - {parent}), -np.inf) for parent in parents]
        self.most[key] = max([score, *smaller])
        return score > max(smaller, default=-np.inf) + ENOUGH


def random_families(rng, size, n_families):
    return np.array([rng.permutation(N)[:size] for _ in range(n_families)])


@pytest.fixture
def words():
    return np.random.default_rng(0).integers(2**63, size=(2, N), dtype=np.uint64)


def keys_of(families, words):
    return words[0][families[:, 0]] ^ np.bitwise_xor.reduce(words[1][families[:, 1:]], axis=1)


@pytest.mark.parametrize("seed", range(4))
def test_families_stay_that_are_new_and_better_than_all_their_known_subsets(words, seed):
    rng, oracle = np.random.default_rng(seed), Known()
    known, n_known = KnownSets.empty(256), 0
    for size in (1, 2, 3, 2, 4):  # a smaller one may come late
        families = random_families(rng, size, 30)
        scores = rng.integers(0, 40, size=30).astype(float)
        stays = np.empty(30, dtype=np.bool_)
        n_known = add_all(families, keys_of(families, words), scores, words[1], known, n_known, stays)
        expected = [oracle.add(*each) for each in zip(families.tolist(), scores, strict=True)]
        assert stays.tolist() == expected
    assert n_known == len(oracle.most)
    everything = np.array([family for family in np.ndindex(N, N, N) if len(set(family)) == 3])
    rows = np.empty(len(everything), dtype=np.int64)
    find_all(keys_of(everything, words), known, rows)
    for family, row in zip(everything.tolist(), rows.tolist(), strict=True):
        child, *parents = family
        most = oracle.most.get((child, frozenset(parents)))
        assert (row >= 0) == (most is not None)
        assert row < 0 or known.most[row] == most


def test_rows_keep_their_numbers_where_there_is_more_room(words):
    families = np.array([family for family in np.ndindex(N, N) if family[0] != family[1]])
    keys, stays = keys_of(families, words), np.empty(30, dtype=np.bool_)
    small = KnownSets.empty(32)
    assert add_all(families, keys, np.zeros(30), words[1], small, 0, stays) == 30
    large = KnownSets.empty(64)
    large.keys[:30] = small.keys[:30]
    place_all(large.slots, large.keys, 30)
    rows = np.empty(30, dtype=np.int64)
    find_all(keys, large, rows)
    assert rows.tolist() == list(range(30))
