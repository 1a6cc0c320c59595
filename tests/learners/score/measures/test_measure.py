"""Candidate parents: every measure by its definition, drawn rows beside exact pairs, and who is chosen."""

import itertools

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.score.measures.fitted_network import FittedNetwork
from structlearn.learners.score.measures.gaussian_discrepancy import implied_covariance
from structlearn.learners.score.measures.measure import measure_for
from structlearn.learners.score.measures.pair_marginals import cheap_elimination, pair_marginals
from structlearn.run import Run
from structlearn.scores import FamilyScores, score_for
from structlearn.statistics import from_dataset
from tests.learners.score.candidate_tables import asia, random_normals, random_parents, random_table
from tests.oracles import pairs as oracle
from tests.search.spaces import space_of

RUN = Run("test")


def codes_of(data):
    return np.column_stack([column.codes for column in data.columns]).astype(int).tolist()


def promises(data, name, parents, *, samples=None, score="bic", seed=0):
    return measure_for(space_of(data, score, seed=seed), name, samples=samples).of(parents, RUN)


def off_diagonal(matrix):
    return matrix[~np.eye(len(matrix), dtype=bool)]


def test_without_arcs_discrepancy_shield_and_information_are_one():
    data = asia()
    nothing = [() for _ in data.names]
    information = off_diagonal(promises(data, "mutual-information", nothing).values)

    for measure in ("discrepancy", "shield"):
        found = off_diagonal(promises(data, measure, nothing).values)
        np.testing.assert_allclose(found, information, rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_information_and_shield_are_what_their_formulas_say(seed):
    data = random_table(seed)
    parents = random_parents(seed)
    codes = codes_of(data)
    information = promises(data, "mutual-information", parents).values
    shield = promises(data, "shield", parents).values

    for child, other in itertools.permutations(range(5), 2):
        assert information[child, other] == pytest.approx(oracle.information(codes, child, other), abs=1e-12)
        if other not in parents[child]:
            expected = oracle.information(codes, child, other, parents[child])
            assert shield[child, other] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("score", ["bic", "bdeu"])
def test_the_score_measure_ranks_as_the_score_with_one_more_parent(score):
    data = random_table(1)
    parents = random_parents(1)
    statistics = from_dataset(data)
    scores = FamilyScores(score_for("test", score, statistics), statistics)
    found = promises(data, "score", parents, score=score).values

    for child, members in enumerate(parents):
        others = [u for u in range(5) if u != child and u not in members]
        by_score = sorted(others, key=lambda u: -scores.local(child, [*members, u]))
        assert sorted(others, key=lambda u: -found[child, u]) == by_score


@pytest.mark.parametrize("seed", range(4))
def test_pairs_of_a_network_are_sums_over_all_joint_states(seed):
    data = random_table(seed)
    parents = random_parents(seed, most=3)
    network = FittedNetwork.of(from_dataset(data), parents)
    expected = oracle.network_pairs(codes_of(data), network.levels.tolist(), parents)

    found = pair_marginals(network, cheap_elimination(network).order)

    np.testing.assert_allclose(
        found, np.concatenate([table.ravel() for table in expected.values()]), atol=1e-13
    )


@pytest.mark.parametrize("seed", range(3))
def test_discrepancy_is_the_divergence_of_data_from_network(seed):
    data = random_table(seed)
    parents = random_parents(seed)
    codes = codes_of(data)
    levels = [len(labels) for labels in data.labels.values()]
    found = promises(data, "discrepancy", parents).values

    for pair, implied in oracle.network_pairs(codes, levels, parents).items():
        assert found[pair] == pytest.approx(oracle.divergence(codes, pair, implied), abs=1e-12)
        assert found[pair] == found[pair[::-1]]


@pytest.mark.parametrize(
    ("samples", "most"), [(10_000, 1e-3), pytest.param(1_000_000, 1e-4, marks=pytest.mark.slow)]
)
def test_a_drawn_discrepancy_is_as_close_as_it_says(samples, most):
    # From docs/references/search.md#sparse-candidate: at the best network of asia a million rows leave an
    # error below 1e-4.
    data = asia()
    best = sl.HillClimbing().fit(data).graph_
    parents = [[data.names.index(u) for u in best.parents(v)] for v in data.names]
    exact = promises(data, "discrepancy", parents)

    drawn = promises(data, "discrepancy", parents, samples=samples)

    error = np.abs(drawn.values - exact.values).max()
    assert error < most
    assert error < 4 * drawn.noise < 40 * max(error, 1e-5)
    assert exact.noise == 0.0


def test_the_noise_of_large_tables_that_fit_is_their_bias():
    # With p = q the divergence of a drawn table is χ² / 2S: for 99 degrees of freedom about 49.5 / S.
    rng = np.random.default_rng(0)
    a = rng.integers(0, 10, 5000)
    data = sl.Dataset({"a": a, "b": (a + rng.integers(0, 10, 5000) // 4) % 10})
    drawn = promises(data, "discrepancy", [[], [0]], samples=20_000)

    assert drawn.values[0, 1] < 1.5 * drawn.noise
    assert drawn.noise < 3 * 99 / (2 * 20_000)


def test_rows_are_drawn_with_the_probabilities_of_the_network(monkeypatch):
    data = random_table(3)
    parents = random_parents(3)
    network = FittedNetwork.of(from_dataset(data), parents)
    exact = pair_marginals(network, cheap_elimination(network).order)
    drawn = from_dataset(network.draw(40_000, np.random.default_rng(0)))
    pairs = np.column_stack(np.triu_indices(5, k=1))

    shares = drawn.tables(pairs).counts / 40_000

    deviations = np.sqrt(exact * (1 - exact) / 40_000)
    assert (np.abs(shares - exact) <= 5 * deviations + 1e-12).all()
    # In blocks of rows the promises are just as good.
    whole = promises(data, "discrepancy", parents, samples=10_000)
    monkeypatch.setattr("structlearn.learners.score.measures.table_discrepancy.VALUES_AT_ONCE", 5 * 3000)
    blocks = promises(data, "discrepancy", parents, samples=10_000)
    np.testing.assert_allclose(blocks.values, whole.values, atol=4 * whole.noise)


def test_a_table_too_large_to_draw_from_is_refused(monkeypatch):
    monkeypatch.setattr("structlearn.learners.score.measures.fitted_network.MOST_CELLS", 8)

    with pytest.raises(sl.OptionError, match="'v1' and its 1 parents has 9 cells, too many to draw from"):
        FittedNetwork.of(from_dataset(random_table(0)), [[], [0], [], [], []])


@pytest.mark.parametrize("seed", range(3))
def test_continuous_measures_are_those_of_normal_distributions(seed):
    data = random_normals(seed)
    parents = random_parents(seed)
    covariance = np.cov(np.column_stack([column.values for column in data.columns]).T, bias=True)
    implied = oracle.regression_covariance(covariance, parents)
    discrepancy = promises(data, "discrepancy", parents).values
    shield = promises(data, "shield", parents).values

    np.testing.assert_allclose(implied_covariance(covariance, parents), implied, atol=1e-12)
    for a, b in itertools.permutations(range(5), 2):
        pair = np.ix_([a, b], [a, b])
        expected = oracle.normal_divergence(covariance[pair], implied[pair])
        assert discrepancy[a, b] == pytest.approx(expected, abs=1e-10)
        if b not in parents[a]:
            columns = [a, b, *parents[a]]
            precision = np.linalg.inv(covariance[np.ix_(columns, columns)])
            rho = -precision[0, 1] / np.sqrt(precision[0, 0] * precision[1, 1])
            assert shield[a, b] == pytest.approx(-0.5 * np.log(1 - rho**2), abs=1e-12)


def test_without_arcs_continuous_discrepancy_is_the_mutual_information():
    data = random_normals(7)
    rho = np.corrcoef(np.column_stack([column.values for column in data.columns]).T)
    nothing = [() for _ in data.names]

    for measure in ("discrepancy", "shield", "mutual-information"):
        found = off_diagonal(promises(data, measure, nothing).values)
        np.testing.assert_allclose(found, -0.5 * np.log(1 - off_diagonal(rho) ** 2), rtol=0, atol=1e-12)
