"""The table of when an AD-tree pays has a line for every case, from work that is the same both ways."""

import numpy as np
import pytest

from benchmarks import adtree
from benchmarks.workloads import network
from structlearn.statistics import MemoryStatistics


def test_a_line_has_the_case_the_tree_and_a_time_both_ways_for_each_size():
    n_rows, n_levels, shape, grow_s, size_kb, *times, pays = adtree.Case(60, 4, "skewed").row()

    assert (n_rows, n_levels, shape) == ("60", "4", "skewed")
    assert float(grow_s) > 0
    assert int(size_kb) >= 0
    assert [len(pair.split(" → ")) for pair in times] == [2, 2, 2, 2]
    assert pays == "never" or int(pays.replace(",", "")) > 0


def test_columns_are_as_skewed_as_they_say():
    margins = MemoryStatistics(adtree.Case(5000, 4, "skewed").dataset()).counts([3]) / 5000

    assert margins == pytest.approx([0.9, *[0.1 / 3] * 3], abs=0.02)  # 0.02 is over four standard deviations


def test_sets_share_all_columns_but_the_last_and_have_none_twice():
    sets = adtree.grouped_sets(3)

    assert len(sets) == adtree.N_GROUPS * (adtree.N_COLUMNS - 2)
    assert len(np.unique(sets[:, :2], axis=0)) <= adtree.N_GROUPS
    assert all(len(set(columns)) == 3 for columns in sets.tolist())


def test_both_ways_of_counting_do_the_same_number_of_tables():
    by_pc, by_sets = adtree.works([network("earthquake", 200, 5)])

    assert by_pc[0] == "PC: earthquake, 200 rows"
    assert by_sets[:2] == ["all sets of 4: earthquake, 200 rows", "5"]
