"""Orders by noise are those of the plain method, and effects along them those of regression."""

import numpy as np
import pytest

from structlearn.numerics.lingam import (
    coefficients_along,
    direct_lingam,
    direct_order,
    ica_lingam,
    order_of_unmixing,
    unmixing,
)
from structlearn.numerics.lingam.linear import standardised
from structlearn.numerics.lingam.measures import entropies, precedence, precedence_by_tails
from tests.oracles import lingam as oracle

EVEN = np.full(6, 1 / 6)
X = np.array([0.0, 0.0, 0.0, 1.0, 3.0, 8.0])
Y = X / 2 + np.array([1.0, -1.0, 0.0, 0.0, -1.0, 1.0])


def measured(rows, shares):
    columns = standardised(rows, shares)
    own = entropies(columns, shares)
    there = precedence(columns, 0, np.array([1]), own, shares)
    back = precedence(columns, 1, np.array([0]), own, shares)
    return own, float(there[0]), float(back[0])


def test_two_small_columns_have_the_entropies_and_the_measure_by_hand():
    # docs/references/continuous.md, Pairwise measures
    own, there, back = measured(np.column_stack([X, Y]), EVEN)

    assert own == pytest.approx([1.0101468, 1.0061241], abs=1e-7)
    assert there == pytest.approx(0.0077501, abs=1e-7)
    assert back == pytest.approx(-there, abs=1e-12)


def short_form(rows):
    columns = standardised(rows, np.full(len(rows), 1 / len(rows)))
    return float(precedence_by_tails(columns, 0, np.array([1]), np.full(len(rows), 1 / len(rows)))[0])


def test_the_short_form_is_that_of_the_page_and_turns_with_the_columns():
    rows = np.column_stack([X, Y])

    assert short_form(rows) == pytest.approx(-0.0154199, abs=1e-7)
    assert short_form(rows[:, ::-1]) == pytest.approx(0.0154199, abs=1e-7)
    assert short_form(np.column_stack([X, 3 - 2 * X])) == 0.0


@pytest.mark.parametrize(("noise", "n_right"), [("laplace", 200), ("uniform", 0)])
def test_the_short_form_tells_heavy_tails_and_is_turned_by_light_ones(noise, n_right):
    rng = np.random.default_rng(0)
    found = 0
    for _ in range(200):
        x, e = oracle.NOISES[noise](rng, (2, 2000))
        found += short_form(np.column_stack([x, 0.8 * x + e])) > 0

    assert found == n_right


def test_orders_by_the_short_form_are_right_where_tails_are_heavy():
    rng = np.random.default_rng(1)
    tables = [oracle.linear_table(rng, 1000, 5, "laplace") for _ in range(20)]
    right = [oracle.is_order_of(direct_order(rows, measure="tanh")[0], effects) for rows, effects in tables]

    assert sum(right) >= 17


def test_a_share_counts_like_repeated_rows():
    often = np.array([1, 3, 2, 1, 2, 1])
    rows = np.column_stack([X, Y])

    _, weighed, _ = measured(rows, often / often.sum())
    _, repeated, _ = measured(np.repeat(rows, often, axis=0), np.full(10, 0.1))

    assert weighed == pytest.approx(repeated, abs=1e-12)


def test_entropies_of_long_columns_are_those_of_the_definition():
    columns = np.random.default_rng(0).laplace(size=(3, 2600)) / np.sqrt(2.0)

    found = entropies(columns, np.full(2600, 1 / 2600))

    assert found == pytest.approx([oracle.entropy(column) for column in columns], abs=1e-10)


@pytest.mark.parametrize("noise", oracle.NOISES)
def test_looking_at_few_pairs_gives_the_order_of_looking_at_all(noise):
    for seed in range(6):
        rows, _ = oracle.linear_table(np.random.default_rng(seed), 60, 7, noise, probability=0.3)

        assert direct_order(rows)[0].tolist() == oracle.direct_order(rows)


