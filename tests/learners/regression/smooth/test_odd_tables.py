"""NOTEARS and DAGMA on tables that break things: units, near copies, few rows, weights, constants."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import linalg, stats

import structlearn as sl
from structlearn.numerics import acyclicity
from structlearn.numerics.varsortability import varsortability

BOTH = pytest.mark.parametrize("learner", [sl.NOTEARS, sl.DAGMA])


def chain(n_rows=200, seed=0):
    """a → b → c, in lines, with as much noise as effect."""
    rng = np.random.default_rng(seed)
    a, of_b, of_c = rng.normal(size=(3, n_rows))
    return {"a": a, "b": a + of_b, "c": a + of_b + 1.5 * of_c}


@given(st.floats(-1.3, 1.3), st.floats(-0.7, 0.7))
def test_a_cycle_of_two_has_the_measures_by_hand(there, back):
    weights = np.array([[0.0, there], [back, 0.0]])
    walk = (there * back) ** 2

    assert acyclicity.exponential(weights)[0] == pytest.approx(2 * np.cosh(np.sqrt(walk)) - 2, abs=1e-12)
    assert acyclicity.polynomial(weights)[0] == pytest.approx(walk / 2, abs=1e-12)
    assert acyclicity.log_determinant(weights, 1.0)[0] == pytest.approx(-np.log1p(-walk), abs=1e-12)


def test_sizes_that_differ_by_rounding_are_equal_and_the_longest_path_counts():
    along = np.eye(4, k=1, dtype=bool)  # 0 → 1 → 2 → 3: three paths of one arc, two of two, one of three

    assert varsortability(along, np.array([0.0, 1e-16, -1e-16, 1e-15])) == 0.5
    assert varsortability(along, np.array([0.0, 1e-6, 2e-6, 3e-6])) == 1.0
    assert varsortability(along, np.array([1.0, 2.0, 3.0, 0.0])) == 3 / 6
    assert varsortability(along, np.array([0.0, 1.0, 2.0, 2.0])) == 5.5 / 6


@BOTH
@pytest.mark.parametrize("seed", range(3))
def test_columns_that_were_standardised_before_are_not_sorted_by_their_variances(learner, seed):
    table = {name: (column - column.mean()) / column.std() for name, column in chain(37, seed).items()}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = learner(standardise=False).fit(table)

    assert found.varsortability_ == 0.5
    assert found.graph_ == learner().fit(table).graph_


@BOTH
def test_effects_are_those_of_least_squares_in_the_units_of_the_columns(learner):
    table = chain() | {"c": 1e9 * chain()["c"]}
    found = learner().fit(table)

    assert found.graph_.skeleton().undirected == (("a", "b"), ("b", "c"))
    for i, child in enumerate("abc"):
        parents = found.graph_.parents(child)
        design = np.column_stack([np.ones(200), *(table[parent] for parent in parents)])
        slopes = np.linalg.lstsq(design, table[child], rcond=None)[0][1:]
        effects = dict(zip("abc", found.coefficients_[i], strict=True))
        assert [effects[parent] for parent in parents] == pytest.approx(slopes, rel=1e-6)
        assert {name for name, effect in effects.items() if effect} == set(parents)


@BOTH
@pytest.mark.parametrize("threshold", [0.0, 0.3, 0.6, 5.0])
def test_an_arc_is_a_weight_that_reaches_the_threshold(learner, threshold):
    found = learner(threshold=threshold, penalty=0.01).fit(chain())
    arcs = {("abc".index(child), "abc".index(parent)) for parent, child in found.graph_.directed}

    assert found.graph_.is_dag
    assert arcs <= {(int(i), int(j)) for i, j in np.argwhere(np.abs(found.optimum_) >= threshold)}
    assert arcs if threshold < 0.5 else len(arcs) <= 2
    assert not np.diag(found.optimum_).any()


@BOTH
def test_a_weight_of_just_the_threshold_makes_an_arc(learner):
    largest = np.abs(learner().fit(chain()).optimum_).max()

    assert len(learner(threshold=float(largest)).fit(chain()).graph_.directed) == 1
    assert not learner(threshold=float(np.nextafter(largest, 9.0))).fit(chain()).graph_.edges


def test_what_is_left_of_cycles_is_that_of_the_optimum():
    found = sl.NOTEARS(tolerance=0.5, penalty=0.01).fit(chain())
    walks = linalg.expm(np.square(found.optimum_))
    left = (np.eye(3) - found.optimum_) @ stats.zscore(np.array(list(chain().values())), axis=1)

    assert found.cyclicity_ == pytest.approx(np.trace(walks) - 3)
    assert 1e-6 < found.cyclicity_ <= 0.5
    assert found.loss_ == pytest.approx(0.5 * np.square(left).sum() / 200)


@BOTH
def test_rows_that_count_twice_are_rows_that_are_there_twice(learner):
    often = np.arange(60) % 3 + 1
    table = chain(60)
    weighed = learner().fit(sl.Dataset(table, weights=often))
    repeated = learner().fit({name: np.repeat(column, often) for name, column in table.items()})

    assert weighed.graph_ == repeated.graph_
    assert weighed.coefficients_ == pytest.approx(repeated.coefficients_, rel=1e-9)
    assert weighed.loss_ == pytest.approx(repeated.loss_, rel=1e-9)


@BOTH
def test_near_copies_are_joined_and_a_constant_is_alone(learner):
    rng = np.random.default_rng(0)
    a, e, little = rng.normal(size=(3, 100))
    table = {"a": a, "copy": a + 1e-4 * little, "still": np.full(100, 2.5), "e": e}
    with pytest.warns(sl.DataWarning, match="'still' has a single value"):
        found = learner().fit(sl.Dataset(table, kinds={"still": "continuous"}))

    assert found.graph_.skeleton().undirected == (("a", "copy"),)
    assert found.graph_.is_dag
    assert np.isfinite(found.coefficients_).all()


@BOTH
def test_two_rows_or_one_column_have_no_arcs(learner):
    kinds = {"a": "continuous", "b": "continuous"}
    with pytest.warns(sl.DataWarning, match="the table has 2 rows"):
        two = learner().fit(sl.Dataset({"a": [1.0, 2.0], "b": [2.0, 1.0]}, kinds=kinds))

    assert not two.graph_.edges
    alone = learner().fit({"a": chain()["a"]})
    assert alone.loss_ == pytest.approx(0.5)  # half of the variance, by hand
    assert alone.cyclicity_ == 0.0
