"""Networks of rules run as their truth tables say, and settle where enumeration says."""

from itertools import pairwise, product

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.network.boolean.binarisation import thresholds_of
from structlearn.learners.network.boolean.network import RuleNetwork
from structlearn.learners.network.boolean.rules import Rule
from structlearn.learners.network.boolean_network import BooleanNetwork
from tests.oracles.boolean_networks import followers, random_network


def network_of(rules, states=(0, 1)):
    """Rules of places as rules of named nodes."""
    names = [f"n{j:02}" for j in range(len(rules))]
    return RuleNetwork(
        [
            Rule(names[j], tuple(names[i] for i in inputs), states, table, 0, (), 0, 0.0)
            for j, (inputs, table) in enumerate(rules)
        ]
    )


def settled(rules, p):
    """By walking: the cycle of each state, as a set of states."""
    states = list(product((0, 1), repeat=p))
    then = {s: tuple(f) for s, f in zip(states, followers(rules, np.array(states)).tolist(), strict=True)}
    basins = {}
    for start in states:
        state = start
        for _ in states:
            state = then[state]
        cycle = [state]
        while then[cycle[-1]] != state:
            cycle.append(then[cycle[-1]])
        basins.setdefault(frozenset(cycle), []).append(start)
    return then, basins


@pytest.mark.parametrize("seed", range(4))
def test_attractors_and_basins_are_those_of_walking_from_every_state(seed):
    rules = random_network(np.random.default_rng(seed), 6, 2)

    found = network_of(rules).attractors()

    then, basins = settled(rules, 6)
    as_tuples = [[tuple(state.values()) for state in each.states] for each in found]
    assert {frozenset(cycle): each.basin for cycle, each in zip(as_tuples, found, strict=True)} == {
        cycle: len(starts) / 64 for cycle, starts in basins.items()
    }
    for cycle in as_tuples:  # in the order of time
        assert [then[state] for state in cycle] == cycle[1:] + cycle[:1]
    assert [each.basin for each in found] == sorted((each.basin for each in found), reverse=True)
    assert all(each.is_exact and each.is_fixed_point == (len(each.states) == 1) for each in found)


def test_only_the_largest_basins_are_given_where_that_is_asked_for():
    network = network_of([((j,), {(0,): 0, (1,): 1}) for j in range(4)])  # nothing ever changes

    assert len(network.attractors()) == 16
    assert len(network.attractors(limit=3)) == 3


def test_of_too_many_states_some_are_followed():
    """24 nodes that copy the first: all off and all on, half of the states each."""
    network = network_of([((0,), {(0,): 0, (1,): 1})] * 24)

    found = network.attractors(n_starts=200)

    assert {frozenset(each.states[0].values()) for each in found} == {frozenset({0}), frozenset({1})}
    assert sum(each.basin for each in found) == 1.0
    assert found[1].basin > 0.3
    assert not found[0].is_exact
    assert found == network.attractors(n_starts=200)


def test_cycles_of_sampled_networks_begin_with_their_least_state():
    """A ring of 22: every start comes back after at most 22 steps."""
    copy = {(0,): 0, (1,): 1}
    network = network_of([((j - 1 if j else 21,), copy) for j in range(22)])

    for each in network.attractors(n_starts=5):
        states = [tuple(state.values()) for state in each.states]
        assert 22 % len(states) == 0
        assert states[0] == min(states)
        assert states[1 % len(states)] == (states[0][-1], *states[0][:-1])


def test_what_does_not_settle_in_time_is_in_no_basin(monkeypatch):
    """A ring of 22 with a single node on goes round in 22 steps, which are too many here."""
    monkeypatch.setattr("structlearn.learners.network.boolean.attractors.MOST_STEPS", 10)
    copy = {(0,): 0, (1,): 1}

    assert network_of([((j - 1 if j else 21,), copy) for j in range(22)]).attractors(n_starts=2) == ()


def test_a_simulation_follows_the_truth_tables():
    rng = np.random.default_rng(0)
    rules = random_network(rng, 5, 2)
    states = [rng.integers(0, 2, 5)]
    for _ in range(10):
        states.append(followers(rules, states[-1][None])[0])

    run = network_of(rules).simulate({f"n{j:02}": int(s) for j, s in enumerate(states[0])}, 10)

    assert np.array(list(run.values())).T.tolist() == np.array(states).tolist()


def test_one_node_at_a_time_changes_by_its_rule():
    rules = random_network(np.random.default_rng(1), 5, 2)
    start = dict.fromkeys([f"n{j:02}" for j in range(5)], 1)

    run = network_of(rules).simulate(start, 60, update="asynchronous", random_state=0)

    states = np.array(list(run.values())).T
    changes = states[1:] != states[:-1]
    assert changes.sum(axis=1).max() == 1
    assert changes.any(axis=0).sum() > 1
    for now, then in pairwise(states):
        (changed,) = np.nonzero(now != then)
        assert (followers(rules, now[None])[0][changed] == then[changed]).all()
    again = network_of(rules).simulate(start, 60, update="asynchronous", random_state=0)
    assert run == again


