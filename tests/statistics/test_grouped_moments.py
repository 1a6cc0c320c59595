"""Moments within strata are those of numpy on the rows of each stratum."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.data import Dataset
from structlearn.statistics import from_dataset, moments_of_strata
from structlearn.statistics.moments_of_strata import MomentsOfStrata


def mixed_table(seed, n=40):
    rng = np.random.default_rng(seed)
    columns = {"d": rng.integers(0, 2, n), "e": rng.integers(0, 4, n)}
    columns |= {name: rng.normal(size=n) + 50.0 for name in "uvw"}
    return columns, rng.integers(0, 4, n).astype(float)


def expected_moments(columns, weights, discrete, names):
    """(state, size, means, products) of each stratum in which a row counts, in order of the states."""
    rows = np.column_stack([columns[name] for name in names])
    for state in product(*(range(4) for _ in discrete)):
        inside = np.all([columns[name] == code for name, code in zip(discrete, state, strict=True)], axis=0)
        inside = np.broadcast_to(inside, weights.shape)
        size = weights[inside].sum()
        if not size:
            continue
        mean = np.average(rows[inside], axis=0, weights=weights[inside])
        apart = (rows[inside] - mean) * np.sqrt(weights[inside])[:, None]
        yield state, size, mean, apart.T @ apart


@pytest.mark.parametrize("discrete", ["", "d", "de"])
@pytest.mark.parametrize("is_weighted", [False, True], ids=["plain", "weighted"])
@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 10**6))
def test_moments_of_each_stratum_are_those_of_its_rows(discrete, is_weighted, seed):
    columns, weights = mixed_table(seed)
    weights = weights if is_weighted else np.ones(40)
    statistics = from_dataset(Dataset(columns, weights=weights if is_weighted else None))
    sets = np.array([(2, 3), (4, 2), (3, 4)])

    found = statistics.grouped_moments(["de".index(name) for name in discrete], sets)

    for i, (a, b) in enumerate(sets):
        names = [statistics.names[a], statistics.names[b]]
        expected = list(expected_moments(columns, weights, discrete, names))
        assert found.states.tolist() == [list(state) for state, *_ in expected]
        for group, (_, size, mean, products) in enumerate(expected):
            assert found.sizes[i, group] == pytest.approx(size)
            np.testing.assert_allclose(found.means[i, group], mean)
            np.testing.assert_allclose(found.products[i, group], products, atol=1e-9)


def test_a_column_that_is_constant_within_a_stratum_has_exactly_no_variance():
    d = np.repeat([0, 1], 30)
    columns = {"d": d, "x": np.where(d == 0, 0.1, 0.7), "y": np.random.default_rng(0).normal(size=60)}
    statistics = from_dataset(Dataset(columns, kinds={"x": "continuous"}))

    products = statistics.grouped_moments([0], np.array([[1, 2]])).products[0]

    assert (products[:, 0] == 0.0).all()
    assert (products[:, 1, 1] > 1.0).all()


def test_batches_are_worked_out_alike_by_any_number_of_threads(monkeypatch):
    monkeypatch.setattr("structlearn.statistics.blocks.COST_OF_A_THREAD", 0.0)
    columns, _ = mixed_table(1)
    sets = np.array([(2, 3), (4, 2), (3, 4), (2, 4)])

    one, two = (
        from_dataset(Dataset(columns), n_jobs=n).grouped_moments([0, 1], sets).products for n in (1, 2)
    )

    assert one.tolist() == two.tolist()


@pytest.mark.parametrize("is_weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("rows_at_once", [3, 10_000])
@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 10**6))
def test_moments_of_all_columns_are_those_of_each_set(is_weighted, rows_at_once, seed):
    columns, weights = mixed_table(seed)
    columns["c"] = 7.0 + columns["d"]  # constant within each stratum
    kinds = {"c": "continuous"}
    data = Dataset(columns, kinds=kinds, weights=weights if is_weighted else None)
    sets = np.array([(2, 3, 5), (4, 2, 3), (5, 4, 2)])
    each, all_at_once = from_dataset(data), from_dataset(data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moments_of_strata, "ROWS_AT_ONCE", rows_at_once)
        patch.setattr(moments_of_strata, "VISITS_OF_A_COLUMN", np.inf)
        expected = each.grouped_moments([1, 0], sets)
        patch.setattr(moments_of_strata, "VISITS_OF_A_COLUMN", -np.inf)
        found = all_at_once.repeated_moments([1, 0], sets)

    for name in ("states", "sizes", "means", "products"):
        mine, theirs = getattr(found, name), getattr(expected, name)
        np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-9)
    assert (found.products[0, :, 2] == 0.0).all()


def test_moments_of_all_columns_are_found_when_single_sets_have_taken_as_long(monkeypatch):
    found = []
    monkeypatch.setattr(
        MomentsOfStrata,
        "_of_all",
        lambda *how, find=MomentsOfStrata._of_all: found.append(how[1]) or find(*how),
    )
    statistics = from_dataset(Dataset(mixed_table(3)[0]))
    # Two columns of two cost three visits of a row, all three of them 3 · (2 + 0.3).
    asked = []
    for discrete in ([0], [0], [1], [0], [1], [0]):
        statistics.repeated_moments(discrete, np.array([(2, 3)]))
        asked.append(list(found))

    assert asked == [[], [], [], [(0,)], [(0,)], [(0,)]]


def test_no_more_moments_of_all_columns_are_kept_than_there_is_room_for(monkeypatch):
    columns, _ = mixed_table(4)
    statistics = from_dataset(Dataset(columns))
    sets = np.array([(2, 3)] * 10)
    expected = [from_dataset(Dataset(columns)).grouped_moments([j], sets[:1]).products[0] for j in (0, 1)]
    monkeypatch.setattr(moments_of_strata, "MOST_BYTES", 8 * 4 * 3**2)  # those of "e", of four states

    for j in (0, 1, 0, 1, 0):
        found = statistics.repeated_moments([j], sets).products[0]
        np.testing.assert_allclose(found, expected[j], atol=1e-9)
    kept = [moments.products.nbytes for moments in statistics._of_strata._found.values()]
    assert sum(kept) <= 8 * 4 * 3**2


def test_rows_have_codes_and_numbers():
    columns, weights = mixed_table(2)
    rows = from_dataset(Dataset(columns, weights=weights)).rows([3, 1])

    np.testing.assert_array_equal(rows.values, np.column_stack([columns["v"], columns["e"]])[weights > 0])
    np.testing.assert_array_equal(rows.weights, weights[weights > 0])


def test_where_few_sets_are_asked_no_matrix_of_all_is_made():
    columns, _ = mixed_table(0)
    sets = np.array([[2, 4, 3], [4, 3, 2]])
    by_matrix, by_sets = (from_dataset(Dataset(columns)) for _ in range(2))
    by_sets.few_sets_asked = True
    expected, found = (statistics.grouped_moments((), sets) for statistics in (by_matrix, by_sets))

    np.testing.assert_allclose(found.products, expected.products, atol=1e-9)
    np.testing.assert_allclose(found.means, expected.means)
    np.testing.assert_array_equal(found.sizes, expected.sizes)
    assert "_moments" not in vars(by_sets)
