"""Module networks: planted modules are found, the score never falls, and modules make no cycles."""

import numpy as np
import pytest
from scipy.stats import hypergeom
from sklearn.metrics import adjusted_rand_score

import structlearn as sl
from structlearn.learners.network.modules.search import clusters_of
from structlearn.models.module_network import ModuleNetworkModel
from structlearn.numerics.enrichment import at_least, enrichments
from tests.oracles import module_networks as oracle

REGULATORS = [f"r{k}" for k in range(6)]
PLANTED = ((0, 1), (1, 2), (3, 4), (5, 0))
AS_REFERENCE = {
    "penalty": 5.0,
    "thresholds": "quartiles",
    "regulators": REGULATORS,
    "assign_regulators": False,
}


def planted(seed=0, n_rows=100, size=25):
    """Six regulators and four modules, whose mean is 2, 0.5 or −1.5 by two of them."""
    rng = np.random.default_rng(seed)
    table = {name: rng.normal(size=n_rows) for name in REGULATORS}
    for m, (a, b) in enumerate(PLANTED):
        first, second = table[f"r{a}"] > 0, table[f"r{b}"] > 0
        mean = np.where(first, np.where(second, 2.0, 0.5), -1.5)
        table |= {f"m{m}_{i:02}": mean + 0.5 * rng.normal(size=n_rows) for i in range(size)}
    return table


def rand_index(learner):
    truth = {name: name[:2] for each in learner.modules_.values() for name in each}
    found = {name: module for module, each in learner.modules_.items() for name in each}
    return adjusted_rand_score([truth[name] for name in truth], [found[name] for name in truth])


def has_true_regulators(learner):
    return all(
        {f"r{k}" for k in PLANTED[int(members[0][1])]} <= set(learner.regulators_[module])
        for module, members in learner.modules_.items()
    )


def never_falls(learner):
    steps = learner.trace_
    rises = np.diff(steps["score"])[np.diff(steps["start"]) == 0]
    return (rises >= -1e-8 * np.abs(steps["score"]).max()).all()


def check_recovery(seed, size=25, **options):
    learner = sl.ModuleNetwork(n_modules=4, **AS_REFERENCE, **options).fit(planted(seed, size=size))

    assert rand_index(learner) == 1.0
    assert has_true_regulators(learner)
    assert never_falls(learner)


def test_planted_modules_and_regulators_are_found():
    check_recovery(0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_planted_modules_and_regulators_are_found_in_five_tables_from_every_start(seed):
    for start in ("ward", "average", "k-means"):
        check_recovery(seed, start=start)


def test_random_starts_find_them_too_when_there_are_five(monkeypatch):
    monkeypatch.setattr(
        "structlearn.learners.network.modules.search.clusters_of",
        lambda values, n, _, rng: rng.integers(0, n, len(values)),
    )
    check_recovery(1, size=10, restarts=4)


def test_the_number_of_modules_is_chosen_by_the_score():
    learner = sl.ModuleNetwork(**AS_REFERENCE).fit(planted(size=8))

    assert len(learner.modules_) == 4
    assert rand_index(learner) == 1.0
    assert list(learner.scores_) == [1, 2, 3, 4, 6, 8]
    assert learner.score_ == max(learner.scores_.values()) == learner.scores_[4]
    of_list = sl.ModuleNetwork(n_modules=[2, 4], **AS_REFERENCE).fit(planted(size=8))
    assert of_list.scores_ == {k: learner.scores_[k] for k in (2, 4)}


def test_the_score_is_its_definition():
    table = planted(size=4, n_rows=30)
    learner = sl.ModuleNetwork(n_modules=4, **AS_REFERENCE).fit(table)

    standard = {name: (column - column.mean()) / column.std() for name, column in table.items()}
    found, leaves = list(learner.modules_), []
    members = [name for each in learner.modules_.values() for name in each]
    modules = [k for k, module in enumerate(found) for _ in learner.modules_[module]]
    for module in found:
        program = learner.programs_[module]
        leaves.append(program.leaves_of([table[parent] for parent in program.parents], 30))
    rows = [standard[name] for name in members]
    assert learner.score_ == pytest.approx(oracle.score(rows, modules, leaves, 4, 5.0))


def test_modules_that_regulate_each_other_make_no_cycle():
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(2, 120))
    second = 0.8 * first + 0.6 * second  # each would explain the other
    table = {f"a{i}": first + 0.2 * rng.normal(size=120) for i in range(6)}
    table |= {f"b{i}": second + 0.2 * rng.normal(size=120) for i in range(6)}

    learner = sl.ModuleNetwork(n_modules=2).fit(table)

    assert learner.graph_.kind == "DAG"
    assert len(learner.module_graph_.edges) > 0
    for module, regulators in learner.regulators_.items():
        assert not set(regulators) & set(learner.modules_[module])
    regulated = [module for module, regulators in learner.regulators_.items() if regulators]
    assert len(regulated) == 1  # of two modules only one can be


