"""A run ends at its time limit or at Ctrl-C, and leaves signals as they were."""

import itertools
import signal
import sys
import threading

import pytest

import structlearn as sl
from structlearn import compile as tiers
from structlearn import run as runs
from structlearn.run import Pace, Run, Status


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


@pytest.mark.parametrize("handler", [ignored], indirect=True, ids=["own"])
@pytest.mark.usefixtures("handler")
def test_ctrl_c_within_an_inner_run_reaches_the_outer_one():
    with Run("outer", progress=False) as outer:
        with Run("inner", progress=False) as inner:
            signal.raise_signal(signal.SIGINT)

        assert inner.status is Status.COMPLETE  # it came after its last look
        assert outer.must_stop()


@pytest.mark.parametrize("handler", [ignored], indirect=True, ids=["own"])
@pytest.mark.usefixtures("handler")
def test_ctrl_c_ends_the_runs_that_a_run_has_in_threads():
    ends = []

    def work(interrupt):
        with Run("inner", progress=False) as inner:
            interrupt.wait(10)
            ends.append(inner.must_stop())

    with Run("outer", progress=False):
        interrupt = threading.Event()
        thread = threading.Thread(target=work, args=[interrupt])
        thread.start()
        signal.raise_signal(signal.SIGINT)
        interrupt.set()
        thread.join()

    assert ends == [True]


def test_a_run_out_of_time_says_so():
    with Run("test", time_limit_s=1e-9, progress=False) as run:
        assert run.must_stop()

    assert run.status is Status.OUT_OF_TIME


@pytest.fixture
def ticking(monkeypatch):
    """A clock that moves by a millisecond whenever it is read."""
    reads = itertools.count()
    monkeypatch.setattr(runs, "_clock", lambda: next(reads) / 1000)


def test_the_clock_stands_still_while_kernels_are_compiled(monkeypatch):
    compiled_before = runs.seconds_of_compiling()
    monkeypatch.setattr(runs.time, "monotonic", lambda: 100.0)
    run = Run("test", time_limit_s=2.0, progress=False)

    monkeypatch.setattr(runs.time, "monotonic", lambda: 133.0)
    monkeypatch.setattr(runs, "seconds_of_compiling", lambda: 31.5 + compiled_before)
    assert not run.must_stop()

    monkeypatch.setattr(runs, "seconds_of_compiling", lambda: 31.0 + compiled_before)
    assert run.must_stop()


@pytest.mark.usefixtures("ticking")
def test_a_run_that_rounds_off_has_a_moment_more_and_says_the_same():
    run = Run("test", time_limit_s=0.01, progress=False)
    while not run.must_stop():
        pass
    run.round_off()
    n_more = next(n for n in itertools.count() if run.must_stop())

    assert n_more == pytest.approx(1000 * runs.SECONDS_TO_ROUND_OFF / 2, abs=1)  # it is read twice a call
    assert run.status is Status.OUT_OF_TIME


@pytest.mark.usefixtures("ticking")
@pytest.mark.parametrize(("method", "found"), [(sl.MMHC, "skeleton_"), (sl.L1MB, "blankets_")])
def test_a_hybrid_out_of_time_makes_a_graph_of_what_it_has_found(method, found):
    data = sl.example("asia").sample(1000, random_state=0)
    fits = [method(time_limit=n / 1000).fit(data) for n in range(1, 400, 21)]
    halted = [fit for fit in fits if fit.status_ == Status.OUT_OF_TIME.value and _is_any(getattr(fit, found))]

    assert halted
    assert all(fit.graph_.edges for fit in halted)


def _is_any(found):
    return bool(found.edges if isinstance(found, sl.Graph) else any(found.values()))


def pieces_in_turn(pace, monkeypatch, seconds, n_turns):
    """How many pieces are done at once, turn by turn, where each takes so many seconds."""
    now, numbers = [0.0], []
    monkeypatch.setattr(runs, "_clock", lambda: now[0])
    for _ in range(n_turns):
        numbers.append(pace.n_at_once)
        with pace.keep(pace.n_at_once):
            now[0] += seconds * numbers[-1]
    return numbers


