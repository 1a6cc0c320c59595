"""With the truth in place of data: the true graph on hundreds of random DAGs and every published network."""

import pytest

import structlearn as sl
from tests.data_files import network_names, true_graph

pytestmark = pytest.mark.slow


def random_truth(seed):
    return sl.random_dag(4 + seed % 9, expected_degree=1 + seed % 4, random_state=1000 + seed)


@pytest.mark.parametrize("learner", [sl.SGS(), sl.PC(), sl.GrowShrink()], ids=lambda m: type(m).__name__)
@pytest.mark.parametrize("block", range(10))
def test_500_random_dags_of_4_to_12_nodes_are_recovered(learner, block):
    for seed in range(50 * block, 50 * (block + 1)):
        truth = random_truth(seed)
        learner.fit(sl.Oracle(truth))
        assert learner.graph_ == truth.to_cpdag()
        if isinstance(learner, sl.GrowShrink):
            for name in truth.nodes:
                assert set(learner.blankets_[name]) == set(truth.markov_blanket(name))


@pytest.mark.parametrize("block", range(10))
def test_asking_for_every_subset_recovers_them_too(block, monkeypatch):
    monkeypatch.delattr("structlearn.independence.separation_oracle.SeparationOracle.separators")
    for seed in range(50 * block, 50 * (block + 1)):
        truth = random_truth(seed)
        assert sl.PC().fit(sl.Oracle(truth)).graph_ == truth.to_cpdag()
        if len(truth) < 9:
            assert sl.SGS().fit(sl.Oracle(truth)).graph_ == truth.to_cpdag()


@pytest.mark.parametrize("network", network_names(most_nodes=10_000))
def test_every_published_network_is_recovered(network):
    truth = true_graph(network)

    assert sl.PC().fit(sl.Oracle(truth)).graph_ == truth.to_cpdag()
