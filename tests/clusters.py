"""A real cluster of Dask and a real session of Spark on this computer, small, and as long as tests run."""

import logging
import os
import shutil
import sys
import warnings
from contextlib import contextmanager

import pytest


@contextmanager
def dask_of_two_processes():
    """A client of a cluster with two worker processes; `with client.as_current()` makes it the one in use."""
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    # Workers import what this process imports, wherever that is.
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    try:
        with (
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
            ) as cluster,
            distributed.Client(cluster, set_as_default=False) as client,
        ):
            yield client
    finally:
        _set("PYTHONPATH", before)


@contextmanager
def spark_on_two_cores():
    """A session of Spark; it needs Java 17 or newer."""
    pytest.importorskip("pyspark", reason="Spark is not installed")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java, which is not installed")
    from pyspark.sql import SparkSession

    before = {name: os.environ.get(name) for name in ("PYSPARK_PYTHON", "PYTHONPATH")}
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.host": "127.0.0.1",
        "spark.log.level": "OFF",
    }
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            session = SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
        yield session
        session.stop()
    finally:
        for name, value in before.items():
            _set(name, value)


def _set(name, value):
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value
