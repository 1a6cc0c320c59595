"""Log-likelihood, AIC and MDL of discrete columns; log-likelihood and AIC of continuous ones."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.scores import FamilyScores, ShortCode, TreeScore, WithStructurePrior, score_for
from structlearn.scores.likelihoods import Regressions, Tables
from structlearn.scores.mdl import MDL
from structlearn.scores.penalised import (
    AIC,
    BIC,
    ConditionalGaussianBIC,
    GaussianAIC,
    LogLikelihood,
    Penalised,
)
from structlearn.scores.prices import Akaike, Bits, Free, Schwarz
from structlearn.statistics import from_dataset
from tests.oracles import scores as oracle
from tests.oracles.reference_data import T1, T3
from tests.statistics.test_counting import coded_tables, dataset_of

CHAIN = sl.Graph("ABC", directed=[("A", "B"), ("B", "C")])
COLLIDER = sl.Graph("ABC", directed=[("A", "B"), ("C", "B")])
COMPLETE = sl.Graph("ABC", directed=[("A", "B"), ("B", "C"), ("A", "C")])
EMPTY = sl.Graph("ABC")


# Totals of T1, from docs/references/scores.md#likelihood-aic-and-bic and #description-length.
@pytest.mark.parametrize(
    ("graph", "loglik", "aic", "mdl_bits"),
    [
        (EMPTY, -41.488663, -44.488663, 71.093269),
        (CHAIN, -37.192897, -42.192897, 72.387641),
        (COLLIDER, -37.882033, -43.882033, 73.957855),
        (COMPLETE, -36.958016, -43.958016, 76.370707),
    ],
    ids=["empty", "chain", "collider", "complete"],
)
def test_scores_of_three_binary_columns_are_the_hand_calculated_ones(graph, loglik, aic, mdl_bits):
    assert sl.score(graph, T1, "loglik") == pytest.approx(loglik, abs=1e-6)
    assert sl.score(graph, T1, "aic") == pytest.approx(aic, abs=1e-6)
    assert sl.score(graph, T1, "mdl") / -math.log(2) == pytest.approx(mdl_bits, abs=1e-5)


def test_the_shortest_description_of_three_binary_columns_has_one_arc():
    families = FamilyScores(MDL(), from_dataset(T1))

    best = max(oracle.all_parent_choices(3), key=families.total)

    # From docs/references/scores.md#description-length.
    assert families.total(best) / -math.log(2) == pytest.approx(71.015896, abs=1e-5)
    assert sorted(map(len, best)) == [0, 0, 1]


@settings(deadline=None, max_examples=30)
@given(coded=coded_tables(), data=st.data())
def test_description_lengths_are_sums_of_their_parts(coded, data):
    codes, levels = coded
    n = len(levels)
    child, *parents = data.draw(st.permutations(range(n)))[: data.draw(st.integers(1, 4))]
    statistics = from_dataset(dataset_of(codes, levels))
    in_data = -oracle.log_likelihood(codes, child, parents)
    n_free = math.prod(levels[p] for p in parents) * (levels[child] - 1)
    k = len(parents)

    def length(score):
        return -FamilyScores(score, statistics).local(child, parents)

    half_log = 0.5 * n_free * math.log(len(codes))
    in_sets = math.log(n) + math.log(math.comb(n, k))
    in_tight_sets = math.log(n) + math.log(math.comb(n - 1, k))
    of_lists = k * math.log(n) + 7 * n_free * math.log(2)
    assert length(MDL()) == pytest.approx(in_data + half_log + in_sets, abs=1e-8)
    assert length(MDL(tight=True)) == pytest.approx(in_data + half_log + in_tight_sets, abs=1e-8)
    lam_bacchus = MDL(graph_code="parent-lists", bits_per_parameter=7)
    assert length(lam_bacchus) == pytest.approx(in_data + of_lists, abs=1e-8)
    assert length(LogLikelihood()) == pytest.approx(in_data, abs=1e-8)
    assert length(AIC()) == pytest.approx(in_data + n_free, abs=1e-8)


@pytest.mark.parametrize("graph", [EMPTY, CHAIN, COLLIDER, COMPLETE], ids=str)
def test_mdl_is_bic_with_the_prior_of_a_short_code(graph):
    expected = sl.score(graph, T1, WithStructurePrior(BIC(), ShortCode()))

    assert sl.score(graph, T1, MDL()) == pytest.approx(expected, abs=1e-12)


def test_gaussian_likelihood_and_aic_differ_from_bic_by_the_price_of_parameters():
    graph = sl.Graph("xyz", directed=[("y", "x"), ("z", "x")])
    n_parameters = 8  # three intercepts, three variances, two slopes
    # From the BIC of docs/references/scores.md#gaussian-scores.
    loglik = -28.491442 + 0.5 * n_parameters * math.log(6)

    assert sl.score(graph, T3, "loglik") == pytest.approx(loglik, abs=1e-6)
    assert sl.score(graph, T3, "aic") == pytest.approx(loglik - n_parameters, abs=1e-6)


@pytest.mark.parametrize("options", [{"bits_per_parameter": 0}, {"graph_code": "morse"}, {"tight": 1}])
def test_codes_that_do_not_exist_are_refused(options):
    with pytest.raises(sl.OptionError, match=f"MDL\\({next(iter(options))}="):
        MDL(**options)


def test_likelihood_never_loses_by_a_parent():
    rng = np.random.default_rng(5)
    codes = [tuple(row) for row in rng.integers(0, 3, size=(40, 4)).tolist()]
    families = FamilyScores(LogLikelihood(), from_dataset(dataset_of(codes, [3] * 4)))

    assert families.local(0, [1, 2, 3]) >= families.local(0, [1, 2]) >= families.local(0, [1])


@pytest.mark.parametrize(
    ("price", "nats"),
    [(Free(), 0.0), (Akaike(), 1.0), (Schwarz(), 0.5 * math.log(20)), (Bits(8), 8 * math.log(2))],
    ids=str,
)
@pytest.mark.parametrize(("graph", "n_free"), [(EMPTY, 3), (CHAIN, 5), (COMPLETE, 7)], ids=str)
def test_any_price_is_taken_off_any_likelihood_once_per_parameter(price, nats, graph, n_free):
    loglik = {EMPTY: -41.488663, CHAIN: -37.192897, COMPLETE: -36.958016}[graph]  # as above

    assert len(sl.Dataset(T1)) == 20
    assert sl.score(graph, T1, Penalised(Tables(), price)) == pytest.approx(loglik - nats * n_free, abs=1e-6)


def test_trees_grow_by_any_price_of_tables_and_by_nothing_else():
    graph = sl.Graph("ABC", directed=[("A", "B")])  # a single binary parent: the tree is the table
    score = Penalised(Tables(), Bits(0.5))

    assert sl.score(graph, T1, TreeScore(score)) == pytest.approx(sl.score(graph, T1, score), abs=1e-9)
    with pytest.raises(sl.OptionError, match=r"cannot grow by GaussianBIC\(\)"):
        TreeScore(Penalised(Regressions(), Schwarz()))


def test_a_composed_score_is_called_by_its_name_where_it_has_one():
    assert [repr(score) for score in (BIC(), GaussianAIC(), LogLikelihood())] == [
        "BIC()",
        "GaussianAIC()",
        "LogLikelihood()",
    ]
    assert repr(Penalised(Tables(), Bits(8))) == "Penalised(Tables(), Bits(bits=8))"
    assert score_for("", "bic-cg", from_dataset(T3)) == ConditionalGaussianBIC()


def test_likelihoods_have_no_price_however_many_parameters_there_are():
    n_parents = 1100  # 2^1100 joint states are more than a double can count
    table = {f"x{i}": [0, 1, 1] if i else [0, 1, 0] for i in range(n_parents + 1)}
    statistics = from_dataset(sl.Dataset(table, kinds=dict.fromkeys(table, "discrete")))
    family = np.arange(n_parents + 1)[None]

    found = LogLikelihood().local(statistics, family)

    # Parents at 0 in one row, where the child is certain, and at 1 in two, where it is even.
    assert found == pytest.approx([2 * math.log(0.5)])
