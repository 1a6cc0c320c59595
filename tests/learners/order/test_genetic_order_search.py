"""Genetic search over orders: operators by hand, permutations always, asia against all its orders."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.learners.order.genetic_order_search import GeneticOrderSearch
from structlearn.learners.order.k2 import K2
from structlearn.learners.order.permutations import crossovers
from structlearn.learners.order.permutations.crossovers import CROSSOVERS
from structlearn.learners.order.permutations.mutations import MUTATIONS
from tests.data_files import data_file
from tests.learners.order.model_tables import random_table

# Of all 40,320 orders, K2 metric, at most 4 parents: docs/references/orders.md#genetic-orders.
BEST_OF_ASIA = -11106.628136


def order(digits):
    return np.array([int(digit) - 1 for digit in digits])


def digits(child):
    return "".join(str(node + 1) for node in child)


def places(*chosen):
    return np.isin(np.arange(8), chosen)


A, B, C = order("12345678"), order("37516824"), order("24687531")


@pytest.mark.parametrize(
    ("combine", "second", "chosen", "expected", "swapped"),
    [
        (crossovers.partially_mapped, B, places(3, 4, 5), "42316875", "37845621"),
        (crossovers.ordered, C, places(2, 3, 4), "87345126", "45687123"),
        (crossovers.order_based, C, places(1, 2, 5), "12346578", "24387561"),
        (crossovers.position_based, C, places(1, 2, 5), "14623578", "42387651"),
    ],
    ids=["partially mapped", "ordered", "order-based", "position-based"],
)
# From docs/references/orders.md#genetic-orders.
def test_crossovers_are_those_of_the_paper(combine, second, chosen, expected, swapped):
    assert digits(combine(A, second, chosen)) == expected
    assert digits(combine(second, A, chosen)) == swapped


# From docs/references/orders.md#genetic-orders.
def test_crossovers_without_chosen_places_are_those_of_the_paper():
    assert digits(crossovers.cycle(A, C)) == "12647538"
    assert digits(crossovers.cycle(C, A)) == "24385671"
    assert digits(crossovers.alternating(A, B)) == "13275468"


def test_votes_of_a_majority_hold():
    voters = [order("12345"), order("12543"), order("12354"), order("32145")]

    for seed in range(20):
        child = digits(crossovers.voting(voters, 3, np.random.default_rng(seed)))
        assert child[:2] == "12"  # 1 has three votes for the first place, 2 four for the second
        assert sorted(child) == list("12345")


@settings(deadline=None, max_examples=100)
@given(n=st.integers(2, 9), seed=st.integers(0, 2**32 - 1))
def test_every_operator_returns_a_permutation(n, seed):
    rng = np.random.default_rng(seed)
    for crossover in CROSSOVERS.values():
        parents = [rng.permutation(n) for _ in range(crossover.n_parents)]
        before = [parent.copy() for parent in parents]
        assert sorted(crossover.make(parents, rng)) == list(range(n))
        assert all((parent == old).all() for parent, old in zip(parents, before, strict=True))
    for mutate in MUTATIONS.values():
        parent = rng.permutation(n)
        before = parent.copy()
        assert sorted(mutate(parent, rng)) == list(range(n))
        assert (parent == before).all()


def displaced(blocks, *, is_reversed):
    """All ways to move a block of 1234 elsewhere."""
    for low, high in blocks:
        block, rest = "1234"[low:high], "1234"[:low] + "1234"[high:]
        block = block[::-1] if is_reversed else block
        yield from (rest[:place] + block + rest[place:] for place in range(len(rest) + 1))


SINGLES = [(place, place + 1) for place in range(4)]
BLOCKS = [(low, high) for low in range(4) for high in range(low + 2, 5)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("exchange", {"2134", "3214", "4231", "1324", "1432", "1243"}),
        ("insertion", set(displaced(SINGLES, is_reversed=False))),
        ("displacement", set(displaced(BLOCKS, is_reversed=False))),
        ("inverted-displacement", set(displaced(BLOCKS, is_reversed=True))),
        ("inversion", {"2134", "1324", "1243", "3214", "1432", "4321"}),
        ("scramble", {"".join(p) for p in itertools.permutations("1234")}),
    ],
)
def test_mutations_change_what_they_say(name, expected):
    rng = np.random.default_rng(0)

    assert {digits(MUTATIONS[name](A[:4], rng)) for _ in range(1000)} == expected


@pytest.mark.parametrize("seed", range(3))
def test_the_best_never_falls_and_is_what_k2_makes_of_the_order(seed):
    data = random_table(seed, n_columns=7)
    found = GeneticOrderSearch(evaluations=150, population=10, random_state=seed).fit(data)
    trace = found.trace_

    assert (np.diff(trace["best"]) >= 0).all()
    assert (np.diff(trace["mean"][10:]) >= -1e-9).all()  # once the population is full
    assert (trace["best"] >= trace["mean"] - 1e-9).all()
    assert found.score_ == pytest.approx(trace["score"].max())
    again = K2(order=found.order_, score="bic", max_parents=4).fit(data)
    assert again.graph_ == found.graph_


def test_asia_is_solved_more_often_than_by_random_orders():
    data = sl.Dataset(data_file("tables/asia.csv"))
    options = {"score": "k2", "population": 20, "mutation_rate": 0.3, "evaluations": 200}
    hits = 0
    for seed in range(20):
        score = GeneticOrderSearch(random_state=seed, **options).fit(data).score_
        assert score < BEST_OF_ASIA + 1e-5
        hits += score > BEST_OF_ASIA - 1e-5

    assert hits >= 15  # From docs/references/orders.md#genetic-orders; 200 random orders hit in 8 of 20


@pytest.mark.parametrize("crossover", CROSSOVERS)
def test_every_crossover_finds_the_best_order_of_a_small_table(crossover):
    data = random_table(1)
    best = max(
        K2(order=list(names), score="bic").fit(data).score_ for names in itertools.permutations(data.names)
    )
    found = GeneticOrderSearch(crossover=crossover, evaluations=110, mutation_rate=0.5).fit(data)

    assert found.score_ == pytest.approx(best, abs=1e-8)


def test_exhaustive_families_are_at_least_as_good():
    data = random_table(4, n_columns=6)
    greedy = GeneticOrderSearch(evaluations=100, max_parents=3).fit(data)
    best = GeneticOrderSearch(evaluations=100, max_parents=3, parents="exhaustive").fit(data)

    assert best.trace_["best"][49] >= greedy.trace_["best"][49] - 1e-8  # the same first 50 orders


def test_few_orders_end_the_search():
    trace = GeneticOrderSearch().fit(random_table(0, n_columns=3)).trace_

    assert len(trace["score"]) == 6  # all that there are


def test_the_order_of_the_initial_graph_is_tried_first():
    data = random_table(3, n_columns=6)
    initial = sl.HillClimbing().fit(data).graph_
    found = GeneticOrderSearch(initial=initial, evaluations=30).fit(data)

    expected = K2(order=initial.topological_order(), score="bic", max_parents=4).fit(data).score_
    assert found.trace_["score"][0] == pytest.approx(expected)
    assert found.score_ >= expected - 1e-9


@pytest.mark.parametrize("crossover", ["order-based", "voting"])
@pytest.mark.parametrize("seed", range(3))
def test_knowledge_is_kept(crossover, seed):
    data = random_table(seed, n_columns=6)
    a, b, c, d, e, f = sorted(data.names)
    knowledge = sl.Knowledge(required=[(d, a), (a, c), (f, d)], forbidden=[(b, c), (c, b)], tiers=[[e], [b]])
    found = GeneticOrderSearch(
        knowledge=knowledge, crossover=crossover, evaluations=150, population=10, mutation_rate=0.5
    ).fit(data)

    assert knowledge.violations(found.graph_) == []
    place = {name: i for i, name in enumerate(found.order_)}
    assert all(place[u] < place[v] for u, v in found.graph_.directed)
