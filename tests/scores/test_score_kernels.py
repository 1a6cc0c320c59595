"""Kernels of scores agree with their definitions, table by table and regression by regression."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.scores.kernels import by_arrays
from structlearn.scores.kernels.discrete import (
    dirichlet_evidence,
    laplace_evidence,
    log_likelihoods,
    observed_states,
    parent_states,
    weighted_log_likelihoods,
)
from structlearn.scores.kernels.gaussian import (
    likelihoods_within_groups,
    n_shared_parents,
    residual_variances,
    variances_and_determinants,
)
from structlearn.scores.kernels.table_pairs import pair_table_gains

TOLERANCE = 1e-10
SHAPES = st.lists(st.tuples(st.integers(1, 3), st.integers(1, 4), st.integers(1, 4)), min_size=1, max_size=4)


@st.composite
def batches(draw, *, weighted=False):
    """Tables (stratum, child, last parent) one after another, as kernels take them."""
    shapes = draw(SHAPES)
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    tables = [rng.poisson(1.5, shape) for shape in shapes]
    tables = [table * 0.5 for table in tables] if weighted else tables
    counts = np.concatenate([table.ravel() for table in tables])
    starts = np.concatenate([[0], np.cumsum([table.size for table in tables])[:-1]]).astype(np.int64)
    strata, child, parent = (np.array(column) for column in zip(*shapes, strict=True))
    return tables, (counts, starts, strata, child, parent), rng


def states(table):
    """The counts of the child in each state of the parents."""
    return [table[s, :, p] for s, p in itertools.product(range(table.shape[0]), range(table.shape[2]))]


def log_likelihood(table):
    return sum(n * math.log(n / state.sum()) for state in states(table) for n in state if n > 0)


def evidence(counts, alpha):
    total = math.lgamma(len(counts) * alpha) - math.lgamma(len(counts) * alpha + counts.sum())
    return total + sum(math.lgamma(alpha + n) - math.lgamma(alpha) for n in counts)


@settings(deadline=None)
@given(batches())
def test_likelihoods_are_sums_of_n_log_share(batch):
    tables, arrays, _ = batch
    out, n_log_n = np.empty(len(tables)), np.zeros(1000)
    n_log_n[1:] = np.arange(1, 1000) * np.log(np.arange(1, 1000))

    log_likelihoods(*arrays, n_log_n, out)

    assert out == pytest.approx(np.array([log_likelihood(table) for table in tables]), abs=1e-9)


@settings(deadline=None, max_examples=30)
@given(batches())
def test_likelihoods_by_arrays_are_those_of_the_loops_to_the_bit(batch):
    tables, arrays, _ = batch
    n_log_n = np.zeros(1000)
    n_log_n[1:] = np.arange(1, 1000) * np.log(np.arange(1, 1000))
    in_loops, by_arrays_of_numpy = np.empty(len(tables)), np.empty(len(tables))

    getattr(log_likelihoods, "py_func", log_likelihoods)(*arrays, n_log_n, in_loops)
    by_arrays.log_likelihoods(*arrays, n_log_n, by_arrays_of_numpy)

    assert by_arrays_of_numpy.tolist() == in_loops.tolist()


@settings(deadline=None)
@given(batches(weighted=True))
def test_likelihoods_of_weights_are_the_same_sums(batch):
    tables, arrays, _ = batch
    out = np.empty(len(tables))

    weighted_log_likelihoods(*arrays, out)

    assert out == pytest.approx(np.array([log_likelihood(table) for table in tables]), abs=1e-9)


@settings(deadline=None)
@given(batches())
def test_evidence_is_that_of_every_state_of_the_parents(batch):
    tables, arrays, rng = batch
    out, prior = np.empty(len(tables)), rng.random(len(tables)) + 0.05

    dirichlet_evidence(*arrays, prior, out)

    for i, table in enumerate(tables):
        assert out[i] == pytest.approx(sum(evidence(s, prior[i]) for s in states(table)), abs=1e-9)


@settings(deadline=None)
@given(batches())
def test_states_that_occur_are_counted_and_none_is_one(batch):
    tables, arrays, _ = batch
    out = np.empty(len(tables))

    observed_states(*arrays, out)

    assert out.tolist() == [max(1, sum(s.sum() > 0 for s in states(table))) for table in tables]


@pytest.mark.parametrize("write", [parent_states, by_arrays.parent_states], ids=["loops", "arrays"])
def test_states_of_the_parents_are_products_of_levels_beyond_integers(write):
    levels, out = np.full(80, 10), np.empty(2)
    families = np.array([range(71), [0] + [1] * 70])

    write(levels, families, out)

    assert out == pytest.approx([1e70, 1e70])


@settings(deadline=None)
@given(batches(), st.booleans(), st.booleans())
def test_laplace_is_the_gaussian_integral_at_the_mode_of_every_state(batch, in_theta, is_diagonal):
    tables, arrays, _ = batch
    out, prior = np.empty(len(tables)), np.full(len(tables), 1.5)

    laplace_evidence(*arrays, prior, in_theta, is_diagonal, out)

    for i, table in enumerate(tables):
        wanted = sum(laplace(s, 1.5, in_theta, is_diagonal) for s in states(table) if s.sum() > 0)
        assert out[i] == pytest.approx(wanted, abs=1e-8)


def laplace(counts, alpha, in_theta, is_diagonal):
    """By the Hessian itself, at the mode (docs/references/scores.md#laplace)."""
    m = counts + alpha - in_theta
    r, total = len(m), m.sum()
    theta = m / total
    if in_theta:
        hessian = np.diag(m[:-1] / theta[:-1] ** 2) + m[-1] / theta[-1] ** 2
    else:
        hessian = total * (np.diag(theta[:-1]) - np.outer(theta[:-1], theta[:-1]))
    log_determinant = np.log(np.diag(hessian)).sum() if is_diagonal else np.linalg.slogdet(hessian)[1]
    value = math.lgamma(r * alpha) - r * math.lgamma(alpha) + m @ np.log(theta)
    return value + 0.5 * (r - 1) * math.log(2 * math.pi) - 0.5 * log_determinant


def covariance_of(seed, n_columns=5):
    rows = np.random.default_rng(seed).normal(size=(40, n_columns))
    rows[:, 1:] += 0.5 * rows[:, :-1]
    return np.cov(rows, rowvar=False, bias=True)


def residual(covariance, child, parents):
    """By the determinants of the family and of the parents."""
    family = [child, *parents]
    whole = np.linalg.det(covariance[np.ix_(family, family)])
    return whole / np.linalg.det(covariance[np.ix_(parents, parents)])


@settings(deadline=None)
@given(st.integers(0, 1000), st.integers(0, 4), st.data())
def test_residual_variances_are_ratios_of_determinants(seed, n_parents, data):
    covariance = covariance_of(seed)
    rows = data.draw(st.lists(st.permutations(range(5)), min_size=1, max_size=8))
    families = np.array([row[: n_parents + 1] for row in rows], dtype=np.int64)
    out, variances, determinants = (np.empty(len(families)) for _ in range(3))

    residual_variances(covariance, families, TOLERANCE, out)
    variances_and_determinants(covariance, families, TOLERANCE, variances, determinants)

    wanted = [residual(covariance, child, list(parents)) for child, *parents in families.tolist()]
    assert out == pytest.approx(np.array(wanted))
    assert variances == pytest.approx(np.array(wanted))
    for (_, *parents), found in zip(families.tolist(), determinants, strict=True):
        assert found == pytest.approx(np.linalg.slogdet(covariance[np.ix_(parents, parents)])[1], abs=1e-9)


def test_what_the_parents_determine_has_no_variance_left():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 30))
    covariance = np.cov([a, b, a + b, a], bias=True)
    families = np.array([[2, 0, 1], [1, 0, 3], [1, 0, 2], [1, 2, 0]])
    out = np.empty(4)

    residual_variances(covariance, families, TOLERANCE, out)

    assert out.tolist() == [0.0] * 4  # determined, collinear parents, determined, determined


