"""Tables of Spark, in a session on this computer."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import structlearn as sl
from structlearn.statistics.engines import source_table
from structlearn.statistics.engines.choice import Choice
from structlearn.statistics.engines.source_table import SourceTable
from tests.clusters import spark_session

pytest.importorskip("pyspark", reason="Spark is not installed")


def table(n_rows=300):
    data = sl.example("asia").sample(n_rows, random_state=3)
    return pd.DataFrame({name: data.column(name).decoded() for name in data.names})


@pytest.fixture
def in_spark():
    """Make a source of a frame."""
    session = spark_session()
    from structlearn.statistics.engines.in_spark import engine_of

    def make(frame, n_parts=2, **choice):
        there = session.createDataFrame(pa.Table.from_pandas(frame, preserve_index=False))
        return SourceTable(engine_of(there.repartition(n_parts), Choice(**choice)))

    return make


def test_the_graph_and_its_score_are_those_in_memory(in_spark):
    found, here = sl.HillClimbing().fit(in_spark(table())), sl.HillClimbing().fit(table())
    assert found.graph_ == here.graph_
    assert found.score_ == pytest.approx(here.score_, rel=1e-12)
    assert (found.statistics_.engine, found.statistics_.way) == ("Spark", "collapsed")


@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas")
def test_spark_sql_through_ibis_gives_the_graph_in_memory():
    ibis = pytest.importorskip("ibis", reason="ibis is not installed")
    session, frame = spark_session(), table().rename(columns={"smoke": "do `you`.smoke", "lung": "select"})
    session.createDataFrame(pa.Table.from_pandas(frame)).createOrReplaceTempView("asia")

    found = sl.HillClimbing().fit(ibis.pyspark.connect(session).table("asia"))

    assert found.graph_ == sl.HillClimbing().fit(frame).graph_
    assert found.statistics_.engine == "Spark SQL through ibis"


@pytest.mark.slow
def test_answers_of_many_parts_are_added_up_in_a_tree(in_spark, monkeypatch):
    monkeypatch.setattr(source_table, "MOST_BYTES", 0)
    found = sl.ChowLiu().fit(in_spark(table(), n_parts=10))
    assert found.graph_ == sl.ChowLiu().fit(table()).graph_
    assert found.statistics_.way == "asked"


def test_a_filter_columns_and_weights_choose_what_is_learnt_from(in_spark):
    frame = table().rename(columns={"smoke": "do `you`.smoke"}).assign(w=np.arange(1.0, 301.0))
    chosen = frame[frame["do `you`.smoke"] == "yes"]
    source = in_spark(
        frame, filter="`do ``you``.smoke` = 'yes'", columns=("lung", "do `you`.smoke"), weights="w"
    )
    assert source.names == ("lung", "do `you`.smoke")
    assert (source.n_rows, source.size) == (len(chosen), chosen.w.sum())
    drawn = source.sample(20, seed=1)
    assert drawn.weights.tolist() == source.sample(20, seed=1).weights.tolist()
    assert len(set(drawn.weights) & set(chosen.w)) == 20


@pytest.mark.slow
def test_moments_are_those_in_memory(in_spark):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(1e5 + rng.normal(size=(60, 3)), columns=[*"xyz"]).assign(k=rng.integers(0, 3, 60))
    frame.loc[:5, "y"] = None
    mine = in_spark(frame).statistics([*"xyz"], kinds=dict.fromkeys("xyz", "continuous"), missing="drop")
    np.testing.assert_allclose(
        mine.moments().covariance, np.cov(frame[[*"xyz"]].dropna().T, bias=True), rtol=1e-9, atol=1e-12
    )


def test_errors_are_clear_wherever_they_are_raised(in_spark):
    with pytest.raises(sl.DataError, match=r"Spark cannot answer: .*nosuch"):
        in_spark(table(), filter="nosuch > 3")
    with pytest.raises(sl.DataError, match="the table has no rows"):
        in_spark(table(), filter="asia = 'perhaps'")
    with pytest.raises(sl.DataError, match=r"In one part of the table.*infinite"):
        in_spark(pd.DataFrame({"x": [1.5, 2.5, float("inf")]}))
    with pytest.raises(sl.DataError, match=r"Spark cannot answer: .*CAST_INVALID_INPUT"):
        in_spark(table(), filter="cast(asia AS int) = 3")
