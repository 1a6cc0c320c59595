"""Networks by factors: which edges are read from components, modules and completed tables."""

import itertools
from math import sqrt, tanh

import numpy as np
import pytest
from scipy.stats import norm

import structlearn as sl
from structlearn.learners.network.factors.modules import MOST_FACTORS
from structlearn.learners.network.factors.reading import between_columns, from_factors, from_rows
from structlearn.learners.network.factors.singular import by_singular_values
from structlearn.learners.network.factors.table import Found
from structlearn.numerics.factorization.sparseness import sparseness_of
from structlearn.run import Run

NAMES = [f"g{j:02}" for j in range(12)]
MODULES = [NAMES[:4], NAMES[4:8], NAMES[8:]]


def module_table(noise=0.1, seed=0, n_rows=60):
    """Three modules of four columns, none negative."""
    rng = np.random.default_rng(seed)
    rows = np.repeat(rng.exponential(size=(n_rows, 3)), 4, axis=1) + noise * rng.random((n_rows, 12))
    return dict(zip(NAMES, rows.T, strict=True))


def matrix_of(table):
    """Rows and columns of a table by name."""
    return np.column_stack(list(table.values()))


def modules_of(graph):
    """The sets of nodes that edges hang together."""
    left, found = set(graph.nodes), []
    while left:
        group, edge = set(), {min(left)}
        while edge:
            group |= edge
            edge = {other for node in edge for other in graph.adjacent(node)} - group
        found.append(sorted(group))
        left -= group
    return found


def is_modules(graph):
    """Whether each module is a complete graph, and nothing else is joined."""
    return modules_of(graph) == MODULES and len(graph.edges) == 18


def signs_of_rank_two(seed=0, size=24):
    rng = np.random.default_rng(seed)
    return np.sign(rng.normal(size=(size, 2)) @ rng.normal(size=(2, size))), rng


@pytest.mark.parametrize("rank", [None, "chance", "thumb", "noise", 3])
def test_singular_values_find_planted_modules_by_each_rule(rank):
    learner = sl.FactorizationNetwork(rank=rank).fit(module_table())

    assert learner.rank_ == 3
    assert is_modules(learner.graph_)


def test_two_planted_blocks_are_two_components_with_rank_two():
    rng = np.random.default_rng(3)
    rows = np.repeat(rng.normal(size=(100, 2)), 5, axis=1) + 0.8 * rng.normal(size=(100, 10))

    graph = sl.FactorizationNetwork(rank=2).fit(rows).graph_

    assert modules_of(graph) == [[f"x{j}" for j in range(5)], [f"x{j}" for j in range(5, 10)]]


def test_the_strength_is_the_correlation_where_all_components_are_kept():
    rows = np.random.default_rng(0).normal(size=(50, 4)).cumsum(axis=1)

    learner = sl.FactorizationNetwork(rank=4).fit(rows)

    found = [[learner.strength_[a][b] for b in learner.graph_.nodes] for a in learner.graph_.nodes]
    assert np.array(found) == pytest.approx(np.corrcoef(rows.T), abs=1e-12)


def test_values_fractions_and_entropy_are_those_of_the_table():
    rows = np.array([[3.0, 2.0], [2.0, 3.0], [2.0, -2.0]])

    learner = sl.FactorizationNetwork(center="none", scale=False, rank=1)
    with pytest.warns(sl.DataWarning, match="3 rows"):
        learner.fit(rows)

    assert learner.singular_values_ == pytest.approx([5.0, 3.0])
    assert learner.fractions_ == pytest.approx([25 / 34, 9 / 34])
    assert learner.entropy_ == pytest.approx(0.8337649072)


def test_a_component_that_all_share_can_be_left_out():
    rng = np.random.default_rng(0)
    table = {
        name: column + 5.0 * shared
        for shared in [rng.normal(size=60)]
        for name, column in module_table().items()
    }

    assert len(sl.FactorizationNetwork().fit(table).graph_.edges) == 66
    left = sl.FactorizationNetwork(rank=3, without=1).fit(table)
    for a in NAMES:
        together = {b for b in NAMES if left.strength_[a][b] > 0.0}
        assert together == set(next(module for module in MODULES if a in module))


