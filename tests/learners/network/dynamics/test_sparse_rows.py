"""The lasso of many targets on one Gram matrix, in both of its forms."""

import numpy as np
import pytest
from sklearn.linear_model import Lasso

from structlearn.learners.network.dynamics.sparse_rows import (
    Design,
    in_use,
    penalties_below,
    penalty_by_parts,
    refitted,
    row_at,
    row_by_ebic,
    row_within,
)
from structlearn.numerics.extended_bic import price_of_one

RNG = np.random.default_rng(0)
COLUMNS = RNG.normal(size=(60, 6)) @ (np.eye(6) + 0.4 * RNG.normal(size=(6, 6)))
TARGETS = COLUMNS @ RNG.normal(size=(6, 3)) * 2.0 + RNG.normal(size=(60, 3)) + 5.0
DESIGN = Design.of(COLUMNS, TARGETS, np.ones(60), intercept=True)
FREE = np.ones(6)


@pytest.mark.parametrize("penalty", [0.02, 0.2])
def test_a_row_is_the_lasso_of_scikit_learn_on_standardised_columns(penalty):
    x = (COLUMNS - COLUMNS.mean(axis=0)) / COLUMNS.std(axis=0)
    y = (TARGETS - TARGETS.mean(axis=0)) / TARGETS.std(axis=0)
    for target in range(3):
        peer = Lasso(alpha=penalty, tol=1e-12, max_iter=100_000).fit(x, y[:, target])

        row = row_at(DESIGN, target, FREE, penalty)

        assert row.coefficients == pytest.approx(peer.coef_, abs=1e-5)
        assert row.gap < 1e-8


@pytest.mark.parametrize("penalty", [0.01, 0.1, 0.3])
def test_the_constrained_form_is_the_penalised_one_at_its_norm(penalty):
    weights = np.array([1.0, 0.5, 2.0, 1.0, 0.0, np.inf])
    for target in range(3):
        row = row_at(DESIGN, target, weights, penalty)
        bound = np.abs(row.coefficients[:5]) @ weights[:5]

        again = row_within(DESIGN, target, weights, bound)

        assert again.coefficients == pytest.approx(row.coefficients, abs=1e-6)
        assert row.coefficients[5] == again.coefficients[5] == 0.0


def test_a_bound_that_does_not_bind_gives_least_squares():
    row = row_within(DESIGN, 0, FREE, 1e6)
    matrix, constant = DESIGN.unscaled(np.tile(row.coefficients, (3, 1)))

    expected = np.linalg.lstsq(np.column_stack([COLUMNS, np.ones(60)]), TARGETS[:, 0], rcond=None)[0]
    assert [*matrix[0], constant[0]] == pytest.approx(expected, rel=1e-5)


def test_a_refit_is_least_squares_on_the_columns_in_use():
    row = row_at(DESIGN, 1, FREE, 0.3)
    members = in_use(DESIGN, row.coefficients, FREE)
    assert 0 < len(members) < 6

    again = refitted(DESIGN, 1, members)

    matrix, constant = DESIGN.unscaled(np.tile(again, (3, 1)))
    design = np.column_stack([COLUMNS[:, members], np.ones(60)])
    expected = np.linalg.lstsq(design, TARGETS[:, 1], rcond=None)[0]
    assert [*matrix[1, members], constant[1]] == pytest.approx(expected)


def test_the_extended_bic_finds_the_columns_that_matter_and_prefers_fewer_where_the_fit_is_exact():
    truth = np.array([1.5, 0.0, 0.0, -2.0, 0.0, 0.0])
    for noise in (0.0, 0.3):
        target = COLUMNS @ truth + noise * RNG.normal(size=60)
        design = Design.of(COLUMNS, target[:, None], np.ones(60), intercept=True)

        row = row_by_ebic(design, 0, FREE, penalties_below(1.0, 40, 1e-3), price_of_one(60, 6, 0.5))

        assert np.flatnonzero(row.coefficients).tolist() == [0, 3]


def test_the_penalty_whose_rows_predict_best_over_all_parts_is_chosen():
    penalties = np.array([0.1, 0.3, 0.2])

    def chosen(*errors):
        seen = []

        def held_out(errors):
            return lambda target, rows: seen.append((target, np.abs(rows).sum(axis=1))) or np.array(errors)

        parts = [(DESIGN, held_out(each)) for each in errors]
        found = penalty_by_parts(parts, 1, FREE, penalties)
        assert all(target == 1 and (np.diff(sizes) > 0).all() for target, sizes in seen)  # the largest first
        return found

    assert chosen([1.0, 2.0, 3.0]) == 0.3
    assert chosen([1.0, 2.0, 3.0], [4.0, 4.0, 0.0]) == 0.1


def test_weights_of_rows_are_as_good_as_repeated_rows():
    weights = RNG.integers(1, 4, 60)
    repeated = np.repeat(np.arange(60), weights)

    weighted = Design.of(COLUMNS, TARGETS, weights.astype(float), intercept=True)
    again = Design.of(COLUMNS[repeated], TARGETS[repeated], np.ones(len(repeated)), intercept=True)

    assert weighted.gram == pytest.approx(again.gram)
    assert weighted.products == pytest.approx(again.products)
    assert weighted.size < 60


def test_a_column_or_target_that_does_not_vary_has_nothing():
    columns, targets = COLUMNS.copy(), TARGETS.copy()
    columns[:, 2] = targets[:, 1] = 0.1 + 0.2

    design = Design.of(columns, targets, np.ones(60), intercept=True)

    assert not design.gram[2].any()
    assert not design.products[:, 1].any()
    assert not design.products[2].any()
    assert row_at(design, 0, FREE, 0.01).coefficients[2] == 0.0
