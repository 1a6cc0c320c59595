"""Work is shared in slices that cover it once, and in threads only where that pays."""

import sys
import threading

import joblib
import numpy as np
import pytest

from structlearn.statistics.blocks import COST_OF_A_THREAD, in_blocks, n_workers

MUCH = {"cost": 10 * COST_OF_A_THREAD, "n_jobs": 2}


@pytest.mark.parametrize("n_jobs", [1, 2, 3, -1])
@pytest.mark.parametrize("n_pieces", [1, 2, 7, 100])
def test_every_piece_is_worked_on_once(n_pieces, n_jobs):
    done = np.zeros(n_pieces, dtype=int)

    def work(block):
        done[block] += 1

    in_blocks(work, n_pieces, cost=10 * COST_OF_A_THREAD, n_jobs=n_jobs)

    assert (done == 1).all()


@pytest.mark.parametrize(("cost", "n_jobs"), [(0.5 * COST_OF_A_THREAD, 4), (10 * COST_OF_A_THREAD, 1)])
def test_little_work_and_one_job_are_one_slice_in_this_thread(cost, n_jobs):
    blocks = []

    def work(block):
        blocks.append((block, threading.current_thread()))

    in_blocks(work, 50, cost=cost, n_jobs=n_jobs)

    assert blocks == [(slice(0, 50), threading.current_thread())]


def test_slices_follow_each_other_and_are_about_as_long():
    blocks = []

    in_blocks(blocks.append, 103, cost=10 * COST_OF_A_THREAD, n_jobs=2)

    blocks.sort(key=lambda block: block.start)
    assert [block.start for block in blocks] == [0, *(block.stop for block in blocks[:-1])]
    assert blocks[-1].stop == 103
    assert {block.stop - block.start for block in blocks} <= {25, 26}


def test_there_are_no_more_slices_than_pieces():
    blocks = []

    in_blocks(blocks.append, 3, cost=10 * COST_OF_A_THREAD, n_jobs=2)

    assert sorted((block.start, block.stop) for block in blocks) == [(0, 1), (1, 2), (2, 3)]


def test_what_goes_wrong_in_a_thread_is_raised_here():
    with pytest.raises(ValueError, match="as told"):
        in_blocks(_refused, 10, cost=10 * COST_OF_A_THREAD, n_jobs=2)


def test_what_a_thread_does_is_not_divided_again():
    inner = []

    def work(_):
        in_blocks(inner.append, 9, **MUCH)

    in_blocks(work, 4, **MUCH)

    assert inner == [slice(0, 9)] * 4


def test_this_thread_and_others_work_at_the_same_time():
    at_once, here = threading.Barrier(3, timeout=10.0), []

    def work(_):
        at_once.wait()
        here.append(threading.current_thread())

    in_blocks(work, 3, cost=10 * COST_OF_A_THREAD, n_jobs=3)

    assert len(set(here)) == 3
    assert threading.current_thread() in here


def test_afterwards_this_thread_shares_its_work_again():
    with pytest.raises(ValueError, match="as told"):
        in_blocks(_refused, 4, **MUCH)
    blocks = []

    in_blocks(blocks.append, 4, **MUCH)

    assert len(blocks) == 4


def test_what_no_thread_has_begun_is_done_here():
    """The only other thread is kept busy until this one has done all the rest."""
    is_rest_done, done = threading.Event(), []

    def work(block):
        if threading.current_thread() is not threading.main_thread():
            is_rest_done.wait(10.0)
        done.append(block.start)
        if len(done) == 3:
            is_rest_done.set()

    in_blocks(work, 4, **MUCH)

    assert sorted(done) == [0, 1, 2, 3]


def _refused(_):
    raise ValueError("as told")


def test_threads_warn_of_what_the_caller_wants_to_be_warned_of():
    told = []

    with np.errstate(divide="raise"):
        in_blocks(lambda _: told.append(np.geterr()["divide"]), 4, **MUCH)

    assert told == ["raise"] * 4


def test_nobody_writes_any_more_when_an_error_is_raised():
    is_slow_done = threading.Event()

    def work(block):
        if block.start == 0:
            raise ValueError("at once")
        is_slow_done.wait(0.05)
        done.append(block)

    done = []
    with pytest.raises(ValueError, match="at once"):
        in_blocks(work, 8, **MUCH)
    n_done = len(done)
    is_slow_done.wait(0.2)

    assert len(done) == n_done


def test_workers_are_asked_for_only_where_somebody_could_have_chosen_them(monkeypatch):
    with joblib.parallel_config("threading", n_jobs=3):
        assert n_workers(None) == 3
    assert n_workers(2) == 2
    monkeypatch.delitem(sys.modules, "joblib")
    assert [n_workers(None), n_workers(1)] == [1, 1]