def test_chosen_components_can_be_left_out():
    rows = np.random.default_rng(0).normal(size=(40, 5)).cumsum(axis=1)
    left, values, right = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)
    expected = (left[:, [0, 2]] * values[[0, 2]]) @ right[[0, 2]] + rows.mean(axis=0)

    learner = sl.FactorizationNetwork(rank=3, without=[2, 5], scale=False).fit(rows)

    assert np.column_stack(list(learner.filtered_.values())) == pytest.approx(expected)
    with pytest.raises(sl.OptionError, match=r"no component 6; they are numbered from 1 to 5"):
        sl.FactorizationNetwork(without=[6]).fit(rows)


def test_two_rows_to_complete_are_said_to_be_few_unless_they_are_things():
    table = {"a": [1.0, 2.0], "b": [0.5, None], "c": [3.0, 1.0]}

    with pytest.warns(sl.DataWarning, match="the table has 2 rows"):
        sl.FactorizationNetwork(method="mmmf", cost=1.0).fit(table)
    things = sl.FactorizationNetwork(method="mmmf", reading="links", row_names="thing", cost=1.0)
    assert things.fit(table | {"thing": ["x", "y"]}).rank_ > 0


def test_factors_can_be_nodes():
    graph = sl.FactorizationNetwork(method="nmf", rank=3, reading="factors").fit(module_table()).graph_

    assert graph.nodes == (*NAMES, "factor 1", "factor 2", "factor 3")
    assert sorted(sorted(graph.children(f"factor {k}")) for k in (1, 2, 3)) == MODULES


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"solver": "multiplicative", "rank": 3, "restarts": 3},
        {"loss": "kl", "rank": 3, "restarts": 3},
        {"method": "sparse-nmf", "rank": 3, "restarts": 3},
        {"method": "sparse-nmf", "rank": 3, "sparse_part": "both", "sparseness": 0.3, "restarts": 2},
    ],
    ids=str,
)
def test_non_negative_factors_find_planted_modules(options):
    learner = sl.FactorizationNetwork(**{"method": "nmf"} | options).fit(module_table())

    assert learner.rank_ == 3
    assert learner.cophenetic_[3] == pytest.approx(1.0)
    assert is_modules(learner.graph_)


def test_every_number_of_factors_that_the_table_has_room_for_is_tried():
    table = {name: module_table()[name] for name in NAMES[:5]}

    learner = sl.FactorizationNetwork(method="nmf", restarts=1).fit(table)

    assert list(learner.cophenetic_) == [2, 3, 4]
    assert MOST_FACTORS > 4


@pytest.mark.parametrize("part", ["variables", "samples", "both"])
def test_the_part_that_is_asked_for_has_the_sparseness(part):
    learner = sl.FactorizationNetwork(
        method="sparse-nmf", rank=2, sparse_part=part, sparseness=0.7, restarts=1
    ).fit(module_table(n_rows=20))

    loadings, courses = np.array(list(learner.loadings_.values())), np.asarray(learner.courses_)
    of_variables = [sparseness_of(column) for column in loadings.T]
    of_samples = [sparseness_of(column) for column in courses.T]
    assert (of_variables == pytest.approx([0.7, 0.7], abs=1e-6)) == (part != "samples")
    assert (of_samples == pytest.approx([0.7, 0.7], abs=1e-6)) == (part != "variables")


def found(pairs, parts):
    return Found(np.array(pairs), 0.5, np.array(parts), 0.5, {})


def test_edges_are_strengths_of_either_sign_beyond_the_threshold():
    pairs = [[1, -0.9, 0.5], [-0.9, 1, 0.6], [0.5, 0.6, 1]]

    graph, evidence = between_columns(
        tuple("abc"), found(pairs, np.zeros((3, 0))), 0.5, np.eye(3, dtype=bool)
    )

    assert graph.undirected == (("a", "b"), ("b", "c"))
    assert {pair: known.score_gain for pair, known in evidence.items()} == {("a", "b"): -0.9, ("b", "c"): 0.6}


