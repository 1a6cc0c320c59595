"""Conjunctions are all sets of states of different columns that may meet, by enumeration."""

from itertools import combinations, product

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.regression.log_linear.conjunctions import Conjunctions
from structlearn.numerics.log_linear.indicators import Indicators
from structlearn.statistics import from_dataset

LEVELS = (2, 3, 2)


def every_state():
    rows = np.array(list(product(*map(range, LEVELS))))
    table = dict(zip("abc", rows.T, strict=True))
    return Indicators.of(from_dataset(sl.Dataset(table, kinds=dict.fromkeys("abc", "discrete"))))


def enumerated(indicators, max_order, forbidden=()):
    """Sets of indicators of different columns, none of them a forbidden pair."""
    columns = indicators.column[:-1].tolist()
    return {
        members
        for size in range(2, max_order + 1)
        for members in combinations(range(len(columns)), size)
        if len({columns[k] for k in members}) == size
        and not any({columns[a], columns[b]} in forbidden for a, b in combinations(members, 2))
    }


def as_sets(indicators, features):
    return [tuple(k for k in row if k < indicators.constant) for row in features.tolist()]


@pytest.mark.parametrize("max_order", [1, 2, 3])
def test_all_conjunctions_are_there_once(max_order):
    indicators = every_state()
    nothing = np.zeros((3, 3), dtype=bool)

    found = as_sets(indicators, Conjunctions(indicators, nothing, max_order=max_order).all())

    assert len(found) == len(set(found))
    assert set(found) == enumerated(indicators, max_order)


def test_no_conjunction_has_a_forbidden_pair():
    indicators = every_state()
    forbidden = np.zeros((3, 3), dtype=bool)
    forbidden[0, 2] = forbidden[2, 0] = True

    found = as_sets(indicators, Conjunctions(indicators, forbidden, max_order=3).all())

    assert set(found) == enumerated(indicators, 3, [{0, 2}])


def test_grown_conjunctions_are_pairs_and_one_more_state_on_those_there():
    indicators = every_state()
    nothing = np.zeros((3, 3), dtype=bool)
    pair = sorted(enumerated(indicators, 2))[0]
    there = np.array([[*pair, indicators.constant]])

    found = set(as_sets(indicators, Conjunctions(indicators, nothing, max_order=3).around(there)))

    triples = {
        members for members in enumerated(indicators, 3) if len(members) == 3 and set(pair) < set(members)
    }
    assert found == enumerated(indicators, 2) | triples
