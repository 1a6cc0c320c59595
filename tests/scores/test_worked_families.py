"""Families of small tables have the scores that docs/references/scores.md derives without this library."""

import math

import pytest

import structlearn as sl
from structlearn.scores import BIC, K2, BDeu, BGe, FamilyScores, GaussianBIC, LogLikelihood
from structlearn.statistics import from_dataset
from tests.data_files import data_file
from tests.oracles.reference_data import T1, T3

# A, B, B|A, B|AC, C|B
OF_T1 = [(0, ()), (1, ()), (1, (0,)), (1, (0, 2)), (2, (1,))]
# x, y, z, y|x, x|yz
OF_T3 = [(0, ()), (1, ()), (2, ()), (1, (0,)), (0, (1, 2))]
ASIA = {"T": "A", "L": "S", "B": "S", "E": "TL", "X": "E", "D": "BE"}


def locals_of(score, data, families):
    scores = FamilyScores(score, from_dataset(data))
    return [scores.local(child, parents) for child, parents in families]


# From docs/references/scores.md#likelihood-aic-and-bic.
def test_likelihoods_of_families():
    wanted = [-13.762776, -13.862944, -11.212835, -10.256313, -12.217286]

    assert locals_of(LogLikelihood(), T1, OF_T1) == pytest.approx(wanted, abs=1e-6)


def test_a_bic_takes_half_a_logarithm_off_for_each_parameter():
    likelihoods = locals_of(LogLikelihood(), T1, OF_T1)
    sizes = [2 ** len(parents) for _, parents in OF_T1]

    assert locals_of(BIC(), T1, OF_T1) == pytest.approx(
        [ll - 0.5 * size * math.log(20) for ll, size in zip(likelihoods, sizes, strict=True)], abs=1e-9
    )


# From docs/references/scores.md#gaussian-scores.
def test_gaussian_families():
    wanted = [-13.516715, -13.516715, -14.379761, -10.932434, -0.594966]

    assert locals_of(GaussianBIC(), T3, OF_T3) == pytest.approx(wanted, abs=1e-6)


# From docs/references/scores.md#bge, prior means at those of the columns and at zero.
@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({}, [-15.879020, -15.879020, -17.142230, -13.625301, -5.532946]),
        ({"centre": "zero"}, [-17.946915, -17.946915, -18.917099, -14.049614, -5.999381]),
    ],
    ids=["means", "zero"],
)
def test_bge_families(options, wanted):
    assert locals_of(BGe(**options), T3, OF_T3) == pytest.approx(wanted, abs=1e-6)


# From docs/references/scores.md#dirichlet-scores.
@pytest.mark.parametrize(
    ("score", "wanted"),
    [(K2(), -42.923734), (BDeu(), -46.254296), (BDeu(ess=10), -41.423205)],
    ids=["K2", "BDeu 1", "BDeu 10"],
)
def test_evidence_of_a_chain(score, wanted):
    chain = sl.Graph("ABC", directed=["AB", "BC"])

    assert sl.score(chain, T1, score) == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize(
    ("score", "wanted"),
    [
        (BIC(), -11109.741872),
        (K2(), -11110.151719),
        (BDeu(), -11095.824183),
        (BDeu(ess=10), -11142.014366),
    ],
    ids=["BIC", "K2", "BDeu 1", "BDeu 10"],
)
def test_the_graph_of_asia_on_its_table(score, wanted):
    # From docs/references/scores.md#likelihood-aic-and-bic and #dirichlet-scores.
    graph = sl.Graph("ASTLBEXD", directed=[(p, child) for child, parents in ASIA.items() for p in parents])

    assert sl.score(graph, data_file("tables/asia.csv"), score) == pytest.approx(wanted, abs=1e-5)


# From docs/references/scores.md#laplace: what Laplace's method approximates is the evidence with α = 1.
@pytest.mark.parametrize(
    ("counts", "exact"),
    [((3, 7), -7.185387), ((30, 70), -63.257216), ((300, 700), -614.180251), ((2, 3, 5), -12.021669)],
)
def test_the_exact_evidence_of_one_column(counts, exact):
    column = [level for level, n in zip("uvw", counts, strict=False) for _ in range(n)]

    assert sl.score(sl.Graph(["a"]), {"a": column}, K2()) == pytest.approx(exact, abs=1e-6)