def test_arrows_from_factors_are_sizes_beyond_the_threshold():
    graph, _ = from_factors(
        "test", tuple("abc"), found(np.eye(3), [[0.5, 0.0], [-0.6, 0.4], [0.0, 0.9]]), 0.5
    )

    assert graph.directed == (("factor 1", "b"), ("factor 2", "c"))


def test_links_of_a_symmetric_table_have_no_direction():
    strengths = np.array([[1.0, 0.9, 0.2], [0.8, 1.0, 0.1], [0.3, 0.4, 1.0]])

    graph, _ = from_rows(tuple("abc"), list("abc"), strengths, 0.5)
    assert (graph.undirected, graph.directed) == ((("a", "b"),), ())
    one_way, _ = from_rows(tuple("abc"), list("abc"), np.triu(strengths), 0.5)
    assert (one_way.undirected, one_way.directed) == ((), (("a", "b"),))


def test_the_threshold_of_factors_is_that_of_the_largest_of_all_their_loadings():
    rows = np.random.default_rng(0).normal(size=(50, 6))
    options = sl.FactorizationNetwork(rank=3, alpha=0.1)

    of_table = by_singular_values(rows, options, np.random.default_rng(0), Run("test", progress=False))

    assert of_table.part_threshold == pytest.approx(tanh(norm.isf(0.1 / (2 * 6 * 3)) / sqrt(47)), rel=1e-12)
    assert of_table.pair_threshold == pytest.approx(tanh(norm.isf(0.1 / (2 * 15)) / sqrt(47)), rel=1e-12)


def test_rows_count_once_each():
    weights = np.ones(60)
    weights[7] = 2.0

    with pytest.raises(sl.DataError, match="rows count once each here"):
        sl.FactorizationNetwork().fit(sl.Dataset(module_table(), weights=weights))


def test_columns_may_be_sums_of_others():
    table = module_table()

    assert sl.FactorizationNetwork(rank=3).fit(table | {"sum": table["g00"] + table["g05"]}).rank_ == 3


def test_a_single_column_that_varies_has_no_factors():
    with pytest.warns(sl.DataWarning, match="'b' has a single value"):
        learner = sl.FactorizationNetwork().fit({"a": np.arange(9.0), "b": np.ones(9)})

    assert (learner.rank_, learner.graph_.edges, learner.threshold_) == (0, (), 1.0)


def test_negative_numbers_are_refused_with_ways_out():
    table = module_table()
    table["g05"] = table["g05"] - 1.0

    for method in ("nmf", "sparse-nmf"):
        with pytest.raises(
            sl.DataError, match=r"1 of 12 columns have negative numbers, .*'g05'.*Exponentiate.*split.*'svd'"
        ):
            sl.FactorizationNetwork(method=method).fit(table)


def test_unknown_entries_are_completed_and_modules_found():
    rng = np.random.default_rng(0)
    table = {name: np.where(rng.random(60) < 0.3, np.nan, column) for name, column in module_table().items()}

    learner = sl.FactorizationNetwork(method="mmmf").fit(table)

    assert learner.used_loss_ == "squared"
    assert is_modules(learner.graph_)
    fitted, known = matrix_of(learner.completed_), matrix_of(table)
    values = np.linalg.svd(fitted - np.nanmean(known, axis=0), compute_uv=False)
    assert learner.rank_ == (values > 1e-6 * values[0]).sum() < 12
    loadings = np.array(list(learner.loadings_.values()))
    assert loadings.max(axis=0) == pytest.approx(np.ones(learner.rank_))
    assert (loadings >= -1.0).all()