def test_first_parents_are_shared_with_the_family_before_of_the_same_child():
    families = np.array([[0, 1, 2, 3], [0, 1, 2, 4], [0, 1, 3, 4], [1, 1, 3, 4], [1, 1, 3, 4]])

    assert [n_shared_parents(families, i) for i in range(5)] == [0, 2, 1, 0, 3]


@settings(deadline=None)
@given(st.integers(0, 1000))
def test_likelihoods_in_groups_are_those_of_a_regression_in_each(seed):
    rng = np.random.default_rng(seed)
    groups = [rng.normal(size=(n, 3)) @ rng.normal(size=(3, 3)) for n in (12, 3, 8)]
    apart = [rows - rows.mean(axis=0) for rows in groups]
    sizes = np.array([[len(rows) for rows in groups]], dtype=float)
    products = np.array([[rows.T @ rows for rows in apart]])
    out, is_sparse = np.empty(1), np.empty((1, 3), dtype=np.bool_)

    likelihoods_within_groups(sizes, products, TOLERANCE, out, is_sparse)

    wanted = 0.0
    for rows in (groups[0], groups[2]):
        design = np.column_stack([np.ones(len(rows)), rows[:, 1:]])
        left = rows[:, 0] - design @ np.linalg.lstsq(design, rows[:, 0], rcond=None)[0]
        wanted -= 0.5 * len(rows) * (math.log(2 * math.pi * (left**2).mean()) + 1)
    assert out[0] == pytest.approx(wanted)
    assert is_sparse.tolist() == [[False, True, False]]  # three rows for three coefficients


@settings(deadline=None)
@given(st.integers(0, 1000), st.integers(1, 130), st.sampled_from([0.0, 0.7]), st.integers(0, 10))
def test_a_lone_arc_gains_what_the_rows_of_its_table_say(seed, n_rows, price, first):
    rng, levels = np.random.default_rng(seed), np.array([2, 3, 1, 4, 2, 2, 5, 3, 2, 2, 3, 1])
    codes = np.array([rng.integers(0, n, n_rows) for n in levels])
    is_level = np.concatenate([codes[j] == np.arange(n)[:, None] for j, n in enumerate(levels)])
    masks = np.zeros((len(is_level), -(-n_rows // 64)), dtype=np.uint64)
    packed = np.packbits(is_level, axis=1, bitorder="little")
    masks.view(np.uint8)[:, : packed.shape[1]] = packed
    n = np.arange(n_rows + 1.0)
    n_log_n, alone, gains = n * np.log(np.maximum(n, 1.0)), rng.normal(size=12), np.zeros((12, 12))

    rows, room = (masks, np.cumsum(levels) - levels, levels, is_level.sum(axis=1)), np.empty((5, 5), np.int64)
    pair_table_gains(*rows, n_log_n, price, alone, first, 12, room, gains)

    for child, parent in itertools.product(range(12), repeat=2):
        wanted = 0.0
        if first <= child < parent:
            pairs = list(zip(codes[child], codes[parent], strict=True))
            of_rows = [pairs.count(pair) / codes[parent].tolist().count(pair[1]) for pair in pairs]
            wanted = sum(map(math.log, of_rows)) - price * levels[parent] * (levels[child] - 1) - alone[child]
        assert gains[child, parent] == pytest.approx(wanted, abs=1e-9)
