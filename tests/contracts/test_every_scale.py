"""The units of continuous columns change nothing: neither the graph, nor what is refused or warned of.

By design the score BGe is not held to it, whose prior expects variances about 1, nor is `standardise=False`
of the graphical lasso, whose penalty is then in the units of the columns. Both refuse columns too far from 1.
"""

import math
import warnings

import numpy as np
import pytest
from sklearn.base import clone

import structlearn as sl
from tests.contracts.conftest import chain_table, take

MIXED = {"d": 1e-150, "b": 1e150, "a": -1e-60, "c": 1e55, "e": 1e-165}
FAR = {"d": 1e8, "b": -1e6, "a": -1e8, "c": 1e4, "e": 1e7}  # spreads of the columns, from zero
OF_ALL = [1e-170, 1e-150, 1e-100, 1e-50, 1e-20, 1e-5, 1e5, 1e20, 1e50, 1e100, 1e150, 1e155]
BAYESIAN = {"exact-posterior", "order-mcmc"}  # their score is BGe, by default


def tables():
    """The chain beside a constant; with a column twice; with a sum."""
    chain = chain_table("continuous", 100)
    yield chain | {"e": np.full(100, 0.3)}
    yield chain | {"e": -2.0 * chain["a"]}
    yield chain | {"e": chain["a"] + chain["d"]}


@pytest.fixture
def tried(method, learner):
    return learner.set_params(score="bic") if method.name in BAYESIAN else learner


def outcome(learner, table):
    """What was warned of, with the graph or its class; or the refusal."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            graph = clone(learner).fit(table).graph_
        except sl.DataError as error:
            return str(error)
    found = graph.to_cpdag() if graph.kind == "DAG" else graph
    return found, sorted(str(warning.message) for warning in heard)


def in_units(table, units):
    return {name: column * units[name] for name, column in table.items()}


@take("continuous")
def test_columns_of_any_units_give_the_same_graph_and_the_same_warnings(tried):
    chain, *_ = tables()

    units = {name: abs(unit) for name, unit in MIXED.items()} if tried.sign_matters else MIXED

    assert outcome(tried, in_units(chain, units)) == outcome(tried, chain)


@take("continuous")
def test_columns_far_from_zero_give_the_same_graph_and_the_same_warnings(tried):
    chain, *_ = tables()

    assert outcome(tried, {name: column + FAR[name] for name, column in chain.items()}) == outcome(
        tried, chain
    )


@take("continuous")
@pytest.mark.parametrize("unit", [1e-150, 1e150])
def test_repeated_and_dependent_columns_of_any_units_are_treated_alike(tried, unit):
    _, repeated, dependent = tables()

    for table in (repeated, dependent):
        if isinstance(said := outcome(tried, table), str):
            assert outcome(tried, in_units(table, dict.fromkeys(table, unit))) == said


@pytest.mark.slow
@take("continuous")
@pytest.mark.parametrize("unit", OF_ALL)
def test_columns_of_one_unit_give_the_same_graph_and_the_same_refusals(tried, unit):
    for table in tables():
        assert outcome(tried, in_units(table, dict.fromkeys(table, unit))) == outcome(tried, table)


@pytest.mark.parametrize("kind", ["continuous", "mixed"])
def test_a_score_in_other_units_is_off_by_the_logarithm_of_the_units_for_each_row(kind):
    table = chain_table("continuous", 100)
    if kind == "mixed":
        table["d"] = np.where(table["d"] > 0.0, "yes", "no")
    graph = sl.Graph("dbac", directed=["db", "ba", "ac"])
    units = {"b": 1e-150, "a": 1e150, "c": -1e70} | ({"d": 1e-30} if kind == "continuous" else {})
    other = {name: column * units[name] if name in units else column for name, column in table.items()}

    expected = sl.score(graph, table) - 100 * sum(math.log(abs(unit)) for unit in units.values())

    assert sl.score(graph, other) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    "learner", [sl.HillClimbing(score="bge"), sl.GraphicalLasso(standardise=False)], ids=["bge", "lasso"]
)
def test_where_units_matter_columns_too_far_from_one_are_refused(learner):
    table = chain_table("continuous", 100)

    with pytest.raises(
        sl.DataError, match=r"column 'a' varies by about 1e15\d, too far from 1\. Divide it by"
    ):
        learner.fit(table | {"a": 1e150 * table["a"]})


@pytest.mark.parametrize("kind", [np.int64, np.uint64])
def test_whole_numbers_that_floats_cannot_tell_apart_are_told_apart(kind):
    table = chain_table("continuous", 200)
    whole = {name: np.round(column * 100).astype(np.int64) for name, column in table.items()}
    start = 2**62 if kind is np.int64 else 2**63
    far = {name: (column + 10_000).astype(kind) + kind(start) for name, column in whole.items()}

    assert sl.Dataset(far).to_dict()["a"].tolist() == far["a"].tolist()
    assert sl.learn(far, method="pc") == sl.learn(whole, method="pc")
    assert sl.learn(far, method="ising-neighborhoods") == sl.learn(whole, method="ising-neighborhoods")
