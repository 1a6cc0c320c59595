"""Networks of clusters: profiles, their number, and edges that go one by one."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.network.clusters.elimination import Elimination
from structlearn.learners.network.clusters.profiles import inflation_of, profiles_of, tree_of
from structlearn.numerics.completed_covariance import completed_covariance
from structlearn.run import Run

# docs/references/networks.md#clusters-of-columns
FIVE = np.array(
    [
        [1, 0.6, 0.45, 0.3, 0.1],
        [0.6, 1, 0.55, 0.35, 0.15],
        [0.45, 0.55, 1, 0.5, 0.2],
        [0.3, 0.35, 0.5, 1, 0.4],
        [0.1, 0.15, 0.2, 0.4, 1],
    ]
)


def selected(stop="increment", alpha=0.05, correlation=FIVE, size=40.0):
    is_allowed = ~np.eye(len(correlation), dtype=bool)
    with Run("test", progress=False) as run:
        return Elimination(correlation, size, stop, alpha).selected(is_allowed, run)


def blocks(n_rows=80, n_blocks=2, size=3, noise=0.1, seed=0):
    """Blocks of columns that are one hidden profile and noise; hidden profiles are a chain."""
    rng = np.random.default_rng(seed)
    hidden = rng.normal(size=(n_rows, n_blocks))
    for k in range(1, n_blocks):
        hidden[:, k] += 0.8 * hidden[:, k - 1]
    rows = np.repeat(hidden, size, axis=1) + noise * rng.normal(size=(n_rows, n_blocks * size))
    return {f"b{j // size}_{j % size}": rows[:, j] for j in range(n_blocks * size)}


def test_edges_go_in_the_order_and_at_the_deviances_of_the_reference():
    found = selected()

    assert [(each.source + 1, each.target + 1) for each in found.removals[:-1]] == [
        (3, 5), (2, 5), (1, 5), (1, 4), (2, 4), (1, 3),
    ]  # fmt: skip
    assert [each.deviance for each in found.removals[:-1]] == pytest.approx(
        [0.0000379, 0.0341998, 0.0551367, 0.1751081, 0.6075448, 1.9191377], abs=5e-8
    )
    last = found.removals[-1]
    assert (last.source + 1, last.target + 1, last.is_out) == (4, 5, False)
    assert (last.increase, last.p_value) == pytest.approx((6.9741355, 0.0082696), abs=5e-8)
    assert found.deviance == found.removals[-2].deviance


def test_what_is_left_is_the_chain_with_exact_zeros():
    found = selected()

    assert np.diag(found.partial, k=1) == pytest.approx(
        [0.5308357, 0.4198518, 0.4062768, 0.3535534], abs=5e-8
    )
    assert np.count_nonzero(found.partial) == 5 + 2 * 4
    np.testing.assert_allclose(np.where(found.is_edge, found.covariance - FIVE, 0.0), 0.0, atol=1e-15)


def test_the_other_rules_stop_where_they_say():
    # The deviance 8.893 of 7 edges has p = 0.26: the chain goes on losing edges.
    by_deviance, by_bic = selected("deviance"), selected("bic")

    assert by_deviance.removals[6].is_out
    assert by_deviance.removals[-1].p_value < 0.05
    assert not by_bic.removals[-1].is_out
    assert by_bic.removals[-1].increase > np.log(40.0) > max(each.increase for each in by_bic.removals[:-1])


def test_a_completed_matrix_keeps_the_edges_and_its_inverse_is_zero_elsewhere():
    rng = np.random.default_rng(0)
    covariance = np.cov(rng.normal(size=(30, 12)) @ rng.normal(size=(12, 12)), rowvar=False)
    is_free = np.triu(rng.random((12, 12)) < 0.5, k=1)
    is_free |= is_free.T

    found = completed_covariance(covariance, is_free)

    inverse = np.linalg.inv(found)
    scale = np.sqrt(np.diag(inverse))
    assert np.abs(inverse / np.outer(scale, scale))[is_free].max() < 1e-8
    assert (found == covariance)[~is_free].all()
    with pytest.raises(np.linalg.LinAlgError):
        completed_covariance(np.ones((3, 3)), is_free[:3, :3])


def test_two_planted_blocks_are_two_clusters_whose_partial_correlation_is_their_correlation():
    learner = sl.ClusterGaussianNetwork(n_clusters=2).fit(blocks())

    assert set(learner.clusters_.values()) == {("b0_0", "b0_1", "b0_2"), ("b1_0", "b1_1", "b1_2")}
    assert learner.partial_correlation_ == pytest.approx(learner.correlation_)
    table = blocks()
    means = [
        np.mean([(table[name] - table[name].mean()) / table[name].std() for name in members], axis=0)
        for members in learner.clusters_.values()
    ]
    assert learner.correlation_[0, 1] == pytest.approx(np.corrcoef(means)[0, 1])
    assert learner.graph_.facts["cluster 1"]["members"] == learner.clusters_["cluster 1"]


def test_the_number_of_clusters_is_the_largest_whose_inflation_factors_stay_below_ten():
    table = blocks(n_blocks=4, n_rows=60)
    learner = sl.ClusterGaussianNetwork().fit(table)

    assert sorted(learner.clusters_.values()) == [tuple(f"b{k}_{i}" for i in range(3)) for k in range(4)]
    assert {(f"cluster {k}", f"cluster {k + 1}") for k in (1, 2, 3)} <= set(learner.graph_.undirected)
    assert learner.inflation_.max() < 10.0
    names = tuple(sorted(table))
    correlation = np.corrcoef([table[name] for name in names])
    tree = tree_of(names, correlation, 60.0, "euclidean", "average")
    places = {name: j for j, name in enumerate(names)}
    for q in range(5, 13):  # by definition, from the inverse of the correlations of the means
        members = tuple(np.array([places[name] for name in each]) for each in tree.clusters(q))
        means = np.array([correlation[:, each].mean(axis=1) for each in members]).T
        between = np.array([means[each].mean(axis=0) for each in members])
        scale = np.sqrt(np.diag(between))
        assert np.diag(np.linalg.inv(between / np.outer(scale, scale))).max() >= 10.0
        assert profiles_of(members, correlation, "mean").inflation.max() >= 10.0


def test_inflation_factors_are_the_diagonal_of_the_inverse_and_infinite_without_one():
    assert inflation_of(FIVE) == pytest.approx(np.diag(np.linalg.inv(FIVE)))
    assert np.isinf(inflation_of(np.ones((2, 2)))).all()


@pytest.mark.parametrize("profile", ["mean", "medoid", "component"])
def test_a_profile_is_its_definition(profile):
    table = blocks(noise=0.6)
    learner = sl.ClusterGaussianNetwork(n_clusters=2, profile=profile).fit(table)

    profiles = []
    for members in learner.clusters_.values():
        rows = np.array([(table[name] - table[name].mean()) / table[name].std() for name in members])
        if profile == "mean":
            profiles.append(rows.mean(axis=0))
        elif profile == "medoid":
            profiles.append(rows[np.corrcoef(rows).sum(axis=0).argmax()])
        else:
            first = np.linalg.svd(rows, full_matrices=False)[2][0]
            profiles.append(first * np.sign((rows @ first).sum()))
    assert learner.correlation_[0, 1] == pytest.approx(np.corrcoef(profiles)[0, 1])


def test_the_distance_one_less_r_and_other_linkages_cluster_too():
    for linkage in ("average", "single", "complete", "ward"):
        learner = sl.ClusterGaussianNetwork(n_clusters=3, distance="correlation", linkage=linkage)
        assert sorted(map(len, learner.fit(blocks(n_blocks=3)).clusters_.values())) == [3, 3, 3]


def test_as_many_clusters_as_rows_are_refused_with_the_largest_number():
    table = {name: column[:6] for name, column in blocks(n_blocks=4).items()}

    with pytest.raises(sl.OptionError, match=r"n_clusters=6\).*6 rows.*at most 5"):
        sl.ClusterGaussianNetwork(n_clusters=6).fit(table)
    with pytest.raises(sl.OptionError, match="at most 6"):
        sl.ClusterGaussianNetwork(n_clusters=7).fit(blocks())


def test_profiles_that_determine_each_other_are_refused():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 50))

    with pytest.raises(sl.DataError, match="3 clusters determine each other"):
        sl.ClusterGaussianNetwork(n_clusters=3).fit({"a": a, "b": b, "c": a + b})
    assert len(sl.ClusterGaussianNetwork().fit({"a": a, "b": b, "c": a + b}).graph_) == 2


def test_a_column_with_the_name_of_a_cluster_is_refused():
    table = blocks()
    table["cluster 1"] = np.random.default_rng(3).normal(size=80)

    with pytest.raises(sl.DataError, match="'cluster 1' has the name of a cluster"):
        sl.ClusterGaussianNetwork().fit(table)


def test_clusters_are_not_joined_where_their_columns_may_not_be():
    known = sl.Knowledge(forbidden=[("b0_0", "b1_2"), ("b1_2", "b0_0")])

    free, bound = (
        sl.ClusterGaussianNetwork(n_clusters=3, knowledge=each).fit(blocks(n_blocks=3))
        for each in (None, known)
    )

    first, second = (
        next(node for node, members in bound.clusters_.items() if name in members)
        for name in ("b0_0", "b1_2")
    )
    assert free.graph_.edge(first, second) is not None
    assert bound.graph_.edge(first, second) is None
    assert bound.deviance_ > free.deviance_


def test_every_edge_has_the_p_value_of_the_fit_without_it():
    learner = sl.ClusterGaussianNetwork(n_clusters=3).fit(blocks(n_blocks=3, n_rows=40))
    last = {
        (s, t): p
        for s, t, p, out in zip(
            *(learner.trace_[k] for k in ("source", "target", "p_value", "is_out")), strict=True
        )
        if not out
    }

    assert last
    for pair, p_value in last.items():
        assert learner.evidence_[pair].p_value == pytest.approx(p_value)


def test_more_columns_than_rows_have_clusters_and_edges():
    planted = [tuple(f"b{k}_{i}" for i in range(6)) for k in range(6)]

    learner = sl.ClusterGaussianNetwork(stop="bic").fit(blocks(n_blocks=6, size=6, n_rows=30))

    assert set(learner.clusters_.values()) == set(planted)
    assert len(learner.graph_.edges) >= 4


@pytest.mark.filterwarnings("ignore:.*have a single value")
def test_columns_that_never_vary_are_joined_to_nothing_and_nothing_is_printed(capfd):
    found = sl.ClusterGaussianNetwork().fit({"a": np.ones(20), "b": np.zeros(20)})

    assert found.graph_.edges == ()
    assert found.graph_.nodes == ("a", "b")
    assert capfd.readouterr() == ("", "")
