"""Residual ordering tells cause from effect along curves, and says where nothing does."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.independence.gaussian_kernels import independence_of, usual_kernel
from structlearn.numerics.kernel_regression import cross_fitted_residuals


def cubic(rng, n_rows):
    x = rng.uniform(-1.5, 1.5, n_rows)
    return {"y": x + x**3 + rng.uniform(-1, 1, n_rows), "x": x}


def bent(rng, n_rows):
    x = rng.normal(size=n_rows)
    return {"y": np.tanh(2 * x) + 0.3 * rng.normal(size=n_rows), "x": x}


@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
@pytest.mark.parametrize("table", [cubic, bent])
def test_causes_are_told_from_effects_along_curves(table):
    rng = np.random.default_rng(1)

    found = [sl.ResidualOrdering().fit(table(rng, 200)).graph_.directed for _ in range(15)]

    assert found.count((("x", "y"),)) >= 14


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
@pytest.mark.parametrize("table", [cubic, bent])
def test_causes_are_told_from_effects_in_sixty_tables(table):
    # docs/references/continuous.md, Additive noise
    rng = np.random.default_rng(0)

    assert sum(sl.ResidualOrdering().fit(table(rng, 200)).order_ == ("x", "y") for _ in range(60)) >= 57


def test_lines_with_gaussian_noise_fit_either_way_and_it_is_said():
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)

    with pytest.warns(sl.DataWarning, match="either direction of . and . fits"):
        found = sl.ResidualOrdering().fit({"x": x, "y": x + rng.normal(size=200)})

    assert found.graph_.skeleton().undirected == (("x", "y"),)


def test_a_common_cause_that_is_missing_is_warned_of():
    rng = np.random.default_rng(0)
    hidden = rng.uniform(0, 2 * np.pi, 300)
    table = {"a": np.cos(hidden), "b": np.sin(hidden) + 0.1 * rng.normal(size=300)}

    with pytest.warns(sl.DataWarning, match="nothing that is left is independent .* common cause"):
        sl.ResidualOrdering().fit(table)


@pytest.fixture(scope="module")
def curved():
    """a → b → d ← c, in curves."""
    rng = np.random.default_rng(3)
    a, c = rng.uniform(-2, 2, (2, 300))
    b = np.sin(a) * 2 + 1.5 * rng.uniform(-1, 1, 300)
    return {"d": b**2 / 2 + np.abs(c) + 0.3 * rng.uniform(-1, 1, 300), "c": c, "b": b, "a": a}


def test_a_dag_of_curves_is_found_with_evidence(curved):
    found = sl.ResidualOrdering().fit(curved)

    assert set(found.graph_.directed) == {("a", "b"), ("b", "d"), ("c", "d")}
    assert max(evidence.p_value for evidence in found.evidence_.values()) <= 0.01
    assert np.isnan(found.independence_).sum() == 1  # that of the first


@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_knowledge_settles_order_and_parents(curved):
    known = sl.Knowledge(tiers=[["d"], ["a", "b", "c"]], required=[("d", "a")], forbidden=[("d", "c")])

    found = sl.ResidualOrdering(knowledge=known).fit(curved)

    assert found.order_[0] == "d"
    assert ("d", "a") in found.graph_.directed
    assert ("d", "c") not in found.graph_.directed
    assert found.evidence_["d", "a"].p_value is None


def test_only_so_many_rows_are_used(curved):
    thinned = sl.ResidualOrdering(max_rows=100).fit(curved).independence_

    assert not np.array_equal(thinned, sl.ResidualOrdering().fit(curved).independence_, equal_nan=True)


def test_weights_are_refused(curved):
    with pytest.raises(sl.DataError, match="takes no weights of rows"):
        sl.ResidualOrdering().fit(sl.Dataset(curved, weights=np.tile([1.0, 2.0], 150)))


def test_regressions_leave_the_noise_of_a_curve():
    rng = np.random.default_rng(0)
    x, noise = rng.uniform(-2, 2, 400), 0.2 * rng.normal(size=400)

    left = cross_fitted_residuals(x[:, None], np.sin(2 * x) + noise)

    assert np.corrcoef(left, noise)[0, 1] > 0.95
    assert cross_fitted_residuals(np.empty((400, 0)), x).std() == pytest.approx(x.std(), rel=0.01)


def test_the_criterion_holds_its_level_and_sees_a_circle():
    rng = np.random.default_rng(0)
    p_values = []
    for _ in range(200):
        one, other = (usual_kernel(rng.normal(size=(40, k))) for k in (1, 2))
        p_values.append(independence_of(one, other)[0])
    angle = rng.uniform(0, 2 * np.pi, 100)

    assert 2 <= (np.array(p_values) <= 0.05).sum() <= 20
    circle = (usual_kernel(values[:, None]) for values in (np.cos(angle), np.sin(angle)))
    assert independence_of(*circle)[0] < 0.01
