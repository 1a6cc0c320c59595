"""Linear effects: known coefficients, statsmodels' formulas, the values that a class allows.

The model and its numbers are in docs/references/graphs-with-marks.md#effects.
"""

from itertools import permutations

import numpy as np
import pytest
from scipy import stats

import structlearn as sl
from structlearn.inference.effects import possible_parents
from tests.oracles import graphs as oracle

MODEL = {("1", "2"): 0.8, ("1", "3"): -0.5, ("2", "4"): 0.7, ("3", "4"): 1.2}
DAG = sl.Graph("1234", directed=list(MODEL))


def rows_with(covariance, n_rows=100, seed=0):
    """Rows that have just this covariance."""
    drawn = np.random.default_rng(seed).normal(size=(n_rows, len(covariance)))
    drawn -= drawn.mean(axis=0)
    white = drawn @ np.linalg.inv(np.linalg.cholesky(drawn.T @ drawn / n_rows)).T
    return white @ np.linalg.cholesky(covariance).T


def covariance():
    weights = np.zeros((4, 4))
    for (a, b), weight in MODEL.items():
        weights[int(b) - 1, int(a) - 1] = weight
    total = np.linalg.inv(np.eye(4) - weights)
    return total @ total.T


TABLE = dict(zip("1234", rows_with(covariance()).T, strict=True))


def test_the_model_has_the_known_variances():
    assert np.diag(covariance()) == pytest.approx([1, 1.64, 1.25, 2.9316])


def test_an_effect_that_the_graph_tells_is_one_regression_with_its_interval():
    found = sl.effect(DAG, TABLE, "2", "4")

    design = np.column_stack([np.ones(100), TABLE["2"], TABLE["3"]])
    fit, (left,), *_ = np.linalg.lstsq(design, TABLE["4"])
    error = np.sqrt(left / 97 * np.linalg.inv(design.T @ design)[1, 1])
    reach = stats.t.ppf(0.975, 97) * error
    (only,) = found.values
    assert found.is_identified
    assert found.value == pytest.approx(0.7) == pytest.approx(fit[1])
    assert only.given == ("3",)
    assert only.standard_error == pytest.approx(error)
    assert found.interval == pytest.approx((0.7 - reach, 0.7 + reach))
    assert str(found).startswith("The effect of 2 on 4 is 0.7 (95% interval")


@pytest.mark.parametrize(("given", "factor"), [(["3"], 0.6613757), (["1"], 2.44), (["1", "3"], 1.0)])
def test_what_is_adjusted_for_changes_the_variance_as_is_known(given, factor):
    (found,) = sl.effect(DAG, TABLE, "2", "4", given=given).values

    assert found.value == pytest.approx(0.7)
    assert found.standard_error**2 * (100 - len(given) - 2) == pytest.approx(factor, abs=1e-6)


@pytest.mark.parametrize(("cause", "values"), [("2", [0.4073171, 0.7]), ("1", [-0.6, -0.04, 0.56])])
def test_a_class_allows_the_known_values(cause, values):
    found = sl.effect(DAG.to_cpdag(), TABLE, cause, "4")

    assert sorted(each.value for each in found.values) == pytest.approx(values, abs=1e-6)
    assert not found.is_identified
    assert found.value is None
    assert found.smallest == pytest.approx(min(map(abs, values)), abs=1e-6)
    assert found.interval[0] < values[0]
    assert found.interval[1] > values[-1]
    assert "values:" in str(found)


@pytest.mark.parametrize("each", [13, pytest.param(1, marks=pytest.mark.slow)])
def test_the_values_are_those_of_the_parents_in_every_member(each):
    rows = np.random.default_rng(0).normal(size=(30, 4)) @ np.random.default_rng(1).normal(size=(4, 4))
    table = dict(zip("abcd", rows.T, strict=True))
    n_parent_sets = 0
    for members in oracle.equivalence_classes(4)[::each]:
        graph = sl.Graph("abcd", directed=[("abcd"[a], "abcd"[b]) for a, b in members[0]]).to_cpdag()
        for x, y in permutations(range(4), 2):
            found = sl.effect(graph, table, "abcd"[x], "abcd"[y], weights=True)
            if found.is_identified:
                continue
            parents = [frozenset("abcd"[a] for a, b in member if b == x) for member in members]
            assert {frozenset(v.given): v.n_members for v in found.values} == {
                each: parents.count(each) for each in parents
            }
            assert all(v.value == 0.0 for v in found.values if "abcd"[y] in v.given)
            n_parent_sets += 1
    assert n_parent_sets > 20


