"""What each score says of equivalent DAGs is so, over all 543 DAGs of four nodes."""

import functools
import itertools
import math

import numpy as np
import pytest

import structlearn as sl
from structlearn.errors import DataError
from structlearn.scores import (
    AIC,
    BDJ,
    BIC,
    K2,
    MDL,
    BDe,
    BDeu,
    BDs,
    BGe,
    ConditionalGaussianBIC,
    FamilyScores,
    GaussianAIC,
    GaussianBIC,
    GaussianLaplace,
    GaussianLogLikelihood,
    JointTable,
    Laplace,
    LogLikelihood,
    NearGraph,
    ShortCode,
    UniformPrior,
    WithStructurePrior,
)
from structlearn.statistics import from_dataset
from tests.oracles import scores as oracle
from tests.oracles.reference_data import T1
from tests.statistics.test_counting import dataset_of

NAMES = ("c0", "c1", "c2", "c3")
LEVELS = [2, 3, 2, 4]
RNG = np.random.default_rng(3)
TABLES = from_dataset(
    dataset_of([tuple(row) for row in RNG.integers(0, LEVELS, size=(60, 4)).tolist()], LEVELS)
)
REGRESSIONS = from_dataset(
    sl.Dataset(dict(zip(NAMES, (RNG.normal(size=(60, 4)) @ RNG.normal(size=(4, 4))).T, strict=True)))
)
MIXED = from_dataset(
    sl.Dataset(
        dict(zip(NAMES, [*RNG.integers(0, 2, size=(2, 60)), *RNG.normal(size=(2, 60))], strict=True)),
        kinds=dict(zip(NAMES, ["discrete"] * 2 + ["continuous"] * 2, strict=True)),
    )
)
JOINT = JointTable(NAMES, RNG.dirichlet(np.ones(48)).reshape(LEVELS))
NEAR = NearGraph(sl.Graph(NAMES, directed=[("c0", "c1")]), kappa=0.5)

EQUIVALENT = [
    (LogLikelihood(), TABLES),
    (AIC(), TABLES),
    (BIC(), TABLES),
    (MDL(), TABLES),
    (MDL(tight=True), TABLES),
    (MDL(graph_code="parent-lists", bits_per_parameter=3), TABLES),
    (BDeu(ess=10), TABLES),
    (BDe(JOINT, ess=10), TABLES),
    (WithStructurePrior(BIC(), ShortCode()), TABLES),
    (WithStructurePrior(BDeu(), UniformPrior()), TABLES),
    (GaussianLogLikelihood(), REGRESSIONS),
    (GaussianAIC(), REGRESSIONS),
    (GaussianBIC(), REGRESSIONS),
    (BGe(), REGRESSIONS),
    (BGe(centre="zero", mean_weight=0.1, degrees=8), REGRESSIONS),
    (GaussianLaplace(), REGRESSIONS),
]
NOT_EQUIVALENT = [
    (K2(), TABLES),
    (BDJ(), TABLES),
    (BDs(), TABLES),
    (Laplace(), TABLES),
    (Laplace(basis="theta", diagonal=True, prior_count=2), TABLES),
    (WithStructurePrior(BIC(), NEAR), TABLES),
    (GaussianLaplace(diagonal=True), REGRESSIONS),
    (ConditionalGaussianBIC(), MIXED),
]


@functools.cache
def classes():
    """The DAGs of each equivalence class of four nodes, by its CPDAG."""
    by_class = {}
    for parents in oracle.all_parent_choices(4):
        arcs = [(NAMES[u], NAMES[v]) for v, members in enumerate(parents) for u in members]
        by_class.setdefault(sl.Graph(NAMES, directed=arcs).to_cpdag(), []).append(parents)
    return by_class


def spread(score, statistics):
    families = FamilyScores(score, statistics)
    totals = [[families.total(parents) for parents in dags] for dags in classes().values()]
    return max(max(group) - min(group) for group in totals)


