"""A decomposed score is the likelihood of the fitted network less its penalty."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 10**6), kind=st.sampled_from(["discrete", "gaussian"]))
def test_bic_is_the_log_likelihood_of_the_fitted_network_less_half_a_log_size_per_parameter(seed, kind):
    truth = sl.random_dag(5, expected_degree=2, random_state=seed)
    data = sl.random_model(truth, kind=kind, random_state=seed).sample(200, random_state=seed)
    graph = sl.random_dag(5, expected_degree=2, random_state=seed + 1)

    model = sl.BayesianNetwork(graph).fit(data)

    expected = model.log_likelihood(data) - 0.5 * model.n_parameters * math.log(200)
    assert sl.score(graph, data, "bic") == pytest.approx(expected, abs=1e-6)
