"""Low-order graphs: hand calculations, brute force, what they contain of a true graph."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats

import structlearn as sl
from structlearn.numerics.multiplicity import adjusted
from tests.oracles.independence import partial_correlation
from tests.oracles.reference_data import T3
from tests.strategies import undirected_graphs


def test_three_columns_have_the_hand_calculated_p_values_and_edges():
    # From docs/references/constraint.md#low-order-graphs.
    raw = sl.LowOrderGraph(correction="none").fit(T3)
    fair = sl.LowOrderGraph(correction="bh").fit(T3)

    p = raw.p_values_[np.triu_indices(3, k=1)]
    assert p == pytest.approx([0.0415627, 0.0172455, 0.3182890], abs=1e-6)
    assert raw.graph_.undirected == (("x", "y"), ("x", "z"))
    assert fair.graph_.edges == ()
    assert adjusted(p, "bh") == pytest.approx([0.0623440, 0.0517364, 0.3182890], abs=1e-6)


@pytest.mark.parametrize("order", [0, 1, 2])
def test_p_values_are_the_largest_over_all_small_sets(order):
    rng = np.random.default_rng(order)
    rows = rng.normal(size=(25, 5)) @ rng.normal(size=(5, 5))
    data = sl.Dataset({f"c{j}": rows[:, j] for j in range(5)})

    found = sl.LowOrderGraph(order=order).fit(data).p_values_

    for a, b in itertools.combinations(range(5), 2):
        others = [v for v in range(5) if v not in (a, b)]
        expected = 0.0
        for given_ in itertools.chain.from_iterable(
            itertools.combinations(others, k) for k in range(order + 1)
        ):
            rho, dof = partial_correlation(rows, a, b, given_), 25 - len(given_) - 2
            expected = max(expected, 2 * stats.t.sf(abs(rho) * np.sqrt(dof / (1 - rho**2)), dof))
        assert found[a, b] == pytest.approx(expected, abs=1e-9)


@settings(deadline=None, max_examples=60)
@given(undirected_graphs(min_nodes=1, max_nodes=7))
def test_the_0_1_graph_of_an_undirected_truth_contains_it(truth):
    graph = sl.LowOrderGraph(correction="none").fit(sl.Oracle(truth)).graph_

    found, true = ({frozenset(pair) for pair in g.undirected} for g in (graph, truth))
    assert true <= found


@pytest.mark.parametrize("seed", range(30))
def test_the_0_1_graph_of_a_tree_is_the_tree(seed):
    rng = np.random.default_rng(seed)
    names = [f"v{i}" for i in range(8)]
    tree = sl.Graph(names, undirected=[(names[rng.integers(i)], names[i]) for i in range(1, 8)])

    assert sl.LowOrderGraph().fit(sl.Oracle(tree)).graph_ == tree


@pytest.mark.parametrize("correction", ["bh", "holm", "bonferroni"])
def test_adjusted_p_values_make_the_decisions_of_the_step_procedures(correction):
    rng = np.random.default_rng(0)
    p = np.concatenate([rng.random(30), rng.random(10) / 500])
    n, order = len(p), np.argsort(p)
    for level in (0.01, 0.05, 0.2):
        rank = np.arange(1, n + 1)
        if correction == "bonferroni":
            expected = set(np.flatnonzero(p <= level / n))
        elif correction == "bh":
            below = np.flatnonzero(p[order] <= rank * level / n)
            expected = set(order[: below[-1] + 1]) if len(below) else set()
        else:
            above = np.flatnonzero(p[order] > level / (n - rank + 1))
            expected = set(order[: above[0]]) if len(above) else set(range(n))
        assert set(np.flatnonzero(adjusted(p, correction) <= level)) == expected


def test_discrete_columns_are_joined_too():
    data = sl.example("asia").sample(5000, random_state=0)

    graph = sl.LowOrderGraph().fit(data).graph_

    assert graph.edge("smoke", "bronc") is not None
    assert graph.edge("asia", "smoke") is None


@pytest.mark.parametrize("kind", [float, str])
@pytest.mark.parametrize("order", [0, 1])
def test_pairs_that_there_is_no_time_for_are_not_joined(kind, order):
    numbers = np.random.default_rng(0).integers(0, 2, (4, 50))
    table = {name: column.astype(kind) for name, column in zip("abcd", numbers, strict=True)}

    learner = sl.LowOrderGraph(order=order, time_limit=1e-9).fit(table)

    assert learner.status_.startswith("Stopped at time_limit")
    assert learner.graph_.edges == ()
    assert (learner.p_values_ == 1.0).all()


def test_too_few_rows_are_refused():
    with pytest.raises(sl.DataError, match="3 rows are too few"):
        sl.LowOrderGraph().fit({"a": [0.1, 0.5, 2.0], "b": [1.5, 0.25, 1.0]})


@pytest.mark.parametrize("options", [{}, {"order": 0}, {"test": "fisher-z"}], ids=str)
def test_rows_are_enough_by_their_weights(options):
    rows = np.random.default_rng(0).normal(size=(4, 3))
    few, many = (dict(zip("abc", table.T, strict=True)) for table in (rows, np.repeat(rows, 50, axis=0)))

    found = sl.LowOrderGraph(**options).fit(sl.Dataset(few, weights=[50.0] * 4))

    assert found.p_values_ == pytest.approx(sl.LowOrderGraph(**options).fit(many).p_values_, rel=1e-6)
    with pytest.raises(sl.DataError, match=r"LowOrderGraph: 2\.5 rows are too few; it takes 5"):
        sl.LowOrderGraph(**options).fit(
            sl.Dataset({"a": np.arange(10.0) ** 2, "b": np.sin(np.arange(10.0))}, weights=[1.6, *[0.1] * 9])
        )


def test_columns_that_nearly_repeat_each_other_are_tested_as_the_exact_test_does():
    rng = np.random.default_rng(0)
    shared, own, more, last = rng.normal(size=(4, 500))
    table = {"x": shared + 5e-4 * own, "y": shared + 5e-4 * (own + more), "z": shared + 5e-4 * last}

    found, asked = (sl.LowOrderGraph(test=test).fit(table) for test in (None, "t"))

    assert found.graph_ == asked.graph_ == sl.Graph("xyz", undirected=["xy", "xz"])
    assert found.p_values_ == pytest.approx(asked.p_values_, rel=1e-5)


@pytest.mark.filterwarnings("ignore:.*a single value:structlearn.DataWarning")
@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("kind", ["discrete", "continuous"])
def test_columns_that_never_vary_change_no_p_value(kind, order):
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(60, 4))
    rows[:, 1] += 0.5 * rows[:, 0]
    rows = rows if kind == "continuous" else np.where(rows > 0, "up", "down")
    table = dict(zip("abcd", rows.T, strict=True))
    more = {name: np.ones(60) if kind == "continuous" else ["same"] * 60 for name in "klmn"}

    plain, beside = (
        sl.LowOrderGraph(order=order, alpha=1.0).fit(columns) for columns in (table, more | table)
    )

    assert {**beside.evidence_} == {**plain.evidence_}
    assert beside.graph_.nodes == (*more, *table)
    assert beside.p_values_[4:, 4:].tolist() == plain.p_values_.tolist()