def order_shares(order_of, noise, n_rows, n_runs=60):
    rng = np.random.default_rng(1)
    tables = [oracle.linear_table(rng, n_rows, 5, noise) for _ in range(n_runs)]
    return np.mean([oracle.is_order_of(order_of(rows), effects) for rows, effects in tables])


@pytest.mark.parametrize("noise", ["uniform", "laplace"])
@pytest.mark.parametrize("n_rows", [200, 1000])
def test_orders_of_five_columns_are_right_unless_noise_is_gaussian(noise, n_rows):
    assert order_shares(lambda rows: direct_lingam(rows).order, noise, n_rows) >= 0.9


def test_gaussian_noise_tells_no_order():
    assert order_shares(lambda rows: direct_order(rows)[0], "gaussian", 1000) <= 0.3
    rng = np.random.default_rng(0)
    firsts = [oracle.linear_table(rng, 300, 2, "gaussian", 1.0) for _ in range(100)]
    share = np.mean([oracle.is_order_of(direct_order(rows)[0], effects) for rows, effects in firsts])
    assert 0.35 <= share <= 0.65


def test_sources_tell_the_order_of_many_rows():
    assert order_shares(lambda rows: ica_lingam(rows).order, "uniform", 1000, 20) >= 0.9


def test_a_matrix_of_sources_is_permuted_and_scaled_to_effects():
    # docs/references/continuous.md, Sources
    unmixed = np.array([[0.25, -0.3, 0.5], [2.0, 0.0, 0.0], [0.8, -1.0, 0.0]])

    order, effects = order_of_unmixing(unmixed)

    assert order.tolist() == [0, 1, 2]
    assert effects == pytest.approx(np.array([[0.0, 0, 0], [0.8, 0, 0], [-0.5, 0.6, 0]]), abs=1e-12)


def test_sources_are_uncorrelated_and_of_variance_one():
    rows, _ = oracle.linear_table(np.random.default_rng(3), 500, 4, "laplace")

    found, is_settled = unmixing(rows, rng=np.random.default_rng(0))

    sources = found @ standardised(rows, np.full(500, 1 / 500))
    assert is_settled
    assert np.cov(sources, bias=True) == pytest.approx(np.eye(4), abs=1e-8)


@pytest.mark.parametrize("estimate", [direct_lingam, ica_lingam])
def test_effects_along_the_order_are_least_squares(estimate):
    rows, _ = oracle.linear_table(np.random.default_rng(0), 100, 4, "uniform")

    order, coefficients = estimate(rows)

    centred = rows - rows.mean(axis=0)
    for place, child in enumerate(order):
        before = order[:place]
        expected = np.zeros(4)
        expected[before] = np.linalg.lstsq(centred[:, before], centred[:, child], rcond=None)[0]
        assert coefficients[child] == pytest.approx(expected, abs=1e-10)
    assert coefficients_along(rows, order) == pytest.approx(coefficients)


def test_what_waits_comes_later_whatever_the_noise_says():
    rows, effects = oracle.linear_table(np.random.default_rng(0), 500, 5, "uniform", 1.0)
    against = effects != 0.0  # every cause is to come after its effects

    order, penalties = direct_order(rows, waits=against.T)
    of_sources, _ = order_of_unmixing(unmixing(rows, rng=np.random.default_rng(0))[0], against.T)

    assert order.tolist() == of_sources.tolist() == direct_order(rows)[0].tolist()[::-1]
    assert penalties.sum() > 0.0


def test_columns_that_others_determine_have_no_place():
    rows = np.random.default_rng(0).laplace(size=(5, 9))

    order, penalties = direct_order(rows)

    assert sorted(order.tolist()) == list(range(9))
    assert len(penalties) == 4  # five rows about their mean have four dimensions


def test_what_must_stop_has_all_columns_and_no_places():
    order, penalties = direct_order(np.random.default_rng(0).laplace(size=(50, 4)), must_stop=lambda: True)

    assert order.tolist() == [0, 1, 2, 3]
    assert len(penalties) == 0
