"""Stability selection: halves by hand, bounds by hand, and false edges within the bound."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

import structlearn as sl
from structlearn.learners.ensemble.drawing import complementary_halves
from structlearn.learners.ensemble.error_bounds import least_threshold, unimodal_bound, worst_case_bound
from structlearn.learners.ensemble.stability_selection import StabilitySelection
from tests.learners.ensemble.resampled_learners import Fused, collider_table, ctrl_c

TABLE = collider_table()


def halves_by_hand(n_draws, seed, *, pairs, n_rows=TABLE.n_rows):
    for number in range(n_draws):
        order = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,))).permutation(n_rows)
        yield order[: n_rows // 2]
        if pairs:
            yield order[n_rows // 2 : 2 * (n_rows // 2)]


@pytest.mark.parametrize("pairs", [True, False])
def test_the_shares_are_those_of_a_plain_loop_over_halves(pairs):
    found = StabilitySelection(sl.PC(), n_resamples=8, complementary=pairs, random_state=3).fit(TABLE)

    halves = halves_by_hand(4 if pairs else 8, 3, pairs=pairs)
    graphs = [sl.PC().fit(TABLE.take(rows)).graph_.skeleton() for rows in halves]
    assert len(graphs) == found.n_resamples_ == 8
    assert found.trace_["edges"].tolist() == [len(graph.edges) for graph in graphs]
    for pair, shares in found.confidence_.items():
        assert shares.edge == sum(graph.edge(*pair) is not None for graph in graphs) / 8
    assert found.n_chosen_ == pytest.approx(np.mean([len(graph.edges) for graph in graphs]))


def test_halves_of_a_table_of_counts_are_halves_of_its_rows():
    counts = np.array([150, 100, 100, 150])
    table = {"a": np.array([0, 0, 1, 1]), "b": np.array([0, 1, 0, 1])}
    learner = StabilitySelection(sl.PC(), n_resamples=20, threshold=0.9, random_state=0)

    found = learner.fit(sl.Dataset(table, weights=counts))

    of_rows = learner.fit({name: np.repeat(column, counts) for name, column in table.items()})
    assert [str(edge) for edge in found.graph_.edges] == [str(edge) for edge in of_rows.graph_.edges]
    # Two shares of 20: four deviations of their difference. Single cells have an edge never or always.
    assert abs(found.n_chosen_ - of_rows.n_chosen_) < 4 * np.sqrt(0.5 / 20)


@given(n_rows=st.integers(2, 31), number=st.integers(0, 5))
def test_complementary_halves_have_no_row_in_common(n_rows, number):
    first, second = complementary_halves(0, number, n_rows)

    assert len(first) == len(second) == n_rows // 2
    assert len({*first.tolist(), *second.tolist()}) == 2 * (n_rows // 2)
    assert max(*first, *second) < n_rows


def test_an_odd_number_of_complementary_subsamples_has_one_more():
    assert StabilitySelection(sl.PC(), n_resamples=5, random_state=0).fit(TABLE).n_resamples_ == 6


def test_the_stable_edges_reach_the_threshold():
    table = collider_table(n_rows=3000)
    found = StabilitySelection(sl.PC(), n_resamples=20, threshold=0.8, random_state=0).fit(table)

    assert {frozenset((e.source, e.target)) for e in found.graph_.edges} == {
        frozenset(pair) for pair, shares in found.confidence_.items() if shares.edge >= 0.8
    }
    assert {("c", "a"), ("c", "b"), ("d", "c")} <= {
        pair for pair, shares in found.confidence_.items() if shares.edge >= 0.8
    }


class TestBounds:
    def test_the_worst_case_is_that_of_the_paper(self):
        # By hand: 10² / ((2 · 0.75 − 1) · 1000) = 100 / 500.
        assert worst_case_bound(10, 1000, 0.75) == pytest.approx(0.2)
        # Meinshausen and Bühlmann (2010), section 2.5: π = 0.9 and q = √(0.8 p) give E(V) ≤ 1.
        assert worst_case_bound(math.sqrt(0.8 * 435), 435, 0.9) == pytest.approx(1.0)
        assert worst_case_bound(3, 10, 0.5) == math.inf
        assert worst_case_bound(0, 10, 0.5) == 0.0

    def test_the_unimodal_bound_is_that_of_the_theorem(self):
        # Shah and Samworth (2013), theorem 2, by hand with B = 50, q = 50, p = 1000: θ q = 2.5, and the
        # constants are 1 / (2 (2 · 0.6 − 1 − 0.01)) = 1 / 0.38 and 4 (1 − 0.9 + 0.01) / 1.02 = 0.44 / 1.02.
        assert unimodal_bound(50, 1000, 0.6, 50) == pytest.approx(2.5 / 0.38)
        assert unimodal_bound(50, 1000, 0.9, 50) == pytest.approx(2.5 * 0.44 / 1.02)

    def test_the_unimodal_bound_is_infinite_where_the_theorem_is_silent(self):
        assert unimodal_bound(600, 1000, 0.9, 50) == math.inf  # θ = 0.6 is more than 1 / √3
        assert unimodal_bound(50, 1000, 0.51, 50) == math.inf  # the least threshold is 1/2 + 1 / B
        assert unimodal_bound(400, 1000, 0.62, 50) == math.inf  # 1/2 + 0.01 + 3/4 · 0.4² = 0.63
        assert unimodal_bound(50, 1000, 0.9, 0) == math.inf

    @given(
        n_draws=st.integers(4, 200),
        n_pairs=st.integers(10, 2000),
        share=st.floats(0.001, 0.4),
        x=st.floats(0, 1),
    )
    def test_the_unimodal_bound_falls_with_the_threshold_and_is_below_the_worst_case(
        self, n_draws, n_pairs, share, x
    ):
        # From 0.75 on, where the theorem applies to all these shares; at 1 the worst case is as small.
        low, high = 0.75 + 0.2 * x, 0.75 + 0.25 * x
        chosen = share * n_pairs

        assert unimodal_bound(chosen, n_pairs, high, n_draws) <= unimodal_bound(chosen, n_pairs, low, n_draws)
        if n_draws >= 50 and low <= 0.85:
            assert unimodal_bound(chosen, n_pairs, low, n_draws) < worst_case_bound(chosen, n_pairs, low)

    @given(chosen=st.floats(0.1, 50), n_pairs=st.integers(60, 5000), slack=st.floats(1, 10))
    def test_the_least_threshold_has_the_bound_asked_for(self, chosen, n_pairs, slack):
        max_false = slack * chosen**2 / n_pairs

        threshold = least_threshold(chosen, n_pairs, max_false)

        assert 0.5 < threshold <= 1.0
        assert worst_case_bound(chosen, n_pairs, threshold) == pytest.approx(max_false)

    def test_the_result_carries_the_bounds_of_its_own_numbers(self):
        found = StabilitySelection(sl.PC(), n_resamples=20, threshold=0.9, random_state=0).fit(TABLE)

        q = np.mean(found.trace_["edges"])
        assert found.n_pairs_ == 10
        assert found.bound_ == pytest.approx(q**2 / (0.8 * 10))
        assert found.unimodal_bound_ == pytest.approx(q**2 / 10 * 4 * (0.1 + 1 / 20) / (1 + 1 / 10))

    def test_single_halves_have_no_unimodal_bound(self):
        found = StabilitySelection(sl.PC(), n_resamples=4, complementary=False, random_state=0).fit(TABLE)

        assert found.unimodal_bound_ == math.inf

    def test_pairs_that_knowledge_decides_do_not_count(self):
        knowledge = sl.Knowledge(required=[("a", "e")], forbidden=[("b", "e"), ("e", "b"), ("d", "e")])

        found = StabilitySelection(sl.PC(knowledge=knowledge), n_resamples=6, random_state=0).fit(TABLE)

        assert found.n_pairs_ == 10 - 2
        assert found.n_chosen_ == pytest.approx(np.mean(found.trace_["edges"]) - 1)
        assert found.confidence_["e", "a"].backward == 1.0

    def test_a_number_of_false_edges_sets_the_threshold(self):
        found = StabilitySelection(sl.PC(alpha=0.01), n_resamples=10, max_false=2.5, random_state=0).fit(
            TABLE
        )

        q = np.mean(found.trace_["edges"])
        assert found.threshold_ == pytest.approx((1 + q**2 / (10 * 2.5)) / 2)
        assert found.bound_ == pytest.approx(2.5)

    def test_too_few_false_edges_are_refused_with_the_least(self):
        with pytest.raises(sl.OptionError, match=r"max_false=0.01\): .* of 10 edges on average.*fewer edges"):
            StabilitySelection(sl.PC(), n_resamples=4, max_false=0.01, random_state=0).fit(TABLE)

    def test_independent_columns_give_no_more_false_edges_than_the_bound(self):
        # A tree of ten nodes has nine edges whatever the data: q = 9 of p' = 45, so that at π = 0.9 at
        # most 81 / (0.8 · 45) = 2.25 are expected; the columns are alike, as the theorem asks.
        false_edges = []
        for seed in range(6):
            rng = np.random.default_rng(seed)
            table = {f"c{j}": rng.integers(0, 2, 200) for j in range(10)}
            found = StabilitySelection(sl.ChowLiu(), n_resamples=30, threshold=0.9, random_state=seed)
            false_edges.append(len(found.fit(table).graph_.edges))
            assert found.bound_ == pytest.approx(2.25)

        assert np.mean(false_edges) <= 2.25


def test_the_number_of_workers_does_not_matter():
    one, two = (
        StabilitySelection(sl.HillClimbing(), n_resamples=8, n_jobs=n, random_state=0).fit(TABLE)
        for n in (1, 2)
    )

    assert one.confidence_ == two.confidence_
    assert one.graph_.edges == two.graph_.edges


def test_both_halves_of_a_pair_are_kept_or_none(tmp_path):
    ensemble = StabilitySelection(Fused(), n_resamples=8, checkpoint=tmp_path / "halves", random_state=0)
    Fused.arm()
    expected = clone(ensemble).set_params(checkpoint=None).fit(TABLE)

    Fused.arm(fuse=4, at_fuse=ctrl_c)  # in the second half of the second pair
    interrupted = clone(ensemble).fit(TABLE)
    Fused.arm()
    resumed = ensemble.fit(TABLE)

    assert interrupted.status_ == "Interrupted: this is the result of 2 of 8 resamples."
    assert Fused.n_fits == 6
    assert resumed.confidence_ == expected.confidence_


def test_single_halves_do_not_go_on_with_complementary_ones(tmp_path):
    ensemble = StabilitySelection(sl.PC(), n_resamples=4, checkpoint=tmp_path / "halves", random_state=0)
    ensemble.fit(TABLE)

    with pytest.raises(
        sl.DataError, match="another way of drawing rows: there complementary_halves, here half"
    ):
        ensemble.set_params(complementary=False).fit(TABLE)


def test_a_threshold_below_one_half_is_refused():
    with pytest.raises(sl.OptionError, match=r"StabilitySelection\(threshold=0.4\)"):
        StabilitySelection(sl.PC(), threshold=0.4).fit(TABLE)
