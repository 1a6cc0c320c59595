"""Tables of Dask: on a cluster of two processes, one of which may die, and in threads without one."""

import os
import signal
from contextlib import nullcontext

import numpy as np
import pandas as pd
import pytest

import structlearn as sl
from structlearn.statistics.engines import in_dask, source_table
from structlearn.statistics.engines.choice import Choice
from structlearn.statistics.engines.source_table import SourceTable
from tests.clusters import dask_client

dd = pytest.importorskip("dask.dataframe", reason="Dask is not installed")


def table(n_rows=400):
    data = sl.example("asia").sample(n_rows, random_state=3)
    return pd.DataFrame({name: data.column(name).decoded() for name in data.names})


def in_dask_of(frame, n_parts=5, **choice):
    return SourceTable(in_dask.engine_of(dd.from_pandas(frame, npartitions=n_parts), Choice(**choice)))


@pytest.fixture(params=["threads", "cluster"])
def somewhere(request):
    """Where Dask works."""
    return nullcontext() if request.param == "threads" else dask_client().as_current()


def test_the_graph_and_its_score_are_those_in_memory(somewhere):
    with somewhere:
        found = sl.HillClimbing().fit(in_dask_of(table()))
    here = sl.HillClimbing().fit(table())
    assert found.graph_ == here.graph_
    assert found.score_ == pytest.approx(here.score_, rel=1e-12)
    assert found.statistics_.engine == "Dask"
    assert found.statistics_.way == "collapsed"


def test_a_table_that_is_asked_for_again_and_again_stays_on_its_workers(somewhere, monkeypatch):
    monkeypatch.setattr(source_table, "MOST_BYTES", 0)
    with somewhere:
        found = sl.PC().fit(in_dask_of(table()))
    assert found.graph_ == sl.PC().fit(table()).graph_
    assert found.statistics_.way == "asked"


def test_a_worker_that_dies_in_the_middle_changes_nothing(monkeypatch):
    monkeypatch.setattr(source_table, "MOST_BYTES", 0)
    asked = in_dask.DaskParts.ask_pieces
    killed = []

    def kill_and_ask(parts, work, join):
        if len(killed) < 2:  # before the second question the first is answered, and all parts are kept
            killed.append(None)
        elif len(killed) == 2:
            victim = min(dask_client().run(os.getpid).values())
            killed.append(victim)
            os.kill(victim, signal.SIGKILL)
        return asked(parts, work, join)

    monkeypatch.setattr(in_dask.DaskParts, "ask_pieces", kill_and_ask)
    with dask_client().as_current():
        source = in_dask_of(table())
    found = sl.PC().fit(source)  # a table stays with its cluster
    assert len(killed) == 3
    assert len({*dask_client().run(os.getpid).values(), killed[-1], os.getpid()}) >= 3
    assert found.graph_ == sl.PC().fit(table()).graph_


@pytest.mark.parametrize(
    "condition",
    ["smoke == 'yes'", lambda frame: frame["smoke"] == "yes"],
    ids=["text", "callable"],
)
def test_a_filter_columns_and_weights_choose_what_is_learnt_from(condition):
    frame = table().assign(w=np.arange(1.0, 401.0))
    source = in_dask_of(frame, filter=condition, columns=("lung", "asia"), weights="w")
    chosen = frame[frame.smoke == "yes"]
    assert source.names == ("lung", "asia")
    assert (source.n_rows, source.size) == (len(chosen), chosen.w.sum())


def test_a_filter_may_be_a_column_of_dask():
    frame = table()
    there = dd.from_pandas(frame, npartitions=3)
    source = SourceTable(in_dask.engine_of(there, Choice(filter=there["asia"] == "no")))
    assert source.n_rows == (frame.asia == "no").sum()


def test_columns_of_text_and_categories_have_the_labels_of_memory():
    frame = table().astype({"asia": "category", "lung": object})
    assert in_dask_of(frame).labels == sl.Dataset(frame).labels


def test_files_are_read_where_they_are(tmp_path):
    frame = table()
    for start in range(0, 400, 100):
        frame[start : start + 100].to_parquet(tmp_path / f"{start}.parquet")
    source = SourceTable(in_dask.engine_of(dd.read_parquet(tmp_path), Choice()))
    assert sl.ChowLiu().fit(source).graph_ == sl.ChowLiu().fit(frame).graph_


def test_a_file_that_goes_away_in_the_middle_is_one_clear_error(tmp_path):
    table().to_parquet(tmp_path / "0.parquet")
    engine = in_dask.engine_of(dd.read_parquet(tmp_path), Choice())
    (tmp_path / "0.parquet").write_bytes(b"PAR1")
    with pytest.raises(sl.DataError, match=r"Dask cannot answer: .* Nothing was written\."):
        SourceTable(engine)


def test_a_condition_on_a_column_that_there_is_not_is_one_clear_error():
    with pytest.raises(sl.DataError, match=r"Dask cannot answer: .*nosuch"):
        in_dask_of(table(), filter="nosuch > 3")


def test_other_things_of_dask_are_no_tables():
    with pytest.raises(sl.DataError, match="DataFrame is a table, not a Series"):
        in_dask.engine_of(dd.from_pandas(table(), npartitions=2)["asia"], Choice())
