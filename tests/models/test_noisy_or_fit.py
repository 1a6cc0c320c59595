"""The hazards of a noisy-or are those of most likelihood: no step of expectation-maximisation moves them."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.models.cpds.noisy_or_fit import fit_hazards, log_likelihood
from tests.oracles import noisy_or as oracle

STATES = list(itertools.product((0, 1), repeat=2))


def cells(counts):
    """Causes by cell, the leak last, and how often the node is off and on."""
    causes = np.array([[*state, 1] for state in counts], dtype=float)
    return causes, np.array(list(counts.values()), dtype=float)


@st.composite
def counted(draw):
    return {state: (draw(st.integers(1, 30)), draw(st.integers(1, 30))) for state in STATES}


@settings(deadline=None, max_examples=40)
@given(counts=counted())
def test_a_step_of_expectation_maximisation_changes_nothing(counts):
    hazards = fit_hazards(*cells(counts))

    *strengths, leak = (1 - np.exp(-hazards)).tolist()
    moved, moved_leak = oracle.em_step(strengths, leak, counts)
    np.testing.assert_allclose([*moved, moved_leak], [*strengths, leak], atol=1e-6)


@settings(deadline=None, max_examples=40)
@given(counts=counted(), hazards=st.lists(st.floats(0.05, 3.0), min_size=3, max_size=3))
def test_the_likelihood_and_its_slopes_are_those_of_the_definition(counts, hazards):
    causes, table = cells(counts)
    *strengths, leak = [1 - math.exp(-hazard) for hazard in hazards]

    value, slopes = log_likelihood(causes, table, np.array(hazards))

    assert value == pytest.approx(oracle.log_likelihood(strengths, leak, counts), abs=1e-8)
    for j in range(3):
        step = np.eye(3)[j] * 1e-6
        ahead, behind = (log_likelihood(causes, table, np.array(hazards) + s)[0] for s in (step, -step))
        assert slopes[j] == pytest.approx((ahead - behind) / 2e-6, rel=1e-4, abs=1e-3)


@settings(deadline=None, max_examples=30)
@given(counts=counted(), others=st.lists(st.floats(0.0, 0.99), min_size=3, max_size=3))
def test_nothing_is_more_likely(counts, others):
    hazards = fit_hazards(*cells(counts))

    *strengths, leak = (1 - np.exp(-hazards)).tolist()
    *other_strengths, other_leak = others
    best = oracle.log_likelihood(strengths, leak, counts)
    if all(0 < oracle.probability_on(other_strengths, other_leak, state) < 1 for state in STATES):
        assert oracle.log_likelihood(other_strengths, other_leak, counts) <= best + 1e-7


def test_a_cause_that_always_works_has_an_infinite_hazard_and_one_that_never_does_none():
    causes = np.array([[1.0, 0.0], [0.0, 1.0]])

    assert fit_hazards(causes, np.array([[0.0, 50.0], [50.0, 0.0]])).tolist() == [math.inf, 0.0]
