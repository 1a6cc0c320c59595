"""Weights of pairs: what is given, what knowledge forbids, and what the diagonal has."""

import numpy as np
import pytest

from structlearn.data import Knowledge
from structlearn.errors import OptionError
from structlearn.learners.regression.precision.pair_weights import pair_weights

NAMES = ("a", "b", "c")


def test_pairs_are_weighted_both_ways_and_the_rest_counts_once():
    known = Knowledge(forbidden=[("b", "c"), ("c", "b")])

    found = pair_weights(NAMES, {("c", "a"): 0.5}, known, solver="newton", diagonal=0.0)

    assert found.tolist() == [[0, 1, 0.5], [1, 0, np.inf], [0.5, np.inf, 0]]


@pytest.mark.parametrize("pair", [("a", "a"), "ab", ("a", "b", "c"), ("a", "z")])
def test_what_is_no_pair_of_columns_is_refused(pair):
    with pytest.raises(OptionError, match="each pair of two columns has a number from 0 to infinity"):
        pair_weights(NAMES, {pair: 1.0}, Knowledge(), solver="newton", diagonal=0.0)


def test_the_smooth_solver_takes_no_free_pair():
    with pytest.raises(OptionError, match="takes no forbidden and no free pairs"):
        pair_weights(NAMES, {("a", "b"): 0.0}, Knowledge(), solver="nesterov", diagonal=1.0)
