"""Boolean networks: worked examples, published rates of success, and what is said where data are few."""

from itertools import product

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.network.boolean.rules import CountedRule
from structlearn.learners.network.boolean_network import BooleanNetwork
from tests.oracles.boolean_networks import (
    n_errors,
    random_network,
    random_pairs,
    smallest_solutions,
)

EXACT = ("reveal", "consistency")


def names_of(p):
    return [f"g{j:03}" for j in range(p)]


def fit_pairs(before, after, **options):
    """Fit to pairs of states."""
    names = names_of(before.shape[1])
    table = dict(zip(names, before.T, strict=True))
    table |= {f"{name} next": column for name, column in zip(names, after.T, strict=True)}
    kinds = dict.fromkeys(table, "discrete")
    learner = BooleanNetwork(after={name: f"{name} next" for name in names}, **options)
    return learner.fit(sl.Dataset(table, kinds=kinds))


@pytest.fixture
def majority():
    """The complete table of A' = B, B' = A or C, C' = majority(A, B, C), of Liang et al. (1998)."""
    before = np.array(list(product((0, 1), repeat=3)))
    a, b, c = before.T
    return before, np.stack([b, a | c, (a + b + c >= 2).astype(int)], axis=1)


@pytest.mark.parametrize("method", [*EXACT, "best-fit"])
def test_the_network_of_the_paper_is_found(majority, method):
    options = {"noise": 0.01} if method == "best-fit" else {}
    learner = fit_pairs(*majority, method=method, **options)

    assert learner.solutions_ == {
        "g000": (("g001",),),
        "g001": (("g000", "g002"),),
        "g002": (("g000", "g001", "g002"),),
    }
    assert learner.is_unique_.all()
    assert learner.inconsistencies_ == ()


def test_entropies_and_information_are_those_of_the_paper(majority):
    learner = fit_pairs(*majority, method="reveal")

    assert learner.entropy_ == pytest.approx([1, 0.8112781245, 1])
    assert [rule.information for rule in learner.rules_.values()] == pytest.approx([1, 0.8112781245, 1])
    # M(B'; A) = 0.3112781245, so that C tells 0.5 bits more; M(C'; pair) = 0.5.
    weights = {(e.source, e.target): e.weight for e in learner.graph_.edges}
    assert weights["g002", "g001"] == pytest.approx(0.8112781245 - 0.3112781245)
    assert weights["g000", "g002"] == pytest.approx(0.5)
    one = fit_pairs(*majority, method="reveal", max_inputs=1)
    assert one.rules_["g002"].information == pytest.approx(0.1887218755)


def test_truth_tables_are_those_of_the_rules(majority):
    rules = fit_pairs(*majority, method="reveal").rules_

    assert rules["g001"].table == {(0, 0): 0, (0, 1): 1, (1, 0): 1, (1, 1): 1}
    assert rules["g002"].essential == ("g000", "g001", "g002")
    assert str(rules["g000"]) == "g000 follows g001\n  0 → 0\n  1 → 1"


def solved(rules, learner):
    """Which nodes have one solution, and it is the true one."""
    names = learner.pairs_.names
    truth = [(tuple(names[j] for j in inputs),) for inputs, _ in rules]
    return [learner.solutions_[name] == inputs for name, inputs in zip(names, truth, strict=True)]


def rate(p, k, n, n_networks, **options):
    """The shares of nodes and of whole networks that are found."""
    found = []
    for seed in range(n_networks):
        rng = np.random.default_rng(seed)
        rules = random_network(rng, p, k)
        found.append(solved(rules, fit_pairs(*random_pairs(rng, rules, n), max_inputs=k, **options)))
    return np.mean(found), np.mean([all(each) for each in found])


def test_a_hundred_pairs_find_fifty_nodes_of_three_inputs_and_twenty_do_not():
    """As Liang et al. (1998) report; docs/references/boolean-networks.md#how-many-pairs-find-a-network."""
    assert rate(50, 3, 100, 1, method="reveal")[0] >= 0.995
    assert rate(50, 3, 20, 1, method="reveal")[0] < 0.5


@pytest.mark.slow
def test_reveal_finds_whole_networks_from_a_hundred_pairs():
    nodes, networks = rate(50, 3, 100, 10, method="reveal")

    assert nodes >= 0.995
    assert networks == 1.0


