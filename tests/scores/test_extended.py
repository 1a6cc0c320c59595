"""The extended BIC: an arc costs at least what chance brings one pair of all, and where it is the default."""

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import structlearn as sl
from structlearn.scores import (
    BIC,
    BDeu,
    ConditionalGaussianBIC,
    ConditionalGaussianEBIC,
    Extended,
    GaussianBIC,
    TreeScore,
)
from structlearn.scores.extended import arc_prices
from structlearn.statistics import opened, statistics_of


def statistics(table):
    return statistics_of(opened(table), sorted(table), owner="test")


def gains(score, found):
    """What each column alone brings as the parent of each: [child, parent]."""
    n = len(found.names)
    alone = score.local(found, np.arange(n)[:, None])
    pairs = np.array(list(np.ndindex(n, n)))
    of_pairs = score.local(found, pairs[pairs[:, 0] != pairs[:, 1]])
    gained = np.full((n, n), -math.inf)
    gained[~np.eye(n, dtype=bool)] = of_pairs
    return gained - alone[:, None]


def noise(n_rows, n_columns, levels=None, seed=0):
    rng = np.random.default_rng(seed)
    if levels is None:
        return {f"v{j:02}": rng.normal(size=n_rows) for j in range(n_columns)}
    return {f"v{j:02}": [f"s{x}" for x in rng.integers(0, levels, n_rows)] for j in range(n_columns)}


def test_two_continuous_columns_are_joined_where_the_t_test_says_less_than_one_in_all_pairs():
    columns = np.cumsum(list(noise(30, 20).values()), axis=0)  # near columns depend, far ones hardly
    gained = gains(
        Extended(GaussianBIC()), statistics({f"v{j:02}": column for j, column in enumerate(columns)})
    )
    is_rare = {
        (i, j): stats.pearsonr(columns[i], columns[j]).pvalue < 1 / 190 for i, j in combinations(range(20), 2)
    }

    assert 20 < sum(is_rare.values()) < 170
    assert all((gained[j, i] > 0) == expected for (i, j), expected in is_rare.items())


def test_two_discrete_columns_pay_the_larger_of_bic_and_the_chi_square_of_one_in_all_pairs():
    table = noise(100, 12, levels=2) | {f"w{j}": c for j, c in enumerate(noise(100, 3, levels=4).values())}
    found = statistics(table)
    plain, extended = gains(BIC(), found), gains(Extended(BIC()), found)
    levels = found.levels

    for i, j in combinations(range(15), 2):
        n_parameters = (levels[i] - 1) * (levels[j] - 1)
        bic, chance = n_parameters * math.log(100) / 2, stats.chi2.isf(1 / 105, n_parameters) / 2
        assert plain[i, j] - extended[i, j] == pytest.approx(max(chance - bic, 0.0), abs=1e-9)
    assert plain[0, 1] > extended[0, 1]
    assert plain[12, 13] == extended[12, 13]  # nine parameters cost enough


def test_two_columns_of_both_kinds_pay_for_a_mean_and_a_variance_of_each_further_state():
    found = statistics(noise(20, 20) | {"w": ["r", "s", "t", "s"] * 5})
    family = np.array([[0, 20]])  # of three states, so four more parameters
    plain, extended = (
        score.local(found, family)[0] for score in (ConditionalGaussianBIC(), ConditionalGaussianEBIC())
    )

    expected = stats.chi2.isf(1 / 210, 4) / 2 * 5 / 4 - 4 * math.log(20) / 2  # of five rows at least
    assert plain - extended == pytest.approx(expected, abs=1e-9)
    assert expected > 1.0