def test_a_model_predicts_new_samples_and_comes_back_from_a_file(tmp_path):
    learner = sl.ModuleNetwork(n_modules=4, **AS_REFERENCE).fit(planted())
    new = planted(seed=1)
    new_regulators = {name: new[name] for name in REGULATORS}

    model = learner.model_
    model.save(tmp_path / "modules.json")
    again = sl.load(tmp_path / "modules.json")

    assert again == model
    found = again.predict(new_regulators)
    assert list(found) == [name for members in learner.modules_.values() for name in members]
    left = np.mean([np.var(new[name] - found[name]) / np.var(new[name]) for name in found])
    assert left < 0.25  # the noise is a tenth of the variance, and thresholds are quartiles
    assert model.log_likelihood(new) == pytest.approx(model.log_likelihood_rows(new).sum())
    assert model.log_likelihood(new) > model.log_likelihood({**new, **{n: new[n][::-1] for n in REGULATORS}})


def test_the_likelihood_of_a_model_is_that_of_its_leaves():
    tree = sl.ModuleNetwork(n_modules=1, regulators=["r"], assign_regulators=False, penalty=0.0)
    table = {"r": np.arange(12.0), "a": np.repeat([1.0, 5.0], 6) + np.tile([0.1, -0.1], 6)}
    model = tree.fit(table).model_

    mean, deviation = table["a"].mean(), table["a"].std()
    program = model.programs["module 1"]
    leaves = program.leaves_of([table["r"]], 12)
    standard = (table["a"] - mean) / deviation - program.means[leaves]
    expected = (
        -0.5 * np.log(2 * np.pi * program.variances[leaves]) - standard**2 / 2 / program.variances[leaves]
    )
    assert model.log_likelihood_rows(table) == pytest.approx(expected - np.log(deviation))
    assert program.n_leaves == 2
    # After the data a leaf has the mean of its values, drawn to 0 by a tenth of a value.
    values = ((table["a"] - mean) / deviation)[:6]
    assert program.means[0] == pytest.approx(values.sum() / 6.1)
    assert str(program).splitlines()[1].startswith("├─ r ≤ 5.5: N(")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"programs": {}}, "same names"),
        ({"modules": {"module 1": ["a", "a"]}}, "in two modules"),
        ({"units": {}}, "'a' needs a mean"),
    ],
)
def test_a_model_that_contradicts_itself_is_refused(change, message):
    table = {"r": np.arange(12.0), "a": np.repeat([1.0, 5.0], 6) + np.tile([0.1, -0.1], 6)}
    model = (
        sl.ModuleNetwork(n_modules=1, regulators=["r"], assign_regulators=False, penalty=0.0)
        .fit(table)
        .model_
    )
    parts = {"modules": model.modules, "programs": model.programs, "units": model.units} | change

    with pytest.raises(sl.DataError, match=message):
        ModuleNetworkModel(**parts)
    with pytest.raises(sl.DataError, match="no column 'r'"):
        model.predict({"s": [1.0, 2.0]})
    with pytest.raises(sl.OptionError, match="'r' is in no module"):
        model.predict(table, ["r"])


def test_regulators_are_those_of_a_list_or_those_that_knowledge_leaves():
    table = planted(size=5, n_rows=60)
    order = sl.Knowledge(tiers=[REGULATORS, [name for name in table if name not in REGULATORS]])
    of_list = sl.ModuleNetwork(n_modules=5, regulators=REGULATORS[:3]).fit(table)
    by_tiers = sl.ModuleNetwork(n_modules=5, knowledge=order).fit(table)

    assert {edge.source for edge in of_list.graph_.edges} <= set(REGULATORS[:3])
    assert order.violations(by_tiers.graph_) == []
    with pytest.raises(sl.OptionError, match="there is no column 'nobody'"):
        sl.ModuleNetwork(regulators=["nobody"]).fit(table)
    with pytest.raises(sl.OptionError, match="say in regulators="):
        sl.ModuleNetwork(assign_regulators=False).fit(table)


