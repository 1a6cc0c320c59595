"""Shrinkage partial correlations: hand calculations, published results, definitions."""

import numpy as np
import pytest
from scipy import integrate, stats

import structlearn as sl
from structlearn.learners.constraint.chance.local_fdr import (
    chance_p_values,
    discoveries,
    fit_mixture,
    fit_null,
    log_density,
)
from structlearn.numerics.shrunken_correlations import best_shrinkage, partial_correlations
from tests.data_files import data_file
from tests.oracles.reference_data import T3

pytestmark = pytest.mark.filterwarnings("ignore:.*pairs of columns are few")


def ecoli():
    columns = dict(sl.Dataset(data_file("tables/ecoli_sod.csv")).to_dict())
    columns.pop("sample")
    return sl.Dataset(columns, kinds=dict.fromkeys(columns, "continuous"))


def standardised(rows):
    return (rows - rows.mean(axis=0)) / rows.std(axis=0, ddof=1)


def shrinkage_by_definition(rows):
    """Sums over pairs of variances and squares of correlations: docs/references/constraint.md#shrinkage."""
    x = standardised(rows)
    n, p = x.shape
    above = below = 0.0
    for i in range(p):
        for j in range(p):
            if i != j:
                w = x[:, i] * x[:, j]
                above += n / (n - 1) ** 3 * ((w - w.mean()) ** 2).sum()
                below += (n / (n - 1) * w.mean()) ** 2
    return min(1.0, above / below)


def test_three_columns_have_the_hand_calculated_values():
    learner = sl.ShrinkagePartialCorrelation().fit(T3)

    assert learner.shrinkage_ == pytest.approx(0.2038807, abs=1e-7)
    upper = learner.partial_correlations_[np.triu_indices(3, k=1)]
    assert upper == pytest.approx([0.5867823, 0.6503757, -0.1392968], abs=1e-7)
    plain = sl.ShrinkagePartialCorrelation(shrinkage=0.0).fit(T3).partial_correlations_
    assert plain[np.triu_indices(3, k=1)] == pytest.approx([0.9818892, 0.9881049, -0.9557916], abs=1e-7)


def test_the_genes_of_e_coli_have_the_published_network():
    # GeneNet's printed results, in docs/references/constraint.md#shrinkage with the counts that go with
    # them. Its probabilities belong to the next edge here, as said there.
    learner = sl.ShrinkagePartialCorrelation(min_probability=0.9).fit(ecoli())
    edges = sorted(learner.graph_.edges, key=lambda edge: -abs(edge.weight))

    assert learner.shrinkage_ == pytest.approx(0.180363, abs=1e-6)
    assert [edge.weight for edge in edges[:5]] == pytest.approx(
        [0.231857, 0.224055, 0.215078, 0.173289, -0.134189], abs=1e-6
    )
    assert [edge.confidence for edge in edges[4:7]] == pytest.approx(
        [0.9999945, 0.9999516, 0.9998400], abs=1e-6
    )
    assert (learner.null_.freedom, learner.null_.share) == pytest.approx((2043.37, 0.947463), rel=1e-5)
    assert len(edges) == 66
    assert len(sl.ShrinkagePartialCorrelation(max_q_value=0.05).fit(ecoli()).graph_.edges) == 68
    assert len(sl.ShrinkagePartialCorrelation().fit(ecoli()).graph_.edges) == 126


@pytest.mark.parametrize("shape", [(8, 5), (6, 20)], ids=["more rows", "more columns"])
def test_the_shrinkage_is_the_one_of_the_definition(shape):
    rows = np.random.default_rng(1).normal(size=shape) ** 3

    assert best_shrinkage(standardised(rows)) == pytest.approx(shrinkage_by_definition(rows), abs=1e-10)


def test_the_way_by_the_rows_gives_the_dense_inverse():
    rows = standardised(np.random.default_rng(2).normal(size=(10, 30)))
    shrunken = 0.7 * (rows.T @ rows) / 9 + 0.3 * np.eye(30)
    precision = np.linalg.inv(shrunken)
    scale = np.sqrt(np.diag(precision))

    found = partial_correlations(rows, 0.3)

    np.testing.assert_allclose(found, -precision / np.outer(scale, scale) + 2 * np.eye(30), atol=1e-8)


def test_the_density_of_chance_integrates_to_one_and_to_its_p_values():
    for freedom in (4.0, 30.0, 500.0):
        whole, _ = integrate.quad(lambda r, k=freedom: np.exp(log_density(np.array(r), k)), -1, 1, points=[0])
        tail, _ = integrate.quad(lambda r, k=freedom: np.exp(log_density(np.array(r), k)), 0.2, 1)
        assert whole == pytest.approx(1.0, abs=1e-6)
        assert 2 * tail == pytest.approx(chance_p_values(np.array([0.2]), freedom)[0], abs=1e-8)