def test_the_parents_that_a_node_may_have_are_those_of_the_members():
    n_nodes = 0
    for members in oracle.equivalence_classes(4):
        graph = sl.Graph("abcd", directed=[("abcd"[a], "abcd"[b]) for a, b in members[0]]).to_cpdag()
        for x in range(4):
            local = [{*graph.parents("abcd"[x]), *more} for more in possible_parents(graph, "abcd"[x])]
            everywhere = {frozenset("abcd"[a] for a, b in member if b == x) for member in members}
            assert len(local) == len(everywhere)
            assert set(map(frozenset, local)) == everywhere
            n_nodes += 1
    assert n_nodes == 740


def test_what_is_no_cause_has_no_effect():
    found = sl.effect(DAG, TABLE, "4", "1")

    assert (found.value, found.interval) == (0.0, (0.0, 0.0))
    assert found.notes == ("By the graph 4 is not a cause of 1.",)


def test_a_pag_tells_effects_of_visible_arrows_and_refuses_others():
    pag = sl.Graph("1234", edges=["1 o-> 2", "3 o-> 2", "2 --> 4"])

    assert sl.effect(pag, TABLE, "2", "4").values[0].given == ()
    with pytest.raises(sl.DataError, match="No adjustment gives the effect of '1' on '2': 1 o→ 2 may be"):
        sl.effect(pag, TABLE, "1", "2")


def test_the_units_of_the_columns_are_those_of_the_effect():
    scaled = TABLE | {"2": 1e150 * TABLE["2"], "3": 5.0 - 1e-3 * TABLE["3"], "4": 1e-100 * TABLE["4"] + 1e-90}

    assert sl.effect(DAG, scaled, "2", "4").value == pytest.approx(0.7e-250)


def test_an_effect_by_a_learned_graph_says_that_its_interval_is_too_narrow():
    graph = sl.PC().fit(TABLE).graph_

    assert any("too narrow" in note for note in sl.effect(graph, TABLE, "2", "1").notes)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"x": "1", "y": "1"}, "are different nodes"),
        ({"x": "9"}, "no node '9'"),
        ({"level": 1.0}, r"level=1.0\): a number between 0 and 1"),
        ({"given": "best"}, "one of 'optimal', 'minimal', 'canonical'"),
        ({"given": ["4"], "x": "1", "y": "2"}, "this set does not give the effect"),
        ({"data": {name: column[:3] for name, column in TABLE.items()}}, "3 rows are too few"),
        ({"data": TABLE | {"2": np.ones(100)}}, "does not vary by itself"),
        ({"data": TABLE | {"3": 2 * TABLE["2"]}}, "linear combination"),
        ({"data": {name: column > 0 for name, column in TABLE.items()}}, "continuous"),
        ({"data": TABLE | {"3": np.where(np.arange(100) == 3, np.nan, TABLE["3"])}}, "'3'"),
        ({"data": {name: TABLE[name] for name in "124"}}, "'3'"),
    ],
)
def test_what_cannot_be_told_is_refused(options, message):
    asked = {"graph": DAG, "data": TABLE, "x": "2", "y": "4"} | options
    with pytest.raises((sl.DataError, sl.OptionError), match=message):
        sl.effect(**asked)


def test_rows_that_miss_a_value_can_be_left_out():
    gappy = TABLE | {"3": np.where(np.arange(100) < 10, np.nan, TABLE["3"])}
    rest = {name: column[10:] for name, column in TABLE.items()}

    assert sl.effect(DAG, gappy, "2", "4", missing="drop") == sl.effect(DAG, rest, "2", "4")


def test_each_regression_is_of_the_rows_that_all_have():
    table = {name: np.arange(9.0) for name in "xy"}
    for ask in (sl.effect, sl.response):
        more = {"at": [1.0]} if ask is sl.response else {}
        with pytest.raises(sl.OptionError, match=r"missing is what to do .* one of 'error', 'drop'"):
            ask(sl.Graph("xy", directed=["xy"]), table, "x", "y", missing="testwise", **more)
