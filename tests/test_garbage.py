"""The search for garbage is left out where nothing can miss it, and only there."""

import gc
import subprocess
import sys

import pytest

from structlearn.garbage import none_collected

# What is registered first runs last.
SCRIPT = """
import atexit, gc, sys
atexit.register(lambda: print(gc.get_freeze_count() > 0))
from structlearn.garbage import end_at_once
end_at_once()
path = sys.argv[1]
"""
OPEN = "from os import O_CREAT, O_WRONLY, open, write\nfile = open(path, O_CREAT | O_WRONLY)\n"
ENDS = {
    "a file in a class": "class Log: file = open(path, 'w')\nLog.file.write('kept')",
    "a file in a cycle": "held = [open(path, 'w')]\nheld.append(held)\nheld[0].write('kept')",
    "a class that says so": f"{OPEN}class Log:\n    def __del__(self, file=file, write=write): "
    "write(file, b'kept')\nLog.one = Log()",
    "a generator": f"{OPEN}def wait(file, write):\n    try: yield\n    finally: write(file, b'kept')\n"
    "class Log: one = wait(file, write)\nnext(Log.one)",
}


def ended(code, path):
    said = subprocess.check_output([sys.executable, "-c", SCRIPT + code, str(path)], text=True)
    return said.strip(), path.read_text() if path.exists() else ""


@pytest.mark.parametrize("code", ENDS.values(), ids=ENDS)
def test_what_acts_when_it_is_deleted_does_so_when_the_process_ends(code, tmp_path):
    assert ended(code, tmp_path / "log.txt") == ("False", "kept")


def test_a_process_with_nothing_of_the_sort_ends_without_a_search(tmp_path):
    assert ended("", tmp_path / "log.txt") == ("True", "")


def test_a_process_with_machine_code_has_nothing_of_the_sort_but_numba_s(tmp_path):
    code = "from structlearn import machine_code"

    assert ended(code, tmp_path / "log.txt") == ("True", "")


@pytest.mark.parametrize("was_enabled", [True, False])
def test_the_collector_is_as_it_was_after_modules_load(was_enabled):
    before = gc.isenabled()
    try:
        (gc.enable if was_enabled else gc.disable)()
        with none_collected():
            assert not gc.isenabled()
        assert gc.isenabled() == was_enabled
    finally:
        (gc.enable if before else gc.disable)()