@pytest.mark.parametrize("freedom", [20.0, 200.0])
def test_the_null_model_is_recovered_from_pure_chance_and_finds_nothing(freedom):
    rng = np.random.default_rng(3)
    rho = np.sqrt(rng.beta(0.5, 0.5 * (freedom - 1), 20_000)) * rng.choice([-1, 1], 20_000)
    null = fit_null(rho)

    assert null.freedom == pytest.approx(freedom, rel=0.1)
    assert null.share > 0.97
    assert (discoveries(rho, null).local_fdr < 0.2).mean() < 0.001
    assert fit_mixture(rho)[0].freedom == pytest.approx(freedom, rel=0.1)


def test_local_rates_rise_with_p_values_and_stand_above_tail_rates():
    learner = sl.ShrinkagePartialCorrelation().fit(ecoli())
    rho = learner.partial_correlations_[np.triu_indices(102, k=1)]
    found = discoveries(rho, learner.null_)
    order = np.argsort(found.p_value)

    assert (np.diff(found.local_fdr[order]) >= -1e-12).all()
    assert (found.local_fdr >= found.q_value - 1e-9).all()


def test_the_strongest_edges_can_be_asked_for_and_a_mixture_used():
    learner = sl.ShrinkagePartialCorrelation(n_edges=3).fit(ecoli())
    mixture = sl.ShrinkagePartialCorrelation(null="mixture", min_probability=0.9).fit(ecoli())

    strongest = {frozenset(pair) for pair in learner.graph_.undirected}
    assert len(strongest) == 3
    assert strongest <= {frozenset(pair) for pair in mixture.graph_.undirected}


def test_few_pairs_of_columns_are_warned_of():
    rows = np.random.default_rng(0).normal(size=(4, 5))

    with pytest.warns(sl.DataWarning, match="10 pairs of columns are few"):
        sl.ShrinkagePartialCorrelation().fit(rows)


@pytest.mark.parametrize("shrinkage", [0.0, 0.3, None])
def test_few_pairs_and_many_rows_are_judged_by_theory_without_shrinkage(shrinkage):
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(60, 4))
    rows[:, 1] += rows[:, 0]
    learner = sl.ShrinkagePartialCorrelation(shrinkage=shrinkage).fit(rows)

    precision = np.linalg.inv(np.corrcoef(rows, rowvar=False))
    rho = -precision[0, 1] / np.sqrt(precision[0, 0] * precision[1, 1])
    t = abs(rho) * np.sqrt((60 - 4) / (1 - rho**2))
    assert learner.graph_.edge("x0", "x1").p_value == pytest.approx(2 * stats.t.sf(t, 60 - 4), rel=1e-6)


def test_discrete_columns_weights_and_two_rows_are_refused():
    rng = np.random.default_rng(0)
    with pytest.raises(sl.DataError, match="takes continuous columns only, and 'a', 'b' are not"):
        sl.ShrinkagePartialCorrelation().fit({"a": ["x", "y", "x"], "b": ["u", "u", "v"]})
    with pytest.raises(sl.DataError, match="takes no case weights"):
        sl.ShrinkagePartialCorrelation().fit(
            sl.Dataset({"a": rng.normal(size=9), "b": rng.normal(size=9)}, weights=np.ones(9))
        )
    with pytest.raises(sl.DataError, match="2 rows are too few"):
        sl.ShrinkagePartialCorrelation().fit({"a": [0.5, 1.5], "b": [0.25, -1.0]})


@pytest.mark.filterwarnings("ignore:.*(a single value|are few):structlearn.DataWarning")
@pytest.mark.parametrize("null", ["censored", "mixture"])
@pytest.mark.parametrize("n_columns", [4, 30])
def test_columns_that_never_vary_change_no_probability(n_columns, null):
    rows = np.random.default_rng(2).normal(size=(60, n_columns))
    rows[:, 1] += 0.5 * rows[:, 0]
    table = {f"v{j}": column for j, column in enumerate(rows.T)}
    more = {f"k{j}": np.ones(60) for j in range(20)}

    plain, beside = (
        sl.ShrinkagePartialCorrelation(null=null, n_edges=n_columns * (n_columns - 1) // 2).fit(columns)
        for columns in (table, more | table)
    )

    for found, known in zip(beside.graph_.edges, plain.graph_.edges, strict=True):
        assert {found.source, found.target} == {known.source, known.target}
        numbers = known.weight, known.p_value, known.confidence
        # The mixture is fitted to a flat maximum, so that rounding moves confidences near 0.
        assert (found.weight, found.p_value, found.confidence) == pytest.approx(numbers, rel=1e-3, abs=1e-4)
