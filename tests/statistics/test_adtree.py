"""An AD-tree gives what a dictionary gives, has the nodes that its paper says, and knows its limits."""

import itertools
from math import comb, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.data.columns import DiscreteColumn
from structlearn.statistics import ADTreeStatistics, MemoryStatistics, adtree, from_dataset, memory
from structlearn.statistics.adtree import BYTES_PER_WORD
from structlearn.statistics.kernels.adtree import FIRST_WORDS
from tests.oracles import contingency as oracle
from tests.statistics.test_counting import coded_tables, dataset_of, table

pytestmark = pytest.mark.kernels

SHAPES = st.fixed_dictionaries(
    {"leaf_size": st.sampled_from([1, 2, 5, 1000]), "leave_out_most_common": st.booleans()}
)


def factorial(n_columns):
    """A table with every joint state of binary columns once."""
    return dataset_of(list(itertools.product((0, 1), repeat=n_columns)), [2] * n_columns)


def small_table():
    """T1 of docs/references/index.md#tables: three binary columns, 20 rows, every joint state."""
    times = dict(zip(itertools.product((0, 1), repeat=3), (6, 2, 1, 2, 1, 1, 2, 5), strict=True))
    return dataset_of([state for state, n in times.items() for _ in range(n)], [2] * 3)


def skewed_table(n_rows=2000, n_columns=7, seed=0):
    """Columns of three levels, the first of which most rows have."""
    rng = np.random.default_rng(seed)
    return dataset_of(rng.choice(3, (n_rows, n_columns), p=(0.7, 0.2, 0.1)).tolist(), [3] * n_columns)


def assert_same_tables(found, expected, sets):
    found, expected = found.tables(sets), expected.tables(sets)
    assert found.counts.dtype == expected.counts.dtype
    for field in ("counts", "starts", "strata"):
        assert getattr(found, field).tolist() == getattr(expected, field).tolist()


@settings(deadline=None, max_examples=100)
@given(coded=coded_tables(max_levels=4), shape=SHAPES, data=st.data())
def test_the_table_of_every_subset_is_a_dictionary_count_in_any_order(coded, shape, data):
    codes, levels = coded
    statistics = ADTreeStatistics(dataset_of(codes, levels), depth=len(levels), **shape)
    order = data.draw(st.permutations(range(len(levels))))

    for size in range(1, len(levels) + 1):
        for columns in itertools.combinations(order, size):
            counts = statistics.counts(columns)
            assert counts.shape == tuple(levels[j] for j in columns)
            assert counts.dtype == np.int64
            assert counts.ravel().tolist() == oracle.dense(codes, levels, columns)


@settings(deadline=None)
@given(coded=coded_tables(), shape=SHAPES, depth=st.integers(1, 4), size=st.integers(2, 4))
def test_a_batch_is_dictionary_counts_whether_the_tree_is_deep_enough_or_not(coded, shape, depth, size):
    codes, levels = coded
    statistics = ADTreeStatistics(dataset_of(codes, levels), depth=depth, **shape)
    sets = np.array(list(itertools.permutations(range(4), size)))

    tables = statistics.tables(sets)

    for i, columns in enumerate(sets):
        assert table(tables, i, sets, levels).ravel().tolist() == oracle.dense(codes, levels, columns)


@settings(deadline=None, max_examples=30)
@given(coded=coded_tables(), shape=SHAPES)
def test_tables_that_would_outgrow_the_rows_leave_out_the_same_strata_as_in_memory(coded, shape):
    data = dataset_of(*coded)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memory, "ALWAYS_DENSE_CELLS", 0)
        patch.setattr(memory, "DENSE_CELLS_PER_ROW", 0)
        assert_same_tables(
            ADTreeStatistics(data, **shape), MemoryStatistics(data), np.array([[3, 0, 2, 1], [0, 1, 2, 3]])
        )


