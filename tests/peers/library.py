"""Another library, where it is installed."""

import warnings

import pytest


def library(module):
    """The module of a peer; without it, the tests of a file are skipped as one."""
    name = module.split(".")[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what its own imports say
        return pytest.importorskip(module, reason=f"needs {name}, of the `bench` extra")
