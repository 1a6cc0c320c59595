"""Variances of long tails and in rare states cost what chance makes of them, others what they always did."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

import structlearn as sl
from structlearn.scores import (
    ConditionalGaussianBIC,
    VariancesByChance,
    prices_of_rare_states,
    prices_of_tails,
)
from structlearn.statistics import statistics_of

N_ROWS = 400


def table(seed=0, n_rows=N_ROWS, draw="lognormal"):
    """Two columns with two and three states, a normal one and one with a tail."""
    rng = np.random.default_rng(seed)
    return {
        "two": rng.choice(["a", "b"], n_rows),
        "three": rng.choice(["a", "b", "c"], n_rows),
        "normal": rng.normal(size=n_rows),
        "tail": getattr(rng, draw)(size=n_rows),
    }


def families_of(n_columns, n_parents):
    """Every child with every set of so many parents."""
    return np.array(
        [
            (child, *parents)
            for child in range(n_columns)
            for parents in itertools.combinations([j for j in range(n_columns) if j != child], n_parents)
        ]
    )


def statistics_in(rows, weights=None):
    return statistics_of(sl.Dataset(rows, weights=weights), list(rows), owner="test")


@pytest.mark.parametrize("n_parents", [0, 1, 2, 3])
def test_each_state_of_the_parents_but_one_costs_more_by_the_fourth_moment(n_parents):
    rows = table()
    statistics = statistics_in(rows)
    families = families_of(4, n_parents)
    plain = ConditionalGaussianBIC().local(statistics, families)

    found = VariancesByChance(ConditionalGaussianBIC()).local(statistics, families)

    # How much more a variance varies is half of what the fourth moment has beyond that of a Gaussian.
    more = stats.kurtosis(rows["tail"], bias=False) / 2
    n_states = {"two": 2, "three": 3, "normal": 1, "tail": 1}
    for (child, *parents), by_bic, score in zip(families.tolist(), plain, found, strict=True):
        states = math.prod(n_states[statistics.names[j]] for j in parents)
        price = more * (states - 1) * math.log(N_ROWS) / 2 if statistics.names[child] == "tail" else 0.0
        assert score == pytest.approx(by_bic - price)


def test_rows_count_by_their_weights():
    rng = np.random.default_rng(1)
    rows, weights = table(), rng.integers(1, 4, N_ROWS)
    repeated = {name: np.repeat(column, weights) for name, column in rows.items()}

    found = prices_of_tails(statistics_in(rows, weights.astype(float)))

    np.testing.assert_allclose(found, prices_of_tails(statistics_in(repeated)))
    assert found[3] > math.log(N_ROWS)


def test_tails_no_longer_than_those_of_a_gaussian_cost_nothing():
    for seed in range(20):
        for draw in ("normal", "uniform"):
            rows = {name: column for name, column in table(seed, 200, draw).items() if name != "normal"}
            assert not prices_of_tails(statistics_in(rows)).any()


@pytest.mark.parametrize(
    ("n_rows", "draw"), [(300, "lognormal"), (3000, "lognormal"), (3000, "standard_cauchy")]
)
def test_states_are_parents_of_a_long_tail_as_seldom_as_of_a_normal_column(n_rows, draw):
    family = np.array([[3], [3]]), np.array([[3, 0], [3, 1]])

    def n_parents(score):
        """In how many of 60 pairs the state is taken for a parent."""
        found = 0
        for seed in range(30):
            statistics = statistics_in(table(seed, n_rows, draw))
            alone, beside = (score.local(statistics, each) for each in family)
            found += int((beside > alone).sum())
        return found

    assert n_parents(ConditionalGaussianBIC()) > 15
    assert n_parents(VariancesByChance(ConditionalGaussianBIC())) <= 4


def test_a_shift_of_a_long_tail_is_still_found():
    rows = table(n_rows=1000)
    rows["tail"] = rows["tail"] + 2.0 * (rows["two"] == "b")

    found = sl.HillClimbing().fit(rows)

    assert [(edge.source, edge.target) for edge in found.graph_.edges] == [("two", "tail")]
    assert "long tails" in found.status_


def test_a_score_that_is_named_has_its_own_price():
    rows = table(draw="standard_cauchy")

    assert len(sl.HillClimbing().fit(rows).graph_.edges) == 0
    assert len(sl.HillClimbing(score="bic").fit(rows).graph_.edges) > 0


def test_a_table_of_one_kind_or_without_tails_has_the_score_it_had():
    of_states = {name: column for name, column in table().items() if name in ("two", "three")}
    of_numbers = {name: column for name, column in table().items() if name in ("normal", "tail")}
    for rows in (of_states, of_numbers, table(draw="normal")):
        found = sl.BOSS().fit(rows)
        assert found.score_ == pytest.approx(sl.score(found.graph_, rows))
        assert "long tails" not in found.status_


def with_rare_states(seed, n_rows=200):
    """Three columns with a state of two to five rows, and three normal ones, all independent."""
    rng = np.random.default_rng(seed)
    places = [rng.permutation(n_rows) < rng.integers(2, 6) for _ in range(3)]
    rare = {f"rare {i}": np.where(is_rare, "yes", "no") for i, is_rare in enumerate(places)}
    return rare | {f"normal {i}": rng.normal(size=n_rows) for i in range(3)}


@pytest.mark.parametrize("n_parents", [1, 2, 3])
def test_each_rare_state_costs_more_by_what_its_rows_leave_of_a_regression(n_parents):
    rows = with_rare_states(0)
    rows["rare 1"] = np.where(np.arange(200) < 15, "yes", "no")  # few for two slopes, and not for a mean
    statistics = statistics_in(rows)
    families = families_of(6, n_parents)
    plain = ConditionalGaussianBIC().local(statistics, families)

    found = VariancesByChance(ConditionalGaussianBIC()).local(statistics, families)

    for (child, *parents), by_bic, score in zip(families.tolist(), plain, found, strict=True):
        price, n = 0.0, 1 + sum(j >= 3 for j in parents)
        for j in parents:
            if j < 3 <= child:
                for m in (int((rows[f"rare {j}"] == state).sum()) for state in ("yes", "no")):
                    if n < m < 10 * n:
                        price += math.log(200) / 2 * (n + 1) * (m / (m - n) - 1)
        assert score == pytest.approx(by_bic - price)


def test_rare_states_are_seldom_parents_by_chance():
    def n_edges(score):
        return sum(len(sl.BOSS(score=score).fit(with_rare_states(seed)).graph_.edges) for seed in range(20))

    assert n_edges("bic") > 20
    assert n_edges(None) < 10


def test_a_rare_state_that_shifts_a_column_is_still_found():
    rows = with_rare_states(1)
    rows["normal 0"] = rows["normal 0"] + 6.0 * (rows["rare 0"] == "yes")

    found = sl.HillClimbing().fit(rows)

    assert ("rare 0", "normal 0") in found.graph_.directed
    assert "rare state" in found.status_


def test_parts_of_rows_have_finite_prices():
    rows = with_rare_states(0)
    weights = np.where(rows["rare 0"] == "yes", 1e-3, 2.0)
    weights[np.flatnonzero(rows["rare 0"] == "yes")[0]] = 1.0

    assert prices_of_rare_states(statistics_in(rows, weights), 1)[0] == pytest.approx(math.log(weights.sum()))