@pytest.mark.parametrize(("score", "statistics"), EQUIVALENT, ids=lambda value: str(value)[:40])
def test_equivalent_dags_score_the_same(score, statistics):
    assert score.is_equivalent
    assert spread(score, statistics) < 1e-9


@pytest.mark.parametrize(("score", "statistics"), NOT_EQUIVALENT, ids=lambda value: str(value)[:40])
def test_scores_that_do_not_say_so_are_not_equivalent(score, statistics):
    assert not score.is_equivalent
    assert spread(score, statistics) > 1e-3


CHAIN = sl.Graph(NAMES, undirected=[("c0", "c1"), ("c1", "c2"), ("c2", "c3")])
MEMBERS = [
    sl.Graph(
        NAMES,
        directed=[(NAMES[i], NAMES[i + 1]) if i >= root else (NAMES[i + 1], NAMES[i]) for i in range(3)],
    )
    for root in range(4)
]


@pytest.mark.parametrize(("score", "statistics"), EQUIVALENT, ids=lambda value: str(value)[:40])
def test_the_score_of_a_class_is_that_of_each_of_its_dags(score, statistics):
    turned = sl.Graph(NAMES[::-1], undirected=CHAIN.undirected)
    expected = [sl.score(dag, statistics, score) for dag in MEMBERS]

    assert {dag.to_cpdag() for dag in MEMBERS} == {CHAIN}
    for graph in (CHAIN, turned):
        np.testing.assert_allclose(sl.score(graph, statistics, score), expected, atol=1e-9)


class OfOnesOwn:
    """A score that does not say whether equivalent DAGs score the same."""

    def local(self, statistics, families):
        return BIC().local(statistics, families)


@pytest.mark.parametrize(
    ("score", "statistics"), [*NOT_EQUIVALENT, (OfOnesOwn(), TABLES)], ids=lambda value: str(value)[:40]
)
def test_a_class_has_a_score_exactly_where_its_dags_agree(score, statistics):
    families = FamilyScores(score, statistics)
    refused = 0
    for cpdag, dags in classes().items():
        totals = [families.total(parents) for parents in dags]
        if max(totals) == min(totals) or max(totals) - min(totals) < 1e-9:
            assert sl.score(cpdag, statistics, score) == pytest.approx(totals[0], abs=1e-9)
            continue
        refused += 1
        with pytest.raises(DataError, match=r"several DAGs, whose scores.*such as graph\.to_dag") as found:
            sl.score(cpdag, statistics, score)
        assert f"from {min(totals):.6g} to {max(totals):.6g}" in str(found.value)
    assert (refused == 0) is isinstance(score, OfOnesOwn)


def test_a_class_too_large_to_compare_is_refused():
    names = [f"x{i}" for i in range(12)]
    complete = sl.Graph(names, undirected=itertools.combinations(names, 2))
    data = dict(zip(names, RNG.choice(list("ab"), size=(12, 30)), strict=True))

    with pytest.raises(DataError, match="several DAGs, and they are too many to see"):
        sl.score(complete, data, "k2")
    assert math.isfinite(sl.score(complete, data, "bdeu"))


def test_mixed_dags_of_one_class_that_are_possible_score_the_same():
    families = FamilyScores(ConditionalGaussianBIC(), MIXED)
    for dags in classes().values():
        possible = [total for total in map(families.total, dags) if total > -math.inf]
        assert not possible or max(possible) - min(possible) < 1e-9


def test_the_spread_of_k2_is_the_hand_calculated_one():
    families = FamilyScores(K2(), from_dataset(T1))
    by_class = {}
    for parents in oracle.all_parent_choices(3):
        arcs = [("ABC"[u], "ABC"[v]) for v, members in enumerate(parents) for u in members]
        cpdag = sl.Graph("ABC", directed=arcs).to_cpdag()
        by_class.setdefault(cpdag, []).append(families.total(parents))

    spreads = [max(totals) - min(totals) for totals in by_class.values()]
    # From docs/references/scores.md#score-equivalence.
    assert max(spreads) == pytest.approx(0.26781, abs=1e-5)
