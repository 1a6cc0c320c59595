"""What decides between the tiers of kernels, counted by hand; nothing here is compiled."""

import gc
from typing import NamedTuple

import numpy as np
import pytest

from structlearn import compile as tiers
from structlearn import steps
from structlearn.compile import Kernel


class Point(NamedTuple):
    x: object
    y: object


def no_loop(values):
    return values[0]


def one_after_the_other(values):
    found = 0.0
    for value in values:
        found += value
    for value in values:
        found -= value
    return found


def three_deep(table):
    found = 0.0
    for row in table:
        for value in row:
            while found < value:
                found += 1.0
        for value in row:
            found += value
    return found


@pytest.mark.parametrize(("function", "depth"), [(no_loop, 0), (one_after_the_other, 1), (three_deep, 3)])
def test_loops_are_counted_within_each_other_and_not_one_after_the_other(function, depth):
    assert Kernel(function)._n_loops == depth


@pytest.mark.parametrize(
    ("arguments", "n_loops", "n_steps"),
    [
        ((), 3, 0),
        ((np.empty((10, 20)),), 1, 200),
        ((np.empty((10, 20)),), 2, 200),
        ((np.empty((10, 20)),), 3, 200 * 10),
        ((np.empty((20, 10)),), 4, 200 * 10 * 10),
        ((np.empty(300),), 4, 300),  # it has no shorter axis
        ((np.empty((2, 3, 5)),), 3, 30 * 3),
        ((np.empty((0, 7)),), 4, 0),
        ((np.empty(4), 9, np.empty(6)), 2, 9),
        ((np.empty(4), steps.ENDLESS, -3), 2, 4),
        ((steps.ENDLESS - 1,), 2, steps.ENDLESS - 1),
        (((np.empty(4), 99, np.empty((5, 5))), 7), 2, 25),
        ((((np.empty(50),), 99), 7), 2, 7),  # a tuple within a tuple is an option
    ],
)
def test_the_steps_of_a_call_are_those_of_its_largest_argument(arguments, n_loops, n_steps):
    assert steps.most_steps(arguments, n_loops) == n_steps


@pytest.mark.parametrize(
    ("value", "boxed"),
    [
        (np.float64(0.5), 0.5),
        (np.bool_(1), True),
        ((np.int64(3), (np.uint8(4), "word")), (3, (4, "word"))),
        (Point(np.int64(1), np.float32(0.5)), Point(1, 0.5)),
        (None, None),
    ],
)
def test_numbers_come_back_as_python_has_them_in_tuples_of_any_kind(value, boxed):
    def types_of(each):
        return (type(each), *map(types_of, each)) if isinstance(each, tuple) else type(each)

    found = tiers._boxed(value)

    assert found == boxed
    assert types_of(found) == types_of(boxed)


def test_arrays_come_back_as_they_are():
    array = np.arange(3)

    assert tiers._boxed(array) is array


below = Kernel(no_loop)


def calls_one_twice(values):
    return below(values) + below(values)


def calls_two(values):
    return middle(values) + below(values)


middle = Kernel(calls_one_twice)


def test_a_kernel_that_two_others_call_is_paid_for_once():
    top = Kernel(calls_two)
    n_words = sum(len(each.__code__.co_code) // 2 for each in (calls_two, calls_one_twice, no_loop))

    assert set(top.callees()) == {middle, below}
    assert top._cost_of_compiling() == pytest.approx(
        3 * tiers.SECONDS_PER_FUNCTION + n_words * tiers.SECONDS_PER_WORD
    )


@pytest.mark.parametrize(
    ("is_on_disk", "spent", "is_due"),
    [
        (True, {}, False),
        (True, {"interpreted": tiers.SECONDS_BEFORE_LOADING}, True),
        (True, {"foreseen": tiers.SECONDS_TO_GET_READY}, True),
        (False, {"interpreted": tiers.SECONDS_BEFORE_LOADING}, False),
        (False, {"foreseen": 100.0}, False),
        (False, {"interpreted": tiers.SECONDS_NOBODY_MINDS}, True),
        (False, {"expected_in_all": tiers.SECONDS_NOBODY_MINDS}, True),
        (False, {"expected_in_all": tiers.SECONDS_NOBODY_MINDS - 0.5, "interpreted": 0.4}, False),
        (False, {"expected": 0.1}, True),  # it is loaded already
    ],
)
def test_numba_is_loaded_sooner_where_machine_code_is_on_disk(is_on_disk, spent, is_due, monkeypatch):
    spending = tiers._Spending()
    vars(spending).update(spent)
    monkeypatch.setattr(tiers, "_spending", spending)
    one = Kernel(no_loop)
    one._seems_cached = is_on_disk

    assert one._is_due == is_due


def test_the_most_columns_are_what_is_foreseen(monkeypatch):
    monkeypatch.setattr(tiers, "_spending", tiers._Spending())

    tiers.foresee_columns(5)
    tiers.foresee_columns(3)

    assert tiers._spending.foreseen == pytest.approx(10 * tiers.SECONDS_PER_PAIR)


def test_the_longest_work_is_what_lies_ahead(monkeypatch):
    monkeypatch.setattr(tiers, "_spending", tiers._Spending())

    tiers.foresee(3.0)
    tiers.foresee(0.5)

    assert tiers._spending.expected_in_all == 3.0


@pytest.mark.parametrize("is_there", [True, False])
def test_what_runs_by_arrays_is_compiled_only_where_that_takes_less(is_there, monkeypatch):
    monkeypatch.setattr(Kernel, "_cost_of_compiling", lambda _: 2.0)
    one = Kernel(no_loop, instead=one_after_the_other)
    one._seems_cached = is_there
    # A loop within loops over both axes of a square table, a nanosecond each step.
    seconds = tiers.SECONDS_TO_GET_READY if is_there else 2.0
    side = int((seconds / tiers.SECONDS_PER_STEP_OF_ARRAYS) ** (1 / 3))
    square = np.broadcast_to(0.0, (side, side))
    larger = np.broadcast_to(0.0, (side + 1, side + 1))

    assert not one._could_run_long((square,))
    assert one._could_run_long((larger,))


@pytest.mark.parametrize("was_enabled", [True, False])
def test_loading_numba_leaves_the_search_for_garbage_as_it_was(was_enabled, monkeypatch):
    seen = []

    def load(name):
        seen.append((name, gc.isenabled()))
        raise ImportError

    monkeypatch.setattr(tiers, "import_module", load)
    (gc.enable if was_enabled else gc.disable)()
    try:
        with pytest.raises(ImportError):
            tiers._machine_code.__wrapped__()
        assert gc.isenabled() == was_enabled
    finally:
        gc.enable()
    assert seen == [("structlearn.machine_code", False)]
