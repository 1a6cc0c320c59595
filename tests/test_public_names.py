"""The public surface: a name goes in or out on purpose."""

from typing import get_args, get_overloads, get_type_hints

import pytest

import structlearn as sl
from structlearn.data.examples import NETWORKS, TABLES


def test_these_are_the_public_names():
    assert sorted(sl.__all__) == [
        "ARACNE",
        "BOSS",
        "BayesianNetwork",
        "BestFirst",
        "BooleanNetwork",
        "BoundedTreewidth",
        "ChowLiu",
        "ClusterGaussianNetwork",
        "ConvexDAG",
        "DAGMA",
        "DataError",
        "DataWarning",
        "Dataset",
        "DependencyNetwork",
        "DirectLiNGAM",
        "Discretization",
        "DynamicNetwork",
        "Edge",
        "EdgeConfidence",
        "ExactPosterior",
        "ExactSearch",
        "Experiment",
        "FCI",
        "Factor",
        "FactorizationNetwork",
        "Feature",
        "FeatureVectorMachine",
        "GaussianGraphicalModel",
        "GeneticOrderSearch",
        "GeneticSearch",
        "Graph",
        "GraphicalLasso",
        "GreedyEquivalence",
        "GrowShrink",
        "HillClimbing",
        "ICALiNGAM",
        "IsingModel",
        "IsingNeighborhoods",
        "K2",
        "Knowledge",
        "L1MB",
        "LogLinearMRF",
        "LookaheadSearch",
        "LowOrderGraph",
        "MMHC",
        "MMPC",
        "MarkovNetwork",
        "ModuleNetwork",
        "NOTEARS",
        "NeighborhoodSelection",
        "NetworkComponentAnalysis",
        "OptimalReinsertion",
        "OptionError",
        "Oracle",
        "OrderMCMC",
        "OrderSearch",
        "PC",
        "PCMCI",
        "Polytree",
        "RFCI",
        "RegressionDAGGaussian",
        "RelationalModel",
        "ResidualOrdering",
        "SGS",
        "ShrinkagePartialCorrelation",
        "SimilarityNetwork",
        "SimulatedAnnealing",
        "SparseCandidate",
        "SparseVAR",
        "StabilitySelection",
        "SystemIdentification",
        "VARLiNGAM",
        "__version__",
        "cross_validate",
        "discretize",
        "effect",
        "example",
        "fit_power_law",
        "is_imap",
        "latent_classes",
        "learn",
        "load",
        "load_local_scores",
        "markov_blanket",
        "methods",
        "minimal_imap",
        "mutual_information",
        "random_dag",
        "random_model",
        "random_undirected",
        "response",
        "sample",
        "save_local_scores",
        "score",
        "source",
        "test_independence",
        "topology",
    ]


@pytest.mark.parametrize("name", sl.__all__)
def test_every_public_name_is_there(name):
    assert getattr(sl, name) is not None
    assert name in dir(sl)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        sl.nonsense  # noqa: B018, the access is the test


def test_every_method_is_listed_with_its_paper():
    table = sl.methods()

    assert {"pc", "hill-climbing"} <= set(table)
    assert table["pc"].load() is sl.PC
    assert all(method.paper and method.takes and method.returns for method in table.values())
    assert "pc" in repr(table)


def test_an_unknown_method_score_or_example_is_refused_with_the_known_ones():
    data = {"a": [0, 1, 1], "b": [1, 0, 1]}
    with pytest.raises(sl.OptionError, match="no method 'magic'; choose one of 'sgs', 'pc'"):
        sl.learn(data, method="magic")
    with pytest.raises(sl.OptionError, match="no method 'LPCMCI': it looks for hidden causes of series"):
        sl.learn(data, method="LPCMCI")
    with pytest.raises(sl.OptionError, match="no score 'luck'; choose one of 'bic', 'ebic'"):
        sl.score(sl.Graph("ab"), data, "luck")
    with pytest.raises(sl.OptionError, match="no example 'moon'; there are asia"):
        sl.example("moon")


def test_type_checkers_know_which_examples_are_networks_and_which_are_tables():
    known = {"BayesianNetwork": sl.BayesianNetwork}
    by_name = {
        name: hints["return"]
        for hints in (get_type_hints(form, localns=known) for form in get_overloads(sl.example))
        for name in get_args(hints["name"])
    }

    assert by_name == dict.fromkeys(NETWORKS, sl.BayesianNetwork) | dict.fromkeys(TABLES, sl.Dataset)