def test_what_is_completed_has_the_names_and_the_units_of_the_table():
    rng = np.random.default_rng(0)
    whole = {
        f"{9 - j} {name}": (j + 1) * 100.0 * column for j, (name, column) in enumerate(module_table().items())
    }
    table = {name: np.where(rng.random(60) < 0.1, np.nan, column) for name, column in whole.items()}

    completed = sl.FactorizationNetwork(method="mmmf").fit(table | {"flat": np.full(60, 5.0)}).completed_

    assert set(completed) == set(whole)
    for name, column in whole.items():
        gaps = np.isnan(table[name])
        missed = np.sqrt(np.mean((completed[name] - column)[gaps] ** 2))
        assert missed < 0.5 * np.sqrt(np.mean((np.nanmean(table[name]) - column[gaps]) ** 2))


def test_columns_of_signs_are_compared_by_the_cosine_of_what_was_fitted():
    signs, _ = signs_of_rank_two(size=10)
    table = dict(zip("abcdef", signs[:, :6].T, strict=True))

    learner = sl.FactorizationNetwork(method="mmmf", cost=1.0).fit(table)

    fitted = matrix_of(learner.completed_) / np.linalg.norm(matrix_of(learner.completed_), axis=0)
    strengths = [[learner.strength_[a][b] for b in "abcdef"] for a in "abcdef"]
    np.testing.assert_allclose(strengths, fitted.T @ fitted, atol=1e-12)


def test_links_that_are_not_known_are_predicted():
    signs, rng = signs_of_rank_two()
    is_known = rng.random(signs.shape) < 0.6
    names = [f"g{j:02}" for j in range(24)]
    table = dict(zip(names, np.where(is_known, signs, np.nan).T, strict=True)) | {"gene": names}

    learner = sl.FactorizationNetwork(method="mmmf", reading="links", row_names="gene", cost=0.5).fit(table)

    assert learner.used_loss_ == "hinge"
    assert learner.graph_.nodes == tuple(names)
    wanted = {(names[i], names[j]) for i, j in np.argwhere(signs > 0).tolist() if i != j}
    found = set(learner.graph_.directed)
    assert len(wanted ^ found) < 0.1 * 24 * 23  # of the 40 % unknown, at least three quarters


def test_a_row_of_which_nothing_is_known_has_no_links_and_is_reported():
    signs, _ = signs_of_rank_two(size=8)
    signs[3] = np.nan
    table = dict(zip("abcdefgh", signs.T, strict=True)) | {"row": [f"r{i}" for i in range(8)]}

    learner = sl.FactorizationNetwork(method="mmmf", reading="links", row_names="row", cost=1.0).fit(table)

    assert learner.graph_.adjacent("r3") == ()
    assert learner.graph_.adjacent("r2")
    assert "Of 1 rows nothing is known" in learner.status_


def test_the_hinge_is_for_signs():
    with pytest.raises(sl.DataError, match=r"entries that are −1 and 1.*loss='squared'"):
        sl.FactorizationNetwork(method="mmmf", loss="hinge").fit(module_table())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reading": "links"}, "for method='mmmf'"),
        ({"rank": "cophenetic"}, "'svd' has none"),
        ({"method": "nmf", "rank": "noise"}, "for singular values"),
        ({"method": "nmf", "loss": "hinge"}, "for method='mmmf'"),
        ({"method": "mmmf", "loss": "kl"}, "non-negative factors"),
        ({"method": "mmmf", "reading": "links"}, "row_names="),
    ],
    ids=str,
)
def test_options_that_do_not_go_together_are_refused(options, message):
    with pytest.raises(sl.OptionError, match=message):
        sl.FactorizationNetwork(**options).fit(module_table())


def test_a_column_with_the_name_of_a_factor_is_refused():
    table = module_table()
    table["factor 1"] = table.pop("g00")

    with pytest.raises(sl.DataError, match="column 'factor 1' has the name of a factor"):
        sl.FactorizationNetwork(reading="factors").fit(table)


def test_noise_has_no_components_and_no_edges():
    rows = np.random.default_rng(5).normal(size=(80, 30))

    learner = sl.FactorizationNetwork().fit(rows)

    assert (learner.rank_, learner.graph_.edges) == (0, ())


def test_a_constant_column_is_in_no_module():
    with pytest.warns(sl.DataWarning, match="'same' has a single value"):
        learner = sl.FactorizationNetwork(method="nmf", rank=3).fit(module_table() | {"same": np.ones(60)})

    assert learner.graph_.adjacent("same") == ()
    assert is_modules(learner.graph_.subgraph(NAMES))


