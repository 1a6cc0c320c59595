# What `structlearn` offers, for type checkers and editors; `make docs` writes it.

from structlearn.api import example as example
from structlearn.api import learn as learn
from structlearn.api import load as load
from structlearn.api import methods as methods
from structlearn.api import score as score
from structlearn.cross_validation import cross_validate as cross_validate
from structlearn.data import Dataset as Dataset
from structlearn.data import Knowledge as Knowledge
from structlearn.data import Oracle as Oracle
from structlearn.data.discretization import Discretization as Discretization
from structlearn.errors import DataError as DataError
from structlearn.errors import DataWarning as DataWarning
from structlearn.errors import OptionError as OptionError
from structlearn.formats.local_scores import load_local_scores as load_local_scores
from structlearn.formats.local_scores import save_local_scores as save_local_scores
from structlearn.graphs import Edge as Edge
from structlearn.graphs import Graph as Graph
from structlearn.graphs.generators import random_dag as random_dag
from structlearn.graphs.generators import random_undirected as random_undirected
from structlearn.graphs.power_law import fit_power_law as fit_power_law
from structlearn.graphs.topology import topology as topology
from structlearn.independence.imaps import is_imap as is_imap
from structlearn.independence.imaps import minimal_imap as minimal_imap
from structlearn.independence.single_test import test_independence as test_independence
from structlearn.inference.effects import effect as effect
from structlearn.inference.responses import response as response
from structlearn.learners.constraint.fci import FCI as FCI
from structlearn.learners.constraint.grow_shrink import GrowShrink as GrowShrink
from structlearn.learners.constraint.low_order_graph import LowOrderGraph as LowOrderGraph
from structlearn.learners.constraint.markov_blanket import markov_blanket as markov_blanket
from structlearn.learners.constraint.pc import PC as PC
from structlearn.learners.constraint.rfci import RFCI as RFCI
from structlearn.learners.constraint.sgs import SGS as SGS
from structlearn.learners.constraint.shrinkage_partial_correlation import ShrinkagePartialCorrelation as ShrinkagePartialCorrelation
from structlearn.learners.ensemble.edge_confidence import EdgeConfidence as EdgeConfidence
from structlearn.learners.ensemble.stability_selection import StabilitySelection as StabilitySelection
from structlearn.learners.hybrid.l1mb import L1MB as L1MB
from structlearn.learners.hybrid.mmhc import MMHC as MMHC
from structlearn.learners.hybrid.mmpc import MMPC as MMPC
from structlearn.learners.network.aracne import ARACNE as ARACNE
from structlearn.learners.network.boolean_network import BooleanNetwork as BooleanNetwork
from structlearn.learners.network.cluster_gaussian_network import ClusterGaussianNetwork as ClusterGaussianNetwork
from structlearn.learners.network.dependency_network import DependencyNetwork as DependencyNetwork
from structlearn.learners.network.factorization_network import FactorizationNetwork as FactorizationNetwork
from structlearn.learners.network.module_network import ModuleNetwork as ModuleNetwork
from structlearn.learners.network.network_component_analysis import NetworkComponentAnalysis as NetworkComponentAnalysis
from structlearn.learners.network.relational_model import RelationalModel as RelationalModel
from structlearn.learners.network.similarity_network import SimilarityNetwork as SimilarityNetwork
from structlearn.learners.network.system_identification import SystemIdentification as SystemIdentification
from structlearn.learners.order.boss import BOSS as BOSS
from structlearn.learners.order.direct_lingam import DirectLiNGAM as DirectLiNGAM
from structlearn.learners.order.exact_posterior import ExactPosterior as ExactPosterior
from structlearn.learners.order.exact_search import ExactSearch as ExactSearch
from structlearn.learners.order.genetic_order_search import GeneticOrderSearch as GeneticOrderSearch
from structlearn.learners.order.ica_lingam import ICALiNGAM as ICALiNGAM
from structlearn.learners.order.k2 import K2 as K2
from structlearn.learners.order.order_mcmc import OrderMCMC as OrderMCMC
from structlearn.learners.order.order_search import OrderSearch as OrderSearch
from structlearn.learners.order.residual_ordering import ResidualOrdering as ResidualOrdering
from structlearn.learners.regression.convex_dag import ConvexDAG as ConvexDAG
from structlearn.learners.regression.dagma import DAGMA as DAGMA
from structlearn.learners.regression.feature_vector_machine import FeatureVectorMachine as FeatureVectorMachine
from structlearn.learners.regression.graphical_lasso import GraphicalLasso as GraphicalLasso
from structlearn.learners.regression.ising_neighborhoods import IsingNeighborhoods as IsingNeighborhoods
from structlearn.learners.regression.log_linear_mrf import LogLinearMRF as LogLinearMRF
from structlearn.learners.regression.neighborhood_selection import NeighborhoodSelection as NeighborhoodSelection
from structlearn.learners.regression.notears import NOTEARS as NOTEARS
from structlearn.learners.regression.regression_dag_gaussian import RegressionDAGGaussian as RegressionDAGGaussian
from structlearn.learners.score.best_first import BestFirst as BestFirst
from structlearn.learners.score.bounded_treewidth import BoundedTreewidth as BoundedTreewidth
from structlearn.learners.score.chow_liu import ChowLiu as ChowLiu
from structlearn.learners.score.genetic_search import GeneticSearch as GeneticSearch
from structlearn.learners.score.greedy_equivalence import GreedyEquivalence as GreedyEquivalence
from structlearn.learners.score.hill_climbing import HillClimbing as HillClimbing
from structlearn.learners.score.lookahead_search import LookaheadSearch as LookaheadSearch
from structlearn.learners.score.optimal_reinsertion import OptimalReinsertion as OptimalReinsertion
from structlearn.learners.score.polytree import Polytree as Polytree
from structlearn.learners.score.simulated_annealing import SimulatedAnnealing as SimulatedAnnealing
from structlearn.learners.score.sparse_candidate import SparseCandidate as SparseCandidate
from structlearn.learners.time.dynamic_network import DynamicNetwork as DynamicNetwork
from structlearn.learners.time.pcmci import PCMCI as PCMCI
from structlearn.learners.time.sparse_var import SparseVAR as SparseVAR
from structlearn.learners.time.var_lingam import VARLiNGAM as VARLiNGAM
from structlearn.models import BayesianNetwork as BayesianNetwork
from structlearn.models.experiments import Experiment as Experiment
from structlearn.models.experiments import sample as sample
from structlearn.models.factors import Factor as Factor
from structlearn.models.factors import Feature as Feature
from structlearn.models.gaussian_graphical_model import GaussianGraphicalModel as GaussianGraphicalModel
from structlearn.models.ising_model import IsingModel as IsingModel
from structlearn.models.latent_classes import latent_classes as latent_classes
from structlearn.models.markov_network import MarkovNetwork as MarkovNetwork
from structlearn.models.random_models import random_model as random_model
from structlearn.numerics.discretization import discretize as discretize
from structlearn.numerics.information.mutual_information import mutual_information as mutual_information
from structlearn.statistics.engines.opening import source as source

__version__: str
__all__ = [
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
