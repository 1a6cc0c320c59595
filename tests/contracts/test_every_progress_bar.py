"""Every learner can show how far it is, on stderr and only when asked to; what it finds stays the same.

Where the work is known, the share that is done and the time left are shown.
"""

import threading

import pytest
from sklearn.base import clone

from structlearn.run import Run
from tests.contracts.conftest import chain_table, have_option

show = Run.show


@pytest.fixture
def steps(monkeypatch):
    """What a method says of its steps: a note, how many are done, and of how many."""
    found = []

    def recorded(run, note, done=None, total=None):
        found.append((note, done, total))
        show(run, note, done, total)

    monkeypatch.setattr(Run, "show", recorded)
    return found


@have_option("progress")
def test_a_bar_is_shown_on_stderr_when_asked_for_and_changes_nothing(method, learner, steps, capsys):
    table = chain_table(method.takes[0])
    quiet = clone(learner).fit(table)
    assert capsys.readouterr() == ("", "")  # stderr is no terminal here

    shown = clone(learner).set_params(progress=True).fit(table)

    said = capsys.readouterr()
    assert said.out == ""
    assert f"{type(learner).__name__}: {steps[-1][0]}" in said.err
    assert shown.graph_ == quiet.graph_
    assert shown.evidence_ == quiet.evidence_
    assert all(note and (done or 0) >= 0 for note, done, _ in steps)
    assert all(done <= total for _, done, total in steps if total is not None)
    assert any(total is not None for _, _, total in steps) == type(learner).work_is_known
    for thread in threading.enumerate():
        if "rich" in type(thread).__module__:
            thread.join(timeout=10)
            assert not thread.is_alive()
