"""`joblib.parallel_config(backend="dask")` spreads methods over a real cluster, and changes no answer."""

import os
import pickle
import time

import joblib
import numpy as np
import pytest

import structlearn as sl
from structlearn.run import Run
from structlearn.statistics.blocks import each_by_a_worker
from tests.clusters import dask_client


@pytest.fixture
def on_dask():
    """The cluster of two processes as joblib's workers."""
    client = dask_client()
    with client.as_current(), joblib.parallel_config(backend="dask"):
        yield client


def discrete():
    return sl.example("cancer").sample(200, random_state=1)


def continuous(n_columns=4):
    rng = np.random.default_rng(0)
    values = rng.normal(size=(60, n_columns))
    values[:, 1] += values[:, 0]
    return values


def process_of(_):
    return os.getpid()


def test_pieces_go_to_the_processes_of_the_cluster(on_dask):
    workers = set(on_dask.run(os.getpid).values())
    assert set(each_by_a_worker(process_of, range(8), n_jobs=1)) <= workers
    assert os.getpid() not in workers


def test_pieces_stay_here_where_nobody_chose_workers():
    assert each_by_a_worker(process_of, range(3), n_jobs=1) == [os.getpid()] * 3
    assert each_by_a_worker(process_of, range(3), n_jobs=2) == [os.getpid()] * 3


LEARNERS = {
    "resamples": (sl.EdgeConfidence(sl.HillClimbing(), n_resamples=6, random_state=0), discrete),
    "subsamples": (sl.StabilitySelection(sl.HillClimbing(), n_resamples=6, random_state=0), discrete),
    "chains": (sl.OrderMCMC(chains=2, steps=600, random_state=0), discrete),
    "penalty paths": (
        sl.GraphicalLasso(penalty="stars", n_penalties=2, random_state=0),
        lambda: continuous(64),
    ),
    "restarts": (sl.ModuleNetwork(n_modules=2, restarts=2, random_state=0), lambda: continuous(5)),
}


SLOW = {"penalty paths"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in LEARNERS]
)
def test_a_cluster_changes_no_answer(name, on_dask):
    learner, table = LEARNERS[name]
    before = sum(on_dask.run(_n_tasks).values())
    there = learner.fit(table())
    assert sum(on_dask.run(_n_tasks).values()) > before
    with joblib.parallel_config(backend="threading", n_jobs=1):
        here = type(learner)(**learner.get_params(deep=False)).fit(table())
    assert there.graph_ == here.graph_
    if hasattr(here, "confidence_"):
        assert there.confidence_ == here.confidence_


def _n_tasks(dask_worker):
    return dask_worker.state.executed_count


def test_a_run_in_another_process_has_the_time_that_is_left():
    with Run("test", time_limit_s=30.0) as run:
        sent = pickle.loads(pickle.dumps(run.must_stop))  # noqa: S301, made here
        assert not sent()
    with Run("test", time_limit_s=0.01) as run:
        sent = pickle.loads(pickle.dumps(run.must_stop))  # noqa: S301, made here
        time.sleep(0.02)
        assert sent()
