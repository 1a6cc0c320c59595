"""A real cluster of Dask and a real session of Spark on this computer, each started once and small."""

import functools
import logging
import os
import shutil
import sys
import warnings
from contextlib import ExitStack

import pytest

STARTED = ExitStack()  # closed at the end of all tests


def once_or_skipped(start):
    """Start something at its first use; where that fails, every test that needs it skips with the reason."""

    @functools.cache
    def tried():
        try:
            return start(), ""
        except Exception as error:  # noqa: BLE001, whatever a cluster needs may be missing
            return None, f"it cannot start: {str(error).partition(chr(10))[0]}"

    @functools.wraps(start)
    def started():
        found, reason = tried()
        if reason:
            pytest.skip(reason)
        return found

    return started


@once_or_skipped
def dask_client():
    """The client of a cluster of two worker processes; `with client.as_current()` makes it the one in use."""
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    settings = {
        # A computer that is busy with other tests may take long to start two processes.
        "distributed.comm.timeouts.connect": "120s",
        # Until the last test it waits more than it works: to look after itself took 9 % of a core meanwhile.
        "distributed.worker.profile.enabled": False,
        "distributed.worker.memory.monitor-interval": "10s",
        "distributed.admin.system-monitor.interval": "10s",
        "distributed.admin.tick.interval": "1s",
    }
    STARTED.enter_context(pytest.importorskip("dask").config.set(settings))
    start = functools.partial(distributed.LocalCluster, dashboard_address=":0", silence_logs=logging.CRITICAL)
    cluster = STARTED.enter_context(start(n_workers=2, threads_per_worker=1))
    return STARTED.enter_context(distributed.Client(cluster, set_as_default=False))


@once_or_skipped
def spark_session():
    """A session of Spark on two cores; it needs Java 17 or newer."""
    pytest.importorskip("pyspark", reason="Spark is not installed")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java, which is not installed")
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.host": "127.0.0.1",
        "spark.log.level": "OFF",
        # Best code and parallel collection of garbage are for hours of work: half of its time went there.
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
    STARTED.callback(session.stop)
    return session