@pytest.mark.parametrize("options", [{}, {"solver": "multiplicative"}, {"loss": "kl"}], ids=str)
def test_a_start_at_singular_vectors_needs_no_chance(options):
    first, second = (
        sl.FactorizationNetwork(method="nmf", rank=3, start="nndsvd", random_state=seed, **options)
        for seed in (0, 1)
    )

    assert is_modules(first.fit(module_table()).graph_)
    assert first.loss_ == second.fit(module_table()).loss_


def test_entries_that_are_held_out_choose_the_number_of_factors():
    rng = np.random.default_rng(0)
    # Noise that multiplies: one that is added would have a mean, a factor of its own.
    table = {name: column * (0.9 + 0.2 * rng.random(60)) for name, column in module_table(noise=0.0).items()}

    learner = sl.FactorizationNetwork(method="nmf", rank="held-out", restarts=2).fit(table)

    assert learner.rank_ == min(learner.held_out_, key=learner.held_out_.get) == 3
    assert is_modules(learner.graph_)


@pytest.mark.parametrize("method", ["svd", "nmf"])
def test_the_cosine_of_factors_can_be_the_strength(method):
    table = module_table()

    learner = sl.FactorizationNetwork(method=method, rank=3, likeness="cosine", restarts=2).fit(table)

    loadings = np.array([learner.loadings_[name] for name in NAMES])
    loadings = loadings / np.linalg.norm(loadings, axis=1, keepdims=True)
    found = [[learner.strength_[a][b] for b in NAMES] for a in NAMES]
    assert np.array(found) == pytest.approx(loadings @ loadings.T)
    assert is_modules(learner.graph_)
    if method == "svd":  # then it is the correlation of the reconstruction
        rebuilt = np.array([learner.filtered_[name] for name in NAMES])
        assert np.array(found) == pytest.approx(np.corrcoef(rebuilt), abs=1e-9)


def test_split_columns_have_signed_factors_and_strengths():
    """Two modules that go up and down; in the second one column goes the other way."""
    rng = np.random.default_rng(0)
    rows = np.repeat(rng.normal(size=(80, 2)), 3, axis=1) * [1, 1, 1, 1, 1, -1] + 0.1 * rng.normal(
        size=(80, 6)
    )
    table = dict(zip("abcdef", rows.T, strict=True))

    learner = sl.FactorizationNetwork(method="nmf", negative="split", rank=4).fit(table)

    assert {frozenset(pair) for pair in learner.graph_.undirected} == {
        frozenset(pair) for module in ("abc", "def") for pair in itertools.combinations(module, 2)
    }
    signs = {edge.weight > 0 for edge in learner.graph_.edges if "f" in (edge.source, edge.target)}
    assert signs == {False}
    assert learner.graph_.edge("d", "e").weight > 0.9


def test_without_negative_numbers_nothing_is_split():
    whole, split = (
        sl.FactorizationNetwork(method="nmf", rank=3, restarts=2, negative=what).fit(module_table())
        for what in ("error", "split")
    )

    assert split.loss_ == whole.loss_


def test_a_penalty_makes_loadings_zero():
    table = {name: column - column.mean() for name, column in module_table(noise=0.8).items()}
    dense, sparse = (sl.FactorizationNetwork(rank=3, penalty=share).fit(table) for share in (0.0, 0.5))

    def n_zeros(learner):
        return sum(int((np.abs(row) == 0.0).sum()) for row in learner.loadings_.values())

    assert n_zeros(dense) == 0
    assert n_zeros(sparse) == 24  # each of 12 columns has one factor of three
    assert is_modules(sparse.graph_)


def test_a_price_makes_entries_of_non_negative_factors_zero():
    free, priced = (
        sl.FactorizationNetwork(method="nmf", rank=3, restarts=2, penalty=price).fit(module_table(noise=0.5))
        for price in (0.0, 0.05)
    )

    def n_zeros(learner):
        return sum(int((row == 0.0).sum()) for row in learner.loadings_.values())

    assert n_zeros(priced) > n_zeros(free)
    assert is_modules(priced.graph_)


