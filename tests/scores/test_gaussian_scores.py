"""The Gaussian BIC: regression on the rows, hand calculations, degenerate families."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.scores import FamilyScores, GaussianBIC
from structlearn.statistics import from_dataset
from tests.oracles import scores as oracle
from tests.oracles.reference_data import T3


# Totals of T3, from docs/references/scores.md#gaussian-scores.
@pytest.mark.parametrize(
    ("arcs", "expected"),
    [
        ([], -41.413191),
        ([("x", "y")], -38.828910),
        ([("y", "x")], -38.828910),
        ([("y", "x"), ("z", "x")], -28.491442),
        ([("y", "x"), ("z", "x"), ("y", "z")], -28.544614),
    ],
)
def test_bic_of_three_columns_is_the_hand_calculated_one(arcs, expected):
    assert sl.score(sl.Graph("xyz", directed=arcs), T3, "bic") == pytest.approx(expected, abs=1e-6)


@settings(deadline=None)
@given(seed=st.integers(0, 2**31), family=st.permutations(range(5)), n_parents=st.integers(0, 4))
def test_families_score_as_regressions_on_the_rows(seed, family, n_parents):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(30, 5)) @ rng.normal(size=(5, 5)) + rng.normal(size=5) * 10
    child, *parents = family[: n_parents + 1]
    statistics = from_dataset(sl.Dataset({f"c{j}": rows[:, j] for j in range(5)}))

    score = FamilyScores(GaussianBIC(), statistics).local(child, parents)

    assert score == pytest.approx(oracle.gaussian_bic(rows, child, parents), abs=1e-6)


def test_a_batch_shares_work_between_families_without_changing_them():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(100, 6)) @ rng.normal(size=(6, 6))
    statistics = from_dataset(sl.Dataset({f"c{j}": rows[:, j] for j in range(6)}))
    families = np.array([(0, 1, 2, u) for u in (3, 4, 5)] + [(0, 1, 3, 4), (0, 2, 3, 4), (5, 2, 3, 4)])

    batch = GaussianBIC().local(statistics, families)

    expected = [oracle.gaussian_bic(rows, child, parents) for child, *parents in families]
    np.testing.assert_allclose(batch, expected, rtol=1e-10)


def test_collinear_and_impossible_families_score_minus_infinity_and_constants_zero():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 40))
    columns = {"a": a, "b": b, "sum": a + b, "constant": np.full(40, 2.0), "c": rng.normal(size=40)}
    statistics = from_dataset(sl.Dataset(columns, kinds={"constant": "continuous"}))
    families = FamilyScores(GaussianBIC(), statistics)

    assert families.local(2, [0, 1]) == -np.inf
    assert families.local(4, [0, 1, 2]) == -np.inf
    assert families.local(3, []) == 0.0
    assert families.local(3, [0]) == -np.inf
    assert families.local(0, [3]) == -np.inf
    assert np.isfinite(families.local(2, [0, 4]))


def test_too_few_rows_for_a_family_score_minus_infinity():
    rng = np.random.default_rng(0)
    statistics = from_dataset(sl.Dataset({f"c{j}": rng.normal(size=4) for j in range(5)}))

    assert FamilyScores(GaussianBIC(), statistics).local(0, [1, 2, 3]) == -np.inf


@pytest.mark.parametrize("origin", [0.0, 1e3])
@pytest.mark.parametrize("seed", range(3))
def test_as_few_rows_as_coefficients_score_nothing_whatever_their_weights(origin, seed):
    rng = np.random.default_rng(seed)
    table = {name: rng.normal(size=4) * 1e-6 + origin for name in "abcd"}
    weighted = sl.Dataset(table, weights=rng.random(4) * 3.0 + 0.5)
    families = FamilyScores(GaussianBIC(), from_dataset(weighted))

    assert families.local(0, [1, 2, 3]) == -np.inf  # 4 coefficients go through 4 points
    assert np.isfinite(families.local(0, [1, 2]))
    learner = sl.ExactSearch(score="bic").fit(weighted)
    assert learner.score_ == pytest.approx(sl.score(learner.graph_, weighted, "bic"))
    assert learner.certificate().check(weighted).holds


def test_few_rows_with_weights_score_as_the_same_rows_repeated():
    table = np.random.default_rng(0).normal(size=(4, 4))
    columns, times = {f"c{j}": table[:, j] for j in range(4)}, np.array([3, 2, 4, 1])
    weighted = FamilyScores(GaussianBIC(), from_dataset(sl.Dataset(columns, weights=times)))
    repeated = {name: np.repeat(column, times) for name, column in columns.items()}
    plain = FamilyScores(GaussianBIC(), from_dataset(sl.Dataset(repeated)))

    for parents in ([], [1], [1, 2], [1, 2, 3]):
        assert weighted.local(0, parents) == pytest.approx(plain.local(0, parents))


def test_a_single_row_is_constant_however_often_it_counts():
    statistics = from_dataset(sl.Dataset({"a": [1.5], "b": [2.5]}, weights=[5.0]))

    assert FamilyScores(GaussianBIC(), statistics).local(0, []) == 0.0
