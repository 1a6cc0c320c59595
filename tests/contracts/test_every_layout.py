"""Kernels are handed arrays in C order, whatever the table's: another layout is compiled, or loaded, anew."""

from contextlib import suppress

import numpy as np
import pytest

import structlearn as sl
from structlearn.independence.registry import TEST_NAMES
from structlearn.scores.registry import SCORE_NAMES
from tests.contracts.conftest import chain_table
from tests.contracts.test_every_kernel import KERNELS

pytestmark = pytest.mark.compiled
# These try thousands of moves, too many for kernels that are interpreted.
SHORTER = {"coolings": 3, "generations": 3}


def tables_like(table):
    """The same table in other orders of memory, its rows read-only or apart."""
    rows = np.column_stack([np.asarray(column) for column in table.values()])
    apart = np.zeros((2 * len(rows), 2 * rows.shape[1]), dtype=rows.dtype)
    apart[::2, ::2] = rows
    apart.flags.writeable = False
    weights = np.ones(2 * len(rows))[::2]
    weights.flags.writeable = False
    return [table, apart[::2, ::2], sl.Dataset(np.asfortranarray(rows), weights=weights)]


def type_of(argument):
    """What machine code depends on: of an array its type, dimensions, order and whether it may be changed."""
    if isinstance(argument, tuple):
        return tuple(map(type_of, argument))
    if not isinstance(argument, np.ndarray):
        return (type(argument).__name__,)
    order = "C" if argument.flags.c_contiguous else "F" if argument.flags.f_contiguous else "apart"
    return argument.dtype.str, argument.ndim, order, argument.flags.writeable


def in_another_order(types):
    """The arrays among the arguments of a kernel that are not in C order."""
    inner = [each for each in types if each and isinstance(each[0], tuple)]
    here = [each for each in types if len(each) == 4 and each[2] in ("F", "apart")]
    return here + [found for each in inner for found in in_another_order(each)]


def whatever_may_be_changed(types):
    """The types, arrays that may be changed and others taken as one."""
    if isinstance(types, tuple) and len(types) == 4 and isinstance(types[3], bool):
        return types[:3]
    return tuple(map(whatever_may_be_changed, types)) if isinstance(types, tuple) else types


def check(handed):
    """All arrays are in C order, and which may be changed does not depend on the call."""
    wrong = {name: [in_another_order(types) for types in found] for name, found in handed.items()}
    assert {name: found for name, found in wrong.items() if any(found)} == {}
    one_way = {name: set(map(whatever_may_be_changed, found)) for name, found in handed.items()}
    assert {name: found for name, found in handed.items() if len(found) > len(one_way[name])} == {}


@pytest.fixture
def handed():
    """The types of what kernels are handed by others than kernels, by name; all are interpreted."""
    found, running = {}, []

    def watched(name, kernel):
        def run(*arguments):
            if not running:
                found.setdefault(name, set()).add(tuple(map(type_of, arguments)))
            running.append(name)
            try:
                return kernel.interpret(*arguments)
            finally:
                running.pop()

        return run

    before = {name: kernel.func for name, kernel in KERNELS.items()}
    for name, kernel in KERNELS.items():
        kernel._send_to(watched(name, kernel))
    yield found
    for name, kernel in KERNELS.items():
        kernel._send_to(before[name])


def test_arrays_come_to_kernels_in_one_order_whatever_that_of_the_table(learner, table, handed):
    learner.set_params(**{name: few for name, few in SHORTER.items() if name in learner.options})
    for same in tables_like(table):
        with suppress(sl.DataError):  # that a method takes no weights is an answer too
            learner.fit(same)

    check(handed)


@pytest.mark.parametrize("kind", ["continuous", "discrete"])
@pytest.mark.parametrize("score", SCORE_NAMES)
def test_so_they_do_from_every_score(score, kind, handed):
    for same in tables_like(chain_table(kind, n_rows=100)):
        with suppress(sl.DataError, sl.OptionError):  # nor does every score take every kind
            sl.GreedyEquivalence(score=score).fit(same)

    check(handed)


@pytest.mark.parametrize("kind", ["continuous", "discrete"])
@pytest.mark.parametrize("test", TEST_NAMES)
def test_so_they_do_from_every_test(test, kind, handed):
    for same in tables_like(chain_table(kind, n_rows=100)):
        with suppress(sl.DataError, sl.OptionError):
            sl.PC(test=test).fit(same)

    check(handed)