@pytest.mark.parametrize("n_rare", [2, 3, 5, 10])
def test_a_rare_state_costs_what_a_variance_of_few_rows_brings_to_one_in_all_pairs(n_rare):
    found = statistics(noise(20, 20) | {"w": ["r"] * n_rare + ["s"] * (20 - n_rare)})
    family = np.array([[0, 20]])
    plain, extended = (
        score.local(found, family)[0] for score in (ConditionalGaussianBIC(), ConditionalGaussianEBIC())
    )
    price = plain - extended + math.log(20)  # BIC asks for two parameters

    rows = np.random.default_rng(0).normal(size=(200_000, 20))
    within = n_rare * np.log(rows[:, :n_rare].var(axis=1))
    within += (20 - n_rare) * np.log(rows[:, n_rare:].var(axis=1))
    gained = (20 * np.log(rows.var(axis=1)) - within) / 2
    assert np.mean(gained > price) == pytest.approx(1 / 210, rel=0.4)


def test_what_is_no_score_is_refused():
    with pytest.raises(sl.OptionError, match=r"Extended\(score='bic'\): score is a score"):
        Extended("bic")


def test_the_price_is_what_chance_brings_so_many_pairs_as_may_be_wrong():
    found = statistics(noise(100, 12, levels=2))
    one, ten = gains(Extended(BIC()), found), gains(Extended(BIC(), risk=10.0), found)

    cheaper = (stats.chi2.isf(1 / 66, 1) - max(stats.chi2.isf(10 / 66, 1), math.log(100))) / 2
    assert ten[0, 1] - one[0, 1] == pytest.approx(cheaper)
    assert gains(Extended(BIC(), risk=1e9), found)[0, 1] == pytest.approx(gains(BIC(), found)[0, 1])
    with pytest.raises(sl.OptionError, match="how many arcs chance may make"):
        Extended(BIC(), risk=0.0)


@pytest.mark.parametrize("risk", [1e-3, 1e-15, 1e-16, 1e-20, 1e-100, 1e-300])
@pytest.mark.parametrize("n_rows", [3, 40, 500])
def test_the_price_of_however_small_a_risk_is_the_likelihood_ratio_of_its_t(n_rows, risk):
    price = arc_prices(statistics(noise(n_rows, 2)), risk).by_sorts[0, 0]
    # The t statistic of a correlation r is r √(n - 2) / √(1 - r²), and the ratio -n/2 ln(1 - r²).
    log_unexplained = -2.0 * (price + 0.5 * math.log(n_rows)) / n_rows

    if n_rows == 3:  # one degree of freedom is Cauchy's distribution
        assert log_unexplained == pytest.approx(2.0 * math.log(math.sin(math.pi * risk / 2.0)))
    else:
        t = math.sqrt(math.expm1(-log_unexplained) * (n_rows - 2))
        assert 2.0 * stats.t.sf(t, n_rows - 2) == pytest.approx(risk, rel=1e-6, abs=0.0)


def test_the_dags_of_a_class_score_the_same():
    table = noise(12, 8)
    chain = sl.Graph(sorted(table), directed=[("v00", "v01"), ("v01", "v02"), ("v02", "v03")])
    turned = sl.Graph(sorted(table), directed=[("v03", "v02"), ("v02", "v01"), ("v01", "v00")])

    assert sl.score(chain, table, "ebic") == pytest.approx(sl.score(turned, table, "ebic"))
    assert sl.score(chain, table, "ebic") < sl.score(chain, table, "bic")
    assert Extended(BIC()).is_equivalent
    assert not Extended(TreeScore()).is_equivalent


def test_more_slopes_than_a_quarter_of_the_rows_are_impossible():
    found = statistics(noise(12, 8))
    score = Extended(GaussianBIC())

    assert np.isfinite(score.local(found, np.array([[0, 1, 2, 3]]))).all()
    assert score.local(found, np.array([[0, 1, 2, 3, 4]])).tolist() == [-math.inf]


def test_fewer_rows_than_two_for_each_cell_are_impossible_unless_there_is_one_parent_only():
    table = noise(31, 8, levels=2) | {"w": [f"s{i % 16}" for i in range(31)]}
    found = statistics(table)
    w = found.names.index("w")
    score = Extended(BDeu())

    assert np.isfinite(score.local(found, np.array([[0, 1, 2]]))).all()  # 8 cells
    assert score.local(found, np.array([[0, 1, 2, 3]])).tolist() == [-math.inf]  # 16 of them
    assert np.isfinite(score.local(found, np.array([[0, w], [w, 0]]))).all()  # 32, for a single parent


