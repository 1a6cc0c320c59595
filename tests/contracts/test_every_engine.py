"""What every engine promises: a table that stays in it gives the answers that it gives in memory."""

import functools
import math

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import structlearn as sl
from structlearn.statistics import SourceTable
from structlearn.statistics.engines import source_table
from tests.contracts.conftest import OF_TABLES, chain_table, fitted, learner_of, table_for
from tests.contracts.engines import ENGINES
from tests.oracles.row_engine import RowEngine

PLACES = [
    pytest.param(name, marks=pytest.mark.slow if place.is_slow else ()) for name, place in ENGINES.items()
]
WAYS = {"collapsed": source_table.MOST_BYTES, "asked": 0}
N_ROWS = 120


def discrete():
    words = ("low", "it's", 'a "b"')
    table = chain_table("discrete", N_ROWS)
    return {
        "group by": [words[i] for i in table["d"]],
        "select": (table["b"] == 1).tolist(),
        "größe": [float(i) for i in table["a"]],
        "c d": [int(i) - 7 for i in table["c"]],
    }


def continuous():
    return {name: (1e3 + values).tolist() for name, values in chain_table("continuous", N_ROWS).items()}


def mixed():
    return {name: values for name, values in (discrete() | continuous()).items() if name not in "cd"}


def gappy(table):
    """A twentieth of the values of each column away, marked as databases or as numbers do."""
    rng = np.random.default_rng(3)
    found = {name: list(values) for name, values in table.items()}
    for values in found.values():
        for i in rng.permutation(N_ROWS)[: N_ROWS // 20]:
            values[i] = float("nan") if isinstance(values[i], float) and i % 2 else None
    return found


COMPLETE = {"discrete": discrete(), "continuous": continuous(), "mixed": mixed()}
TABLES = COMPLETE | {f"gappy {name}": gappy(table) for name, table in COMPLETE.items()}
ANY_KIND = [sl.HillClimbing(), sl.BOSS(), sl.ChowLiu()]
TESTS = [sl.PC(), sl.MMHC()]
ONE_KIND = [sl.GreedyEquivalence(), sl.ExactSearch()]
NUMBERS = [sl.GraphicalLasso(), sl.NeighborhoodSelection()]
BY_TABLE = {
    "discrete": [*ANY_KIND, *TESTS, *ONE_KIND],
    "continuous": [*ANY_KIND, *TESTS, *ONE_KIND, *NUMBERS],
    "mixed": [sl.HillClimbing(), sl.BOSS(), sl.PC()],
}
FITS = [(name, learner, "error") for name, learners in BY_TABLE.items() for learner in learners]
DROPPING = [(f"gappy {name}", learner, "drop") for name, learners in BY_TABLE.items() for learner in learners]
FITS += DROPPING
FITS += [(f"gappy {name}", sl.PC(), "testwise") for name in COMPLETE]
# Of slow engines by default: a score, a test with gaps, moments, and both kinds of columns with gaps.
FEW_FITS = [("discrete", ANY_KIND[2], "error"), ("continuous", NUMBERS[0], "error")]
FEW_FITS += [("gappy mixed", BY_TABLE["mixed"][0], "drop"), FITS[-3]]

# They ask an engine what others ask: for families, for pairs with conditions, for all moments.
ASKING_ALIKE = (sl.BOSS, sl.GreedyEquivalence, sl.MMHC, sl.NeighborhoodSelection)


def is_slow(name, fit):
    """Most fits on a cluster, and of rows that are dropped all but one fit for each kind of table.

    Of two learners that ask alike, one is tried in every engine, and the other in the quickest two.
    """
    if name in ("Dask", "Spark"):
        return fit not in (FEW_FITS if name == "Dask" else FEW_FITS[-2:])
    if name not in ("rows", "sqlite") and isinstance(fit[1], ASKING_ALIKE):
        return True
    return fit in DROPPING and fit[1] is not ANY_KIND[0] and fit[0] != "gappy mixed"


def every_fit():
    """Every engine with every fit."""
    return [
        pytest.param(name, fit, marks=pytest.mark.slow if is_slow(name, fit) else ())
        for name in ENGINES
        for fit in FITS
    ]


def named(value):
    if isinstance(value, str):
        return value
    table, learner, missing = value
    return f"{type(learner).__name__}, {table}, {missing}"


@pytest.fixture(params=WAYS)
def way(request, monkeypatch):
    monkeypatch.setattr(source_table, "MOST_BYTES", WAYS[request.param])
    monkeypatch.setattr(source_table, "MOST_PACKED", 0)  # which DuckDB alone does, under tests of its own
    return request.param


@functools.cache
def in_memory(fit):
    """The learner fitted to the table itself."""
    name, learner, missing = fit
    return clone(learner).set_params(missing=missing).fit(TABLES[name])


@pytest.mark.parametrize(("place", "fit"), every_fit(), ids=named)
def test_every_fit_gives_the_graph_and_the_score_of_the_table(place, fit, way, tmp_path):
    name, learner, missing = fit
    expected = in_memory(fit)
    source = ENGINES[place].make(TABLES[name], tmp_path, None)
    found = clone(learner).set_params(missing=missing).fit(source)

    assert found.graph_ == expected.graph_
    assert found.feature_names_in_.tolist() == list(TABLES[name])
    if hasattr(expected, "score_"):
        assert found.score_ == pytest.approx(expected.score_, rel=1e-9)
    assert found.statistics_.way == way
    assert found.statistics_.round_trips >= 2
    assert found.statistics_.rows_scanned >= N_ROWS


@pytest.mark.parametrize(("codes_from", "ids_from"), [(2**60, -(2**63)), (-(2**60), 2**62)])
@pytest.mark.parametrize("place", PLACES)
def test_whole_numbers_that_no_float_holds_are_told_apart(place, codes_from, ids_from, way, tmp_path):  # noqa: ARG001, it is set
    rng = np.random.default_rng(0)
    codes, ids = rng.integers(0, 3, N_ROWS), rng.integers(0, 50, N_ROWS)
    table = {
        "code": codes.tolist(),
        "id": ids.tolist(),
        "y": (codes + ids + rng.normal(size=N_ROWS)).tolist(),
    }
    long = table | {
        "code": [codes_from + code for code in table["code"]],
        "id": [ids_from + each for each in table["id"]],
    }
    source = ENGINES[place].make(long, tmp_path, None)

    expected, found = sl.HillClimbing().fit(table), sl.HillClimbing().fit(source)

    assert source.kinds == {"code": "discrete", "id": "continuous", "y": "continuous"}
    assert found.graph_ == expected.graph_
    assert found.score_ == pytest.approx(expected.score_, rel=1e-9)  # which where numbers begin leaves alone


@pytest.mark.parametrize("name", COMPLETE)
@pytest.mark.parametrize("score", ["bic", pytest.param("aic", marks=pytest.mark.slow)])
@pytest.mark.parametrize("place", PLACES)
def test_a_graph_has_the_score_that_it_has_in_memory(place, score, name, way, tmp_path):  # noqa: ARG001, it is set
    graph = in_memory((name, ANY_KIND[0], "error")).graph_
    source = ENGINES[place].make(TABLES[name], tmp_path, None)

    assert sl.score(graph, source, score) == pytest.approx(sl.score(graph, TABLES[name], score), rel=1e-9)


@pytest.mark.parametrize("name", COMPLETE)
@pytest.mark.parametrize("place", PLACES)
def test_a_network_has_the_distributions_that_it_has_in_memory(place, name, way, tmp_path):  # noqa: ARG001, it is set
    graph = in_memory((name, ANY_KIND[0], "error")).graph_
    expected = sl.BayesianNetwork(graph).fit(TABLES[name]).cpds
    found = sl.BayesianNetwork(graph).fit(ENGINES[place].make(TABLES[name], tmp_path, None)).cpds

    for node, cpd in expected.items():
        numbers = {part: value for part, value in vars(cpd).items() if isinstance(value, float | np.ndarray)}
        assert numbers
        for part, value in numbers.items():
            np.testing.assert_allclose(getattr(found[node], part), value, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("place", PLACES)
def test_it_knows_its_columns(place, name, tmp_path):
    source, expected = ENGINES[place].make(TABLES[name], tmp_path, None), sl.Dataset(TABLES[name])

    assert source.names == expected.names
    assert source.kinds == expected.kinds
    assert source.labels == expected.labels
    assert source.missing == expected.missing
    assert (source.n_rows, source.size) == (N_ROWS, N_ROWS)


@pytest.mark.parametrize(
    "words", [("0", "1"), ("0", "1", "2"), ("1.0", "2.0", "3.0"), ("2024-01-01", "2024-01-02", "2024-01-03")]
)
@pytest.mark.parametrize("place", PLACES)
def test_a_few_codes_in_writing_are_the_labels_that_they_are_in_memory(place, words, tmp_path):
    rows = range(N_ROWS)
    table = {"code": [words[i % 7 % len(words)] for i in rows], "other": [i % 2 for i in rows]}
    source, expected = ENGINES[place].make(table, tmp_path, None), sl.Dataset(table)

    assert source.kinds == expected.kinds
    assert source.labels == expected.labels
    assert sl.ChowLiu().fit(source).graph_ == sl.ChowLiu().fit(table).graph_


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", ["discrete", "gappy mixed"])
def test_a_column_of_weights_counts_rows(place, name, way, tmp_path):  # noqa: ARG001, it is set
    weights = np.random.default_rng(1).integers(0, 4, N_ROWS) / 2
    expected = sl.HillClimbing(missing="drop").fit(sl.Dataset(TABLES[name], weights=weights))
    source = ENGINES[place].make(TABLES[name] | {"w": weights.tolist()}, tmp_path, "w")
    found = sl.HillClimbing(missing="drop").fit(source)

    assert source.size == weights.sum()
    assert "w" not in source.names
    assert found.graph_ == expected.graph_
    assert found.score_ == pytest.approx(expected.score_, rel=1e-9)


@pytest.mark.parametrize("place", PLACES)
def test_tails_are_as_long_as_in_memory(place, way, tmp_path):  # noqa: ARG001, it is set
    rng = np.random.default_rng(7)
    weights = rng.integers(0, 4, N_ROWS) / 2
    tails = {
        "long": np.exp(2 * rng.normal(size=N_ROWS)).tolist(),
        "far": (1e6 + rng.standard_t(2, N_ROWS)).tolist(),
    }
    table = TABLES["gappy mixed"] | gappy(tails)
    expected = sl.HillClimbing(missing="drop").fit(sl.Dataset(table, weights=weights))
    source = ENGINES[place].make(table | {"w": weights.tolist()}, tmp_path, "w")

    found = sl.HillClimbing(missing="drop").fit(source)

    assert "long tails" in expected.status_
    assert found.graph_ == expected.graph_
    assert found.score_ == pytest.approx(expected.score_, rel=1e-9)


@pytest.mark.parametrize("place", PLACES)
def test_fourth_moments_are_those_of_the_rows_that_have_the_column(place, way, tmp_path):  # noqa: ARG001, it is set
    rng = np.random.default_rng(8)
    numbers = {"short": 1e3 + rng.uniform(size=N_ROWS), "long": rng.exponential(size=N_ROWS)}
    weights = np.where(
        numbers["long"] > 1.0, 8.0, rng.integers(1, 3, N_ROWS)
    )  # the mean is far from that of rows
    table = gappy({name: column.tolist() for name, column in numbers.items()}) | {"same": [5.5] * N_ROWS}
    source = ENGINES[place].make(table | {"w": weights.tolist()}, tmp_path, "w")
    kinds = dict.fromkeys(table, "continuous")

    found = source.statistics(list(table), kinds=kinds, missing="testwise").fourth_moments([0, 1, 2])

    for j, name in enumerate(["short", "long"]):
        column = np.array(table[name], dtype=float)
        has_it = ~np.isnan(column)
        share = weights[has_it] / weights[has_it].sum()
        away = column[has_it] - share @ column[has_it]
        assert found.sizes[j] == pytest.approx(weights[has_it].sum())
        assert found.standardised[j] == pytest.approx(share @ away**4 / (share @ away**2) ** 2, rel=1e-9)
    assert found.standardised[2] == 0.0


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", ["discrete", "gappy mixed"])
def test_a_row_of_weight_0_is_as_if_it_were_not_there(place, name, way, tmp_path):  # noqa: ARG001, it is set
    weights = np.random.default_rng(1).integers(1, 4, N_ROWS).astype(float)
    without = sl.Dataset(TABLES[name], weights=weights)
    expected = sl.BOSS(missing="drop").fit(without)
    n_idle = N_ROWS // 2  # a part of a table in parts has no others
    idle = {column: [beyond(values)] * n_idle for column, values in TABLES[name].items()}
    table = {column: [*values, *idle[column]] for column, values in TABLES[name].items()}
    source = ENGINES[place].make(table | {"w": [*weights.tolist(), *[0.0] * n_idle]}, tmp_path, "w")
    found = sl.BOSS(missing="drop").fit(source)

    assert (source.n_rows, source.size) == (N_ROWS, weights.sum())
    assert (source.kinds, source.labels, source.missing) == (without.kinds, without.labels, without.missing)
    assert found.graph_ == expected.graph_
    assert found.score_ == pytest.approx(expected.score_, rel=1e-9)
    drawn = source.sample(N_ROWS - 1, seed=5)
    assert drawn.n_rows == N_ROWS - 1
    assert drawn.weights.min() > 0.0
    assert source.sample(10 * N_ROWS).n_rows == N_ROWS


@pytest.mark.parametrize("place", PLACES)
def test_rows_of_weight_0_have_no_say_in_the_kinds(place, tmp_path):
    counted = {"few": [0, 1, 2] * 6, "many": list(range(18))}
    idle = {"few": list(range(100, 130)), "many": [*range(15), *range(15)]}
    weights = [1.0] * 18 + [0.0] * 30
    table = {name: counted[name] + idle[name] for name in counted}
    source = ENGINES[place].make(table | {"w": weights}, tmp_path, "w")
    kinds = {"few": "discrete", "many": "continuous"}  # three numbers six times each, and eighteen once

    assert source.kinds == kinds
    assert sl.Dataset(table, weights=weights).kinds == kinds
    assert sl.source(table | {"w": weights}, weights="w").kinds == kinds
    listed = pd.DataFrame({name: pd.Categorical(values) for name, values in table.items()})
    assert set(sl.Dataset(listed, weights=weights).kinds.values()) == {"discrete"}


def beyond(values):
    """A value that a column does not have, unless it holds truth values."""
    known = [value for value in values if value is not None]
    if isinstance(known[0], bool):
        return True
    return "only here" if isinstance(known[0], str) else np.nanmax(known).item() + 1


@pytest.mark.parametrize("place", PLACES[1:])
@pytest.mark.parametrize("wrong", [None, math.nan, -1.0, math.inf])
def test_a_weight_that_is_none_is_refused(place, wrong, tmp_path):
    weights = [2.0] * (N_ROWS - 1) + [wrong]
    with pytest.raises(sl.DataError, match=r"weights='w'|[cC]olumn 'w' has 1 infinite value"):
        ENGINES[place].make(TABLES["discrete"] | {"w": weights}, tmp_path, "w")


@pytest.mark.parametrize("place", PLACES[1:])
def test_weights_that_no_row_has_are_refused(place, tmp_path):
    with pytest.raises(sl.DataError, match=r"weights='w': .* 0"):
        ENGINES[place].make(TABLES["discrete"] | {"w": [0.0] * N_ROWS}, tmp_path, "w")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("learner", [sl.HillClimbing(), sl.PC()])
def test_weights_that_count_as_less_than_two_rows_are_refused(place, learner, tmp_path):
    source = ENGINES[place].make(TABLES["discrete"] | {"w": [1 / N_ROWS] * N_ROWS}, tmp_path, "w")
    with pytest.raises(sl.DataError, match=f"the weights sum to 1 in {N_ROWS} rows"):
        learner.fit(source)


@pytest.mark.parametrize("place", PLACES)
def test_a_sample_is_rows_of_the_table_and_the_same_each_time(place, tmp_path):
    table = TABLES["gappy mixed"]
    source = ENGINES[place].make(table, tmp_path, None)
    drawn, again = source.sample(40, seed=5), source.sample(40, seed=5)
    rows = {shown(row) for row in zip(*table.values(), strict=True)}

    assert drawn.n_rows == 40
    assert {shown(row) for row in zip(*drawn.to_dict().values(), strict=True)} <= rows
    assert drawn.labels == source.labels
    assert [shown(row) for row in zip(*again.to_dict().values(), strict=True)] == [
        shown(row) for row in zip(*drawn.to_dict().values(), strict=True)
    ]
    assert source.sample(10 * N_ROWS).n_rows == N_ROWS


def shown(row):
    values = (value.item() if isinstance(value, np.generic) else value for value in row)
    return tuple(None if value is None or value != value else value for value in values)  # noqa: PLR0124, NaN


@pytest.mark.parametrize("place", PLACES)
def test_a_column_that_is_constant_in_a_stratum_has_no_variance_there(place, way, tmp_path):  # noqa: ARG001, it is set
    a = [i % 2 for i in range(N_ROWS)]
    x = [0.1 if i % 2 else i / 7 for i in range(N_ROWS)]
    source = ENGINES[place].make({"a": a, "x": x, "y": [x * 3 for x in x]}, tmp_path, None)
    statistics = source.statistics(["a", "x", "y"], kinds=source.kinds)
    products = statistics.grouped_moments([0], np.array([[1, 2]])).products[0]

    assert products[1].tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert products[0, 0, 0] == pytest.approx(np.var([x[i] for i in range(0, N_ROWS, 2)]) * N_ROWS / 2)


# Methods that need the rows themselves, by the kind of columns: no engine serves them, whatever it is.
# So do those of which the catalog says that their rows are in the order of time.
# "asked" are those that the different rows with their numbers are enough for, if these are few.
NEEDS_ROWS = {
    "shrinkage-partial-correlation": {"continuous": "fourth moments: the variances of products"},
    "ising-neighborhoods": {"continuous": "logistic losses", "discrete": "asked: logistic losses"},
    "log-linear-mrf": {"discrete": "asked: the likelihood of each row"},
    "feature-vector-machine": {"continuous": "regressions on parts of the rows"},
    "convex-dag": {"discrete": "asked: logistic losses"},
    "l1mb": {"discrete": "asked: logistic losses"},
    "direct-lingam": {"continuous": "entropies of residuals"},
    "ica-lingam": {"continuous": "independent sources"},
    "residual-ordering": {"continuous": "regressions in curves"},
    "aracne": {"continuous": "kernels and permutations", "discrete": "permutations"},
    "similarity-network": {"continuous": "ranks and permutations", "discrete": "permutations"},
    "module-network": {"continuous": "splits of rows by numbers"},
    "factorization-network": {"continuous": "a matrix of the rows"},
    "network-component-analysis": {"continuous": "a matrix of the rows"},
    "dependency-network": {"continuous": "trees and losses", "discrete": "asked: logistic losses"},
}


def test_every_method_gives_its_graph_of_memory_or_says_what_to_do(method, kind, way):
    table = {name: values.tolist() for name, values in table_for(method, kind).items()}
    why = NEEDS_ROWS.get(method.name, {}).get(kind, "") or ("order" if method.rows != "samples" else "")
    if way == "collapsed" and why.startswith("asked"):
        why = ""
    learner = learner_of(method)
    source = SourceTable(RowEngine(table))
    if why:
        with pytest.raises(sl.DataError, match=r"(?s)where='memory'.*sample_rows="):
            learner.fit(source)
        assert not hasattr(learner, "graph_")
    else:
        assert learner.fit(source).graph_ == fitted(method, kind).graph_


def test_the_list_of_methods_that_need_rows_has_methods_only():
    assert set(NEEDS_ROWS) <= {method.name for method in OF_TABLES}
