"""Each step of a network of clusters does what its definition says, and its edges have defined answers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster import hierarchy
from scipy.stats import chi2, t

import structlearn as sl
from structlearn.formats import save
from structlearn.learners.network.clusters.elimination import Elimination, refuse_singular
from structlearn.learners.network.clusters.profiles import (
    chosen_profiles,
    given_profiles,
    profiles_of,
    tree_of,
)
from structlearn.learners.network.clusters.result import allowed_pairs, names_of_clusters, with_lone
from structlearn.run import Run
from tests.oracles.precision import fitted_by_edges, random_correlation

few = settings(max_examples=6, deadline=None)
seeds = st.integers(0, 10**6)


def slow_elimination(correlation, size, is_allowed, has_to_stop):
    """Every fit anew; `has_to_stop` is asked with the rise, the whole deviance and all pairs without edge."""

    def deviance(covariance):
        return size * (np.linalg.slogdet(covariance)[1] - np.linalg.slogdet(correlation)[1])

    is_edge, n_pairs = is_allowed.copy(), len(correlation) * (len(correlation) - 1) // 2
    covariance = fitted_by_edges(correlation, is_edge)
    while is_edge.any():
        inverse = np.linalg.inv(covariance)
        partial = np.abs(inverse) / np.sqrt(np.outer(np.diag(inverse), np.diag(inverse)))
        i, j = min(np.argwhere(np.triu(is_edge)).tolist(), key=lambda pair: partial[tuple(pair)])
        fewer = is_edge.copy()
        fewer[i, j] = fewer[j, i] = False
        fitted = fitted_by_edges(correlation, fewer)
        n_missing = n_pairs - int(fewer.sum()) // 2
        if has_to_stop(deviance(fitted) - deviance(covariance), deviance(fitted), n_missing):
            break
        is_edge, covariance = fewer, fitted
    return is_edge, deviance(covariance)


@pytest.mark.parametrize("has_forbidden", [False, True])
@pytest.mark.parametrize("stop", ["increment", "deviance", "bic"])
@settings(max_examples=3, deadline=None)
@given(seeds)
def test_each_rule_stops_where_its_slow_definition_does(stop, has_forbidden, seed):
    correlation, size = random_correlation(seed, 4, 25), 25.0
    is_allowed = ~np.eye(4, dtype=bool)
    if has_forbidden:
        is_allowed[0, 1] = is_allowed[1, 0] = False
    rules = {
        "increment": lambda rise, _, __: chi2.sf(rise, 1) < 0.05,
        "deviance": lambda _, whole, n_missing: chi2.sf(whole, n_missing) < 0.05,
        "bic": lambda rise, _, __: rise > np.log(size),
    }

    with Run("test", progress=False) as run:
        found = Elimination(correlation, size, stop, 0.05).selected(is_allowed, run)

    is_edge, deviance = slow_elimination(correlation, size, is_allowed, rules[stop])
    assert (found.is_edge == is_edge).all()
    assert found.deviance == pytest.approx(deviance, abs=1e-6)
    assert ((found.partial == 0.0) == ~(is_edge | np.eye(4, dtype=bool))).all()


@pytest.mark.parametrize("partial", [1e-6, 1e-3, 0.05])
def test_the_first_edge_costs_what_its_partial_correlation_says_however_small(partial):
    precision = np.array([[1.0, 0.4, 0.3], [0.4, 1.0, -partial], [0.3, -partial, 1.0]])
    covariance = np.linalg.inv(precision)
    scale = np.sqrt(np.diag(covariance))
    with Run("test", progress=False) as run:
        found = Elimination(covariance / np.outer(scale, scale), 40.0, "increment", 0.05).selected(
            ~np.eye(3, dtype=bool), run
        )

    # A complete graph less an edge: −n log(1 − r²).
    first = found.removals[0]
    assert first.partial == pytest.approx(partial, rel=1e-8)
    assert first.deviance == pytest.approx(-40.0 * np.log1p(-(partial**2)), rel=1e-6)


@pytest.mark.parametrize("n_rows", [8, 40])
def test_false_discoveries_are_judged_by_t_tests_at_a_level_that_falls_with_the_edges_left(n_rows):
    correlation, size, is_edge = random_correlation(3, 4, n_rows), float(n_rows), ~np.eye(4, dtype=bool)
    with Run("test", progress=False) as run:
        found = Elimination(correlation, size, "fdr", 0.3).selected(is_edge, run)

    for step, each in enumerate(found.removals):
        # The regression on the most neighbours that an end has: the t-test of the partial correlation.
        freedom = n_rows - 1 - is_edge[[each.source, each.target]].sum(axis=1).max()
        squared = 1.0 - np.exp(-each.increase / size)
        statistic = np.sqrt(freedom * squared / (1.0 - squared))
        assert each.p_value == pytest.approx(2.0 * t.sf(statistic, freedom), rel=1e-6)
        assert each.is_out == (each.p_value >= 0.3 * (6 - step) / 6)
        is_edge[each.source, each.target] = is_edge[each.target, each.source] = False
    assert len(found.removals) > 1


def test_the_first_removal_has_the_p_value_of_the_partial_correlation_given_all_others():
    rows = np.random.default_rng(5).normal(size=(12, 4))
    with Run("test", progress=False) as run:
        first = Elimination(np.corrcoef(rows.T), 12.0, "fdr", 0.05).selected(~np.eye(4, dtype=bool), run)

    i, j = first.removals[0].source, first.removals[0].target
    others = np.column_stack([np.ones(12), np.delete(rows, [i, j], axis=1)])
    left = rows[:, [i, j]] - others @ np.linalg.lstsq(others, rows[:, [i, j]], rcond=None)[0]
    r = np.corrcoef(left.T)[0, 1]
    statistic = abs(r) * np.sqrt((12 - 2 - 2) / (1.0 - r**2))
    assert first.removals[0].p_value == pytest.approx(2.0 * t.sf(statistic, 8), rel=1e-6)


def test_without_rows_for_a_test_an_edge_goes():
    correlation = random_correlation(1, 4, 25)
    with Run("test", progress=False) as run:
        found = Elimination(correlation, 4.0, "fdr", 0.05).selected(~np.eye(4, dtype=bool), run)

    assert (found.removals[0].p_value, found.removals[0].is_out) == (1.0, True)


def test_level_one_keeps_every_edge_and_level_zero_none():
    correlation = random_correlation(0, 4, 25)
    with Run("test", progress=False) as run:
        all_of_them, none = (
            Elimination(correlation, 25.0, "increment", alpha).selected(~np.eye(4, dtype=bool), run)
            for alpha in (1.0, 0.0)
        )

    assert (len(all_of_them.removals), int(all_of_them.is_edge.sum())) == (1, 12)
    assert (len(none.removals), int(none.is_edge.sum())) == (6, 0)
    assert none.covariance == pytest.approx(np.eye(4), abs=1e-8)
    # Without edges the deviance is that of the test of independence, −n log det R.
    assert none.deviance == pytest.approx(-25.0 * np.linalg.slogdet(correlation)[1])


@few
@given(
    seeds, st.sampled_from(["euclidean", "correlation"]), st.sampled_from(["average", "single", "complete"])
)
def test_the_tree_is_that_of_scipy_on_standardised_columns(seed, distance, linkage):
    rows = np.random.default_rng(seed).normal(size=(12, 6))
    standard = ((rows - rows.mean(axis=0)) / rows.std(axis=0)).T

    tree = tree_of(tuple("abcdef"), np.corrcoef(rows.T), 12.0, distance, linkage)

    expected = hierarchy.linkage(standard, linkage, metric=distance)
    assert tree.merges[:, 2] == pytest.approx(expected[:, 2])
    for n_clusters in range(1, 7):
        labels = hierarchy.cut_tree(expected, n_clusters=n_clusters)[:, 0]
        clusters = {tuple(np.array(list("abcdef"))[labels == k]) for k in range(n_clusters)}
        assert set(tree.clusters(n_clusters)) == clusters


@few
@given(seeds, st.sampled_from(["mean", "medoid", "component"]), st.floats(1.1, 20.0))
def test_the_number_of_clusters_is_the_largest_with_all_inflation_factors_below_the_most(seed, profile, most):
    correlation = random_correlation(seed, 6, 20)
    tree = tree_of(tuple("abcdef"), correlation, 20.0, "correlation", "average")

    with Run("test", progress=False) as run:
        found = chosen_profiles(tree, correlation, 5, most, profile, run)

    def inflation(n_clusters):
        members = tuple(
            np.array(["abcdef".index(name) for name in each]) for each in tree.clusters(n_clusters)
        )
        return np.diag(np.linalg.inv(profiles_of(members, correlation, profile).correlation)).max()

    expected = max(q for q in range(1, 6) if q == 1 or inflation(q) < most)
    assert len(found.members) == expected


def test_medoids_and_components_of_three_columns_are_those_by_hand():
    correlation = np.array(
        [[1.0, 0.8, 0.6, 0.0], [0.8, 1.0, 0.7, 0.0], [0.6, 0.7, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
    )
    members = np.array([0, 1, 2]), np.array([3])

    medoid, component, mean = (
        profiles_of(members, correlation, name).weights for name in ("medoid", "component", "mean")
    )

    assert medoid.T.tolist() == [[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]]  # 0.8 + 0.7 is most
    assert mean[:3, 0] == pytest.approx([1 / 3] * 3)
    first = component[:3, 0]
    assert first @ correlation[:3, :3] @ first == pytest.approx(np.linalg.eigvalsh(correlation[:3, :3])[-1])
    assert (first > 0.0).all()
    assert component[3, 1] == 1.0  # a cluster of one is its column


def test_a_tie_of_medoids_goes_to_the_first_and_a_mean_that_cancels_correlates_with_nothing():
    two = np.array([[1.0, 0.5, 0.3], [0.5, 1.0, 0.3], [0.3, 0.3, 1.0]])
    members = np.array([0, 1]), np.array([2])
    assert profiles_of(members, two, "medoid").weights[:, 0].tolist() == [1.0, 0.0, 0.0]

    opposite = np.array([[1.0, -1.0, 0.3], [-1.0, 1.0, -0.3], [0.3, -0.3, 1.0]])
    found = profiles_of(members, opposite, "mean")

    assert found.correlation.tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert profiles_of(members, opposite, "medoid").correlation[0, 1] == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("n_clusters", "expected"), [(3, [[0], [1], [2]]), (2, [[0, 2], [1]]), (1, [[0, 1, 2]])]
)
def test_as_many_clusters_are_made_as_are_asked_for_up_to_one_for_each_column(n_clusters, expected):
    correlation = np.array([[1.0, 0.1, 0.8], [0.1, 1.0, 0.2], [0.8, 0.2, 1.0]])
    tree = tree_of(("a", "b", "c"), correlation, 10.0, "correlation", "average")

    found = given_profiles("test", tree, correlation, n_clusters, 9, "mean")

    assert [places.tolist() for places in found.members] == expected


@pytest.mark.filterwarnings("ignore::structlearn.errors.DataWarning")
@pytest.mark.parametrize("profile", ["mean", "medoid", "component"])
def test_two_rows_have_one_cluster_whatever_stands_for_it(profile):
    learner = sl.ClusterGaussianNetwork(profile=profile).fit({"a": [1.0, 2.0], "b": [2.0, 1.0]})

    assert learner.clusters_ == {"cluster 1": ("a", "b")}
    assert (learner.graph_.edges, learner.deviance_, learner.inflation_.tolist()) == ((), 0.0, [1.0])
    with pytest.raises(sl.OptionError, match="2 rows, and clusters must be fewer than rows: at most 1"):
        sl.ClusterGaussianNetwork(n_clusters=2).fit({"a": [1.0, 2.0], "b": [2.0, 1.0]})


def test_profiles_are_singular_only_where_they_determine_each_other():
    refuse_singular("X", np.array([[1.0, 0.99999], [0.99999, 1.0]]))
    refuse_singular("X", np.zeros((0, 0)))
    with pytest.raises(sl.DataError, match="X: the profiles of the 2 clusters determine each other"):
        refuse_singular("X", np.array([[1.0, -1.0], [-1.0, 1.0]]))


def test_clusters_may_be_joined_unless_a_column_of_one_may_not_be_joined_with_one_of_the_other():
    members = [("d", "a"), ("c",), ("b", "e")]
    known = sl.Knowledge(forbidden=[("a", "c"), ("c", "a"), ("a", "d"), ("d", "a")])
    is_forbidden = known.matrices(tuple("abcde"))[1]

    found = allowed_pairs(members, known, is_forbidden)

    assert found.tolist() == [[False, False, True], [False, False, True], [True, True, False]]
    assert allowed_pairs(members, sl.Knowledge(), is_forbidden).sum() == 6


def test_names_number_the_clusters_of_several_columns_and_lone_nodes_stand_apart():
    assert names_of_clusters("X", [("a", "b"), ("c",), ("d", "e")], list("abcde")) == [
        "cluster 1", "c", "cluster 3",
    ]  # fmt: skip
    assert names_of_clusters("X", [("cluster 1",)], ["cluster 1"]) == [
        "cluster 1"
    ]  # its own name is no clash
    assert with_lone(np.full((1, 1), 1.0), 3).tolist() == np.eye(3).tolist()


def blocks_and_more(n_rows=40):
    """Two blocks of two columns, a column alone and one with a single value."""
    rng = np.random.default_rng(0)
    first, second, alone = rng.normal(size=(3, n_rows))
    second = second + first
    table = {f"a{i}": first + 0.1 * rng.normal(size=n_rows) for i in range(2)}
    table |= {f"b{i}": second + 0.1 * rng.normal(size=n_rows) for i in range(2)}
    return table | {"alone": alone, "flat": np.full(n_rows, 3.0)}


@pytest.mark.filterwarnings("ignore:.*single value")
@pytest.mark.parametrize("ending", ["json", "graphml", "dot"])
def test_members_come_back_from_files_and_a_column_with_a_single_value_is_a_node_alone(ending, tmp_path):
    learner = sl.ClusterGaussianNetwork().fit(blocks_and_more())
    save(learner.graph_, tmp_path / f"graph.{ending}")

    again = sl.load(tmp_path / f"graph.{ending}")

    assert again == learner.graph_
    assert {node: tuple(facts["members"]) for node, facts in again.facts.items()} == {
        "cluster 1": ("a0", "a1"),
        "cluster 2": ("b0", "b1"),
    }
    assert learner.clusters_["flat"] == ("flat",)
    place = learner.graph_.nodes.index("flat")
    assert learner.correlation_[place].tolist() == [float(k == place) for k in range(4)]
    assert learner.inflation_[place] == 1.0
    assert again.edge("cluster 1", "cluster 2") is not None


def test_few_rows_for_many_clusters_are_said():
    noise = np.random.default_rng(0).normal(size=(20, 12))

    with pytest.warns(sl.DataWarning, match="20 rows are few for 10 clusters"):
        sl.ClusterGaussianNetwork(n_clusters=10).fit(noise)