@pytest.mark.parametrize("data", [factorial(3), factorial(4), factorial(6), small_table()])
def test_a_full_tree_has_the_nodes_that_its_paper_counts(data):
    n_columns = len(data.names)

    full = ADTreeStatistics(data, leaf_size=1, depth=n_columns, leave_out_most_common=False)
    pruned = ADTreeStatistics(data, leaf_size=1, depth=n_columns)

    assert full.n_nodes == 3**n_columns
    assert pruned.n_nodes == 2**n_columns
    assert pruned.n_bytes < full.n_bytes


@pytest.mark.parametrize(("n_columns", "depth"), [(1, 1), (3, 3)])
def test_a_tree_is_no_deeper_than_it_has_columns(n_columns, depth):
    assert ADTreeStatistics(factorial(n_columns), depth=4).depth == depth


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
def test_a_shallow_tree_has_a_node_for_each_small_subset(depth):
    assert ADTreeStatistics(factorial(5), leaf_size=1, depth=depth).n_nodes == sum(
        comb(5, k) for k in range(depth + 1)
    )


def test_nodes_with_few_rows_have_lists_in_place_of_subtrees():
    """A level of the factorial has 16 of 32 rows: with larger lists the tree ends below its root."""
    nodes = [ADTreeStatistics(factorial(5), leaf_size=size, depth=5).n_nodes for size in (16, 17)]

    assert nodes == [1 + 5 + comb(5, 2), 1 + 5]


def test_a_smaller_tree_gives_the_same_answers():
    data = skewed_table()
    sizes = [ADTreeStatistics(data, leaf_size=size, depth=7).n_bytes for size in (1, 8, 64)]
    sets = np.array(list(itertools.combinations(range(7), 3)))

    assert sizes == sorted(sizes, reverse=True)
    for shape in ({"leaf_size": 1}, {"leaf_size": 64}, {"depth": 2}, {"leave_out_most_common": False}):
        assert_same_tables(ADTreeStatistics(data, **shape), MemoryStatistics(data), sets)


def test_a_tree_may_be_as_large_as_max_bytes_and_no_larger():
    data = skewed_table()
    n_bytes = ADTreeStatistics(data, depth=4).n_bytes

    assert ADTreeStatistics(data, depth=4, max_bytes=n_bytes).n_bytes == n_bytes
    with pytest.raises(
        sl.DataError,
        match=rf"7 columns and 2,000 rows .* more than {n_bytes - 4:,} bytes .* larger leaf_size",
    ):
        ADTreeStatistics(data, depth=4, max_bytes=n_bytes - 4)


def test_a_tree_without_a_depth_is_as_deep_as_fits():
    data = skewed_table()
    n_bytes = ADTreeStatistics(data, depth=3).n_bytes

    assert ADTreeStatistics(data).depth == adtree.DEEPEST
    assert ADTreeStatistics(data, max_bytes=n_bytes).depth == 3
    with pytest.raises(sl.DataError, match="depth=1"):
        ADTreeStatistics(data, max_bytes=8)


@pytest.mark.parametrize("most_visits", [1.0, 400.0, 800.0, 1600.0, 1e9])
def test_a_tree_without_a_depth_is_as_deep_as_is_soon_grown(most_visits, monkeypatch):
    """The rows of a node with columns S are visited once for each column after S."""
    monkeypatch.setattr(adtree, "MOST_VISITS", most_visits)
    kept = np.array([0.1, 0.5, 0.5, 0.6, 0.7, 0.75])

    def visits(depth):
        subsets = (s for size in range(1, depth + 1) for s in itertools.combinations(kept, size))
        return 50 * sum(prod(subset[:-1]) for subset in subsets)

    allowed = [depth for depth in range(1, adtree.DEEPEST + 1) if visits(depth) <= most_visits]
    assert adtree.quick_depth(kept, 50) == max(allowed, default=1)


def test_any_number_of_threads_reads_the_same_tables(monkeypatch):
    monkeypatch.setattr("structlearn.statistics.blocks.COST_OF_A_THREAD", 0.0)
    data = skewed_table()
    sets = np.array(list(itertools.permutations(range(7), 3)))

    assert_same_tables(ADTreeStatistics(data, n_jobs=2), MemoryStatistics(data), sets)