def test_sixty_pairs_find_whole_networks_of_two_inputs():
    assert rate(50, 2, 60, 2, method="consistency") == (1.0, 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("p", [50, 100, 200, 400])
def test_doubling_the_nodes_costs_few_pairs(p):
    """Akutsu et al. (1999): of the order of log p pairs suffice."""
    assert rate(p, 2, 60, 20 if p < 400 else 5, method="consistency")[1] == 1.0


def essential_pairs(rng, p):
    """A network in which each node has two inputs that matter."""
    rules = []
    while len(rules) < p:
        rules += [rule for rule in random_network(rng, p, 2) if len(rule[0]) == 2]
    return rules[:p]


@pytest.mark.parametrize("noise", [0.0, 0.05, 0.1])
@pytest.mark.parametrize("assumed", [0.05, None])
def test_best_fit_finds_noisy_rules(noise, assumed):
    shares = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        rules = essential_pairs(rng, 20)
        before, after = random_pairs(rng, rules, 100, noise)
        shares += solved(rules, fit_pairs(before, after, noise=assumed, max_inputs=2))

    assert np.mean(shares) >= 0.95


@pytest.mark.filterwarnings("ignore:.*say the same under different labels")
@pytest.mark.parametrize("method", EXACT)
def test_all_smallest_solutions_are_given_and_none_is_preferred(method):
    rng = np.random.default_rng(3)
    before, after = random_pairs(rng, random_network(rng, 6, 2), 7)

    learner = fit_pairs(before, after, method=method)

    names = learner.pairs_.names
    for target, name in enumerate(names):
        expected = smallest_solutions(before, after, target, 3)
        assert learner.solutions_[name] == tuple(tuple(names[j] for j in s) for s in expected)
        for source in names:
            share = np.mean([names.index(source) in s for s in expected]) if expected else 0.0
            known = learner.evidence_.get((source, name))
            assert (known.confidence if known else 0.0) == share
    several = [len(learner.solutions_[name]) > 1 for name in names]
    assert any(several)
    assert learner.is_unique_.tolist() == [len(learner.solutions_[name]) == 1 for name in names]
    assert "Several sets of inputs explain" in learner.status_
    assert len(learner.rules(names[several.index(True)])) > 1


def test_patterns_that_were_not_seen_are_marked():
    before = np.array([[0, 0], [0, 1], [1, 0], [1, 0]])
    after = before[:, [0, 0]] | before[:, [1, 1]]

    rule = fit_pairs(before, after, method="reveal").rules_["g000"]

    assert rule.table == {(0, 0): 0, (0, 1): 1, (1, 0): 1, (1, 1): None}
    assert rule.usual == 1
    assert rule.essential == ("g000", "g001")


@pytest.mark.parametrize("method", EXACT)
def test_inconsistent_data_are_reported_with_the_state_and_the_nodes(method):
    before = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [1, 1]])
    after = np.array([[0, 0], [1, 0], [0, 1], [1, 1], [1, 0]])

    with pytest.warns(sl.DataWarning, match=r"1 state is followed by different states of 'g001'.*best-fit"):
        learner = fit_pairs(before, after, method=method)

    assert learner.inconsistencies_ == (({"g000": 1, "g001": 1}, 2, ("g001",)),)
    assert learner.solutions_["g000"] == (("g001",),)
    assert learner.solutions_["g001"] == ()
    assert learner.rules_["g001"].errors == 1
    assert "No set of up to 3 inputs explains 'g001'" in learner.status_


def test_a_tolerance_lets_rules_be_wrong_in_a_share_of_the_pairs():
    rng = np.random.default_rng(0)
    before, after = random_pairs(rng, essential_pairs(rng, 6), 60, 0.05)

    with pytest.warns(sl.DataWarning, match="inconsistent"):
        learner = fit_pairs(before, after, method="consistency", tolerance=0.1)

    names = learner.pairs_.names
    for target, name in enumerate(names):
        for inputs in learner.solutions_[name]:
            assert n_errors(before, after, [names.index(i) for i in inputs], target) <= 6
    assert learner.is_unique_.sum() >= 4


