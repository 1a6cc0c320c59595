"""Modules that nobody here needs are not loaded with those who would use them, and work when asked for."""

import importlib
import sys
import threading

import pytest

from structlearn.later import Later
from structlearn.unneeded import hidden, postponed

SOURCE = "value = 'there'\n"


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "seldom_used.py").write_text(SOURCE)
    importlib.invalidate_caches()
    yield "seldom_used"
    sys.modules.pop("seldom_used", None)


def test_a_hidden_module_seems_missing_and_is_there_afterwards(module):
    with hidden(module), pytest.raises(ModuleNotFoundError):
        importlib.import_module(module)

    assert importlib.import_module(module).value == "there"


def test_a_module_is_hidden_from_one_thread_only(module):
    found = []
    with hidden(module):
        other = threading.Thread(target=lambda: found.append(importlib.import_module(module).value))
        other.start()
        other.join()

    assert found == ["there"]


def test_what_is_loaded_already_is_not_hidden(module):
    importlib.import_module(module)

    with hidden(module):
        assert importlib.import_module(module).value == "there"


@pytest.mark.parametrize("is_used_meanwhile", [True, False])
def test_a_postponed_module_loads_when_it_is_used(module, is_used_meanwhile):
    with postponed(module):
        bound = importlib.import_module(module)
        assert isinstance(bound, Later)
        if is_used_meanwhile:
            assert bound.value == "there"
    assert (module in sys.modules) == is_used_meanwhile

    assert bound.value == "there"
    assert importlib.import_module(module).value == "there"


def test_what_is_loaded_already_is_not_postponed(module):
    loaded = importlib.import_module(module)

    with postponed(module):
        assert importlib.import_module(module) is loaded