def test_a_pattern_that_was_never_seen_leads_to_the_usual_state():
    rule = Rule("a", ("a",), ("off", "on"), {("off",): "on", ("on",): None}, "off", (), 0, 0.0)

    assert RuleNetwork([rule]).simulate({"a": "off"}, 3) == {"a": ["off", "on", "off", "on"]}


def test_the_graph_of_states_leads_from_each_to_the_next():
    swap = network_of([((1,), {(0,): 0, (1,): 1}), ((0,), {(0,): 0, (1,): 1})])

    assert swap.state_graph().directed == (("00", "00"), ("01", "10"), ("10", "01"), ("11", "11"))
    with pytest.raises(sl.DataError, match="4,096 states"):
        network_of([((0,), {(0,): 0, (1,): 1})] * 12).state_graph()


def test_states_that_are_none_are_refused():
    network = network_of([((), {(): 1})])

    with pytest.raises(sl.DataError, match="never 2; its states are 0, 1"):
        network.simulate({"n00": 2}, 1)
    with pytest.raises(sl.DataError, match="the nodes are 'n00'"):
        network.simulate({}, 1)
    with pytest.raises(sl.OptionError, match=r"update='often'"):
        network.simulate({"n00": 1}, 1, update="often")
    with pytest.raises(sl.OptionError, match="no rule for 'b'"):
        RuleNetwork([Rule("a", ("b",), (0, 1), {}, 0, (), 0, 0.0)])


def test_a_learned_network_runs_as_the_one_that_made_the_data():
    rng = np.random.default_rng(5)
    rules = random_network(rng, 6, 2)
    before = np.array(list(product((0, 1), repeat=6)))
    names = [f"n{j:02}" for j in range(6)][::-1]  # out of order on purpose
    table = dict(zip(names, before.T[::-1], strict=True))
    table |= dict(zip([f"{n}+" for n in names], followers(rules, before).T[::-1], strict=True))

    learner = BooleanNetwork(method="reveal", after={n: f"{n}+" for n in names})
    with pytest.raises(sl.DataError, match="call fit first"):
        learner.network()
    network = learner.fit(sl.Dataset(table, kinds=dict.fromkeys(table, "discrete"))).network()

    assert network.nodes == tuple(names)
    expected = {each.basin for each in network_of(rules).attractors()}
    assert {each.basin for each in network.attractors()} == expected
    start = dict.fromkeys(names, 1)
    assert network.simulate(start, 9) == network_of(rules).simulate(start, 9)


def test_of_several_solutions_one_can_be_chosen():
    table = {"a": [0, 1, 0, 1, 1, 0], "b": [0, 1, 0, 1, 1, 0], "a+": [0, 1, 0, 1, 1, 0], "b+": [0] * 6}
    learner = BooleanNetwork(method="reveal", after={"a": "a+", "b": "b+"})
    with pytest.warns(sl.DataWarning, match="same under different labels"):
        learner.fit(sl.Dataset(table, kinds=dict.fromkeys(table, "discrete")))

    assert learner.solutions_["a"] == (("a",), ("b",))
    assert learner.network().rules["a"].inputs == ("a",)
    assert learner.network({"a": 1}).rules["a"].inputs == ("b",)
    with pytest.raises(sl.OptionError, match=r"has 2 solutions.*no 2"):
        learner.network({"a": 2})
    with pytest.raises(sl.OptionError, match="no node 'z'"):
        learner.rules("z")


def test_two_means_minimise_the_squares_within_groups():
    rng = np.random.default_rng(0)
    values = rng.normal(size=30)
    values = np.sort(values)

    def within(cut):
        return sum(len(part) * part.var() for part in (values[:cut], values[cut:]))

    best = min(range(1, 30), key=within)
    expected = (values[:best].mean() + values[best:].mean()) / 2
    mixed = rng.permutation(values)[:, None]

    assert thresholds_of([mixed], "two-means") == pytest.approx(expected)
    assert thresholds_of([mixed[:11], mixed[11:]], "two-means") == pytest.approx(expected)
    assert thresholds_of([1e200 * mixed], "two-means") == pytest.approx(1e200 * expected)


def test_a_median_leaves_states_on_both_sides():
    assert thresholds_of([np.array([[1.0], [2.0], [9.0]])], "median").tolist() == [2.0]
    assert thresholds_of([np.array([[1.0], [3.0], [3.0]])], "median").tolist() == [2.0]
    assert thresholds_of([np.array([[3.0], [3.0]])], "median").tolist() == [3.0]


def test_a_step_is_sought_in_the_order_of_time_and_in_each_course():
    """0 0 0 4 4 steps from 0 to 4; in 0 4 0 4 the best step, 0 | 4 0 4 or its mirror, is smaller."""
    rising, restless = np.array([[0.0], [0], [0], [4], [4]]), np.array([[0.0], [4], [0], [4]])

    assert thresholds_of([rising], "step").tolist() == [2.0]
    assert thresholds_of([restless, rising], "step").tolist() == [2.0]
    assert thresholds_of([restless], "step") == pytest.approx([4 / 3])