def test_random_directions_give_the_same_graph():
    exact, rough = (
        sl.FactorizationNetwork(rank=3, randomised=way).fit(module_table()) for way in (False, True)
    )

    assert rough.graph_ == exact.graph_
    assert rough.fractions_ == pytest.approx(exact.fractions_[:3])
    assert not hasattr(rough, "entropy_")


def test_filtered_columns_are_the_table_where_all_components_are_kept():
    table = {name: 1e120 * (column + 7.0) for name, column in module_table().items()}

    learner = sl.FactorizationNetwork(rank=12).fit(table)

    for name, column in table.items():
        assert learner.filtered_[name] == pytest.approx(column)


def test_tables_of_zeros_and_ones_are_signs():
    signs, rng = signs_of_rank_two(size=12)
    is_known = rng.random(signs.shape) < 0.8
    names = [f"g{j:02}" for j in range(12)]

    def completed(values):
        table = dict(zip(names, np.where(is_known, values, np.nan).T, strict=True))
        return sl.FactorizationNetwork(method="mmmf", cost=1.0).fit(table)

    zeros = completed((signs > 0).astype(float))

    assert zeros.used_loss_ == "hinge"
    assert matrix_of(zeros.completed_) == pytest.approx(matrix_of(completed(signs).completed_))
    whole = {name: (column > 0).astype(int) for name, column in zip(names, signs.T, strict=True)}
    assert sl.FactorizationNetwork(method="mmmf", cost=1.0).fit(whole).used_loss_ == "hinge"


def test_grades_are_completed_by_grades():
    rng = np.random.default_rng(0)
    hidden = rng.normal(size=(40, 2)) @ rng.normal(size=(2, 12))
    grades = 1.0 + np.digitize(hidden, np.quantile(hidden, [0.25, 0.5, 0.75]))
    is_known = rng.random(grades.shape) < 0.8
    table = dict(zip(NAMES, np.where(is_known, grades, np.nan).T, strict=True))

    learner = sl.FactorizationNetwork(method="mmmf", loss="ordinal", cost=0.3).fit(table)

    assert set(np.unique(matrix_of(learner.completed_))) <= {1.0, 2.0, 3.0, 4.0}
    missed = np.abs(matrix_of(learner.completed_) - grades)[~is_known]
    assert missed.mean() < 0.6  # 1.0 by always saying the middle
    with pytest.raises(sl.DataError, match="at most 10 values, not 720"):
        sl.FactorizationNetwork(method="mmmf", loss="ordinal").fit(module_table())


@pytest.mark.parametrize("loss", ["hinge", "squared"])
def test_links_within_one_set_can_be_the_same_both_ways(loss):
    rng = np.random.default_rng(0)
    one = rng.normal(size=(16, 2))
    signs, names = np.sign(one @ one.T), [f"g{j:02}" for j in range(16)]
    known = np.where(rng.random(signs.shape) < 0.5, signs, np.nan)
    order = rng.permutation(16)
    table = dict(zip(names, known[order].T, strict=True)) | {"gene": [names[i] for i in order]}

    options = {"method": "mmmf", "reading": "links", "row_names": "gene", "cost": 0.5, "loss": loss}
    learner = sl.FactorizationNetwork(symmetric=True, **options).fit(table)

    fitted = matrix_of(learner.completed_)[np.argsort(order)]
    assert fitted == pytest.approx(fitted.T, abs=1e-6)
    wanted = {frozenset((names[i], names[j])) for i, j in np.argwhere(np.triu(signs > 0, 1)).tolist()}
    assert len(wanted ^ {frozenset(pair) for pair in learner.graph_.undirected}) < 0.1 * 16 * 15 / 2
    with pytest.raises(sl.DataError, match="rows have the names of the columns"):
        sl.FactorizationNetwork(symmetric=True, **options).fit(table | {"gene": [f"r{i}" for i in range(16)]})


