"""Interpreted and compiled, every kernel gives the same to the bit, with arguments from the tests of kernels.

Compiling all of them takes two minutes, but for those that are on disk. The arguments come from an earlier
run with `tests.contracts.kernel_calls`, as in `make test`, or else from one that takes two minutes more.
"""

import copy
import importlib
import inspect
import os
import pickle
import pkgutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import structlearn
from structlearn.compile import Kernel
from tests.contracts.kernel_calls import FOLDER

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.compiled


def all_kernels():
    modules = [module.name for module in pkgutil.walk_packages(structlearn.__path__, "structlearn.")]
    found = [vars(importlib.import_module(name)) for name in modules if ".kernels." in name]
    kernels = [value for names in found for value in names.values() if isinstance(value, Kernel)]
    return {f"{kernel.__module__}.{kernel.__name__}": kernel for kernel in kernels}


KERNELS = all_kernels()


@pytest.fixture(scope="module")
def calls(tmp_path_factory):
    """The arguments of some calls of each kernel, by its name."""
    folder = Path(os.environ.get(FOLDER) or tmp_path_factory.mktemp("kernel-calls"))
    if not any(folder.glob("*.pickle")):
        environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", FOLDER: str(folder)}
        command = [
            "-m",
            "pytest",
            "-p",
            "tests.contracts.kernel_calls",
            "-m",
            "kernels and not slow",
            "-p",
            "no:xdist",
        ]
        subprocess.run([sys.executable, *command], cwd=ROOT, env=environment, check=True, capture_output=True)
    found = {}
    for path in sorted(folder.glob("*.pickle")):
        for (module, function), kept in pickle.loads(path.read_bytes()).items():  # noqa: S301, just written
            found.setdefault(f"{module}.{function}", []).extend(kept)
    return found


def is_same(one, other):
    """Whether two results are equal in type and value: a NaN is a NaN, and −0 is not 0."""
    if isinstance(one, np.ndarray):
        return isinstance(other, np.ndarray) and is_same_array(one, other)
    if isinstance(one, tuple):
        return type(one) is type(other) and len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, np.random.Generator):
        return repr(one.bit_generator.state) == repr(other.bit_generator.state)
    return type(one) is type(other) and (repr(one) == repr(other))


def is_same_array(one, other):
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    if one.dtype.kind != "f":
        return np.array_equal(one, other)
    is_number = ~np.isnan(one)
    signs = np.signbit(one) == np.signbit(other)
    return np.array_equal(one, other, equal_nan=True) and bool(signs[is_number].all())


@pytest.mark.parametrize("name", KERNELS)
def test_both_tiers_give_the_same_bits(name, calls):
    kernel = KERNELS[name]
    assert calls.get(name), "no test of kernels calls it"
    for arguments in calls[name][:3]:
        interpreted, compiled = copy.deepcopy(arguments), copy.deepcopy(arguments)

        result = kernel.interpret(*interpreted)

        assert is_same(result, kernel.dispatcher(*compiled))
        assert is_same(without_room(kernel, interpreted), without_room(kernel, compiled))


def without_room(kernel, arguments):
    """What a kernel was given, but for arrays that it may write what it likes to."""
    names = inspect.signature(kernel.py_func).parameters
    return tuple(each for name, each in zip(names, arguments, strict=True) if name != "room")
