"""What all tests rely on."""

import functools
import gc
import os
import signal
import sys

import pytest
from hypothesis import settings

from structlearn import compile as tiers

# A busy machine is no defect, and the same examples in every run let one fail for what a change has broken
# only; others are tried with --hypothesis-profile=random.
settings.register_profile("untimed", deadline=None, max_examples=50, derandomize=True)
settings.register_profile("random", deadline=None, max_examples=50)
settings.load_profile("untimed")

tiers.SHARE = 1.0  # no process comes later that finds the machine code: each pays for its own
gc.disable()  # until all tests are collected: none is garbage, and to look for it took a quarter of that time


def pytest_itemcollected(item):
    """Mark the tests in modules that import a kernel; refuse names that are others in the next process."""
    if " at 0x" in item.nodeid:
        raise pytest.UsageError(f"{item.nodeid} has an address in its name: give ids to its parameters")
    if imports_kernels(getattr(item, "module", None)):
        item.add_marker("kernels")


@functools.cache
def imports_kernels(module):
    values = vars(module).values() if module else ()
    names = (getattr(value, "__module__", None) or getattr(value, "__name__", "") for value in values)
    return any(isinstance(name, str) and ".kernels" in name for name in names)


def pytest_collection_modifyitems(config, items):
    """Leave out what takes minutes where kernels are not compiled; a skip is for want of a program."""
    if os.environ.get("NUMBA_DISABLE_JIT") != "1":
        return
    left_out = [item for item in items if item.get_closest_marker("compiled")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Hand out tests by their files; those that need a cluster to one process, as it takes long to start."""
    from xdist.scheduler import LoadFileScheduling

    of_clusters = ("test_in_dask.py", "test_in_spark.py", "test_workers_of_joblib.py")

    class ByFile(LoadFileScheduling):
        def _split_scope(self, nodeid):
            file = super()._split_scope(nodeid)
            return "tests/contracts/test_every_engine.py" if file.endswith(of_clusters) else file

    return ByFile(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_collection_finish():
    """Look for garbage from now on, but not among the thousands of tests."""
    gc.freeze()
    gc.enable()


def pytest_unconfigure():
    """Let all of them go: what libraries find left at the end, they complain of."""
    gc.unfreeze()
    if "tests.clusters" in sys.modules:
        sys.modules["tests.clusters"].STARTED.close()


@pytest.fixture(autouse=True, scope="session")
def interrupts_arrive():
    """Ctrl-C works in the tests, even where a shell started them in the background and so has it ignored."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def university(tmp_path_factory):
    """A DuckDB file of four students, three courses and eight registrations."""
    from tests.relational.databases import UNIVERSITY, in_duckdb

    return in_duckdb(UNIVERSITY, tmp_path_factory.mktemp("university"))
