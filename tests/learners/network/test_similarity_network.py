"""Networks of similarity: measures, thresholds and the tree of clusters."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr

import structlearn as sl
from structlearn.learners.network.similarity import thresholds
from structlearn.learners.network.similarity.dendrogram import dendrogram_of
from structlearn.learners.network.similarity.measures import MEASURES, distances, shares, strengths, weights
from structlearn.numerics.information.columns import Columns, all_pairs

# docs/references/networks.md#clusters
FOUR = np.array([[1, 0.9, 0.2, 0.1], [0.9, 1, 0.3, 0.15], [0.2, 0.3, 1, 0.7], [0.1, 0.15, 0.7, 1]])


def blocks(seed=0, n_rows=60):
    """Two groups of three columns; the last of the second goes against the others."""
    rng = np.random.default_rng(seed)
    first, second = rng.normal(size=(2, n_rows))
    noise = 0.5 * rng.normal(size=(6, n_rows))
    return dict(zip("abcxyz", np.array([first, first, first, second, second, -second]) + noise, strict=True))


def similarity(name, values):
    values = np.asarray(values, dtype=float)
    return all_pairs(MEASURES[name](Columns(values, np.zeros(len(values), dtype=np.int64))), len(values))


@pytest.mark.parametrize(
    ("name", "definition"),
    [
        ("pearson", lambda x, y: np.corrcoef(x, y)[0, 1]),
        ("spearman", lambda x, y: spearmanr(x, y).statistic),
        ("kendall", lambda x, y: kendalltau(x, y).statistic),
        ("cosine", lambda x, y: x @ y / np.sqrt((x @ x) * (y @ y))),
        ("euclidean", lambda x, y: np.sqrt(((x - y) ** 2).sum())),
    ],
)
def test_a_measure_is_its_definition_with_ties_too(name, definition):
    rng = np.random.default_rng(0)
    values = np.vstack([rng.normal(size=(2, 30)), rng.integers(0, 4, (2, 30))])

    found = similarity(name, values)

    assert (found == found.T).all()
    for i, j in combinations(range(4), 2):
        assert found[i, j] == pytest.approx(definition(values[i], values[j]), abs=1e-12)


@pytest.mark.parametrize("unit", [1e-180, 1e180])
def test_the_unit_of_a_column_changes_no_cosine(unit):
    values = np.random.default_rng(2).normal(size=(2, 20))

    found = similarity("cosine", values * [[unit], [1.0]])

    assert found[0, 1] == pytest.approx(similarity("cosine", values)[0, 1], rel=1e-12)
    assert found[0, 0] == pytest.approx(1.0)


@pytest.mark.parametrize("name", ["pearson", "cosine"])
def test_no_correlation_is_beyond_1_by_rounding(name):
    values = np.random.default_rng(3).normal(size=(60, 9))

    found = similarity(name, np.vstack([values, -values]))

    assert found.max() == 1.0
    assert found.min() == -1.0


VALUES = np.array([[1.0, -0.6], [-0.6, 1.0]])
FAR = np.array([[0.0, 3.0], [3.0, 0.0]])
INFORMATION = np.array([[2.0, 0.5], [0.5, 2.0]])
BY_INFORMATION = np.sqrt(1 - np.exp(-1.0))  # the correlation of a normal pair with information 0.5


@pytest.mark.parametrize(
    ("name", "values", "signed", "strength", "share", "weight", "distance"),
    [
        ("pearson", VALUES, False, 0.6, 0.6, -0.6, 0.4),
        ("pearson", VALUES, True, -0.6, 0.0, -0.6, 1.6),
        ("euclidean", FAR, False, -3.0, 0.25, 0.25, 3.0),
        ("euclidean", FAR, True, -3.0, 0.25, 0.25, 3.0),
        ("mutual-information", INFORMATION, False, 0.5, BY_INFORMATION, 0.5, 1 - BY_INFORMATION),
        ("mutual-information", -INFORMATION, True, -0.5, 0.0, -0.5, 1.0),  # an estimate without its bias
    ],
)
def test_a_measure_as_strength_share_weight_and_distance(
    name, values, signed, strength, share, weight, distance
):
    given = values.copy()

    assert strengths(given, name, signed=signed)[0, 1] == pytest.approx(strength)
    assert shares(given, name, signed=signed)[0, 1] == pytest.approx(share)
    assert weights(given, name)[0, 1] == pytest.approx(weight)
    assert distances(given, name, signed=signed).ravel() == pytest.approx([0.0, distance, distance, 0.0])
    assert np.array_equal(given, values)


def test_false_discoveries_are_those_of_the_step_up_rule():
    # Of 99 permuted pairs 0, 1 and 89 are as strong: p-values of 0.01, 0.02 and 0.9, and limits of
    # 0.05 / 3, 0.1 / 3 and 0.05.
    strength = np.array([[1, 0.9, 0.8], [0.9, 1, 0.1], [0.8, 0.1, 1]])
    permuted = np.concatenate([[0.85], [0.2] * 88, [0.05] * 10]).reshape(33, 3)

    def matrices():
        for pairs in permuted:
            matrix = np.eye(3)
            matrix[np.triu_indices(3, k=1)] = pairs
            yield matrix

    verdict = thresholds.false_discoveries(strength, matrices(), alpha=0.05)

    assert np.argwhere(verdict.is_edge).tolist() == [[0, 1], [0, 2]]
    assert verdict.threshold == 0.8


def test_leaves_of_one_branch_stand_side_by_side():
    order = [0, 2, 1, 3]  # a with b and c with d, under other names
    tree = dendrogram_of(tuple("acbd"), (1 - FOUR)[np.ix_(order, order)], "single")

    assert {frozenset(tree.leaves[:2]), frozenset(tree.leaves[2:])} == {frozenset("ab"), frozenset("cd")}


def test_euclidean_distance_of_standardised_columns_is_correlation():
    values = np.random.default_rng(1).normal(size=(2, 40))
    values = (values - values.mean(axis=1, keepdims=True)) / values.std(axis=1, keepdims=True)

    assert similarity("euclidean", values)[0, 1] ** 2 == pytest.approx(
        2 * 40 * (1 - similarity("pearson", values)[0, 1])
    )


@pytest.mark.parametrize("name", ["pearson", "spearman", "kendall", "cosine"])
def test_a_constant_column_is_similar_to_nothing_and_huge_numbers_are_no_danger(name):
    x = np.array([1.0, -2.0, 3.0, 0.5])
    found = similarity(name, [x, np.zeros(4), x * 1e307])

    assert found[1].tolist() == [0.0, 0.0, 0.0]
    assert found[0, 2] == pytest.approx(1.0)


# docs/references/networks.md#clusters
@pytest.mark.parametrize(("linkage", "last"), [("single", 0.7), ("average", 0.8125), ("complete", 0.9)])
def test_four_columns_are_merged_at_the_heights_of_their_linkage(linkage, last):
    tree = dendrogram_of(tuple("abcd"), 1 - FOUR, linkage)

    assert tree.merges[:, 2] == pytest.approx([0.1, 0.3, last])
    assert tree.clusters(height=0.5) == (("a", "b"), ("c", "d")) == tree.clusters(2)
    assert tree.clusters(height=0.2, min_size=2) == (("a", "b"),)
    assert set(tree.leaves) == set("abcd")
    assert tree.graph(height=0.5).undirected == (("a", "b"), ("c", "d"))
    assert len(tree.graph(1).edges) == 6


def test_a_coarser_cut_has_the_edges_of_a_finer_one():
    tree = sl.SimilarityNetwork(linkage="ward").fit(blocks()).dendrogram_

    finer, coarser = (set(tree.graph(n).undirected) for n in (4, 2))
    assert finer < coarser
    assert {frozenset(each) for each in tree.clusters(2)} == {frozenset("abc"), frozenset("xyz")}
    assert tree.clusters(inconsistency=10.0) == (tuple("abcxyz"),)


def test_a_cut_says_how_or_is_refused():
    tree = dendrogram_of(tuple("abcd"), 1 - FOUR, "single")
    with pytest.raises(sl.OptionError, match="say one of n_clusters, height and inconsistency"):
        tree.clusters()
    with pytest.raises(sl.OptionError, match=r"n_clusters=5\): 4 columns make from 1 to 4 clusters"):
        tree.clusters(5)
    assert dendrogram_of(("a",), np.zeros((1, 1)), "single").clusters(height=1.0) == (("a",),)


@pytest.mark.parametrize("seed", range(5))
def test_clusters_of_single_linkage_are_the_parts_of_the_graph_with_that_threshold(seed):
    table = np.random.default_rng(seed).normal(size=(25, 12))
    height = 0.7

    learner = sl.SimilarityNetwork(threshold=1 - height, linkage="single").fit(table)

    parts = {frozenset(part) for part in components(learner.graph_)}
    assert {frozenset(each) for each in learner.dendrogram_.clusters(height=height)} == parts


def components(graph):
    left = set(graph.nodes)
    while left:
        part, waiting = set(), [left.pop()]
        while waiting:
            node = waiting.pop()
            part.add(node)
            waiting += [other for other in graph.adjacent(node) if other not in part]
        left -= part
        yield part


def test_the_threshold_of_fisher_is_its_formula():
    # docs/references/networks.md#clusters
    assert thresholds.fisher_threshold(50, 0.05, 6) == pytest.approx(0.3668941396, abs=1e-10)
    assert thresholds.fisher_threshold(3, 0.05, 6) == np.inf
    rng = np.random.default_rng(0)
    learner = sl.SimilarityNetwork(threshold="fisher").fit(rng.normal(size=(50, 4)))
    assert learner.threshold_ == pytest.approx(0.3668941396, abs=1e-10)


def share_joined(n_runs, n_permutations):
    joined = []
    for seed in range(n_runs):
        table = np.random.default_rng(seed).normal(size=(50, 30))
        learner = sl.SimilarityNetwork(n_permutations=n_permutations, random_state=seed)
        joined.append(bool(learner.fit(table).graph_.edges))
    return np.mean(joined)


def test_independent_columns_are_rarely_joined():
    assert share_joined(40, 99) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 40)


@pytest.mark.slow
def test_independent_columns_are_joined_no_more_often_than_alpha():
    assert share_joined(200, 199) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)


def test_the_family_wise_threshold_is_a_quantile_of_the_strongest_pairs():
    strength = np.array([[1, 0.95, 0.5], [0.95, 1, 0.1], [0.5, 0.1, 1]])
    permuted = [np.full((3, 3), value) for value in np.arange(1, 20) / 20]  # 0.05 to 0.95

    verdict = thresholds.family_wise(strength, iter(permuted), alpha=0.1)

    assert verdict.threshold == pytest.approx(0.9)  # the 18th of 19: with the table itself 2 of 20 are beyond
    assert np.argwhere(verdict.is_edge).tolist() == [[0, 1]]
    assert verdict.p_value[0, 1:] == pytest.approx([2 / 20, 11 / 20])
    assert not thresholds.family_wise(strength, iter([]), alpha=0.1).is_edge.any()


@pytest.mark.parametrize("alpha", [0.0, 0.05, 0.25, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("n_permuted", [0, 1, 9])
def test_family_wise_edges_are_those_whose_p_value_is_at_most_alpha(alpha, n_permuted):
    strength, *permuted = np.random.default_rng(0).random((1 + n_permuted, 5, 5))

    verdict = thresholds.family_wise(strength, iter(permuted), alpha)

    assert (verdict.is_edge == np.triu(verdict.p_value <= alpha, k=1)).all()


def test_false_discoveries_are_those_of_benjamini_and_hochberg():
    strength = np.zeros((3, 3))
    strength[np.triu_indices(3, k=1)] = [0.99, 0.9, 0.2]
    chance = np.zeros((3, 3))
    chance[np.triu_indices(3, k=1)] = [0.1, 0.3, 0.95]

    verdict = thresholds.false_discoveries(strength, iter([chance] * 33), alpha=0.5)

    p = np.array([1, 34, 67]) / 100
    assert verdict.p_value[np.triu_indices(3, k=1)] == pytest.approx(p)
    assert np.argwhere(verdict.is_edge).tolist() == [[0, 1]]  # 0.34 > 0.5 · 2/3 and 0.67 > 0.5
    stricter = thresholds.false_discoveries(strength, iter([chance] * 33), alpha=0.02)
    assert not stricter.is_edge.any()


def test_false_discoveries_find_the_groups():
    graph = sl.SimilarityNetwork(threshold="fdr").fit(blocks()).graph_

    within = {frozenset(pair) for group in ("abc", "xyz") for pair in combinations(group, 2)}
    assert within <= {frozenset(pair) for pair in graph.undirected}


def test_a_density_takes_so_many_of_the_strongest():
    learner = sl.SimilarityNetwork(threshold="density", density=0.4).fit(blocks())
    ordered = np.sort(np.abs(learner.similarity_[np.triu_indices(6, k=1)]))[::-1]

    assert len(learner.graph_.edges) == 6
    assert sorted((abs(e.weight) for e in learner.graph_.edges), reverse=True) == pytest.approx(ordered[:6])
    assert sl.SimilarityNetwork(threshold="density", density=0.0).fit(blocks()).graph_.edges == ()


def test_mutual_neighbors_choose_each_other():
    graph = sl.SimilarityNetwork(threshold="mutual-neighbors", n_nearest=2).fit(blocks()).graph_

    assert {frozenset(pair) for pair in graph.undirected} == {
        frozenset(pair) for group in ("abc", "xyz") for pair in combinations(group, 2)
    }


def test_soft_edges_weigh_a_power_of_their_similarity():
    learner = sl.SimilarityNetwork(threshold="soft", power=4).fit(blocks())

    assert len(learner.graph_.edges) == 15
    assert learner.graph_.edge("a", "b").weight == pytest.approx(abs(learner.similarity_[0, 1]) ** 4)


def test_what_goes_against_each_other_is_near_or_with_signs_far():
    near, far = (sl.SimilarityNetwork(threshold=0.5, signed=signed).fit(blocks()) for signed in (False, True))

    assert near.graph_.edge("x", "z").weight < -0.5
    assert far.graph_.edge("x", "z") is None
    assert far.dendrogram_.clusters(3) != near.dendrogram_.clusters(3)


def test_a_distance_must_be_less_than_its_threshold_and_a_constant_column_stays_alone():
    table = {"a": [0.5, 0.0, 1.0, 2.5], "b": [0.5, 1.0, 1.0, 2.5], "c": [5.5, 7.0, 6.0, 1.5], "d": [1.5] * 4}
    with pytest.warns(sl.DataWarning, match="'d' has a single value"):
        learner = sl.SimilarityNetwork(measure="euclidean", threshold=2.5).fit(table)

    assert learner.graph_.undirected == (("a", "b"),)
    assert learner.graph_.edge("a", "b").weight == pytest.approx(0.5)  # 1 / (1 + 1)
    assert learner.threshold_ == 2.5
    assert learner.similarity_[0, 1] == pytest.approx(1.0)
    assert learner.similarity_[0, 3] < 2.5


def test_information_sees_what_correlation_does_not():
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    table = {"x": x, "square": x**2 + 0.2 * rng.normal(size=200), "noise": rng.normal(size=200)}

    options = {"measure": "mutual-information", "estimator": "adaptive", "n_permutations": 50}
    assert sl.SimilarityNetwork(**options).fit(table).graph_.undirected == (("x", "square"),)
    assert sl.SimilarityNetwork(measure="spearman").fit(table).graph_.edges == ()


def test_information_becomes_a_correlation_in_the_tree():
    information = -0.5 * np.log(1 - np.array([[0.5, 0.36], [0.36, 0.5]]))

    assert shares(information, "mutual-information", signed=False)[0, 1] == pytest.approx(0.6)
    assert distances(information, "mutual-information", signed=False) == pytest.approx(
        np.array([[0, 0.4], [0.4, 0]])
    )
    assert strengths(np.array([-2.0]), "euclidean", signed=True).tolist() == [2.0]


def test_clusters_at_several_scales():
    learner = sl.SimilarityNetwork(scales=[2, 6]).fit(blocks())

    assert learner.modules_ == {2: (tuple("abc"), tuple("xyz")), 6: tuple((name,) for name in "abcxyz")}


def test_gaps_leave_each_pair_its_rows():
    table = blocks()
    table["a"][:5] = np.nan
    learner = sl.SimilarityNetwork(missing="testwise", measure="spearman", n_permutations=40).fit(table)

    expected = spearmanr(table["a"][5:], table["b"][5:]).statistic
    assert learner.similarity_[0, 1] == pytest.approx(expected)
    assert learner.graph_.edge("a", "b") is not None


def test_what_a_measure_cannot_take_is_refused():
    with pytest.raises(
        sl.DataError, match=r"measure='kendall'\) takes continuous columns only, and 'd' is not"
    ):
        sl.SimilarityNetwork(measure="kendall").fit({"d": list("xyxyx"), "e": [0.5, 1.5, 2.5, 1.0, 0.1]})
    with pytest.raises(sl.OptionError, match=r"threshold='fisher', measure='kendall'"):
        sl.SimilarityNetwork(measure="kendall", threshold="fisher").fit(blocks())
    with pytest.raises(sl.OptionError, match=r"threshold='luck'\): .*one of 'family-wise'"):
        sl.SimilarityNetwork(threshold="luck").fit(blocks())


def test_two_rows_join_nothing():
    with pytest.warns(sl.DataWarning, match="2 rows"):
        learner = sl.SimilarityNetwork().fit({"a": [0.5, 1.0], "b": [2.0, 3.5]})

    assert learner.graph_.edges == ()


def test_a_matrix_of_similarities_or_distances_is_taken_as_it_is():
    matrix = dict(zip("dbca", FOUR, strict=True))
    learner = sl.SimilarityNetwork(precomputed=True, threshold=0.5).fit(matrix)

    assert learner.graph_.undirected == (("d", "b"), ("c", "a"))
    assert learner.dendrogram_.merges[:, 2] == pytest.approx([0.1, 0.3, 0.8125])  # as above
    far = sl.SimilarityNetwork(precomputed=True, measure="euclidean", threshold=0.75)
    assert far.fit(dict(zip("dbca", 1 - FOUR, strict=True))).graph_.undirected == (
        ("d", "b"),
        ("b", "c"),
        ("c", "a"),
    )


@pytest.mark.parametrize("rule", ["family-wise", "fdr", "fisher"])
def test_a_matrix_has_no_chance_to_compare_with(rule):
    with pytest.raises(sl.OptionError, match=f"threshold='{rule}'.*Give a number, or 'density'"):
        sl.SimilarityNetwork(precomputed=True, threshold=rule).fit(np.eye(4))


@pytest.mark.parametrize("name", ["spearman", "kendall"])
@pytest.mark.parametrize("n_rows", range(4, 12))
def test_columns_in_the_same_order_are_at_distance_0(name, n_rows):
    x = np.random.default_rng(n_rows).normal(size=n_rows)
    learner = sl.SimilarityNetwork(measure=name, threshold=0.5).fit({"a": x, "b": np.exp(x)})

    assert learner.dendrogram_.merges[0, 2] == pytest.approx(0.0, abs=1e-12)
    assert learner.graph_.edges[0].weight == pytest.approx(1.0, abs=1e-12)
    assert learner.similarity_.max() <= 1.0


@pytest.mark.parametrize("unit", [10.0, 999.0])
def test_similarities_beyond_1_have_the_clusters_of_their_shares(unit):
    expected = sl.SimilarityNetwork(precomputed=True, threshold=0.5, scales=[2]).fit(FOUR)
    learner = sl.SimilarityNetwork(precomputed=True, threshold=0.5 * unit, scales=[2]).fit(unit * FOUR)

    assert learner.graph_.undirected == expected.graph_.undirected
    assert learner.modules_ == expected.modules_
    with pytest.raises(sl.DataError, match=r"measure='euclidean'\): -0.9 is no distance"):
        sl.SimilarityNetwork(precomputed=True, measure="euclidean", threshold=1).fit(-FOUR)
