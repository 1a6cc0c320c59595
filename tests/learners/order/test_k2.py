"""K2: published networks, brute force over all sets before a node, orders and knowledge."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.order.families.family_rows import MOST_FAMILIES
from structlearn.learners.order.k2 import K2
from structlearn.scores import FamilyScores, score_for
from structlearn.statistics import from_dataset
from tests.data_files import data_file
from tests.learners.order.model_tables import random_table
from tests.oracles.orders_posterior import best_of_order
from tests.oracles.reference_data import XOR


def local_scores(data, score):
    statistics = from_dataset(data.select(sorted(data.names)))
    return FamilyScores(score_for("test", score, statistics), statistics).local


def parents_of(graph):
    return {node: "".join(sorted(graph.parents(node))) for node in graph.nodes}


@pytest.mark.parametrize("max_parents", [2, 5])
def test_the_published_network_is_found_along_its_order(max_parents):
    data = data_file("tables/learning.test.csv")
    found = K2(order=list("ABCFDE"), max_parents=max_parents).fit(data)

    assert parents_of(found.graph_) == {"A": "", "C": "", "F": "", "B": "A", "D": "AC", "E": "BF"}
    assert found.score_ == pytest.approx(-23958.695338, abs=1e-5)  # From docs/references/orders.md#k2
    assert found.order_ == tuple("ABCFDE")


def test_the_reverse_order_gives_the_network_of_the_references():
    data = data_file("tables/learning.test.csv")
    found = K2(order=list("FEDCBA"), max_parents=3).fit(data)

    assert parents_of(found.graph_) == {"A": "BCD", "B": "CDE", "C": "DE", "D": "E", "E": "F", "F": ""}
    assert found.score_ == pytest.approx(-24243.604178, abs=1e-5)


def test_greedy_choice_is_blind_to_xor_and_exhaustive_choice_is_not():
    local = local_scores(XOR, "k2")
    assert local(2, []) == pytest.approx(-15.171314, abs=1e-6)  # From docs/references/orders.md#k2
    assert local(2, [0]) == local(2, [1]) == pytest.approx(-15.854649, abs=1e-6)
    assert local(2, [0, 1]) == pytest.approx(-7.167038, abs=1e-6)

    assert K2(order=list("ABC")).fit(XOR).graph_.directed == ()
    exhaustive = K2(order=list("ABC"), parents="exhaustive").fit(XOR)
    assert exhaustive.graph_.directed == (("A", "C"), ("B", "C"))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("score", ["k2", "bic"])
def test_exhaustive_choice_gives_the_best_dag_of_the_order(seed, score):
    data = random_table(seed)
    local = local_scores(data, score)
    order = np.random.default_rng(seed).permutation(5).tolist()
    names = [sorted(data.names)[node] for node in order]

    best = K2(order=names, parents="exhaustive", max_parents=2, score=score).fit(data)
    greedy = K2(order=names, max_parents=2, score=score).fit(data)

    assert best.score_ == pytest.approx(best_of_order(local, tuple(order), 2), abs=1e-8)
    assert greedy.score_ <= best.score_ + 1e-8
    place = {name: i for i, name in enumerate(names)}
    assert all(place[u] < place[v] for u, v in (*best.graph_.directed, *greedy.graph_.directed))


def test_each_greedy_family_is_what_single_additions_lead_to():
    data = random_table(3, n_rows=400)
    local = local_scores(data, "bic")
    names = sorted(data.names)
    graph = K2(order=names, score="bic").fit(data).graph_

    for child in range(5):
        parents = []
        while True:
            gains = {u: local(child, [*parents, u]) - local(child, parents) for u in range(child)}
            gains = {u: gain for u, gain in gains.items() if u not in parents}
            best = max(gains, key=gains.get, default=None)
            if best is None or gains[best] <= 1e-9:
                break
            parents.append(best)
        assert set(graph.parents(names[child])) == {names[u] for u in parents}


def test_more_random_orders_never_end_lower():
    data = random_table(1, n_rows=300)
    once = K2(order="random").fit(data)
    often = K2(order="random", tries=31).fit(data)

    assert often.score_ >= once.score_
    assert len(often.trace_["score"]) == 31
    assert often.score_ == pytest.approx(often.trace_["score"].max())


def test_no_parents_may_be_allowed_at_all():
    assert K2(max_parents=0).fit(random_table(0)).graph_.edges == ()


def test_knowledge_holds_along_every_kind_of_order():
    data = random_table(2, n_rows=300)
    free = K2().fit(data).graph_.directed
    source, target = free[0]
    backwards = [(v, u) for u, v in free[1:2]]
    knowledge = sl.Knowledge(required=backwards, forbidden=[(source, target), (target, source)])
    for learner in (K2(), K2(order="random", tries=5), K2(parents="exhaustive", max_parents=2)):
        graph = learner.set_params(knowledge=knowledge).fit(data).graph_
        assert knowledge.violations(graph) == []


def test_a_required_arc_against_the_order_is_refused():
    knowledge = sl.Knowledge(required=[("C", "A")])

    with pytest.raises(sl.OptionError, match="C → A is required, but 'C' comes after 'A'"):
        K2(order=list("ABC"), knowledge=knowledge).fit(XOR)


@pytest.mark.parametrize("order", [["A", "B"], ["A", "B", "B"], ["A", "B", "D"]])
def test_an_order_names_every_column_once(order):
    with pytest.raises(sl.OptionError, match="every column once: A, B, C"):
        K2(order=order).fit(XOR)


def test_several_tries_need_random_orders():
    with pytest.raises(sl.OptionError, match="order='random'"):
        K2(tries=3).fit(XOR)


def test_more_sets_than_can_be_scored_are_refused_with_their_number():
    rng = np.random.default_rng(0)
    data = {f"x{j}": rng.normal(size=50) for j in range(30)}

    with pytest.raises(
        sl.OptionError, match=rf"{30 * 2**29:,} parent sets .* {MOST_FAMILIES:,} are the most"
    ):
        K2(parents="exhaustive").fit(data)