def test_as_many_pieces_are_done_at_once_as_take_a_moment(monkeypatch):
    # A moment is 0.05 s: 50 pieces of a millisecond; never more than four times as many as before.
    assert pieces_in_turn(Pace(1, most=1000), monkeypatch, 0.001, 6) == [1, 4, 16, 50, 50, 50]
    assert pieces_in_turn(Pace(1, most=30), monkeypatch, 0.001, 5) == [1, 4, 16, 30, 30]
    assert pieces_in_turn(Pace(8, most=1000), monkeypatch, 1.0, 3) == [8, 1, 1]
    assert pieces_in_turn(Pace(80, fewest=8, most=1000), monkeypatch, 0.01, 3) == [80, 8, 8]


def test_a_pace_that_slows_down_keeps_to_the_fewest():
    pace = Pace(64, fewest=8, most=1000)
    pace.slow_down(4)
    assert pace.n_at_once == 16
    pace.slow_down(4)
    assert pace.n_at_once == 8


def test_a_step_is_not_begun_that_would_end_too_late(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(runs, "_clock", lambda: now[0])
    run = Run("Here", time_limit_s=10.0, progress=False)
    must_stop, found = run.before_steps(), []
    for seconds in (1.0, 3.0, 2.0, 1.0):  # the longest takes 3: at 6 there is time for one, at 8 not
        now[0] += seconds
        found.append(must_stop())

    assert found == [False, False, False, False]
    now[0] += 0.5
    assert must_stop()
    assert run.status is Status.OUT_OF_TIME
    assert run.must_stop()


def test_a_trial_tells_whether_there_is_time_for_more(monkeypatch):
    now, n_tried = [0.0], [0]

    def trial():
        now[0], n_tried[0] = now[0] + 0.1, n_tried[0] + 1

    monkeypatch.setattr(runs, "_clock", lambda: now[0])
    run = Run("Here", time_limit_s=10.0, progress=False)

    assert run.has_time_for(97, trial)  # 9.7 seconds beside two trials, of which the first may load things
    assert not run.has_time_for(97, trial)
    assert run.status is Status.OUT_OF_TIME
    assert n_tried == [4]
    assert Run("Here", progress=False).has_time_for(10**9, trial)  # without a limit nothing is tried
    assert n_tried == [4]


def test_a_trial_that_stops_nothing_compares_with_a_share_of_the_time_left(monkeypatch):
    now = [0.0]

    def trial():
        now[0] += 0.1

    monkeypatch.setattr(runs, "_clock", lambda: now[0])
    run = Run("Here", time_limit_s=10.2, progress=False)

    assert run.takes_less(0.5, 49, trial)  # 4.9 of 10 seconds that are left
    assert not run.takes_less(0.5, 51, trial)
    assert run.status is Status.COMPLETE
    assert Run("Here", progress=False).takes_less(0.5, 10**9, trial)


def shown_by(run, capsys):
    """What a bar shows at its end, in words."""
    with run:
        run.show("columns", 3, 4)
    return capsys.readouterr().err.split()


def test_a_bar_of_known_work_shows_the_share_and_the_time_left(capsys):
    shown = shown_by(Run("test", progress=True), capsys)

    assert "75%" in shown
    assert shown[-2:] == ["0:00:00", "-:--:--"]  # passed, and left: nobody knows after one step


def test_a_bar_of_unknown_work_shows_no_share(capsys):
    with Run("test", progress=True) as run:
        run.show("moves")

    assert "%" not in capsys.readouterr().err


def test_a_bar_says_what_is_compiled_and_then_again_what_the_method_does(capsys):
    with Run("BOSS", progress=True) as run:
        run.show("columns", 1, 2)
        tiers._listeners[-1]("settle")
        said = run._bar.tasks[0].description
        tiers._listeners[-1](None)

    assert said == "BOSS: compiling, once on this machine: settle …"
    assert "BOSS: columns" in capsys.readouterr().err
    assert not tiers._listeners


def test_a_notebook_says_what_is_compiled_though_it_has_no_bar(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    with Run("BOSS"):
        tiers._listeners[-1]("settle")
        tiers._listeners[-1](None)

    assert capsys.readouterr().err == "BOSS: compiling, once on this machine: settle …\n"


@pytest.mark.parametrize("progress", [None, False])
def test_nobody_is_told_where_no_progress_is_shown(progress):
    with Run("BOSS", progress=progress):
        assert not tiers._listeners