@pytest.mark.parametrize("loss", ["hinge", "squared"])
def test_biases_fit_what_a_row_and_a_column_have_alone(loss):
    """Whether an entry is positive depends on its row and its column, not on both together."""
    rng = np.random.default_rng(1)
    levels = rng.normal(size=(20, 1)) + rng.normal(size=12)
    signs = np.sign(levels)
    is_known = rng.random(signs.shape) < 0.7
    values = signs if loss == "hinge" else levels
    table = dict(zip(NAMES, np.where(is_known, values, np.nan).T, strict=True))
    table["row"] = [f"r{i}" for i in range(20)]

    options = {"method": "mmmf", "reading": "links", "row_names": "row", "loss": loss, "cost": 0.05}
    found = sl.FactorizationNetwork(bias=True, **options).fit(table)

    assert (np.sign(matrix_of(found.completed_)) == signs)[~is_known].mean() > 0.85


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"likeness": "consensus"}, "not for method='svd'. Use 'carried' or 'cosine'"),
        ({"method": "nmf", "likeness": "carried"}, "not for method='nmf'. Use 'consensus' or 'cosine'"),
        ({"rank": "held-out"}, "'svd' has none"),
        ({"randomised": True}, "their number must be given"),
        ({"method": "nmf", "loss": "kl", "penalty": 0.1}, "squares and solver='hals'"),
        ({"method": "mmmf", "loss": "ordinal", "bias": True}, "only one can be used"),
    ],
    ids=str,
)
def test_new_options_that_do_not_go_together_are_refused(options, message):
    table = dict(zip(NAMES, np.random.default_rng(0).integers(0, 4, (12, 40)), strict=True))

    with pytest.raises(sl.OptionError, match=message):
        sl.FactorizationNetwork(**options).fit(table)


@pytest.mark.parametrize("method", ["nmf", "sparse-nmf"])
def test_modules_of_noise_are_warned_of(method):
    rows = np.abs(np.random.default_rng(5).normal(size=(20, 12)))

    with pytest.warns(sl.DataWarning, match="no better than one whose columns were shuffled"):
        sl.FactorizationNetwork(method=method, rank=3, restarts=3).fit(rows)


@pytest.mark.parametrize(
    "options", [{"method": "nmf", "rank": 3, "restarts": 2}, {"method": "mmmf", "cost": 0.05}], ids=str
)
@pytest.mark.parametrize("unit", [1e-100, 1e100])
def test_units_change_no_module(options, unit):
    usual, other = (
        sl.FactorizationNetwork(**options).fit({name: u * column for name, column in module_table().items()})
        for u in (1.0, unit)
    )

    assert other.graph_ == usual.graph_
    assert other.strength_["g00"] == pytest.approx(usual.strength_["g00"])


def test_units_that_matter_and_are_far_from_one_are_refused():
    table = {name: 1e100 * column for name, column in module_table().items()}

    with pytest.raises(sl.DataError, match="units matter, and column 'g00' varies by about 1e10"):
        sl.FactorizationNetwork(scale=False).fit(table)


@pytest.mark.parametrize(
    "options",
    [{"method": "mmmf", "rank": 2}, {"method": "nmf", "rank": "held-out"}, {"rank": 2, "randomised": True}],
    ids=str,
)
def test_the_order_of_rows_has_no_say_in_what_is_drawn(options):
    rng = np.random.default_rng(0)
    rows = np.abs(rng.normal(size=(60, 6)))
    rows[:, 1] += rows[:, 0]
    rows[:, 2] += rows[:, 1]
    order = rng.permutation(60)

    one, other = (sl.FactorizationNetwork(**options).fit(table) for table in (rows, rows[order]))

    assert one.graph_ == other.graph_
    for kind in ("filtered_", "completed_"):
        for name, column in getattr(one, kind, {}).items():
            assert getattr(other, kind)[name] == pytest.approx(column[order])
    if hasattr(one, "courses_"):
        assert np.abs(other.courses_) == pytest.approx(np.abs(one.courses_[order]))
