"""Without its solver, integer programming says what to install."""

import sys

import pytest

from structlearn.learners.order.exact.highs import load_highs


def test_a_missing_solver_is_named_with_the_line_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "highspy", None)

    with pytest.raises(ImportError, match=r"pip install structlearn\[exact\]"):
        load_highs()
