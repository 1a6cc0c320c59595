"""Sums of sets where something is extreme: columns, levels, rows, room, or time."""

import itertools
import math

import numpy as np
import pytest

from structlearn.data import Dataset
from structlearn.data.coding import smallest
from structlearn.data.columns import DiscreteColumn
from structlearn.scores import BIC, BDeu
from structlearn.statistics import from_dataset
from structlearn.statistics.set_sums import choice, counted, set_sums_of
from structlearn.statistics.set_sums.counted import CountedSums
from structlearn.statistics.set_sums.refined import RefinedSums
from structlearn.statistics.set_sums.sums import Kinds
from tests.statistics.test_set_sums import expected, go_on, squares, squares_by_cells

WAYS = [CountedSums, RefinedSums]


def statistics_of(codes, levels):
    columns = [
        DiscreteColumn(f"c{j}", smallest(codes[:, j], n), tuple(range(n))) for j, n in enumerate(levels)
    ]
    return from_dataset(Dataset.from_columns(columns))


EXTREME = {
    "a column with more levels than a byte holds": (
        np.arange(600)[:, None] // [1, 7, 3] % [300, 2, 3],
        [300, 2, 3],
    ),
    "a column of one level between others": (np.arange(24)[:, None] // [1, 24, 3] % [3, 1, 4], [3, 1, 4]),
    "no column of more than one level": (np.zeros((5, 3), dtype=int), [1, 1, 1]),
    "levels that no row has": (np.arange(10)[:, None] // [1, 5, 2] % [2, 2, 2], [9, 2, 5]),
    "one row": (np.array([[1, 0, 2]]), [2, 2, 3]),
    "rows that are all the same": (np.full((130, 3), 1), [2, 3, 2]),
    "rows that all differ": (np.array(list(itertools.product(range(4), repeat=3))), [4, 4, 4]),
    "as many rows as bits of a word": (np.arange(64)[:, None] // [1, 8, 2] % [2, 3, 2], [2, 3, 2]),
    "one row more than bits of a word": (np.arange(65)[:, None] // [1, 8, 2] % [2, 3, 2], [2, 3, 2]),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("codes", "levels"), EXTREME.values(), ids=EXTREME)
def test_extreme_tables_have_the_sums_of_their_cells(codes, levels, way):
    sums = way(statistics_of(codes, levels), 3, squares_by_cells(len(codes)))

    for size in (1, 2, 3):
        assert sums.of_size(size, go_on).tolist() == expected(codes, levels, size, by_cells=True)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("n_looks", range(6))
def test_a_run_that_stops_at_any_look_can_be_taken_up_again(way, n_looks, monkeypatch):
    monkeypatch.setattr(counted, "SETS_AT_ONCE", 4)  # so that there are many looks
    levels = [2, 3, 2, 2, 3]
    codes = np.random.default_rng(1).integers(0, levels, (40, 5))
    sums = way(statistics_of(codes, levels), 3, squares(40))
    looks = iter([False] * n_looks)

    assert sums.of_size(3, lambda: next(looks, True)) is None
    for size in (3, 2, 1):
        assert sums.of_size(size, go_on).tolist() == expected(codes, levels, size)


def test_sums_are_taken_once():
    codes = np.random.default_rng(2).integers(0, 2, (30, 4))
    sums = CountedSums(statistics_of(codes, [2] * 4), 3, squares(30))

    assert sums.of_size(3, go_on) is sums.of_size(3, go_on)
    assert sums.of_size(2, lambda: True) is not None  # known since larger ones are


def test_the_way_changes_exactly_where_the_room_ends(monkeypatch):
    levels = [2, 3, 4, 5]
    statistics = statistics_of(np.random.default_rng(3).integers(0, 2, (20, 4)), levels)

    def way():
        return type(set_sums_of(statistics, 3, squares(20)))

    # Pairs, of which the tables are kept, have 6 + 8 + 10 + 12 + 15 + 20 cells; a table of three at most 60.
    for name, room in [("MOST_KEPT", 71), ("MOST_CELLS", 60), ("MOST_COUNTED", 3)]:
        for most, wanted in [(room, CountedSums), (room - 1, RefinedSums)]:
            monkeypatch.setattr(choice, name, most)
            assert way() is wanted
        monkeypatch.undo()
    # Sets of none, one, two and three of four columns.
    for most, wanted in [(1 + 4 + 6 + 4, CountedSums), (14, type(None))]:
        monkeypatch.setattr(choice, "MOST_SETS", most)
        assert way() is wanted


def test_terms_that_depend_on_the_number_of_cells_need_room_for_each_number(monkeypatch):
    statistics = statistics_of(np.random.default_rng(4).integers(0, 2, (20, 4)), [2, 3, 2, 3])
    terms = squares_by_cells(20)

    # 4, 6 and 9 cells, and 8, 12, 18 and 27 with a third column: seven rows of 21 terms.
    for largest, n_rows in [(2, 3), (3, 7)]:
        monkeypatch.setattr(choice, "MOST_TERMS", n_rows * 21)
        assert set_sums_of(statistics, largest, terms) is not None
        monkeypatch.setattr(choice, "MOST_TERMS", n_rows * 21 - 1)
        assert set_sums_of(statistics, largest, terms) is None
        assert set_sums_of(statistics, largest, squares(20)) is not None  # of which there is one row


def test_each_number_of_cells_has_the_terms_that_belong_to_it():
    kinds = Kinds.of(squares_by_cells(3), np.array([4.0, 6.0, 9.0]))
    alike = Kinds.of(squares(3), np.array([4.0, 6.0, 9.0]))

    assert kinds.terms[kinds.at(np.array([9.0, 4.0, 6.0, 9.0])), 2].tolist() == [36.0, 16.0, 24.0, 36.0]
    assert alike.terms.tolist() == [[0.0, 1.0, 4.0, 9.0]]
    assert alike.at(np.array([9.0, 4.0])).tolist() == [0, 0]


@pytest.mark.parametrize("way", WAYS)
def test_scores_of_families_by_hand_are_differences_of_sums(way):
    """Four rows, of which a and b agree in three."""
    codes = np.array([(0, 0, 0), (0, 0, 1), (1, 1, 0), (1, 0, 1)])
    statistics = statistics_of(codes, [2, 2, 2])
    pair, alone = 0, 1  # ranks of {a, b} among pairs, and of b among columns

    terms = BIC().set_terms(statistics)
    sums = way(statistics, 3, terms.cells)
    found = sums.of_size(2, go_on)[pair] - sums.of_size(1, go_on)[alone] - terms.price * 2
    # Of a given b: three rows with b = 0, two of them with a = 0; one with b = 1.
    assert found == pytest.approx(2 * math.log(2 / 3) + math.log(1 / 3) - math.log(4) / 2 * 2, abs=1e-12)

    terms = BDeu(4.0).set_terms(statistics)
    sums = way(statistics, 3, terms.cells)
    found = sums.of_size(2, go_on)[pair] - sums.of_size(1, go_on)[alone]
    # One row of the prior in each cell: 2! 1! 1! / (2 · 3 · 4) given b = 0, and 1 / 2 given b = 1.
    assert found == pytest.approx(math.log(2 / 24) + math.log(1 / 2), abs=1e-12)
