"""The parameters of an Ising model by position agree with the sum over all states, in either coding."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.models.ising_samples import gibbs_rows
from structlearn.models.spins import Spins

SEEDS = st.integers(0, 2**32 - 1)
QUICK = settings(deadline=None, max_examples=30)


def random_spins(seed, n_nodes=4):
    rng = np.random.default_rng(seed)
    pairs = [pair for pair in itertools.combinations(range(n_nodes), 2) if rng.random() < 0.6]
    edges = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return Spins(edges, rng.normal(size=n_nodes), rng.normal(size=len(edges)))


def log_weight(spins, codes):
    signs = [2 * code - 1 for code in codes]
    pairs = zip(spins.edges.tolist(), spins.couplings.tolist(), strict=True)
    return sum(h * s for h, s in zip(spins.fields.tolist(), signs, strict=True)) + sum(
        j * signs[a] * signs[b] for (a, b), j in pairs
    )


def states(spins):
    return list(itertools.product((0, 1), repeat=len(spins.fields)))


@QUICK
@given(seed=SEEDS)
def test_weights_and_their_sum_are_those_of_all_states(seed):
    spins = random_spins(seed)
    expected = [log_weight(spins, codes) for codes in states(spins)]

    np.testing.assert_allclose(spins.log_weights(np.array(states(spins))), expected, atol=1e-9)
    assert spins.log_partition == pytest.approx(math.log(sum(map(math.exp, expected))), abs=1e-9)


@QUICK
@given(seed=SEEDS)
def test_states_0_and_1_have_parameters_of_their_own_and_the_same_differences(seed):
    spins = random_spins(seed)
    fields, couplings = spins.zero_one()

    def other_weight(codes):
        pairs = zip(spins.edges.tolist(), couplings.tolist(), strict=True)
        return float(fields @ np.array(codes)) + sum(j * codes[a] * codes[b] for (a, b), j in pairs)

    shift = log_weight(spins, states(spins)[0]) - other_weight(states(spins)[0])
    for codes in states(spins):
        assert log_weight(spins, codes) == pytest.approx(other_weight(codes) + shift, abs=1e-9)
    back = Spins.from_zero_one(spins.edges, fields, couplings)
    np.testing.assert_allclose(back.fields, spins.fields, atol=1e-12)
    np.testing.assert_allclose(back.couplings, spins.couplings, atol=1e-12)


@QUICK
@given(seed=SEEDS)
def test_a_pseudo_likelihood_is_each_spin_given_all_others(seed):
    spins = random_spins(seed)
    for codes in states(spins):
        total = 0.0
        for node in range(len(codes)):
            here = log_weight(spins, codes)
            flipped = log_weight(spins, (*codes[:node], 1 - codes[node], *codes[node + 1 :]))
            total += here - np.logaddexp(here, flipped)
        assert spins.log_pseudo_likelihoods(np.array([codes]))[0] == pytest.approx(total, abs=1e-9)


def test_chains_draw_from_the_distribution():
    spins = random_spins(5, n_nodes=3)
    n = 20_000

    rows = gibbs_rows(spins, n, 30, np.random.default_rng(1))

    weights = np.exp([log_weight(spins, codes) for codes in states(spins)])
    numbers = rows @ np.array([4, 2, 1])
    shares = np.bincount(numbers, minlength=8) / n
    # Five standard errors of a share of independent rows.
    np.testing.assert_allclose(shares, weights / weights.sum(), atol=5 * 0.5 / math.sqrt(n))
