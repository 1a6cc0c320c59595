"""Each step of a search for modules does what its definition says."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.learners.network.modules.problem import Problem, in_standard_units
from structlearn.learners.network.modules.programs import Grower
from structlearn.learners.network.modules.result import columns_of_trace, module_graph, named_modules
from structlearn.learners.network.modules.search import Search, clusters_of
from structlearn.learners.network.modules.state import State, program_of
from structlearn.run import Run
from tests.oracles import module_networks as oracle

few = settings(max_examples=12, deadline=None)
seeds = st.integers(0, 10**6)


def problem_of(values, regulators, members, required=None, **options):
    values = np.asarray(values, dtype=float)
    names = tuple(f"x{j}" for j in range(len(values)))
    nothing = np.zeros((len(values), len(values)), dtype=bool)
    places = np.array(regulators), np.array(members)
    return Problem(names, values, values, *places, nothing, required or {}, sl.ModuleNetwork(**options))


def grower_of(problem):
    rows = problem.values[problem.members]
    return Grower(problem, rows.sum(axis=0), (rows**2).sum(axis=0), len(rows), problem.penalty)


def two_levels(seed, n_arrays=16):
    """Two regulators, a third that is noise, and three columns that follow the first two."""
    rng = np.random.default_rng(seed)
    regulators = rng.normal(size=(3, n_arrays)).round(1)
    mean = np.where(regulators[0] > 0, 1.5, np.where(regulators[1] > 0, 0.0, -1.5))
    return np.vstack([regulators, mean + 0.4 * rng.normal(size=(3, n_arrays))])


@few
@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=9), st.sampled_from([1e-300, 1.0, 1e300]))
def test_standard_units_have_mean_0_and_deviation_1_and_lead_back(values, unit):
    rows = np.array([values, [4.0] * len(values)]).T * np.array([unit, 1.0])

    found, means, deviations = in_standard_units(rows)

    back = (means[:, None] + deviations[:, None] * found) / np.array([[unit], [1.0]])
    assert back == pytest.approx(rows.T / np.array([[unit], [1.0]]), abs=1e-9)
    assert found[1].tolist() == [0.0] * len(values)
    if np.ptp(values) > 1e-3:
        assert (found[0].mean(), found[0].std()) == pytest.approx((0.0, 1.0), abs=1e-7)


@few
@given(st.lists(st.integers(-3, 3), min_size=1, max_size=12))
def test_cuts_part_different_values_or_are_at_quartiles_that_part_some(values):
    column = np.array(values, dtype=float)

    def sides(thresholds):
        problem = problem_of([column], [0], [0], thresholds=thresholds)
        ends = np.flatnonzero(problem.is_cut[0])
        return {frozenset(problem.orders[0, : end + 1].tolist()) for end in ends}

    def below(limits):
        return {frozenset(np.flatnonzero(column <= limit).tolist()) for limit in limits}

    everything = frozenset(range(len(values)))
    assert sides("all") == below(column) - {everything}
    assert sides("quartiles") == below(np.quantile(column, [0.25, 0.5, 0.75])) - {everything}


@pytest.mark.parametrize(("n_arrays", "expected"), [(5, 5.0), (61, math.log(180)), (1, 5.0)])
def test_a_split_costs_the_logarithm_of_all_splits_but_at_least_5(n_arrays, expected):
    values = np.random.default_rng(0).normal(size=(3, n_arrays))

    assert problem_of(values, [0, 1, 2], [0]).penalty == pytest.approx(expected)
    assert problem_of(values, [0, 1, 2], [0], penalty=0.5).penalty == 0.5


@few
@given(seeds, st.sampled_from([None, 0, 1, 2]), st.sampled_from([1, 3]))
def test_a_tree_grows_by_the_best_split_of_all_leaves(seed, max_depth, min_leaf):
    values = two_levels(seed)
    problem = problem_of(values, [0, 1, 2], [3, 4, 5], penalty=3.0, max_depth=max_depth, min_leaf=min_leaf)
    grower = grower_of(problem)

    found = grower.grown([], np.ones(3, dtype=bool))

    leaves, done = [(np.ones(16, dtype=bool), 0)], []
    while leaves:
        inside, depth = leaves.pop()
        gain, _, low = oracle.best_split(values[:3], values[3:], inside, min_leaf)
        if gain > 3.0 and (max_depth is None or depth < max_depth):
            leaves += [(low, depth + 1), (inside & ~low, depth + 1)]
        else:
            done.append(inside)
    partition = {tuple(leaf.inside) for leaf in found.root.leaves()}
    assert partition == {tuple(inside) for inside in done}
    expected = sum(oracle.leaf_score(values[3:], inside) for inside in done) - 3.0 * (len(done) - 1)
    assert grower.likelihood(found) == pytest.approx(expected)
    whole = oracle.leaf_score(values[3:], np.ones(16, dtype=bool))
    assert sum(grower.gains(found).values()) == pytest.approx(expected - whole, abs=1e-9)
    assert set(grower.gains(found)) == set(found.parents)


@few
@given(seeds, st.integers(0, 3), st.sampled_from([None, 1, 2]))
def test_with_lookahead_no_branch_stays_that_did_not_pay(seed, lookahead, most):
    problem = problem_of(
        two_levels(seed), [0, 1, 2], [3, 4], lookahead=lookahead, max_regulators=most, min_leaf=2, penalty=4.0
    )
    grower = grower_of(problem)

    found = grower.grown([], np.ones(3, dtype=bool))

    assert len(found.parents) <= (3 if most is None else most)
    for split in found.root.splits():
        inside = [leaf.inside for leaf in split.leaves()]
        rows = problem.values[3:5]
        gained = sum(oracle.leaf_score(rows, each) for each in inside) - oracle.leaf_score(rows, split.inside)
        assert gained > 4.0 * (len(inside) - 1)
        values = problem.values[split.regulator]
        assert (split.low.inside == split.inside & (values <= split.threshold)).all()


def test_the_best_first_regulator_is_the_one_whose_split_gains_most_if_it_pays():
    values, is_noise = two_levels(1), np.array([False, False, True])
    everything = np.ones(16, dtype=bool)
    _, best, _ = oracle.best_split(values[:3], values[3:], everything, 3)
    gain, _, _ = oracle.best_split(values[2:3], values[3:], everything, 3)

    too_dear, cheap = (
        grower_of(problem_of(values, [0, 1, 2], [3, 4, 5], min_leaf=3, penalty=gain + more))
        for more in (0.1, -0.1)
    )

    assert cheap.best_first(~is_noise | is_noise) == best
    assert cheap.best_first(is_noise) == 2
    assert too_dear.best_first(is_noise) is None
    assert cheap.best_first(is_noise & ~is_noise) is None


def test_a_required_regulator_is_asked_even_in_small_leaves_but_not_where_nothing_is_left_to_part():
    values = [[0, 0, 0, 1], [0, 1, 1, 1], [0.1, -0.2, 0.3, 0.0]]
    grower = grower_of(problem_of(values, [0, 1], [2], min_leaf=2))

    found = grower.grown([0, 1], np.ones(2, dtype=bool))

    assert found.parents == [0, 1]
    assert sorted(np.bincount(found.leaf_of).tolist()) == [1, 1, 2]
    twice = grower_of(problem_of([[0, 1], [0, 1], [2, 3]], [0, 1], [2]))
    assert twice.grown([0, 1], np.ones(2, dtype=bool)) is None


def state_at_random(seed, n_columns=8, n_modules=3):
    """Columns that are near-copies of each other, all of them regulators, in modules at random."""
    rng = np.random.default_rng(seed)
    values = np.repeat(rng.normal(size=(2, 24)), n_columns // 2, axis=0)
    values += 0.5 * rng.normal(size=(n_columns, 24))
    everyone = np.arange(n_columns)
    problem = problem_of(values, everyone, everyone, penalty=2.0, min_leaf=4)
    return State(problem, rng.integers(0, n_modules, n_columns), n_modules), rng


@few
@given(seeds, st.lists(st.sampled_from(["program", "release", "modules"]), min_size=3, max_size=9))
def test_whatever_steps_are_taken_the_score_never_falls_and_no_module_leads_to_itself(seed, steps):
    state, rng = state_at_random(seed)
    before = state.score()

    for k, step in enumerate(steps):
        if step == "modules":
            has_changed = state.improve_modules(rng) > 0
        else:
            change = state.improve_program if step == "program" else state.release_regulator
            has_changed = change(k % 3)
        leaves = [program.leaf_of for program in state.programs]
        after = oracle.score(state.problem.values, state.modules, leaves, 3, 2.0)

        assert state.score() == pytest.approx(after)
        assert after > before if has_changed else after == pytest.approx(before)
        before = after
        links = np.zeros((3, 3), dtype=int)
        for m, program in enumerate(state.programs):
            for parent in program.parents:
                links[state.modules[parent], m] += 1
        assert (state.links == links).all()
        assert not np.trace(links + links @ links + links @ links @ links)


def test_an_empty_module_has_a_single_leaf_again():
    state, _ = state_at_random(0)
    state.modules[:] = np.arange(8) % 3
    assert state.improve_program(0)

    state.modules[state.modules == 0] = 1

    assert state.improve_program(0)
    assert state.programs[0].n_leaves == 1
    assert not state.improve_program(0)
    assert not state.release_regulator(0)


def test_a_regulator_goes_to_no_module_that_it_leads_to_however_well_it_fits_there():
    rng = np.random.default_rng(0)
    values = np.tile(rng.normal(size=24), (8, 1)) + 0.1 * rng.normal(size=(8, 24))
    values[6:] *= -1.0  # where column 0 fits worst
    everyone, nobody = np.arange(8), np.zeros(8, dtype=bool)
    state = State(problem_of(values, everyone, everyone), np.repeat(np.arange(4), 2), 4)
    assert state._best_home(0, 0) in {1, 2}

    state.programs[1] = state._grower(1).grown(
        [0], nobody
    )  # 0 regulates module 1, and a column of it module 2
    state.programs[2] = state._grower(2).grown([2], nobody)
    assert state._best_home(0, 0) == 3

    state.programs[3] = state._grower(3).grown([4], nobody)
    assert state._best_home(0, 0) is None
    assert state.modules.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]


def test_columns_that_fit_worst_are_those_far_from_their_module():
    rng = np.random.default_rng(2)
    values = np.tile(rng.normal(size=15), (6, 1)) + 0.1 * rng.normal(size=(6, 15))
    values[4] *= -3.0
    values[1] *= 2.0
    problem = problem_of(values, [0], np.arange(6), required={5: [0]})
    state = State(problem, np.array([0, 0, 0, 0, 0, 1]), 2)

    assert state.worst_fitting(2).tolist() == [4, 1]
    assert state.worst_fitting(6)[-1] == 5  # it has a required parent, and stays


def test_leaves_have_the_mean_and_variance_of_the_posterior():
    problem = problem_of([[1.0, 3.0]], [0], [0], prior_mean=1.0, prior_strength=2.0, prior_shape=3.0)

    _, means, variances = program_of(State(problem, np.array([0]), 1), 0)

    # Two values of mean 2 and two of the prior of mean 1; the rate is 0.1 + 2/2 + 2·2/(2·4), the shape 3 + 1.
    assert means.tolist() == [1.5]
    assert variances == pytest.approx([0.4])


@pytest.mark.parametrize(
    ("n_columns", "expected"),
    [(0, [1]), (1, [1]), (2, [1, 2]), (5, [1, 2, 3, 4, 5]), (9, [1, 2, 3, 4, 6, 8, 9])],
)
def test_numbers_of_modules_to_try_grow_up_to_all_columns(n_columns, expected):
    problem = problem_of(np.zeros((max(n_columns, 1), 3)), [0], np.arange(n_columns))
    with Run("test", progress=False) as run:
        assert list(Search(problem, sl.ModuleNetwork(), 0, run, n_jobs=1)._numbers()) == expected


@pytest.mark.parametrize("start", ["ward", "average", "k-means"])
def test_one_cluster_has_all_and_as_many_as_rows_have_one_each(start):
    values, rng = np.random.default_rng(0).normal(size=(4, 6)), np.random.default_rng(0)

    assert clusters_of(values, 1, start, rng).tolist() == [0, 0, 0, 0]
    assert sorted(clusters_of(values, 4, start, rng).tolist()) == [0, 1, 2, 3]
    assert clusters_of(values[:0], 1, start, rng).tolist() == []


def test_modules_are_named_by_size_then_by_their_first_column():
    problem = SimpleNamespace(names=("a", "module 2"))

    def named(*modules):
        return named_modules(SimpleNamespace(modules=np.array(modules, dtype=int), problem=problem))

    assert named(4, 2, 2, 0, 0, 0, 4) == {"module 1": 0, "module 3": 4, "module 4": 2}
    assert named() == {}


def test_a_module_graph_has_gains_as_weights_and_a_regulator_knows_its_home():
    modules = {"module 1": ("a", "b"), "module 2": ("r",)}

    graph = module_graph(modules, {"module 1": {"r": 4.5, "out": 2.0}, "module 2": {}})

    assert {(e.source, e.target): e.weight for e in graph.edges} == {
        ("r", "module 1"): 4.5,
        ("out", "module 1"): 2.0,
    }
    assert graph.facts["module 1"]["members"] == ("a", "b")
    assert graph.facts["r"]["module"] == "2"
    assert "out" not in graph.facts
    trace = columns_of_trace([(0, 2, "start", -3.5, 0), (0, 2, "programs", -3.0, 1)])
    assert {name: column.tolist() for name, column in trace.items()} == {
        "start": [0, 0],
        "n_modules": [2, 2],
        "step": ["start", "programs"],
        "score": [-3.5, -3.0],
        "n_changed": [0, 1],
    }
