"""Likelihoods of log-linear models equal enumeration, exactly or as nearly as they promise."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.numerics import junction_tree
from structlearn.numerics.log_linear.bethe_likelihood import BetheLikelihood
from structlearn.numerics.log_linear.exact_likelihood import ExactLikelihood
from structlearn.numerics.log_linear.indicators import Indicators
from structlearn.numerics.log_linear.pseudo_likelihood import PseudoLikelihood
from structlearn.numerics.sparse_optimum import sparse_optimum
from structlearn.statistics import from_dataset
from tests.oracles import log_linear as oracle

# From docs/references/models.md#log-linear-models and docs/references/regression.md#log-linear-fields and
# #feature-induction: counts of three binary columns, the last one fastest.
COUNTS = [10, 20, 15, 5, 8, 12, 30, 20]
A, B, C = ("a", 1), ("b", 1), ("c", 1)


@pytest.fixture
def worked():
    rows = np.array(list(itertools.product([0, 1], repeat=3)))
    return sl.Dataset(dict(zip("abc", rows.T, strict=True)), weights=COUNTS)


def test_slopes_and_gains_of_the_references(worked):
    indicators = Indicators.of(from_dataset(worked))
    candidates = np.array([[0, 1, 3], [0, 2, 3], [1, 2, 3], [0, 1, 2]])
    singles = indicators.singletons(3)
    shares = indicators.means(singles)
    independent = ExactLikelihood(indicators, singles)
    weights = np.log(shares / (1 - shares))

    slopes = 120 * independent.slopes(weights, candidates)
    gains = 120 * independent.gains(weights, candidates, 2 / 120)

    assert slopes == pytest.approx([9.1666667, -1.25, -8.25, 0.6041667], abs=1e-6)
    assert gains == pytest.approx([0.92969, 0, 0.84804, 0], abs=6e-6)
    first = ExactLikelihood(indicators, np.concatenate([singles, candidates[:1]]))
    found = sparse_optimum(first, np.append(weights, 0.0), np.array([0, 0, 0, 2 / 120]))
    assert 120 * first.slopes(found, candidates[1:]) == pytest.approx([-1.25, -8.25, -2.8], abs=1e-5)
    assert 120 * first.gains(found, candidates[1:], 2 / 120) == pytest.approx([0, 0.84804, 0.01749], abs=6e-6)


def test_slopes_at_the_optimum_of_the_references(worked):
    indicators = Indicators.of(from_dataset(worked))
    features = np.array([[0, 3, 3], [1, 3, 3], [2, 3, 3], [0, 1, 3], [1, 2, 3]])
    weights = np.array([-0.2411621, 0.1878335, 0.4054651, 1.0213206, -0.8708284])

    for likelihood in (ExactLikelihood(indicators, features), BetheLikelihood(indicators, features)):
        slopes = 120 * likelihood.slopes(weights, np.array([[0, 2, 3]]))
        assert slopes == pytest.approx([0.2857143], abs=1e-5)
    triple = 120 * ExactLikelihood(indicators, features).slopes(weights, np.array([[0, 1, 2]]))
    assert triple == pytest.approx([1.4857143], abs=1e-5)


FEATURES = [
    {0: 1}, {1: 1}, {2: 1}, {2: 2}, {3: 1}, {0: 1, 1: 1}, {1: 1, 2: 0}, {0: 1, 2: 2}, {2: 1, 3: 1},
    {0: 1, 1: 1, 3: 1},
]  # fmt: skip
LEVELS = [2, 2, 3, 2]


def indicators_of(rows):
    data = sl.Dataset(
        {f"x{j}": column for j, column in enumerate(rows.T)},
        kinds={f"x{j}": "discrete" for j in range(rows.shape[1])},
    )
    return Indicators.of(from_dataset(data))


def as_array(indicators, features, width=3):
    """Features as rows of indicators, found by their column and state."""
    known = {
        (int(c), int(s)): k for k, (c, s) in enumerate(zip(indicators.column, indicators.state, strict=True))
    }
    filled = [
        sorted(known[where] for where in feature.items()) + [indicators.constant] * width
        for feature in features
    ]
    return np.array([row[:width] for row in filled])


@pytest.mark.parametrize("few_cells", [1, 1024], ids=["junction tree", "one table"])
@settings(deadline=None, max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_values_slopes_and_means_are_those_of_enumeration(few_cells, seed):
    rng = np.random.default_rng(seed)
    rows = np.concatenate([rng.integers(0, LEVELS, (30, 4)), oracle.states(LEVELS)])
    weights = rng.normal(size=len(FEATURES))
    indicators = indicators_of(rows)
    features = as_array(indicators, FEATURES)
    shares = {
        tuple(row): n / len(rows) for row, n in zip(*np.unique(rows, axis=0, return_counts=True), strict=True)
    }
    before, junction_tree.FEW_CELLS = junction_tree.FEW_CELLS, few_cells
    try:
        exact = ExactLikelihood(indicators, features)
    finally:
        junction_tree.FEW_CELLS = before
    value, gradient = exact.at(weights)
    joint = oracle.probabilities(LEVELS, FEATURES, weights)

    assert value == pytest.approx(oracle.log_likelihood(LEVELS, shares, FEATURES, weights), abs=1e-10)
    expected = [oracle.mean(shares, feature) - oracle.mean(joint, feature) for feature in FEATURES]
    assert gradient == pytest.approx(expected, abs=1e-10)
    others = [{0: 1, 3: 1}, {1: 1, 3: 1}, {0: 1, 1: 1, 2: 0}, {1: 1, 2: 1, 3: 1}]
    means = exact.means(weights, as_array(indicators, others))
    assert means == pytest.approx([oracle.mean(joint, feature) for feature in others], abs=1e-10)
    pseudo_value, pseudo_gradient = PseudoLikelihood(indicators, features).at(weights)

    def pseudo(given):
        return oracle.log_pseudo_likelihood(LEVELS, shares, FEATURES, given)

    assert pseudo_value == pytest.approx(pseudo(weights), abs=1e-10)
    slopes = [oracle.slope(pseudo, weights, k) for k in range(len(weights))]
    assert pseudo_gradient == pytest.approx(slopes, abs=1e-7)


def test_a_tree_of_many_columns_is_exact_for_both_kinds_of_inference():
    rng = np.random.default_rng(0)
    rows = np.concatenate([rng.integers(0, 2, (50, 11)), [[0] * 11], [[1] * 11]])
    features = [{j: 1} for j in range(11)] + [{j: 1, (j - 1) // 2: 1} for j in range(1, 11)]
    weights = rng.normal(size=len(features))
    indicators = indicators_of(rows)
    array = as_array(indicators, features, width=2)
    joint = oracle.probabilities([2] * 11, features, weights)
    far = as_array(indicators, [{3: 1, 10: 1}, {0: 1, 9: 1}], width=2)

    for likelihood in (ExactLikelihood(indicators, array), BetheLikelihood(indicators, array)):
        value, _ = likelihood.at(weights)
        expected = indicators.means(array) @ weights - oracle.log_z([2] * 11, features, weights)
        assert value == pytest.approx(expected, abs=1e-8)
        means = likelihood.means(weights, far)
        assert means == pytest.approx([oracle.mean(joint, {3: 1, 10: 1}), oracle.mean(joint, {0: 1, 9: 1})])
