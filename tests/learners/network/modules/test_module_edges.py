"""Module networks at the edges: tables with little in them, near-copies, extreme units, and broken files."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.formats import save
from structlearn.models import GaussianTreeCPD, Split
from structlearn.models.module_network import ModuleNetworkModel
from tests.oracles import module_networks as oracle

few = settings(max_examples=5, deadline=None)
OUTSIDE = {"n_modules": 1, "regulators": ["r"], "assign_regulators": False, "penalty": 0.0}


def two_sides(regulator, seed=0):
    """Three columns that are low in the first half of the rows, and a regulator."""
    rng, half = np.random.default_rng(seed), len(regulator) // 2
    level = np.repeat([0.0, 3.0], [half, len(regulator) - half])
    return {"r": regulator, **{f"x{i}": level + 0.1 * rng.normal(size=len(regulator)) for i in range(3)}}


def recomputed(learner, table, penalty):
    """The score of a learner from its public results alone."""
    standard = {name: (column - column.mean()) / column.std() for name, column in table.items()}
    members = [name for each in learner.modules_.values() for name in each]
    modules = [k for k, each in enumerate(learner.modules_.values()) for _ in each]
    n_rows = len(next(iter(table.values())))
    leaves = [
        program.leaves_of([table[parent] for parent in program.parents], n_rows)
        for program in learner.programs_.values()
    ]
    rows = [standard[name] for name in members]
    return oracle.score(rows, modules, leaves, len(leaves), penalty)


@few
@given(st.integers(0, 10**6), st.sampled_from(["all", "quartiles"]), st.booleans())
def test_the_score_comes_out_again_from_what_a_learner_says_and_modules_make_no_circle(seed, where, has_ties):
    rng = np.random.default_rng(seed)
    ring = [rng.normal(size=16)]
    ring += [0.7 * ring[0] + 0.7 * rng.normal(size=16) for _ in range(2)]  # each would explain the others
    table = {f"{'abc'[k]}{i}": ring[k] + 0.3 * rng.normal(size=16) for k in range(3) for i in range(2)}
    if has_ties:
        table = {name: column.round(0) for name, column in table.items()}

    learner = sl.ModuleNetwork(n_modules=3, thresholds=where, penalty=3.0, min_leaf=3).fit(table)

    expected = recomputed(learner, table, 3.0)
    expected -= len(table) * (np.log(3) - np.log(len(learner.modules_)))  # empty modules count as well
    assert learner.score_ == pytest.approx(expected)
    assert learner.graph_.kind == "DAG"
    home = {name: module for module, each in learner.modules_.items() for name in each}
    between = [(home[name], module) for module, each in learner.regulators_.items() for name in each]
    assert sl.Graph(list(learner.modules_), directed=set(between)).is_dag


@pytest.mark.parametrize("largest", [1e-300, 1e-100, 1.0, 1e100, 1e300])
def test_thresholds_are_in_the_units_of_the_table_however_extreme(largest):
    table = two_sides(np.arange(12.0) / 12.0 * largest)
    table["x0"] = table["x0"] * largest

    learner = sl.ModuleNetwork(**OUTSIDE, max_depth=1).fit(table)

    tree = learner.programs_["module 1"].tree
    assert tree.at / largest == pytest.approx(5.5 / 12.0)
    found = learner.model_.predict({"r": table["r"]})
    assert np.abs(found["x0"] / largest - table["x0"] / largest).max() < 0.5


@pytest.mark.parametrize("base", [1.0, 1e6, 1e9, -1e12])
def test_a_threshold_parts_values_that_are_next_to_each_other(base):
    values = [base]
    for _ in range(11):
        values.append(np.nextafter(values[-1], np.inf))

    learner = sl.ModuleNetwork(**OUTSIDE, max_depth=1).fit(two_sides(np.array(values)))

    program = learner.programs_["module 1"]
    assert program.leaves_of([np.array(values)], 12).tolist() == [0] * 6 + [1] * 6


def test_without_standard_units_extreme_columns_are_refused_and_others_keep_their_scale():
    table = two_sides(np.arange(12.0))

    learner = sl.ModuleNetwork(**OUTSIDE, standardise=False, max_depth=1).fit(table)

    lows = np.array([table[f"x{i}"][:6] for i in range(3)])
    assert learner.programs_["module 1"].means[0] == pytest.approx(lows.sum() / 18.1)
    with pytest.raises(sl.DataError, match=r"standardise=False leaves .* 'r' varies by about 1e"):
        sl.ModuleNetwork(**OUTSIDE, standardise=False).fit({**table, "r": 1e200 * table["r"]})


@pytest.mark.filterwarnings("ignore:.*single value")
def test_constant_columns_are_in_no_module_and_regulate_none():
    table = {**two_sides(np.arange(12.0)), "flat": np.full(12, 7.0)}

    learner = sl.ModuleNetwork(regulators=["flat", "r"], penalty=0.0).fit(table)

    assert all("flat" not in each for each in learner.modules_.values())
    assert "flat" in learner.graph_.nodes
    assert not any("flat" in (edge.source, edge.target) for edge in learner.graph_.edges)
    with pytest.raises(sl.OptionError, match="flat → x0 is required, but one of the columns has a single"):
        sl.ModuleNetwork(knowledge=sl.Knowledge(required=[("flat", "x0")])).fit(table)


@pytest.mark.filterwarnings("ignore:.*single value")
@pytest.mark.parametrize(
    ("table", "options"),
    [
        ({"a": [1.0] * 5, "b": [2.0] * 5}, {}),
        (
            {"a": [1.0, 2, 3, 4, 5], "b": [2.0, 1, 4, 3, 3]},
            {"regulators": ["a", "b"], "assign_regulators": False},
        ),
    ],
    ids=["no column varies", "all are regulators outside"],
)
def test_without_columns_to_put_in_modules_there_are_none(table, options):
    learner = sl.ModuleNetwork(**options).fit(table)

    assert (learner.modules_, learner.regulators_, learner.score_) == ({}, {}, 0.0)
    assert learner.graph_.nodes == ("a", "b")
    assert learner.model_.predict(table) == {}
    assert learner.model_.log_likelihood(table) == 0.0
    assert learner.enrichment({"s": ["a"]}) == ()


@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_two_rows_make_modules_but_no_splits():
    learner = sl.ModuleNetwork().fit({"a": [0.0, 1.0], "b": [0.0, 2.0], "c": [1.0, 0.0]})

    assert sorted(name for each in learner.modules_.values() for name in each) == ["a", "b", "c"]
    assert learner.graph_.edges == ()


def test_of_three_near_copies_one_leaves_to_regulate_the_others():
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(2, 50))
    table = {f"a{i}": first + 1e-3 * rng.normal(size=50) for i in range(3)}
    table["b"] = second

    learner = sl.ModuleNetwork(n_modules=2).fit(table)

    module, copies = next((name, each) for name, each in learner.modules_.items() if "b" not in each)
    assert len(copies) == 2
    (regulator,) = {"a0", "a1", "a2"} - set(copies)
    assert next(iter(learner.regulators_[module])) == regulator
    assert learner.graph_.kind == "DAG"


def model():
    tree = GaussianTreeCPD(Split("r", [(-1.0, 0.25), (1.0, 0.5)], at=0.0), parents={"r": []})
    alone = GaussianTreeCPD((0.5, 1.0), parents={})
    units = {"a": (10.0, 2.0), "b": (0.0, 1.0), "c": (1.0, 4.0)}
    return ModuleNetworkModel({"m": ["a", "b"], "k": ["c"]}, {"m": tree, "k": alone}, units)


def test_only_the_regulators_of_the_columns_asked_for_are_needed():
    assert model().predict({"other": [1.0, 2.0]}, ["c"])["c"].tolist() == [3.0, 3.0]
    assert model().predict({"r": [0.0, 1e-9]}, ["a"])["a"].tolist() == [8.0, 12.0]  # at the threshold is low
    with pytest.raises(sl.DataError, match="no column 'r', which a programme needs"):
        model().predict({"other": [1.0, 2.0]})
    with pytest.raises(sl.DataError, match="'r' of the samples misses a value"):
        model().predict({"r": [1.0, np.nan]})
    with pytest.raises(sl.DataError, match="no column 'b'"):
        model().log_likelihood({"r": [1.0], "a": [1.0], "c": [2.0]})


def test_a_model_says_what_is_in_it_and_equals_only_what_has_the_same_numbers():
    assert repr(model()) == "<ModuleNetworkModel: 2 modules of 3 columns>"
    assert str(model()).splitlines()[0] == "m: a, b"
    assert model() == model()
    other = model()
    other.units["a"] = (10.0, 2.5)
    assert model() != other
    assert model() != "a model"


def test_columns_that_regulate_their_own_module_or_each_other_are_refused():
    def by(name):
        return GaussianTreeCPD(Split(name, [(0.0, 1.0), (1.0, 1.0)], at=0.0), parents={name: []})

    units = {"a": (0.0, 1.0), "b": (0.0, 1.0)}
    with pytest.raises(sl.DataError, match="circle"):
        ModuleNetworkModel({"m": ["a"], "k": ["b"]}, {"m": by("b"), "k": by("a")}, units)
    with pytest.raises(sl.DataError, match="circle"):
        ModuleNetworkModel({"m": ["a"]}, {"m": by("a")}, units)


@pytest.mark.parametrize("part", ["modules", "programs", "units"])
def test_a_file_with_a_part_missing_is_refused_by_name(part, tmp_path):
    path = tmp_path / "modules.json"
    model().save(path)
    assert sl.load(path) == model()
    content = json.loads(path.read_text(encoding="utf-8"))
    del content["parameters"][part]
    path.write_text(json.dumps(content), encoding="utf-8")

    with pytest.raises(sl.DataError, match=r"modules\.json"):
        sl.load(path)


@pytest.mark.parametrize("ending", ["json", "graphml", "dot"])
def test_columns_know_their_module_after_a_file_of_each_format(ending, tmp_path):
    graph = sl.ModuleNetwork(**OUTSIDE).fit(two_sides(np.arange(12.0)))
    for each, node, fact in (
        (graph.graph_, "x0", {"module": "1"}),
        (graph.module_graph_, "module 1", {"members": ("x0", "x1", "x2")}),
    ):
        save(each, tmp_path / f"graph.{ending}")
        again = sl.load(tmp_path / f"graph.{ending}")
        assert again == each
        assert dict(again.facts[node]) == fact


@pytest.mark.parametrize("standardise", [True, False])
def test_whole_numbers_beyond_what_floats_can_count_have_thresholds_between_them(standardise):
    regulator = 2**62 + 2**14 * np.arange(20)
    table = two_sides(regulator)

    learner = sl.ModuleNetwork(**OUTSIDE, standardise=standardise).fit(table)

    assert learner.programs_["module 1"].tree.at == float(2**62) + 9.5 * 2**14
    predicted = learner.model_.predict({"r": regulator})["x0"]
    assert predicted == pytest.approx(np.repeat([0.0, 3.0], 10), abs=0.1)


def test_regulators_that_floats_cannot_tell_apart_are_refused():
    with pytest.raises(sl.DataError, match=r"regulator 'r' are too large for thresholds between them. Sub"):
        sl.ModuleNetwork(**OUTSIDE).fit(
            sl.Dataset(two_sides(2**62 + np.arange(20)), kinds={"r": "continuous"})
        )


def test_a_large_whole_number_among_the_columns_is_predicted_in_its_own_units():
    table = two_sides(np.linspace(-1.0, 1.0, 20))
    table["x0"] = 2**60 + (2**20 * table["x0"]).astype(np.int64)
    known = sl.Dataset(table, kinds={"x0": "continuous"})

    predicted = sl.ModuleNetwork(**OUTSIDE).fit(known).model_.predict({"r": [-1.0, 1.0]})["x0"]

    assert predicted - 2.0**60 == pytest.approx([0.0, 3 * 2.0**20], abs=0.2 * 2**20)


def chain_model():
    """A regulator outside, a column that it switches, and one that this switches in turn."""
    programs = {
        "first": GaussianTreeCPD(Split("r", [(-1.0, 0.25), (1.0, 1.0)], at=0.0), parents={"r": []}),
        "second": GaussianTreeCPD(Split("a", [(0.0, 0.01), (5.0, 0.01)], at=10.0), parents={"a": []}),
    }
    units = {"a": (10.0, 2.0), "b": (0.0, 1.0)}
    return ModuleNetworkModel({"first": ["a"], "second": ["b"]}, programs, units)


def test_samples_have_the_moments_of_the_leaves_that_regulators_lead_to():
    n = 4000
    regulator = np.repeat([-0.5, 0.5], n // 2)

    drawn = chain_model().sample(n, given={"r": regulator}, random_state=0)

    low, high = np.split(drawn["a"], 2)
    assert (low.mean(), high.mean()) == pytest.approx((8.0, 12.0), abs=0.2)  # 4 deviations of a mean
    assert (low.std(), high.std()) == pytest.approx((1.0, 2.0), rel=0.1)
    is_high = drawn["a"] > 10.0
    assert drawn["b"][is_high].mean() == pytest.approx(5.0, abs=0.02)
    assert drawn["b"][~is_high].mean() == pytest.approx(0.0, abs=0.02)
    assert drawn["r"].tolist() == regulator.tolist()
    again = chain_model().sample(n, given={"r": regulator}, random_state=0)
    assert again["b"].tolist() == drawn["b"].tolist()


def test_samples_need_the_regulators_that_have_no_distribution():
    with pytest.raises(sl.DataError, match="give 3 values of 'r', which has no distribution"):
        chain_model().sample(3)
    with pytest.raises(sl.DataError, match="give 3 values of 'r'"):
        chain_model().sample(3, given={"r": [0.0, 1.0]})
    with pytest.raises(sl.OptionError, match="n"):
        chain_model().sample(0)


def test_threads_change_no_result():
    rng = np.random.default_rng(3)
    table = {f"x{k}": rng.normal(size=24) for k in range(8)}

    one, two = (sl.ModuleNetwork(n_modules=3, restarts=4, penalty=1.0, n_jobs=k).fit(table) for k in (1, 2))

    assert one.modules_ == two.modules_
    assert one.score_ == two.score_
    assert one.trace_["score"].tolist() == two.trace_["score"].tolist()
    assert set(one.trace_["start"]) == set(range(5))
