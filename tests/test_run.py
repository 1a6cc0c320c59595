"""A run ends at its time limit or at Ctrl-C, and leaves signals as they were."""

import signal
import threading

import pytest

from structlearn.run import Run, Status


def ignored(*_):
    """A handler that does nothing."""


@pytest.fixture(params=[ignored, signal.default_int_handler, signal.SIG_IGN], ids=["own", "python", "ignore"])
def handler(request):
    """What happens at Ctrl-C outside of a run."""
    before = signal.signal(signal.SIGINT, request.param)
    yield request.param
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_ends_a_run_unless_the_program_ignores_it(handler):
    with Run("test", progress=False) as run:
        signal.raise_signal(signal.SIGINT)
        must_stop = run.must_stop()

    assert must_stop == (handler is not signal.SIG_IGN)
    assert run.status is (Status.INTERRUPTED if must_stop else Status.COMPLETE)
    assert signal.getsignal(signal.SIGINT) is handler


@pytest.mark.parametrize("handler", [ignored], indirect=True, ids=["own"])
def test_a_second_ctrl_c_is_an_interrupt(handler):
    with Run("test", progress=False):
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)

    assert signal.getsignal(signal.SIGINT) is handler


def test_a_run_in_a_thread_leaves_signals_alone():
    before, within = signal.getsignal(signal.SIGINT), []

    def work():
        with Run("test", progress=False) as run:
            within.append((signal.getsignal(signal.SIGINT), run.must_stop()))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()

    assert within == [(before, False)]


def test_a_run_out_of_time_says_so():
    with Run("test", time_limit_s=1e-9, progress=False) as run:
        assert run.must_stop()

    assert run.status is Status.OUT_OF_TIME