def test_columns_of_both_kinds_are_told_apart():
    rng = np.random.default_rng(0)
    columns = {"a": rng.integers(0, 2, 50), "x": rng.normal(size=50), "b": rng.integers(0, 3, 50)}
    data = sl.Dataset({name: column.tolist() for name, column in columns.items()})
    tree, plain = from_dataset(data, statistics="adtree"), from_dataset(data)

    assert tree.counts([2, 0]).tolist() == plain.counts([2, 0]).tolist()
    assert tree.moments().covariance.tolist() == plain.moments().covariance.tolist()
    assert ADTreeStatistics(data.select(["x"])).moments().mean == pytest.approx(columns["x"].mean())


def test_weights_and_missing_values_are_refused():
    weighted = dataset_of([(0, 1), (1, 0)], [2, 2], weights=np.array([1.0, 2.0]))
    gappy = sl.Dataset({"a": ["x", "y", None, "y"], "b": ["u", None, "v", "v"]})

    with pytest.raises(sl.DataError, match=r"weights. Use statistics='memory'"):
        from_dataset(weighted, statistics="adtree")
    with pytest.raises(sl.DataError, match=r"'a' \(1\), 'b' \(1\)"):
        ADTreeStatistics(gappy)
    with pytest.raises(sl.OptionError, match=r"PC\(statistics='adtree'\): .* the same rows"):
        from_dataset(gappy, statistics="adtree", missing="testwise", owner="PC")
    assert from_dataset(gappy, statistics="adtree", missing="drop").counts([0, 1]).tolist() == [
        [1, 0],
        [0, 1],
    ]


@pytest.mark.parametrize("option", ["leaf_size", "depth", "max_bytes", "leave_out_most_common"])
def test_a_wrong_option_is_refused_by_name(option):
    with pytest.raises(sl.OptionError, match=rf"ADTreeStatistics\({option}=-1\): {option} is"):
        ADTreeStatistics(factorial(2), **{option: -1})


@pytest.mark.parametrize("learner", [sl.PC, sl.GrowShrink])
def test_a_learner_finds_the_same_graph_and_evidence_with_a_tree(learner):
    data = sl.example("asia").sample(1000, random_state=0)

    plain, by_tree = (learner(statistics=name).fit(data) for name in ("memory", "adtree"))

    assert by_tree.graph_ == plain.graph_
    assert by_tree.evidence_ == plain.evidence_


def test_a_learner_counts_with_the_statistics_it_is_given(monkeypatch):
    grown = []
    monkeypatch.setattr(adtree.ADTreeStatistics, "_grown", lambda *_: grown.append(1) or (np.zeros(1), 1, 1))
    data = sl.example("asia").sample(200, random_state=0)

    sl.PC().fit(data)
    assert not grown
    sl.PC(statistics="adtree").fit(data)
    assert grown
    with pytest.raises(sl.OptionError, match=r"PC\(statistics='fast'\): statistics is how"):
        sl.PC(statistics="fast").fit(data)


def test_a_tree_that_has_to_move_while_it_grows_and_many_levels_change_nothing():
    rng = np.random.default_rng(0)
    levels = [250, 5, 4, 250, 6]
    columns = [
        DiscreteColumn(f"c{j}", rng.integers(0, n, 1000).astype(np.uint8), tuple(range(n)), None)
        for j, n in enumerate(levels)
    ]
    data = sl.Dataset.from_columns(columns)
    tree = ADTreeStatistics(data, leaf_size=1, depth=3)

    assert tree.n_bytes > 2 * BYTES_PER_WORD * FIRST_WORDS
    for size in (2, 3):
        sets = np.array(list(itertools.permutations([1, 2, 4, 3], size)))
        assert_same_tables(tree, MemoryStatistics(data), sets)
    assert tree.counts([3, 0]).tolist() == MemoryStatistics(data).counts([3, 0]).tolist()
