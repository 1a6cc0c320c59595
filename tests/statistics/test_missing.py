"""With gaps, every statistic is that of the rows without them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.api import learner
from structlearn.data import Dataset
from structlearn.data.columns import ContinuousColumn, DiscreteColumn
from structlearn.statistics import from_dataset, memory
from structlearn.statistics.weightless import without_weightless_rows

LEVELS = [2, 3, 2, 5, 20]
N_ROWS = 70


def gapped_dataset(seed, *, is_weighted=False, share=0.15):
    """Five discrete columns and three continuous ones; the first of each kind misses nothing."""
    rng = np.random.default_rng(seed)

    def gaps(j):
        mask = rng.random(N_ROWS) < share
        return mask if j and mask.any() else None

    def hidden(values, mask):
        return values if mask is None else np.where(mask, np.zeros_like(values), values)

    columns = []
    for j, n_levels in enumerate(LEVELS):
        mask = gaps(j)
        codes = hidden(rng.integers(0, n_levels, N_ROWS).astype(np.uint8), mask)
        columns.append(DiscreteColumn(f"d{j}", codes, tuple(range(n_levels)), mask))
    for j in range(3):
        mask = gaps(j)
        columns.append(ContinuousColumn(f"u{j}", hidden(rng.normal(size=N_ROWS) + 9.0, mask), mask))
    weights = rng.integers(0, 5, N_ROWS) / 4 if is_weighted else None
    return Dataset.from_columns(columns, weights=weights)


def without_gaps(dataset, columns):
    """The statistics of what is left when the rows that miss one of these columns are deleted."""
    names, dataset = [dataset.names[j] for j in columns], without_weightless_rows(dataset)
    keep = np.ones(dataset.n_rows, dtype=bool)
    for name in names:
        mask = dataset.column(name).missing
        keep &= True if mask is None else ~mask
    weights = None if dataset.weights is None else dataset.weights[keep]
    taken = [dataset.column(name).take(keep) for name in names]
    return from_dataset(Dataset.from_columns(taken, weights=weights))


SEEDS = st.integers(0, 10**6)


@pytest.mark.parametrize("is_weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("path", ["as it comes", "codes", "masks", "sparse"])
@settings(deadline=None, max_examples=15)
@given(seed=SEEDS, size=st.integers(2, 4))
def test_tables_are_those_of_the_rows_that_are_left(is_weighted, path, seed, size):
    dataset = gapped_dataset(seed, is_weighted=is_weighted)
    rng = np.random.default_rng(seed)
    sets = np.array([rng.permutation(5)[:size] for _ in range(6)])
    with pytest.MonkeyPatch.context() as patch:
        if path == "sparse":
            patch.setattr(memory, "ALWAYS_DENSE_CELLS", 0)
            patch.setattr(memory, "DENSE_CELLS_PER_ROW", 0)
        elif path != "as it comes":
            patch.setattr(memory, "MOST_MASK_CELLS", 0 if path == "codes" else 10**6)
        statistics = from_dataset(dataset, missing="testwise")
        tables = statistics.tables(sets)
        for i, columns in enumerate(sets):
            expected = without_gaps(dataset, columns).tables(np.arange(size)[None])
            n_cells = int(expected.strata[0] * np.prod(statistics.levels[columns[-2:]]))
            assert tables.strata[i] == expected.strata[0]
            assert tables.counts[tables.starts[i] :][:n_cells].tolist() == expected.counts.tolist()


@settings(deadline=None, max_examples=30)
@given(seed=SEEDS, is_weighted=st.booleans())
def test_counts_moments_and_rows_are_those_of_the_rows_that_are_left(seed, is_weighted):
    dataset = gapped_dataset(seed, is_weighted=is_weighted)
    statistics = from_dataset(dataset, missing="testwise")

    for columns in ([1], [3, 1], [0, 2, 1]):
        left = without_gaps(dataset, columns)
        assert statistics.counts(columns).tolist() == left.counts(range(len(columns))).tolist()
        np.testing.assert_array_equal(statistics.rows(columns).values, left.rows(range(len(columns))).values)
    for discrete, continuous in (([], [6, 7]), ([], [5, 6]), ([1], [7, 5]), ([2, 0], [6])):
        left = without_gaps(dataset, [*discrete, *continuous])
        d = len(discrete)
        found = statistics.grouped_moments(discrete, np.array([continuous]))
        expected = left.grouped_moments(range(d), np.arange(d, d + len(continuous))[None])
        # A stratum may occur only in rows that miss one of the continuous columns.
        places = [found.states.tolist().index(state) for state in expected.states.tolist()]
        assert found.sizes.sum() == pytest.approx(expected.sizes.sum())
        np.testing.assert_allclose(found.sizes[0, places], expected.sizes[0])
        np.testing.assert_allclose(found.products[0, places], expected.products[0], atol=1e-9)


@settings(deadline=None, max_examples=30)
@given(seed=SEEDS, is_weighted=st.booleans())
def test_moments_of_the_table_are_those_of_each_pair(seed, is_weighted):
    dataset = gapped_dataset(seed, is_weighted=is_weighted)
    moments = from_dataset(dataset, missing="testwise").moments()

    for a, b in ((5, 6), (6, 7), (7, 5)):
        pair = without_gaps(dataset, [a, b]).moments()
        assert moments.covariance[a, b] == pytest.approx(pair.covariance[0, 1], abs=1e-9)
        assert moments.correlation[a, b] == pytest.approx(pair.correlation[0, 1], abs=1e-9)
        alone = without_gaps(dataset, [a]).moments()
        assert moments.mean[a] == pytest.approx(alone.mean[0])
        assert moments.covariance[a, a] == pytest.approx(alone.covariance[0, 0], abs=1e-9)


def test_a_constant_column_with_gaps_has_exactly_no_variance():
    values = np.where(np.arange(30) % 4 == 0, np.nan, 0.1)
    dataset = sl.Dataset({"x": values, "y": np.arange(30) / 7.0}, kinds={"x": "continuous"})

    moments = from_dataset(dataset, missing="testwise").moments()

    assert (moments.covariance[0] == 0.0).all()
    assert moments.mean[0] == pytest.approx(0.1)


def test_dropping_keeps_the_complete_rows_and_all_levels():
    dataset = gapped_dataset(0)
    statistics = from_dataset(dataset, missing="drop")
    expected = without_gaps(dataset, range(8))

    assert statistics.is_complete
    assert statistics.n_rows == expected.n_rows < N_ROWS
    assert statistics.counts([1, 3]).tolist() == expected.counts([1, 3]).tolist()
    np.testing.assert_allclose(statistics.moments().covariance, expected.moments().covariance)


def test_a_complete_table_is_the_same_whatever_the_policy():
    dataset = gapped_dataset(0).select(["d0", "u0"])

    assert all(from_dataset(dataset, missing=m).is_complete for m in ("error", "drop", "testwise"))


def test_missing_values_are_refused_unless_a_policy_is_given():
    dataset = gapped_dataset(0)
    with pytest.raises(sl.DataError, match=r"PC needs complete data.*'d1' \(\d+\)"):
        from_dataset(dataset, owner="PC")
    with pytest.raises(sl.OptionError, match=r"PC\(missing='guess'\): missing is what to do"):
        from_dataset(dataset, owner="PC", missing="guess")


def test_dropping_every_row_is_refused():
    dataset = sl.Dataset({"a": ["x", None, "y", None], "b": [None, "u", None, "v"]})
    with pytest.raises(sl.DataError, match=r"each of the 4 rows misses a value.*missing='testwise'"):
        from_dataset(dataset, missing="drop", owner="PC")


@pytest.mark.parametrize("method", ["boss", "pc", "chow-liu", "exact-search"])
def test_the_status_says_how_many_rows_were_dropped(method):
    whole = {"a": list("uv") * 30, "b": list("xxyy") * 15}
    gaps = {"a": [None, *whole["a"][1:]], "b": [None, *whole["b"][1:-1], None]}

    assert "2 of 60 rows left out for missing values." in learner(method, missing="drop").fit(gaps).status_
    assert "left out" not in learner(method, missing="drop").fit(whole).status_


@pytest.mark.parametrize("where", ["frame", "dataset", "file", "engine"])
def test_what_columns_miss_that_nobody_asks_for_does_not_matter(where, tmp_path):
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 300)
    b = np.where(rng.random(300) < 0.2, 1 - a, a)
    whole = {"a": a, "b": b, "c": np.where(rng.random(300) < 0.2, 1 - b, b)}
    gapped = pd.DataFrame({"note": [None] * 10 + ["x", "y"] * 145, "z": [np.nan, *a[1:] * 0.1], **whole})
    gapped.to_parquet(path := tmp_path / "t.parquet")
    opening = {
        "frame": lambda: gapped,
        "dataset": lambda: sl.Dataset(gapped),
        "file": lambda: path,
        "engine": lambda: sl.source(path, where="engine"),
    }
    table, graph = opening[where](), sl.Graph("abc", directed=["ab", "bc"])
    certificate = sl.ExactSearch().fit(whole).certificate()

    assert sl.score(graph, table) == pytest.approx(sl.score(graph, whole), rel=1e-12)
    assert graph.why("a", "c", data=table) == graph.why("a", "c", data=whole)
    assert sl.test_independence(table, "a", "c").p_value == pytest.approx(
        sl.test_independence(whole, "a", "c").p_value, rel=1e-9
    )
    if where != "engine":  # which collapses equal rows, and has another number of them
        assert certificate.check(table).holds
    with pytest.raises(sl.DataError, match="'note'"):
        sl.score(sl.Graph(["a", "note"]), table)
