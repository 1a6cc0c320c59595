"""Every way of counting gives what a dictionary gives."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.data import Dataset
from structlearn.data.columns import DiscreteColumn
from structlearn.statistics import from_dataset, memory, strata
from tests.oracles import contingency as oracle


@st.composite
def coded_tables(draw, max_levels=5):
    """(rows of codes, levels): a few columns, some levels of which may not occur."""
    levels = draw(st.lists(st.integers(1, max_levels), min_size=4, max_size=6))
    row = st.tuples(*(st.integers(0, n - 1) for n in levels))
    return draw(st.lists(row, min_size=1, max_size=150)), levels


def dataset_of(codes, levels, weights=None):
    columns = [
        DiscreteColumn(
            f"c{j}", np.array([row[j] for row in codes], dtype=np.uint8), tuple(range(levels[j])), None
        )
        for j in range(len(levels))
    ]
    return Dataset.from_columns(columns, weights=weights)


def table(tables, i, sets, levels):
    columns = sets[i]
    shape = (tables.strata[i], levels[columns[-2]], levels[columns[-1]])
    size = int(np.prod(shape))
    return tables.counts[tables.starts[i] : tables.starts[i] + size].reshape(shape)


def column_sets(draw, n_columns, size):
    one = st.permutations(range(n_columns)).map(lambda order: order[:size])
    return draw(st.lists(one, min_size=1, max_size=8))


@settings(deadline=None)
@given(coded_tables(), st.data())
def test_a_table_of_any_columns_is_a_dictionary_count(coded, data):
    codes, levels = coded
    columns = data.draw(st.permutations(range(len(levels))))[: data.draw(st.integers(1, 4))]

    counts = from_dataset(dataset_of(codes, levels)).counts(columns)

    assert counts.shape == tuple(levels[j] for j in columns)
    assert counts.ravel().tolist() == oracle.dense(codes, levels, columns)


@pytest.mark.parametrize("most_mask_cells", [0, 8, 10**6], ids=["codes", "both", "masks"])
@settings(deadline=None)
@given(coded=coded_tables(), data=st.data())
def test_a_batch_of_tables_is_dictionary_counts(most_mask_cells, coded, data):
    codes, levels = coded
    sets = np.array(column_sets(data.draw, len(levels), data.draw(st.integers(2, 4))))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memory, "MOST_MASK_CELLS", most_mask_cells)
        tables = from_dataset(dataset_of(codes, levels)).tables(sets)

    for i, columns in enumerate(sets):
        assert table(tables, i, sets, levels).ravel().tolist() == oracle.dense(codes, levels, columns)


@pytest.mark.parametrize("codes_per_row", [0, 4], ids=["sorted", "tabulated"])
@settings(deadline=None)
@given(coded=coded_tables(), data=st.data())
def test_a_sparse_table_has_the_strata_that_occur_in_order(codes_per_row, coded, data):
    codes, levels = coded
    sets = np.array(column_sets(data.draw, len(levels), 4))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memory, "ALWAYS_DENSE_CELLS", 0)
        patch.setattr(memory, "DENSE_CELLS_PER_ROW", 0)
        patch.setattr(strata, "CODES_PER_ROW", codes_per_row)
        tables = from_dataset(dataset_of(codes, levels)).tables(sets)

    for i, (a, b, x, y) in enumerate(sets):
        states = sorted({(row[a], row[b]) for row in codes})
        for found, stratum in zip(table(tables, i, sets, levels), states, strict=True):
            inside = [row for row in codes if (row[a], row[b]) == stratum]
            assert found.ravel().tolist() == oracle.dense(inside, levels, [x, y])


@settings(deadline=None)
@given(coded=coded_tables(), data=st.data())
def test_weights_are_added_up_in_every_kind_of_table(coded, data):
    codes, levels = coded
    weight = st.integers(1, 12).map(lambda quarter: quarter / 4)
    weights = data.draw(st.lists(weight, min_size=len(codes), max_size=len(codes)))
    sets = np.array(column_sets(data.draw, len(levels), 3))
    statistics = from_dataset(dataset_of(codes, levels, np.array(weights)))

    tables = statistics.tables(sets)

    assert statistics.size == pytest.approx(sum(weights))
    assert statistics.counts([0]).tolist() == oracle.dense(codes, levels, [0], weights)
    for i, columns in enumerate(sets):
        assert table(tables, i, sets, levels).ravel().tolist() == oracle.dense(
            codes, levels, columns, weights
        )


def test_many_rows_and_many_levels_are_counted_alike_by_any_number_of_threads(monkeypatch):
    rng = np.random.default_rng(0)
    levels = [2, 3, 17, 4, 40]
    codes = [rng.integers(0, n, 20_000) for n in levels]
    columns = [
        DiscreteColumn(f"c{j}", c.astype(np.uint8), tuple(range(levels[j])), None)
        for j, c in enumerate(codes)
    ]
    sets = np.array([(a, b) for a in range(5) for b in range(5) if a != b])
    monkeypatch.setattr("structlearn.statistics.blocks.COST_OF_A_THREAD", 0.0)

    one, two = (from_dataset(Dataset.from_columns(columns), n_jobs=n_jobs).tables(sets) for n_jobs in (1, 2))

    assert one.counts.tolist() == two.counts.tolist()
    for i, (a, b) in enumerate(sets):
        expected = np.zeros((levels[a], levels[b]), dtype=int)
        np.add.at(expected, (codes[a], codes[b]), 1)
        assert table(one, i, sets, levels)[0].tolist() == expected.tolist()


def test_moments_are_those_of_numpy_with_and_without_weights():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(50, 3)) + 100.0
    weights = rng.integers(0, 4, 50).astype(float)
    columns = {f"x{j}": rows[:, j] for j in range(3)}

    plain = from_dataset(Dataset(columns)).moments()
    weighted = from_dataset(Dataset(columns, weights=weights)).moments()

    np.testing.assert_allclose(plain.mean, rows.mean(axis=0))
    np.testing.assert_allclose(plain.covariance, np.cov(rows.T, bias=True))
    np.testing.assert_allclose(plain.correlation, np.corrcoef(rows.T))
    np.testing.assert_allclose(weighted.mean, np.average(rows, axis=0, weights=weights))
    np.testing.assert_allclose(weighted.covariance, np.cov(rows.T, bias=True, aweights=weights))


@settings(deadline=None, max_examples=40)
@given(
    seed=st.integers(0, 10_000),
    n_rows=st.sampled_from([1, 7, 64, 65, 1025, 3000]),
    levels=st.lists(st.sampled_from([1, 2, 3, 16, 17, 40, 200]), min_size=1, max_size=3),
)
def test_joint_counts_are_what_they_say_whatever_the_levels(seed, n_rows, levels):
    rng = np.random.default_rng(seed)
    codes = [rng.integers(0, n, n_rows) for n in levels]
    columns = [
        DiscreteColumn(f"x{j}", values.astype(np.uint8), tuple(range(n)))
        for j, (values, n) in enumerate(zip(codes, levels, strict=True))
    ]

    counts = from_dataset(Dataset.from_columns(columns)).counts(range(len(levels)))

    expected = np.zeros(levels, dtype=np.int64)
    np.add.at(expected, tuple(codes), 1)
    assert np.array_equal(counts, expected)