@pytest.mark.parametrize(
    ("n_rare", "parents", "is_possible"),
    [
        (2, ["d"], True),  # a single arc pays for its rare state
        (7, ["d", "v00"], False),
        (8, ["d", "v00"], True),
        (11, ["d", "v00", "v01"], False),
        (12, ["d", "v00", "v01"], True),
        (13, ["d", "e"], False),  # 13 / 40 · 12 / 40 · 40 rows are 3.9
        (14, ["d", "e"], True),
    ],
)
def test_a_regression_in_states_needs_four_rows_of_the_rarest_for_its_mean_and_each_slope(
    n_rare, parents, is_possible
):
    table = noise(40, 8) | {
        "d": ["r"] * n_rare + ["s"] * (40 - n_rare),
        "e": ["r"] * 12 + ["s"] * 14 + ["t"] * 14,
    }
    found = statistics(table)
    family = np.array([[found.names.index(name) for name in ["v07", *parents]]])

    assert np.isfinite(ConditionalGaussianEBIC().local(found, family)).tolist() == [is_possible]
    assert np.isfinite(ConditionalGaussianBIC().local(found, family)).all()


def test_a_rare_state_is_no_reason_to_refuse_a_family_where_rows_are_many():
    found = statistics(noise(200, 8) | {"d": ["r"] * 5 + ["s"] * 195})
    family = np.array([[found.names.index(name) for name in ("v07", "v00", "d")]])

    assert np.isfinite(ConditionalGaussianEBIC().local(found, family)).all()


@pytest.mark.parametrize("family", [(0,), (1, 0), (3, 1, 2)])
def test_its_bounds_are_above_every_gain(family):
    found = statistics(noise(40, 8, levels=2))
    score = Extended(BIC())
    now = float(score.local(found, np.array([family]))[0])
    alone = score.local(found, np.arange(8)[:, None])
    most = score.most_gains(found, family, now=now, alone=alone)

    for other in set(range(8)) - set(family):
        gain = float(score.local(found, np.array([[*family, other]]))[0]) - now
        assert gain <= most[other]
        assert most[other] < math.inf


def test_a_score_without_bounds_gets_none():
    found = statistics(noise(40, 8, levels=2))

    assert (Extended(BDeu()).most_gains(found, (0,), now=-1.0, alone=np.zeros(8)) == math.inf).all()


def test_few_rows_take_it_by_default_and_the_status_says_so():
    table = noise(20, 30)
    learner = sl.HillClimbing().fit(table)

    assert learner.graph_ == sl.HillClimbing(score="ebic").fit(table).graph_
    assert len(learner.graph_.edges) < 10 < len(sl.HillClimbing(score="bic").fit(table).graph_.edges)
    assert learner.status_ == (
        "The method ran to its end. With 30 columns for 20 rows arcs cost more than usual, so that chance "
        'makes one at most on average; name a score, such as score="bic", for its own price.'
    )


@pytest.mark.parametrize("options", [{"score": "bic"}, {}])
def test_many_rows_or_a_score_by_name_take_what_they_always_took(options):
    table = noise(200, 20) if not options else noise(20, 20)
    learner = sl.HillClimbing(**options).fit(table)

    assert learner.status_ == "The method ran to its end."
    assert learner.score_ == pytest.approx(sl.score(learner.graph_, table, "bic"))


def test_trees_in_place_of_tables_cost_more_too():
    table = noise(20, 30, levels=2)

    found = sl.HillClimbing(cpd="tree").fit(table)

    assert len(found.graph_.edges) < len(sl.HillClimbing(cpd="tree", score="bic").fit(table).graph_.edges)
    assert "30 columns for 20 rows" in found.status_
