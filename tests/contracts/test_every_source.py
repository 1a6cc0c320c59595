"""What every source of data promises: whatever the rows are in, the answers are the same."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone

import structlearn as sl
from structlearn.statistics import ADTreeStatistics, HasRows, from_dataset, opened, rows_of, statistics_of
from tests.contracts.conftest import chain_table
from tests.walkthrough.toy_source import Elsewhere


def relation(table, _):
    return duckdb.connect().from_arrow(pa.table(table))


def written(ending):
    def write(table, folder):
        path = folder / f"table{ending}"
        sl.Dataset(table).save(path)
        return path

    return write


# What a user may pass, made of a dict of columns; a new source joins every test below by its line here.
SOURCES = {
    "dict": lambda table, _: table,
    "pandas": lambda table, _: pd.DataFrame(table),
    "polars": lambda table, _: pl.DataFrame(table),
    "arrow": lambda table, _: pa.table(table),
    "arrow batch": lambda table, _: pa.RecordBatch.from_pydict(table),
    "duckdb relation": relation,
    "csv": written(".csv"),
    "parquet": written(".parquet"),
    "Dataset": lambda table, _: sl.Dataset(table),
    "statistics in memory": lambda table, _: from_dataset(sl.Dataset(table)),
    "AD-tree": lambda table, _: ADTreeStatistics(sl.Dataset(table)),
    "toy": lambda table, _: Elsewhere(sl.Dataset(table)),
}
ASKED_OF_COUNTS = [sl.PC(), sl.HillClimbing(), sl.BOSS(), sl.MMHC(), sl.ExactSearch(), sl.GreedyEquivalence()]


def mixed_table(n_rows=200):
    discrete, continuous = chain_table("discrete", n_rows), chain_table("continuous", n_rows)
    return {"p": discrete["d"], "y": continuous["b"], "q": discrete["b"], "x": continuous["d"]}


TABLES = {
    "discrete": chain_table("discrete", 200),
    "continuous": chain_table("continuous", 200),
    "mixed": mixed_table(),
}


@pytest.fixture(params=TABLES)
def kind(request):
    return request.param


@pytest.fixture(params=SOURCES)
def source(request, kind, tmp_path):
    return SOURCES[request.param](TABLES[kind], tmp_path)


@pytest.fixture
def asked(source, kind):
    """The statistics of a source, its columns in alphabetical order."""
    return statistics_of(opened(source), sorted(TABLES[kind]), owner="test")


@pytest.fixture
def expected(kind):
    return from_dataset(sl.Dataset(TABLES[kind]).select(sorted(TABLES[kind])))


def of_kind(statistics, kind):
    return [j for j, each in enumerate(statistics.kinds) if each == kind]


def test_it_knows_its_columns(asked, expected):
    assert asked.names == expected.names
    assert asked.kinds == expected.kinds
    assert asked.levels.tolist() == expected.levels.tolist()
    assert asked.labels == expected.labels
    assert (asked.n_rows, asked.size, asked.is_complete) == (200, 200.0, True)


def test_it_counts(asked, expected):
    discrete = of_kind(expected, "discrete")
    margins, known = asked.margins(discrete), expected.margins(discrete)

    assert [margin.tolist() for margin in margins] == [margin.tolist() for margin in known]
    for columns in (discrete, discrete[::-1]):
        if columns:
            assert asked.counts(columns).tolist() == expected.counts(columns).tolist()


def test_it_counts_many_tables_at_once(asked, expected):
    discrete = of_kind(expected, "discrete")
    sets = np.array([[a, b] for a in discrete for b in discrete if a != b], dtype=np.int64).reshape(-1, 2)
    if len(sets) == 0:
        assert of_kind(asked, "discrete") == []
        return
    found, known = asked.tables(sets), expected.tables(sets)

    assert found.counts.tolist() == known.counts.tolist()
    assert found.starts.tolist() == known.starts.tolist()
    assert found.strata.tolist() == known.strata.tolist()


def test_it_has_moments(asked, expected):
    found, known = asked.moments(), expected.moments()

    assert found.mean == pytest.approx(known.mean)
    assert found.covariance == pytest.approx(known.covariance)
    assert found.correlation == pytest.approx(known.correlation)


def test_it_has_moments_within_strata(asked, expected):
    discrete, continuous = of_kind(expected, "discrete")[:1], of_kind(expected, "continuous")[:2]
    sets = np.array([continuous], dtype=np.int64)
    if not continuous:
        assert of_kind(asked, "continuous") == []
        return
    found, known = asked.grouped_moments(discrete, sets), expected.grouped_moments(discrete, sets)

    assert found.states.tolist() == known.states.tolist()
    assert found.sizes == pytest.approx(known.sizes)
    assert found.means == pytest.approx(known.means)
    assert found.products == pytest.approx(known.products)


def test_its_rows_are_there_or_refused(asked, expected):
    columns = range(len(expected.names))
    if isinstance(asked, HasRows):
        assert np.array_equal(asked.rows(columns).values, expected.rows(columns).values)
        return
    with pytest.raises(sl.DataError, match="needs the rows themselves"):
        rows_of("test", asked, columns)


AWKWARD = {
    "5": ["", "x", None, "x", ""],
    "a b": ["yes", 'é,"', " no ", "yes", None],
    "Größe": [0.5, None, 1e-300, -1e300, 2.0**53],
    "id": [2**60 + 1, 2**60 + 2, 2**60 + 3, 2**60 + 7, 2**60],
    "few": [2**53 + 1, 2**53, 2**53 + 1, 2**53, 2**53 + 1],
    "gaps": [None, 3, 1, 3, 1],
}
TABLES_ONLY = [name for name in SOURCES if name not in {"statistics in memory", "AD-tree", "toy"}]


@pytest.mark.filterwarnings("ignore:column '5' has the empty text")
@pytest.mark.parametrize("name", TABLES_ONLY)
def test_names_labels_numbers_and_gaps_come_back_as_they_were(name, tmp_path):
    found = sl.Dataset(SOURCES[name](AWKWARD, tmp_path))

    assert found.names == tuple(AWKWARD)
    assert found.kinds == dict(
        zip(AWKWARD, ["discrete"] * 2 + ["continuous"] * 2 + ["discrete"] * 2, strict=True)
    )
    assert found.labels["5"] == ("", "x")
    assert found.labels["few"] == (2**53, 2**53 + 1)
    shown = {
        column: [None if value != value else value for value in values.tolist()]  # noqa: PLR0124, NaN
        for column, values in found.to_dict().items()
    }
    assert shown == AWKWARD


@pytest.mark.parametrize("make", [pd.DataFrame, dict])
def test_integers_as_names_are_kept_unless_they_only_count(make):
    assert sl.Dataset(make({5: [0.5, 1.5], 7: [2.5, 3.5]})).names == ("5", "7")
    assert sl.Dataset(make({0: [0.5, 1.5], 1: [2.5, 3.5]})).names == ("x0", "x1")


FITS = [(kind, learner) for kind in ("discrete", "continuous") for learner in ASKED_OF_COUNTS]
FITS += [("mixed", sl.HillClimbing())]


@pytest.fixture(scope="module", params=FITS, ids=str)
def fit_to_the_table(request):
    """A learner fitted to a table, its graph, and the score of that."""
    kind, learner = request.param
    graph = clone(learner).fit(TABLES[kind]).graph_
    return kind, learner, graph, sl.score(graph.to_dag(), TABLES[kind])


@pytest.mark.parametrize("name", SOURCES)
def test_every_fit_gives_the_graph_of_the_table(name, fit_to_the_table, tmp_path):
    kind, learner, expected, score = fit_to_the_table
    source = SOURCES[name](TABLES[kind], tmp_path)

    graph = clone(learner).fit(source).graph_

    assert graph == expected
    assert graph.nodes == tuple(TABLES[kind])
    assert sl.score(graph.to_dag(), source) == pytest.approx(score)


def test_a_method_that_needs_rows_says_so_to_a_source_without():
    source = Elsewhere(sl.Dataset(TABLES["continuous"]))

    with pytest.raises(sl.DataError, match="ShrinkagePartialCorrelation needs the rows themselves"):
        sl.ShrinkagePartialCorrelation().fit(source)
    with pytest.raises(sl.DataError, match="EdgeConfidence draws rows"):
        sl.EdgeConfidence(sl.PC()).fit(source)


def test_kinds_and_knowledge_are_checked_of_every_source():
    source = Elsewhere(sl.Dataset(TABLES["discrete"]))

    with pytest.raises(sl.DataError, match="GraphicalLasso takes continuous columns only, and 'd', 'b'"):
        sl.GraphicalLasso().fit(source)
    with pytest.raises(sl.OptionError, match="no column 'nobody'"):
        sl.PC(knowledge=sl.Knowledge(required=[("nobody", "a")])).fit(source)


def test_statistics_with_missing_values_are_for_tests_only():
    table = TABLES["continuous"] | {"a": np.where(np.arange(200) == 3, np.nan, TABLES["continuous"]["a"])}
    source = from_dataset(sl.Dataset(table), missing="testwise")

    assert sl.PC(missing="testwise").fit(source).graph_ == sl.PC(missing="testwise").fit(table).graph_
    with pytest.raises(sl.DataError, match="HillClimbing: the source misses values"):
        sl.HillClimbing().fit(source)
