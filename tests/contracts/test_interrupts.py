"""Ctrl-C is answered within half a second of CPU time, and by what it takes to write down a large graph.

What else the machine does, and the compiler, do not count. A table is as large as a method takes.
"""

import signal

import pytest

import structlearn as sl
from benchmarks.interrupts import SIZES, answered, chain_of
from tests.contracts.conftest import have_option, n_columns_of
from tests.contracts.test_time_limits import TO_WRITE_AN_EDGE, min_until

AT_ONCE = 0.5
# Between them they ask tests, climb, regress, count pairs and fit trees.
CHEAP = {"pc", "hill-climbing", "ising-neighborhoods", "similarity-network", "dependency-network"}

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.filterwarnings("ignore::structlearn.DataWarning"),
]


@pytest.fixture(autouse=True)
def harmless_interrupts():
    """Outside a learner an interruption does nothing, so that a quick method is no danger to the tests."""
    before = signal.signal(signal.SIGINT, lambda *_: None)
    yield
    signal.signal(signal.SIGINT, before)


def check_answer(learner, table, after_s):
    """Whether it was interrupted, in time, once in some tries; the graph has all columns."""

    def seconds():
        return (answered(learner, table, after_s) or 0.0) - TO_WRITE_AN_EDGE * len(learner.graph_.edges)

    assert min_until(AT_ONCE, seconds) <= AT_ONCE
    assert n_columns_of(learner.graph_) == len(table.names)
    return learner.status_.startswith("Interrupted: this is the best graph found so far.")


@pytest.mark.slow
@have_option("time_limit")
def test_ctrl_c_is_answered_at_once(learner, kind):
    for n_columns in SIZES:
        table = sl.Dataset(chain_of(kind, n_columns))
        try:
            answered(learner, table, 3.0)  # loads and compiles what is hot
        except (sl.DataError, sl.OptionError):  # too many for what the method does
            continue
        for after_s in (0.1, 0.5, 2.0):
            check_answer(learner, table, after_s)
        return


@pytest.mark.methods_that(lambda method: method.name in CHEAP)
def test_ctrl_c_after_a_moment_is_answered_at_once(learner, method):
    table = sl.Dataset(chain_of(method.takes[0], 100))
    answered(learner, table, 0.5)  # an interpreted kernel takes its time
    assert check_answer(learner, table, 0.1) or learner.status_.startswith("The method ran to its end.")


@pytest.mark.methods_that(lambda method: "time_limit" not in method.load().options)
def test_ctrl_c_is_an_interrupt_where_there_is_no_graph_so_far(learner, table, monkeypatch):
    signal.signal(signal.SIGINT, signal.default_int_handler)
    monkeypatch.setattr(type(learner), "_learn", lambda *_: signal.raise_signal(signal.SIGINT))

    with pytest.raises(KeyboardInterrupt):
        learner.fit(table)
    assert not hasattr(learner, "graph_")