def test_required_arcs_are_there_even_where_they_gain_nothing():
    table = planted(size=3, n_rows=40)
    known = sl.Knowledge(required=[("r4", "m0_00"), ("r5", "m0_00"), ("m0_00", "m1_01")])

    learner = sl.ModuleNetwork(knowledge=known).fit(table)

    assert known.violations(learner.graph_) == []
    few = {name: column[:4] for name, column in table.items()}
    many = sl.Knowledge(required=[(name, "m0_00") for name in [*REGULATORS, "m1_00", "m2_00"]])
    with pytest.raises(sl.OptionError, match="m0_00 cannot all be in a regression tree of 4 rows"):
        sl.ModuleNetwork(knowledge=many).fit(few)


def test_empty_modules_are_said_and_can_be_filled_again():
    table = planted(size=6, n_rows=40)
    learner = sl.ModuleNetwork(n_modules=12, **AS_REFERENCE).fit(table)
    filled = sl.ModuleNetwork(n_modules=12, refill=True, **AS_REFERENCE).fit(table)

    n_empty = 12 - len(learner.modules_)
    assert n_empty > 0
    assert f"{n_empty} of 12 modules are empty." in learner.status_
    assert filled.score_ >= learner.score_
    assert never_falls(filled)


def test_a_search_that_is_cut_short_says_so_once():
    table = planted(size=6, n_rows=40)

    learner = sl.ModuleNetwork(n_modules=4, max_iterations=1, restarts=2).fit(table)

    assert (
        learner.status_
        == "The method ran to its end. Something still changed after 1 rounds: see max_iterations."
    )
    assert (learner.trace_["step"] == "modules").sum() == 3


def test_one_module_and_as_many_as_columns_are_fine():
    table = planted(size=2, n_rows=40)
    one = sl.ModuleNetwork(n_modules=1).fit(table)
    each = sl.ModuleNetwork(n_modules=len(table)).fit(table)

    assert len(one.modules_) == 1
    assert one.graph_.edges == ()  # no module has its own parent
    assert each.graph_.kind == "DAG"
    assert len(each.graph_.edges) > 0
    with pytest.raises(sl.OptionError, match="14 columns that vary make from 1 to 14 modules"):
        sl.ModuleNetwork(n_modules=15).fit(table)


def test_no_regulator_that_helps_gives_a_single_leaf():
    rng = np.random.default_rng(3)
    table = {name: rng.normal(size=40) for name in ["r", "s", "t", *(f"x{i}" for i in range(5))]}

    learner = sl.ModuleNetwork(n_modules=1, regulators=list("rst"), assign_regulators=False).fit(table)

    assert learner.regulators_ == {"module 1": {}}
    assert learner.programs_["module 1"].n_leaves == 1


def test_depth_regulators_and_leaves_stay_within_their_limits():
    table = planted(size=6)
    for limit in ({"max_depth": 1}, {"max_regulators": 1}, {"max_regulators": 0}, {"min_leaf": 30}):
        learner = sl.ModuleNetwork(n_modules=4, **AS_REFERENCE, **limit).fit(table)
        for module, program in learner.programs_.items():
            leaves = program.leaves_of([table[name] for name in program.parents], 100)
            assert program.n_leaves <= 2 ** limit.get("max_depth", 9)
            assert len(learner.regulators_[module]) <= limit.get("max_regulators", 9)
            assert np.bincount(leaves).min() >= limit.get("min_leaf", 5)


def test_lookahead_finds_what_no_single_split_shows():
    rng = np.random.default_rng(0)
    table = {name: rng.normal(size=200) for name in "rs"}
    parity = np.where((table["r"] > 0) == (table["s"] > 0), 1.0, -1.0)
    table |= {f"x{i}": parity + 0.3 * rng.normal(size=200) for i in range(5)}
    options = {
        "n_modules": 1,
        "regulators": ["r", "s"],
        "assign_regulators": False,
        "thresholds": "quartiles",
    }

    blind, seeing = (sl.ModuleNetwork(lookahead=k, penalty=20.0, **options).fit(table) for k in (0, 1))

    assert set(seeing.regulators_["module 1"]) == {"r", "s"}
    assert seeing.score_ > blind.score_ + 100
    assert never_falls(seeing)