def test_best_fit_weighs_errors_against_patterns_and_names_the_runner_up():
    """By hand: b flips with two exceptions in 40 pairs; noise 0.1 makes a pattern cost ½·ln 40 / ln 9."""
    before = np.array([[i % 2, i // 2 % 2] for i in range(40)])
    after = before[:, [0, 0]].copy()
    after[[0, 1], 1] ^= 1

    learner = fit_pairs(before, after, noise=0.1)

    unit = 0.5 * np.log(40) / np.log(9)
    assert learner.errors_.tolist() == [0, 2]
    assert learner.solutions_["g001"] == (("g000",),)
    assert learner.runner_ups_["g001"] == ("g000", "g001")
    assert learner.margin_ == pytest.approx([2 * unit, 2 * unit], abs=1e-5)


def test_noise_of_a_half_is_refused():
    with pytest.raises(sl.OptionError, match=r"noise=0.5.*below 0.5"):
        BooleanNetwork(noise=0.5).fit({"a": [0, 1, 1, 0, 1], "b": [1, 1, 0, 0, 1]})


def ring(n, p=4, seed=0):
    """A course in which each node copies the one before it; the first is random."""
    states = np.random.default_rng(seed).integers(0, 2, (n, p))
    for t in range(1, n):
        states[t, 1:] = states[t - 1, :-1]
    return dict(zip("abcdefgh", states.T, strict=False))


CHAIN = (("a", "b"), ("b", "c"), ("c", "d"))


def test_a_course_is_read_in_the_order_of_its_times():
    table = ring(80)
    order = np.random.default_rng(1).permutation(80)
    timed = {"t": np.arange(80.0)} | table

    learner = BooleanNetwork(time="t").fit({name: column[order] for name, column in timed.items()})

    assert BooleanNetwork().fit(table).graph_.directed == CHAIN
    assert learner.graph_.directed == CHAIN


def test_no_step_leads_from_one_series_to_another():
    parts = [ring(2, seed=seed) for seed in range(40)]
    table = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    series = np.repeat(np.arange(40), 2)

    with pytest.warns(sl.DataWarning, match="different states of 'a'"):
        learner = BooleanNetwork(series="s", method="reveal").fit({"s": series} | table)

    assert len(learner.pairs_) == 40
    assert [learner.solutions_[name] for name in "bcd"] == [(("a",),), (("b",),), (("c",),)]


def test_effects_may_show_later():
    learner = BooleanNetwork(lag=2).fit(ring(120))

    assert learner.graph_.directed == (("a", "c"), ("b", "d"))


def test_a_node_may_be_kept_from_acting_on_itself():
    before = np.random.default_rng(0).integers(0, 2, (40, 3))

    assert fit_pairs(before, before).graph_.directed == tuple((n, n) for n in names_of(3))
    assert fit_pairs(before, before, self_inputs=False).graph_.edges == ()


def test_columns_may_have_more_than_two_states():
    rng = np.random.default_rng(0)
    before = rng.integers(0, 3, (60, 4))
    after = np.stack([(before[:, 1] + before[:, 2]) % 3, *before.T[:3]], axis=1)

    learner = fit_pairs(before, after, method="reveal")

    assert learner.solutions_["g000"] == (("g001", "g002"),)
    assert learner.rules_["g000"].table[2, 2] == 1
    assert len(learner.rules_["g000"].table) == 9


@pytest.mark.parametrize("method", [*EXACT, "best-fit"])
def test_knowledge_decides_who_may_and_must_act(method):
    rng = np.random.default_rng(0)
    before = rng.integers(0, 2, (60, 4))
    knowledge = sl.Knowledge(required=[("g003", "g000")], forbidden=[("g001", "g002")])

    learner = fit_pairs(before, before, method=method, knowledge=knowledge)

    assert learner.solutions_["g000"] == (("g000", "g003"),)
    assert learner.solutions_["g001"] == (("g001",),)
    assert knowledge.violations(learner.graph_) == []


@pytest.mark.parametrize("method", [*EXACT, "best-fit"])
def test_an_input_that_is_forbidden_is_no_solution(method):
    before = np.random.default_rng(0).integers(0, 2, (60, 4))
    after = before[:, [1, 1, 2, 3]]
    knowledge = sl.Knowledge(forbidden=[("g001", "g000")])

    learner = fit_pairs(before, after, method=method, knowledge=knowledge)

    assert all("g001" not in inputs for inputs in learner.solutions_["g000"])
    assert learner.solutions_["g001"] == (("g001",),)


@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")  # of columns that say the same
def test_two_inputs_that_are_one_column_are_two_solutions_of_equal_worth():
    before = np.random.default_rng(0).integers(0, 2, (40, 3))
    before[:, 1] = before[:, 0]

    learner = fit_pairs(before, before[:, [2, 2, 0]], method="consistency")

    assert learner.solutions_["g002"] == (("g000",), ("g001",))
    assert learner.is_unique_.tolist() == [True, True, False]
    assert "Several sets of inputs explain 'g002' equally well" in learner.status_


@pytest.mark.parametrize("rule", ["two-means", "median", "step"])
def test_measurements_become_states_and_their_thresholds_are_kept(rule):
    rng = np.random.default_rng(0)
    table = {name: 5.0 + 2 * column + 0.1 * rng.normal(size=200) for name, column in ring(200).items()}

    learner = BooleanNetwork(binarisation=rule).fit(table)

    assert learner.thresholds_ == pytest.approx(np.full(4, 6.0), abs=1.0)
    if rule == "two-means":
        assert learner.graph_.directed == CHAIN
    assert np.isnan(BooleanNetwork().fit(ring(80)).thresholds_).all()


def test_constant_columns_have_no_edges_and_a_constant_rule():
    table = ring(60) | {"flat": np.zeros(60), "never": np.full(60, "no")}

    with pytest.warns(sl.DataWarning, match="have a single value"):
        learner = BooleanNetwork().fit(table)

    assert learner.graph_.adjacent("flat") == learner.graph_.adjacent("never") == ()
    assert learner.rules_["flat"].table == {(): 0}
    assert learner.rules_["never"].table == {(): "no"}


@pytest.mark.parametrize(
    ("options", "table", "message"),
    [
        ({"after": {"a": "b", "x": "d"}}, ring(20), "no node 'x'"),
        ({"after": {"a": "b"}}, ring(20), "none for 'c', 'd'"),
        ({"after": {"a": "b"}, "lag": 2}, {k: ring(20)[k] for k in "ab"}, "without time=, series= and lag="),
        ({"after": {"a": "nobody"}}, ring(20), "no column 'nobody'"),
        ({"lag": 30}, ring(20), "31 or more are needed"),
        ({"series": "a", "time": "b"}, {"a": [0, 0, 1], "b": [0, 1, 0], "c": [0, 1, 1]}, "1 time point"),
    ],
)
def test_what_makes_no_pairs_is_refused_in_a_sentence(options, table, message):
    with pytest.raises((sl.OptionError, sl.DataError), match=message):
        BooleanNetwork(**options).fit(table)


def test_pairs_of_different_kinds_are_refused_and_states_that_only_follow_are_known():
    table = {"a": ["x", "y"] * 5, "a next": np.linspace(0, 1, 10)}
    with pytest.raises(sl.DataError, match="of different kinds"):
        BooleanNetwork(after={"a": "a next"}).fit(table)

    learner = BooleanNetwork(after={"a": "a next"}, method="reveal").fit(table | {"a next": ["y", "z"] * 5})

    assert learner.rules_["a"].table == {("x",): "y", ("y",): "z", ("z",): None}


def test_pairs_count_as_often_as_their_weights_say_and_rows_of_a_course_do_not():
    before = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    table = {"a": before[:, 0], "b": before[:, 1], "a+": before[:, 1], "b+": before[:, 0]}
    learner = BooleanNetwork(after={"a": "a+", "b": "b+"})

    weighted = learner.fit(sl.Dataset(table, weights=[3, 5, 4, 6]))
    assert len(weighted.pairs_) == 18
    assert weighted.graph_.directed == (("a", "b"), ("b", "a"))
    with pytest.raises(sl.DataError, match="whole numbers"):
        learner.fit(sl.Dataset(table, weights=[1.5, 2, 2, 2]))
    with pytest.raises(sl.DataError, match="cannot count more often than it comes"):
        BooleanNetwork().fit(sl.Dataset(table, weights=[1, 1, 1, 2]))


def test_two_sets_that_explain_a_node_equally_well_are_several():
    before = np.array([[0, 0], [1, 1], [0, 0], [1, 1]])  # two nodes that do the same

    with pytest.warns(sl.DataWarning, match="say the same"):
        learner = fit_pairs(before, 1 - before)

    assert [len(sets) for sets in learner.solutions_.values()] == [2, 2]
    assert "Several sets of inputs explain" in learner.status_


def test_of_the_functions_that_are_allowed_the_one_with_most_pairs_right_is_the_rule():
    counts = np.array([[5, 1], [0, 4]])  # after a pattern, how often each state came

    assert CountedRule(0, (1,), counts).states.tolist() == [0, 1]
    constants = np.array([[True, True], [False, False]])
    assert CountedRule(0, (1,), counts, constants).states.tolist() == [1, 1]  # 5 and 5: the first
    with_itself = np.array([[True, True], [False, True]])
    assert CountedRule(0, (1,), counts, with_itself).states.tolist() == [0, 1]  # 5 and 9


def test_a_column_is_on_above_its_median_and_not_at_it():
    table = {"a": [1.0, 2.0, 3.0, 2.0, 5.0], "b": [0.5, 0.1, 0.2, 0.3, 0.4]}

    pairs = BooleanNetwork(binarisation="median").fit(table).pairs_

    assert pairs.before.tolist() == [[0, 1], [0, 0], [1, 0], [0, 0]]
    assert pairs.after[-1].tolist() == [1, 1]


def test_rows_may_be_left_out_where_each_is_a_pair_and_not_of_a_course_without_times():
    a = np.tile([0, 1, 1, 0], 10)
    table = {"a": [None, *a[1:].tolist()], "b": np.roll(a, 1).tolist()}

    with pytest.raises(sl.DataError, match="skipped as if there were no gap"):
        sl.BooleanNetwork(missing="drop").fit(table)

    pairs = table | {"next a": (1 - a).tolist(), "next b": a.tolist()}
    found = sl.BooleanNetwork(missing="drop", after={"a": "next a", "b": "next b"}).fit(pairs)
    assert found.pairs_.before.shape[0] <= 39
    assert [str(edge) for edge in found.graph_.edges] == ["a → a", "a → b"]
