"""Tables of families have a cell for every joint state, and the counts of the rows in them."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.scores.family_tables import family_tables, n_parent_states
from structlearn.statistics import from_dataset
from tests.statistics.test_counting import coded_tables, dataset_of


def read_table(tables, i):
    """The counts of family i by (child, last parent), summed over the strata."""
    n_child, n_last = int(tables.child_levels[i]), int(tables.parent_levels[i])
    start = int(tables.starts[i])
    cells = tables.counts[start : start + int(tables.strata[i]) * n_child * n_last]
    return cells.reshape(-1, n_child, n_last)


@settings(deadline=None, max_examples=30)
@given(coded=coded_tables(), data=st.data())
def test_a_family_is_counted_by_child_and_last_parent(coded, data):
    codes, levels = coded
    size = data.draw(st.integers(1, min(4, len(levels))))
    family = data.draw(st.permutations(range(len(levels))))[:size]
    rows = np.array(codes)

    tables = family_tables(from_dataset(dataset_of(codes, levels)), np.array([family]))
    found = read_table(tables, 0)

    n_last = levels[family[-1]] if size > 1 else 1
    expected = np.zeros((levels[family[0]], n_last), dtype=np.int64)
    for row in rows:
        expected[row[family[0]], row[family[-1]] if size > 1 else 0] += 1
    assert found.sum(axis=0).tolist() == expected.tolist()


@settings(deadline=None, max_examples=30)
@given(coded=coded_tables(), data=st.data())
def test_a_stratum_is_a_state_of_the_other_parents(coded, data):
    codes, levels = coded
    if len(levels) < 3:
        return
    family = data.draw(st.permutations(range(len(levels))))[:3]
    child, other, last = family

    found = read_table(family_tables(from_dataset(dataset_of(codes, levels)), np.array([family])), 0)

    seen = sorted(stratum.tolist() for stratum in found if stratum.any())
    by_state = {}
    for row in codes:
        table = by_state.setdefault(row[other], np.zeros((levels[child], levels[last]), dtype=np.int64))
        table[row[child], row[last]] += 1
    assert seen == sorted(table.tolist() for table in by_state.values())


def test_joint_states_of_parents_multiply_also_beyond_whole_numbers():
    levels = [2, 3, 4]
    statistics = from_dataset(dataset_of([(0, 0, 0), (1, 2, 3)], levels))
    families = np.array([[0, 1, 2], [1, 0, 2], [2, 0, 1]])

    assert n_parent_states(statistics, families).tolist() == [12.0, 8.0, 6.0]
    assert n_parent_states(statistics, families[:, :1]).tolist() == [1.0, 1.0, 1.0]
    many = np.array([[0] + [2] * 40])
    assert n_parent_states(statistics, many)[0] == pytest.approx(math.pow(4.0, 40))
