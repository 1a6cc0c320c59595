"""Random models have the moments, the tables and the seeds that were asked for."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.errors import DataError, OptionError
from structlearn.graphs.generators import random_dag
from structlearn.models.random_models import random_model
from tests.strategies import dags


def implied_covariance(model):
    """(I - B)^-1 D (I - B)^-T, with the weight of i → j at B[j, i]."""
    place = {name: i for i, name in enumerate(model.nodes)}
    weights, noise = np.zeros((len(place), len(place))), np.zeros(len(place))
    for node, cpd in model.cpds.items():
        noise[place[node]] = cpd.variance
        for parent, slope in cpd.coefficients.items():
            weights[place[node], place[parent]] = slope
    total = np.linalg.inv(np.eye(len(place)) - weights)
    return total @ np.diag(noise) @ total.T


def test_samples_have_the_covariance_of_the_model():
    n_rows = 50_000
    model = random_model(random_dag(8, expected_degree=3, random_state=1), kind="gaussian", random_state=2)
    rows = np.column_stack(list(model.sample(n_rows, random_state=3).to_dict().values()))

    expected = implied_covariance(model)
    # Var of a sample covariance of normals: (s_ii s_jj + s_ij²) / n.
    errors = np.sqrt((np.outer(np.diag(expected), np.diag(expected)) + expected**2) / n_rows)
    assert (np.abs(np.cov(rows.T, bias=True) - expected) < 5 * errors).all()


@settings(deadline=None, max_examples=40)
@given(dags(min_nodes=1, max_nodes=7), st.integers(0, 1000))
def test_weights_have_the_sizes_asked_for_and_both_signs(graph, seed):
    model = random_model(graph, kind="gaussian", weights=(0.3, 0.7), noise=(0.5, 2.0), random_state=seed)

    assert model.graph == graph
    for cpd in model.cpds.values():
        assert all(0.3 <= abs(slope) <= 0.7 for slope in cpd.coefficients.values())
        assert 0.25 <= cpd.variance <= 4.0


def test_signs_are_even():
    model = random_model(random_dag(200, expected_degree=6, random_state=0), kind="gaussian", random_state=0)
    slopes = [slope for cpd in model.cpds.values() for slope in cpd.coefficients.values()]

    assert abs(np.mean(np.sign(slopes))) < 5 / len(slopes) ** 0.5


@settings(deadline=None, max_examples=40)
@given(dags(min_nodes=1, max_nodes=7), st.integers(0, 1000))
def test_standardised_models_have_variance_one_and_the_same_correlations(graph, seed):
    plain = implied_covariance(random_model(graph, kind="gaussian", random_state=seed))
    scaled = implied_covariance(random_model(graph, kind="gaussian", standardise=True, random_state=seed))

    deviations = np.sqrt(np.diag(plain))
    assert np.diag(scaled) == pytest.approx(1)
    assert scaled == pytest.approx(plain / np.outer(deviations, deviations))


@settings(deadline=None, max_examples=40)
@given(dags(min_nodes=1, max_nodes=6), st.integers(0, 1000))
def test_tables_fit_the_graph_and_their_rows_sum_to_one(graph, seed):
    model = random_model(graph, levels=(2, 3), random_state=seed)

    assert model.graph == graph
    for cpd in model.cpds.values():
        assert 2 <= len(cpd.labels) <= 3
        assert cpd.probabilities.sum(axis=-1) == pytest.approx(1)


@pytest.mark.parametrize("concentration", [0.3, 1.0, 5.0])
def test_rows_have_the_spread_of_their_dirichlet_distribution(concentration):
    model = random_model(
        sl.Graph([f"x{i}" for i in range(4000)]), levels=3, concentration=concentration, random_state=0
    )
    rows = np.array([cpd.probabilities for cpd in model.cpds.values()])

    # Mean 1/3, variance (1/3)(2/3) / (3 a + 1).
    variance = (2 / 9) / (3 * concentration + 1)
    assert rows.mean(axis=0) == pytest.approx([1 / 3] * 3, abs=5 * (variance / 4000) ** 0.5)
    assert rows.var(axis=0) == pytest.approx([variance] * 3, rel=0.1)


@pytest.mark.parametrize("kind", ["discrete", "gaussian"])
def test_the_same_seed_makes_the_same_model(kind):
    graph = random_dag(12, random_state=0)

    assert random_model(graph, kind=kind, random_state=4) == random_model(graph, kind=kind, random_state=4)
    assert random_model(graph, kind=kind, random_state=4) != random_model(graph, kind=kind, random_state=5)


def test_a_simulation_study_takes_a_few_lines():
    graph = sl.random_dag(8, expected_degree=2, random_state=1)
    data = random_model(graph, kind="gaussian", random_state=1).sample(20_000, random_state=1)
    comparison = sl.learn(data, method="pc", alpha=0.001).compare(graph)

    assert comparison.skeleton_f1 > 0.9
    assert comparison.sid is not None


def test_a_cpdag_is_extended_first():
    pattern = sl.Graph("abc", undirected=["ab", "bc"])

    assert random_model(pattern, random_state=0).graph.to_cpdag() == pattern


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "poisson"}, "kind is the kind of distributions"),
        ({"levels": 0}, "levels is the number of states"),
        ({"levels": (3, 2)}, "levels is the number of states"),
        ({"concentration": 0}, "concentration"),
        ({"kind": "gaussian", "weights": (0.0, 1.0)}, "weights is the smallest"),
        ({"kind": "gaussian", "noise": -1.0}, "noise is the smallest"),
    ],
)
def test_impossible_options_are_refused(options, message):
    with pytest.raises(OptionError, match=message):
        random_model(sl.Graph("ab", directed=["ab"]), **options)


def test_a_table_too_large_is_refused_before_it_is_made():
    names = [f"x{i}" for i in range(31)]
    star = sl.Graph(names, directed=[(name, "x30") for name in names[:30]])

    with pytest.raises(DataError, match="The table of 'x30'"):
        random_model(star, levels=2)