def test_rows_are_not_weighted_and_missing_values_not_guessed():
    table = planted(size=2, n_rows=20)

    with pytest.raises(sl.DataError, match="rows count once each"):
        sl.ModuleNetwork().fit(sl.Dataset(table, weights=np.arange(1, 21)))
    table["r0"][3] = np.nan
    with pytest.raises(sl.DataError, match="'r0'"):
        sl.ModuleNetwork().fit(table)


@pytest.mark.parametrize("start", ["ward", "average", "k-means"])
def test_clusters_to_start_from_are_those_that_are_plain(start):
    rng = np.random.default_rng(0)
    values = np.repeat(rng.normal(size=(3, 20)), 4, axis=0) + 0.05 * rng.normal(size=(12, 20))

    found = clusters_of(values, 3, start, rng)

    assert adjusted_rand_score(np.repeat(range(3), 4), found) == 1.0


def test_enrichment_is_hypergeometric_with_the_false_discovery_rate():
    learner = sl.ModuleNetwork(n_modules=4, **AS_REFERENCE).fit(planted(size=10))
    sets = {"true": [f"m1_{i:02}" for i in range(8)], "mixed": [f"m{m}_00" for m in range(4)], "none": ["zz"]}

    rows = learner.enrichment(sets | {"zz too": [*sets["true"], "stranger"]})

    assert {row.gene_set for row in rows} == {"true", "mixed", "zz too"}
    assert len(rows) == 12
    best = rows[0]
    assert learner.modules_[best.group][0].startswith("m1")
    assert (best.n_shared, best.n_group, best.n_set) == (8, 10, 8)
    for row in rows:
        assert row.p_value == pytest.approx(
            hypergeom.sf(row.n_shared - 1, 40, row.n_set, row.n_group), rel=1e-9
        )
    for k, row in enumerate(rows):  # the definition of Benjamini and Hochberg
        assert row.q_value == pytest.approx(
            min(1.0, *(12 * r.p_value / (i + 1) for i, r in enumerate(rows) if i >= k))
        )
    with pytest.raises(sl.OptionError, match="mapping"):
        learner.enrichment({"true": "m1_00"})
    with pytest.raises(sl.DataError, match="call fit first"):
        sl.ModuleNetwork().enrichment(sets)


@pytest.mark.parametrize(("n_all", "marked", "drawn"), [(10, 4, 3), (10, 8, 7), (60, 20, 15), (5, 5, 2)])
def test_hypergeometric_tails_are_those_of_scipy(n_all, marked, drawn):
    for shared in range(drawn + 1):
        expected = hypergeom.sf(shared - 1, n_all, marked, drawn)
        assert at_least(shared, n_all, marked, drawn) == pytest.approx(expected, abs=1e-12)
    assert enrichments({"a": ["x"]}, {"s": ["x"]})[0].p_value == 1.0


def test_the_gain_of_a_regulator_is_what_its_splits_add_to_the_score():
    table = planted(size=4, n_rows=40)
    learner = sl.ModuleNetwork(n_modules=4, **AS_REFERENCE).fit(table)

    for module, members in learner.modules_.items():
        program = learner.programs_[module]
        leaves = program.leaves_of([table[name] for name in program.parents], 40)
        rows = [(table[name] - table[name].mean()) / table[name].std() for name in members]
        split = sum(oracle.leaf_score(rows, leaves == leaf) for leaf in range(program.n_leaves))
        whole = oracle.leaf_score(rows, np.ones(40, dtype=bool))
        gained = sum(learner.regulators_[module].values())
        assert gained == pytest.approx(split - whole - 5.0 * (program.n_leaves - 1))


def test_a_regulator_gets_out_of_the_module_that_it_regulates():
    rng = np.random.default_rng(0)
    table = {"r": rng.normal(size=80), "s": rng.normal(size=80)}
    table |= {f"x{i}": 2.0 * (table["r"] > 0) + 0.3 * rng.normal(size=80) for i in range(4)}

    learner = sl.ModuleNetwork(n_modules=2, regulators=["r", "s"]).fit(table)

    assert learner.modules_ == {"module 1": ("x0", "x1", "x2", "x3"), "module 2": ("r", "s")}
    assert set(learner.regulators_["module 1"]) == {"r"}
    assert never_falls(learner)


def test_other_numbers_of_modules_that_are_tried_do_not_change_the_result_of_one():
    table = planted(size=5, n_rows=40)

    alone, among = (sl.ModuleNetwork(n_modules=k, restarts=1).fit(table).scores_[3] for k in (3, [2, 5, 3]))

    assert alone == among
