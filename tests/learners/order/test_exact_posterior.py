"""ExactPosterior is the average over all orders, or over all DAGs with their orders, as defined."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import structlearn as sl
from structlearn.learners import free_memory
from structlearn.learners.order.exact_posterior import ExactPosterior
from structlearn.learners.order.kernels import subset_sums
from structlearn.scores import FamilyScores, score_for
from structlearn.statistics import from_dataset
from tests.data_files import data_file
from tests.oracles import best_dag
from tests.oracles import order_posterior as oracle
from tests.oracles.reference_data import T1


def random_data(seed, n_columns, n_rows=40):
    graph = sl.random_dag(n_columns, random_state=seed)
    model = sl.random_model(graph, levels=(2, 3), concentration=2.0, random_state=seed)
    return model.sample(n_rows, random_state=seed)


def weights_of(data, score="bdeu", *, max_parents=None, by_size=False):
    """The log weight of every family, columns in alphabetical order."""
    statistics = from_dataset(data.select(sorted(data.names)))
    scores = FamilyScores(score_for("test", score, statistics), statistics)
    n = len(data.names)
    return {
        (child, parents): scores.local(child, parents) - by_size * math.log(math.comb(n - 1, len(parents)))
        for child, parents in best_dag.every_family(n)
        if max_parents is None or len(parents) <= max_parents
    }


def assert_agrees(found, expected):
    log_total, arcs = expected
    names = sorted(found.graph_.nodes)
    assert found.log_total_ == pytest.approx(log_total, rel=1e-12)
    for (u, v), share in arcs.items():
        assert found.probabilities_[names[u], names[v]] == pytest.approx(share, abs=1e-10)


@pytest.mark.parametrize("seed", range(4))
def test_four_columns_agree_with_all_dags_times_their_orders(seed):
    data = random_data(seed, 4)

    assert_agrees(ExactPosterior().fit(data), oracle.by_dags(weights_of(data), 4))


@pytest.mark.parametrize(
    ("n_columns", "max_parents", "prior"), [(5, None, "sets"), (5, 2, "sizes"), (6, 3, "sets")]
)
def test_up_to_six_columns_agree_with_all_orders(n_columns, max_parents, prior):
    data = random_data(10 + n_columns, n_columns)
    weights = weights_of(data, max_parents=max_parents, by_size=prior == "sizes")

    found = ExactPosterior(max_parents=max_parents, prior=prior).fit(data)

    assert_agrees(found, oracle.by_orders(weights, n_columns))


def test_the_two_definitions_agree():
    weights = weights_of(random_data(3, 4))

    assert oracle.by_dags(weights, 4)[0] == pytest.approx(oracle.by_orders(weights, 4)[0])


# From docs/references/orders.md#order-mcmc and #exact-posteriors.
@pytest.mark.parametrize(
    ("prior", "log_total", "arcs"),
    [
        (
            "sets",
            -43.116505,
            {"AB": 0.290615, "BA": 0.333777, "AC": 0.100513, "CA": 0.075318, "BC": 0.201765, "CB": 0.133407},
        ),
        (
            "sizes",
            -43.776099,
            {"AB": 0.235522, "BA": 0.252361, "AC": 0.065028, "CA": 0.055198, "BC": 0.129620, "CB": 0.102950},
        ),
    ],
)
def test_the_posterior_worked_out_by_hand_is_found(prior, log_total, arcs):
    found = ExactPosterior(prior=prior).fit(T1)

    assert found.log_total_ == pytest.approx(log_total, abs=1e-6)
    assert found.probabilities_ == pytest.approx({tuple(arc): share for arc, share in arcs.items()}, abs=1e-6)


def test_the_posterior_of_asia_is_that_of_the_method_description():
    found = ExactPosterior().fit(data_file("tables/asia.csv"))

    assert found.log_total_ == pytest.approx(-11087.442302, abs=1e-6)
    arcs = {
        "ED": 0.9951,
        "BD": 0.9981,
        "LE": 0.9311,
        "TE": 0.8853,
        "EX": 0.8852,
        "SB": 0.8421,
        "SL": 0.5384,
        "LS": 0.4330,
    }
    for (source, target), share in arcs.items():
        assert found.probabilities_[source, target] == pytest.approx(share, abs=1e-4)


def test_the_parent_sets_of_a_node_share_all_probability():
    found = ExactPosterior().fit(T1)

    for node, sets in found.parent_sets_.items():
        assert sum(sets.values()) == pytest.approx(1.0, abs=4 * 0.001)
        assert list(sets.values()) == sorted(sets.values(), reverse=True)
        for parent in "ABC":
            if parent != node:
                with_parent = sum(share for parents, share in sets.items() if parent in parents)
                assert with_parent == pytest.approx(found.probabilities_[parent, node], abs=4 * 0.001)


def test_knowledge_is_certain():
    knowledge = sl.Knowledge(required=[("C", "A")], forbidden=[("A", "B"), ("B", "C")])

    found = ExactPosterior(knowledge=knowledge).fit(T1)

    weights = {
        (child, parents): weight
        for (child, parents), weight in weights_of(T1).items()
        if (child != 0 or 2 in parents)
        and (child != 1 or 0 not in parents)
        and (child != 2 or 1 not in parents)
    }
    assert_agrees(found, oracle.by_orders(weights, 3))
    assert found.probabilities_["C", "A"] == pytest.approx(1.0)
    assert found.probabilities_["A", "B"] == found.probabilities_["B", "C"] == 0.0
    assert ("C", "A") in found.graph_.directed


def test_an_edge_without_a_likely_direction_stays_undirected():
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 500)
    data = {"a": a, "b": a ^ (rng.random(500) < 0.1)}

    found = ExactPosterior().fit(data)

    assert found.graph_.undirected == (("a", "b"),)
    assert found.graph_.edge("a", "b").confidence == pytest.approx(1.0, abs=1e-6)
    assert found.probabilities_["a", "b"] == pytest.approx(0.5, abs=0.01)


def test_scores_beyond_the_range_of_numbers_do_no_harm():
    # The best family of each scores thousands more than the empty one: e^−2000 is no number.
    a = np.tile([0, 1], 3000)
    noise = np.random.default_rng(1).random(6000) < 0.01
    found = ExactPosterior().fit({"a": a, "b": a ^ noise, "c": a ^ np.roll(noise, 7)})

    assert all(np.isfinite(share) and 0.0 <= share <= 1.0 for share in found.probabilities_.values())
    assert found.probabilities_["a", "b"] + found.probabilities_["b", "a"] == pytest.approx(1.0)


def test_threads_give_the_same_probabilities(monkeypatch):
    data = random_data(5, 6)
    alone = ExactPosterior().fit(data)
    monkeypatch.setattr("structlearn.statistics.blocks.COST_OF_A_THREAD", 0)

    assert ExactPosterior(n_jobs=2).fit(data).probabilities_ == alone.probabilities_


def test_parts_of_the_subsets_give_the_same_probabilities(monkeypatch):
    data = random_data(6, 6)
    whole = ExactPosterior().fit(data)
    monkeypatch.setattr("structlearn.learners.order.exact.order_sums.AT_ONCE", 5)

    assert ExactPosterior().fit(data).probabilities_ == whole.probabilities_


def test_one_column_has_no_arcs():
    found = ExactPosterior().fit({"a": [0, 1, 1, 0]})

    assert found.graph_ == sl.Graph(["a"])
    assert found.parent_sets_ == {"a": {(): pytest.approx(1.0)}}


def test_without_time_only_what_is_required_is_returned():
    found = ExactPosterior(time_limit=1e-9, knowledge=sl.Knowledge(required=[("A", "B")])).fit(T1)

    assert found.graph_.directed == (("A", "B"),)
    assert found.status_.startswith("Stopped at time_limit")


def test_too_many_columns_are_refused_with_the_estimate(monkeypatch):
    monkeypatch.setattr(free_memory, "free_bytes", lambda: 100)

    with pytest.raises(sl.OptionError, match=r"2\^3 subsets of 3 columns need about 0\.0 GiB"):
        ExactPosterior().fit(T1)


def test_knowledge_that_no_finite_score_honours_is_refused():
    data = {"d": [0, 1, 0, 1, 1, 0] * 10, "x": np.linspace(0.0, 1.0, 60)}
    knowledge = sl.Knowledge(required=[("x", "d")])  # a discrete child has no continuous parents

    with pytest.raises(sl.DataError, match="x → d is required"):
        ExactPosterior(knowledge=knowledge).fit(data)


TABLES = st.integers(0, 4).flatmap(
    lambda n: arrays(np.float64, 1 << n, elements=st.floats(-2000, 0) | st.just(-math.inf))
)


@settings(deadline=None)  # the first call compiles
@given(table=TABLES)
def test_transforms_sum_over_all_subsets_and_all_supersets(table):
    down, up = table.copy(), table.copy()
    for bit in range(len(table).bit_length() - 1):
        subset_sums.add_subsets(down, 1 << bit)
        subset_sums.add_supersets(up, 1 << bit)

    for mask in range(len(table)):
        within = [table[other] for other in range(len(table)) if other & ~mask == 0]
        around = [table[other] for other in range(len(table)) if mask & ~other == 0]
        assert down[mask] == pytest.approx(np.logaddexp.reduce(within), rel=1e-12)
        assert up[mask] == pytest.approx(np.logaddexp.reduce(around), rel=1e-12)


@pytest.mark.filterwarnings("ignore:.*a single value:structlearn.DataWarning")
@pytest.mark.parametrize("prior", ["sets", "sizes"])
def test_a_column_that_never_varies_changes_no_probability(prior):
    data = random_data(5, 4)
    table = {name: np.array(data.column(name).labels)[data.column(name).codes] for name in data.names}

    plain, beside = (
        ExactPosterior(prior=prior).fit(rows) for rows in (table, table | {"k": ["k"] * data.n_rows})
    )

    arcs = {arc: beside.probabilities_[arc] for arc in plain.probabilities_}
    assert arcs == pytest.approx(dict(plain.probabilities_), abs=1e-12)
